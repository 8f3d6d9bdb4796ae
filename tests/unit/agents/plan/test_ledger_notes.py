"""What is noted of messages that leave a context in one compaction: what they did, and what they leave open."""

import json

import msgspec
import pytest
from support.conversations import Published

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import MessageInput, compact, with_limit
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.policy.ledger import LedgerRules
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.formats import write_context
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.ledger import Ledger, ObligationKind
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import CompactionPart, Json, TextPart, ToolCallPart, ToolCallResponsePart

LIMIT_TOKENS = 1_500


def count(message: Message, _model: str | None = None) -> int:
    return 4 + len(msgspec.json.encode(message.parts)) // 4


def said(role: str, text: str) -> Message:
    return Message(role=role, parts=(TextPart(content=text),))


def called(name: str, arguments: Json, call_id: str, text: str = "") -> Message:
    words = (TextPart(content=text),) if text else ()
    return Message(role="assistant", parts=(*words, ToolCallPart(id=call_id, name=name, arguments=arguments)))


def answered(response: Json, call_id: str, **extra: Json) -> Message:
    return Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response=response, extra=extra),))


def filler(rounds: int = 20) -> list[Message]:
    """Work that fills a context and owes nothing."""
    work: list[Message] = []
    for number in range(rounds):
        work += [
            called("look", {"at": f"basin {number}"}, f"f{number}"),
            answered("The water stands still and nothing happens. " * 6, f"f{number}"),
        ]
    return work


def left(*messages: Message) -> tuple[Ledger, str]:
    """The ledger once these have left, and what it shows."""
    policy = with_limit(Policy(ledger=LedgerRules(enabled=True)), LIMIT_TOKENS)
    told = [said("user", "Help me with the weirs."), *messages, *filler()]
    places = [MessageInput(message, created_at_ms=60_000 * place) for place, message in enumerate(told)]
    change = compact(places, Engine(policy, count), budget_tokens=LIMIT_TOKENS).plan.ledger
    assert change is not None
    shown = [
        part.content or ""
        for part in (change.message.parts if change.message else ())
        if isinstance(part, CompactionPart)
    ]
    return change.ledger, "\n".join(shown)


def done(ledger: Ledger) -> list[tuple[str, str, str]]:
    return [(one.kind.value, one.text, one.detail) for one in ledger.evidence if "look" not in one.text]


@pytest.mark.parametrize("lines", [1, 2_000])
@pytest.mark.parametrize(
    ("answer", "extra"),
    [
        ("Error: no match for the old text\n", {}),
        ("Here is the file as it is now:\n", {"is_error": True}),
        ([{"type": "text", "text": "Error: no match\n"}], {}),
    ],
)
def test_a_change_that_failed_is_told_as_tried_whatever_its_size(
    answer: Json, extra: dict[str, Json], lines: int
) -> None:
    if isinstance(answer, str):
        answer += "sill = 4\n" * lines
    ledger, _ = left(called("edit", {"path": "north.cfg"}, "c"), answered(answer, "c", **extra))

    assert done(ledger) == [("ran", "edit north.cfg", "error")]


@pytest.mark.parametrize("lines", [1, 2_000])
def test_an_exit_code_inside_of_json_is_read_whatever_the_size(lines: int) -> None:
    answer = msgspec.json.encode({"output": "level = 4\n" * lines, "exit_code": 2}).decode()
    ledger, _ = left(called("shell", {"command": "check north"}, "c"), answered(answer, "c"))

    assert done(ledger) == [("ran", "check north", "exit 2")]


def test_results_in_one_message_are_told_apart() -> None:
    calls = tuple(ToolCallPart(id=one, name="edit", arguments={"path": f"{one}.cfg"}) for one in ("north", "south"))
    results = (
        ToolCallResponsePart(id="north", response="Error: no match"),
        ToolCallResponsePart(id="south", response="ok"),
    )
    ledger, _ = left(Message(role="assistant", parts=calls), Message(role="user", parts=results))

    assert done(ledger) == [("ran", "edit north.cfg", "error"), ("changed", "south.cfg", "edit")]


#: What people have asked for, beside what else is open.
ASKED = frozenset((ObligationKind.TASK, ObligationKind.ADDED))


def open_of(ledger: Ledger) -> list[tuple[str, str]]:
    return [(one.kind.value, one.text) for one in ledger.obligations if one.kind not in ASKED]


def test_a_question_that_left_waits_until_it_is_answered() -> None:
    asks = said("assistant", "Shall I drop the table? Let me know.")
    aside = said("user", "By the way, use tabs.")
    question = [("confirmation", "Shall I drop the table?")]

    assert open_of(left(asks)[0]) == question
    assert open_of(left(asks, aside)[0]) == question
    assert open_of(left(asks, *filler(), aside)[0]) == question
    assert open_of(left(asks, aside, said("user", "No, don't."))[0]) == []


