"""Hypothesis strategies for messages of every format, as odd as they may come.

Unknown fields stand at every level, and their names are often ones that mean something elsewhere.
"""

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import PART_TYPES, AnyPart

#: For laws over rich data on a busy machine: slow to generate is not wrong.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

texts = st.one_of(st.sampled_from(["", " ", "{}", "null", "<|endoftext|>", "日本語", "a\u0000b"]), st.text(max_size=12))
ids = st.text(st.sampled_from("abcXYZ019_-"), min_size=1, max_size=12)
names = st.text(st.sampled_from("abcXYZ019_-"), min_size=1, max_size=12)

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False, width=32), texts
)
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=5
)
json_objects = st.dictionaries(texts, json_values, max_size=3)

_TELLING_NAMES = [
    "annotations",
    "audio",
    "cache_control",
    "citations",
    "content",
    "content_shape",
    "custom",
    "data",
    "detail",
    "extra",
    "field",
    "file",
    "file_id",
    "format",
    "function",
    "function_call",
    "id",
    "image_url",
    "index",
    "input",
    "is_error",
    "mime_type",
    "name",
    "parts",
    "reasoning",
    "refusal",
    "response",
    "role",
    "signature",
    "source",
    "text",
    "thinking",
    "tool_call_id",
    "tool_calls",
    "tool_use_id",
    "transcript",
    "type",
    "url",
    "value",
]


def unknown_fields(*known: str) -> st.SearchStrategy[dict[str, Any]]:
    """Fields that an object may carry beside the known ones."""
    keys = st.one_of(st.sampled_from(_TELLING_NAMES), texts).filter(lambda key: key not in known)
    return st.one_of(st.just({}), st.dictionaries(keys, json_values, max_size=3))


