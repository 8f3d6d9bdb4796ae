"""The right way to count tokens for a model: exact where its vocabulary is public, scaled from that elsewhere.

Exact counts are tiktoken's, by counters that give the same number for every text (tests hold them against it):
gigatoken's where it is installed, which remembers words and is five to ten times as fast on conversations, else
bpe-openai's. The latter counts what is long in any case, because it takes no longer for one text than for another.
tiktoken itself panics on a million spaces and takes the process along, because its panic is no `Exception`
(tiktoken#15, tiktoken#400).
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from tailrace.agents.tokens.counts import TokenCounter
from tailrace.streams.models.long_runs import PERIOD_CHARS, RUN_CHARS_MIN, without_long_runs
from tailrace.streams.models.model_names import NAME_CHARS_MAX, spellings
from tailrace.streams.models.vocabulary import ENCODINGS, load_count
from tailrace.streams.models.word_caching_count import load_fast_count

#: For threads whose model is not known: the vocabulary of all of OpenAI's current models.
DEFAULT_ENCODING = "o200k_base"
#: More than any deployment talks to; names come from outside and must not fill the memory.
_MODELS_MAX = 256

#: One step counts the same long text up to eight times: whole, distilled, shortened, as part of an artifact.
_LONG_CHARS = 50_000
_LONG_TEXTS_MAX = 8

#: The chat format adds special tokens to a vocabulary, but ordinary text is cut the same way.
_SAME_TEXT = {"o200k_harmony": "o200k_base"}
#: Models of OpenAI that tiktoken's table doesn't name yet; all since gpt-4o share one vocabulary.
_NEW_OPENAI_MODEL = re.compile(r"(?:gpt-\d|chatgpt-|codex-|computer-use-|o\d+(?:-|$))")

#: Vocabularies that aren't public, by model family: tokens for one of `DEFAULT_ENCODING`.
#: Claude: what agents were billed for grew by 1.04 and 1.31 times our count in two families of 39 conversations, and by
#: 1.2 times in an earlier record. Newer ones may need more; a usage report says.
_FACTORS: tuple[tuple[str, float], ...] = (("claude", 1.35),)
#: All others: what an estimate by characters, which kept contexts within their windows, came to on the same
#: conversations.
_FACTOR: Final = 1.3


@dataclass(frozen=True, slots=True)
class ExactCounter:
    """Counts text exactly as tiktoken's encoding of the same name does."""

    encoding: str
    #: Any text, in a time that its length alone decides.
    count_steadily: Callable[[str], int]
    #: The same number; mostly, and in the mean, in less time.
    count_fast: Callable[[str], int]

    def count_text(self, text: str) -> int:
        """Return the number of tokens: linear in the length of the text, at 2 MB a second or more."""
        if len(text) > _LONG_CHARS:
            return _count_of_long(self, text)
        try:
            return self.count_fast(text)
        except (UnicodeEncodeError, TypeError):
            return self.count_fast(_without_half_pairs(text))

    def count_anew(self, text: str) -> int:
        """Count all of a text, whatever was counted before."""
        try:
            return self.count_steadily(text)
        except UnicodeEncodeError:
            return self.count_steadily(_without_half_pairs(text))


def _without_half_pairs(text: str) -> str:
    """Half a surrogate pair becomes the replacement character, in tiktoken too."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True, slots=True)
class ScaledCounter:
    """Counts text for a vocabulary that is not public, by one that is."""

    exact: ExactCounter
    factor: float

    @property
    def encoding(self) -> str:
        """Name of the way of counting."""
        return f"{self.exact.encoding} x {self.factor:g}"

    def count_text(self, text: str) -> int:
        """Return so many times the exact number, rounded up."""
        return math.ceil(self.exact.count_text(text) * self.factor)


@lru_cache(maxsize=_LONG_TEXTS_MAX)
def _count_of_long(counter: ExactCounter, text: str) -> int:
    shorter, periods = without_long_runs(text)
    return counter.count_anew(shorter) + sum(
        count * _period_tokens(counter, character) for character, count in periods.items()
    )


@cache
def _period_tokens(counter: ExactCounter, character: str) -> int:
    """Tokens of one more period in a long run of a character."""
    run = character * RUN_CHARS_MIN
    return counter.count_anew(run) - counter.count_anew(run[PERIOD_CHARS:])


def counter_for(model: str | None) -> TokenCounter:
    """Return the counter for a model name as producers send it; the default encoding for None.

    The first exact counter of a process takes a fifth of a second to load, and 70 MB: ask for it before the first
    event.
    """
    if model is None:
        return exact_counter(DEFAULT_ENCODING)
    # A name that long is none, and must not stay in the cache.
    return _counter_for(model if len(model) <= NAME_CHARS_MAX else "")


@lru_cache(maxsize=_MODELS_MAX)
def _counter_for(model: str) -> TokenCounter:
    names = [spelling.name for spelling in spellings(model)]
    for name in names:
        encoding = _encoding_of(name)
        if encoding in ENCODINGS:
            return exact_counter(encoding)
    factors = (factor for name in names for family, factor in _FACTORS if name.startswith(family))
    return ScaledCounter(exact_counter(DEFAULT_ENCODING), next(factors, _FACTOR))


@cache
def exact_counter(encoding: str) -> ExactCounter:
    """Return the counter of one of the encodings whose vocabulary we have. Raises `Unavailable` for any other."""
    count = load_count(encoding)
    return ExactCounter(encoding, count, load_fast_count(encoding) or count)


def _encoding_of(name: str) -> str:
    # Imported here to keep the command line quick: tiktoken brings `regex` and `requests` along.
    import tiktoken  # noqa: PLC0415

    try:
        encoding = tiktoken.encoding_name_for_model(name)
    except KeyError:
        encoding = DEFAULT_ENCODING if _NEW_OPENAI_MODEL.match(name) else ""
    return _SAME_TEXT.get(encoding, encoding)
