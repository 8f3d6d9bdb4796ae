"""Every example of the README that is marked so is run here, as it stands, but for the address of the broker."""

import json
import re
import shlex
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest
from support.patience import LONG_SECONDS
from support.running_demo import RunningDemo

REPOSITORY = Path(__file__).resolve().parents[2]
MARKED = re.compile(r"<!-- run by tests/kafka/test_readme.py -->\n```(\w+)\n(.*?)```", re.DOTALL)
EXAMPLES = MARKED.findall((REPOSITORY / "README.md").read_text())
README_BROKER = "127.0.0.1:19092"
README_DOOR = "http://127.0.0.1:8700"


def _example(language: str, *words: str) -> str:
    found = [code for kind, code in EXAMPLES if kind == language and all(word in code for word in words)]
    assert len(found) == 1, f"one {language} example with {words} expected in the README, got {len(found)}"
    return str(found[0])


def _script(demo: RunningDemo, code: str, language: str = "sh") -> list[str]:
    """The command that does what a reader of the README does in another terminal."""
    first = f"set -e\n{_example('sh', 'demo/env')}"
    address = re.search(r"TAILRACE_BROKER=(\S+)", (demo.home / ".local/share/tailrace/demo/env").read_text())
    assert address is not None
    typed = code.replace(README_BROKER, address[1])
    return ["bash", "-c", first + (typed if language == "sh" else f"exec python -u -c {shlex.quote(typed)}")]


def _run(demo: RunningDemo, code: str, language: str) -> str:
    done = subprocess.run(
        _script(demo, code, language),
        env=demo.terminal,
        capture_output=True,
        text=True,
        timeout=LONG_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _follow_until(demo: RunningDemo, words: str) -> str:
    """Run the follower until it prints a context with these words."""
    command = _script(demo, _example("python", "AIOKafkaConsumer"), "python")
    follower = subprocess.Popen(command, env=demo.terminal, stdout=subprocess.PIPE, text=True)
    watchdog = threading.Timer(LONG_SECONDS, follower.kill)
    watchdog.start()
    try:
        for line in follower.stdout or ():
            if words in line:
                return line
    finally:
        watchdog.cancel()
        follower.kill()
        follower.communicate()
    raise AssertionError(f"the follower never printed a context with {words!r}")


def test_the_readme_marks_its_examples() -> None:
    assert [language for language, _ in EXAMPLES] == ["sh", "sh", "python", "sh", "python", "python"]


def test_the_first_hint_of_the_demo_is_what_a_reader_types(demo: RunningDemo) -> None:
    assert demo.hints[0] == _example("sh", "demo/env").strip()


def test_each_way_with_aiokafka_takes_fifteen_lines() -> None:
    for word in ("AIOKafkaProducer", "AIOKafkaConsumer"):
        body = _example("python", word).split("async def main", 1)[1]
        assert len([line for line in body.splitlines() if line.strip()]) <= 15


def test_kcat_publishes_and_reads_one_thread(demo: RunningDemo) -> None:
    if shutil.which("kcat") is None:
        pytest.skip("kcat is not installed (Debian: apt-get install kcat)")
    publish, _, read = _example("sh", "kcat").partition("kcat -C")

    _run(demo, publish, "sh")

    deadline = time.monotonic() + LONG_SECONDS
    shown = ""
    while '"content":"hi"' not in shown and time.monotonic() < deadline:
        # grep finds nothing before the context is there.
        shown = _run(demo, f"kcat -C{read.rstrip()} || true\n", "sh")
    assert '"content":"hi"' in shown
    assert all(line.startswith("hello") for line in shown.splitlines())
    assert len(shown) < 10_000


def test_curl_publishes_reads_and_follows(demo: RunningDemo) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed (Debian: apt-get install curl)")
    publish, read, follow = _example("sh", "curl").replace(README_DOOR, demo.door).strip().split("\n")

    message = json.loads(_run(demo, publish, "sh"))["published"][0]["id"]
    shown = _run(demo, read.replace("format=", f"covers={message}&wait_ms=60000&format="), "sh")
    following = _script(demo, f"exec {follow}")
    followed = subprocess.Popen(following, env=demo.terminal, stdout=subprocess.PIPE, text=True)
    try:
        event = next(line for line in followed.stdout or () if line.startswith("data: "))
    finally:
        followed.kill()
        followed.communicate()

    assert "How high is the water?" in json.dumps(json.loads(shown)["request"]["messages"])
    assert json.loads(event.removeprefix("data: "))["thread"] == "hello"


def test_aiokafka_publishes_and_follows(demo: RunningDemo) -> None:
    _run(demo, _example("python", "AIOKafkaProducer"), "python")

    assert "Where does the water go?" in _follow_until(demo, "Where does the water go?")


def test_the_client_reads_what_it_has_just_published(demo: RunningDemo) -> None:
    assert "{'role': 'user', 'content': 'And then?'}" in _run(demo, _example("python", "Client"), "python")
