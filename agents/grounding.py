"""Whether a claim can come from a span: its numbers, paths and quotations stand there, and most of its words do."""

import re
from dataclasses import dataclass
from functools import cached_property

from tailrace.agents.rule_words import forbids
from tailrace.agents.span_text import SpanText, plain

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_DIGITS = re.compile(r"\d+")
#: Separators of thousands, not decimal points.
_THOUSANDS = re.compile(r"(?<=\d)[,.\u2019'](?=\d{3}(?:\D|$))")
_PATH = re.compile(
    r"https?://[^\s\"'<>)\]]+|(?:[A-Za-z]:\\|~?/|\.{1,2}/)?[\w@.+%-]+(?:[/\\][\w@.+%-]+)+/?|(?<![\w/])/[\w@.+-]+"
)
_FILE = re.compile(r"(?<![\w./\\@-])[\w@+-]{2,}(?:\.[\w-]+)*\.[A-Za-z]\w{0,7}(?![\w.])")
#: Marks between which a text says that somebody's words stand.
_QUOTED = re.compile('"([^"]{2,})"|\u201c([^\u201d]{2,})\u201d|«([^»]{2,})»|「([^」]{2,})」|`([^`]{2,})`')
_WORD = re.compile(r"[^\W\d_]+")
_WORD_CHARS_MIN = 4
#: Endings change from sentence to sentence; the beginning of a word doesn't.
_STEM_CHARS = 5
#: Share of a claim's words that its span must hold. Paraphrases of the same thing share more, inventions less.
WORDS_SHARE_MIN = 0.5
#: Share of a claim's words that it has in common with a prohibition that it might go against.
FORBIDDEN_SHARE_MIN = 0.6


@dataclass(frozen=True)
class Ground:
    """What a span holds, looked up for each claim about it."""

    span: SpanText

    @cached_property
    def _numbers(self) -> frozenset[str]:
        text = self.span.whole
        found = {*_NUMBER.findall(text), *_DIGITS.findall(text)}
        return frozenset(found | {_THOUSANDS.sub("", number) for number in found})

    @cached_property
    def _whole(self) -> str:
        return self.span.whole.replace("\\\\", "\\")

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(_stems(self.span.whole))

    def lacks_number(self, text: str) -> bool:
        """Tell whether the text holds a number that the span doesn't."""
        numbers = (number.rstrip(".,:") for number in _NUMBER.findall(text))
        return any(
            number not in self._numbers and _THOUSANDS.sub("", number) not in self._numbers for number in numbers
        )

    def lacks_path(self, text: str) -> bool:
        """Tell whether the text holds a path, a file or an address that the span doesn't."""
        return any(path not in self._whole for path in _paths(text))

    def lacks_words(self, text: str, *, quotes: int = 0) -> bool:
        """Tell whether most of what the text says is nowhere in the span; so many quotations are known to be there."""
        stems = _stems(text)
        # Numbers and paths were looked up before: what is made, changed or counted is often said with a word of one's own.
        anchors = quotes + len(_paths(text)) + len(_NUMBER.findall(text))
        found = sum(stem in self._stems for stem in stems)
        return found + anchors < WORDS_SHARE_MIN * (len(stems) + anchors)

    def is_forbidden(self, text: str) -> bool:
        """Tell whether the text speaks of what a user or the system forbids, in the same words."""
        stems = _stems(text)
        return any(len(stems & of) >= max(2, FORBIDDEN_SHARE_MIN * len(stems)) for of in self._prohibitions)

    @cached_property
    def _prohibitions(self) -> tuple[set[str], ...]:
        said = (sentence for one in self.span.said if one.is_owner for sentence in one.sentences)
        return tuple(_stems(sentence) for sentence in said if forbids(sentence))


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


def _stems(text: str) -> set[str]:
    stems: set[str] = set()
    for word in set(_WORD.findall(text.lower())):
        if word.isascii() or word[0] < "\u0e00":
            if len(word) >= _WORD_CHARS_MIN:
                stems.add(word[:_STEM_CHARS])
        else:
            # No space tells where a word ends in most of these scripts: pairs of letters stand for words.
            stems.update(word[place : place + 2] for place in range(len(word) - 1))
    return stems
