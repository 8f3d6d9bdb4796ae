"""Writes the checked-in JSON Schemas and the AsyncAPI and OpenAPI documents.

Run it with `python -m tailrace.schemas.generation.generate [--check]`. They are files so that programs in other
languages can use them; a test fails when they no longer fit the code.
"""

import argparse
import json
import sys
from pathlib import Path

from tailrace.schemas.api import openapi
from tailrace.schemas.generation import asyncapi, json_schema


def generate() -> dict[str, str]:
    """Return the text of every generated file, by its path below the folder `schemas`."""
    documents = {f"json/{name}.json": schema for name, schema in json_schema.documents().items()}
    documents["asyncapi.json"] = asyncapi.document()
    documents["openapi.json"] = openapi.document()
    return {path: json.dumps(document, indent=2, ensure_ascii=False) + "\n" for path, document in documents.items()}


def stale_paths(folder: Path) -> list[str]:
    """Return the paths below `folder` that are missing, differ from what the code says, or are no longer generated."""
    texts = generate()
    stale = [path for path, text in texts.items() if not _holds(folder / path, text)]
    left_over = [f"json/{file.name}" for file in (folder / "json").glob("*.json") if f"json/{file.name}" not in texts]
    return sorted(stale + left_over)


def write(folder: Path) -> list[str]:
    """Bring the files below `folder` up to date; return the paths that changed."""
    stale = stale_paths(folder)
    texts = generate()
    (folder / "json").mkdir(exist_ok=True)
    for path in stale:
        if path in texts:
            (folder / path).write_text(texts[path], encoding="utf-8")
        else:
            (folder / path).unlink()
    return stale


def _holds(file: Path, text: str) -> bool:
    return file.is_file() and file.read_text(encoding="utf-8") == text


def main() -> None:
    """Write the files, or only check them with `--check`."""
    parser = argparse.ArgumentParser(prog="python -m tailrace.schemas.generation.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not up to date")
    check = parser.parse_args().check
    # An editable install is a tree of links: the files belong beside what the link points to.
    folder = Path(__file__).resolve().parents[1] / "generated"
    if check:
        stale = stale_paths(folder)
        if stale:
            sys.exit(f"not up to date: {', '.join(stale)}\nrun `make schemas` and commit the result")
        return
    if not (folder.parents[1] / "pyproject.toml").is_file():
        sys.exit("the schemas are generated in a checkout of the repository; an installed package already has them")
    for path in write(folder):
        sys.stdout.write(f"schemas/generated/{path}\n")


if __name__ == "__main__":
    main()
