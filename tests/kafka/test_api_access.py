"""Who gets what over HTTP.

Roles, and that what belongs to another tenant is answered as what is not there, on every endpoint.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from support.api_content import MESSAGES, POLICY, ApiContent, make_content
from support.api_server import RunningApi, running_api, variables
from support.installations import Broker, Place, new_place, worker
from support.patience import LONG_SECONDS

from tailrace.schemas.api.endpoint import EVENTS, Endpoint
from tailrace.schemas.api.endpoints import ENDPOINTS
from tailrace.schemas.api.role import AccessRole

pytestmark = pytest.mark.kafka

#: One for each role, of two tenants, and one that is for all of them.
TOKENS = {
    f"{tenant}-{role}": f"{tenant}-{role}-" + "x" * 24 for tenant in ("ours", "theirs") for role in AccessRole
} | {"every-admin": "every-admin-" + "x" * 24}


def token_entries() -> str:
    entries = []
    for name, token in TOKENS.items():
        tenant, _, role = name.partition("-")
        entries.append(f"{name}:{'*' if tenant == 'every' else tenant}:{role}:{token}")
    return "\n".join(entries)


@pytest.fixture(scope="module")
def place(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Place:
    return asyncio.run(new_place(broker, tmp_path_factory.mktemp("access"), partitions=2, policy=POLICY))


@pytest.fixture(scope="module")
def api(place: Place) -> Iterator[RunningApi]:
    with worker(place), running_api(place.settings, {"TAILRACE_API__TOKENS": token_entries()}) as api:
        yield api


def bearer(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKENS[name]}"}


async def say(client: httpx2.AsyncClient, name: str, thread: str, body: Any, **query: Any) -> str:
    done = await client.post(f"/v1/threads/{thread}/messages", json=body, headers=bearer(name), params=query)
    assert done.status_code == 201, done.text
    return str(done.json()["published"][-1]["id"])


def takes_ids(endpoint: Endpoint) -> bool:
    """Whether a request to it is about something that somebody owns."""
    return bool(set(endpoint.parameters) - {"policy"}) or "thread" in endpoint.query.__struct_fields__


async def ask(
    client: httpx2.AsyncClient, endpoint: Endpoint, ids: dict[str, str], name: str, **more: Any
) -> tuple[int, str]:
    """Call an endpoint about these ids, return the status and the text, or a stream's first lines."""
    fields = endpoint.query.__struct_fields__
    query: dict[str, Any] = {"recall": {"query": "secret"}, "diff_policies": {"other": "codex"}}.get(endpoint.name, {})
    if "thread" in fields:
        query = {**query, "thread": ids["thread"]}
    request = client.build_request(
        endpoint.method,
        endpoint.path.format(**ids),
        params={**query, **more},
        json=endpoint.request_example if endpoint.request is not None else None,
        headers=bearer(name),
    )
    response = await client.send(request, stream=True)
    try:
        if endpoint.media_type == EVENTS and response.status_code == 200:
            lines = response.aiter_lines()
            text = ""
            while ": following" not in text:
                text += f"{await anext(lines)}\n"
            return response.status_code, text
        return response.status_code, (await response.aread()).decode()
    finally:
        await response.aclose()


#: What an answer says of its own place in the log, or of the moment.
PLACES = re.compile(
    r'"(?:id|partition|offset|waiting_messages)":\s?(?:"[^"]*"|-?\d+|null)|^id: .*$|[\d.e+]+$', re.MULTILINE
)


def without_ids(answer: tuple[int, str], ids: dict[str, str]) -> tuple[int, str]:
    """An answer without the ids that it was asked about, and without places in the log."""
    status, text = answer
    for name, value in ids.items():
        text = text.replace(value, f"<{name}>")
    return status, PLACES.sub("", text)


