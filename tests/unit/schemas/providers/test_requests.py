"""Requests: what each provider's call takes, and how a context that an API would refuse is repaired."""

from typing import Any

import pytest

from tailrace.schemas.errors import UnknownVersion
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import CompactionPart, GenericPart, TextPart, ToolCallPart, ToolCallResponsePart

CHAT, RESPONSES, ANTHROPIC, GEMINI = (
    Format.OPENAI_CHAT,
    Format.OPENAI_RESPONSES,
    Format.ANTHROPIC_MESSAGES,
    Format.GEMINI,
)
PROVIDERS = [CHAT, RESPONSES, ANTHROPIC, GEMINI]

NO_RESULT = "[no result yet]"
BEGINNING = "[The conversation begins with the assistant.]"


def say(role: str, content: str) -> Message:
    return Message(role=role, parts=(TextPart(content=content),))


def call(*call_ids: str, name: str = "read") -> Message:
    return Message(role="assistant", parts=tuple(ToolCallPart(id=call_id, name=name) for call_id in call_ids))


def answer(call_id: str, text: str = "ok") -> Message:
    return Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response=text),))


def native(source: Format, *messages: dict[str, Any]) -> list[Message]:
    return [read_native(source, message) for message in messages]


def sent(messages: list[Message], target: Format) -> dict[str, Any]:
    """Return the request, which must break no rule."""
    request = request_of(messages, target)
    assert violations(request, target) == []
    return request


TURN = [say("system", "be brief"), say("user", "look"), call("a"), answer("a", "1"), say("assistant", "done")]


def test_each_provider_gets_the_arguments_that_its_call_takes() -> None:
    assert sent(TURN, CHAT) == {
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "look"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "a", "type": "function", "function": {"name": "read", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "a", "content": "1"},
            {"role": "assistant", "content": "done"},
        ]
    }
    assert sent(TURN, RESPONSES) == {
        "input": [
            {"type": "message", "role": "system", "content": "be brief"},
            {"type": "message", "role": "user", "content": "look"},
            {"type": "function_call", "call_id": "a", "name": "read", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "1"},
            {"type": "message", "role": "assistant", "content": "done"},
        ]
    }
    assert sent(TURN, ANTHROPIC) == {
        "system": "be brief",
        "messages": [
            {"role": "user", "content": "look"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]},
            {"role": "assistant", "content": "done"},
        ],
    }
    assert sent(TURN, GEMINI) == {
        "system_instruction": {"parts": [{"text": "be brief"}]},
        "contents": [
            {"role": "user", "parts": [{"text": "look"}]},
            {
                "role": "model",
                "parts": [
                    {
                        "functionCall": {"id": "a", "args": {}, "name": "read"},
                        "thoughtSignature": "skip_thought_signature_validator",
                    }
                ],
            },
            {
                "role": "user",
                "parts": [{"functionResponse": {"id": "a", "name": "read", "response": {"output": "1"}}}],
            },
            {"role": "model", "parts": [{"text": "done"}]},
        ],
    }
    assert request_of(TURN[:1], Format.TAILRACE) == {
        "messages": [{"role": "system", "parts": [{"type": "text", "content": "be brief"}]}]
    }


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownVersion, match=r"message format 'cohere' is not known\. Known: tailrace/1"):
        request_of(TURN, "cohere")


# Calls and answers


@pytest.mark.parametrize("target", PROVIDERS)
@pytest.mark.parametrize(
    "broken",
    [
        [call("a", "b"), answer("b")],
        [call("a"), say("user", "wait"), answer("a")],
        [answer("a"), call("a")],
        [call("a"), answer("a"), answer("a")],
        [call("a"), answer("b"), answer("a")],
        [call("a"), call("b"), answer("b"), answer("a")],
        [call("a"), answer("a"), call("a"), answer("a")],
        [call("a", "a"), answer("a"), answer("a")],
        [call("functions.read:0"), answer("functions.read:0")],
        [call("i" * 90), answer("i" * 90)],
        [call("a", name="files.read"), answer("a")],
        [call("a", name=""), answer("a")],
    ],
)
def test_calls_and_answers_are_brought_together(broken: list[Message], target: Format) -> None:
    sent([say("user", "look"), *broken], target)


