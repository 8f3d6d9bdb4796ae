"""The text of an extracted summary: sections of bullets that a model reads well and `read` can parse again.

A summary may be summarised again together with what came after it. Because its bullets are read as they were written,
what they hold can survive any number of compactions.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from tailrace.agents.language.cues import holds_any


class Section(IntEnum):
    """Sections of a summary, in their order."""

    RULES = 0
    USER = 1
    CHANGES = 2
    ERRORS = 3
    FINDINGS = 4


HEADINGS = {
    Section.RULES: "Standing instructions:",
    Section.USER: "What the user asked for and demands:",
    Section.CHANGES: "What was changed:",
    Section.ERRORS: "Errors:",
    Section.FINDINGS: "What was said and found:",
}
_SECTIONS = {heading: section for section, heading in HEADINGS.items()}
#: Sections that quote people and the system prompt.
_QUOTING = (Section.RULES, Section.USER)
_OPENINGS = tuple(f"{heading}\n- " for heading in HEADINGS.values())
#: Between two pieces of one source that did not stand next to each other.
GAP = " … "
#: Before a quotation that would look like a label: it goes on where somebody else began.
_GOES_ON = GAP.lstrip()
#: Marks of lists before a quotation: it stands in a list already.
_LIST_MARKS = re.compile(r"(?:[-*•] +)+(?=\S)")
_BULLET = re.compile(r"- (?:\[([^\]]*)\](?: |$))?(.*)")
_TIMES = re.compile(r", (\d{1,9}) times$")
#: Behind what the label of an error says: it was done again, and did not fail.
_WORKED = ", worked later"


@dataclass(frozen=True, slots=True)
class Bullet:
    """What one source says: pieces of its text behind a label that names it; no label for people and the assistant."""

    section: Section
    label: str
    pieces: Sequence[str]
    #: How often what the label says was done.
    times: int = 1
    #: Whether what failed was done later.
    worked: bool = False


def label_text(label: str, times: int = 1, *, worked: bool = False) -> str:
    """Return the label as it stands before the pieces."""
    if not label:
        return ""
    often = f", {times} times" if times > 1 else ""
    return f"[{label}{often}{_WORKED if worked else ''}] "


def write(bullets: Iterable[Bullet]) -> str:
    """Return the text of a summary. The bullets of a section must follow each other."""
    lines: list[str] = []
    section = None
    for bullet in bullets:
        if bullet.section is not section:
            section = bullet.section
            lines.append(HEADINGS[section])
        label = label_text(bullet.label, bullet.times, worked=bullet.worked)
        quotation = GAP.join(bullet.pieces)
        if not label:
            quotation = (
                _LIST_MARKS.sub("", quotation, count=1) if quotation.startswith(("- ", "* ", "• ")) else quotation
            )
            label = _GOES_ON if quotation.startswith("[") else ""
        lines.append(f"- {label}{quotation}".rstrip())
    return "\n".join(lines)


def without_quotes(text: str, untold: Callable[[str], str]) -> str:
    """Return a summary with the quotations of people cut to what `untold` leaves of each piece.

    Quotations that it leaves nothing of go. Where nothing of the summary would be left, it is returned as it is.
    """
    kept: list[str] = []
    section, heading, left = None, "", False
    for line in text.split("\n"):
        bullet = _BULLET.fullmatch(line)
        if bullet is None:
            section, heading = _SECTIONS.get(line), line
            kept += [line] if section is None else []
            continue
        quotes = section in _QUOTING and not bullet[1]
        pieces = [*filter(None, map(untold, bullet[2].split(GAP)))] if quotes else [bullet[2]]
        if pieces:
            kept += [heading] if section is not None and heading else []
            kept.append(f"- {GAP.join(pieces)}" if quotes else line)
            heading, left = "", True
    return "\n".join(kept) if left else text


def holds_bullets(text: str) -> bool:
    """Tell whether the text is, or holds, a summary that `write` has written."""
    return holds_any(text, _OPENINGS)


def read(text: str) -> Iterator[Bullet]:
    """Yield the bullets of a summary. Whatever stands around its sections is not part of it."""
    section = None
    for line in text.split("\n"):
        bullet = _BULLET.fullmatch(line)
        if bullet is None:
            section = _SECTIONS.get(line)
        elif section is not None:
            label = (bullet[1] or "").removesuffix(_WORKED)
            worked = label != (bullet[1] or "")
            times = _TIMES.search(label)
            count = int(times[1]) if times else 1
            goes_on = not label and bullet[2].startswith(f"{_GOES_ON}[")
            quotation = bullet[2].removeprefix(_GOES_ON) if goes_on else bullet[2]
            yield Bullet(section, label[: times.start()] if times else label, quotation.split(GAP), count, worked)
