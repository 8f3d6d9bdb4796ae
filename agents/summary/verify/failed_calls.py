"""Calls that came to nothing: what a tool was told to do and says that it did not do was not done."""

from collections.abc import Sequence

from tailrace.agents.language.claim_words import OUTCOME
from tailrace.agents.language.cues import tool_looks
from tailrace.agents.messages.exit_codes import exit_code_of
from tailrace.agents.messages.outcome import failed
from tailrace.agents.summary.verify.cited_sentences import Near, Spoken
from tailrace.agents.summary.verify.clause_reader import sentence_of
from tailrace.agents.summary.verify.clauses import SENTENCE_CHARS_MAX
from tailrace.agents.summary.verify.statement import NEAR_MIN, Told
from tailrace.agents.summary.verify.verb_forms import verb_forms

_FAILED, _WENT_WELL = {-1}, {1}


def called_in_vain(cited: Sequence[Spoken]) -> frozenset[str]:
    """Words of the calls among these events that failed, without those of the calls that did not."""
    ends = {call: spoken for spoken in cited if not spoken.said.called for call in spoken.said.calls}
    vain: set[str] = set()
    done: set[str] = set()
    for spoken in cited:
        name = spoken.said.called.partition(" ")[0]
        results = [ends[call] for call in spoken.said.calls if call in ends]
        if name and results and not tool_looks(name.partition("_")[0]):
            (vain if all(map(_has_failed, results)) else done).update(spoken.called, (name.lower(),))
    return frozenset(vain - done)


def is_done_in_vain(told: Told, near: Sequence[Near]) -> bool:
    """Whether a claim tells as done what was called and failed, and nobody says that it was done after all."""
    clause = told.clause
    done = told.done & told.vain
    if clause.signs.get(OUTCOME) == _WENT_WELL:
        done |= clause.values.keys() & told.vain
    if not done or clause.mood or clause.denies or clause.denied or clause.signs.get(OUTCOME, set()) >= _FAILED:
        return False
    return not any(
        one.is_spoken and one.score >= NEAR_MIN and done & verb_forms(one.sentence.text).done for one in near
    )


def _has_failed(result: Spoken) -> bool:
    text = result.said.text
    first = text.lstrip().partition("\n")[0][:SENTENCE_CHARS_MAX]
    return failed(text) or bool(exit_code_of(text, {})) or sentence_of(first).whole.signs.get(OUTCOME) == _FAILED
