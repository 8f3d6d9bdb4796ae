"""The tools that models are given: one text, a definition for every API, and calls that are checked."""

from typing import Any

import jsonschema
import mcp.types
import pytest

from tailrace.schemas.errors import Invalid, UnknownVersion
from tailrace.schemas.providers.tool import TOOLS
from tailrace.schemas.providers.tools import (
    MCP,
    TOOL_FORMATS,
    LineSpan,
    ReadArtifact,
    Recall,
    parse_call,
    parse_span,
    tool_definitions,
)
from tailrace.schemas.records.message import Format


def described(definition: dict[str, Any]) -> dict[str, Any]:
    """Return what a definition says of a function, wherever the API wants it."""
    return definition.get("function", definition)


def functions(tool_format: str) -> list[dict[str, Any]]:
    definitions = tool_definitions(tool_format)
    if tool_format == Format.GEMINI:
        (tool,) = definitions
        return list(tool["functionDeclarations"])
    return [described(definition) for definition in definitions]


SCHEMA_KEYS = {
    Format.OPENAI_CHAT: "parameters",
    Format.OPENAI_RESPONSES: "parameters",
    Format.ANTHROPIC_MESSAGES: "input_schema",
    Format.GEMINI: "parameters",
    MCP: "inputSchema",
}


@pytest.mark.parametrize("tool_format", TOOL_FORMATS)
def test_every_api_is_told_the_same(tool_format: str) -> None:
    told = functions(tool_format)

    assert [one["name"] for one in told] == ["read_artifact", "recall"]
    assert [one["description"] for one in told] == [tool.about for tool in TOOLS]
    for one, required in zip(told, (["id"], ["query"]), strict=True):
        schema = one[SCHEMA_KEYS[tool_format]]
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["required"] == required
        assert all(field["description"] for field in schema["properties"].values())


def test_the_definitions_for_openai_say_that_they_are_functions() -> None:
    for tool_format in (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES):
        assert {definition["type"] for definition in tool_definitions(tool_format)} == {"function"}


def test_an_mcp_server_can_list_the_definitions() -> None:
    for definition in tool_definitions(MCP):
        assert mcp.types.Tool.model_validate(definition).name == definition["name"]


def test_an_unknown_api_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UnknownVersion, match=r"'smoke' is not known\. Known: openai\.chat, "):
        tool_definitions("smoke")


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("200-260", LineSpan(first=200, last=260)),
        ("7-7", LineSpan(first=7, last=7)),
        ("7", LineSpan(first=7, last=7)),
        ("200-", LineSpan(first=200)),
        ("-50", LineSpan(last=50)),
        (" 1 - 5 ", LineSpan(first=1, last=5)),
    ],
)
def test_a_range_names_lines(text: str, span: LineSpan) -> None:
    assert parse_span(text) == span


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be"),
        ("-", "must be"),
        ("a-b", 'must be "first-last"'),
        ("1-2-3", "must be"),
        ("1 5", "must be"),
        ("0-5", "counts lines from 1"),
        ("0", "counts lines from 1"),
        ("-0", "counts lines from 1"),
        ("9-3", 'Write the smaller number first: "3-9"'),
        ("1" * 40, "must be"),
        ("\u0661-\u0662", "must be"),
    ],
)
def test_a_wrong_range_is_refused_with_what_to_write(text: str, message: str) -> None:
    with pytest.raises(Invalid, match=message):
        parse_span(text)


@pytest.mark.parametrize(
    ("name", "arguments", "call"),
    [
        ("read_artifact", '{"id": "9f1c"}', ReadArtifact(id="9f1c")),
        ("read_artifact", {"id": " 9f1c ", "range": "-5"}, ReadArtifact(id="9f1c", span=LineSpan(last=5))),
        ("read_artifact", {"id": "artifact:9f1c"}, ReadArtifact(id="9f1c")),
        ("recall", {"query": "gate", "thread": "t" * 256}, Recall(query="gate", thread="t" * 256)),
        ("read_artifact", {"id": "9", "range": None, "query": ""}, ReadArtifact(id="9")),
        ("read_artifact", {"id": "9", "query": " gate \n nine "}, ReadArtifact(id="9", query="gate nine")),
        ("recall", '{"query": "gate nine"}', Recall(query="gate nine")),
        ("recall", {"query": "gate", "thread": "t-1"}, Recall(query="gate", thread="t-1")),
    ],
)
def test_calls_are_read_as_models_write_them(name: str, arguments: Any, call: ReadArtifact | Recall) -> None:
    assert parse_call(name, arguments) == call


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("smoke", {}, "there is no tool 'smoke'. There are: read_artifact, recall"),
        ("read_artifact", "", "read_artifact needs id: The id"),
        ("read_artifact", "{", "must be a JSON object"),
        ("read_artifact", '{"id": "\ud800"}', "must be a JSON object"),
        ("read_artifact", "[1]", "must be a JSON object, got a list"),
        ("read_artifact", {"id": 7}, "read_artifact.id must be a string, got int"),
        ("read_artifact", {"id": " "}, "must not be blank"),
        ("read_artifact", {"id": "9", "lines": "1-2"}, "has no argument 'lines'. It has: id, range, query"),
        ("read_artifact", {"id": "9", "range": "x"}, "range must be"),
        ("recall", {}, "recall needs query"),
        ("recall", {"query": "x" * 1001}, "at most 1000 are allowed"),
    ],
)
def test_a_wrong_call_is_refused_with_what_to_do(name: str, arguments: Any, message: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_call(name, arguments)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("smoke" * 20_000, {}),
        ("read_artifact", {"id": "9", "lines" * 20_000: "1-2"}),
        ("read_artifact", {"id": "9", "range": "line " * 20_000}),
        ("read_artifact", {"id": "9" * 20_000}),
    ],
    ids=["tool", "argument", "range", "id"],
)
def test_what_was_written_at_length_in_the_wrong_place_is_not_repeated(name: str, arguments: dict[str, str]) -> None:
    with pytest.raises(Invalid) as refused:
        parse_call(name, arguments)
    assert len(str(refused.value)) < 200
