"""What a sentence of the assistant tells, whatever it is about."""

import pytest
from corpora.findings import (
    CONCLUDING,
    CONCLUDING_UNSEEN,
    STATING,
    STATING_UNSEEN,
    TALKING,
    TALKING_UNSEEN,
)

from tailrace.agents.language.names import Names
from tailrace.agents.summary.extract.informativeness import Tells, tells


def told(text: str) -> Tells:
    return tells(text, Names().of(text))


@pytest.mark.parametrize("text", CONCLUDING)
def test_causes_failures_and_results_are_conclusions(text: str) -> None:
    assert told(text) is Tells.CONCLUDES


@pytest.mark.parametrize("text", [*STATING, *STATING_UNSEEN])
def test_what_is_so_is_at_least_a_statement(text: str) -> None:
    assert told(text) >= Tells.STATES


@pytest.mark.parametrize("text", TALKING)
def test_what_announces_asks_or_thanks_tells_nothing(text: str) -> None:
    assert told(text) is Tells.NOTHING


def test_sentences_that_no_rule_was_made_for_are_mostly_told_apart() -> None:
    concluding = [text for text in CONCLUDING_UNSEEN if told(text) is Tells.CONCLUDES]
    talking = [text for text in TALKING_UNSEEN if told(text) is Tells.NOTHING]

    assert len(concluding) >= 0.9 * len(CONCLUDING_UNSEEN)
    assert len(talking) >= 0.9 * len(TALKING_UNSEEN)


def test_talk_around_a_finding_does_not_hide_it() -> None:
    assert told("Let me look again. The seal is cracked. Shall I order a new one?") is Tells.STATES
    assert told("I'll leave the valve as it is, because the seal holds.") is Tells.CONCLUDES
