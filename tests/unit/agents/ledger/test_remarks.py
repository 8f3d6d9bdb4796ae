"""What has the words of a rule and only tells something: it is held, and not shown as a rule."""

import pytest
from support.growing_ledger import note

from tailrace.agents.ledger.render import REMARKS_HEADING, render
from tailrace.agents.ledger.statements import kind_of
from tailrace.schemas.records.ledger import DirectiveKind, Ledger
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

TOLD = (
    "Sure, the kiln number is K-118.",
    "I don't remember which shelf the glaze stood on, somewhere near number 4.",
    "I can't recall the name of the ferry we took in 2019.",
    "The boiler in flat 3 doesn't start when it rains.",
    "My grandmother has always kept bees on the east slope.",
    "It's not a large garden, maybe 40 square metres.",
    "We don't know yet whether Mrs. Okoro is coming.",
    "The second violin might not arrive before the rehearsal.",
    "Hopefully it won't come to that in Marseille.",
    "I'm not sure about the width of door 12.",
    "This is not a real leak on pipe 7.",
    "They don't understand how the tide table of Brest works.",
    "I thought we no longer bake on Tuesdays.",
    "Perhaps it is not the pump but valve 9.",
)
DEMANDED = (
    "Never open kiln K-118 above 80 degrees.",
    "I don't want calls after eight.",
    "I don't eat fish.",
    "The bees are not to be moved before October.",
    "Please don't tell Mrs. Okoro.",
    "I'm not allowed to lift more than 5 kg.",
    "Make sure valve 9 is shut.",
    "The keys should never leave the house.",
    "Guests don't smoke in the stairwell.",
    "You are not sure of it, so don't sign.",
    "The boiler is never left unattended.",
    "It is not allowed to park in front of number 12.",
    "We must not bake on Tuesdays.",
    "Only use the east door.",
    "This doesn't hold on weekends: then never call before ten.",
    "I can't have gluten.",
)


@pytest.mark.parametrize("text", TOLD)
def test_what_is_only_told_is_no_rule(text: str) -> None:
    assert kind_of(text) in {DirectiveKind.REMARK, DirectiveKind.STATEMENT, None}


@pytest.mark.parametrize("text", DEMANDED)
def test_what_is_demanded_stays_a_rule(text: str) -> None:
    assert kind_of(text) not in {DirectiveKind.REMARK, DirectiveKind.STATEMENT, None}


def _ledger(*texts: str) -> Ledger:
    ledger = Ledger()
    for place, text in enumerate(texts):
        said = Message(role="user", parts=(TextPart(content=text),))
        ledger = note(ledger, said, event_id=f"m{place}", turn=place + 1, created_at_ms=0)
    return ledger


def test_remarks_stand_apart_from_the_rules_and_behind_them() -> None:
    remark, rule = "Sure, the kiln number is K-118.", "Never open it above 80 degrees."
    shown = render(_ledger(remark, rule), tokens_max=400, count_text=lambda text: len(text) // 4)
    lines = shown.splitlines()
    assert lines.index(f"- {rule}") < lines.index(REMARKS_HEADING) < lines.index(f"- {remark}")


def test_without_remarks_there_is_no_heading_for_them() -> None:
    shown = render(_ledger("Never call before nine."), tokens_max=400, count_text=lambda text: len(text) // 4)
    assert REMARKS_HEADING not in shown
    assert "- Never call before nine." in shown


def test_with_remarks_a_ledger_still_fits() -> None:
    ledger = _ledger(
        "Sure, the kiln number is K-118.", "Never open it above 80 degrees.", "I can't recall the name of kiln 7."
    )
    for tokens_max in range(240):
        assert len(render(ledger, tokens_max=tokens_max, count_text=len)) <= tokens_max
