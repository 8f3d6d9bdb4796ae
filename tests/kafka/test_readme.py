"""Every example of the README that is marked so is run here, as it stands, but for the address of the broker."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
MARKED = re.compile(r"<!-- run by tests/kafka/test_readme.py -->\n```(\w+)\n(.*?)```", re.DOTALL)
EXAMPLES = MARKED.findall((REPOSITORY / "README.md").read_text())
README_BROKER = "127.0.0.1:19092"


def _example(language: str, *words: str) -> str:
    found = [code for kind, code in EXAMPLES if kind == language and all(word in code for word in words)]
    assert len(found) == 1, f"one {language} example with {words} expected in the README, got {len(found)}"
    return str(found[0])


@pytest.fixture(scope="module")
def environment(broker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Yield the environment of a terminal in which a worker runs with the default topics."""
    variables = {
        **os.environ,
        "TAILRACE_BROKER": broker.bootstrap_servers,
        "TAILRACE_DATA_DIR": str(tmp_path_factory.mktemp("readme")),
        "TAILRACE_HTTP__PORT": "0",
    }
    tailrace = [sys.executable, "-m", "tailrace.streams.cli"]
    subprocess.run([*tailrace, "topics", "apply"], env=variables, check=True, capture_output=True, timeout=120)
    worker = subprocess.Popen([*tailrace, "worker"], env=variables, stderr=subprocess.PIPE, text=True)
    try:
        for line in worker.stderr or ():
            if "partitions.assigned" in line:
                break
        # Nobody reads on: keep the pipe from filling up.
        threading.Thread(target=lambda: worker.stderr and worker.stderr.read(), daemon=True).start()
        yield variables
    finally:
        worker.terminate()
        worker.wait(30)


def _python(code: str, environment: dict[str, str]) -> list[str]:
    return [sys.executable, "-c", code.replace(README_BROKER, environment["TAILRACE_BROKER"])]


def _follow_until(environment: dict[str, str], words: str) -> str:
    """Run the follower until it prints a context with these words."""
    code = _example("python", "AIOKafkaConsumer")
    follower = subprocess.Popen(
        [sys.executable, "-u", *_python(code, environment)[1:]], env=environment, stdout=subprocess.PIPE, text=True
    )
    watchdog = threading.Timer(120, follower.kill)
    watchdog.start()
    try:
        for line in follower.stdout or ():
            if words in line:
                return line
    finally:
        watchdog.cancel()
        follower.kill()
        follower.wait()
    raise AssertionError(f"the follower never printed a context with {words!r}")


def test_the_readme_marks_its_examples() -> None:
    assert [language for language, _ in EXAMPLES] == ["sh", "python", "python", "python"]


def test_each_way_with_aiokafka_takes_fifteen_lines() -> None:
    for word in ("AIOKafkaProducer", "AIOKafkaConsumer"):
        body = _example("python", word).split("async def main", 1)[1]
        assert len([line for line in body.splitlines() if line.strip()]) <= 15


def test_kcat_publishes_and_reads(environment: dict[str, str]) -> None:
    if shutil.which("kcat") is None:
        pytest.skip("kcat is not installed (Debian: apt-get install kcat)")
    code = _example("sh", "kcat").replace(README_BROKER, environment["TAILRACE_BROKER"])
    publish, _, read = code.partition("kcat -C")

    subprocess.run(["bash", "-c", publish], env=environment, check=True, timeout=180)

    deadline = time.monotonic() + 60
    shown = ""
    while '"content":"hi"' not in shown and time.monotonic() < deadline:
        done = subprocess.run(
            ["bash", "-c", f"kcat -C{read}"], env=environment, capture_output=True, text=True, check=True, timeout=180
        )
        shown = done.stdout
    assert '"content":"hi"' in shown
    assert "hello" in shown


def test_aiokafka_publishes_and_follows(environment: dict[str, str]) -> None:
    code = _example("python", "AIOKafkaProducer")

    subprocess.run(_python(code, environment), env=environment, check=True, timeout=180)

    assert "Where does the water go?" in _follow_until(environment, "Where does the water go?")


def test_the_client_reads_what_it_has_just_published(environment: dict[str, str]) -> None:
    code = _example("python", "Client")

    done = subprocess.run(
        _python(code, environment), env=environment, capture_output=True, text=True, check=True, timeout=120
    )

    assert "{'role': 'user', 'content': 'And then?'}" in done.stdout
