"""Codex's requests for a compaction, in the shapes that its source has published, old (v1) and new (v2).

v1 posts to `/v1/responses/compact` and takes the output for its history. v2 streams a usual request that ends with a
trigger, wants exactly one compaction item before the stream completes, and keeps what users said in front of it.
"""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from support.provider_server import Provider, Said, provider_server
from support.running_gateway import TwinGateway, twin_gateway

INSTRUCTIONS = "You are Codex. Work in the folder that you are told."


@pytest.fixture
def provider() -> Iterator[Provider]:
    with provider_server(lambda _: Said("Done.")) as provider:
        yield provider


@pytest.fixture
async def gateway(provider: Provider, tmp_path: Path) -> AsyncIterator[TwinGateway]:
    async with twin_gateway(provider, tmp_path) as gateway:
        yield gateway


def user(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def history() -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = [user("Mend the lock gate. Never touch the spillway.")]
    for number in range(12):
        call = {"name": "shell", "arguments": json.dumps({"command": ["cat", f"gate{number}.log"]})}
        output = "\n".join(f"row {number}-{row}: valve {row * number} is shut" for row in range(80))
        items += [
            {"type": "reasoning", "summary": [], "encrypted_content": f"sealed {number}", "content": None},
            {"type": "function_call", "call_id": f"call_{number}", **call},
            {"type": "function_call_output", "call_id": f"call_{number}", "output": output},
        ]
    return [*items, user("And the paint?")]


def codex_request(items: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "model": "gpt-5-codex",
        "instructions": INSTRUCTIONS,
        "input": items,
        "tools": [{"type": "function", "name": "shell", "parameters": {"type": "object"}, "strict": False}],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
        "reasoning": {"effort": "medium", "summary": "auto"},
        "store": False,
        "stream": True,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": "0199-codex",
    }


async def post(gateway: TwinGateway, path: str, body: dict[str, Any]) -> httpx2.Response:
    async with httpx2.AsyncClient(base_url=gateway.address, timeout=60) as client:
        return await client.post(path, json=body, headers={"authorization": "Bearer k"})


def events(response: httpx2.Response) -> list[dict[str, Any]]:
    lines = response.text.splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


async def test_v1_gets_one_item_that_goes_on_as_the_conversation(gateway: TwinGateway, provider: Provider) -> None:
    body = {"model": "gpt-5-codex", "instructions": INSTRUCTIONS, "input": history()}
    (item,) = (await post(gateway, "/v1/responses/compact", body)).json()["output"]
    assert set(item) == {"type", "id", "encrypted_content"}

    answer = await post(gateway, "/v1/responses", codex_request([item, user("Go on.")]))

    assert answer.status_code == 200
    assert provider.refused == []
    (sent,) = [received.body for received in provider.received]
    assert sent["instructions"] == INSTRUCTIONS
    assert sent["input"][-1] == user("Go on.")
    assert "Never touch the spillway." in json.dumps(sent["input"])
    assert len(json.dumps(sent["input"])) < len(json.dumps(history()))


async def test_v2_gets_exactly_one_compaction_item_before_the_stream_completes(
    gateway: TwinGateway, provider: Provider
) -> None:
    response = await post(gateway, "/v1/responses", codex_request([*history(), {"type": "compaction_trigger"}]))

    assert response.headers["content-type"].startswith("text/event-stream")
    done = [event["item"] for event in events(response) if event["type"] == "response.output_item.done"]
    assert [item["type"] for item in done] == ["compaction"]
    assert all(event["type"] in response.text for event in events(response))
    last = events(response)[-1]
    assert last["type"] == "response.completed"
    assert last["response"]["output"] == done
    assert last["response"]["usage"]["input_tokens"] > last["response"]["usage"]["output_tokens"] > 0
    # The provider was not asked, and nothing was said in a thread.
    assert (provider.received, gateway.published()) == ([], [])


async def test_what_v2_keeps_beside_the_item_is_not_sent_twice(gateway: TwinGateway, provider: Provider) -> None:
    asked = codex_request([*history(), {"type": "compaction_trigger"}])
    item = events(await post(gateway, "/v1/responses", asked))[-1]["response"]["output"][0]
    kept = [each for each in history() if each.get("role") == "user"]

    await post(gateway, "/v1/responses", codex_request([*kept, item, user("Go on.")]))

    assert provider.refused == []
    sent = json.dumps(provider.received[-1].body["input"])
    for text in ("Never touch the spillway.", "And the paint?", "Go on."):
        assert sent.count(text) == 1, text


async def test_a_compaction_of_a_compacted_conversation_is_one_item_again(gateway: TwinGateway) -> None:
    item: dict[str, Any] | None = None
    for _ in range(3):
        items = [*([item] if item else []), *history(), {"type": "compaction_trigger"}]
        (item,) = events(await post(gateway, "/v1/responses", codex_request(items)))[-1]["response"]["output"]

    assert item is not None
    assert item["type"] == "compaction"


async def test_without_a_stream_it_is_a_whole_response(gateway: TwinGateway) -> None:
    body = {**codex_request([*history(), {"type": "compaction_trigger"}]), "stream": False}
    response = (await post(gateway, "/v1/responses", body)).json()

    assert (response["object"], response["status"], response["model"]) == ("response", "completed", "gpt-5-codex")
    assert [item["type"] for item in response["output"]] == ["compaction"]


@pytest.mark.parametrize(
    "items",
    [
        [{"type": "compaction_trigger"}, user("hi")],
        [user("hi"), {"type": "compaction_trigger"}, {"type": "compaction_trigger"}],
    ],
)
async def test_a_trigger_in_the_wrong_place_is_refused(
    gateway: TwinGateway, provider: Provider, items: list[dict[str, Any]]
) -> None:
    response = await post(gateway, "/v1/responses", codex_request(items))

    assert response.status_code == 400
    assert "compaction_trigger has to be the last item" in response.json()["error"]["message"]
    assert provider.received == []


async def test_a_conversation_that_the_provider_holds_is_compacted_by_the_provider(
    gateway: TwinGateway, provider: Provider
) -> None:
    provider.raw = lambda _: (200, "application/json", b"{}")
    body = {**codex_request([{"type": "compaction_trigger"}]), "previous_response_id": "resp_1"}

    await post(gateway, "/v1/responses", body)

    assert provider.received[-1].body == body