def test_a_call_without_an_answer_gets_one_behind_those_of_its_group() -> None:
    request = sent([say("user", "look"), call("a", "b"), answer("b", "2"), say("user", "and?")], ANTHROPIC)
    assert request["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": "b", "content": "2"},
        {"type": "tool_result", "tool_use_id": "a", "content": NO_RESULT},
        {"type": "text", "text": "and?"},
    ]
    request = sent([say("user", "look"), call("a", "b"), answer("b", "2")], CHAT)
    assert [(m["tool_call_id"], m["content"]) for m in request["messages"][2:]] == [("b", "2"), ("a", NO_RESULT)]


def test_gemini_gets_responses_in_the_order_of_the_calls() -> None:
    request = sent([say("user", "look"), call("a", "b"), answer("b", "2")], GEMINI)
    responses = [part["functionResponse"]["response"] for part in request["contents"][2]["parts"]]
    assert responses == [{"output": NO_RESULT}, {"output": "2"}]


def test_what_stood_between_a_call_and_its_answer_comes_after() -> None:
    thread = [say("user", "look"), call("a"), say("user", "hurry"), answer("a", "1")]
    assert [m["role"] for m in sent(thread, CHAT)["messages"]] == ["user", "assistant", "tool", "user"]
    assert [item.get("call_id") for item in sent(thread, RESPONSES)["input"]] == [None, "a", "a", None]


def test_parallel_calls_that_came_one_by_one_are_one_message() -> None:
    thread = native(
        RESPONSES,
        {"role": "user", "content": "look"},
        {"type": "function_call", "call_id": "a", "name": "read", "arguments": "{}"},
        {"type": "message", "role": "assistant", "content": "and"},
        {"type": "function_call", "call_id": "b", "name": "read", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"type": "function_call_output", "call_id": "b", "output": "2"},
    )
    chat = sent(thread, CHAT)["messages"]
    assert [m["role"] for m in chat] == ["user", "assistant", "tool", "tool"]
    assert (chat[1]["content"], [made["id"] for made in chat[1]["tool_calls"]]) == ("and", ["a", "b"])
    assert [block["type"] for block in sent(thread, ANTHROPIC)["messages"][1]["content"]] == [
        "text",
        "tool_use",
        "tool_use",
    ]


def test_an_id_that_an_api_refuses_is_always_replaced_by_the_same() -> None:
    thread = [say("user", "look"), call("functions.read:0"), answer("functions.read:0")]
    made = sent(thread, ANTHROPIC)["messages"][1]["content"][0]["id"]
    assert made.startswith("functions_read_0_")
    assert sent([*thread, say("user", "more")], ANTHROPIC)["messages"][1]["content"][0]["id"] == made
    assert sent(thread, CHAT)["messages"][1]["tool_calls"][0]["id"] == "functions.read:0"


def test_an_old_function_call_is_sent_as_a_tool_call() -> None:
    thread = native(
        CHAT,
        {"role": "assistant", "content": None, "function_call": {"name": "read", "arguments": "{}"}},
        {"role": "function", "name": "read", "content": "1"},
        {"role": "assistant", "content": None, "function_call": {"name": "read", "arguments": "{}"}},
    )
    messages = sent(thread, CHAT)["messages"]
    assert [m.get("tool_call_id") for m in messages] == [None, "function_call_read", None, "function_call_read_2"]


def test_a_call_that_no_text_can_answer_is_left_out_while_it_has_no_answer() -> None:
    click = {"type": "computer_call", "call_id": "a", "action": {"type": "click"}}
    shot = {"type": "computer_call_output", "call_id": "a", "output": {"type": "computer_screenshot"}}
    asked = {"role": "user", "content": "click"}
    assert sent(native(RESPONSES, asked, click), RESPONSES) == {"input": [asked]}
    assert sent(native(RESPONSES, asked, click, shot), RESPONSES) == {"input": [asked, click, shot]}


# Roles


@pytest.mark.parametrize("target", [ANTHROPIC, GEMINI])
def test_a_summary_that_comes_first_is_sent_as_the_users(target: Format) -> None:
    summary = Message(role="assistant", parts=(CompactionPart(content="so far"),))
    request = sent([say("system", "be brief"), summary, say("assistant", "well")], target)
    first = (request.get("messages") or request.get("contents") or [])[0]
    assert first in ({"role": "user", "content": "so far"}, {"role": "user", "parts": [{"text": "so far"}]})


