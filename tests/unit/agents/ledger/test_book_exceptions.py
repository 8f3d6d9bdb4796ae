"""Permissions for a case of what is forbidden: they stand behind the rule."""

import pytest
from corpora.rule_exceptions import ASIDE, CASES, OTHER

from tailrace.agents.ledger.book import Book
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart


def held(*said: str) -> list[str]:
    book = Book()
    for place, text in enumerate(said):
        message = Message(role="user", parts=(TextPart(content=text),))
        book.note(message, event_id=f"m{place}", turn=place, created_at_ms=0)
    return [one.text for one in book.directives.items]


@pytest.mark.parametrize(("rule", "case"), [*CASES, *ASIDE])
def test_a_permission_for_a_case_stands_behind_the_rule(rule: str, case: str) -> None:
    assert held(rule, case) == [rule, case]


@pytest.mark.parametrize(("rule", "talk"), OTHER)
def test_a_word_in_common_permits_nothing(rule: str, talk: str) -> None:
    assert held(rule, talk) == [rule]
