"""Whether words are a quotation: whole sentences that somebody speaks in a message, in their own words.

A model chooses, it never words. What is quoted, fenced or pasted in a message is somebody else's word, for a model as
for the reader of sentences, and what tools give or programs write is nobody's. Half a sentence stands for the whole
one, because the end of "never delete the logs" says the opposite.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from tailrace.agents.ledger.book import spoken_text
from tailrace.agents.ledger.directives import ROLES
from tailrace.agents.ledger.statements import typed_units
from tailrace.agents.summary.model.span_text import plain
from tailrace.schemas.records.work import SpanMessage

_ASSISTANT: Final = "assistant"
#: So many sentences that follow each other can be quoted at once.
_RUN_MAX: Final = 4


def speaker_of(message: SpanMessage) -> str:
    """Return the role of whoever speaks in a message; empty where nobody does."""
    role = message.message.role
    # Words beside a tool's results may only repeat them.
    speaks = not message.by_program and not message.message.answered_ids and (role in ROLES or role == _ASSISTANT)
    return role if speaks else ""


def may_bind(message: SpanMessage) -> bool:
    """Tell whether a user or the system prompt speaks: nobody else makes rules."""
    return speaker_of(message) in ROLES


def quoted_sentences(quote: str, message: SpanMessage) -> str:
    """Return the whole sentences that a quotation stands in, as the message says them; empty where it doesn't."""
    wanted = plain(quote)
    if not wanted or not speaker_of(message):
        return ""
    return next((run for run, plain_run in _runs(spoken_text(message.message)) if wanted in plain_run), "")


@lru_cache(maxsize=256)
def _runs(text: str) -> tuple[tuple[str, str], ...]:
    """Runs of sentences, the shortest first, as the text has them and as they are compared."""
    return tuple((run, plain(run)) for run in _all_runs(text))


def _all_runs(text: str) -> Iterator[str]:
    units = [*typed_units(text)]
    yield from (f"{heading} {unit}" if heading else unit for heading, unit in units)
    for count in range(2, _RUN_MAX + 1):
        for first in range(len(units) - count + 1):
            yield " ".join(unit for _, unit in units[first : first + count])