async def is_answered_as_what_is_not_there(
    client: httpx2.AsyncClient, endpoint: Endpoint, theirs: ApiContent, missing: ApiContent
) -> None:
    """Fail unless an endpoint answers the owner, and says to others what it says of what nobody has."""
    variants: list[dict[str, Any]] = [{}]
    if "covers" in endpoint.query.__struct_fields__:
        variants.append({"covers": await newest_message(client, theirs), "wait_ms": 200})
    for more in variants:
        own = await ask(client, endpoint, theirs.ids(), "theirs-admin", **more)
        foreign = await ask(client, endpoint, theirs.ids(), "ours-admin", **more)
        nobodys = await ask(client, endpoint, missing.ids(), "ours-admin", **more)

        assert without_ids(foreign, theirs.ids()) == without_ids(nobodys, missing.ids()), endpoint.name
        assert "secret of theirs" not in foreign[1], endpoint.name
        if takes_ids(endpoint):
            assert own[0] < 300, f"{endpoint.name}: {own}"
        if takes_ids(endpoint) and endpoint.parameters and endpoint.name not in {"publish", "explain_policy"}:
            assert foreign[0] == (504 if more else 404), f"{endpoint.name}: {foreign}"


async def test_what_is_another_tenants_is_answered_as_what_is_not_there(api: RunningApi) -> None:
    async with api.client() as client:
        ours = await make_content(client, "ours-thread", "secret of ours", bearer("ours-admin"))
        theirs = await make_content(client, "theirs-thread", "secret of theirs", bearer("theirs-admin"))
        missing = ApiContent("no-such-thread", "0123456789abcdef", "fedcba9876543210", "1-999999")
        # Publishing makes a thread of the one that nobody has.
        for endpoint in sorted(ENDPOINTS, key=lambda endpoint: endpoint.name == "publish"):
            await is_answered_as_what_is_not_there(client, endpoint, theirs, missing)
        # Nothing was changed by it, and each still has its own.
        for tenant, content in (("ours", ours), ("theirs", theirs)):
            path = f"/v1/threads/{content.thread}/context?format=tailrace/1"
            shown = await client.get(path, headers=bearer(f"{tenant}-admin"))
            assert f"secret of {tenant}" in shown.text
            listed = (await client.get("/v1/threads", headers=bearer(f"{tenant}-admin"))).json()["threads"]
            assert {row["thread"] for row in listed} - {missing.thread} == {content.thread}
        every = (await client.get("/v1/threads", headers=bearer("every-admin"))).json()["threads"]
        assert {row["thread"] for row in every} >= {ours.thread, theirs.thread}
        narrowed = await client.get("/v1/threads", params={"tenant": "theirs"}, headers=bearer("every-admin"))
        assert [row["thread"] for row in narrowed.json()["threads"]] == [theirs.thread]
        refused = await client.get("/v1/threads", params={"tenant": "theirs"}, headers=bearer("ours-admin"))
        assert refused.status_code == 403

        # What is said into another tenant's thread never gets there.
        await say(client, "ours-writer", theirs.thread, {"role": "user", "content": "from outside"})
        later = await say(client, "theirs-writer", theirs.thread, {"role": "user", "content": "from inside"})
        context = await client.get(
            f"/v1/threads/{theirs.thread}/context", params={"covers": later}, headers=bearer("theirs-reader")
        )
        assert "from inside" in context.text
        assert "from outside" not in context.text
        named = {"tenant": "theirs", "native": {"role": "user", "content": "in their name"}}
        forged = await client.post("/v1/threads/x/messages", json=named, headers=bearer("ours-writer"))
        assert forged.status_code == 403

        assert "theirs" not in await first_events(client, "/v1/follow", theirs.thread)
        audit = await first_events(client, "/v1/lifecycle?since_ms=0", theirs.thread)
        lines = [json.loads(line.removeprefix("data: ")) for line in audit.splitlines() if line.startswith("data: ")]
        # What was tried here stands in the audit of whoever tried it, and nothing of what is there.
        assert {(line["actor"], line["tenant"]) for line in lines} <= {("ours-admin", "ours"), ("ours-writer", "ours")}


