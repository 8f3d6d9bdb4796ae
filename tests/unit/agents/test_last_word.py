"""The last word counts, however many compactions ago it was said, and though what it changed can still be read."""

import json

import pytest
from conversations import Published
from live_thread import NAME, LiveThread, policy_with

from tailrace.schemas.context import EntryKind

FILLER = "and the water goes on as it did on all the other days " * 8


def told(first: str, later: list[str], *, turns: int) -> LiveThread:
    """A thread that begins with a statement, hears others about it in messages that don't stay, and goes on for many turns."""
    thread = LiveThread(policy_with())

    def say(text: str, role: str = "user") -> None:
        message = {"id": f"s{thread.offset}", "native": {"role": role, "content": text}}
        thread.publish(Published(NAME.encode(), json.dumps(message).encode()))

    say(first)
    for one in later:
        say("fine " * 60, "assistant")
        say(f"{one}\n{FILLER}")
    for turn in range(turns):
        say(f"fine{turn} " * 60, "assistant")
        say(f"go on with part {turn}. {FILLER}")
    return thread


def ledger_of(thread: LiveThread) -> str:
    entries = [entry for entry in thread.view.entries.values() if entry.kind is EntryKind.LEDGER]
    return bytes(entries[0].message).decode() if entries else ""


@pytest.mark.parametrize("turns", [6, 20, 60])
def test_a_changed_limit_is_told_as_long_as_the_message_with_the_former_one_stands(turns: int) -> None:
    thread = told(
        "Build it. The limit is 30 gates per minute.", ["Raise the limit to 90 gates per minute."], turns=turns
    )

    assert thread.view.epoch >= 1
    assert any("limit is 30" in text for text in thread.texts)
    assert "Raise the limit to 90 gates per minute." in ledger_of(thread)


@pytest.mark.parametrize("turns", [6, 20, 60])
def test_what_was_taken_back_is_told_to_be_as_long_as_it_can_be_read(turns: int) -> None:
    thread = told("Build it. Never open gates on Fridays.", ["Forget the rule about Fridays."], turns=turns)

    assert thread.view.epoch >= 1
    assert any("Never open gates on Fridays" in text for text in thread.texts)
    assert "Forget the rule about Fridays." in ledger_of(thread)


def test_the_last_of_several_words_counts() -> None:
    thread = told(
        "Build it. The limit is 30 gates per minute.",
        ["Raise the limit to 90 gates per minute.", "Lower the limit to 45 gates per minute."],
        turns=30,
    )

    assert "Lower the limit to 45 gates per minute." in ledger_of(thread)
    assert "90 gates" not in ledger_of(thread)


def test_what_is_said_again_after_it_was_taken_back_holds() -> None:
    thread = told(
        "Build it. Never open gates on Fridays.",
        ["Forget the rule about Fridays.", "Never open any gate on Fridays or Sundays."],
        turns=30,
    )

    assert "Never open any gate on Fridays or Sundays." in ledger_of(thread)


def test_nothing_is_told_of_a_rule_that_was_taken_back_and_has_left() -> None:
    thread = told("Build it.", [f"Never open gates on Fridays.\n{FILLER}", "Forget the rule about Fridays."], turns=30)

    assert "Fridays" not in ledger_of(thread)
    assert not any("Never open gates on Fridays" in text for text in thread.texts)


def test_what_stands_there_in_the_same_words_is_not_told_again() -> None:
    thread = told("Never open gates on Fridays.", ["Never open gates on Fridays."], turns=30)

    assert "Never open gates on Fridays" not in ledger_of(thread)
    assert any("Never open gates on Fridays" in text for text in thread.texts)