def test_any_other_assistant_that_comes_first_is_announced() -> None:
    assert sent([say("assistant", "hi")], ANTHROPIC)["messages"][0] == {"role": "user", "content": BEGINNING}
    assert sent([say("assistant", "hi")], GEMINI)["contents"][0] == {"role": "user", "parts": [{"text": BEGINNING}]}
    assert sent([say("assistant", "hi")], CHAT)["messages"] == [{"role": "assistant", "content": "hi"}]


def test_gemini_alternates_and_anthropic_keeps_runs() -> None:
    thread = [say("user", "a"), say("user", "b"), say("assistant", "c"), say("assistant", "d")]
    contents = sent(thread, GEMINI)["contents"]
    assert contents == [
        {"role": "user", "parts": [{"text": "a"}, {"text": "b"}]},
        {"role": "model", "parts": [{"text": "c"}, {"text": "d"}]},
    ]
    assert [m["role"] for m in sent(thread, ANTHROPIC)["messages"]] == ["user", "user", "assistant", "assistant"]


def test_several_system_prompts_become_blocks_wherever_they_stood() -> None:
    cached = {"role": "system", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]}
    thread = [*native(ANTHROPIC, cached), say("user", "hi"), say("developer", "b"), say("system", " ")]
    assert sent(thread, ANTHROPIC)["system"] == [*cached["content"], {"type": "text", "text": "b"}]
    assert "system" not in sent([say("user", "hi")], ANTHROPIC)
    assert "system_instruction" not in sent([say("user", "hi")], GEMINI)


# What is empty


@pytest.mark.parametrize("target", PROVIDERS)
def test_messages_that_hold_nothing_are_not_sent(target: Format) -> None:
    empty = [
        *native(CHAT, {"role": "user", "content": ""}, {"role": "assistant", "content": None}),
        *native(CHAT, {"role": "assistant", "content": [], "tool_calls": []}),
        *native(RESPONSES, {"role": "user", "content": []}),
        *native(ANTHROPIC, {"role": "user", "content": [{"type": "text", "text": ""}]}),
        *native(GEMINI, {"role": "model"}, {"role": "user", "parts": [{"text": ""}]}),
    ]
    assert sent([say("user", "hi"), *empty], target) == sent([say("user", "hi")], target)


def test_blank_texts_are_not_sent_to_anthropic() -> None:
    blank = {"type": "text", "text": " \n"}
    thread = native(
        ANTHROPIC,
        {"role": "user", "content": [blank, {"type": "text", "text": "look"}]},
        {"role": "assistant", "content": [blank, {"type": "tool_use", "id": "a", "name": "read", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [blank]}, blank]},
        {"role": "assistant", "content": "done \n", "stop_reason": "end_turn"},
    )
    assert sent(thread, ANTHROPIC)["messages"] == [
        {"role": "user", "content": "look"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]},
        {"role": "assistant", "content": "done"},
    ]


def test_only_the_last_words_of_an_assistant_lose_their_white_space() -> None:
    thread = [say("user", "hi"), say("assistant", "a \n"), say("user", "b ")]
    assert [m["content"] for m in sent(thread, ANTHROPIC)["messages"]] == ["hi", "a \n", "b "]


# Reasoning


THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
USE = {"type": "tool_use", "id": "a", "name": "read", "input": {}}


def test_thinking_that_came_by_itself_stays_with_its_call() -> None:
    thread = native(
        ANTHROPIC,
        {"role": "user", "content": "look"},
        {"role": "assistant", "content": [THOUGHT]},
        {"role": "assistant", "content": [{"type": "text", "text": "well"}]},
        {"role": "assistant", "content": [USE]},
    )
    assert sent(thread, ANTHROPIC)["messages"][1]["content"] == [THOUGHT, {"type": "text", "text": "well"}, USE]


