"""Who decides a question in words that are neither a yes nor a no, and who leaves it open.

Consent that nobody gave is the worst of all.
"""

import pytest
from corpora.question_replies import ASKED_LATER, DECIDING, DECIDING_LATER, UNDECIDING, UNDECIDING_LATER
from support.obligation_thread import assistant, ledger_of, user

from tailrace.agents.ledger.questions import leaves_open
from tailrace.schemas.records.ledger import EvidenceKind, ObligationKind

#: No form knows them: the question stays open, which costs a line.
UNHEARD = {
    "We have enough.",
    "I would drop it.",
    "I don't mind either way.",
    "I'd be against that.",
    "I'd go for it.",
    "I'd leave it be.",
    "Go whichever way you prefer.",
    "It had better stay.",
}


@pytest.mark.parametrize(("question", "said"), [*DECIDING, *((ASKED_LATER, said) for said in DECIDING_LATER)])
def test_who_decides_closes_the_question(question: str, said: str) -> None:
    assert leaves_open(said, question) is (said in UNHEARD)


@pytest.mark.parametrize(("question", "said"), [*UNDECIDING, *((ASKED_LATER, said) for said in UNDECIDING_LATER)])
def test_who_decides_nothing_leaves_it_open(question: str, said: str) -> None:
    assert leaves_open(said, question)


def test_what_was_decided_is_kept_with_its_question() -> None:
    asked = "It is tidy. Shall I delete the old branch?"
    ledger = ledger_of([user("Tidy the repository."), assistant(asked), user("I'd rather keep it.")])

    assert not [one for one in ledger.obligations if one.kind is ObligationKind.CONFIRMATION]
    assert [one.text for one in ledger.evidence if one.kind is EvidenceKind.DECISION] == [
        "Shall I delete the old branch? - I'd rather keep it."
    ]
