"""Whether a claim can come from a span: its numbers, paths and quotations stand in the events that it cites, and most of its words do."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tailrace.agents.language.claim_words import EFFECTS, OPEN_WORDS, Does
from tailrace.agents.language.rule_words import forbids
from tailrace.agents.summary.model.span_text import EventText, SpanText, plain
from tailrace.agents.summary.verify.antonyms import ANTONYMS
from tailrace.agents.summary.verify.cited_sentences import Spoken
from tailrace.agents.summary.verify.claim_tokens import (
    UNSPACED_FROM,
    Token,
    key_of,
    keys_of,
    number_of,
    pairs_of,
    tokens_of,
)
from tailrace.agents.summary.verify.unauthorised_permission import gives_leave, goes_beyond, limits

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_DIGITS = re.compile(r"\d+")
#: Separators of thousands, not decimal points.
_THOUSANDS = re.compile(r"(?<=\d)[,.\u2019'](?=\d{3}(?:\D|$))")
_PATH = re.compile(
    r"https?://[^\s\"'<>)\]]+|(?<![\w@.+%-])(?:[A-Za-z]:\\|~?/|\.{1,2}/)?[\w@.+%-]+(?:[/\\][\w@.+%-]+)+/?|(?<![\w/])/[\w@.+-]+"
)
_FILE = re.compile(r"(?<![\w./\\@+-])[\w@+-]{2,}(?:\.[\w-]+)*\.[A-Za-z]\w{0,7}(?![\w.])")
#: Marks between which a text says that somebody's words stand.
_QUOTED = re.compile('"([^"]{2,})"|\u201c([^\u201c\u201d]{2,})\u201d|«([^«»]{2,})»|「([^「」]{2,})」|`([^`]{2,})`')
_PAIR = ("2",)
_OPEN = frozenset(map(key_of, OPEN_WORDS))
#: What a decision is told with, whatever words it was made in.
_CHOSEN = frozenset(key_of(word) for word, ends in ANTONYMS.items() if any(scale == "choice" for scale, _ in ends))
_LETTERS = re.compile(r"[^\W\d_]{4,}")
_MIXED = re.compile("[A-Za-z][\u0370-\u052f]|[\u0370-\u052f][A-Za-z]")
_WORD = re.compile(r"[^\W\d_]+")
_ASKS = ("?", "\uff1f")
#: Share of a claim's words that its span must hold. Paraphrases of the same thing share more, inventions less.
WORDS_SHARE_MIN = 0.5
#: And where it says what is going to be done.
INTENT_SHARE_MIN = 0.6
#: Share of a claim's words that it has in common with a prohibition that it might go against.
FORBIDDEN_SHARE_MIN = 0.6


@dataclass(frozen=True)
class CitedEvent:
    """An event, with what is looked up in it for each claim that cites it."""

    said: EventText

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Numbers in all ways to write them."""
        text = self.said.whole
        found = {*_NUMBER.findall(text), *_DIGITS.findall(text)}
        return frozenset(found.union(map(number_of, found)))

    @cached_property
    def counted(self) -> frozenset[str]:
        """Numbers that are written out."""
        return frozenset(number for number, _ in _counted(self.said.whole))

    @cached_property
    def whole(self) -> str:
        """All of it, backslashes of JSON taken away."""
        return self.said.whole.replace("\\\\", "\\")

    @cached_property
    def stems(self) -> frozenset[str]:
        """What its words share with other forms of them."""
        return frozenset(_content(self.said.whole))

    @cached_property
    def spoken(self) -> Spoken:
        """Its sentences."""
        return Spoken(self.said)


@dataclass(frozen=True)
class Ground:
    """What a span holds, looked up for each claim about it."""

    span: SpanText

    @cached_property
    def _events(self) -> dict[str, CitedEvent]:
        return {one.id: CitedEvent(one) for one in self.span.events}

    @cached_property
    def _by_call(self) -> dict[str, list[str]]:
        ends: dict[str, list[str]] = {}
        for one in self.span.events:
            for call in one.calls:
                ends.setdefault(call, []).append(one.id)
        return ends

    @property
    def all(self) -> tuple[CitedEvent, ...]:
        """All events."""
        return tuple(self._events.values())

    def cited(self, ids: Iterable[str]) -> tuple[CitedEvent, ...]:
        """The events of these ids. A call and what it gave say one thing together: whoever cites one cites both."""
        found: dict[str, None] = {}
        for one in ids:
            if event := self._events.get(one):
                found[one] = None
                for call in event.said.calls:
                    found.update(dict.fromkeys(self._by_call[call]))
        return tuple(map(self._events.__getitem__, found))

    def is_forbidden(self, text: str) -> bool:
        """Tell whether the text speaks of what a user or the system forbids, in the same words."""
        stems = _content(text)
        return any(len(stems & of) >= max(2, FORBIDDEN_SHARE_MIN * len(stems)) for of in self._prohibitions)

    def is_left_free(self, text: str) -> bool:
        """Tell whether the text gives leave for what a user or the system forbids or limits."""
        return gives_leave(text) and any(goes_beyond(text, limit) for limit in self._limits)

    @cached_property
    def _limits(self) -> tuple[str, ...]:
        said = (sentence for one in self.span.events if one.is_owner for sentence in one.sentences)
        return tuple(sentence for sentence in said if limits(sentence) and not sentence.endswith(_ASKS))

    @cached_property
    def _prohibitions(self) -> tuple[set[str], ...]:
        return tuple(_content(sentence) for sentence in self._limits if forbids(sentence))


