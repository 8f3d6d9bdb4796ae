"""The tools with which a model gets back what left its context: written once, defined for every API.

`read_artifact` reads a text that was kept whole outside of the context, `recall` looks for what was said. What a model
asks for is checked here, and refused with a sentence that it can act on.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET, Struct

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Invalid, PoisonEvent, UnknownVersion
from tailrace.schemas.fields import wrong
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.providers.tool import READ_ARTIFACT, RECALL, TOOLS, Tool, parameters_schema
from tailrace.schemas.records.message import ANTHROPIC, Format

_decode_json = decoder()


#: The name under which an MCP server lists tools: no format of messages.
MCP: Final = "mcp"
#: Formats that tools are defined for.
TOOL_FORMATS: Final = (*(message_format for message_format in Format if message_format != Format.TAILRACE), MCP)


class LineSpan(Struct, frozen=True, kw_only=True):
    """Lines of a text, counted from 1, both ends included. Without a first line, `last` counts lines from the end."""

    first: int | None = None
    last: int | None = None


class ReadArtifact(Struct, frozen=True, kw_only=True):
    """Read a text that was kept outside: some lines of it, or those with some words."""

    id: str
    span: LineSpan | None = None
    query: str | None = None


class Recall(Struct, frozen=True, kw_only=True):
    """Look for what was said before, in one thread or in the one that asks."""

    query: str
    thread: str | None = None


def tool_definitions(tool_format: str) -> list[dict[str, Any]]:
    """Return the tools as that API takes them in a request, or as an MCP server lists them.

    Raises `UnknownVersion` for a format that is none of `TOOL_FORMATS`; the short name of Anthropic's is one, too.
    """
    if tool_format == MCP:
        return _define_for_mcp(TOOLS)
    name = Format(tool_format) if tool_format in {*Format, ANTHROPIC} else tool_format
    if name not in TOOL_FORMATS:
        raise UnknownVersion(f"tool format {tool_format!r} is not known. Known: {', '.join(TOOL_FORMATS)}")
    return PROVIDERS[Format(name)].define_tools(TOOLS)


def parse_call(name: str, arguments: str | Mapping[str, Any]) -> ReadArtifact | Recall:
    """Return what a model asks for. `arguments` is an object, or its JSON, as the API hands it over.

    Raises `Invalid` with what is wrong and what to do instead.
    """
    parse = _PARSERS.get(name)
    if parse is None:
        raise Invalid(f"there is no tool {_clipped(name)}. There are: {', '.join(_PARSERS)}")
    return parse(_fields(name, arguments))


def parse_span(text: str) -> LineSpan:
    """Return the lines that a range names: `first-last`, `first-`, `-count` from the end, or one line."""
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        raise Invalid(f'range must be "first-last", "first-" or "-count", for example "200-260", got {_clipped(text)}')
    first, last = (
        int(number) if number else None for number in (match["first"] or match["only"], match["last"] or match["only"])
    )
    if first == 0 or (first is None and last == 0):
        raise Invalid(f"range counts lines from 1, got {_clipped(text)}")
    if first is not None and last is not None and last < first:
        raise Invalid(
            f'range ends before it begins: {_clipped(text)}. Write the smaller number first: "{last}-{first}"'
        )
    return LineSpan(first=first, last=last)


#: Numbers of up to nine digits: no text has more lines, and no number is too large for anything.
_SPAN = re.compile(
    r"(?P<only>[0-9]{1,9})|(?=[0-9 ]*-[ ]*[0-9]|[0-9])(?P<first>[0-9]{1,9})?[ ]?-[ ]?(?P<last>[0-9]{1,9})?"
)
_QUERY_CHARS_MAX = 1_000
#: As long as the id of a message or a thread may be.
_ID_CHARS_MAX = 256
#: Of what was asked for in the wrong way, so much is repeated: enough to know it again.
_ECHO_CHARS_MAX = 60


def _fields(name: str, arguments: str | Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments that were given, checked against the tool's parameters."""
    data: object = arguments
    if isinstance(arguments, str):
        try:
            data = _decode_json(arguments or "{}")
        except PoisonEvent as error:
            raise Invalid(f"arguments of {name} must be a JSON object: {error}") from error
    if not isinstance(data, Mapping):
        raise wrong(f"arguments of {name}", "a JSON object", data)
    tool = next(tool for tool in TOOLS if tool.name == name)
    by_name = {parameter.name: parameter for parameter in tool.parameters}
    unknown = [key for key in data if key not in by_name]
    if unknown:
        raise Invalid(f"{name} has no argument {_clipped(unknown[0])}. It has: {', '.join(by_name)}")
    fields = {}
    for key, parameter in by_name.items():
        value = data.get(key, UNSET)
        # Models write null or nothing for what they leave out.
        if value is UNSET or value is None or value == "":
            if parameter.required:
                raise Invalid(f"{name} needs {key}: {parameter.about.rstrip('.')}")
            continue
        if not isinstance(value, str):
            raise wrong(f"{name}.{key}", "a string", value)
        fields[key] = value
    return fields


def _read_artifact(fields: Mapping[str, str]) -> ReadArtifact:
    span = fields.get("range")
    return ReadArtifact(
        # As contexts name it: models copy the label too.
        id=_short(fields["id"].strip().removeprefix("artifact:"), "read_artifact.id", _ID_CHARS_MAX),
        span=None if span is None else parse_span(span),
        query=_query(fields["query"], "read_artifact.query") if "query" in fields else None,
    )


def _recall(fields: Mapping[str, str]) -> Recall:
    thread = fields.get("thread")
    return Recall(
        query=_query(fields["query"], "recall.query"),
        thread=None if thread is None else _short(thread, "recall.thread", _ID_CHARS_MAX),
    )


def _query(text: str, where: str) -> str:
    return _short(" ".join(text.split()), where, _QUERY_CHARS_MAX)


def _clipped(value: object) -> str:
    """What somebody wrote, as an answer repeats it.

    A model that writes a page in the place of a name is not sent it back.
    """
    text = str(value)
    return repr(text if len(text) <= _ECHO_CHARS_MAX else f"{text[: _ECHO_CHARS_MAX - 1]}…")


def _short(text: str, where: str, chars_max: int) -> str:
    if not text:
        raise Invalid(f"{where} must not be blank")
    if len(text) > chars_max:
        raise Invalid(f"{where} has {len(text)} characters, at most {chars_max} are allowed: name only what matters")
    return text


def _define_for_mcp(tools: tuple[Tool, ...]) -> list[dict[str, Any]]:
    return [
        {
            "name": tool.name,
            "description": tool.about,
            "inputSchema": parameters_schema(tool),
            "annotations": {"readOnlyHint": True, "openWorldHint": False},
        }
        for tool in tools
    ]


_PARSERS: dict[str, Callable[[Mapping[str, str]], ReadArtifact | Recall]] = {
    READ_ARTIFACT.name: _read_artifact,
    RECALL.name: _recall,
}
