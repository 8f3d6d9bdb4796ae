"""Every endpoint called as the OpenAPI document allows it, and as it does not.

No mistakes of ours, nothing outside the document.
"""

import asyncio
import uuid
from collections.abc import Iterator
from typing import Any, Protocol

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.api_server import RunningApi, running_api

from tailrace.schemas.api import openapi
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

CASES = 25
#: What has to be waited for, waits for this at most.
WAIT_MS = 300

schema = schemathesis.openapi.from_dict(openapi.document())


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture(scope="module")
def api(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApi]:
    name = f"document-{uuid.uuid4().hex[:8]}"
    settings = load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=tmp_path_factory.mktemp("document"),
        topics={"prefix": f"{name}.", "partitions": 2},
        client={"context_wait_ms": WAIT_MS, "publish_wait_ms": 2_000},
    )
    asyncio.run(topic_admin.apply(settings))
    with running_api(settings) as api:
        yield api


@schema.include(path_regex="^/").parametrize()
@hypothesis_settings(
    max_examples=CASES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
def test_an_endpoint_does_what_the_document_says(case: Any, api: RunningApi) -> None:
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
    """503 and 504 say that somebody else is late; everything else from 500 on is a mistake."""
    if response.status_code not in {503, 504}:
        not_a_server_error(ctx, response, case)


def _look_at_stream(case: Any, api: RunningApi) -> None:
    arguments = case.as_transport_kwargs(base_url=api.url)
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