def says_nothing(text: str) -> bool:
    """Tell whether a text names nothing and tells of no outcome: it has no word but those that others need."""
    return not keys_of(text) and not any(
        token.effect is not None and token.effect.does is Does.WEIGHS for token in tokens_of(text)
    )


def lacks_number(text: str, events: Sequence[CitedEvent]) -> bool:
    """Tell whether the text holds a number that these events don't."""
    numbers = (number.rstrip(".,:") for number in _NUMBER.findall(text))
    if any(
        not any(number in event.numbers or number_of(number) in event.numbers for event in events) for number in numbers
    ):
        return True
    # Twenty-five is neither twenty nor five; and two is what everybody counts who speaks of two things.
    alone = (number for number, is_alone in _counted(text) if is_alone and number not in _PAIR)
    return any(not any(number in event.numbers or number in event.counted for event in events) for number in alone)


def _counted(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the numbers of a text that are written out, and whether no other number stands beside each."""
    found = [""] + [_written_out(token) for token in tokens_of(text)] + [""]
    for before, number, behind in zip(found, found[1:], found[2:], strict=False):
        if number:
            yield number, not (before or behind)


def _written_out(token: Token) -> str:
    return token.effect.of if token.effect is not None and token.effect.does is Does.COUNTS else ""


def lacks_path(text: str, events: Sequence[CitedEvent]) -> bool:
    """Tell whether the text holds a path, a file or an address that these events don't."""
    return any(not any(path in event.whole for event in events) for path in _paths(text))


def lacks_words(text: str, events: Sequence[CitedEvent], *, quotes: int = 0, is_intent: bool = False) -> bool:
    """Tell whether most of what the text says is nowhere in these events; so many quotations are known to be there."""
    stems = _content(text) - _OPEN
    if is_intent and not quotes:
        # A number of something that was spoken of makes no plan of what nobody spoke of.
        stems -= _CHOSEN
        return sum(any(stem in event.stems for event in events) for stem in stems) < INTENT_SHARE_MIN * len(stems)
    # Numbers and paths were looked up before: what is made, changed or counted is often said with a word of one's own.
    anchors = quotes + len(_paths(text)) + len(_NUMBER.findall(text))
    found = sum(any(stem in event.stems for event in events) for stem in stems)
    return found + anchors < WORDS_SHARE_MIN * (len(stems) + anchors)


def mixes_letters(text: str, events: Sequence[CitedEvent]) -> bool:
    """Tell whether a word has letters of two scripts that look alike, unless these events write it so."""
    if text.isascii():
        return False
    mixed = [word[0] for word in _LETTERS.finditer(text) if _MIXED.search(word[0])]
    return any(not any(word in event.said.whole for event in events) for word in mixed)


def quoted_parts(text: str) -> list[str]:
    """What stands between quotation marks in the text."""
    return [next(filter(None, groups)) for groups in _QUOTED.findall(text)]


def without_quotes(text: str) -> str:
    """The text without what stands between quotation marks."""
    return plain(_QUOTED.sub(" ", text))


def _paths(text: str) -> list[str]:
    found = [path.rstrip(".,:;") for path in _PATH.findall(text)]
    # `read/write` and `and/or` are words; a path has something that words have not.
    paths = [path for path in found if path.startswith(("/", ".", "~", "http")) or re.search(r"[._\d\\]|/.*/", path)]
    rest = _PATH.sub(" ", text)
    return paths + [file.rstrip(".,:;") for file in _FILE.findall(rest)]


def _content(text: str) -> set[str]:
    """Stems of the words of a text that say something by themselves; identifiers as their parts."""
    found: set[str] = set()
    for word in set(_WORD.findall(text.lower())):
        if word[0] >= UNSPACED_FROM:
            found.update(pairs_of(word))
        elif word not in EFFECTS and len(word) > 1:
            found.add(key_of(word))
    return found
