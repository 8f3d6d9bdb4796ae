"""The HTTP API on a real broker: a process as users start it, and what a program without Kafka gets from it."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import pytest
from support.api_server import RunningApi, running_api
from support.tiny_worker import tiny_worker

from tailrace.schemas.errors import Invalid, Unavailable
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams import AsyncHttpClient, HttpClient
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

LONG_MS = 60_000
POLICY = {"window_tokens": 2_000, "output_reserve_tokens": 0, "safety_tokens": 0, "rehydration_reserve_tokens": 0}


class Broker(Protocol):
    bootstrap_servers: str


def fresh_settings(broker: Broker, folder: Path) -> Settings:
    name = f"api-{uuid.uuid4().hex[:8]}"
    settings = load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=folder,
        topics={"prefix": f"{name}.", "partitions": 3},
        policy=POLICY,
        client={"context_wait_ms": LONG_MS, "publish_wait_ms": LONG_MS},
    )
    asyncio.run(topic_admin.apply(settings))
    return settings


@pytest.fixture(scope="module")
def settings(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return fresh_settings(broker, tmp_path_factory.mktemp("api"))


@pytest.fixture(scope="module")
def process(settings: Settings) -> Iterator[RunningApi]:
    with running_api(settings) as process:
        yield process


@pytest.fixture
async def api(settings: Settings, process: RunningApi) -> AsyncIterator[RunningApi]:
    """Yield the process that the tests of this file share, with a worker."""
    async with tiny_worker(settings):
        yield process


@pytest.fixture
def t1() -> str:
    """Return the id of a thread that no other test has."""
    return f"t-{uuid.uuid4().hex[:8]}"


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


async def events(api: RunningApi, path: str, headers: dict[str, str] | None = None) -> AsyncIterator[dict[str, Any]]:
    """Yield the events of a stream as they come, each with its id and data; the first mark of a stream has no data."""
    async with api.client() as client, client.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200, await response.aread()
        fields: dict[str, Any] = {}
        async for line in response.aiter_lines():
            name, _, value = line.partition(": ")
            if line == "":
                if fields:
                    yield fields
                fields = {}
            elif name:
                fields[name] = json.loads(value) if name == "data" else value


async def test_what_is_published_is_in_the_context_in_every_format(api: RunningApi, t1: str) -> None:
    async with api.client() as client:
        done = await client.post(f"/v1/threads/{t1}/messages?model=gpt-4o", json=user("How high is the water?"))
        assert done.status_code == 201, done.text
        (published,) = done.json()["published"]

        for form, key in (
            ("openai.chat", "messages"),
            ("openai.responses", "input"),
            ("anthropic.messages", "messages"),
            ("gemini", "contents"),
            ("tailrace/1", "messages"),
        ):
            answer = await client.get(
                f"/v1/threads/{t1}/context", params={"format": form, "covers": published["id"], "wait_ms": LONG_MS}
            )
            assert answer.status_code == 200, answer.text
            context = answer.json()
            assert "How high is the water?" in json.dumps(context["request"][key])
            assert context["covers_through"] == {"event_id": published["id"], "offset": published["offset"]}
            assert [item["id"] for item in context["entries"]] == [published["id"]]
            assert 0 < context["tokens"] <= context["limit_tokens"] == 2_000


async def test_a_thread_that_was_just_begun_is_waited_for(api: RunningApi, t1: str) -> None:
    async with api.client() as client:
        await client.post(f"/v1/threads/{t1}/messages", json=user("And then?"))
        context = await client.get(f"/v1/threads/{t1}/context")

    assert context.json()["request"]["messages"] == [user("And then?")]


async def test_a_context_that_stands_is_not_sent_again(api: RunningApi, t1: str) -> None:
    async with api.client() as client:
        (first,) = (await client.post(f"/v1/threads/{t1}/messages", json=user("one"))).json()["published"]
        context = await client.get(f"/v1/threads/{t1}/context", params={"covers": first["id"]})
        again = await client.get(f"/v1/threads/{t1}/context", headers={"If-None-Match": context.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")

        (second,) = (await client.post(f"/v1/threads/{t1}/messages", json=user("two"))).json()["published"]
        changed = await client.get(
            f"/v1/threads/{t1}/context",
            params={"covers": second["id"]},
            headers={"If-None-Match": context.headers["ETag"]},
        )
        assert changed.status_code == 200
        assert [message["content"] for message in changed.json()["request"]["messages"]] == ["one", "two"]


async def test_a_long_conversation_is_compacted_and_stays_under_its_limit(api: RunningApi, t1: str) -> None:
    async with api.client() as client:
        said = [user(f"{number} " + "word " * 60) for number in range(100)]
        done = await client.post(f"/v1/threads/{t1}/messages", json=said)
        last = done.json()["published"][-1]
        context = (await client.get(f"/v1/threads/{t1}/context", params={"covers": last["id"]})).json()

        assert context["epoch"] > 0
        assert context["totals"]["messages"] == 100
        assert context["tokens"] <= context["limit_tokens"]


async def test_a_stream_follows_several_threads_and_goes_on_where_it_was(api: RunningApi, t1: str) -> None:
    a, b = f"a-{t1}", f"b-{t1}"
    path = f"/v1/follow?thread={a}&thread={b}&format=openai.chat"
    async with api.client() as client, asyncio.timeout(120):
        stream = events(api, path)
        begun = await anext(stream)
        assert "data" not in begun
        await client.post(f"/v1/threads/{a}/messages", json=user("to a"))
        event = await anext(stream)
        assert event["event"] == "context"
        assert event["data"]["thread"] == a
        assert event["data"]["context"]["request"]["messages"] == [user("to a")]
        await stream.aclose()

        (missed,) = (await client.post(f"/v1/threads/{b}/messages", json=user("to b"))).json()["published"]
        await client.get(f"/v1/threads/{b}/context", params={"covers": missed["id"]})
        resumed = events(api, path, {"Last-Event-ID": event["id"]})
        assert (await anext(resumed))["data"]["thread"] == b
        assert "data" not in await anext(resumed)
        await resumed.aclose()


async def test_a_restart_goes_on_where_it_was_and_says_the_same(broker: Broker, tmp_path: Path) -> None:
    settings = await asyncio.to_thread(fresh_settings, broker, tmp_path)
    async with tiny_worker(settings):
        with running_api(settings) as api:
            async with api.client() as client:
                await said(client, "t1", "before")
                before = await client.get("/v1/threads/t1/context")
        (file,) = (settings.data_dir / "api").rglob("contexts.db")
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700

        # The second one beside it reads everything anew, into a file of its own.
        with running_api(settings) as api, running_api(settings) as other:
            for one in (api, other):
                async with one.client() as client:
                    after = await client.get("/v1/threads/t1/context")
                    assert (after.headers["ETag"], after.content) == (before.headers["ETag"], before.content)
                    assert (await client.get("/v1/threads")).json()["threads"][0]["thread"] == "t1"


async def test_without_a_worker_the_wait_ends_with_a_problem_that_says_what_to_do(process: RunningApi, t1: str) -> None:
    async with process.client() as client:
        (lonely,) = (await client.post(f"/v1/threads/{t1}/messages", json=user("anybody?"))).json()["published"]
        late = await client.get(f"/v1/threads/{t1}/context", params={"covers": lonely["id"], "wait_ms": 100})

        assert late.status_code == 504
        assert late.headers["Content-Type"] == "application/problem+json"
        assert late.json()["where"] == "covers"
        assert "ask again" in late.json()["remedy"]
        assert (await client.get(f"/v1/threads/{t1}/context")).status_code == 404


async def said(client: Any, thread: str, *texts: str, **options: Any) -> list[dict[str, Any]]:
    """Publish to a thread, and return what stands where once its context takes all of it into account."""
    done = await client.post(f"/v1/threads/{thread}/messages", json=[user(text) for text in texts], params=options)
    assert done.status_code == 201, done.text
    published = done.json()["published"]
    covered = await client.get(f"/v1/threads/{thread}/context", params={"covers": published[-1]["id"], "check": False})
    assert covered.status_code == 200, covered.text
    return published


async def test_a_thread_is_planned_for_compacted_and_its_history_says_so(api: RunningApi, t1: str) -> None:
    async with api.client() as client:
        await said(client, t1, *(f"{number} " + "word " * 40 for number in range(20)))
        before = (await client.get(f"/v1/threads/{t1}")).json()
        planned = await client.post(f"/v1/threads/{t1}/plan", json={"force": True})
        assert planned.status_code == 200, planned.text
        assert planned.json()["after_tokens"] < planned.json()["before_tokens"] == before["tokens"]
        assert (await client.get(f"/v1/threads/{t1}")).json() == before

        done = await client.post(f"/v1/threads/{t1}/compact", json={"target_fraction": 0.3, "reason": "a test"})
        assert done.status_code == 200, done.text
        outcome = done.json()
        assert outcome["outcome"] == "completed"
        after = (await client.get(f"/v1/threads/{t1}/context")).json()
        assert after["tokens"] == outcome["after_tokens"] < outcome["before_tokens"]

        record = await client.get(f"/v1/compactions/{outcome['compaction_id'][:12]}")
        assert record.status_code == 200, record.text
        assert record.json()["id"] == outcome["compaction_id"]
        assert "a test (asked for by local)" in record.json()["condition"]
        history = (await client.get(f"/v1/threads/{t1}/history")).json()
        assert history["happened"][-1]["compaction"]["id"] == outcome["compaction_id"]
        assert history["now"]["tokens"] == after["tokens"]
        records = (await client.get(f"/v1/threads/{t1}/compactions", params={"limit": 1})).json()
        assert [one["id"] for one in records["compactions"]] == [outcome["compaction_id"]]


async def test_signals_reach_their_thread_and_a_refusal_is_told(api: RunningApi, t1: str) -> None:
    async with api.client() as client:
        await said(client, t1, "hi")
        audit = events(api, f"/v1/lifecycle?thread={t1}")
        await anext(audit)
        done = await client.post(f"/v1/threads/{t1}/signals", json={"kind": "call_ended", "call": "c9", "id": "s1"})
        assert done.status_code == 202, done.text
        refused = (await anext(audit))["data"]
        assert (refused["kind"], refused["event_id"]) == ("refused", "s1")
        await audit.aclose()
        for wrong in ({"kind": "moonrise"}, {"kind": "tick", "timer": "x", "due_ms": 1}, {"kind": "announce"}):
            assert (await client.post(f"/v1/threads/{t1}/signals", json=wrong)).status_code == 422
        # The policy names no strategy to delegate to: the worker says so, and goes on.
        delegated = await client.post(f"/v1/threads/{t1}/compact", json={"strategy": "delegate"})
        assert (delegated.status_code, "compactor" in delegated.json()["detail"]) == (409, True)
        await said(client, t1, "still there")
        nobody = await client.post("/v1/threads/nobody/signals", json={"kind": "call_ended", "call": "c9"})
        assert nobody.status_code == 404


async def test_a_dead_letter_is_listed_shown_and_sent_again(api: RunningApi, t1: str) -> None:
    result = {"role": "tool", "tool_call_id": "nobody-asked", "content": "seen"}
    async with api.client() as client:
        await said(client, t1, "hi")
        (refused,) = (await client.post(f"/v1/threads/{t1}/messages", json=result)).json()["published"]
        # Refused, and said so: whoever waits for it is not left waiting.
        waited = await client.get(f"/v1/threads/{t1}/context", params={"covers": refused["id"]})
        assert waited.status_code == 200
        letters: list[dict[str, Any]] = []
        while not letters:
            listed = (await client.get("/v1/dead-letters")).json()["letters"]
            letters = [letter for letter in listed if letter["key"] == {"text": t1}]
        (letter,) = letters
        assert letter["code"] == "misplaced"
        shown = (await client.get(f"/v1/dead-letters/{letter['id']}")).json()
        assert json.loads(shown["value"]["text"])["native"] == result
        dry = (await client.post(f"/v1/dead-letters/{letter['id']}/replay", params={"dry_run": True})).json()
        assert (dry["topic"], dry["offset"]) == (letter["source"]["topic"], None)
        sent = (await client.post(f"/v1/dead-letters/{letter['id']}/replay")).json()
        assert sent["offset"] > letter["source"]["offset"]
        for missing in ("7-99", "0-999999", "x", "1-" + "9" * 30):
            assert (await client.get(f"/v1/dead-letters/{missing}")).status_code == 404


async def test_threads_are_searched_and_paged(api: RunningApi, t1: str) -> None:
    async with api.client() as client:
        names = [*(f"{t1} job-{number}%" for number in range(5)), f"{t1}/b", f"ü {t1}"]
        for name in names:
            await said(client, quote(name, safe=""), f"in {name}")
        slashed = await client.get(f"/v1/threads/{quote(names[5], safe='')}")
        assert slashed.json()["thread"] == names[5]

        listed, after = [], ""
        while after is not None:
            page = (await client.get("/v1/threads", params={"search": t1, "limit": 2, "after": after})).json()
            listed += [row["thread"] for row in page["threads"]]
            after = page["next"]
        assert listed == names[::-1]
        found = (await client.get("/v1/threads", params={"search": f"{t1} JOB-3%".upper()})).json()["threads"]
        assert [row["thread"] for row in found] == [names[3]]
        assert (await client.get("/v1/threads", params={"after": "x"})).status_code == 422


async def test_the_same_message_twice_is_one(api: RunningApi, t1: str) -> None:
    async with api.client() as client:
        message = {**user("once"), "id": "m1"}
        for _ in range(2):
            done = await client.post(f"/v1/threads/{t1}/messages", json=message)
            assert done.json()["published"][0]["id"] == "m1"
        last = await said(client, t1, "twice")
        context = (await client.get(f"/v1/threads/{t1}/context")).json()
        assert [item["id"] for item in context["entries"]] == ["m1", last[0]["id"]]


async def test_a_list_with_a_message_that_can_not_be_read_is_published_not_at_all(api: RunningApi, t1: str) -> None:
    async with api.client() as client:
        refused = await client.post(f"/v1/threads/{t1}/messages", json=[user("good"), {"content": "no role"}])
        assert (refused.status_code, refused.json()["where"]) == (422, "body[1]")
        await said(client, t1, "later")
        context = (await client.get(f"/v1/threads/{t1}/context")).json()
        assert [message["content"] for message in context["request"]["messages"]] == ["later"]


async def test_the_client_reads_what_it_has_published_and_knows_every_message_by_its_id(
    api: RunningApi, t1: str
) -> None:
    class Text(str):
        """As libraries have them."""

        __slots__ = ()

    async with AsyncHttpClient(api.url) as client:
        named = await client.publish(t1, {"role": "user", "content": Text("one"), "id": "m1"}, model="gpt-4o")
        await client.publish(t1, Message(role="assistant", parts=(TextPart(content="two"),)), id="m2")
        context = await client.context(t1)
        assert named.id == "m1"
        assert [(item.id, item.kind) for item in context.entries] == [("m1", "verbatim"), ("m2", "verbatim")]
        assert context.request("openai.chat")["messages"][0] == user("one")
        assert context.request("anthropic.messages")["messages"][1]["role"] == "assistant"
        assert await client.context(t1) is context

        stream = client.follow(t1)
        assert (await anext(stream)).etag == context.etag
        await client.publish_many(t1, [user("word " * 60) for _ in range(20)])
        while (latest := await anext(stream)).totals.messages < 22:
            pass
        await stream.aclose()
        assert latest.entries == (await client.context(t1)).entries

        done = await client.compact(t1, target_fraction=0.2, reason="a test")
        assert done.outcome == "completed"
        assert (await client.context(t1)).tokens == done.after_tokens
        assert (await client.recall("word")).missing
        with pytest.raises(Invalid, match="target_tokens"):
            await client.compact(t1, target_tokens=0)
        with pytest.raises(Unavailable, match="there is no context of thread"):
            await client.context(f"not {t1}")


async def test_the_sync_client_does_the_same(api: RunningApi, t1: str) -> None:
    def talk() -> None:
        with HttpClient(api.url) as client:
            client.publish(t1, user("one"))
            assert [message["content"] for message in client.context(t1).request()["messages"]] == ["one"]
            stream = client.follow(t1)
            assert next(stream).totals.messages == 1
            stream.close()
            with pytest.raises(Invalid):
                client.publish(t1, {"content": "no role"})

    await asyncio.to_thread(talk)


def test_a_client_says_where_no_api_answers() -> None:
    with HttpClient(f"http://127.0.0.1:{free_port()}") as client, pytest.raises(Unavailable, match="tailrace api"):
        client.publish("t1", user("hello?"))
