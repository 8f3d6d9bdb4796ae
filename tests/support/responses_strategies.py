"""Hypothesis strategies for items of the OpenAI Responses API, as odd as they may come."""

from typing import Any

from hypothesis import strategies as st
from support.strategies import ids, json_objects, json_values, names, objects, texts, urls

_texts = objects({"type": st.sampled_from(["input_text", "output_text", "text"]), "text": texts})
_images = objects({"type": st.just("input_image")}, {"image_url": st.none() | urls, "file_id": st.none() | ids})
_files = objects(
    {"type": st.just("input_file")},
    {"file_id": st.none() | ids, "file_url": st.none() | urls, "file_data": st.none() | urls, "filename": texts},
)
_sound = objects(
    {
        "type": st.just("input_audio"),
        "input_audio": objects({"data": texts, "format": st.sampled_from(["wav", "mp3", "flac"])}),
    }
)
_others = objects({"type": st.sampled_from(["summary_text", "computer_screenshot", "new", ""])})
_content_items = st.one_of(
    st.fixed_dictionaries({"type": st.sampled_from(["input_text", "output_text"]), "text": texts}),
    _texts,
    objects({"type": st.just("refusal"), "refusal": texts}),
    _images,
    _files,
    _sound,
    _others,
)

responses_spoken = objects(
    {
        "role": st.sampled_from(["system", "developer", "user", "assistant"]),
        "content": st.one_of(texts, st.lists(_content_items, max_size=3)),
    },
    {"type": st.sampled_from(["message", None])},
)

_summaries = st.lists(
    st.one_of(
        st.fixed_dictionaries({"type": st.just("summary_text"), "text": texts}),
        objects({"type": st.just("summary_text")}, {"text": texts}),
    ),
    max_size=3,
)
responses_reasoning = objects(
    {"type": st.just("reasoning")},
    {"id": ids, "summary": st.one_of(_summaries, json_values), "encrypted_content": st.none() | texts},
)


def responses_call(call_id: str) -> st.SearchStrategy[dict[str, Any]]:
    """Items that make this call."""
    own = {"call_id": st.just(call_id)}
    return st.one_of(
        st.fixed_dictionaries({"type": st.just("function_call"), **own, "name": names, "arguments": texts}),
        objects(
            {"type": st.just("function_call"), **own, "name": names},
            {"arguments": st.one_of(texts, st.none(), json_objects), "id": ids},
        ),
        objects({"type": st.just("custom_tool_call"), **own, "name": names, "input": texts}),
        objects({"type": st.sampled_from(["local_shell_call", "shell_call"]), **own}, {"action": json_values}),
        objects({"type": st.just("apply_patch_call"), **own, "operation": json_objects}, {"name": texts}),
        objects({"type": st.sampled_from(["computer_call", "new_call"]), **own}, {"arguments": json_values}),
    )


def responses_answer(call_id: str) -> st.SearchStrategy[dict[str, Any]]:
    """Items that answer this call."""
    own = {"call_id": st.just(call_id)}
    output = st.one_of(st.none(), texts, st.lists(_content_items, max_size=3))
    return st.one_of(
        objects({"type": st.just("function_call_output"), **own}, {"output": output, "id": ids}),
        objects({"type": st.just("custom_tool_call_output"), **own, "output": output}),
        objects({"type": st.sampled_from(["shell_call_output", "new_call_output"]), **own}, {"output": json_values}),
        objects({"type": st.just("local_shell_call_output"), **own}, {"id": st.none() | ids, "output": texts}),
        objects({"type": st.just("local_shell_call_output"), "id": st.just(call_id)}, {"call_id": st.none()}),
    )


responses_messages = st.one_of(
    responses_spoken,
    responses_reasoning,
    ids.flatmap(responses_call),
    ids.flatmap(responses_answer),
    objects({"type": st.sampled_from(["compaction", "web_search_call", "mcp_call", "item_reference", "new", "_call"])}),
)


@st.composite
def responses_turns(draw: st.DrawFn, call_ids: list[str]) -> list[dict[str, Any]]:
    """Reasoning, these calls and all their answers, and what the assistant says to them."""
    before = draw(st.lists(responses_reasoning, max_size=1))
    calls = [draw(responses_call(call_id)) for call_id in call_ids]
    answers = [draw(responses_answer(call_id)) for call_id in draw(st.permutations(call_ids))]
    return [*before, *calls, *answers, draw(responses_spoken)]
