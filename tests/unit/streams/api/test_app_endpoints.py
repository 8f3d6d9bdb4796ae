"""The table of endpoints against what is made from it and what stands beside it.

Handlers, commands, types, document.
"""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import msgspec
import pytest
from openapi_spec_validator import validate
from typer.main import get_command

from tailrace.schemas.api import openapi
from tailrace.schemas.api.endpoint import JSON, Endpoint
from tailrace.schemas.api.endpoints import ENDPOINTS
from tailrace.schemas.api.problem import KINDS, ProblemDocument
from tailrace.schemas.api.role import AccessRole
from tailrace.streams.api.app import HANDLERS
from tailrace.streams.cli import app

#: Commands that no endpoint does, and why.
NOT_OVER_HTTP = {
    "api": "starts what answers",
    "gateway": "a process of this machine",
    "demo": "starts processes of this machine",
    "broker start": "a process of this machine",
    "broker stop": "a process of this machine",
    "broker status": "a process of this machine",
    "broker logs": "a process of this machine",
    "topics plan": "for whoever sets up the broker",
    "topics apply": "for whoever sets up the broker",
    "topics check": "for whoever sets up the broker",
    "topics accept-loss": "for whoever sets up the broker",
    "worker": "a process of this machine",
    "mcp": "a process of this machine",
    "rebuild": "writes files of the workers of this machine",
    "artifacts collect": "goes over all tenants, for minutes",
    "artifacts rotate": "goes over all tenants, with keys that no caller names",
    "config show": "settings of this machine",
    "config check": "settings of this machine",
}


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    inner = getattr(command, "commands", {})
    if not inner:
        yield " ".join(path)
    for name, below in inner.items():
        yield from commands(below, (*path, name))


def test_every_command_has_an_endpoint_or_a_reason_why_not() -> None:
    there = set(commands(get_command(app)))
    served = {endpoint.command for endpoint in ENDPOINTS if endpoint.command is not None}

    assert served - there == set(), "these endpoints name commands that are not there"
    assert there - served - NOT_OVER_HTTP.keys() == set(), "give these commands an endpoint, or say why they have none"
    assert NOT_OVER_HTTP.keys() & served == set(), "these have an endpoint by now"
    assert NOT_OVER_HTTP.keys() - there == set(), "these commands are not there any more"


def test_every_endpoint_has_a_handler_and_a_name_and_place_of_its_own() -> None:
    assert [endpoint.name for endpoint in ENDPOINTS] == list(HANDLERS)
    assert len({(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}) == len(ENDPOINTS)


def test_what_changes_something_needs_more_than_a_reader() -> None:
    harmless = {"plan", "check_policy"}
    changing = [one for one in ENDPOINTS if one.method != "GET" and one.name not in harmless]

    assert changing
    assert all(one.role is not None and one.role.may(AccessRole.WRITER) for one in changing)
    assert {one.name for one in ENDPOINTS if one.role is None} == {"livez", "readyz"}


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_examples_have_the_types_of_their_endpoints(endpoint: Endpoint) -> None:
    if endpoint.request is not None:
        msgspec.convert(endpoint.request_example, endpoint.request)
    if endpoint.response_example is not None:
        kind = endpoint.response
        read = msgspec.convert(endpoint.response_example, kind)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            assert set(endpoint.response_example) <= set(kind.__struct_encode_fields__)
            assert msgspec.convert(msgspec.to_builtins(read), kind) == read
    elif endpoint.media_type == JSON:
        assert endpoint.name in {"show_policy", "show_openapi"}, "give it an example"


def test_the_document_is_one_of_openapi() -> None:
    document = json.loads(json.dumps(openapi.document()))

    validate(document)
    operations = {one["operationId"] for path in document["paths"].values() for one in path.values()}
    assert operations == {endpoint.name for endpoint in ENDPOINTS}


def test_every_parameter_says_what_it_means_and_has_an_example_of_its_type() -> None:
    document = openapi.document()
    parameters = [
        parameter
        for path in document["paths"].values()
        for operation in path.values()
        for parameter in operation["parameters"]
    ]

    assert {parameter["in"] for parameter in parameters} == {"path", "query", "header"}
    for parameter in parameters:
        assert parameter["description"].endswith("."), parameter
        schema = {"$defs": document["components"]["schemas"], **_local(parameter["schema"])}
        # Without checking the whole document again for each: another test holds it.
        jsonschema.Draft202012Validator(schema).validate(parameter["example"])


def _local(schema: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(schema).replace("#/components/schemas/", "#/$defs/"))


def test_problems_have_a_name_each_and_are_written_with_their_type() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    kind = KINDS[0]
    problem = ProblemDocument(type=kind.type, title=kind.title, status=kind.status, detail="what")
    assert msgspec.json.decode(msgspec.json.encode(problem))["type"] == "urn:tailrace:problem:malformed"
