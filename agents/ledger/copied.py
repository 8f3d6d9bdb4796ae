"""Lines that were copied from a program, a log, a table or a chat, known by their shape: comments amid code, time stamps, keys, signs.

One line of such a shape may be a person's own; most shapes count where a line next to it has the same.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

#: A time before what was logged or said.
_STAMPED = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AaPp][Mm])?\] ?\S|"
    r"\[?\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\]? ?(?:- )?\w[^:\n]{0,30}: |"
    r"\d\d:\d\d:\d\d(?:[.,]\d+)? (?:\[?[A-Z]{4,8}\]?|<?\w+[>:]) |"
    r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S|\[?(?:INFO|DEBUG|TRACE)\]?[ :]"
)
#: Whoever spoke, before what was said.
_SPEAKER = re.compile(r"([^\W\d_a-z][^\W_]{0,20}(?: [^\W\d_a-z][^\W_]{0,20})?)\s?: ?\S")
_REMARK = ("//", "/*", "*/", "<!--")
#: A statement of a program.
_CODE = re.compile(
    r"(?:def|class|for|while|elif|else|try|except|with)\b.*:$|"
    r"(?:def|class|if|for|while|return|import|from|const|let|var|func|fn|public|private|static|int|void|switch|elif|export)\b.*[;{()=]|"
    r"[\w.\[\]\"']+ ?(?:[-+*/|&]?=|:=) ?\S|[\w.]+\(.*\)[;:,]?$|.*[)\]\w\"' ][{}]$|[{}\])]+[;,]?$|#include\b|return \w+$"
)
_KEY = re.compile(r"\s*(?:- )?[\"']?[a-z_][\w.-]*[\"']?:(?:\s+\S+){0,3}$")
_CELLS = re.compile(r"[^,\s][^,\n]*(?:,[^\s,][^,\n]*)+$")
_CELL = re.compile(r",[^\s,]")
_SIGNED = re.compile(r"^\s*(?:[-+][^\s\d]|@@ -|diff --git )", re.MULTILINE)
_REMOVED, _ADDED = re.compile(r"-[^\s\d-]"), re.compile(r"\+[^\s\d+]")
_DIFF = ("@@ -", "+++ ", "diff --git ")


def copied_lines(text: str, lines: Sequence[str]) -> frozenset[int]:
    """Places of the lines of a text that nobody typed into it."""
    begun = [line.strip() for line in lines]
    found = {place for place, line in enumerate(begun) if line and _is_copied(line)}
    if len(lines) > 1:
        # One look at all of the text costs less than one at each line.
        if "# " in text or "//" in text or "* " in text:
            found.update(_comments(begun))
        if _CELL.search(text):
            found.update(_table(begun))
        if text.count(":") > 2:  # noqa: PLR2004  two speakers, of whom one speaks again
            found.update(_talk(begun))
        if "\n " in text and ":" in text:
            found.update(_keys(lines))
        if _SIGNED.search(text):
            found.update(_changes(begun))
    return frozenset(found)


def _is_copied(line: str) -> bool:
    first = line[0]
    if first in "/*<":
        return line.startswith(_REMARK)
    return (first == "[" or first.isdigit() or first.isupper()) and _STAMPED.match(line) is not None


def _comments(begun: Sequence[str]) -> Iterator[int]:
    """Lines of a program with a remark in them, and lines that are one between those of a program."""
    for place, line in enumerate(begun):
        if line.startswith(("# ", "* ")) or " # " in line or " // " in line:
            beside = [begun[at] for at in (place - 1, place + 1) if 0 <= at < len(begun)]
            if any(_CODE.match(one) for one in beside) or (line.startswith("* ") and any(map(_is_remark, beside))):
                yield place


def _is_remark(line: str) -> bool:
    return line.startswith("/*") or line == "*/"


def _table(begun: Sequence[str]) -> Iterator[int]:
    """Lines with as many cells as the one next to them."""
    cells = [line.count(",") if "," in line and _CELLS.match(line) else 0 for line in begun]
    for place, count in enumerate(cells):
        if count and count in (*cells[max(0, place - 1) : place], *cells[place + 1 : place + 2]):
            yield place


def _talk(begun: Sequence[str]) -> Iterator[int]:
    """Lines of several speakers, of whom one speaks again."""
    speakers = {
        place: spoken[1]
        for place, line in enumerate(begun)
        if ":" in line and not line[0].islower() and (spoken := _SPEAKER.match(line))
    }
    counts = Counter(speakers.values())
    if len(counts) > 1 and max(counts.values()) > 1:
        yield from speakers


def _keys(lines: Sequence[str]) -> Iterator[int]:
    """Keys with their values, of which one stands below another."""
    keyed = [":" in line and _KEY.match(line) is not None for line in lines]
    for place in range(1, len(lines)):
        if keyed[place] and keyed[place - 1] and lines[place][:1] == " " and not lines[place].lstrip().startswith("- "):
            yield from (place - 1, place)


def _changes(begun: Sequence[str]) -> Iterator[int]:
    """What a diff takes out and puts in."""
    whole = any(line.startswith(_DIFF) for line in begun)
    for place, line in enumerate(begun):
        if line[:1] not in "-+" or not line:
            continue
        other = _ADDED if line[0] == "-" else _REMOVED
        beside = [*begun[max(0, place - 1) : place], *begun[place + 1 : place + 2]]
        mine = (_REMOVED if line[0] == "-" else _ADDED).match(line)
        if whole or (mine and any(other.match(one) for one in beside)):
            yield place
