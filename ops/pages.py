"""Writes the pages and pictures of docs/ that are made from the code: `python -m ops.pages [--check]`.

A test fails when one of them no longer fits the code.
"""

import argparse
import sys
from pathlib import Path

from ops import agents_page, policy_reference, rooms_picture

ROOT = Path(__file__).resolve().parent.parent
#: What is made, by the module that makes it.
GENERATORS = (agents_page.generate, policy_reference.generate, rooms_picture.generate)


def generate() -> dict[str, str]:
    """Return the text of every file that is made, by its path in the repository."""
    return {path: text for made in GENERATORS for path, text in made().items()}


def main() -> None:
    """Write the files, or only check them with `--check`."""
    parser = argparse.ArgumentParser(prog="python -m ops.pages", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not up to date")
    check = parser.parse_args().check
    for path, text in generate().items():
        file = ROOT / path
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        if check:
            sys.exit(f"{path} is not up to date: run `make schemas` and commit the result")
        file.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
