"""The last word counts, however many compactions ago it was said, and though what it changed can still be read."""

import json

import pytest
from support.conversations import Published
from support.live_thread import NAME, LiveThread, policy_with

from tailrace.schemas.records.context import EntryKind

FILLER = "and the water goes on as it did on all the other days " * 8


def told(first: str, later: list[str], *, turns: int) -> LiveThread:
    """Return a thread that begins with a statement and goes on for many turns.

    It hears others about the statement in messages that don't stay.
    """
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


@pytest.mark.parametrize("turns", [6, 20, 60])
def test_a_permission_is_told_as_long_as_the_rule_that_it_lifts_can_be_read(turns: int) -> None:
    thread = told("Build it. Never push to main.", ["You can push to main now."], turns=turns)

    assert thread.view.epoch >= 1
    assert "You can push to main now." in ledger_of(thread)


@pytest.mark.parametrize("turns", [6, 20, 60])
@pytest.mark.parametrize(
    ("rule", "beside"),
    [
        ("Never contact Petra or Jens.", "You may contact Jens."),
        ("Never push to main.", "If I am on holiday, you may push to main."),
        ("Never serve nuts or shellfish.", "You can serve shellfish again."),
        ("Run the pumps with 4 workers.", "Double the number of workers."),
    ],
)
def test_a_rule_and_what_lifts_a_part_of_it_are_both_told_in_their_order(rule: str, beside: str, turns: int) -> None:
    thread = told("Build it.", [f"{rule}\n{FILLER}", beside], turns=turns)
    told_there = "\n".join([ledger_of(thread), *thread.texts])

    assert thread.view.epoch >= 1
    assert -1 < told_there.find(rule) < told_there.find(beside)


@pytest.mark.parametrize("turns", [20, 60])
def test_who_takes_all_rules_back_is_believed_though_one_of_them_can_still_be_read(turns: int) -> None:
    thread = told(
        "Build it. Never open gates on Fridays.",
        [f"Always close gate 4 at night.\n{FILLER}", "All my earlier rules are void.", "Never open gate 7."],
        turns=turns,
    )
    ledger = ledger_of(thread)

    assert any("Never open gates on Fridays" in text for text in thread.texts)
    assert "gate 4" not in ledger
    assert -1 < ledger.find("All my earlier rules are void.") < ledger.find("Never open gate 7.")


def test_a_rule_that_was_lifted_and_has_left_never_comes_back() -> None:
    thread = told("Build it.", [f"Never push to main.\n{FILLER}", "You can push to main now."], turns=1)
    seen = []
    for turn in range(40):
        message = {"id": f"t{turn}", "native": {"role": "user", "content": f"go on with part {turn}. {FILLER}"}}
        thread.publish(Published(NAME.encode(), json.dumps(message).encode()))
        seen.append(any("Never push to main" in text for text in (*thread.texts, ledger_of(thread))))

    assert False in seen
    assert not any(seen[seen.index(False) :])


def test_a_measurement_changes_no_limit_however_often_it_is_told() -> None:
    thread = told(
        "Build it.",
        [f"Keep the water level below 3 metres.\n{FILLER}", "The water level is 5 metres right now."],
        turns=30,
    )

    assert "Keep the water level below 3 metres." in "\n".join([ledger_of(thread), *thread.texts])
