"""Reminders, timers and alarms: they end when they have come up, were called off, or are past and spoken of."""

import pytest
from support.obligation_thread import answered, assistant, called, user

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.due_times import ZONE_MS, due_by_arguments, due_in
from tailrace.agents.ledger.obligations import WAITING_TURNS_MAX
from tailrace.agents.ledger.render import render
from tailrace.schemas.records.ledger import JOB_KINDS, ObligationKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import Json

#: 2031-05-02 14:05 UTC.
NOW_MS = 1_935_497_100_000
MINUTE_MS = 60_000
EGGS = (called("set_timer", {"label": "eggs", "minutes": 10}, "t1"), answered("Timer set for 10 minutes.", "t1"))
BREAD = (called("set_timer", {"label": "bread", "minutes": 40}, "t2"), answered("Timer set for 40 minutes.", "t2"))
MASON = (
    called("create_reminder", {"text": "Call the mason about the sill", "time": "18:00"}, "t3"),
    answered("Reminder created for 18:00.", "t3"),
)


def book_of(*steps: Message | int) -> Book:
    """A book of these messages; a number is how many minutes have gone by."""
    book, now_ms, turn = Book(), NOW_MS, 1
    for place, step in enumerate(steps):
        if isinstance(step, int):
            now_ms += step * MINUTE_MS
            continue
        turn += step.role == "user"
        book.note(step, event_id=f"m{place}", turn=turn, created_at_ms=now_ms)
    return book


def left(*steps: Message | int) -> list[str]:
    return [one.text for one in book_of(*steps).obligations if one.kind in JOB_KINDS]


@pytest.mark.parametrize(
    "word",
    [
        user("The timer is up!"),
        user("ding, the timer went off"),
        user("Time's up."),
        assistant("\u23f0 Your egg timer has gone off."),
        assistant("Timer: the eggs are ready."),
        user("Der Wecker klingelt."),
        user("Le minuteur a sonné."),
        user("El temporizador ha sonado."),
        user("Таймер сработал."),
        user("计时器响了"),
        assistant("I've cancelled the timer."),
        assistant("The timer was removed."),
        assistant("Der Timer ist gelöscht."),
    ],
)
def test_a_timer_ends_when_it_rings_or_is_taken_away(word: Message) -> None:
    assert left(user("Time the eggs."), *EGGS, word) == []


@pytest.mark.parametrize(
    "word",
    [
        user("Is the timer up?"),
        user("Tell me when the timer is up."),
        user("When the timer goes off, drain them."),
        assistant("The timer has not gone off yet."),
        assistant("I set a timer, it will go off in 10 minutes."),
        user("How do I cancel a timer?"),
        user("Wenn der Wecker klingelt, nimm sie raus."),
        user("What else do we need for the eggs?"),
        assistant("Meanwhile I look for a recipe."),
        user("Never use a timer of mine for bread."),
    ],
)
def test_a_timer_goes_on_where_nobody_says_that_it_rang(word: Message) -> None:
    assert len(left(user("Time the eggs."), *EGGS, word)) == 1


def test_of_several_the_one_that_is_named_ends() -> None:
    both = (user("Time both."), *EGGS, *BREAD)

    assert left(*both, user("The timer for the bread is up.")) == ["set_timer eggs 10"]
    assert len(left(*both, user("The timer is up."))) == 2


def test_a_call_takes_one_away_without_its_id() -> None:
    cancel = called("cancel_timer", {}, "c9")

    assert left(user("Eggs."), *EGGS, cancel, answered("ok", "c9")) == []
    assert len(left(user("Eggs."), *EGGS, cancel, answered("Error: no route", "c9"))) == 1
    named = called("cancel_timer", {"label": "eggs"}, "c9")
    assert left(user("Both."), *EGGS, *BREAD, named, answered("ok", "c9")) == ["set_timer bread 40"]
    every = called("cancel_all_timers", {}, "c9")
    assert left(user("Both."), *EGGS, *BREAD, every, answered("ok", "c9")) == []
    other = called("cancel_order", {"order": "eggs"}, "c9")
    assert len(left(user("Eggs."), *EGGS, other, answered("ok", "c9"))) == 1


def test_a_time_that_only_the_call_was_told_makes_a_reminder_and_any_word_for_it_takes_the_only_one_away() -> None:
    add = (
        called("add_reminder", {"title": "Check in", "at": "2031-05-02T16:00:00Z"}, "a"),
        answered("Reminder added.", "a"),
    )
    later = (
        called("schedule_message", {"to": "class 7b", "text": "bring compasses", "send_at": "2031-05-03 07:30"}, "b"),
    )
    later = (*later, answered("Message scheduled for 2031-05-03 07:30", "b"))
    cancel = (called("cancel_scheduled_message", {"to": "class 7b"}, "c"), answered("Cancelled", "c"))

    assert left(user("Remind me."), *add) == ["add_reminder Check in 2031-05-02T16:00:00Z"]
    assert left(user("Tell them."), *later, *cancel) == []


