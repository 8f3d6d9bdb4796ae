"""Which sentences of a line may be held without the others, and that a change of one of them leaves the rest."""

import pytest
from corpora.dependent_sentences import READ, UNREAD

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.dependent_sentences import sentences
from tailrace.agents.ledger.directives import Directives
from tailrace.agents.ledger.render import render
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

#: Parted otherwise.
OTHERWISE = {
    "Never bring the horses through the gate at noon. The train frightens them.": (
        "Never bring the horses through the gate at noon. | The train frightens them."
    ),
    "The scale shows pounds. Note this in kilos.": "The scale shows pounds. | Note this in kilos.",
    "Lessons last 45 minutes. | This semester is rather short, sadly.": (
        "Lessons last 45 minutes. This semester is rather short, sadly."
    ),
}
THREE = "Use metric units. Never email the client. Reports by Friday, at most 3 pages."


def held(*texts: str) -> list[str]:
    directives = Directives()
    for place, text in enumerate(texts):
        directives.note(text, source=f"m{place}", turn=place, created_at_ms=0)
    return [one.text for one in directives.items]


@pytest.mark.parametrize("row", [*READ, *UNREAD])
def test_a_sentence_stands_alone_unless_it_leans_on_the_one_before(row: str) -> None:
    parted = OTHERWISE.get(row, row).split(" | ")

    assert sentences(row.replace(" | ", " ")) == parted


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "Never.",
        "He said (do it. Now",
        "Never. Never. Never.",
        "不要打开闸门。所有报告用公制。",
        "a.  B.   C.",
        "1. A. 2. B.",
    ],
)
def test_nothing_of_a_line_is_lost_or_added(line: str) -> None:
    assert " ".join(" ".join(sentences(line)).split()).replace(" ", "") == line.replace(" ", "")


def test_each_rule_of_a_line_is_held_by_itself_in_its_order() -> None:
    assert held(THREE) == ["Use metric units.", "Never email the client.", "Reports by Friday, at most 3 pages."]


def test_a_change_of_one_of_them_leaves_the_others() -> None:
    assert held(THREE, "Reports may be at most 5 pages now.") == [
        "Use metric units.",
        "Never email the client.",
        "Reports may be at most 5 pages now.",
    ]
    assert held(THREE, "We switched to imperial units.") == [
        "Never email the client.",
        "Reports by Friday, at most 3 pages.",
        "We switched to imperial units.",
    ]


def test_a_question_beside_a_rule_does_not_hide_it() -> None:
    assert held("Never push to main. Can you fix the test?") == ["Never push to main."]


@pytest.mark.parametrize(
    ("line", "directives"),
    [
        ("House rules: Use metric units. Never email the client.", ["Use metric units.", "Never email the client."]),
        (
            "Rules for visitors: No dogs. Never feed the swans.",
            ["Rules for visitors: No dogs.", "Rules for visitors: Never feed the swans."],
        ),
        ("Rules for visitors: no dogs / no smoking", ["Rules for visitors: no dogs", "Rules for visitors: no smoking"]),
        (
            "Never do the following: Open the vents. Feed the swans.",
            ["Never do the following: Open the vents. Feed the swans."],
        ),
        (
            "CONSTRAINT: The dock has 4 bays. Never use the last one.",
            ["CONSTRAINT: The dock has 4 bays. Never use the last one."],
        ),
        (
            "Note: never open the vents. Always feed the swans.",
            ["Note: never open the vents.", "Always feed the swans."],
        ),
        ("- Never feed the seals. Always lock the gate.", ["Never feed the seals. Always lock the gate."]),
    ],
)
def test_what_a_line_begins_with_stays_with_what_it_says_something_of(line: str, directives: list[str]) -> None:
    assert held(line) == directives


def test_what_is_said_of_all_is_said_of_each() -> None:
    line = "Never feed the seals. Always lock the gate. All of this only on weekdays."

    assert held(line) == [
        "All of this only on weekdays: Never feed the seals.",
        "All of this only on weekdays: Always lock the gate.",
    ]
    assert held("Never feed the seals. Always lock the gate. Just kidding.") == []


def test_where_not_all_have_room_some_of_a_line_are_shown() -> None:
    book = Book()
    message = Message(role="user", parts=(TextPart(content=THREE),))
    book.note(message, event_id="m0", turn=0, created_at_ms=0)

    assert (
        render(book.ledger, tokens_max=60, count_text=len)
        == "[In force]\n- Use metric units.\n- Never email the client."
    )
