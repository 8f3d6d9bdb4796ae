"""What is owed, from when to when: calls and agents, questions and their answers, plans, promises."""

import pytest
from support.growing_ledger import note

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.render import render
from tailrace.schemas.records.ledger import EvidenceKind, Ledger, Obligation, ObligationKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import Json, TextPart, ToolCallPart, ToolCallResponsePart

#: 2031-05-02 14:05 UTC.
BEGAN_MS = 1_935_497_100_000


def said(role: str, text: str) -> Message:
    return Message(role=role, parts=(TextPart(content=text),))


def called(name: str, arguments: Json, call_id: str = "c1", text: str = "") -> Message:
    words = (TextPart(content=text),) if text else ()
    return Message(role="assistant", parts=(*words, ToolCallPart(id=call_id, name=name, arguments=arguments)))


def answered(response: Json, call_id: str = "c1") -> Message:
    return Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response=response),))


def noted(*messages: Message) -> Ledger:
    """The ledger of these, by one book and by single notes alike."""
    book, ledger = Book(), Ledger()
    for place, message in enumerate(messages):
        book.note(message, event_id=f"m{place}", turn=place, created_at_ms=0)
        ledger = note(ledger, message, event_id=f"m{place}", turn=place, created_at_ms=0)
    assert book.ledger == ledger
    return ledger


def owed(kind: ObligationKind, *messages: Message) -> list[str]:
    return [one.text for one in noted(*messages).obligations if one.kind is kind]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("Task", {"description": "Audit the gauges", "prompt": "Look at every gauge and..."}, "Task Audit the gauges"),
        (
            "spawn_agent",
            {"prompt": "Compare the offers of three carriers"},
            "spawn_agent Compare the offers of three carriers",
        ),
        (
            "delegate_to_nurse",
            {"patient": 7, "task": "Take the blood pressure"},
            "delegate_to_nurse Take the blood pressure",
        ),
        ("subagent", {"model": "small", "message": "Proofread chapter two"}, "subagent Proofread chapter two"),
    ],
)
def test_agents_of_one_tool_are_told_apart_by_what_they_do(tool: str, arguments: Json, told: str) -> None:
    assert owed(ObligationKind.SUBAGENT, called(tool, arguments)) == [told]


def test_an_open_call_without_a_path_is_told_by_its_words() -> None:
    assert owed(ObligationKind.OPEN_CALL, called("search_flights", {"seats": 2, "to": "Oslo"})) == [
        "search_flights Oslo"
    ]
    assert owed(ObligationKind.OPEN_CALL, called("wait", {})) == ["wait"]


def shown(since_ms: int) -> str:
    one = Obligation(kind=ObligationKind.OPEN_CALL, text="measure pump", source="m", key="c", since_ms=since_ms)
    return render(Ledger(obligations=(one,)), tokens_max=1_000, count_text=len)


def test_what_is_open_is_shown_with_the_time_at_which_it_began() -> None:
    assert "- waits for a result: measure pump (since 2031-05-02 14:05 UTC)" in shown(BEGAN_MS)
    assert shown(BEGAN_MS) == shown(BEGAN_MS)


@pytest.mark.parametrize("since_ms", [0, -5, 10**18])
def test_a_time_that_nobody_gave_or_that_is_none_is_not_shown(since_ms: int) -> None:
    assert shown(since_ms).endswith("- waits for a result: measure pump")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("All fine. Shall I close the gate?", "Shall I close the gate?"),
        ("Oats or barley for the north field? Let me know which you prefer.", "Oats or barley for the north field?"),
        ("Which cabin should I book?\n1. Economy\n2. Business\n\nPlease confirm.", "Which cabin should I book?"),
        ("Should I send the invoice to Mara? I have prepared it as a draft.", "Should I send the invoice to Mara?"),
        (
            "I can drop the old table or archive it. Please tell me which.",
            "I can drop the old table or archive it. Please tell me which.",
        ),
        ("The dose is above the limit. Please confirm.", "The dose is above the limit. Please confirm."),
        ("Soll ich die Schleuse öffnen? Sag mir Bescheid.", "Soll ich die Schleuse öffnen?"),
        ("¿Quieres que envíe la factura?", "¿Quieres que envíe la factura?"),
        ("次のステップに進みますか\uff1f", "次のステップに進みますか\uff1f"),
        ("**Want me to trim the heading?**", "Want me to trim the heading?"),
    ],
)
def test_a_question_waits_for_an_answer_whatever_word_closes_it(text: str, question: str) -> None:
    assert owed(ObligationKind.CONFIRMATION, said("assistant", text)) == [question]