@pytest.mark.parametrize(
    "content",
    [[USE, THOUGHT], [{"type": "thinking", "thinking": "no signature"}, THOUGHT, USE]],
)
def test_thinking_comes_first_and_only_if_it_is_signed(content: list[dict[str, Any]]) -> None:
    thread = native(ANTHROPIC, {"role": "user", "content": "look"}, {"role": "assistant", "content": content})
    assert sent(thread, ANTHROPIC)["messages"][1]["content"] == [THOUGHT, USE]


def test_thinking_that_led_to_nothing_is_not_the_last_word() -> None:
    thread = native(ANTHROPIC, {"role": "user", "content": "look"}, {"role": "assistant", "content": [THOUGHT]})
    assert sent(thread, ANTHROPIC)["messages"] == [{"role": "user", "content": "look"}]


def test_a_reasoning_item_is_sent_with_the_item_that_it_led_to_or_not_at_all() -> None:
    asked = {"role": "user", "content": "look"}
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "b3Bh"}
    done = {"type": "message", "role": "assistant", "content": "done"}
    assert sent(native(RESPONSES, asked, reasoning, done), RESPONSES)["input"] == [asked, reasoning, done]
    assert sent(native(RESPONSES, asked, reasoning, asked), RESPONSES)["input"] == [asked, asked]
    assert sent(native(RESPONSES, asked, reasoning), RESPONSES)["input"] == [asked]


def test_what_follows_a_message_without_an_id_is_known_by_none_until_the_model_thinks_again() -> None:
    first, second, third = (
        {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": "b3Bh"} for number in (1, 2, 3)
    )
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    note = {"type": "message", "role": "assistant", "content": "[it thought]"}
    made = {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "read", "arguments": "{}"}
    answered = {"type": "function_call_output", "call_id": "a", "output": "1"}
    said = {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]}
    whole = [
        {"role": "user", "content": "look"},
        first,
        search,
        second,
        said,
        made,
        answered,
        third,
        {**said, "id": "msg_2"},
    ]
    cut = [note if item is second else item for item in whole]

    assert sent(native(RESPONSES, *whole), RESPONSES)["input"] == whole
    items = sent(native(RESPONSES, *cut), RESPONSES)["input"]
    assert [item.get("id") for item in items] == [None, "rs_1", "ws_1", None, None, None, None, "rs_3", "msg_2"]
    for end in range(1, len(cut)):
        before = sent(native(RESPONSES, *cut[:end]), RESPONSES)["input"]
        if cut[end - 1] not in (first, third, made):  # these are not sent alone as they are with what follows
            assert items[:end] == before


def test_an_id_that_openai_did_not_give_is_not_sent() -> None:
    asked = {"role": "user", "content": "look"}
    made = {"type": "function_call", "id": "call_a", "call_id": "a", "name": "read", "arguments": "{}"}
    patch = {"type": "custom_tool_call", "id": "fc_1", "call_id": "b", "name": "patch", "input": "x"}
    answered = [
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"type": "custom_tool_call_output", "call_id": "b", "output": "2"},
    ]
    said = {"type": "message", "id": "chatcmpl-1", "role": "assistant", "content": "done"}

    items = sent(native(RESPONSES, asked, made, patch, *answered, said), RESPONSES)["input"]

    assert items == [{key: item[key] for key in item if key != "id"} for item in (asked, made, patch, *answered, said)]


def test_reasoning_that_is_not_openais_is_not_sent_and_nothing_that_it_led_to_is_known_by_its_id() -> None:
    asked = {"role": "user", "content": "look"}
    thought = {"type": "reasoning", "id": "thought_1", "summary": [], "encrypted_content": "b3Bh"}
    own = {**thought, "id": "rs_1"}
    said = {"type": "message", "id": "msg_1", "role": "assistant", "content": "well"}
    done = {"type": "message", "id": "msg_2", "role": "assistant", "content": "done"}

    items = sent(native(RESPONSES, asked, thought, said, own, done), RESPONSES)["input"]

    assert items == [asked, {"type": "message", "role": "assistant", "content": "well"}, own, done]
    assert sent(native(RESPONSES, asked, own, thought, asked), RESPONSES)["input"] == [asked, asked]


