"""Directives that a model points out because the rules of the ledger have not found them, and whether they may be noted.

A model chooses, it never words: a candidate counts only as a quotation of one message, in which a person or the system prompt speaks
and no tool does, and what is noted is the whole statement that the quotation stands in, as that message says it. What is quoted,
fenced or pasted there is somebody else's word, for a model as for the rules. What asks states nothing. And what the rules find
anyway needs nobody to point it out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tailrace.agents.ledger.book import spoken_text
from tailrace.agents.ledger.directives import ROLES
from tailrace.agents.ledger.statements import kind_of, typed_units
from tailrace.agents.summary.model.span_text import is_run_of_sentences, plain
from tailrace.schemas.records.ledger import Candidate
from tailrace.schemas.records.work import SpanMessage

#: Of one answer. A chunk in which the rules miss more than this is not theirs to read, and a model that names more is guessing.
CANDIDATES_MAX = 8
#: Of one thread, as long as the messages that state them are live.
HELD_MAX = 40
#: More than this of one answer are not even looked at.
_READ_MAX = 4 * CANDIDATES_MAX


@dataclass(frozen=True, slots=True)
class Heard:
    """What is left of the candidates of an answer."""

    #: Each with the whole statement as its quotation, once, in the order in which they were named.
    taken: tuple[Candidate, ...] = ()
    #: How many quote nobody who may bind, not word for word, or are too many.
    refused: int = 0


def hear(candidates: Sequence[Candidate], messages: Sequence[SpanMessage], most: int = CANDIDATES_MAX) -> Heard:
    """The candidates that may be noted, `most` at most. Judged on these messages and nothing else."""
    by_id = {one.id: one for one in messages}
    taken: dict[Candidate, None] = {}
    refused = max(0, len(candidates) - _READ_MAX)
    for candidate in candidates[:_READ_MAX]:
        one = by_id.get(candidate.event)
        statement = _statement(candidate.quote, one) if one is not None else ""
        if not statement:
            refused += 1
        elif kind_of(statement) is None:
            taken[Candidate(event=candidate.event, quote=statement)] = None
    return Heard(tuple(taken)[:most], refused + max(0, len(taken) - most))


#: A model may quote so many sentences at once.
_RUNS = range(2, 5)


def _statement(quote: str, one: SpanMessage) -> str:
    """The statement of a message that the quotation stands in, whole; empty where there is none that may bind."""
    message = one.message
    # Of words beside a tool's results the rules leave out what repeats these; a model might choose just that.
    if one.by_program or message.role not in ROLES or message.answered_ids:
        return ""
    wanted = plain(quote)
    units = [*typed_units(spoken_text(message))]
    for condition, unit in units:
        whole = f"{condition} {unit}" if condition else unit
        if not unit.endswith("?") and (is_run_of_sentences(wanted, unit) or wanted == plain(whole)):
            return whole
    runs = (
        " ".join(unit for _, unit in units[first : first + count]) for count in _RUNS for first in range(len(units))
    )
    return next((run for run in runs if wanted == plain(run) and not run.endswith("?")), "")
