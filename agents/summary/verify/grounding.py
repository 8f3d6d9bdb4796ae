"""Whether a fact in a model's own words rests on the events that it cites.

Its numbers with their units, its names and paths stand there, and so do most of its words. All of it is looked up by
form, in any language. What a sentence means is not judged: whoever reads it is told that it is a model's.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from tailrace.agents.summary.model.span_text import EventText, SpanText, plain
from tailrace.schemas.records.summary import SummaryClaim

#: One that is longer is no fact.
CHARS_MAX: Final = 1_000
#: Share of a fact's words that must stand in what it cites. Who tells the same thing in other words shares more.
_THERE_MIN: Final = 0.6
#: Shorter words are in every text.
_WORD_CHARS_MIN: Final = 4
#: So many letters of a word may be its ending.
_ENDING_CHARS: Final = 3
_STEM_CHARS_MIN: Final = 3
#: From this share of capitals within sentences on, as in German, they tell no names.
_CAPITALS_MAX: Final = 0.2

_PATH: Final = re.compile(
    r"https?://[^\s\"'<>)\]]+|(?<![\w@.+%-])(?:[A-Za-z]:\\|~?/|\.{1,2}/)?[\w@.+%-]+(?:[/\\][\w@.+%-]+)+/?|(?<![\w/])/[\w@.+-]+"
)
_FILE: Final = re.compile(r"(?<![\w./\\@+-])[\w@+-]{2,}(?:\.[\w-]+)*\.[A-Za-z]\w{0,7}(?![\w.])")
_NUMBER: Final = re.compile(
    r"(?P<sign>[$€£¥])? ?(?<![\w.])(?P<number>\d+(?:[.,:]\d+)*) ?"
    r"(?:(?P<mark>%|°[CF]?|[$€£¥])|(?P<unit>[^\W\d_]+))?"
)
#: Separators of thousands, not decimal points.
_THOUSANDS: Final = re.compile(r"(?<=\d)[,.](?=\d{3}(?:\D|$))")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
#: Words with digits, joints or capitals inside are names in any language.
_CODE_NAME: Final = re.compile(r"\b(?=\w*[^\W\d_])\w*(?:\d|_|[^\W\d_A-Z][A-Z])\w*\b|\b[A-Z]{2,}\b")
_CAPITAL: Final = re.compile(r"(?:(?<=[^\W_] )|(?<=[^\W_], ))[A-Z\u00c0-\u00de\u0391-\u03a9\u0410-\u042f][^\W\d_]+")
_LETTERS: Final = re.compile(r"[^\W\d_]{4,}")
_MIXED: Final = re.compile("[A-Za-z][\u0370-\u052f]|[\u0370-\u052f][A-Za-z]")
#: Scripts without spaces: two characters are as good as a word.
_UNSPACED: Final = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]{2,}")


class _Amount(NamedTuple):
    """A number as it is compared, with the mark or the letters that stand at it, and the word behind it."""

    number: str
    mark: str
    unit: str


@dataclass(frozen=True)
class _Cited:
    """The events that a fact cites, with what is looked up in them."""

    events: Sequence[EventText]

    @cached_property
    def whole(self) -> str:
        # Arguments of calls are JSON: a backslash of a path has another before it.
        return "\n".join(event.whole for event in self.events).replace("\\\\", "\\")

    @cached_property
    def folded(self) -> str:
        return self.whole.casefold()

    @cached_property
    def amounts(self) -> dict[str, list[_Amount]]:
        by_number: dict[str, list[_Amount]] = {}
        for amount in _amounts(self.whole):
            by_number.setdefault(amount.number, []).append(amount)
        return by_number

    def holds_word(self, word: str) -> bool:
        """Tell whether a word stands there, in this or another form."""
        folded = word.casefold()
        return folded[: max(_STEM_CHARS_MIN, len(folded) - _ENDING_CHARS)] in self.folded


@dataclass(frozen=True)
class Ground:
    """What a span holds, looked up for each fact about it."""

    span: SpanText

    @cached_property
    def _by_call(self) -> dict[str, list[str]]:
        ends: dict[str, list[str]] = {}
        for event in self.span.events:
            for call in event.calls:
                ends.setdefault(call, []).append(event.id)
        return ends

    @cached_property
    def _whole(self) -> _Cited:
        return _Cited(self.span.events)

    @cached_property
    def _capitals_name(self) -> bool:
        """Whether capitals within sentences tell names here."""
        words = sum(1 for _ in _WORD.finditer(self.span.talk))
        return sum(1 for _ in _CAPITAL.finditer(self.span.talk)) <= _CAPITALS_MAX * words

    def fault_of(self, fact: SummaryClaim) -> str | None:
        """Return what is wrong with a fact, None if nothing is. Never holds text of the conversation."""
        text = fact.text
        if not any(map(str.isalnum, text)):
            return "says nothing"
        if len(text) > CHARS_MAX:
            return f"has more than {CHARS_MAX} characters; a fact says one thing"
        if not fact.events or any(event not in self.span.by_id for event in fact.events):
            return "cites an event that is not in the span" if fact.events else "cites no event"
        cited = self._cited(fact.events)
        checks = (
            (_mixes_letters(text, cited), "has a word of letters that look like those of another script"),
            (_lacks_path(text, cited), "holds a path or an address that is not in the events that it cites"),
            (
                self._lacks_amount(text, cited),
                "holds a number that the events that it cites don't, or not with that unit",
            ),
            (self._lacks_name(text, cited), "holds a name that is not in the events that it cites"),
            (_lacks_words(text, cited), "says what the events that it cites do not: most of its words are not there"),
        )
        return next((reason for wrong, reason in checks if wrong), None)

    def _cited(self, ids: Iterable[str]) -> _Cited:
        """The events of these ids. A call and what it gave say one thing together: whoever cites one cites both."""
        cited: dict[str, None] = {}
        for event_id in ids:
            cited[event_id] = None
            for call in self.span.by_id[event_id].calls:
                cited.update(dict.fromkeys(self._by_call[call]))
        return _Cited([self.span.by_id[event_id] for event_id in cited])

    def _lacks_amount(self, text: str, cited: _Cited) -> bool:
        return not all(
            any(amount.mark == other.mark for other in cited.amounts.get(amount.number, []))
            # The word behind a number may be its unit. What nobody in the span has is none of theirs.
            and (not amount.unit or self._whole.holds_word(amount.unit))
            for amount in _amounts(text)
        )

    def _lacks_name(self, text: str, cited: _Cited) -> bool:
        names = [match[0] for match in _CODE_NAME.finditer(text)]
        if any(name.casefold() not in cited.folded for name in names):
            return True
        return self._capitals_name and any(not cited.holds_word(match[0]) for match in _CAPITAL.finditer(text))


def _lacks_path(text: str, cited: _Cited) -> bool:
    return any(path not in cited.whole for path in _paths(text))


def _amounts(text: str) -> Iterator[_Amount]:
    for match in _NUMBER.finditer(plain(text)):
        unit = match["unit"] or ""
        is_at_it = match.end("number") == match.start("unit")
        mark = match["sign"] or match["mark"] or (unit if is_at_it else "")
        yield _Amount(_canonical(match["number"]), mark.casefold(), "" if is_at_it else unit)


def _canonical(number: str) -> str:
    return _THOUSANDS.sub("", number).replace(",", ".")


def _lacks_words(text: str, cited: _Cited) -> bool:
    """Tell whether most of what a text says is nowhere in what it cites."""
    words = [word for word in _WORD.findall(text) if len(word) >= _WORD_CHARS_MIN and not _UNSPACED.search(word)]
    pairs = [run[at : at + 2] for run in _UNSPACED.findall(text) for at in range(len(run) - 1)]
    there = sum(map(cited.holds_word, words)) + sum(pair in cited.whole for pair in pairs)
    # Numbers and paths were looked up before: what is counted or changed is often told with a word of one's own.
    anchors = len(_paths(text)) + sum(1 for _ in _amounts(text))
    return there + anchors < _THERE_MIN * (len(words) + len(pairs) + anchors)


def _mixes_letters(text: str, cited: _Cited) -> bool:
    """Tell whether a word has letters of two scripts that look alike, unless the events write it so."""
    if text.isascii():
        return False
    mixed = [word[0] for word in _LETTERS.finditer(text) if _MIXED.search(word[0])]
    return any(word not in cited.whole for word in mixed)


def _paths(text: str) -> list[str]:
    candidates = [path.rstrip(".,:;") for path in _PATH.findall(text)]
    # `read/write` and `and/or` are words; a path has something that words have not.
    paths = [
        path for path in candidates if path.startswith(("/", ".", "~", "http")) or re.search(r"[._\d\\]|/.*/", path)
    ]
    return paths + [file.rstrip(".,:;") for file in _FILE.findall(_PATH.sub(" ", text))]