def test_gemini_keeps_signatures_and_the_first_call_of_a_step_has_one() -> None:
    thread = native(
        GEMINI,
        {"role": "user", "parts": [{"text": "look"}]},
        {"role": "model", "parts": [{"function_call": {"name": "read"}}, {"function_call": {"name": "read"}}]},
        {"role": "user", "parts": [{"function_response": {"name": "read"}}] * 2},
        {"role": "model", "parts": [{"functionCall": {"name": "read"}, "thoughtSignature": "c2ln"}]},
    )
    contents = sent(thread, GEMINI)["contents"]
    assert contents[1]["parts"] == [
        {"function_call": {"name": "read"}, "thought_signature": "skip_thought_signature_validator"},
        {"function_call": {"name": "read"}},
    ]
    assert contents[3]["parts"] == [{"functionCall": {"name": "read"}, "thoughtSignature": "c2ln"}]
    assert sent([*thread, say("user", "thanks")], GEMINI)["contents"][:4] == contents[:4]


def test_what_one_part_holds_together_gemini_gets_in_parts_of_their_own() -> None:
    image = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    made = {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"}
    answered = {"functionResponse": {"name": "f", "response": {"a": 1}}}
    thread = native(
        GEMINI,
        {"role": "system", "parts": [{"text": "be brief", **image}, {"text": " ", "videoMetadata": {"fps": 1}}]},
        {"role": "user", "parts": [{"text": "look", **image, "mediaResolution": "low"}]},
        {"role": "model", "parts": [{"text": "well", **made}]},
        {"role": "user", "parts": [{"text": "", **answered}, {"text": "and", **image}]},
    )

    request = sent(thread, GEMINI)

    assert request["system_instruction"]["parts"] == [{"text": "be brief"}, {"text": "[image image/png: not shown]"}]
    assert [content["parts"] for content in request["contents"]] == [
        [{"text": "look"}, {**image, "mediaResolution": "low"}],
        [{"text": "well"}, made],
        [answered, {"text": "and"}, image],
    ]


# Marks for the prompt cache


MARK = {"cache_control": {"type": "ephemeral"}}


def marked(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, **MARK}


def test_anthropic_gets_the_newest_four_marks_and_the_same_blocks_without_the_others() -> None:
    answered = {"type": "tool_result", "tool_use_id": "a", "content": [marked("1"), marked("2")], **MARK}
    thread = native(
        ANTHROPIC,
        {"role": "system", "content": [marked("be brief")]},
        {"role": "user", "content": [marked("look")]},
        {"role": "assistant", "content": [USE]},
        {"role": "user", "content": [answered]},
        {"role": "user", "content": [marked("go on")]},
    )

    request = sent(thread, ANTHROPIC)

    assert sent(thread[:2], ANTHROPIC) == {
        "system": [marked("be brief")],
        "messages": [{"role": "user", "content": [marked("look")]}],
    }
    assert request["system"] == "be brief"
    assert request["messages"][0] == {"role": "user", "content": [{"type": "text", "text": "look"}]}
    assert request["messages"][2]["content"] == [answered, marked("go on")]


def test_an_older_mark_inside_of_a_result_goes_before_the_newer_one_on_it() -> None:
    answered = {"type": "tool_result", "tool_use_id": "a", "content": [marked("1")], **MARK}
    later = [{"role": "user", "content": [marked(text)]} for text in ("x", "y", "z")]
    thread = native(
        ANTHROPIC,
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [USE]},
        {"role": "user", "content": [answered]},
        *later,
    )

    assert sent(thread, ANTHROPIC)["messages"][2]["content"][0] == {
        **answered,
        "content": [{"type": "text", "text": "1"}],
    }


def test_a_marked_text_that_does_not_show_its_format_keeps_its_mark_for_anthropic_alone() -> None:
    thread = [
        *native(CHAT, {"role": "user", "content": [marked("look"), {"type": "text", "text": " "}]}),
        *native(ANTHROPIC, {"role": "assistant", "content": [USE]}),
        answer("a"),
    ]

    assert sent(thread, ANTHROPIC)["messages"][0] == {"role": "user", "content": [marked("look")]}
    for target in (CHAT, RESPONSES, GEMINI):
        assert "cache_control" not in str(sent(thread, target))


def test_a_gateway_that_speaks_openai_chat_gets_its_own_marks_four_at_most() -> None:
    thread = native(CHAT, *({"role": "user", "content": [marked(f"{number}")]} for number in range(6)))

    assert str(sent(thread, CHAT)).count("cache_control") == 4
    assert sent(thread[2:], CHAT)["messages"] == [
        {"role": "user", "content": [marked(f"{number}")]} for number in range(2, 6)
    ]


