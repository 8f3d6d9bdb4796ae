"""What a message asks for beside what it states: a statement stands in a ledger once."""

import pytest

from tailrace.agents.ledger.item_text import asked_beside
from tailrace.schemas.records.ledger import Directive, DirectiveKind, Obligation, ObligationKind

GLOVES, VALVE = "Always wear gloves.", "Never open valve 3."


def asked(text: str, kind: ObligationKind = ObligationKind.ADDED) -> Obligation:
    return Obligation(kind=kind, text=text, source="m1")


def stated(*texts: str, source: str = "m1", amends: str = "") -> list[Directive]:
    return [Directive(kind=DirectiveKind.RULE, text=text, source=source, amends=amends) for text in texts]


@pytest.mark.parametrize(
    ("text", "directives", "rest"),
    [
        (f"{GLOVES} The boiler is old.", [GLOVES], ("The boiler is old.",)),
        (f"Check the boiler. {GLOVES}", [GLOVES], ("Check the boiler.",)),
        (f"Check the boiler. {GLOVES} Then call Ines.", [GLOVES], ("Check the boiler.", "Then call Ines.")),
        (f"{GLOVES} {VALVE}", [GLOVES, VALVE], ()),
        (f"Check it. Rules: - {GLOVES} - {VALVE}", [GLOVES, VALVE], ("Check it.",)),
        ("Paint it. Never: - use white - lean on it", ["Never: use white", "Never: lean on it"], ("Paint it.",)),
        (f"{GLOVES} (This holds in May only.)", [f"This holds in May only: {GLOVES}"], ()),
        ("Check the boiler.", [GLOVES], ("Check the boiler.",)),
        (f"{GLOVES} It is a very …", [GLOVES], ("It is a very …",)),
    ],
)
def test_what_stands_among_the_directives_is_left_out(text: str, directives: list[str], rest: tuple[str, ...]) -> None:
    assert asked_beside(asked(text), stated(*directives)) == rest


def test_what_another_message_states_is_no_part_of_it() -> None:
    assert asked_beside(asked(f"{GLOVES} Now."), stated(GLOVES, source="m0")) == (f"{GLOVES} Now.",)


def test_a_task_is_shown_whole_but_for_what_was_changed() -> None:
    task = asked(f"Spend at most 900 euros. {GLOVES} Plan the trip.", ObligationKind.TASK)
    later = stated("Make that 1,200.", source="m2", amends="Spend at most 900 euros.")

    assert asked_beside(task, stated(GLOVES)) == (task.text,)
    assert asked_beside(task, [*stated(GLOVES), *later]) == (f"{GLOVES} Plan the trip.",)


def test_a_task_that_is_made_of_statements_stands_there_once() -> None:
    assert asked_beside(asked(f"{GLOVES} {VALVE}", ObligationKind.TASK), stated(GLOVES, VALVE)) == ()
