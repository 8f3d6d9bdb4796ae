"""Everything that `make eval` measures, one table after the other.

The tables: retention, recall, distillation, prefix and cost, validity and budgets.

    python -m ops.eval DATA --score SCORER

SCORER is a script with the commands `tasks DATA`, `score DATA CONTEXTS` and `table DATA [METHOD ...]`; DATA are
conversations as JSON lines with `messages`. Both stay outside of this repository.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

#: Baselines of the scorer that are shown beside ours.
BASELINES = ("last", "first_last", "mask3", "users", "ledger")


def main() -> int:
    """Run the measurements. Exit code 1 where a context is invalid or over its budget."""
    parser = argparse.ArgumentParser(prog="python -m ops.eval", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--score", type=Path, required=True, help="the script that scores contexts")
    parser.add_argument(
        "--no-baselines", action="store_true", help="leave out the scorer's own baselines, which take minutes"
    )
    arguments = parser.parse_args()
    for path in (arguments.data, arguments.score):
        if not path.is_file():
            parser.error(f"{path}: no such file; make eval DATA=conversations.jsonl.zst [SCORE=score.py]")
    _retention(arguments.data, arguments.score, baselines=not arguments.no_baselines)
    _run("ops.eval.recall", str(arguments.data), "--score", str(arguments.score))
    _run("ops.eval.prefix_cache", str(arguments.data))
    _run("ops.eval.conformance")
    _run("ops.eval.cycles", str(arguments.data), "--score", str(arguments.score))
    distilled = _run("ops.eval.distillation", str(arguments.data), "--score", str(arguments.score))
    return _run("ops.eval.budgets", str(arguments.data)) or distilled


def _retention(data: Path, score: Path, *, baselines: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tasks, contexts = Path(folder, "tasks.jsonl"), Path(folder, "contexts.jsonl")
        with tasks.open("wb") as file:
            subprocess.run([sys.executable, score, "tasks", data], stdout=file, check=True)
        with contexts.open("wb") as file:
            subprocess.run([sys.executable, "-m", "ops.eval.retention", data, tasks], stdout=file, check=True)
        print(
            "what contexts keep (rab and its parts, 0 to 1), by how much smaller than the history they are", flush=True
        )
        subprocess.run([sys.executable, score, "score", data, contexts], check=True)
    if baselines:
        subprocess.run([sys.executable, score, "table", data, *BASELINES], check=True)


def _run(module: str, *arguments: str) -> int:
    print(flush=True)
    return subprocess.run([sys.executable, "-m", module, *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