# What no API knows


def test_what_a_runtime_noted_on_a_message_is_not_sent() -> None:
    notes = {"pinned": True, "timestamp": 1, "metadata": {"a": 1}}
    thread = native(CHAT, {"role": "user", "content": "hi", **notes}, {"role": "assistant", "content": "yes", **notes})

    assert sent(thread, CHAT)["messages"] == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "yes"},
    ]
    other = native(RESPONSES, {"type": "message", "role": "user", "content": "hi", **notes})
    assert sent(other, RESPONSES)["input"] == [{"type": "message", "role": "user", "content": "hi"}]


def test_what_other_servers_of_openai_chat_need_back_is_sent() -> None:
    own = {
        "reasoning_content": "hm",
        "reasoning_details": [{"type": "reasoning.encrypted", "data": "b3Bh"}],
        "prefix": True,
    }
    message = {"role": "assistant", "content": "yes", **own}

    assert sent(native(CHAT, message), CHAT)["messages"] == [message]


# What is sound


SOUND = {
    CHAT: (
        "messages",
        [
            {"role": "developer", "content": "be brief"},
            {"role": "user", "content": [{"type": "text", "text": "look"}], "name": "ann"},
            {
                "role": "assistant",
                "content": "",
                "reasoning_content": "hm",
                "tool_calls": [{"id": "a", "type": "custom", "custom": {"name": "patch", "input": "x"}}],
            },
            {"role": "tool", "tool_call_id": "a", "content": "1"},
            {"role": "assistant", "content": "done \n", "refusal": None, "annotations": []},
        ],
    ),
    RESPONSES: (
        "input",
        [
            {"role": "user", "content": [{"type": "input_text", "text": " "}]},
            {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]},
            {"type": "local_shell_call", "id": "ls_1", "call_id": "a", "action": {}, "status": "completed"},
            {"type": "function_call_output", "call_id": "a", "output": "1"},
            {"type": "web_search_call", "id": "ws_1", "status": "completed"},
            {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]},
        ],
    ),
    ANTHROPIC: (
        "messages",
        [
            {"role": "user", "content": [{"type": "text", "text": "look", "cache_control": {"type": "ephemeral"}}]},
            {"role": "assistant", "content": [THOUGHT, {"type": "text", "text": "well"}, THOUGHT, USE]},
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": [], "is_error": True},
                    {"type": "text", "text": "go on"},
                ],
            },
            {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
        ],
    ),
    GEMINI: (
        "contents",
        [
            {"role": "user", "parts": [{"text": "look"}]},
            {
                "role": "model",
                "parts": [{"text": "hm", "thought": True}, {"functionCall": {"name": "f"}, "thoughtSignature": "c2ln"}],
            },
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"a": 1}}}, {"text": "go on"}]},
            {"role": "model", "parts": [{"text": "done"}, {"text": "", "thoughtSignature": "c2ln"}]},
        ],
    ),
}


@pytest.mark.parametrize("source", PROVIDERS)
def test_a_sound_context_is_sent_as_it_came(source: Format) -> None:
    key, messages = SOUND[source]
    assert sent(native(source, *messages), source) == {key: messages}


# What Anthropic takes only in its place


SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
SAID = {"type": "text", "text": "done"}


def test_thinking_loses_a_mark_for_the_cache_and_keeps_its_signature() -> None:
    redacted = {"type": "redacted_thinking", "data": "b3Bh"}
    blocks = [{**THOUGHT, **MARK}, {**redacted, **MARK}, {**SAID, **MARK}]
    thread = native(ANTHROPIC, {"role": "user", "content": "look"}, {"role": "assistant", "content": blocks})

    assert sent(thread, ANTHROPIC)["messages"][1]["content"] == [THOUGHT, redacted, {**SAID, **MARK}]


