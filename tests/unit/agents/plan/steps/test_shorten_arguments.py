"""Long arguments of old calls are cut value by value, and stay arguments of the same form."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drafts import calls, draft, shown, take, user, words
from support.strategies import json_values, patient

from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.messages.short_arguments import shorter_arguments
from tailrace.schemas.policy.steps import ShortenArguments
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart

LONG = words(200)
STEP = ShortenArguments(value_chars_max=60)
LATER = [user(), user()]


def arguments(said: MessageInput, step: ShortenArguments = STEP) -> Any:
    """Arguments of a call that was made some turns ago, after the step."""
    call = said.message.parts[-1]
    assert isinstance(call, ToolCallPart)
    part = shown(take(step, draft([user(), said, *LATER, *LATER])))[1].parts[-1]
    assert isinstance(part, ToolCallPart)
    assert (part.id, part.name) == (call.id, call.name)
    return part.arguments


def test_a_long_value_is_cut_and_says_how_long_it_was() -> None:
    found = json.loads(arguments(calls("a", arguments={"path": "a.py", "content": LONG, "mode": 7})))

    assert (found["path"], found["mode"]) == ("a.py", 7)
    assert found["content"].startswith("word0 word1")
    assert found["content"].endswith(f"... [{len(LONG)} characters in all]")
    assert len(found["content"]) == 60


def test_values_inside_of_lists_and_objects_are_cut_too() -> None:
    found = json.loads(arguments(calls("a", arguments={"edits": [{"old": LONG, "new": ["x", LONG]}]})))

    assert len(found["edits"][0]["old"]) == 60
    assert found["edits"][0]["new"][0] == "x"
    assert len(found["edits"][0]["new"][1]) == 60


def test_an_object_stays_an_object_and_the_message_keeps_what_else_it_says() -> None:
    call = ToolCallPart(id="a", name="write", arguments={"content": LONG})
    said = MessageInput(Message(role="assistant", parts=(TextPart(content="Now I write."), call)))

    found = arguments(said)

    assert isinstance(found, dict)
    assert len(found["content"]) == 60


@pytest.mark.parametrize("text", [LONG, "{" + LONG, '{"a": 1} ' + LONG, ""])
def test_text_that_is_no_json_stays(text: str) -> None:
    assert arguments(calls("a", arguments=text)) == text


def test_calls_of_the_last_turns_stay() -> None:
    talk = [user(), calls("a", arguments={"x": LONG}), user(), calls("b", arguments={"x": LONG}), user(), user()]

    one = take(ShortenArguments(keep_turns=3, value_chars_max=60), draft(talk))

    assert [item.action for group in one.groups for item in group.items if item.message.call_ids] == [
        Action.CLEAR,
        Action.INCLUDE,
    ]


def test_what_is_kept_stays() -> None:
    said = calls("a", arguments={"x": LONG}, pinned=True)

    assert json.loads(arguments(said)) == {"x": LONG}


def keys(value: Any) -> Any:
    """The shape of a value: keys, lengths and kinds, without the texts."""
    if isinstance(value, dict):
        return {key: keys(child) for key, child in value.items()}
    if isinstance(value, list):
        return [keys(child) for child in value]
    return str if isinstance(value, str) else value


def longest(value: Any) -> int:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max([len(value) if isinstance(value, str) else 0, *map(longest, children)])


LAW = st.dictionaries(st.text(max_size=5), json_values | st.text(min_size=20), max_size=4)


@patient
@given(LAW, st.integers(1, 40))
def test_the_same_keys_and_numbers_with_no_string_that_is_too_long(whole: dict[str, Any], chars_max: int) -> None:
    for given_as in (whole, json.dumps(whole)):
        found = shorter_arguments(given_as, chars_max)

        assert type(found) is type(given_as)
        value = json.loads(found) if isinstance(found, str) else found
        assert keys(value) == keys(whole)
        assert longest(value) <= chars_max or (found is given_as and len(given_as) <= chars_max)
        assert shorter_arguments(found, chars_max) == found


@pytest.mark.parametrize("number", ["1e999", str(10**30), "-0.0", "1e-9"])
def test_numbers_are_never_changed(number: str) -> None:
    odd = f'{{"n": {number}, "x": "{LONG}"}}'

    assert json.loads(shorter_arguments(odd, 60))["n"] == json.loads(odd)["n"]
