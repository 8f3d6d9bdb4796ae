"""The OpenAPI document, made from the table of endpoints and the types that it names."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from tailrace.schemas.api import problem
from tailrace.schemas.api.endpoint import BYTES, EVENTS, JSON, TEXT, Endpoint
from tailrace.schemas.api.endpoints import ENDPOINTS
from tailrace.schemas.api.problem import ProblemDocument
from tailrace.schemas.generation import json_schema
from tailrace.schemas.generation.event_schema import id_schema
from tailrace.schemas.generation.json_schema import Schema

OPENAPI_VERSION: Final = "3.1.0"
_REF: Final = "#/components/schemas/{name}"
_PROBLEM_REF: Final = {"$ref": _REF.format(name="ProblemDocument")}


class _Named(NamedTuple):
    """A parameter in the path or in a header."""

    name: str
    description: str
    example: str
    schema: Schema


_TEXT: Final[Schema] = {"type": "string"}
_ID: Final[Schema] = {"type": "string", "minLength": 1}
_PATH_PARAMETERS: Final[dict[str, _Named]] = {
    named.name: named
    for named in (
        _Named(
            "thread", "Id of the thread; escape what is no letter or digit with %.", "t1", id_schema("Id of a thread.")
        ),
        _Named("compaction", "Id of a compaction, or how it begins.", "3f9c2a1b7d604e85", _ID),
        _Named("artifact", "Id of an artifact, as contexts name it.", "6f1c2a90b3d4e5f7", _ID),
        _Named("policy", "Name of a ready-made policy, or `in-force`.", "in-force", _ID),
        _Named("letter", "Partition and offset of a dead letter.", "3-17", _ID),
    )
}
_LAST_EVENT_ID: Final = _Named(
    "Last-Event-ID", "Id of the last event that has arrived: the stream goes on behind it.", "0:41,1:7", _TEXT
)
_IF_NONE_MATCH: Final = _Named(
    "If-None-Match", "ETag of what the caller has: 304 where it stands.", '"8f2a61c09d3be475"', _TEXT
)
_RANGE: Final = _Named("Range", "Bytes that are wanted.", "bytes=0-999", _TEXT)
_IF_RANGE: Final = _Named(
    "If-Range",
    "ETag of what the caller has a part of: everything is sent where it no longer stands.",
    '"9f86d081"',
    _TEXT,
)
_HEADERS: Final[dict[str, tuple[_Named, ...]]] = {
    "follow": (_LAST_EVENT_ID,),
    "watch": (_LAST_EVENT_ID,),
    "read_context": (_IF_NONE_MATCH,),
    "show_artifact": (_IF_NONE_MATCH, _RANGE, _IF_RANGE),
}
_OTHER_STATUSES: Final[dict[str, dict[str, str]]] = {
    "read_context": {"304": "The caller has it."},
    "show_artifact": {"304": "The caller has it.", "206": "The bytes that were asked for."},
}


def document() -> Schema:
    """Return the OpenAPI document."""
    paths: dict[str, Schema] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    schemas = _schemas()
    responses = {kind.name: _problem_response(kind.title) for kind in problem.KINDS}
    return {
        "openapi": OPENAPI_VERSION,
        "info": {
            "title": "Tailrace",
            "version": "1",
            "description": (
                "Keeps every agent conversation inside its model's context window. Publish messages, read contexts "
                "that are ready to send, follow them, and look at what was done and why."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "Where the document comes from; by default port 8700 on loopback."}],
        "security": [{"token": []}, {}],
        "paths": paths,
        "components": {
            "schemas": {name: schemas[name] for name in _needed(paths, schemas)},
            "responses": responses,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "One of api.tokens. Programs of the same machine need none where none is set.",
                }
            },
        },
    }


def _operation(endpoint: Endpoint) -> Schema:
    operation: Schema = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "parameters": [*_path_parameters(endpoint), *_query_parameters(endpoint), *_header_parameters(endpoint)],
        "responses": _responses(endpoint),
    }
    if endpoint.role is None:
        operation["security"] = [{}]
    else:
        operation["x-role"] = str(endpoint.role)
    if endpoint.command is not None:
        operation["x-command"] = f"tailrace {endpoint.command}"
    if endpoint.request is not None:
        body: Schema = {"schema": _body_schema(endpoint)}
        if endpoint.request_example is not None:
            body["example"] = endpoint.request_example
        operation["requestBody"] = {"required": True, "content": {JSON: body}}
    return operation


def _body_schema(endpoint: Endpoint) -> Schema:
    if endpoint.request_schema is None:
        return _schema(endpoint.request)
    named = {"$ref": _REF.format(name=endpoint.request_schema)}
    if endpoint.name != "publish":
        return named
    return {"anyOf": [named, {"type": "array", "items": named, "minItems": 1}]}


def _responses(endpoint: Endpoint) -> Schema:
    responses: Schema = {str(endpoint.status): {"description": _description(endpoint), "content": _content(endpoint)}}
    for status, text in _OTHER_STATUSES.get(endpoint.name, {}).items():
        responses[status] = {"description": text}
    if endpoint.name == "readyz":
        responses["503"] = {"description": "Not yet.", "content": _content(endpoint)}
    responses |= {str(kind.status): {"$ref": f"#/components/responses/{kind.name}"} for kind in _problems(endpoint)}
    responses["default"] = _problem_response("Anything else that went wrong.")
    return dict(sorted(responses.items()))


def _problems(endpoint: Endpoint) -> Iterator[problem.ProblemKind]:
    """Problems that callers of the endpoint should be ready for."""
    if endpoint.role is None:
        return
    yield from (problem.UNAUTHENTICATED, problem.FORBIDDEN, problem.INVALID, problem.TOO_MANY, problem.UNAVAILABLE)
    if endpoint.parameters:
        yield problem.NOT_FOUND
    if endpoint.request is not None:
        yield from (problem.MALFORMED, problem.SLOW_BODY, problem.TOO_LARGE, problem.MEDIA)
    if endpoint.name in {"read_context", "compact", "show_compaction"}:
        yield problem.CONFLICT
    if endpoint.name in {"read_context", "compact"}:
        yield problem.DEADLINE
    if endpoint.name == "show_artifact":
        yield problem.RANGE


def _description(endpoint: Endpoint) -> str:
    return "A stream of events." if endpoint.media_type == EVENTS else "It was done."


def _content(endpoint: Endpoint) -> Schema:
    if endpoint.media_type == EVENTS:
        # What follows `data: ` in an event is JSON of this form.
        return {EVENTS: {"schema": {"type": "string"}, "x-event-data": _schema(endpoint.response)}}
    if endpoint.media_type == BYTES:
        # Artifacts have the types that they were stored with.
        return {"*/*": {"schema": {"type": "string", "format": "binary"}}}
    if endpoint.media_type == TEXT:
        return {TEXT: {"schema": {"type": "string"}}}
    content: Schema = {"schema": _schema(endpoint.response)}
    if endpoint.response_example is not None:
        content["example"] = endpoint.response_example
    return {JSON: content}


def _problem_response(text: str) -> Schema:
    return {"description": text, "content": {problem.MEDIA_TYPE: {"schema": _PROBLEM_REF}}}


def _path_parameters(endpoint: Endpoint) -> Iterator[Schema]:
    for name in endpoint.parameters:
        yield {**_named(_PATH_PARAMETERS[name], "path"), "required": True}


def _query_parameters(endpoint: Endpoint) -> Iterator[Schema]:
    struct = json_schema.portable(msgspec.json.schema_components([endpoint.query], ref_template=_REF)[1])
    schema = struct[endpoint.query.__name__]
    for name, field in schema["properties"].items():
        kind = _without_null(field)
        parameter = _Named(name, kind.pop("description"), kind.pop("examples")[0], kind)
        yield {**_named(parameter, "query"), "required": name in schema.get("required", ())}


def _named(parameter: _Named, place: str) -> Schema:
    return {
        "name": parameter.name,
        "in": place,
        "description": parameter.description,
        "example": parameter.example,
        "schema": parameter.schema,
    }


def _without_null(schema: Schema) -> Schema:
    """A parameter that is left out is not there; none says null."""
    choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
    if schema.get("default", ...) is None:
        schema = {name: value for name, value in schema.items() if name != "default"}
    if len(choices) != 1 or "anyOf" not in schema:
        return dict(schema)
    return {**{name: value for name, value in schema.items() if name != "anyOf"}, **choices[0]}


def _header_parameters(endpoint: Endpoint) -> Iterator[Schema]:
    for header in _HEADERS.get(endpoint.name, ()):
        yield _named(header, "header")


def _schema(kind: Any) -> Schema:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_REF)
    portable: Schema = json_schema.portable(schema)
    return portable


def _schemas() -> dict[str, Schema]:
    """All schemas by name: those of what travels, and those of the API."""
    kinds = [ProblemDocument, *(endpoint.query for endpoint in ENDPOINTS)]
    kinds += [kind for endpoint in ENDPOINTS for kind in (endpoint.request, endpoint.response) if kind is not None]
    _, schemas = msgspec.json.schema_components(kinds, ref_template=_REF)
    return {**json_schema.portable(schemas), **json_schema.components(_REF)}


def _needed(paths: Schema, schemas: dict[str, Schema]) -> list[str]:
    references = [ref for ref in json_schema.references(paths) if ref.startswith(_REF.format(name=""))]
    return json_schema.needed_by({"paths": [{"$ref": ref} for ref in references], "problem": _PROBLEM_REF}, schemas)