def test_media_of_an_error_stand_behind_the_results() -> None:
    image = {"type": "image", "source": {"type": "url", "url": "https://dam.example/gate.png"}}
    failed = {"type": "tool_result", "tool_use_id": "a", "is_error": True}
    reference = {"type": "tool_reference", "tool_name": "read"}
    thread = native(
        ANTHROPIC,
        {"role": "user", "content": "look"},
        {"role": "assistant", "content": [USE, {**USE, "id": "b"}, {**USE, "id": "c"}]},
        {
            "role": "user",
            "content": [
                {**failed, "content": [SAID, image, reference]},
                {**failed, "tool_use_id": "b", "content": [image]},
                {"type": "tool_result", "tool_use_id": "c", "content": [image]},
            ],
        },
    )

    assert sent(thread, ANTHROPIC)["messages"][2]["content"] == [
        {**failed, "content": [SAID, {"type": "text", "text": '{"type":"tool_reference","tool_name":"read"}'}]},
        {**failed, "tool_use_id": "b"},
        {"type": "tool_result", "tool_use_id": "c", "content": [image]},
        image,
        image,
    ]


def test_media_of_a_system_prompt_are_a_note_to_anthropic() -> None:
    image = {"type": "image", "source": {"type": "url", "url": "https://dam.example/gate.png"}}
    thread = native(ANTHROPIC, {"role": "system", "content": [SAID, image]}, {"role": "user", "content": "look"})

    assert sent(thread, ANTHROPIC)["system"] == [SAID, {"type": "text", "text": NOTE}]


def test_a_result_of_anthropics_own_tools_is_sent_behind_its_call_or_not_at_all() -> None:
    asked = {"role": "user", "content": "look"}
    whole = {"role": "assistant", "content": [SEARCH, FOUND, SAID]}
    torn = {"role": "assistant", "content": [{**FOUND, "tool_use_id": "srvtoolu_2"}, SAID]}
    alone = {"role": "assistant", "content": [{"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1"}]}

    messages = sent(native(ANTHROPIC, asked, whole, asked, torn, asked, alone, asked), ANTHROPIC)["messages"]

    assert messages == [asked, whole, asked, {"role": "assistant", "content": [SAID]}, asked, asked]
    later = {"role": "assistant", "content": [FOUND, SAID]}
    apart = [asked, {"role": "assistant", "content": [SEARCH]}, asked, later]
    assert sent(native(ANTHROPIC, *apart), ANTHROPIC)["messages"] == apart


IMAGE_URL = {"type": "image_url", "image_url": {"url": "https://dam.example/gate.png"}}
NOTE = "[image: https://dam.example/gate.png]"


def test_media_stand_where_the_chat_of_openai_takes_them() -> None:
    text = {"type": "text", "text": "the gate"}
    function = {"id": "a", "type": "function", "function": {"name": "shoot", "arguments": "{}"}}
    messages = native(
        CHAT,
        {"role": "system", "content": [IMAGE_URL]},
        {"role": "user", "content": [IMAGE_URL]},
        {"role": "assistant", "content": [text, IMAGE_URL]},
        {"role": "assistant", "content": None, "tool_calls": [function, {**function, "id": "b"}]},
        {"role": "tool", "tool_call_id": "a", "content": [text, IMAGE_URL]},
        {"role": "tool", "tool_call_id": "b", "content": [IMAGE_URL]},
    )

    said = sent(messages, CHAT)["messages"]

    assert [message["role"] for message in said] == ["system", "user", *["assistant"] * 2, "tool", "tool", "user"]
    assert said[0]["content"] == [{"type": "text", "text": NOTE}]
    assert said[1]["content"] == [IMAGE_URL]
    assert said[2]["content"] == [text, {"type": "text", "text": NOTE}]
    assert (said[4]["content"], said[5]["content"]) == ([text], "")
    assert said[6]["content"] == [IMAGE_URL, IMAGE_URL]
    for target in PROVIDERS:
        sent(messages, target)


def test_content_is_output_where_an_assistant_speaks_and_input_elsewhere() -> None:
    image = {"type": "input_image", "image_url": "https://dam.example/gate.png"}
    given = {"type": "input_text", "text": "the gate"}
    messages = native(
        RESPONSES,
        {"role": "user", "content": [{"type": "output_text", "text": "the gate", "annotations": []}, image]},
        {"role": "assistant", "content": [given, image]},
        {"role": "user", "content": [{"type": "refusal", "refusal": "no"}]},
    )

    said = [message["content"] for message in sent(messages, RESPONSES)["input"]]

    assert said == [
        [given, image],
        [{"type": "output_text", "text": "the gate"}, {"type": "output_text", "text": NOTE}],
        [{"type": "input_text", "text": "no"}],
    ]


