"""What people say in words that no rule knows: held, shown in its turn where there is room, and in nobody's way."""

import pytest

from tailrace.agents.ledger.item_text import said_text, without_said
from tailrace.agents.ledger.render import LedgerRoom, Rendering
from tailrace.agents.ledger.unclassified_statements import (
    OF_MESSAGE_MAX,
    REQUESTS_MAX,
    SAID_MAX,
    by_need,
    held,
    said_in,
)
from tailrace.schemas.records.ledger import Directive, DirectiveKind, Ledger, UnclassifiedStatement

#: In forms and languages of which no list here knows a word.
UNKNOWN = (
    "The otters get the upper pond in spring.",
    "Hali ya hewa ikiwa mbaya, fungeni milango yote.",
    "Þegar flæðir hringið þið strax í Gunnar.",
    "Mind the third step when it rains.",
)


def said(*texts: str, first_turn: int = 1) -> list[UnclassifiedStatement]:
    return [
        UnclassifiedStatement(text=text, source=f"m{turn}", turn=turn) for turn, text in enumerate(texts, first_turn)
    ]


def rendered(ledger: Ledger, tokens_max: int = 1_000) -> str:
    return Rendering(ledger, LedgerRoom.of(tokens_max), len).text


@pytest.mark.parametrize("text", UNKNOWN)
def test_a_sentence_that_no_rule_knows_is_held_word_for_word(text: str) -> None:
    assert [*said_in(text, source="m1", turn=3)] == [UnclassifiedStatement(text=text, source="m1", turn=3)]


@pytest.mark.parametrize(
    "text",
    [
        "ok thanks",
        "Yes please, go ahead",
        "Which pond do the otters get?",
        "are you sure about the otters",
        "Never open gate 3.",
        "> The otters get the upper pond in spring.",
        "```\nthe otters get the upper pond\n```",
        "[Request interrupted by user]",
        "https://weirs.example/ponds/12",
        '"pond_length": 3,',
        "pond_length = 3 / 4 * (7 - 2) + 18",
        "The otters " + "and the herons " * 20 + "share the pond.",
    ],
)
def test_assents_questions_rules_quotations_and_what_programs_write_are_not(text: str) -> None:
    assert [*said_in(text, source="m1", turn=1)] == []


def test_of_one_message_only_the_first_sentences_are_held() -> None:
    lines = "\n".join(f"The otters sleep at pond number{chr(97 + place)} mostly" for place in range(2 * OF_MESSAGE_MAX))

    assert len([*said_in(lines, source="m1", turn=1)]) == OF_MESSAGE_MAX


def test_what_may_be_meant_to_last_goes_before_requests_and_long_tales_and_the_newest_first() -> None:
    tale = "The miller told us about the winter in which the river froze and the otters walked to town."
    items = said("Show me the ponds upstream.", tale, "Otters first in spring.", "Herons first in autumn.")

    assert [one.text for one in by_need(items)] == [
        "Herons first in autumn.",
        "Otters first in spring.",
        tale,
        "Show me the ponds upstream.",
    ]


def test_a_thread_holds_few_requests_and_no_more_than_it_may() -> None:
    requests = said(*(f"Show me pond {place} upstream." for place in range(3 * REQUESTS_MAX)))
    others = said(*(f"Otters of bank {place} eat first." for place in range(SAID_MAX)), first_turn=200)

    kept = held([*said("Otters first in spring."), *requests])

    assert [one.text for one in kept[:2]] == ["Otters first in spring.", f"Show me pond {2 * REQUESTS_MAX} upstream."]
    assert len(kept) == 1 + REQUESTS_MAX
    assert held([*requests, *others]) == tuple(others)


def test_it_stands_in_its_turn_among_the_statements_and_is_marked() -> None:
    rules = [
        Directive(kind=DirectiveKind.RULE, text=text, source=f"r{turn}", turn=turn)
        for turn, text in ((1, "Never open gate 3."), (9, "Never open gate 27."))
    ]
    ledger = Ledger(
        directives=tuple(rules), unclassified=tuple(said("Gate 3 is fair game since the flood.", first_turn=4))
    )

    assert rendered(ledger).split("\n")[2:] == [
        "- Never open gate 3.",
        "- said: Gate 3 is fair game since the flood.",
        "- Never open gate 27.",
    ]
    assert without_said(rendered(ledger)) == rendered(Ledger(directives=tuple(rules)))


def test_it_takes_no_room_of_statements_and_only_a_part_of_what_they_leave() -> None:
    rule = Directive(
        kind=DirectiveKind.RULE, text="Never open gate 3 while the road below is in use.", source="r", turn=9
    )
    ledger = Ledger(directives=(rule,), unclassified=tuple(said(*UNKNOWN)))
    full = len(rendered(Ledger(directives=(rule,))))

    assert rendered(ledger, full) == rendered(Ledger(directives=(rule,)))
    assert rendered(ledger, full + len(said_text(ledger.unclassified[0])) + 3) == rendered(Ledger(directives=(rule,)))
    assert all(text in rendered(ledger, 40 * full) for text in UNKNOWN)


def test_what_stands_elsewhere_is_not_said_again() -> None:
    items = said(*UNKNOWN)
    rule = Directive(kind=DirectiveKind.RULE, text=UNKNOWN[1], source="m2", turn=2, added_by="model")
    ledger = Ledger(directives=(rule,), unclassified=tuple(items))

    text = Rendering(ledger, LedgerRoom.of(2_000), len, frozenset((items[0],))).text

    assert UNKNOWN[0] not in text
    assert text.count(UNKNOWN[1]) == 1
    assert f"- said: {UNKNOWN[2]}" in text


def test_what_speaks_of_a_rule_is_read_behind_it_though_a_summary_says_it_too() -> None:
    rule = Directive(kind=DirectiveKind.RULE, text="Always feed the herons at dawn.", source="r", turn=2)
    about, other = (
        UnclassifiedStatement(text="The herons left for good.", source="m5", turn=5),
        UnclassifiedStatement(text=UNKNOWN[1], source="m6", turn=6),
    )
    ledger = Ledger(directives=(rule,), unclassified=(about, other))

    text = Rendering(ledger, LedgerRoom.of(4_000), len, frozenset((about, other))).text

    assert text.split("\n")[1:] == ["User:", "- Always feed the herons at dawn.", "- said: The herons left for good."]
