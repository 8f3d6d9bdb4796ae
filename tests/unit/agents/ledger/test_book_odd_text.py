"""Text that nobody means: it is noted without harm, and at a cost that grows with its length."""

import pytest

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.moment import Moment
from tailrace.agents.ledger.statements import statements
from tailrace.agents.ledger.trailing_scope import BOUNDS_MAX, bounded
from tailrace.agents.ledger.units import units
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

BLANK = ("\t", "\r\n", "\u00a0", "[\t")


def _noted(*texts: str) -> Book:
    book = Book()
    for place, text in enumerate(texts):
        message = Message(role="user", parts=(TextPart(content=text),))
        book.note(message, event_id=f"m{place}", turn=place + 1, created_at_ms=0)
    return book


@pytest.mark.parametrize("text", BLANK)
def test_blanks_of_any_kind_ask_for_nothing(text: str) -> None:
    book = _noted("Paint the fence.", text)

    assert [one.text for one in book.ledger.obligations] == ["Paint the fence."]
    assert book.obligations.asked(text, Moment("m3", 0, 3)) == ""


def test_what_is_only_fenced_leaves_the_task_what_it_is() -> None:
    book = _noted("Paint the fence.", "\r\n\r\n```\r\nx\r\n```")

    assert book.ledger.obligations[0].text == "Paint the fence."


@pytest.mark.parametrize("value", ["5\u00b2", "\u2461", "25 \u00b9"])
def test_digits_that_are_no_numbers_change_without_harm(value: str) -> None:
    book = _noted("Keep the hall below 20 euros.\nKeep the yard below 30 euros.", f"Make it {value}.")

    assert any(value in one.text for one in book.ledger.directives)


def test_only_so_many_bounds_are_carried_by_what_stands_above_them() -> None:
    text = "Never open the gate.\n" + "This only holds on weekdays.\n" * (2 * BOUNDS_MAX)
    gate = bounded(list(units(text, typed=True)))[0]

    assert 0 < gate.condition.count("weekdays") <= BOUNDS_MAX


def test_of_a_long_text_only_whole_sentences_are_read() -> None:
    """What stands in the middle is not looked at; its two ends are never one sentence."""
    middle = "The tide comes and goes along the quay, and nobody minds it. " * 120
    text = f"Never feed the gulls. {middle}Always lock the east door. Reports go to Marit only."

    said = [one for _, one in statements(text)]

    assert "Never feed the gulls." in said
    assert {"Always lock the east door.", "Reports go to Marit only."} <= {*said}
    assert all(one in text for one in said)
