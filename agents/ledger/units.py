"""From what a person wrote to units that may each state something: a short line, otherwise a sentence.

So a condition stays with what it governs: behind a heading that says something of its items every one of them carries it, and a line
that goes on with an exception belongs to the one before.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from tailrace.agents.language.cues import holds_any
from tailrace.agents.ledger.dependent_sentences import LINE_CHARS_MAX, sentence_end, sentences
from tailrace.agents.ledger.foreign_text import own_lines
from tailrace.agents.ledger.form_words import HEADINGS, NEGATED
from tailrace.agents.ledger.headings import COLONS, Heading, asks_about, heading_of, is_title
from tailrace.agents.ledger.when_words import CONTINUING

STATEMENT_CHARS_MIN = 8
#: An item of a list of rules says something however short it is, unless it is a mere mark; and so does a negation with what it denies.
ITEM_CHARS_MIN = 2
DENIAL_CHARS_MIN = 6
STATEMENT_CHARS_MAX = 400
STATEMENT_BYTES_MIN = 15
#: An editor breaks lines that are as long as this, and a paragraph of its lines is not longer than that.
BROKEN_CHARS_MIN, PARAGRAPH_CHARS_MAX = 60, 2_000

#: More than this is not a person's list of rules; what is longer explains one.
ITEMS_MAX = 12
ITEM_CHARS_MAX = 60
ITEMS_AHEAD = ITEMS_MAX + 2

_BULLETS = "-*•\u2013‣◦▪·"
_MARKS = f" \t#>{_BULLETS}"
#: A box of a list of tasks.
_BOX = re.compile(r"^\[[ xX]\]\s+")
#: Words that are not apart are not apart from a number before them, either.
_NUMBERED = re.compile(
    r"^\(?(?:\d{1,2}[.)]|[a-z][.)]|[A-Z]\))\s+|^\d{1,2}\u3001\s*|^\d{1,2}[.)\uff0e](?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])"
)
#: The same before another number: behind an item this is the next of them, elsewhere a fraction.
_NUMBERED_NEXT = re.compile(r"^\d{1,2}[.)\uff0e](?=\d{1,2}[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])")
_WRITTEN = re.compile(r"\(?(\d{1,2})[.)\u3001\uff0e]")
#: The second character of an item with a number or a letter.
_BEHIND_FIRST = frozenset(".)\u30010123456789abcdefghijklmnopqrstuvwxyz")
#: A capital and a point may be somebody's initial; behind a heading they are none.
_LETTERED = re.compile(r"^[A-Z]\.\s+")
#: Items in the midst of a line, behind what they are listed under.
_INLINE_FIRST = (": 1. ", ": 1) ", ": (1) ")
#: A list in a line is not longer.
INLINE_CHARS_MAX = 1_000
#: The same behind a sentence, which is no heading; the next item tells that it is a list.
_INLINE_BEHIND = re.compile(r"(?<=[.!]) (?=\(?1([.)]) .+[.;,!] \(?2\1 )")
_INLINE_BETWEEN = " / "
#: Ends a title of one rule, which may have several sentences.
_ONE_RULE = " rule"
_INLINE_ITEM = re.compile(r"(?:^|\s)\(?\d{1,2}[.)]\s+")
#: What stands in code, and not in items.
_UNWORDED = frozenset("=;{}<>|\\$`")
#: What ends a line under which no list stands.
_ENDED = frozenset(".!;\u3002")
#: What ends a line that nothing continues.
_ENDS = (".", "!", "?", ":", ";", "\u3002")


class TextUnit(Struct, frozen=True):
    """What may state something: its text, what the headings above it say of it, and the list that it is an item of."""

    text: str
    condition: str = ""
    #: A heading above it forbids, demands, allows or excepts what is listed.
    bound: bool = False
    #: A heading above it says when what is listed is to be done.
    timed: bool = False
    #: Number of the list; 0 where it stands alone.
    listed: int = 0
    #: The list is called one of rules.
    ruled: bool = False
    #: What stands above or below it says that it doesn't hold.
    void: bool = False
    #: Number of the paragraph.
    paragraph: int = 0
    #: Which item of its list it is, by the number before it or else by its place; 0 where it stands in none.
    number: int = 0

    @property
    def whole(self) -> str:
        """The unit behind its condition."""
        return f"{self.condition} {self.text}" if self.condition else self.text


def units(text: str, *, typed: bool) -> Iterator[TextUnit]:
    """Yield all that a text could state, in its order."""
    place = _Place()
    lines = list(_joined(own_lines(text, typed=typed)))
    for at, line in enumerate(lines):
        bare = " ".join(line.strip(_MARKS).split())
        if bare.startswith("["):
            bare = _BOX.sub("", bare)
        if bare:
            yield from place.read(bare, line, lines[at + 1 : at + 1 + ITEMS_AHEAD] if bare[-1] not in _ENDED else ())
        elif not line:
            place.end_paragraph()


class _Level(Struct, frozen=True):
    """A heading, and how deep in the list that it is an item of it stands; -1 where it is none."""

    heading: Heading
    indent_chars: int


@dataclass(slots=True)
class _Place:
    """Where in a text a line stands: under which headings, in which of its lists."""

    levels: list[_Level] = field(default_factory=list)
    listing: bool = False
    #: Items since the last empty line: a list may have one behind each item.
    together: int = 0
    #: Lists so far.
    lists: int = 0
    #: Lines without a mark that are still items of a list.
    unmarked: int = 0
    #: Empty lines so far.
    paragraph: int = 0
    #: Items of the list so far, and how deep its first stands; what stands deeper belongs to the item above it.
    number: int = 0
    indent_chars: int = -1

    def end_paragraph(self) -> None:
        """An empty line: a heading may have one behind it, and so may every item; otherwise the list has ended."""
        if self.together > 1:
            self.levels.clear()
        self.listing, self.together = False, 0
        self.paragraph += 1

    def read(self, bare: str, line: str, following: Sequence[str]) -> Iterator[TextUnit]:
        """Yield what a line could state; a heading states nothing by itself."""
        begun = line.lstrip()
        if begun.startswith("#") and bare.split(None, 1)[0].lower() in HEADINGS and begun[1:2] == bare[0]:
            yield TextUnit(begun.rstrip(), ruled=True)
            return
        listed = self.unmarked > 0 or _is_listed(begun) or self._is_next(begun)
        indent_chars = len(line) - len(begun) if listed else -1
        self.unmarked = max(0, self.unmarked - 1)
        self._count(begun, indent_chars)
        if listed:
            bare = self._unnumbered(bare)
        while self.levels and (not listed or indent_chars <= self.levels[-1].indent_chars):
            self.levels.pop()
        if bare.endswith(COLONS):
            *stated, bare = sentence_end(bare).split(bare)
            for one in stated:
                yield from self._state(one, 0)
            self._open(bare, indent_chars, following)
            return
        if listed and not self.listing:
            self.lists += 1
        self.listing, self.together = listed, self.together + 1 if listed else 0
        if inline := self._in_line(bare, listed=listed):
            yield from inline
            return
        for one in [bare] if len(bare) <= LINE_CHARS_MAX and (listed or _is_one(bare)) else sentences(bare):
            yield from self._state(one, self.lists if listed else 0)
        if following and not listed and (bare[-1] == "?" or not bare.endswith(_ENDS)):
            self._open_unannounced(bare, following)

    def _in_line(self, bare: str, *, listed: bool) -> list[TextUnit]:
        """What a line states that holds a list, and what stands before it; nothing where it holds none."""
        ahead = bare[:INLINE_CHARS_MAX]
        behind = _INLINE_BEHIND.search(ahead) if not listed and " 1" in ahead else None
        headed = ": " in bare and (holds_any(bare, _INLINE_FIRST) or _is_ruled_line(bare))
        if behind is None and not headed:
            return []
        self.lists += 1
        if behind is None:
            return [*_inline(bare, self.lists)]
        before = [unit for one in sentences(bare[: behind.start()]) for unit in self._state(one, 0)]
        return [*before, *_listed(_INLINE_ITEM.split(bare[behind.end() :]), Heading(), self.lists)]

    def _count(self, begun: str, indent_chars: int) -> None:
        """Note which item a line is; no item of any list where it is not indented as one."""
        if indent_chars < 0 or not (self.listing or self.levels):
            self.number, self.indent_chars = 0, indent_chars
        if indent_chars >= 0 and indent_chars <= max(self.indent_chars, 0):
            written = _WRITTEN.match(begun)
            self.number = int(written[1]) if written else self.number + 1

    def _is_next(self, begun: str) -> bool:
        """Tell whether a line is an item where it stands, though it would be none elsewhere."""
        if self.levels and _LETTERED.match(begun):
            return True
        return self.listing and begun[:1].isdigit() and _NUMBERED_NEXT.match(begun) is not None

    def _unnumbered(self, item: str) -> str:
        item = _LETTERED.sub("", _NUMBERED.sub("", item, count=1), count=1)
        return _NUMBERED_NEXT.sub("", item, count=1) if self.listing else item

    def _open_unannounced(self, bare: str, following: Sequence[str]) -> None:
        """A heading without a colon, where a list stands under it."""
        listed = _is_listed(following[0].lstrip())
        if bare[-1] == "?":
            if listed and asks_about(bare):
                self.levels.append(_Level(Heading(asks=True), -1))
        elif listed:
            self._open(bare, -1, ())
        elif is_title(bare) and (unmarked := _unmarked(following)) > 1:
            self._open(bare, -1, ())
            self.unmarked = unmarked

    def _open(self, bare: str, indent_chars: int, following: Sequence[str]) -> None:
        heading = heading_of(bare)
        self.levels.append(_Level(heading, indent_chars))
        self.listing, self.together = False, 0
        # One line may go on with whatever it likes; two short ones under a heading of rules are a list.
        if (heading.binds and not heading.tells) or heading.ruled:
            unmarked = _unmarked(following)
            self.unmarked = unmarked if unmarked > 1 or (heading.binds and following[:1] and following[0]) else 0
        if heading.scoped and indent_chars < 0 and not self.unmarked:
            self.unmarked = next((at for at, one in enumerate(following) if not _is_unmarked_item(one)), len(following))

    def _state(self, one: str, listed: int) -> Iterator[TextUnit]:
        if not self.levels:
            if _is_long_enough(one, "") and len(one) <= STATEMENT_CHARS_MAX:
                yield TextUnit(one, listed=listed, paragraph=self.paragraph, number=self.number if listed else 0)
            return
        headings = [level.heading for level in self.levels]
        if headings[0].asks:
            return
        condition = " ".join(heading.carried for heading in headings if heading.carried)
        ruled = any(heading.ruled for heading in headings)
        enough = (listed and ruled and len(one) >= ITEM_CHARS_MIN) or _is_long_enough(one, condition)
        if enough and len(one) <= STATEMENT_CHARS_MAX:
            yield TextUnit(
                one,
                condition,
                bound=any(heading.binds for heading in headings),
                timed=any(heading.when for heading in headings),
                listed=listed,
                ruled=ruled,
                void=any(heading.void for heading in headings),
                paragraph=self.paragraph,
                number=self.number if listed else 0,
            )


def _unmarked(following: Sequence[str]) -> int:
    """How many of the lines behind a heading are items of a list without marks: all of a paragraph of short lines, or none."""
    lines = following[1:] if following and not following[0].strip() else following
    count = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    items = lines[:count]
    return count if count <= ITEMS_MAX and all(_is_unmarked_item(line) for line in items) else 0


def _is_unmarked_item(line: str) -> bool:
    return (
        len(line) <= ITEM_CHARS_MAX
        and line[:1].isalpha()
        and not line.endswith(("?", *COLONS))
        and _UNWORDED.isdisjoint(line)
        and not _is_listed(line)
    )


def _is_long_enough(one: str, condition: str) -> bool:
    """Where words are written with few characters, these are long in bytes."""
    if len(one) + len(condition) >= STATEMENT_CHARS_MIN:
        return True
    if len(one) >= DENIAL_CHARS_MIN and one.split(" ", 1)[0].lower() in NEGATED:
        return True
    return not one.isascii() and len(one.encode()) >= STATEMENT_BYTES_MIN


def _is_listed(begun: str) -> bool:
    if begun[:1] in _BULLETS:
        return begun[:2] != "**"
    return begun[1:2] in _BEHIND_FIRST and _NUMBERED.match(begun) is not None


def _first(line: str) -> str:
    return line.split(None, 1)[0].rstrip(",:").lower()


def _joined(lines: Iterator[str]) -> Iterator[str]:
    """The lines, each with those that go on with it: with an exception, or because an editor broke it."""
    before: str | None = None
    for line in lines:
        if before and not before.endswith(_ENDS) and line.strip() and _goes_on(before, line):
            before = f"{before} {line.strip()}"
            continue
        if before is not None:
            yield before
        before = line.rstrip() if line.strip() else line
    if before is not None:
        yield before


def _goes_on(before: str, line: str) -> bool:
    """Tell whether a line goes on with the one before it."""
    if len(before) <= LINE_CHARS_MAX and _first(line) in CONTINUING:
        return True
    return BROKEN_CHARS_MIN < len(before) <= PARAGRAPH_CHARS_MAX and line.lstrip()[0].islower()


def _headed(line: str) -> tuple[str, str]:
    """What a line begins with up to a colon in its first sentence, and what stands behind it; nothing where it has no such beginning."""
    head, colon, rest = line.partition(": ")
    return (head, rest) if colon and sentence_end(head).search(head) is None else ("", line)


def _is_ruled_line(line: str) -> bool:
    """Tell whether a line is a title of several rules, and these."""
    head, rest = _headed(line)
    if not head or not is_title(head) or head.lower().endswith(_ONE_RULE):
        return False
    return _INLINE_BETWEEN in rest or sentence_end(rest).search(rest) is not None


def _is_one(line: str) -> bool:
    """Tell whether a line is one sentence, or begins with what all of it is about: without that its other sentences would be about something else."""
    if sentence_end(line).search(line) is None:
        return True
    head, _ = _headed(line)
    return bool(head) and (head.isupper() or bool(heading_of(head).carried))


def _inline(line: str, number: int) -> Iterator[TextUnit]:
    """The items of a list that stands in one line, each behind its heading."""
    if not holds_any(line, _INLINE_FIRST):
        head, rest = _headed(line)
        items = rest.split(_INLINE_BETWEEN) if _INLINE_BETWEEN in rest else sentences(rest)
        yield from _listed(items, heading_of(f"{head}:"), number)
        return
    head, *items = _INLINE_ITEM.split(line)
    yield from _listed(items, heading_of(head.strip()), number)


def _listed(items: Sequence[str], heading: Heading, number: int) -> Iterator[TextUnit]:
    """Items of a list as units, numbered by their places."""
    for place, item in enumerate(filter(None, (item.strip(" ,;") for item in items)), 1):
        yield TextUnit(
            item,
            heading.carried,
            heading.binds,
            heading.when,
            listed=number,
            ruled=heading.ruled,
            void=heading.void,
            number=place,
        )