@st.composite
def objects(draw: st.DrawFn, required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """An object of these fields, some of the optional ones, and unknown ones, in either order."""
    optional = optional or {}
    data = {key: draw(value) for key, value in required.items()}
    data |= {key: draw(value) for key, value in optional.items() if draw(st.booleans())}
    data |= draw(unknown_fields(*required, *optional))
    return dict(reversed(data.items())) if draw(st.booleans()) else data


urls = st.one_of(
    st.sampled_from(
        [
            "https://example.org/cat.png",
            "data:image/png;base64,iVBORw0KGgo=",
            "data:image/svg+xml;base64,PHN2Zy8+",
            "data:image/png;charset=x;base64,AAAA",
            "data:image/png;base64;x,AAAA",
            "data:;base64,AAAA",
            "data:image/png,plain",
            "data:",
            "data:image/png;base64",
            "gs://bucket/cat.png",
        ]
    ),
    texts,
    st.text(st.sampled_from("data:;base64,/A"), max_size=20).map(lambda tail: f"data:{tail}"),
)

openai_text_items = objects({"type": st.just("text"), "text": texts})
openai_items = st.one_of(
    openai_text_items,
    objects({"type": st.just("refusal"), "refusal": texts}),
    objects({"type": st.just("image_url"), "image_url": st.one_of(objects({"url": urls}), urls)}),
    objects(
        {
            "type": st.just("input_audio"),
            "input_audio": objects({"data": texts, "format": st.sampled_from(["wav", "mp3", "flac", "mpeg", ""])}),
        }
    ),
    objects(
        {
            "type": st.just("file"),
            "file": objects({}, {"file_id": st.none() | ids, "file_data": st.none() | urls, "filename": texts}),
        }
    ),
    objects({"type": st.sampled_from(["video_url", "input_text", "thinking", "image", "tool_use", ""])}),
)

_functions = objects({"name": names}, {"arguments": st.one_of(texts, st.none(), json_objects)})
_customs = objects({"name": names}, {"input": texts})


def openai_calls(call_ids: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Tool calls: usual ones, and every other kind."""
    usual = st.fixed_dictionaries({"name": names, "arguments": texts})
    return st.one_of(
        st.fixed_dictionaries({"id": call_ids, "type": st.just("function"), "function": usual}),
        objects({"id": call_ids, "function": _functions, "type": st.sampled_from(["function", None])}),
        st.fixed_dictionaries({"id": call_ids, "function": _functions}),
        objects({"id": call_ids, "type": st.just("custom"), "custom": _customs}),
        objects({"id": call_ids, "type": st.sampled_from(["mcp", "id", "type", "", "name"])}, {"mcp": json_values}),
    )


_spoken_content = st.one_of(texts, st.lists(openai_items, max_size=3))
_answer_content = st.one_of(st.none(), texts, st.lists(openai_items, max_size=3))

openai_spoken = objects(
    {"role": st.sampled_from(["system", "developer", "user"]), "content": _spoken_content},
    {"name": st.none() | texts},
)


def openai_assistant(calls: st.SearchStrategy[list[dict[str, Any]]]) -> st.SearchStrategy[dict[str, Any]]:
    """Assistant messages that make these calls."""
    return objects(
        {"role": st.just("assistant"), "tool_calls": calls},
        {
            "content": st.one_of(st.none(), _spoken_content),
            "name": st.none() | texts,
            "refusal": st.none() | texts,
            "reasoning_content": st.none() | texts,
            "reasoning": json_values,
            "audio": st.one_of(st.none(), objects({}, {"id": ids | scalars, "transcript": texts})),
            "function_call": st.none(),
            "annotations": json_values,
        },
    )


_assistant_alone = objects(
    {"role": st.just("assistant")},
    {
        "content": st.one_of(st.none(), _spoken_content),
        "tool_calls": st.one_of(st.none(), st.just([]), st.lists(openai_calls(ids), max_size=3)),
        "function_call": st.one_of(st.none(), _functions),
        "name": st.none() | texts,
        "refusal": st.none() | texts,
        "reasoning_content": st.none() | texts,
        "reasoning": json_values,
        "audio": st.one_of(st.none(), objects({}, {"id": ids | scalars, "transcript": texts})),
    },
)


def openai_answer(call_id: str) -> st.SearchStrategy[dict[str, Any]]:
    """Tool messages that answer this call."""
    return objects(
        {"role": st.just("tool"), "tool_call_id": st.just(call_id)},
        {"content": _answer_content, "name": st.none() | texts, "is_error": st.booleans()},
    )


openai_messages = st.one_of(
    st.fixed_dictionaries({"role": st.just("user"), "content": texts}),
    openai_spoken,
    _assistant_alone,
    ids.flatmap(openai_answer),
    objects({"role": st.just("function"), "name": names}, {"content": _answer_content}),
    objects(
        {"role": st.just("assistant"), "function_call": _functions},
        {
            "content": st.none() | texts,
            **dict.fromkeys(["name", "refusal", "audio", "tool_calls", "reasoning_content"], st.none()),
        },
    ),
)


@st.composite
def openai_turns(draw: st.DrawFn, call_ids: list[str]) -> list[dict[str, Any]]:
    """An assistant message that makes these calls, with all their answers."""
    calls = [draw(openai_calls(st.just(call_id))) for call_id in call_ids]
    answers = [draw(openai_answer(call_id)) for call_id in draw(st.permutations(call_ids))]
    return [draw(openai_assistant(st.just(calls))), *answers]


def _sources(*kinds: str) -> st.SearchStrategy[dict[str, Any]]:
    media_types = st.sampled_from(["image/png", "image/jpeg", "application/pdf", "image/tiff", "text/plain"])
    sources = {
        "base64": objects({"type": st.just("base64"), "media_type": media_types, "data": texts}),
        "url": objects({"type": st.just("url"), "url": urls}),
        "file": objects({"type": st.just("file"), "file_id": ids}),
        "text": objects({"type": st.just("text"), "media_type": st.just("text/plain"), "data": texts}),
        "content": objects({"type": st.just("content"), "content": json_values}),
    }
    return st.one_of([sources[kind] for kind in kinds])


anthropic_answer_blocks = st.one_of(
    objects({"type": st.just("text"), "text": texts}),
    objects({"type": st.just("image"), "source": _sources("base64", "url", "file")}),
    objects({"type": st.just("document"), "source": _sources("base64", "url", "file", "text", "content")}),
    objects({"type": st.sampled_from(["search_result", "tool_reference", "tool_use", "tool_result"])}),
)
anthropic_blocks = st.one_of(
    anthropic_answer_blocks.filter(lambda block: block["type"] not in {"tool_use", "tool_result"}),
    objects({"type": st.just("thinking"), "thinking": texts}, {"signature": texts}),
    objects({"type": st.just("redacted_thinking"), "data": texts}),
    objects({"type": st.just("compaction")}, {"content": st.none() | texts}),
    objects({"type": st.sampled_from(["server_tool_use", "web_search_tool_result", "mcp_tool_use", "new", ""])}),
)


def anthropic_call(call_id: str) -> st.SearchStrategy[dict[str, Any]]:
    """Blocks that make this call."""
    return objects({"type": st.just("tool_use"), "id": st.just(call_id), "name": names, "input": json_objects})


def anthropic_answer(call_id: str) -> st.SearchStrategy[dict[str, Any]]:
    """Blocks that answer this call."""
    return objects(
        {"type": st.just("tool_result"), "tool_use_id": st.just(call_id)},
        {
            "content": st.one_of(st.none(), texts, st.lists(anthropic_answer_blocks, max_size=3)),
            "is_error": st.none() | st.booleans(),
        },
    )


_any_blocks = st.one_of(anthropic_blocks, ids.flatmap(anthropic_call), ids.flatmap(anthropic_answer))

anthropic_messages = st.one_of(
    st.fixed_dictionaries({"role": st.just("user"), "content": texts}),
    objects(
        {
            "role": st.sampled_from(["system", "user", "assistant"]),
            "content": st.one_of(texts, st.lists(_any_blocks, max_size=4)),
        }
    ),
)


@st.composite
def anthropic_turns(draw: st.DrawFn, call_ids: list[str]) -> list[dict[str, Any]]:
    """An assistant message that makes these calls, with one user message that answers them all."""
    before, after = draw(st.lists(anthropic_blocks, max_size=2)), draw(st.lists(anthropic_blocks, max_size=2))
    calls = [draw(anthropic_call(call_id)) for call_id in call_ids]
    answers = [draw(anthropic_answer(call_id)) for call_id in draw(st.permutations(call_ids))]
    return [{"role": "assistant", "content": [*before, *calls]}, {"role": "user", "content": [*answers, *after]}]


def anthropic_split_turns(call_ids: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """The same with an assistant message for each block, as a runtime writes them that has a line for each."""
    return anthropic_turns(call_ids).map(
        lambda turn: [*({"role": "assistant", "content": [block]} for block in turn[0]["content"]), turn[1]]
    )


_PART_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "content": texts,
    "id": ids,
    "name": names,
    "arguments": json_values,
    "response": json_values,
    "modality": st.sampled_from(["image", "audio", "video", "document"]),
    "mime_type": st.sampled_from([None, "image/png", "application/pdf", "audio/wav", "audio/ogg"]),
    "file_id": ids,
    "uri": urls,
    "value": json_values,
    "extra": unknown_fields(),
}


@st.composite
def parts(draw: st.DrawFn) -> AnyPart:
    """Any part, with an extra that no reader would have made."""
    part_type = draw(st.sampled_from(list(PART_TYPES.values())))
    part: AnyPart = part_type(**{name: draw(_PART_FIELDS[name]) for name in part_type.__struct_fields__})
    return part


#: Any message at all: what a tailrace/1 producer may send, or what is left after parts were exchanged.
any_messages = st.builds(
    Message,
    role=st.sampled_from(["system", "developer", "user", "assistant", "tool", "function", "model"]),
    parts=st.lists(parts(), max_size=4).map(tuple),
    name=st.none() | texts,
    format=st.sampled_from(Format),
    content_shape=st.none() | st.sampled_from(ContentShape),
    extra=unknown_fields(),
)