async def test_the_audit_names_who_did_what(api: RunningApi) -> None:
    async with api.client() as client:
        content = await make_content(client, "audited", "secret of ours", bearer("ours-admin"))
        await say(client, "ours-writer", content.thread, {"role": "user", "content": "hi"})
        path = f"/v1/threads/{content.thread}"
        for name, request, body in (
            ("ours-writer", f"{path}/signals", {"kind": "announce", "tokens": 5}),
            ("every-admin", f"{path}/compact", {"target_fraction": 0.5}),
            ("ours-operator", f"/v1/dead-letters/{content.letter}/replay", None),
        ):
            done = await client.post(request, json=body, headers=bearer(name))
            assert done.status_code < 300, done.text
        wanted = [
            *[("ours-admin", "a message")] * MESSAGES,
            ("ours-admin", "a signal"),
            ("ours-writer", "a message"),
            ("ours-writer", "a signal"),
            ("every-admin", "a signal"),
            ("ours-operator", f"dead letter {content.letter}, sent again"),
        ]
        lines = await received(client, content.thread, len(wanted))
    assert [(line["actor"], line["reason"]) for line in lines] == wanted
    assert {line["tenant"] for line in lines} == {"ours"}


async def received(client: httpx2.AsyncClient, thread: str, count: int) -> list[dict[str, Any]]:
    """The first so many lines of the audit that say who sent what."""
    lines: list[dict[str, Any]] = []
    path = f"/v1/lifecycle?thread={thread}&since_ms=0"
    async with (
        asyncio.timeout(LONG_SECONDS),
        client.stream("GET", path, headers=bearer("ours-reader")) as response,
    ):
        async for text in response.aiter_lines():
            line = json.loads(text.removeprefix("data: ")) if text.startswith("data: ") else {}
            lines += [line] if line.get("kind") == "received" else []
            if len(lines) == count:
                break
    return lines


async def newest_message(client: httpx2.AsyncClient, content: ApiContent) -> str:
    shown = await client.get(f"/v1/threads/{content.thread}/context?check=false", headers=bearer("theirs-admin"))
    assert shown.status_code == 200, shown.text
    return str(shown.json()["covers_through"]["event_id"])


async def first_events(client: httpx2.AsyncClient, path: str, thread: str) -> str:
    """What a stream about somebody else's thread says within a moment in which that thread changes."""
    text = ""
    joint = "&" if "?" in path else "?"
    async with client.stream("GET", f"{path}{joint}thread={thread}", headers=bearer("ours-admin")) as response:
        assert response.status_code == 200
        lines = response.aiter_lines()
        while ": following" not in text:
            text += f"{await anext(lines)}\n"
        done = await client.post(
            f"/v1/threads/{thread}/compact", json={"target_fraction": 0.01}, headers=bearer("theirs-admin")
        )
        assert done.status_code == 200
        try:
            async with asyncio.timeout(1):
                async for line in lines:
                    text += f"{line}\n"
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


async def test_a_token_of_an_identity_provider_is_as_good_as_one_of_ours(place: Place, tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": [ECAlgorithm.to_jwk(key.public_key(), as_dict=True)]}))
    names = {"KEYS": str(keys), "ISSUER": "https://login.example/", "AUDIENCE": "tailrace"}
    claims = {"iss": names["ISSUER"], "aud": "tailrace", "sub": "alice", "tenant": "ours", "exp": time.time() + 600}
    texts = {role: jwt.encode({**claims, "role": role}, key, "ES256") for role in ("reader", "writer")}
    settings = {f"TAILRACE_API__JWT__{name}": value for name, value in names.items()}
    with running_api(place.settings, {**settings, "TAILRACE_API__TOKENS": token_entries()}) as api:
        async with api.client() as client:
            for token, status in (
                (texts["writer"], 201),
                (texts["reader"], 403),
                (TOKENS["ours-writer"], 201),
                (f"{texts['writer']}x", 401),
            ):
                said = await client.post(
                    "/v1/threads/signed/messages",
                    json={"role": "user", "content": "hi"},
                    headers={"Authorization": f"Bearer {token}"},
                )
                assert said.status_code == status, said.text


def test_an_open_address_without_tokens_is_refused(place: Place) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tailrace.streams.cli", "api", "--host", "0.0.0.0"],  # noqa: S104  it must not be bound
        env={**os.environ, **variables(place.settings)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 78
    assert "api.host = '0.0.0.0' can't be used" in done.stderr
