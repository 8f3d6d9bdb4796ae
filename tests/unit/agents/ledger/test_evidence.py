"""What counts as done: what a tool says it did, not what it was asked for."""

import json
from typing import Any

import pytest
from support.growing_ledger import note

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.render import render
from tailrace.schemas.records.ledger import Ledger
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import Json, TextPart, ToolCallPart, ToolCallResponsePart


def called(name: str, arguments: Json, call_id: str = "c1") -> Message:
    return Message(role="assistant", parts=(ToolCallPart(id=call_id, name=name, arguments=arguments),))


def answered(response: Json, call_id: str = "c1", **extra: Json) -> Message:
    return Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response=response, extra=extra),))


def said(role: str, text: str) -> Message:
    return Message(role=role, parts=(TextPart(content=text),))


def noted(*messages: Message) -> Ledger:
    book = Book()
    ledger = Ledger()
    for place, message in enumerate(messages):
        book.note(message, event_id=f"m{place}", turn=place, created_at_ms=0)
        ledger = note(ledger, message, event_id=f"m{place}", turn=place, created_at_ms=0)
    assert book.ledger == ledger
    return ledger


def evidence(*messages: Message) -> list[tuple[str, str, str]]:
    return [(one.kind.value, one.text, one.detail) for one in noted(*messages).evidence if not one.call]


@pytest.mark.parametrize(
    ("tool", "arguments", "answer", "extra", "told"),
    [
        ("edit_file", {"path": "north.cfg"}, "Error: no match for the old text", {}, "edit_file north.cfg"),
        ("Write", {"file_path": "north.cfg"}, "disk full", {"is_error": True}, "Write north.cfg"),
        ("Write", {"file_path": "north.cfg"}, "disk full", {"status": "error"}, "Write north.cfg"),
        ("save_chart", {"path": "ward/7.pdf"}, {"success": False}, {}, "save_chart ward/7.pdf"),
        ("book_table", {"guests": "4 at eight"}, '{"error": "no table left"}', {}, "book_table 4 at eight"),
        ("refund_order", {"order_id": "A-17"}, {"error": "already refunded"}, {}, "refund_order A-17"),
    ],
)
def test_a_change_that_failed_was_tried_and_not_made(
    tool: str, arguments: Json, answer: Json, extra: dict[str, Any], told: str
) -> None:
    assert evidence(called(tool, arguments), answered(answer, **extra)) == [("ran", told, "error")]


def test_a_patch_that_failed_changed_none_of_its_files() -> None:
    patch = "*** Begin Patch\n*** Update File: weirs/a.py\n+1\n*** Add File: weirs/b.py\n+2\n*** End Patch"

    assert evidence(called("apply_patch", {"input": patch}), answered("Failed to apply: hunk 1 did not match")) == [
        ("ran", "Update weirs/a.py", "error"),
        ("ran", "Add weirs/b.py", "error"),
    ]


def test_what_was_changed_before_stays_changed_and_what_works_at_last_is_no_failure_any_more() -> None:
    change = {"path": "north.cfg"}
    done = [called("edit", change, "c1"), answered("ok", "c1")]
    tried = [called("edit", change, "c2"), answered("Error: file is locked", "c2")]
    again = [called("edit", change, "c3"), answered("ok", "c3")]

    assert evidence(*done, *tried) == [("changed", "north.cfg", "edit"), ("ran", "edit north.cfg", "error")]
    assert evidence(*done, *tried, *again) == [("changed", "north.cfg", "edit")]


def test_a_file_that_could_not_be_read_was_not() -> None:
    assert evidence(called("read", {"path": "gone.cfg"}), answered("Error: no such file")) == []
    assert evidence(called("read", {"path": "gone.cfg"}), answered("nothing", is_error=True)) == []


def test_what_has_no_result_yet_is_open_and_not_done() -> None:
    ledger = noted(called("edit_file", {"path": "north.cfg"}))
    shown = render(ledger, tokens_max=1_000, count_text=len)

    assert "waits for a result: edit_file north.cfg" in shown
    assert "changed" not in shown


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("str_replace_editor", {"command": "view", "path": "a.py"}, ("read", "a.py", "")),
        (
            "str_replace_editor",
            {"command": "view", "path": "a.py", "view_range": [3, 9]},
            ("read", "a.py", "lines 3-9"),
        ),
        (
            "str_replace_editor",
            {"command": "view", "path": "a.py", "view_range": [3, -1]},
            ("read", "a.py", "lines 3-end"),
        ),
        ("str_replace_editor", {"command": "create", "path": "a.py"}, ("changed", "a.py", "create")),
        ("str_replace_editor", {"command": "str_replace", "path": "a.py"}, ("changed", "a.py", "str_replace")),
        ("str_replace_based_edit_tool", {"command": "insert", "path": "a.py"}, ("changed", "a.py", "insert")),
        ("text_editor", {"command": "undo_edit", "path": "a.py"}, ("changed", "a.py", "undo_edit")),
        ("edit_file", {"mode": "preview", "path": "a.py"}, ("read", "a.py", "")),
        ("edit_file", {"mode": "overwrite", "path": "a.py"}, ("changed", "a.py", "overwrite")),
        ("file", {"action": "read", "path": "a.py"}, ("read", "a.py", "")),
        ("file", {"operation": "delete", "path": "a.py"}, ("changed", "a.py", "delete")),
        ("files", {"op": "list", "path": "weirs"}, ("read", "weirs", "")),
        ("edit_file", {"mode": "0644", "path": "a.py"}, ("changed", "a.py", "edit_file")),
    ],
)
def test_a_tool_for_several_things_did_what_it_was_told_to_do(
    tool: str, arguments: Json, told: tuple[str, str, str]
) -> None:
    assert evidence(called(tool, arguments), answered("ok")) == [told]
    assert evidence(called(tool, json.dumps(arguments)), answered("ok")) == [told]