def test_a_question_beside_a_call_is_open_once_it_has_left() -> None:
    asks = called("look", {"at": "gate"}, "c", text="Should I repaint gate 7 as well? I look at its hinges.")

    assert open_of(left(asks, answered("rusty", "c"))[0]) == [("confirmation", "Should I repaint gate 7 as well?")]


def test_an_answer_is_told_with_its_question_also_where_only_that_one_has_left() -> None:
    asks, answers = said("assistant", "Shall I drop the table?"), said("user", "No, don't.")
    told = ("decision", "Shall I drop the table? - No, don't.", "")

    assert done(left(asks, answers)[0]) == [told]
    policy = with_limit(Policy(ledger=LedgerRules(enabled=True)), LIMIT_TOKENS)
    messages = [said("user", "Help me with the weirs."), asks, *filler(), answers]
    change = compact(
        [MessageInput(one) for one in messages], Engine(policy, count), budget_tokens=LIMIT_TOKENS
    ).plan.ledger
    assert change is not None
    assert told in done(change.ledger)
    assert open_of(change.ledger) == []


PLAN = "Here's my plan:\n1. Drain the basin\n2. Weld the sill\n3. Paint the gate\n\nShall I begin?"


def test_a_plan_that_was_written_as_text_is_told_once_it_has_left() -> None:
    plan = ("plan", "1. Drain the basin; 2. Weld the sill; 3. Paint the gate")
    beside = called("look", {"at": "gate"}, "c", text=PLAN.removesuffix("Shall I begin?"))

    assert open_of(left(said("assistant", PLAN), said("user", "Yes."))[0]) == [plan]
    assert open_of(left(beside, answered("ok", "c"), said("user", "Go on."))[0]) == [plan]
    assert open_of(left(said("assistant", PLAN), said("user", "Yes."), said("assistant", "Step 1 is done."))[0]) == [
        ("plan", "2. Weld the sill; 3. Paint the gate")
    ]


def test_the_plan_of_a_tool_that_is_newer_than_one_of_text_counts() -> None:
    todos = called("update_todos", {"todos": [{"content": "call the mason", "status": "pending"}]}, "c")
    messages = [said("assistant", PLAN), said("user", "Yes."), todos, answered("ok", "c")]

    assert open_of(left(*messages)[0]) == [("plan", "call the mason")]


def test_whoever_only_agrees_has_not_changed_the_task() -> None:
    policy = with_limit(Policy(ledger=LedgerRules(enabled=True)), LIMIT_TOKENS)
    asked = said("user", "Now repaint gate 7 in green.")
    again = [said("assistant", "One side of it is green. " * 20), said("user", "Yes, continue please.")]
    messages = [said("user", "Help me with the weirs."), asked, *filler(), *(again * 12)]
    change = compact(
        [MessageInput(one) for one in messages], Engine(policy, count), budget_tokens=LIMIT_TOKENS
    ).plan.ledger

    assert change is not None
    assert [one.text for one in change.ledger.obligations if one.kind in ASKED] == [
        "Help me with the weirs.",
        "Now repaint gate 7 in green.",
    ]


def test_what_was_said_before_a_question_answers_nothing_once_the_question_has_left() -> None:
    policy = with_limit(Policy(ledger=LedgerRules(enabled=True)), LIMIT_TOKENS)
    view = PartitionView()
    engine = Engine(policy=policy, count_tokens=count, catalogue=lambda _: LIMIT_TOKENS)
    asks = said("assistant", "Shall I wipe the disk?")
    messages = [said("user", "Yes, I am the owner."), said("user", "Look at the server."), asks, *filler(117)]
    for offset, message in enumerate(messages):
        record = Published(b"t", json.dumps(write_context([message], Format.OPENAI_CHAT)[0]).encode())
        process(view, record.at(offset), engine)
    (thread,) = view.threads.values()
    (entry,) = [entry for entry in thread.live() if entry.kind is EntryKind.LEDGER]

    assert entry.ledger is not None
    assert open_of(entry.ledger) == [("confirmation", "Shall I wipe the disk?")]
    assert "I am the owner" not in str([one.text for one in entry.ledger.evidence])


PROMISE = "I'll send the migration notes once the backup finishes."


def test_a_promise_that_left_outlasts_what_says_nothing_about_it() -> None:
    aside = [said("user", "What is the weather in the north office?"), said("assistant", "Sunny.")]
    promised = [("next_step", PROMISE)]

    assert open_of(left(said("assistant", PROMISE), *aside)[0]) == promised
    assert open_of(left(said("assistant", PROMISE), *filler(), *aside)[0]) == promised
    kept = said("assistant", "I have sent the migration notes.")
    edited = [called("edit", {"path": "north.cfg"}, "c"), answered("ok", "c")]
    assert open_of(left(*edited, said("assistant", PROMISE), *aside, kept)[0]) == []


