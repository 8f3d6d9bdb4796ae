"""Hypothesis strategies for contents of the Gemini API, in either spelling, as odd as they may come."""

from typing import Any

from hypothesis import strategies as st
from support.strategies import ids, json_objects, json_values, names, objects, texts, urls

_mime_types = st.sampled_from(["image/png", "application/pdf", "audio/wav", "video/mp4", "text/plain", ""])
_uris = st.one_of(urls, st.just("https://generativelanguage.googleapis.com/v1beta/files/abc"))
_signature = {
    "thoughtSignature": st.sampled_from(["c2ln", ""]),
    "thought_signature": st.none() | st.just("c2ln"),
    "thought": st.none() | st.booleans(),
}

_FIELDS = ("functionCall", "function_call", "functionResponse", "function_response", "text")


def _parts_with(required: dict[str, Any], optional: dict[str, Any] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Parts with this data and, as a dump of Python's objects has them, nulls for what is not set."""
    nulls = {key: st.none() for key in _FIELDS if key not in required}
    return objects(required, {**nulls, **(optional or {})})


_data_parts = st.one_of(
    _parts_with({"text": texts}, _signature),
    _parts_with({"text": texts, "thought": st.just(value=True)}, {"thoughtSignature": st.just("c2ln")}),
    _parts_with({"inlineData": objects({"mimeType": _mime_types, "data": texts}, {"displayName": texts})}, _signature),
    _parts_with({"inline_data": objects({"data": texts}, {"mime_type": st.none() | _mime_types})}),
    _parts_with({"fileData": objects({"fileUri": _uris}, {"mimeType": st.none() | _mime_types})}),
    _parts_with({"file_data": objects({"file_uri": _uris}, {"mime_type": _mime_types})}),
    _parts_with({"executableCode": json_objects}, _signature),
    _parts_with({"tool_call": json_values}),
    _parts_with({}, _signature),
)


def _part(field: str, body: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(st.fixed_dictionaries({field: body}), _parts_with({field: body}, _signature))


def gemini_call(call_id: str | None, name: st.SearchStrategy[str] = names) -> st.SearchStrategy[dict[str, Any]]:
    """Parts that make this call; without an id where there is none."""
    own = st.sampled_from([None, ""]) if call_id is None else st.just(call_id)
    usual = {"name": name, "args": json_objects} | ({} if call_id is None else {"id": own})
    odd = objects(
        {"name": name} | ({} if call_id is None else {"id": own}), {"id": own, "args": st.none() | json_objects}
    )
    body = st.one_of(st.fixed_dictionaries(usual), odd)
    return st.one_of(_part("functionCall", body), _part("function_call", body))


def gemini_answer(call_id: str | None, name: st.SearchStrategy[str] = names) -> st.SearchStrategy[dict[str, Any]]:
    """Parts that answer this call."""
    required = {"name": name} | ({} if call_id is None else {"id": st.just(call_id)})
    responses = st.one_of(st.none(), json_objects, st.builds(lambda text: {"output": text}, texts))
    body = objects(required, {"response": responses, "id": st.none() if call_id is None else st.just(call_id)})
    return st.one_of(_part("functionResponse", body), _part("function_response", body))


_own_ids = st.none() | ids
_parts = st.one_of(_data_parts, _own_ids.flatmap(gemini_call), _own_ids.flatmap(gemini_answer))

gemini_messages = objects(
    {"role": st.sampled_from(["user", "model", "system", "function", "tool"])},
    {"parts": st.none() | st.lists(_parts, max_size=4)},
)


@st.composite
def gemini_turns(draw: st.DrawFn, call_ids: list[str]) -> list[dict[str, Any]]:
    """A model content that makes these calls, with one user content that answers them all, in the order of the calls.

    Every other call has no id, and all those without have the same name.
    """
    own = [(call_id, names) if index % 2 else (None, st.just("same")) for index, call_id in enumerate(call_ids)]
    calls = [draw(gemini_call(*call)) for call in own]
    answers = [draw(gemini_answer(*call)) for call in own]
    before, after = draw(st.lists(_data_parts, max_size=2)), draw(st.lists(_data_parts, max_size=2))
    return [{"role": "model", "parts": [*before, *calls]}, {"role": "user", "parts": [*answers, *after]}]