def test_what_openais_chat_needs_of_a_message_is_there() -> None:
    bare = {"type": "image_url", "image_url": "https://dam.example/gate.png"}
    made = {"id": "a", "function": {"name": "read", "arguments": "{}"}}
    odd = Message(
        role="user",
        parts=(GenericPart(value={"type": "text"}), GenericPart(value={"type": "image_url"})),
        format=CHAT,
        content_shape=ContentShape.LIST,
    )
    messages = [
        *native(CHAT, {"role": "user", "content": [bare], "tool_calls": [made]}),
        odd,
        *native(CHAT, {"role": "assistant", "content": [bare], "tool_calls": [made]}),
    ]

    said = sent(messages, CHAT)["messages"]

    assert said[0] == {"role": "user", "content": [IMAGE_URL]}
    assert [item["text"] for item in said[1]["content"]] == ['{"type":"text"}', "[media: not shown]"]
    assert said[2]["content"] == [{"type": "text", "text": NOTE}]
    assert said[2]["tool_calls"] == [{**made, "type": "function"}]


def test_what_openais_responses_need_of_an_item_is_there() -> None:
    file = {"type": "input_file", "file_data": "data:application/pdf;base64,AAAA"}
    output = ToolCallResponsePart(id="a", response={"depth": 40})
    messages = [
        *native(
            RESPONSES,
            {"role": "user", "content": [{"type": "input_image", "image_url": None}, file]},
            {"type": "reasoning", "id": "rs_1", "encrypted_content": "b3Bh"},
            {"type": "function_call", "call_id": "a", "name": "read", "arguments": "{}"},
            {"type": "function_call", "call_id": "b", "name": "read", "arguments": "{}"},
        ),
        Message(role="tool", parts=(output,), format=RESPONSES),
        *native(RESPONSES, {"type": "function_call_output", "call_id": "b", "output": [{"type": "input_image"}, file]}),
    ]
    named = {**file, "filename": "document.pdf"}
    note = {"type": "input_text", "text": "[media: not shown]"}

    items = sent(messages, RESPONSES)["input"]

    assert items[0]["content"] == [note, named]
    assert items[1] == {"type": "reasoning", "id": "rs_1", "encrypted_content": "b3Bh", "summary": []}
    assert [item["output"] for item in items[4:]] == ['{"depth":40}', [note, named]]


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"type": "image", "source": {"type": "url", "url": "https://dam.example/gate.png"}}, NOTE),
        ({"type": "image", "source": {"type": "morse"}}, "[media: not shown]"),
        ({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "rules"}}, "rules"),
    ],
)
def test_media_of_an_assistant_are_a_note_to_anthropic(block: dict[str, Any], text: str) -> None:
    messages = native(
        ANTHROPIC,
        {"role": "user", "content": "Show me."},
        {"role": "assistant", "content": [block]},
        {
            "role": "user",
            "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}],
        },
    )

    said = sent(messages, ANTHROPIC)["messages"]

    assert said[1] == {"role": "assistant", "content": text}
    assert said[2]["content"][0]["type"] == "image"


def test_a_type_that_is_no_text_is_refused_and_repaired_like_any_other_unknown_one() -> None:
    odd = {"type": [None], "text": "hi"}
    chat = {"role": "system", "content": [odd, {"type": "text", "text": "ho"}]}
    request = request_of(
        [
            read_native(
                Format.TAILRACE,
                {
                    "role": "system",
                    "format": "openai.chat",
                    "content_shape": "list",
                    "parts": [{"type": "text", "content": "hi", "extra": {"type": [None]}}],
                },
            )
        ],
        Format.OPENAI_CHAT,
    )
    assert violations(request, Format.OPENAI_CHAT) == []
    assert any("type" in violation.text for violation in violations({"messages": [chat]}, Format.OPENAI_CHAT))
    spoken = {"type": "message", "role": "user", "content": [odd]}
    assert violations({"input": [spoken]}, Format.OPENAI_RESPONSES) == []
