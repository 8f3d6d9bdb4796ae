"""What is known of a tool result: who has the first word, what is derived, and what is left unknown."""

import json
from typing import Any

import pytest

from tailrace.agents.messages.envelope import (
    KEY_FIELD_CHARS_MAX,
    KEY_FIELDS_MAX,
    Call,
    content_hash,
    envelope_of,
    given_for,
    rule_for,
    told_by,
)
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.envelope import Determinism, Durability, Outcome, Timing, ToolEnvelope
from tailrace.schemas.records.parts import ToolCallPart, ToolCallResponsePart

NOTHING = ToolEnvelope()


def made(
    text: str = "some words", *, given: ToolEnvelope = NOTHING, tool: str | None = "look", **more: Any
) -> ToolEnvelope:
    part = ToolCallResponsePart(id="c1", response=text, extra=more.pop("extra", {}))
    call = Call(ToolCallPart(id="c1", name=tool, arguments=more.pop("arguments", {})), more.pop("called_at_ms", 0))
    return envelope_of(
        part,
        text,
        call if tool else None,
        given,
        rules=more.pop("rules", {}),
        whole_hash=more.pop("whole_hash", content_hash(text)),
        answered_at_ms=more.pop("answered_at_ms", 0),
    )


def test_a_plain_result_has_the_name_of_its_call_and_a_hash() -> None:
    found = made("17 metres", tool="read_level")

    assert (found.call_id, found.name) == ("c1", "read_level")
    assert found.determinism == Determinism(content_hash=content_hash("17 metres"))
    assert found.outcome is Outcome.UNKNOWN
    assert found.key_fields == {}


def test_without_a_call_nothing_is_made_up() -> None:
    found = made("17 metres", tool=None)

    assert (found.name, found.durability, found.timing) == (None, None, None)


TRACEBACK = 'Traceback (most recent call last):\n  File "g.py", line 9, in open\n    lift()\nweir.GateError: stuck'


@pytest.mark.parametrize(
    ("text", "extra", "outcome"),
    [
        ("all good\nexit code: 0", {}, Outcome.OK),
        ("Process exited with code 3", {}, Outcome.ERROR),
        ("exit status 0\n" + "x\n" * 9_000, {}, Outcome.OK),
        ('{"exit_code": 2, "output": ""}', {}, Outcome.ERROR),
        ('{"returncode": 0}', {}, Outcome.OK),
        ('{"exit_code": true}', {}, Outcome.UNKNOWN),
        ("Error: no such gate", {}, Outcome.ERROR),
        ("the word Error: in the middle", {}, Outcome.UNKNOWN),
        ("all good", {"is_error": True}, Outcome.ERROR),
        ("exit code: 0", {"status": "error"}, Outcome.ERROR),
        ("", {}, Outcome.UNKNOWN),
        ("step 1: exit code: 1\nonce more\nstep 2: exit code: 0", {}, Outcome.OK),
        ("step 1: exit code: 0\nstep 2: exit code: 7", {}, Outcome.ERROR),
        ("Exit code: 0\nWall time: 1.2 seconds\nOutput:\nthe other one had exit code 3", {}, Outcome.OK),
        ("Wall time: 1.2 seconds\nProcess exited with code 2\nOutput:\nexit code 0", {}, Outcome.ERROR),
        (f"levels\n{TRACEBACK}", {}, Outcome.ERROR),
        (f"levels\n{TRACEBACK}\nDuring handling of the above, another:\n\n{TRACEBACK}\n\n", {}, Outcome.ERROR),
        (f"levels\n{TRACEBACK}\nexit code: 0", {}, Outcome.OK),
        (f"levels\n{TRACEBACK}\n" + "gate 9 goes on\n" * 5, {}, Outcome.UNKNOWN),
        ("Traceback (most recent call last):\n  is how they begin", {}, Outcome.ERROR),
        ("levels\nTraceback (most recent call last):\n  is how they begin", {}, Outcome.UNKNOWN),
        ("ok\nTypeError: no gate\n    at open (/g.js:3:9)\n    at /g.js:9:1\n\nNode.js v22.1.0\n", {}, Outcome.ERROR),
        ('a\nException in thread "main" weir.GateException: no\n\tat weir.Gate.open(Gate.java:7)', {}, Outcome.ERROR),
        ("    at the weir (all of it):\n    at noon (as always)", {}, Outcome.UNKNOWN),
        ("a\nthread 'main' panicked at src/main.rs:2:5:\nno gate\nnote: run with it", {}, Outcome.ERROR),
    ],
)
def test_the_outcome_is_read_from_what_the_tool_says(text: str, extra: dict[str, Any], outcome: Outcome) -> None:
    assert made(text, extra=extra, tool="bash").outcome is outcome


