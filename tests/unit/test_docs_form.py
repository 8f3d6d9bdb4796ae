"""The pages can be read.

Short paragraphs, short cells, short lines, and every file and link that they name is there.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *sorted(f"docs/{page.name}" for page in ROOT.glob("docs/*.md")),
)

LINE_CHARACTERS_MAX = 120
PARAGRAPH_LINES_MAX = 6
CELL_WORDS_MAX = 40

ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s")
#: What ends a paragraph and is none: headings, comments, pictures.
MARK = re.compile(r"#|<!--|!\[")
#: `[text](where)`; what leads out of the repository begins with a scheme.
LINK = re.compile(r"\]\((?!\w+:)([^)\s]+)\)")
#: A path that begins with a folder of ours, up to where it ends or has something to be filled in.
FILE = re.compile(r"`((?:agents|docs|ops|requirements|schemas|streams|tests)/[\w./-]*)(?=[`:])")


class Line(NamedTuple):
    """A line of a page, by its number."""

    number: int
    text: str


@cache
def lines(page: str) -> tuple[Line, ...]:
    """Return the lines of a page that are no code."""
    kept = []
    fenced = False
    before = ""
    listed = False
    for number, text in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), start=1):
        fence = text.startswith("```")
        listed = bool(ITEM.match(text)) or (listed and (not text or text.startswith(" ")))
        # Four spaces are code at the beginning of a block, but for what goes on in a list.
        indented = text.startswith("    ") and not listed and not before
        if not (fenced or fence or indented):
            kept.append(Line(number, text))
        fenced ^= fence
        before = "" if indented else text.strip()
    return tuple(kept)


def paragraphs(page: str) -> Iterator[list[Line]]:
    """Yield the paragraphs of a page; an item of a list is one."""
    paragraph: list[Line] = []
    for line in lines(page):
        ends = not line.text.strip() or line.text.startswith("|") or MARK.match(line.text)
        follows = paragraph and line.number == paragraph[-1].number + 1
        if paragraph and (ends or not follows or ITEM.match(line.text)):
            yield paragraph
            paragraph = []
        if not ends:
            paragraph.append(line)
    if paragraph:
        yield paragraph


def no(problems: list[str], what_to_do: str) -> None:
    assert not problems, "\n".join([what_to_do, *problems])


@pytest.mark.parametrize("page", PAGES)
def test_lines_end_in_time(page: str) -> None:
    problems = [
        f"{page}:{line.number}: {len(line.text)} characters"
        for line in lines(page)
        if len(line.text) > LINE_CHARACTERS_MAX and not line.text.startswith("|")
    ]
    no(problems, f"break lines at {LINE_CHARACTERS_MAX} characters; tables and code may be longer")


@pytest.mark.parametrize("page", PAGES)
def test_paragraphs_are_short(page: str) -> None:
    problems = [
        f"{page}:{paragraph[0].number}: {len(paragraph)} lines"
        for paragraph in paragraphs(page)
        if len(paragraph) > PARAGRAPH_LINES_MAX
    ]
    no(problems, f"a paragraph has at most {PARAGRAPH_LINES_MAX} lines: one thought each")


@pytest.mark.parametrize("page", PAGES)
def test_cells_of_tables_are_short(page: str) -> None:
    problems = [
        f"{page}:{line.number}: {words} words: {cell.strip()[:60]}"
        for line in lines(page)
        if line.text.startswith("|")
        for cell in line.text.split("|")
        if (words := len(cell.split())) > CELL_WORDS_MAX
    ]
    no(problems, f"a cell has at most {CELL_WORDS_MAX} words: say the rest below the table")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    problems = []
    for line in lines(page):
        for target in LINK.findall(line.text):
            path, _, anchor = target.partition("#")
            file = (ROOT / page).parent / path if path else ROOT / page
            if not file.exists():
                problems.append(f"{page}:{line.number}: {target}")
            elif anchor and anchor not in anchors(file):
                problems.append(f"{page}:{line.number}: {target}: the page has no such heading")
    no(problems, "correct the link")


@cache
def anchors(file: Path) -> frozenset[str]:
    headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return frozenset(re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings)


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page: str) -> None:
    problems = [
        f"{page}:{line.number}: {name}"
        for line in lines(page)
        for name in FILE.findall(line.text)
        if not (ROOT / name).exists()
    ]
    no(problems, "correct the name; what is to be made up by the reader stands in <>")


def test_the_map_names_a_file_for_each_of_twenty_changes() -> None:
    cells = [line.text.split("|")[1:-1] for line in lines("docs/map.md") if line.text.startswith("| ")]
    changes = [cell for cell in cells if cell[0].strip() != "to change"]

    assert len(changes) >= 20
    assert [change for change, begin, _ in changes if not FILE.search(begin) and "pyproject.toml" not in begin] == []