def test_what_is_past_and_spoken_of_has_ended_and_what_is_past_says_so() -> None:
    begun = (user("Remind me."), *MASON)
    spoken_of = assistant("You called the mason about the sill, good.")

    assert len(left(*begun, 30, spoken_of)) == 1
    assert left(*begun, 24 * 60, spoken_of) == []
    assert len(left(*begun, 24 * 60, user("And the sill?"))) == 1


def test_its_clock_is_shown_and_that_it_is_past() -> None:
    def shown(*steps: Message | int) -> str:
        return render(book_of(user("Time the eggs."), *EGGS, *steps).ledger, tokens_max=5_000, count_text=len)

    assert "scheduled: set_timer eggs 10 (since 2031-05-02 14:05 UTC, due by 2031-05-02 14:15 UTC)" in shown()
    late = shown(11, user("Which wine goes with it?"))
    assert (
        "scheduled: set_timer eggs 10 (since 2031-05-02 14:05 UTC, its time has passed: 2031-05-02 14:15 UTC)" in late
    )


def test_what_is_long_past_is_given_up_and_what_has_no_time_is_not() -> None:
    talk = [user(f"Step {number}.") for number in range(WAITING_TURNS_MAX + 2)]
    nightly = (
        called("create_cron", {"cron": "0 3 * * *", "prompt": "Check the ovens"}),
        answered("Scheduled job c41f"),
    )

    assert left(user("Eggs."), *EGGS, 11, *talk) == []
    assert len(left(user("Nightly."), *nightly, 60 * 24 * 9, *talk)) == 1


def test_a_reminder_that_was_promised_ends_when_it_is_given() -> None:
    promise = assistant("I'll remind you at five to call the mason.")

    def promised(*steps: Message | int) -> list[str]:
        return [one.text for one in book_of(*steps).obligations if one.kind is ObligationKind.NEXT_STEP]

    assert promised(user("Remind me."), promise, user("Thanks."), assistant("Reminder: call the mason now.")) == []
    assert len(promised(user("Remind me."), promise, user("And?"), assistant("Reminders are useful."))) == 1


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("Timer set for 10 minutes", 10),
        ("Erinnerung in 2 Stunden", 120),
        ("rappel dans une heure", 60),
        ("in half an hour", 30),
        ("через 15 минут", 15),
        ("10 分钟", 10),
        ("fires at 2031-05-02T15:05:00Z", 60),
        ("fires at 2031-05-02T17:05:00+02:00", 60),
        ("at 18:00", 235 + ZONE_MS // MINUTE_MS),
        ("at 6 pm", 235 + ZONE_MS // MINUTE_MS),
        ("um 9 Uhr", 1_135 + ZONE_MS // MINUTE_MS),
        ("every 10 minutes", None),
        ("0 3 * * *", None),
        ("täglich um 9 Uhr", None),
        ("buy 10 eggs", None),
        ("tomorrow", None),
        ("at 99:99", None),
    ],
)
def test_when_something_is_due(text: str, minutes: int | None) -> None:
    assert due_in(text, NOW_MS, alone=True) == (NOW_MS + minutes * MINUTE_MS if minutes else 0)


@pytest.mark.parametrize(
    ("arguments", "minutes"),
    [
        ({"minutes": 10}, 10),
        ({"delay_seconds": 90}, 1.5),
        ({"delay_ms": 120_000}, 2),
        ({"at": "2031-05-02T15:05:00Z"}, 60),
        ({"in": "2 hours"}, 120),
        ({"delay": 600}, None),
        ({"minutes": True}, None),
    ],
)
def test_when_a_call_was_told_that_it_is_due(arguments: dict[str, Json], minutes: float | None) -> None:
    assert due_by_arguments(arguments, NOW_MS) == (NOW_MS + int(minutes * MINUTE_MS) if minutes else 0)


@pytest.mark.parametrize("since_ms", [-(10**15), 0, 253_402_300_799_999, 10**15, 2**62])
def test_by_a_clock_that_shows_no_time_nothing_is_due(since_ms: int) -> None:
    assert due_in("at 17:00", since_ms) == 0
    assert due_by_arguments({"minutes": 10, "time": "17:00"}, since_ms) == 0


@pytest.mark.parametrize("count", ["9" * 12, "9" * 290])
def test_what_is_to_come_when_no_calendar_goes_on_is_never_due(count: str) -> None:
    assert due_in(f"in {count} weeks", NOW_MS) == 0
