"""Whatever people and prompts write is read.

Words of rules in any order, between marks of any kind, never stop a plan.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.growing_ledger import note

from tailrace.agents.language.word_lists import words
from tailrace.schemas.records.ledger import Ledger
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

MARKS = [
    ":",
    ",",
    ";",
    ".",
    "!",
    "?",
    "-",
    "- ",
    "* ",
    "1.",
    "(",
    ")",
    "[",
    "]",
    '"',
    "`",
    "…",
    "\n",
    "\n\n",
    "\uff1a",
    "/",
    "##",
]
WORDS = sorted(
    words(
        "no not never don't always must only may unless except if when until from to switched instead rather than "
        "longer at most least the we I you gate gates 7 $40 12:30 Monday port 9090 use forget stop done nothing all "
        "rules rule please nicht kein nie pas jamais plus no nunca 不 禁止 水門 by before after Anna make that it fine "
        "now allowed said tool"
    )
)


def noted(*texts: str) -> Ledger:
    ledger = Ledger()
    for turn, text in enumerate(texts, 1):
        message = Message(role="user" if turn % 2 else "system", parts=(TextPart(content=text),))
        ledger = note(ledger, message, event_id=f"m{turn}", turn=turn, created_at_ms=0)
    return ledger


@pytest.mark.parametrize(
    "text", [": no deliveries before noon", ": not 90 but 40", "- : never open gate 7", ":\n- : no"]
)
def test_a_line_may_begin_with_a_colon(text: str) -> None:
    noted("The gate opens at 7.", text, text)


@given(st.lists(st.lists(st.sampled_from([*MARKS, *WORDS]), max_size=14).map(" ".join), min_size=2, max_size=4))
@settings(max_examples=300, deadline=None)
def test_words_of_rules_may_stand_in_any_order(texts: list[str]) -> None:
    noted(*texts)