def test_what_a_tool_that_only_looks_has_found_is_no_error_of_its_own() -> None:
    assert made(f"levels\n{TRACEBACK}", tool="read_file").outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("exit code: -1", "-1"),
        ("exited with code -1073741819", "-1073741819"),
        ("exit code 3221225477", "3221225477"),
        ("exit code: 0xC0000005", "3221225477"),
        ("exit_code=0x0", "0"),
    ],
)
def test_exit_codes_have_signs_and_those_of_windows_are_long(said: str, code: str) -> None:
    found = made(f"The process {said}.")

    assert found.key_fields == {"exit_code": code}
    assert found.outcome is (Outcome.OK if code == "0" else Outcome.ERROR)


def test_key_fields_are_the_few_that_stand_for_the_whole() -> None:
    text = json.dumps({"id": 7, "note": "no", "gate_id": "g-9", "ids": [1], "ratio": 0.5, "total": 0.5, "exit_code": 4})

    assert made(text).key_fields == {"exit_code": "4", "id": "7", "gate_id": "g-9", "total": "0.5"}


def test_key_fields_are_bounded_in_number_and_length_and_the_exit_code_is_always_among_them() -> None:
    fields = {f"n{number}_id": "x" * 500 for number in range(20)} | {"exit_code": 1}

    found = made(json.dumps(fields)).key_fields

    assert len(found) == KEY_FIELDS_MAX
    assert found["exit_code"] == "1"
    assert max(map(len, found.values())) == KEY_FIELD_CHARS_MAX


@pytest.mark.parametrize("text", ["{", '{"a"', "{" * 50_000, '{"id": ' + "9" * 5_000 + "}", '{"id": "\ud800"}', "[1]"])
def test_broken_json_is_a_text_like_any_other(text: str) -> None:
    assert made(text).key_fields == {}


@pytest.mark.parametrize(
    ("tool", "arguments", "durability"),
    [
        ("send_mail", {}, Durability.NON_REPLAYABLE),
        ("bash", {"command": "rm -r build"}, Durability.NON_REPLAYABLE),
        ("read_file", {}, Durability.REPLAYABLE),
        ("anything", {"path": "levels.csv"}, Durability.REPLAYABLE),
        ("anything", {}, None),
    ],
)
def test_durability_is_derived_from_what_the_call_does(
    tool: str, arguments: dict[str, Any], durability: Durability | None
) -> None:
    assert made(tool=tool, arguments=arguments).durability is durability


def test_the_policy_overrules_the_producer_who_overrules_what_is_derived() -> None:
    given = ToolEnvelope(durability=Durability.EPHEMERAL)
    rules = {
        "read_*": ToolRule(durability=Durability.ANCHORING),
        "read_file": ToolRule(durability=Durability.REPLAYABLE),
    }

    assert made(tool="read_file").durability is Durability.REPLAYABLE
    assert made(tool="read_file", given=given).durability is Durability.EPHEMERAL
    assert made(tool="read_file", given=given, rules=rules).durability is Durability.ANCHORING
    assert made(tool="send_mail", given=given, rules=rules).durability is Durability.EPHEMERAL