def test_work_that_goes_on_is_told_once_its_call_has_left() -> None:
    begun = [called("Bash", {"command": "npm run dev", "run_in_background": True}, "c")]
    begun.append(answered("Command running in background with ID: bash_1", "c"))
    ledger, shown = left(*begun)

    assert open_of(ledger) == [("background", "Bash npm run dev [bash_1]")]
    assert "- still running: Bash npm run dev [bash_1]" in shown
    ended = [called("KillShell", {"shell_id": "bash_1"}, "k"), answered("Killed shell bash_1", "k")]
    assert open_of(left(*begun, *ended)[0]) == []


def test_a_plan_whose_call_failed_is_told_by_nobody() -> None:
    good = [
        called("update_todos", {"todos": [{"content": "weld the sill", "status": "pending"}]}, "a"),
        answered("ok", "a"),
    ]
    bad = called("update_todos", {"todos": [{"content": "flood the town", "status": "pending"}]}, "b")

    assert open_of(left(*good, bad, answered("Error: not now", "b"))[0]) == [("plan", "weld the sill")]
    assert open_of(left(*good, bad, answered("Look again", "b", is_error=True))[0]) == [("plan", "weld the sill")]


def test_whoever_drops_everything_leaves_nothing_open() -> None:
    messages = [said("assistant", PLAN), said("user", "Yes."), said("assistant", PROMISE)]

    assert open_of(left(*messages)[0]) != []
    assert open_of(left(*messages, said("user", "Drop all of that."))[0]) == []


def test_what_a_person_chose_by_a_tool_is_told_without_its_secrets() -> None:
    asked = called("ask_user", {"question": "Which database?"}, "c")
    ledger, shown = left(asked, answered("Postgres", "c"))

    assert done(ledger) == [("decision", "Which database? - Postgres", "the user, by ask_user")]
    assert "- decided: Which database? - Postgres (the user, by ask_user)" in shown
    key = "sk-ant-api03-" + "Ab1" * 30
    assert key not in left(asked, answered(f"Use {key}", "c"))[1]


def test_secrets_in_what_is_owed_are_masked() -> None:
    key = "sk-ant-api03-" + "Ab1" * 30
    _, shown = left(said("assistant", f"I'll rotate the key {key} once the backup finishes."))

    assert "promised: I'll rotate the key" in shown
    assert key not in shown


def test_what_is_owed_is_the_same_in_one_compaction_and_in_many() -> None:
    policy = with_limit(Policy(ledger=LedgerRules(enabled=True)), LIMIT_TOKENS)
    view = PartitionView()
    engine = Engine(policy=policy, count_tokens=count, catalogue=lambda _: LIMIT_TOKENS)
    messages = [
        said("user", "Repair the weir."),
        said("assistant", PROMISE),
        *filler(40),
        called("start_export", {"table": "gates"}, "e"),
        answered('{"job_id": "exp-17", "status": "queued"}', "e"),
        *(one for number in range(3) for one in _work(f"g{number}", 40)),
        said("user", "What is the weather?"),
        said("assistant", "Sunny."),
        *_work("h", 60),
    ]
    for offset, message in enumerate(messages):
        (written,) = write_context([message], Format.OPENAI_CHAT)
        process(view, Published(b"t", json.dumps(written).encode()).at(offset), engine)
    (thread,) = view.threads.values()
    (entry,) = [entry for entry in thread.live() if entry.kind is EntryKind.LEDGER]

    assert entry.ledger is not None
    # The ledger holds what is open in messages that are there, too, and does not show it.
    owed = [one for one in open_of(entry.ledger) if one[0] != ObligationKind.OPEN_CALL]
    assert owed == [("next_step", PROMISE), ("background", "start_export gates [exp-17]")]
    assert b"waits for a result" not in bytes(entry.message)


def _work(name: str, rounds: int) -> list[Message]:
    work: list[Message] = []
    for number in range(rounds):
        call_id = f"{name}{number}"
        work += [called("look", {"at": f"basin {number}"}, call_id), answered("Nothing happens here. " * 12, call_id)]
    return work


def test_calls_of_others_push_nothing_out_that_the_assistant_said_beside_its_own() -> None:
    question = "Before I go on: do you want me to delete the old logs?"
    others = [
        one
        for number in range(31)
        for one in (
            msgspec.structs.replace(called("look", {}, f"o{number}", "Reading on."), role="system"),
            answered("nothing", f"o{number}"),
        )
    ]
    ledger, _ = left(called("look", {}, "q", question), answered("nothing", "q"), *others)
    assert ObligationKind.CONFIRMATION in {one.kind for one in ledger.obligations}
