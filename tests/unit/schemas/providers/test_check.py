"""Validators: a sound request breaks no rule, and one that is broken in just one way breaks just that rule."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tailrace.schemas.errors import UnknownVersion
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.providers.violation import Violation
from tailrace.schemas.records.message import Format

CHAT, RESPONSES, ANTHROPIC, GEMINI = "openai.chat", "openai.responses", "anthropic.messages", "gemini"


def function(call_id: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "read", "arguments": "{}"}}


def result(call_id: str, content: str = "ok") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content}


MARKED = {"type": "text", "text": "and on", "cache_control": {"type": "ephemeral"}}

SOUND: dict[str, dict[str, Any]] = {
    CHAT: {
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "look", "name": "ann"},
            {"role": "assistant", "content": None, "tool_calls": [function("a"), function("b")]},
            {"role": "tool", "tool_call_id": "b", "content": ""},
            {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "1"}]},
            {"role": "assistant", "content": "done"},
            {"role": "assistant", "content": None, "refusal": "no"},
        ]
    },
    RESPONSES: {
        "input": [
            {"role": "user", "content": "look"},
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "read", "arguments": "{}"},
            {"type": "custom_tool_call", "call_id": "b", "name": "patch", "input": "x"},
            {"type": "function_call_output", "call_id": "a", "output": "1"},
            {"type": "custom_tool_call_output", "call_id": "b", "output": "2"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
        ]
    },
    ANTHROPIC: {
        "system": [{"type": "text", "text": "be brief"}],
        "messages": [
            {"role": "user", "content": "look"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "", "signature": "c2ln"},
                    {"type": "tool_use", "id": "a", "name": "read", "input": {}},
                    {"type": "tool_use", "id": "b", "name": "read", "input": {}},
                ],
            },
            {"role": "user", "content": [result("b"), result("a"), {"type": "text", "text": "go on"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
        ],
    },
    GEMINI: {
        "system_instruction": {"parts": [{"text": "be brief"}]},
        "contents": [
            {"role": "user", "parts": [{"text": "look"}]},
            {
                "role": "model",
                "parts": [
                    {"functionCall": {"name": "read", "args": {}}, "thoughtSignature": "c2ln"},
                    {"function_call": {"name": "list"}},
                ],
            },
            {
                "role": "user",
                "parts": [
                    {"functionResponse": {"name": "read", "response": {"output": "1"}}},
                    {"function_response": {"name": "list", "response": {}}},
                ],
            },
            {"role": "model", "parts": [{"text": "done"}]},
        ],
    },
}

IMAGE_URL = {"type": "image_url", "image_url": {"url": "https://dam.example/gate.png"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
IMAGE = {"type": "image", "source": {"type": "url", "url": "https://dam.example/gate.png"}}
INLINE_IMAGE = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}

Break = Callable[[dict[str, Any]], Any]

BREAKS: dict[str, dict[str, tuple[Break, str]]] = {
    CHAT: {
        "nothing_to_send": (lambda r: r.update(messages=[]), "messages"),
        "shape": (lambda r: r["messages"].append("hi"), "messages[7]"),
        "extra_field": (lambda r: r["messages"][1].update(pinned=True), "messages[1].pinned"),
        "unknown_role": (lambda r: r["messages"][0].update(role="critic"), "messages[0]"),
        "empty_content": (lambda r: r["messages"][1].update(content=None), "messages[1]"),
        "misplaced_content": (lambda r: r["messages"][3].update(content=[IMAGE_URL]), "messages[3].content[0]"),
        "content_form": (lambda r: r["messages"][4]["content"][0].pop("text"), "messages[4].content[0]"),
        "misplaced_calls": (lambda r: r["messages"][1].update(tool_calls=[function("c")]), "messages[1].tool_calls"),
        "orphan_call": (lambda r: r["messages"].pop(4), "messages[2].tool_calls[0]"),
        "orphan_result": (lambda r: r["messages"][2]["tool_calls"].pop(0), "messages[4]"),
        "result_order": (lambda r: r["messages"].append(r["messages"].pop(4)), "messages[6]"),
        "duplicate_result": (lambda r: r["messages"].insert(4, r["messages"][3]), "messages[4]"),
        "duplicate_call": (
            lambda r: (
                r["messages"][2]["tool_calls"].append(function("a")),
                r["messages"].insert(4, r["messages"][4]),
            ),
            "messages[2].tool_calls[2]",
        ),
        "call_arguments": (
            lambda r: r["messages"][2]["tool_calls"][0]["function"].update(arguments={}),
            "messages[2].tool_calls[0]",
        ),
        "call_form": (
            lambda r: r["messages"][2]["tool_calls"][0]["function"].update(name="read file"),
            "messages[2].tool_calls[0]",
        ),
        "speaker_name": (lambda r: r["messages"][1].update(name="ann lee"), "messages[1]"),
    },
    RESPONSES: {
        "nothing_to_send": (lambda r: r.update(input=[]), "input"),
        "shape": (lambda r: r["input"].append({"type": 1}), "input[7]"),
        "extra_field": (lambda r: r["input"][0].update(timestamp=1), "input[0].timestamp"),
        "unknown_role": (lambda r: r["input"][0].update(role="tool"), "input[0]"),
        "empty_content": (lambda r: r["input"][6].update(content=[]), "input[6]"),
        "misplaced_content": (
            lambda r: r["input"][0].update(content=[{"type": "output_text", "text": "hi"}]),
            "input[0].content[0]",
        ),
        "media_form": (lambda r: r["input"][0].update(content=[{"type": "input_image"}]), "input[0].content[0]"),
        "orphan_call": (lambda r: r["input"].pop(4), "input[2]"),
        "orphan_result": (lambda r: r["input"].pop(3), "input[4]"),
        "result_order": (lambda r: r["input"].insert(0, r["input"].pop(4)), "input[0]"),
        "duplicate_result": (lambda r: r["input"].append(r["input"][4]), "input[7]"),
        "duplicate_call": (
            lambda r: r["input"].extend([{**r["input"][2], "id": "fc_2"}, r["input"][4]]),
            "input[7]",
        ),
        "output_kind": (lambda r: r["input"][5].update(type="function_call_output"), "input[5]"),
        "output_form": (lambda r: r["input"][4].pop("output"), "input[4]"),
        "reasoning_form": (lambda r: r["input"][1].pop("summary"), "input[1]"),
        "dangling_reasoning": (lambda r: r["input"].insert(0, r["input"].pop(1)), "input[0]"),
        "duplicate_item": (lambda r: r["input"].insert(1, r["input"][1]), "input[2]"),
        "item_id": (lambda r: r["input"][2].update(id="call_a"), "input[2].id"),
        "call_arguments": (lambda r: r["input"][2].update(arguments={}), "input[2]"),
        "call_form": (
            lambda r: (r["input"][2].update(call_id="i" * 65), r["input"][4].update(call_id="i" * 65)),
            "input[2]",
        ),
    },
    ANTHROPIC: {
        "nothing_to_send": (lambda r: r.update(messages=[]), "messages"),
        "shape": (lambda r: r["messages"][3]["content"].insert(0, {}), "messages[3].content[0]"),
        "extra_field": (lambda r: r["messages"][0].update(name="ann"), "messages[0].name"),
        "system_role": (lambda r: r["messages"].append({"role": "system", "content": "now"}), "messages[4]"),
        "unknown_role": (lambda r: r["messages"].append({"role": "tool", "content": "now"}), "messages[4]"),
        "first_role": (lambda r: r["messages"].pop(0), "messages[0]"),
        "empty_content": (lambda r: r["messages"][3].update(content=[]), "messages[3]"),
        "blank_text": (lambda r: r["messages"][2]["content"][2].update(text=" \n"), "messages[2].content[2]"),
        "system_content": (lambda r: r["system"].append(IMAGE), "system[1]"),
        "orphan_call": (lambda r: r["messages"][2]["content"].pop(0), "messages[1].content[2]"),
        "orphan_result": (lambda r: r["messages"][1]["content"].pop(2), "messages[2].content[0]"),
        "result_order": (
            lambda r: r["messages"].append({"role": "user", "content": [r["messages"][2]["content"].pop(0)]}),
            "messages[4].content[0]",
        ),
        "results_first": (
            lambda r: r["messages"][2]["content"].append(r["messages"][2]["content"].pop(0)),
            "messages[2].content[2]",
        ),
        "duplicate_result": (lambda r: r["messages"][2]["content"].insert(0, result("a")), "messages[2].content[2]"),
        "duplicate_call": (
            lambda r: (
                r["messages"][1]["content"].append(r["messages"][1]["content"][1]),
                r["messages"][2]["content"].insert(0, result("a")),
            ),
            "messages[1].content[3]",
        ),
        "misplaced_block": (
            lambda r: r["messages"][0].update(content=[{**r["messages"][1]["content"][1], "id": "c"}]),
            "messages[0].content[0]",
        ),
        "misplaced_media": (lambda r: r["messages"][3]["content"].append(IMAGE), "messages[3].content[1]"),
        "error_content": (
            lambda r: r["messages"][2]["content"][0].update(is_error=True, content=[IMAGE]),
            "messages[2].content[0].content[0]",
        ),
        "orphan_own_result": (lambda r: r["messages"][3]["content"].insert(0, FOUND), "messages[3].content[0]"),
        "call_input": (lambda r: r["messages"][1]["content"][1].update(input="{}"), "messages[1].content[1]"),
        "call_form": (lambda r: r["messages"][1]["content"][1].update(name=""), "messages[1].content[1]"),
        "unsigned_thinking": (lambda r: r["messages"][1]["content"][0].pop("signature"), "messages[1].content[0]"),
        "marked_thinking": (
            lambda r: r["messages"][1]["content"][0].update(cache_control={"type": "ephemeral"}),
            "messages[1].content[0]",
        ),
        "thinking_place": (
            lambda r: r["messages"][1]["content"].insert(0, {"type": "text", "text": "well"}),
            "messages[1].content[1]",
        ),
        "thinking_last": (
            lambda r: r["messages"][3].update(content=[r["messages"][1]["content"][0]]),
            "messages[3].content[0]",
        ),
        "trailing_whitespace": (lambda r: r["messages"][3].update(content="done\n"), "messages[3]"),
        "cache_marks": (
            lambda r: (
                r["system"][0].update(cache_control={"type": "ephemeral"}),
                r["messages"].append({"role": "user", "content": [MARKED] * 4}),
            ),
            "messages[4].content[3]",
        ),
    },
    GEMINI: {
        "nothing_to_send": (lambda r: r.update(contents=[]), "contents"),
        "shape": (lambda r: r.update(system_instruction="be brief"), "system_instruction.parts"),
        "unknown_role": (lambda r: r["contents"].append({"role": "tool", "parts": [{"text": "a"}]}), "contents[4]"),
        "first_role": (lambda r: r["contents"].pop(0), "contents[0]"),
        "alternation": (lambda r: r["contents"].append(r["contents"][3]), "contents[4]"),
        "empty_content": (lambda r: r["contents"][3].update(parts=[]), "contents[3]"),
        "system_content": (
            lambda r: r["system_instruction"]["parts"].append(INLINE_IMAGE),
            "system_instruction.parts[1]",
        ),
        "empty_part": (lambda r: r["contents"][3]["parts"].append({"text": ""}), "contents[3].parts[1]"),
        "joint_data": (lambda r: r["contents"][0]["parts"][0].update(INLINE_IMAGE), "contents[0].parts[0]"),
        "orphan_call": (lambda r: r["contents"][2]["parts"].pop(), "contents[1].parts[1]"),
        "orphan_result": (lambda r: r["contents"][1]["parts"].pop(), "contents[2].parts[1]"),
        "result_order": (
            lambda r: r["contents"].append({"role": "user", "parts": [r["contents"][2]["parts"].pop()]}),
            "contents[4].parts[0]",
        ),
        "duplicate_result": (
            lambda r: r["contents"][2]["parts"].append(r["contents"][2]["parts"][0]),
            "contents[2].parts[2]",
        ),
        "misplaced_part": (
            lambda r: r["contents"][0]["parts"].append({"functionCall": {"name": "read"}}),
            "contents[0].parts[1]",
        ),
        "call_arguments": (
            lambda r: r["contents"][1]["parts"][0]["functionCall"].update(args="{}"),
            "contents[1].parts[0]",
        ),
        "call_form": (
            lambda r: (
                r["contents"][1]["parts"][0]["functionCall"].update(name=""),
                r["contents"][2]["parts"][0]["functionResponse"].update(name=""),
            ),
            "contents[1].parts[0]",
        ),
        "thought_place": (lambda r: r["contents"][0]["parts"][0].update(thought=True), "contents[0].parts[0]"),
        "unsigned_call": (lambda r: r["contents"][1]["parts"][0].pop("thoughtSignature"), "contents[1].parts[0]"),
    },
}

CASES = [(name, rule) for name, rules in BREAKS.items() for rule in rules]


@pytest.mark.parametrize("message_format", SOUND)
def test_a_sound_request_breaks_no_rule(message_format: str) -> None:
    assert violations(SOUND[message_format], message_format) == []


@pytest.mark.parametrize("message_format", SOUND)
def test_every_rule_is_broken_once_here(message_format: str) -> None:
    assert list(BREAKS[message_format]) == list(PROVIDERS[message_format].api.rules)


@pytest.mark.parametrize(("message_format", "rule"), CASES, ids=[" ".join(case) for case in CASES])
def test_a_request_that_is_broken_in_one_way_breaks_that_rule_alone(message_format: str, rule: str) -> None:
    request = deepcopy(SOUND[message_format])
    break_it, path = BREAKS[message_format][rule]
    break_it(request)
    found = violations(request, message_format)
    assert {violation.rule for violation in found} == {rule}
    assert found[0].path == path
    assert found[0].text.startswith("must ")


def test_a_violation_says_where_and_what() -> None:
    request = {"messages": [{"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": "a", "content": "1"}]}
    text = "must respond to a call of a message before it"
    assert violations(request, CHAT) == [Violation(path="messages[1]", rule="orphan_result", text=text)]


@pytest.mark.parametrize("image_url", ["https://dam.example/gate.png", None, {}, {"url": 7}])
def test_an_image_of_openais_chat_is_an_object_with_its_address(image_url: Any) -> None:
    item = {"type": "image_url", "image_url": image_url}
    found = violations({"messages": [{"role": "user", "content": [item]}]}, CHAT)
    assert [(violation.path, violation.rule) for violation in found] == [("messages[0].content[0]", "content_form")]


def test_a_call_of_openais_chat_says_of_which_type_it_is() -> None:
    request = deepcopy(SOUND[CHAT])
    del request["messages"][2]["tool_calls"][0]["type"]
    found = violations(request, CHAT)
    assert [(violation.path, violation.rule) for violation in found] == [
        ("messages[2].tool_calls[0]", "call_arguments")
    ]


@pytest.mark.parametrize("system", ["", " ", [{"type": "text", "text": "\n"}]])
def test_a_blank_system_prompt_is_found(system: Any) -> None:
    request = {"system": system, "messages": [{"role": "user", "content": "hi"}]}
    assert [violation.rule for violation in violations(request, ANTHROPIC)] == ["blank_text"]


@pytest.mark.parametrize(
    ("place", "own_id"), [(0, "chatcmpl-1"), (1, "thought_1"), (2, ""), (2, 7), (3, "fc_2"), (6, "rs_2")]
)
def test_an_id_of_an_item_begins_as_those_of_its_kind_do(place: int, own_id: Any) -> None:
    request = deepcopy(SOUND[RESPONSES])
    request["input"][place]["id"] = own_id
    found = violations(request, RESPONSES)
    assert [(violation.path, violation.rule) for violation in found] == [(f"input[{place}].id", "item_id")]


@pytest.mark.parametrize(
    ("place", "own_id"), [(0, "msg_1"), (1, "rs_2"), (2, None), (3, "ctc_1"), (5, "any"), (6, "msg_2")]
)
def test_ids_of_openais_own_kind_are_taken_and_of_other_kinds_any(place: int, own_id: str | None) -> None:
    request = deepcopy(SOUND[RESPONSES])
    request["input"][place]["id"] = own_id
    assert violations(request, RESPONSES) == []


@pytest.mark.parametrize(("output", "path"), [({"a": 1}, "input[4]"), (7, "input[4]"), (["1"], "input[4].output[0]")])
def test_an_output_is_a_text_or_a_list_of_items(output: Any, path: str) -> None:
    request = deepcopy(SOUND[RESPONSES])
    request["input"][4]["output"] = output
    assert [(found.path, found.rule) for found in violations(request, RESPONSES)] == [(path, "output_form")]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "input_image", "image_url": None},
        {"type": "input_file", "file_data": "data:application/pdf;base64,AAAA"},
        {"type": "input_file", "file_data": "data:application/pdf;base64,AAAA", "filename": ""},
    ],
)
def test_media_of_openais_responses_are_somewhere_and_have_a_name(item: dict[str, Any]) -> None:
    request = deepcopy(SOUND[RESPONSES])
    request["input"][0]["content"] = [item]
    request["input"][4]["output"] = [item]
    places = ["input[0].content[0]", "input[4].output[0]"]
    assert [(found.path, found.rule) for found in violations(request, RESPONSES)] == [
        (place, "media_form") for place in places
    ]


@pytest.mark.parametrize(
    ("content", "path"), [(5, "messages[2].content[0].content"), (["1"], "messages[2].content[0].content[0]")]
)
def test_a_result_of_anthropics_is_a_text_or_a_list_of_blocks(content: Any, path: str) -> None:
    request = deepcopy(SOUND[ANTHROPIC])
    request["messages"][2]["content"][0]["content"] = content
    assert [(found.path, found.rule) for found in violations(request, ANTHROPIC)] == [(path, "shape")]


def test_a_result_of_anthropics_own_tools_comes_after_its_call() -> None:
    request = deepcopy(SOUND[ANTHROPIC])
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    answered = {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "content": []}
    asked = {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "read", "server_name": "dam", "input": {}}
    request["messages"][3]["content"] = [search, FOUND, asked, answered, {"type": "text", "text": "done"}]
    assert violations(request, ANTHROPIC) == []

    request["messages"][3]["content"] = [FOUND, search, answered]
    found = violations(request, ANTHROPIC)
    assert [(violation.path, violation.rule) for violation in found] == [
        ("messages[3].content[0]", "orphan_own_result"),
        ("messages[3].content[2]", "orphan_own_result"),
    ]


def test_messages_of_one_role_in_a_row_are_one_turn_to_anthropic() -> None:
    request = deepcopy(SOUND[ANTHROPIC])
    calls, results = request["messages"][1]["content"], request["messages"][2]["content"]
    request["messages"][1:3] = [
        {"role": "assistant", "content": calls[:2]},
        {"role": "assistant", "content": calls[2:]},
        {"role": "user", "content": results[:1]},
        {"role": "user", "content": results[1:]},
    ]
    assert violations(request, ANTHROPIC) == []


def test_an_empty_system_instruction_is_found() -> None:
    request = {"system_instruction": {"parts": []}, "contents": [{"role": "user", "parts": [{"text": "hi"}]}]}
    found = violations(request, GEMINI)
    assert [(violation.path, violation.rule) for violation in found] == [("system_instruction", "empty_content")]


def test_a_call_of_gemini_has_a_part_of_its_own_and_nulls_are_nothing() -> None:
    request = deepcopy(SOUND[GEMINI])
    request["contents"][1]["parts"][0].update(text=None, inlineData=None)
    assert violations(request, GEMINI) == []
    request["contents"][1]["parts"][0].update(text="")
    assert [violation.rule for violation in violations(request, GEMINI)] == ["joint_data"]


def test_gemini_wants_no_signature_on_calls_of_earlier_turns() -> None:
    request = deepcopy(SOUND[GEMINI])
    del request["contents"][1]["parts"][0]["thoughtSignature"]
    request["contents"].append({"role": "user", "parts": [{"text": "thanks"}]})
    assert violations(request, GEMINI) == []


def test_the_plain_form_goes_to_no_api_and_an_unknown_one_has_no_rules() -> None:
    assert violations({"messages": "anything"}, Format.TAILRACE) == []
    with pytest.raises(UnknownVersion, match=r"message format 'cohere' is not known\. Known: tailrace/1, openai"):
        violations({}, "cohere")