@pytest.mark.parametrize(
    "text",
    [
        "Why did it fail? The port was taken. I have freed it.",
        "Done. The gate is shut.",
        "I confirmed the booking, and the hotel let me know that breakfast is included.",
        "What is left? Nothing, all seven beds are made.",
    ],
)
def test_what_is_asked_and_answered_in_one_breath_waits_for_nobody(text: str) -> None:
    assert owed(ObligationKind.CONFIRMATION, said("assistant", text)) == []


def test_a_question_stays_open_while_the_assistant_works_on() -> None:
    asks = called("look", {"at": "gate"}, text="Should I repaint gate 7 as well? Meanwhile I look at its hinges.")

    assert owed(ObligationKind.CONFIRMATION, asks, answered("rusty")) == ["Should I repaint gate 7 as well?"]
    assert (
        owed(ObligationKind.CONFIRMATION, called("look", {}, text="Is it the hinge? Let me look."), answered("no"))
        == []
    )


@pytest.mark.parametrize(
    "text",
    [
        "By the way, use tabs.",
        "What would that cost?",
        "Übrigens: der Pegel sinkt.",
        "Hold on, I have to ask the owner.",
        "One more thing: the invoice number is A-17.",
    ],
)
def test_a_question_outlasts_what_does_not_answer_it(text: str) -> None:
    question = said("assistant", "Shall I drop the table?")

    assert owed(ObligationKind.CONFIRMATION, question, said("user", text)) == ["Shall I drop the table?"]


@pytest.mark.parametrize(
    ("question", "text", "kept"),
    [
        ("Shall I drop the table?", "No, don't.", "Shall I drop the table? - No, don't."),
        ("Shall I drop the table?", "Yes, do it.", "Shall I drop the table? - Yes, do it."),
        ("Oats or barley?", "barley", "Oats or barley? - barley"),
        ("Which cabin, 1 or 2?", "2", "Which cabin, 1 or 2? - 2"),
        ("Soll ich öffnen?", "Nein, noch nicht.", "Soll ich öffnen? - Nein, noch nicht."),
        (
            "Shall I refund the order?",
            "Yes. Then write to the customer that the money needs three days, and close the ticket afterwards.",
            "Shall I refund the order? - Yes.",
        ),
    ],
)
def test_an_answer_is_kept_with_what_it_answers(question: str, text: str, kept: str) -> None:
    ledger = noted(said("assistant", question), said("user", text))

    assert [one.text for one in ledger.evidence if one.kind is EvidenceKind.DECISION] == [kept]
    assert [one for one in ledger.obligations if one.kind is ObligationKind.CONFIRMATION] == []


def test_who_goes_on_to_something_else_has_not_answered() -> None:
    later = "Now look at the pumps of the lower basin and tell me which of them has to be replaced before winter."
    ledger = noted(said("assistant", "Shall I drop the table?"), said("user", later))

    assert [one.kind for one in ledger.obligations] == [ObligationKind.CONFIRMATION, ObligationKind.TASK]
    assert ledger.evidence == ()


@pytest.mark.parametrize(
    ("question", "said_next", "pair"),
    [
        ("Shall I wipe the disk?", "Meanwhile, read the manual of the pump.", None),
        ("Shall I wipe the disk?", "Look at the weather of tomorrow.", None),
        ("Oak or ash?", "ash", "Oak or ash? - ash"),
        ("Shall I wipe the disk?", "wipe only the second one", "Shall I wipe the disk? - wipe only the second one"),
        (
            "Which colour should the shutters have? And who pays the painter?",
            "Grey.",
            "Which colour should the shutters have? And who pays the painter? - Grey.",
        ),
    ],
)
def test_nobody_consents_by_speaking_of_something_else(question: str, said_next: str, pair: str | None) -> None:
    ledger = noted(said("assistant", question), said("user", said_next))

    assert [one.text for one in ledger.evidence] == ([pair] if pair else [])
    waits = [one.text for one in ledger.obligations if one.kind is ObligationKind.CONFIRMATION]
    assert waits == ([] if pair else [question])


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        (
            "Here's my plan:\n1. Drain the basin\n2. Weld the sill\n\nI begin.",
            ["1. Drain the basin", "2. Weld the sill"],
        ),
        ("## Plan:\n\n- call the hotel\n- book the ferry", ["call the hotel", "book the ferry"]),
        ("Steps:\n1) weigh the flour\n   not the coarse one\n2) knead", ["1. weigh the flour", "2. knead"]),
        (
            "**Updated plan for the ward:**\n1. ~~Take blood~~\n2. Call Dr. Lind\n3. Discharge bed 7 (done)",
            ["2. Call Dr. Lind"],
        ),
        ("Progress so far\n- [x] schema\n- [ ] migration\n- [ ] tests", ["migration", "tests"]),
        ("\u2705 schema\n\u2610 migration", ["migration"]),
        ("Nächste Schritte:\n1. Pegel messen\n2. Tor schließen", ["1. Pegel messen", "2. Tor schließen"]),
        ("计划:\n1. 排水\n2. 焊接", ["1. 排水", "2. 焊接"]),
    ],
)
def test_a_plan_may_be_written_as_text(text: str, plan: list[str]) -> None:
    assert owed(ObligationKind.PLAN, said("assistant", text)) == ["; ".join(plan)]
    assert owed(ObligationKind.PLAN, called("look", {}, text=text), answered("ok")) == ["; ".join(plan)]


