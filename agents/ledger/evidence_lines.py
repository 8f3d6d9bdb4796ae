"""Evidence as lines of text: what several items have in common, a folder, a tool, what was done, is said once.

Lines are short, so that what was done to a file stands near its name: where one would grow too long, another begins with the same words.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tailrace.schemas.records.ledger import Evidence, EvidenceKind

LINE_CHARS_MAX = 160
#: Between commands, which hold every other mark; one that holds this has a line of its own. Between paths and names a comma says it for less.
JOINTS = {EvidenceKind.RAN: " \u00b7 "}
COMMA = ", "

_WORDS = {
    EvidenceKind.CHANGED: "changed",
    EvidenceKind.DECISION: "decided",
    EvidenceKind.RAN: "ran",
    EvidenceKind.FIGURE: "found",
    EvidenceKind.ADDRESS: "address",
    EvidenceKind.READ: "read",
    EvidenceKind.IDENTIFIER: "named",
}
_ORDER = {kind: place for place, kind in enumerate(_WORDS)}
_SENTENCES = frozenset((EvidenceKind.DECISION, EvidenceKind.FIGURE))
#: A folder, or a tool, that others may share: braces behind it hold what is under it, as in a shell. Elsewhere paths stand whole.
_SHARED = re.compile(r"(?:[\w.@~+-]*/)+(?=[\w.@+-]+$)|\w+ (?=[\w-]+$)")


@dataclass(slots=True)
class EvidenceLines:
    """Lines in the making."""

    #: Items of each kind: what is their own, by what they share.
    _kinds: dict[EvidenceKind, dict[tuple[str, str], list[str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, evidence: Iterable[Evidence]) -> "EvidenceLines":
        """Lines of these items."""
        lines = cls()
        for item in evidence:
            lines.add(item)
        return lines

    def add(self, item: Evidence) -> None:
        """Take in one more item."""
        shared, own = _parts(item)
        self._kinds.setdefault(item.kind, {}).setdefault((shared, item.detail), []).append(own)

    def added_by(self, item: Evidence) -> str:
        """Return about the text that one more item adds."""
        shared, own = _parts(item)
        known = self._kinds.get(item.kind)
        if known is not None and shared and (shared, item.detail) in known:
            return f", {own}"
        opening = (
            f"\n- {_WORDS[item.kind]}: " if known is None or item.kind in _SENTENCES else JOINTS.get(item.kind, COMMA)
        )
        return opening + _told(shared + own, item.detail)

    def __iter__(self) -> Iterator[str]:
        """Yield the lines, kind by kind."""
        for kind in sorted(self._kinds, key=_ORDER.__getitem__):
            told = [
                _told(text, detail)
                for (shared, detail), owns in self._kinds[kind].items()
                for text in _together(shared, owns)
            ]
            chars_max = 0 if kind in _SENTENCES else LINE_CHARS_MAX
            joint = JOINTS.get(kind, COMMA)
            yield from (f"- {_WORDS[kind]}: {line}" for line in _filled(told, chars_max, joint))


def newest_first(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Evidence in the order in which it is shown: kind by kind, files that were changed before all else."""
    newest = [*evidence][::-1]
    # Sorting keeps the order of equals.
    return sorted(newest, key=lambda item: (_ORDER[item.kind], _names_no_file(item)))


def _names_no_file(item: Evidence) -> bool:
    return item.kind is EvidenceKind.CHANGED and " " in item.text


def _parts(item: Evidence) -> tuple[str, str]:
    """What an item may share with others, and what is its own."""
    match = _SHARED.match(item.text) if item.kind not in _SENTENCES else None
    shared = match[0] if match else ""
    return shared, item.text[len(shared) :]


def _told(text: str, detail: str) -> str:
    return f"{text} ({detail})" if detail else text


def _together(shared: str, owns: list[str]) -> Iterator[str]:
    """What shares its beginning with nothing else stands alone."""
    if not shared or len(owns) == 1:
        yield from (shared + own for own in owns)
    else:
        yield from (f"{shared}{{{names}}}" for names in _filled(owns, LINE_CHARS_MAX - len(shared), COMMA))


def _filled(texts: Iterable[str], chars_max: int, joint: str) -> Iterator[str]:
    """Texts joined to lines of about so many characters; none is joined that holds a joint of its own."""
    line, alone = "", False
    for text in texts:
        holds = joint is not COMMA and joint in text
        if line and (len(line) + len(text) > chars_max or alone or holds):
            yield line
            line = ""
        alone = holds
        line += f"{joint}{text}" if line else text
    if line:
        yield line
