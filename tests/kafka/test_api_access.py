"""Who gets what over HTTP.

Roles, and that what belongs to another tenant is answered as what is not there, on every endpoint.
"""

import asyncio
import os
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from typing import Any, Protocol

import httpx2
import pytest
from support.api_server import RunningApi, running_api, variables
from support.tiny_worker import tiny_worker

from tailrace.schemas.api.endpoint import EVENTS, Endpoint
from tailrace.schemas.api.endpoints import ENDPOINTS
from tailrace.schemas.api.role import AccessRole
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

LONG_MS = 60_000
#: One for each role, of two tenants, and one that is for all of them.
TOKENS = {
    f"{tenant}-{role}": f"{tenant}-{role}-" + "x" * 24 for tenant in ("ours", "theirs") for role in AccessRole
} | {"every-admin": "every-admin-" + "x" * 24}


class Broker(Protocol):
    bootstrap_servers: str


def token_entries() -> str:
    entries = []
    for name, token in TOKENS.items():
        tenant, _, role = name.partition("-")
        entries.append(f"{name}:{'*' if tenant == 'every' else tenant}:{role}:{token}")
    return "\n".join(entries)


@pytest.fixture(scope="module")
def settings(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    name = f"access-{uuid.uuid4().hex[:8]}"
    settings = load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=tmp_path_factory.mktemp("access"),
        topics={"prefix": f"{name}.", "partitions": 2},
        client={"context_wait_ms": LONG_MS, "publish_wait_ms": LONG_MS},
    )
    asyncio.run(topic_admin.apply(settings))
    return settings


@pytest.fixture
async def api(settings: Settings) -> AsyncIterator[RunningApi]:
    async with tiny_worker(settings):
        with running_api(settings, {"TAILRACE_API__TOKENS": token_entries()}) as api:
            yield api


def bearer(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKENS[name]}"}


async def say(client: httpx2.AsyncClient, name: str, thread: str, body: Any, **query: Any) -> str:
    done = await client.post(f"/v1/threads/{thread}/messages", json=body, headers=bearer(name), params=query)
    assert done.status_code == 201, done.text
    return str(done.json()["published"][-1]["id"])


async def ids_of(client: httpx2.AsyncClient, name: str) -> dict[str, str]:
    """Make one of everything for the tenant of this token, and return the ids, by the name of their path parameter."""
    thread = f"{name}-thread"
    orphan = {"role": "tool", "tool_call_id": "nobody", "content": f"secret of {name}"}
    await say(client, name, thread, [{"role": "user", "content": f"secret of {name} " + "word " * 50}] * 30)
    last = await say(client, name, thread, orphan)
    headers = bearer(name)
    covered = await client.get(f"/v1/threads/{thread}/context", params={"covers": last}, headers=headers)
    assert covered.status_code == 200, covered.text
    done = await client.post(f"/v1/threads/{thread}/compact", json={"target_fraction": 0.01}, headers=headers)
    assert done.status_code == 200, done.text
    letters: list[dict[str, Any]] = []
    while not letters:
        letters = (await client.get("/v1/dead-letters", headers=headers)).json()["letters"]
    return {
        "thread": thread,
        "compaction": done.json()["compaction_id"],
        "letter": letters[0]["id"],
        "artifact": "6f1c2a90b3d4e5f7",
        "policy": "default",
    }


def missing_like(ids: dict[str, str]) -> dict[str, str]:
    """Ids of the same form that nobody has."""
    return {**ids, "thread": "no-such-thread", "compaction": "0123456789abcdef", "letter": "1-999999"}


async def ask(client: httpx2.AsyncClient, endpoint: Endpoint, ids: dict[str, str], name: str) -> httpx2.Response:
    """Call an endpoint about these ids, as far as it takes any."""
    fields = endpoint.query.__struct_fields__
    query: dict[str, Any] = {"recall": {"query": "secret"}, "diff_policies": {"other": "codex"}}.get(endpoint.name, {})
    if "thread" in fields:
        query = {**query, "thread": ids["thread"]}
    if "covers" in fields:
        query = {**query, "wait_ms": 200}
    if endpoint.name == "show_policy":
        ids = {**ids, "policy": "default"}
    return await client.request(
        endpoint.method,
        endpoint.path.format(**ids),
        params=query,
        json=endpoint.request_example if endpoint.request is not None else None,
        headers=bearer(name),
    )


def said(response: httpx2.Response, ids: dict[str, str]) -> tuple[int, str]:
    """What an answer says but for the ids that it was asked about."""
    text = response.text
    for key in ("thread", "compaction", "letter"):
        text = text.replace(ids[key], f"<{key}>")
    return response.status_code, text


