"""The right way to count tokens for a model: exact where its vocabulary is public, an estimate elsewhere.

Exact counts are tiktoken's, made by bpe-openai's counter: the same number for every text (tests hold the two against
each other), twice as fast on conversations, and linear on any text. tiktoken itself panics on a million spaces and
takes the process along, because its panic is no `Exception` (tiktoken#15, tiktoken#400).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from tailrace.agents.tokens.counts import TokenCounter
from tailrace.agents.tokens.estimate import SAFETY_MARGIN, EstimatingCounter
from tailrace.streams.models.long_runs import PERIOD_CHARS, RUN_CHARS_MIN, without_long_runs
from tailrace.streams.models.model_names import NAME_CHARS_MAX, spellings
from tailrace.streams.models.vocabulary import ENCODINGS, load_count

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

#: Margins of the estimate by model family, where more than the general one is known.
#: Claude: recorded usage of an agent was 1.2 times o200k_base; newer ones may need more: a usage report says.
#: The prices of the estimate are a fifth above o200k_base on conversations already.
_MARGINS: tuple[tuple[str, float], ...] = (("claude", 1.2),)


@dataclass(frozen=True, slots=True)
class ExactCounter:
    """Counts text exactly as tiktoken's encoding of the same name does."""

    encoding: str
    count_unicode: Callable[[str], int]

    def count_text(self, text: str) -> int:
        """Return the number of tokens: linear in the length of the text, at 2 MB a second or more."""
        if len(text) > _LONG_CHARS:
            return _count_of_long(self, text)
        return self.count_anew(text)

    def count_anew(self, text: str) -> int:
        """Count all of a text, whatever was counted before."""
        try:
            return self.count_unicode(text)
        except UnicodeEncodeError:
            # Half a surrogate pair becomes the replacement character, in tiktoken too.
            return self.count_unicode(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


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
    return _counter_for(model) if len(model) <= NAME_CHARS_MAX else EstimatingCounter()


@lru_cache(maxsize=_MODELS_MAX)
def _counter_for(model: str) -> TokenCounter:
    names = [spelling.name for spelling in spellings(model)]
    for name in names:
        encoding = _encoding_of(name)
        if encoding in ENCODINGS:
            return exact_counter(encoding)
    margins = (margin for name in names for family, margin in _MARGINS if name.startswith(family))
    return EstimatingCounter(next(margins, SAFETY_MARGIN))


@cache
def exact_counter(encoding: str) -> ExactCounter:
    """Return the counter of one of the encodings whose vocabulary we have. Raises `Unavailable` for any other."""
    return ExactCounter(encoding, load_count(encoding))


def _encoding_of(name: str) -> str:
    # Imported here to keep the command line quick: tiktoken brings `regex` and `requests` along.
    import tiktoken  # noqa: PLC0415

    try:
        encoding = tiktoken.encoding_name_for_model(name)
    except KeyError:
        encoding = DEFAULT_ENCODING if _NEW_OPENAI_MODEL.match(name) else ""
    return _SAME_TEXT.get(encoding, encoding)
