"""Claims made of their events' own words.

What says the same is accepted however it is put, and what says something else is refused.
"""

import pytest
from corpora.claim_conversations import TALKS
from corpora.false_claims import FALSE_CLAIMS
from corpora.true_claims import TRUE_CLAIMS, Sample
from support.claim_tables import judge, reason
from support.work_requests import answered, called, said

from tailrace.agents.summary.verify import cited_sentences
from tailrace.agents.summary.verify.acceptance import Accepted, Rejected
from tailrace.agents.summary.verify.contradictions import (
    DENIED,
    EXCHANGED,
    NOT_TOLD,
    OTHER_UNIT,
    OTHER_VALUE,
    TOOL_ORDER,
)
from tailrace.schemas.records.work import SpanMessage

#: True, and refused all the same: a rule of a firewall is taken for a rule that somebody makes.
REFUSED_TRUE = {"With rule 12 of the firewall disabled, login works in Oslo"}
#: False, and still accepted; docs/summaries.md says of what kind they are.
ACCEPTED_FALSE = {
    "The call in the parser was removed, the printer is as it was",
    "Jonas is the older brother of Mira",
    "change_booking failed for FX-2093",
    "LP-1 has been offline since 07:55",
    "Printer LP-2 is offline since 27.50",
    "The benchmark was profiled",
    "The branch main was rebased onto auth.py",
    "Le second serveur redémarre sans erreur",
}


@pytest.mark.parametrize("sample", [one for one in TRUE_CLAIMS if one[2] not in REFUSED_TRUE], ids=lambda one: one[2])
def test_what_says_the_same_is_accepted(sample: Sample) -> None:
    judged = judge(sample, TALKS[sample[0]])
    assert isinstance(judged, Accepted), judged


WRONG = [(kind, one) for kind, samples in FALSE_CLAIMS.items() for one in samples if one[2] not in ACCEPTED_FALSE]


@pytest.mark.parametrize(("kind", "sample"), WRONG, ids=[f"{kind}: {one[2]}" for kind, one in WRONG])
def test_what_says_something_else_is_refused(kind: str, sample: Sample) -> None:
    assert isinstance(judge(sample, TALKS[sample[0]]), Rejected), kind


def test_what_is_known_to_err_still_does() -> None:
    """Or the lists above, and what the docs say, are to be mended."""
    every = [*TRUE_CLAIMS, *(one for samples in FALSE_CLAIMS.values() for one in samples)]
    accepted = {one[2] for one in every if isinstance(judge(one, TALKS[one[0]]), Accepted)}
    assert not accepted & REFUSED_TRUE
    assert accepted >= ACCEPTED_FALSE


REPORT = said(
    "r",
    "assistant",
    "The sluice did not open at 06:10. The left gate was moved from dock 4 to dock 7, and the pump drew 12 kW. I "
    "will paint the gate tomorrow.",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The sluice did open at 06:10", DENIED),
        ("The left gate was moved from dock 7 to dock 4", EXCHANGED),
        ("The pump drew 12 kg", OTHER_UNIT),
        ("The gate was painted", NOT_TOLD),
        ("The sluice did not open at 06:10, and the left gate was moved to dock 7", ""),
        ("The pump drew 12 kW", ""),
        ("The gate will be painted tomorrow", ""),
    ],
)
def test_a_reason_says_what_to_mend(text: str, expected: str) -> None:
    assert reason(text, REPORT) == expected


def test_no_reason_holds_text_of_the_conversation() -> None:
    for one in (DENIED, EXCHANGED, NOT_TOLD, OTHER_UNIT, OTHER_VALUE, TOOL_ORDER):
        assert "sluice" not in one
        assert one[0].islower(), "it stands behind the place of the claim"


def test_a_number_belongs_to_what_it_is_said_of() -> None:
    log = answered("l", "c", "gauge 40 copied, 1480 rows\ngauge 41 copied, 1517 rows")
    assert reason("gauge 41 copied with 1480 rows", log) == OTHER_VALUE
    assert reason("gauge 41 copied with 1517 rows", log) == ""


def test_a_plan_beside_a_call_is_done() -> None:
    """Agents say what they will do and do it in the same breath."""
    text = "Now I will move the gauge table to the new volume."
    plan = said("p", "assistant", text)
    assert reason("The gauge table was moved to the new volume", plan) == NOT_TOLD
    call = called("p", "c", "run", '{"command": "mv /old/gauges /new/gauges"}')
    both = SpanMessage(
        id="p", message=call.message.__class__(role="assistant", parts=(*plan.message.parts, *call.message.parts))
    )
    assert reason("The gauge table was moved to the new volume", both, answered("a", "c", "ok")) == ""


def test_an_offer_that_was_agreed_to_is_a_decision() -> None:
    offer = said("o", "assistant", "Shall I move the gauges to the new database?")
    assert reason("Move the gauges to the new database", offer, field="decisions") == NOT_TOLD
    assert (
        reason("Move the gauges to the new database", offer, said("y", "user", "Yes, go ahead."), field="decisions")
        == ""
    )


def test_the_other_end_of_a_call_is_cited_with_it() -> None:
    call = called("c", "k", "run_command", '{"command": "python harbour/copy_gauges.py --from 40"}')
    result = answered("r", "k", "gauge 88 copied")
    claim = ("", "facts", "harbour/copy_gauges.py copied gauge 88", ("r",))
    assert isinstance(judge(claim, [call, result]), Accepted)
    assert isinstance(judge(claim, [said("c", "assistant", "harbour/copy_gauges.py"), result]), Rejected)


def test_what_an_event_says_that_is_not_cited_does_not_count() -> None:
    other = said("o", "assistant", "The copy took 48 minutes.")
    judged = judge(("", "facts", "The copy of the gauges took 48 minutes", ("r",)), [REPORT, other])
    assert isinstance(judged, Rejected)
    assert "in the events that it cites" in judged.reason


def test_a_long_output_is_looked_through_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    sentence_of = cited_sentences.sentence_of

    def counting(text: str) -> cited_sentences.ClauseSentence:
        read.append(text)
        return sentence_of(text)

    monkeypatch.setattr(cited_sentences, "sentence_of", counting)
    log = answered("l", "c", "\n".join(f"gauge {number} copied, {number * 37} rows" for number in range(20_000)))
    assert reason("gauge 19999 copied with 739963 rows", log) == ""
    assert len(read) < 20


def test_a_letter_alone_decides_nothing_that_can_be_read() -> None:
    offered = said("m1", "assistant", "Which wood for the altar: plan A is oak, plan B is pine?")

    assert "only plan, ask, offer" in reason("Plan B, pine", offered, said("m2", "user", "B"), field="decisions")