def test_an_action_is_told_where_there_is_no_path() -> None:
    assert evidence(called("calendar", {"action": "create", "title": "Visit of the ward"}), answered("ok")) == [
        ("changed", "calendar create Visit of the ward", "")
    ]
    assert evidence(called("calendar", {"action": "list", "month": "May"}), answered("ok")) == []
    assert evidence(called("todo", {"action": "add", "text": "weld"}), answered("ok")) == []


@pytest.mark.parametrize("tool", ["bash", "run_in_terminal", "exec_command"])
def test_one_word_for_a_shell_is_a_program(tool: str) -> None:
    assert evidence(called(tool, {"command": "make"}), answered("exit code 0")) == [("ran", "make", "exit 0")]


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        ({"stdout": "", "exit_code": 2}, "exit 2"),
        (json.dumps({"output": json.dumps({"returncode": 1})}), "exit 1"),
        ("<exit_code>1</exit_code>", "exit 1"),
        ("first: exit code 0\nthen: exit code 3", "exit 3"),
        ([{"type": "text", "text": "Exit code: 4"}], "exit 4"),
    ],
)
def test_a_command_is_told_with_the_exit_code_it_ended_with(answer: Json, ending: str) -> None:
    assert evidence(called("shell", {"command": "check north"}), answered(answer)) == [("ran", "check north", ending)]


def test_of_a_command_that_its_producer_calls_failed_no_more_is_known() -> None:
    messages = [called("shell", {"command": "check north"}), answered("stopped", is_error=True)]

    assert evidence(*messages) == [("ran", "check north", "error")]


def decisions(*messages: Message) -> list[str]:
    return [text for kind, text, _ in evidence(*messages) if kind == "decision"]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("We decided to use Redis.", "We decided against Redis, Postgres instead."),
        ("I chose oak for the frame.", "After the quote I chose pine instead of oak because it is lighter."),
        ("The team agreed on the north route.", "Decision: the south route rather than the north route."),
        (
            "Going with Lufthansa for the flight.",
            "I changed my mind and switched away from Lufthansa, SAS has a free seat.",
        ),
        ("Wir haben uns für Kupfer entschieden.", "Wir haben uns gegen Kupfer entschieden."),
        ("On a décidé de prendre le train.", "On a décidé de prendre le bus au lieu de prendre le train."),
    ],
)
def test_a_decision_that_is_taken_back_by_name_is_gone(first: str, later: str) -> None:
    kept = "We decided to paint gate 7 green."

    assert decisions(*(said("assistant", text) for text in (first, kept, later))) == [kept, later]


def test_a_person_may_take_a_decision_back() -> None:
    later = said("user", "Thanks. We are no longer using Redis, by the way.")

    assert decisions(said("assistant", "We decided to use Redis."), later) == [
        "We are no longer using Redis, by the way."
    ]


@pytest.mark.parametrize(
    "later",
    [
        "We decided to keep the cache at 5 minutes instead of 10.",
        "We decided against paint for the fence.",
        "We decided that nobody drops the table.",
    ],
)
def test_other_decisions_stand_and_the_newest_comes_first(later: str) -> None:
    first = "We decided to use Redis for the cache."
    ledger = noted(said("assistant", first), said("assistant", later))
    shown = render(ledger, tokens_max=1_000, count_text=len)

    assert 0 < shown.index(later) < shown.index(first)


def test_all_decisions_of_a_report_are_noted_in_its_order() -> None:
    report = "We decided to use Redis. Tests pass. Later we decided against Redis. We decided on Postgres."

    assert decisions(said("assistant", report)) == ["Later we decided against Redis.", "We decided on Postgres."]


def test_nobody_decides_by_asking() -> None:
    book = Book()
    asks = Message(role="assistant", parts=(TextPart(content="Have you decided on oats? We decided on barley."),))
    book.note(asks, event_id="m1", turn=1, created_at_ms=0)

    assert [one.text for one in book.ledger.evidence] == ["We decided on barley."]
