"""The distiller as it is installed, compiled, gives what its sources give."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from importlib.machinery import ExtensionFileLoader
from pathlib import Path

from tailrace.agents.distill import distill as distiller
from tailrace.agents.distill import literals, selection

ROOT = Path(__file__).resolve().parents[4]
QUARTER = 4

#: Files of ours as tools show them, and lines of what else they print.
FILES = ("agents/distill/*.py", "docs/*.md", "streams/demo/samples/*.jsonl", "tests/data/prose/*.txt")
LINES = (
    lambda number: (
        f"2031-04-05T10:{number // 60:02}:{number % 60:02}Z {'ERROR' if number % 7 else 'INFO'} gate_{number}"
    ),
    lambda number: f"tests/test_gate_{number}.py::test_opens {'PASSED' if number % 5 else 'FAILED'}",
    lambda number: f"@@ -{number} +{number} @@" if number % 9 == 0 else f"{' +-'[number % 3]} readLevel({number})",
    lambda number: f"10:00:{number % 60:02} INFO gate {number} done status={503 if number == 311 else 200}",
    lambda number: f"weirs/basin_{number // 20}/gate_{number}.py",
    lambda number: f"weirs/basin.py:{number}: sill_height = {number / 8}",
    lambda number: f'  File "weirs/basin_{number}.py", line {number}, in open_gate',
    lambda number: f"gate_{number},{number * 3 % 17},{number / 8}",
    lambda number: f'<p><a href="/gate/{number}">Gate {number} of basin.upperWeir</a></p>',
)

#: Runs with the sources before everything that is installed.
INTERPRETED = """
import json, sys
from hashlib import sha256
from tailrace.agents.distill import distill as distiller

assert distiller.__spec__.origin.endswith(".py"), distiller.__spec__.origin
texts = json.load(sys.stdin)
made = [distiller.distill(distiller.ToolOutput(text, "bash"), chars_max=len(text) // 4) for text in texts]
print(json.dumps([[one.method, sha256(one.text.encode("utf-8", "surrogatepass")).hexdigest()] for one in made]))
"""


def test_what_walks_over_every_byte_is_compiled() -> None:
    for module in (distiller, selection, literals):
        assert module.__spec__ is not None
        assert isinstance(module.__spec__.loader, ExtensionFileLoader), f"{module.__name__}: run `make setup`"


def test_compiled_and_interpreted_distil_alike(tmp_path: Path) -> None:
    for folder in ("agents", "schemas"):
        for source in (ROOT / folder).rglob("*.py"):
            link = tmp_path / "tailrace" / source.relative_to(ROOT)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(source)
    texts = [file.read_text(encoding="utf-8") for pattern in FILES for file in sorted(ROOT.glob(pattern))]
    texts += ["\n".join(line(number) for number in range(400)) for line in LINES]
    texts += ["\n".join(text.split()) + "\n水 größe_1 → gate.readLevel.. \ud800x_1" for text in texts]

    done = subprocess.run(
        [sys.executable, "-c", INTERPRETED],
        input=json.dumps(texts),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    made = [distiller.distill(distiller.ToolOutput(text, "bash"), chars_max=len(text) // QUARTER) for text in texts]
    compiled = [[one.method, sha256(one.text.encode("utf-8", "surrogatepass")).hexdigest()] for one in made]
    assert json.loads(done.stdout) == compiled, "the sources have changed since they were compiled: run `make setup`"
