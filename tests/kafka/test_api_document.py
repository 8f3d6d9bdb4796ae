"""Every endpoint called as the OpenAPI document allows it, and as it does not.

No mistakes of ours, nothing outside the document. Behind the API are a worker and some of everything: each endpoint is
also asked about what is there.
"""

import asyncio
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, assume
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.api_content import POLICY, ApiContent, make_content
from support.api_server import RunningApi, running_api
from support.installations import Broker, new_place, worker

from tailrace.schemas.api import openapi
from tailrace.schemas.api.parameters import WAIT_MS_MAX

pytestmark = pytest.mark.kafka

#: Of one endpoint: with anything for ids, and with the ids of what is there.
CASES = 25
CASES_OF_WHAT_IS_THERE = 8
#: What has to be waited for, waits for this at most.
WAIT_MS = 300
#: Longer ones the HTTP library of this test does not send.
URL_CHARACTERS_MAX = 60_000
#: Threads with some of everything. The last one is for what removes.
THREADS = 3

schema = schemathesis.openapi.from_dict(openapi.document())
BOUNDED = hypothesis_settings(
    max_examples=CASES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@dataclass(frozen=True, slots=True)
class FilledApi:
    """A process with a worker behind it, and what was made there."""

    api: RunningApi
    kept: Iterator[ApiContent]
    removed: ApiContent


@pytest.fixture(scope="module")
def filled(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FilledApi]:
    place = asyncio.run(new_place(broker, tmp_path_factory.mktemp("document"), partitions=2, policy=POLICY))
    waits = {"TAILRACE_CLIENT__CONTEXT_WAIT_MS": str(WAIT_MS), "TAILRACE_CLIENT__PUBLISH_WAIT_MS": "20000"}
    with worker(place), running_api(place.settings, waits) as api:
        *kept, removed = asyncio.run(_contents(api))
        yield FilledApi(api, itertools.cycle(kept), removed)


async def _contents(api: RunningApi) -> list[ApiContent]:
    async with api.client() as client:
        return [await make_content(client, f"t{number}", f"weir {number}", {}) for number in range(THREADS)]


@schema.include(path_regex="^/").parametrize()
@BOUNDED
def test_an_endpoint_does_what_the_document_says(case: Any, filled: FilledApi) -> None:
    _call(case, filled.api)


@schema.include(path_regex=r"\{").parametrize()
@hypothesis_settings(BOUNDED, max_examples=CASES_OF_WHAT_IS_THERE)
def test_an_endpoint_does_what_the_document_says_with_what_is_there(case: Any, filled: FilledApi) -> None:
    content = filled.removed if case.operation.method == "delete" else next(filled.kept)
    ids = content.ids()
    case.path_parameters = {name: ids[name] for name in case.path_parameters}
    _call(case, filled.api)


def _call(case: Any, api: RunningApi) -> None:
    query = case.query or {}
    if (text := str(query.get("wait_ms"))).isdecimal() and WAIT_MS < int(text) <= WAIT_MS_MAX:
        query["wait_ms"] = str(WAIT_MS)
    if case.operation.path in {"/v1/follow", "/v1/lifecycle"}:
        # They end with the caller: what they begin with is looked at.
        _look_at_stream(case, api)
        return
    response = case.call(base_url=api.url, timeout=60)
    case.validate_response(
        response,
        checks=[
            not_a_server_error_of_ours,
            status_code_conformance,
            content_type_conformance,
            response_headers_conformance,
            response_schema_conformance,
        ],
    )


def not_a_server_error_of_ours(ctx: Any, response: Any, case: Any) -> None:
    """504 says that a worker is late; everything else from 500 on is a mistake while all of them run."""
    if response.status_code != 504:
        not_a_server_error(ctx, response, case)


def _look_at_stream(case: Any, api: RunningApi) -> None:
    arguments = case.as_transport_kwargs(base_url=api.url)
    assume(len(urlencode(arguments["params"] or {}, doseq=True)) < URL_CHARACTERS_MAX)
    with (
        httpx2.Client(timeout=60) as client,
        client.stream(
            arguments["method"], arguments["url"], params=arguments["params"], headers=dict(arguments["headers"] or {})
        ) as response,
    ):
        assert response.status_code in {200, 400, 403, 405, 422, 429}
        if response.status_code == 200:
            assert response.headers["Content-Type"].startswith("text/event-stream")
            assert any(line == ": following" for line in response.iter_lines())