def test_a_rule_without_a_durability_leaves_the_word_to_the_producer() -> None:
    given = ToolEnvelope(durability=Durability.EPHEMERAL)

    assert made(given=given, rules={"*": ToolRule(distill=False)}).durability is Durability.EPHEMERAL


def test_the_first_pattern_that_fits_counts() -> None:
    first, second = ToolRule(distill=True), ToolRule(distill=False)

    assert rule_for("git_log", {"git_*": first, "*": second}) is first
    assert rule_for("ls", {"git_*": first, "*": second}) is second
    assert rule_for("ls", {}) == ToolRule()


def test_what_the_producer_knows_stays_as_it_said_it() -> None:
    given = ToolEnvelope(
        name="level",
        outcome=Outcome.OK,
        key_fields={"gate": "9"},
        determinism=Determinism(etag="e1"),
        timing=Timing(started_at_ms=5, duration_ms=6),
    )

    found = made('{"exit_code": 1, "etag": "other", "version": 3}', given=given)

    assert (found.name, found.outcome, found.key_fields) == ("level", Outcome.OK, {"gate": "9"})
    assert found.timing == given.timing
    assert found.determinism is not None
    assert (found.determinism.etag, found.determinism.content_version) == ("e1", "3")


def test_timing_is_known_where_the_call_has_a_time_before_the_answer() -> None:
    assert made(called_at_ms=100, answered_at_ms=130).timing == Timing(started_at_ms=100, duration_ms=30)
    assert made(called_at_ms=100, answered_at_ms=99).timing is None
    assert made(called_at_ms=0, answered_at_ms=99).timing is None


def test_marks_of_determinism_are_read_from_the_answer() -> None:
    found = made('{"etag": "a", "mtime": 17, "revision": "r9"}').determinism

    assert found is not None
    assert (found.etag, found.modified_at, found.content_version) == ("a", "17", "r9")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Determinism(), Determinism(), False),
        (Determinism(etag="a"), Determinism(), False),
        (Determinism(etag="a"), Determinism(content_hash="h"), False),
        (Determinism(etag="a"), Determinism(etag="a"), True),
        (Determinism(etag="a", content_hash="h"), Determinism(etag="a", content_hash="i"), False),
        (Determinism(etag="a", content_hash="h"), Determinism(etag="a"), True),
    ],
)
def test_what_is_not_known_counts_as_changed(one: Determinism, other: Determinism, *, same: bool) -> None:
    assert one.same_as(other) is same
    assert other.same_as(one) is same


def test_what_was_not_read_to_its_end_has_no_hash() -> None:
    one, other = made("same beginning", whole_hash=None), made("same beginning", whole_hash=None)

    assert one.determinism is not None
    assert other.determinism is not None
    assert not one.determinism.same_as(other.determinism)


def test_an_envelope_is_found_by_its_call_else_by_its_place() -> None:
    part = ToolCallResponsePart(id="c2", response="")
    by_call, first, second = ToolEnvelope(call_id="c2"), ToolEnvelope(name="a"), ToolEnvelope(name="b")

    assert given_for(part, 0, (first, by_call)) is by_call
    assert given_for(part, 1, (first, second)) is second
    assert given_for(part, 2, (first, second)) == NOTHING
    assert given_for(part, 0, (ToolEnvelope(call_id="c1", name="a"),)) == NOTHING


def test_what_a_call_was_told_is_its_path_else_its_command_else_the_rest() -> None:
    def call(**arguments: str) -> ToolCallPart:
        return ToolCallPart(id="c", name="any", arguments=arguments)

    assert told_by(call(path="a/b.csv", command="cat")) == "a/b.csv"
    assert told_by(call(command="cat b.csv")) == "cat b.csv"
    assert told_by(call(query="levels")) == "levels"
    assert told_by(None) == ""