async def test_what_is_another_tenants_is_answered_as_what_is_not_there(api: RunningApi) -> None:
    async with api.client() as client:
        ours = await ids_of(client, "ours-admin")
        theirs = await ids_of(client, "theirs-admin")
        nobodys = missing_like(theirs)
        tried = set()
        for endpoint in ENDPOINTS:
            if endpoint.media_type == EVENTS or endpoint.name in {"publish", "show_metrics", "show_stats"}:
                continue
            own = await ask(client, endpoint, theirs, "theirs-admin")
            foreign = await ask(client, endpoint, theirs, "ours-admin")
            missing = await ask(client, endpoint, nobodys, "ours-admin")

            assert said(foreign, theirs) == said(missing, nobodys), endpoint.name
            assert "secret of theirs" not in foreign.text, endpoint.name
            if {"thread", "compaction", "letter"} & set(endpoint.parameters):
                assert own.status_code < 300, f"{endpoint.name}: {own.text}"
                assert foreign.status_code == 404, f"{endpoint.name}: {foreign.text}"
            tried.add(endpoint.name)
        assert len(tried) > 20
        # Nothing was changed by it, and each still has its own.
        for name, ids in (("ours-admin", ours), ("theirs-admin", theirs)):
            shown = await client.get(f"/v1/threads/{ids['thread']}/context?format=tailrace/1", headers=bearer(name))
            assert f"secret of {name}" in shown.text
            listed = (await client.get("/v1/threads", headers=bearer(name))).json()["threads"]
            assert [row["thread"] for row in listed] == [ids["thread"]]
        every = (await client.get("/v1/threads", headers=bearer("every-admin"))).json()["threads"]
        assert len(every) == 2
        narrowed = await client.get("/v1/threads", params={"tenant": "theirs"}, headers=bearer("every-admin"))
        assert [row["thread"] for row in narrowed.json()["threads"]] == [theirs["thread"]]
        refused = await client.get("/v1/threads", params={"tenant": "theirs"}, headers=bearer("ours-admin"))
        assert refused.status_code == 403

        # What is said into another tenant's thread never gets there.
        await say(client, "ours-writer", theirs["thread"], {"role": "user", "content": "from outside"})
        later = await say(client, "theirs-writer", theirs["thread"], {"role": "user", "content": "from inside"})
        context = await client.get(
            f"/v1/threads/{theirs['thread']}/context", params={"covers": later}, headers=bearer("theirs-reader")
        )
        assert "from inside" in context.text
        assert "from outside" not in context.text
        named = {"tenant": "theirs", "native": {"role": "user", "content": "in their name"}}
        forged = await client.post("/v1/threads/x/messages", json=named, headers=bearer("ours-writer"))
        assert forged.status_code == 403

        for path in ("/v1/follow", "/v1/lifecycle?since_ms=0"):
            ours_only = await first_events(client, path, theirs["thread"])
            assert "theirs" not in ours_only, path


async def first_events(client: httpx2.AsyncClient, path: str, thread: str) -> str:
    """What a stream about somebody else's thread says within a moment in which that thread changes."""
    text = ""
    joint = "&" if "?" in path else "?"
    async with client.stream("GET", f"{path}{joint}thread={thread}", headers=bearer("ours-admin")) as response:
        assert response.status_code == 200
        lines = response.aiter_lines()
        while ": following" not in text:
            text += await anext(lines)
        done = await client.post(
            f"/v1/threads/{thread}/compact", json={"target_fraction": 0.01}, headers=bearer("theirs-admin")
        )
        assert done.status_code == 200
        try:
            async with asyncio.timeout(1):
                async for line in lines:
                    text += line
        except TimeoutError:
            pass
    return text


async def test_every_endpoint_asks_for_its_role(api: RunningApi) -> None:
    async with api.client() as client:
        for endpoint in ENDPOINTS:
            path = endpoint.path.format(thread="t", compaction="abcd", artifact="a", policy="default", letter="0-0")
            if endpoint.role is None:
                assert (await client.request(endpoint.method, path)).status_code == 200
                continue
            nobody = await client.request(endpoint.method, path)
            assert (nobody.status_code, nobody.headers["WWW-Authenticate"][:6]) == (401, "Bearer"), endpoint.name
            wrong = await client.request(endpoint.method, path, headers={"Authorization": "Bearer " + "y" * 30})
            assert wrong.status_code == 401
            for role in AccessRole:
                if not role.may(endpoint.role):
                    refused = await client.request(endpoint.method, path, headers=bearer(f"ours-{role}"))
                    assert refused.status_code == 403, endpoint.name


def test_an_open_address_without_tokens_is_refused(settings: Settings) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tailrace.streams.cli", "api", "--host", "0.0.0.0"],  # noqa: S104  it must not be bound
        env={**os.environ, **variables(settings)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 78
    assert "api.host = '0.0.0.0' can't be used" in done.stderr