@pytest.mark.parametrize(
    "text",
    [
        "Steps to reproduce:\n1. Open the gate\n2. Wait",
        "I found two problems:\n1. The hinge is rusty\n2. The paint is old",
        "The plan is fine.",
        "The plan worked:\n\u2705 tests pass\n\u2705 paint is dry",
        "My plan:\n1. Wait",
    ],
)
def test_other_lists_are_no_plans(text: str) -> None:
    assert owed(ObligationKind.PLAN, said("assistant", text)) == []


def test_what_is_done_of_a_plan_is_struck() -> None:
    plan = said("assistant", "Plan:\n1. Drain the basin\n2. Weld the sill\n3. Paint the gate")
    goes_on = said("user", "Go on.")

    assert owed(ObligationKind.PLAN, plan, goes_on, said("assistant", "Step 1 is done.")) == [
        "2. Weld the sill; 3. Paint the gate"
    ]
    assert owed(ObligationKind.PLAN, plan, goes_on, said("assistant", "Finished steps 1 and 2.")) == [
        "3. Paint the gate"
    ]
    assert owed(ObligationKind.PLAN, plan, goes_on, said("assistant", "Steps 1, 2 and 3 are completed.")) == []
    boxes = said("assistant", "- [x] Drain the basin\n- [x] Weld the sill")
    assert owed(ObligationKind.PLAN, plan, boxes) == []


TODOS = {"todos": [{"content": "weld the sill", "status": "pending"}]}


@pytest.mark.parametrize(
    ("tool", "arguments", "result", "extra"),
    [
        ("update_todos", {"todos": []}, "Error: todos must not be empty", {}),
        ("update_todos", {"todos": [{"content": "flood it", "status": "pending"}]}, "invalid", {"is_error": True}),
        ("update_plan", {"plan": [{"step": "flood it", "status": "pending"}]}, '{"success": false}', {}),
        ("exit_plan", {"plan": "1. flood it\n2. wait"}, "The user doesn't want to proceed with this.", {}),
    ],
)
def test_a_plan_that_could_not_be_written_replaces_none(
    tool: str, arguments: Json, result: str, extra: dict[str, Json]
) -> None:
    failed = Message(role="tool", parts=(ToolCallResponsePart(id="c2", response=result, extra=extra),))
    begin = called("update_todos", TODOS), answered("ok")

    assert owed(ObligationKind.PLAN, *begin, called(tool, arguments, "c2"), failed) == ["weld the sill"]
    assert owed(ObligationKind.PLAN, *begin, called(tool, arguments, "c2")) == ["weld the sill"]


def test_a_plan_in_words_holds_once_it_is_approved() -> None:
    plan = called("exit_plan", {"plan": "# The weir\n\n1. Drain it\n2. Weld the sill"})

    assert owed(ObligationKind.PLAN, plan, answered("User has approved your plan.")) == [
        "1. Drain it; 2. Weld the sill"
    ]


def test_a_long_plan_is_told_by_its_first_steps_and_hides_nothing() -> None:
    steps = [{"content": f"step {number} " + "of many " * 12, "status": "pending"} for number in range(12)]
    ledger = noted(said("user", "Repair it."), called("update_todos", {"todos": steps}), answered("ok"))
    (plan,) = [one for one in ledger.obligations if one.kind is ObligationKind.PLAN]

    assert len(plan.text) <= 700
    assert plan.text.endswith("more")
    text = render(Ledger(obligations=ledger.obligations), tokens_max=300, count_text=len)
    assert "asked: Repair it." in text
