"""What left the contexts over HTTP, with a real worker: an artifact whole and in parts, found again, removed."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from support.api_content import POLICY, make_content
from support.api_server import RunningApi, running_api
from support.installations import Broker, Place, new_place, until_indexed, worker_and_index

from tailrace.streams.local_kafka.loopback import free_port

pytestmark = pytest.mark.kafka


@pytest.fixture
def place(broker: Broker, tmp_path: Path) -> Place:
    return asyncio.run(new_place(broker, tmp_path, partitions=2, policy=POLICY))


@pytest.fixture
def api(place: Place) -> Iterator[RunningApi]:
    with worker_and_index(place), running_api(place.settings) as api:
        yield api


async def test_an_artifact_comes_whole_and_in_parts_until_it_is_removed(api: RunningApi, place: Place) -> None:
    async with api.client() as client:
        content = await make_content(client, "t1", "weir seven", {})
        path = f"/v1/artifacts/{content.artifact}"
        whole = await client.get(path)
        assert (whole.status_code, whole.headers["Accept-Ranges"]) == (200, "bytes")
        assert b"gauge-299 of weir seven" in whole.content
        assert len(whole.content) == (await client.get(f"{path}/meta")).json()["size_bytes"]

        middle = len(whole.content) // 2
        etag = {"If-Range": whole.headers["ETag"]}
        parts = [
            await client.get(path, headers={"Range": header, **etag})
            for header in (f"bytes=0-{middle - 1}", f"bytes=-{len(whole.content) - middle}")
        ]
        assert [part.status_code for part in parts] == [206, 206]
        assert b"".join(part.content for part in parts) == whole.content
        assert parts[1].headers["Content-Range"] == (f"bytes {middle}-{len(whole.content) - 1}/{len(whole.content)}")
        other = await client.get(path, headers={"Range": "bytes=0-9", "If-Range": '"of another"'})
        assert (other.status_code, other.content) == (200, whole.content)
        outside = await client.get(path, headers={"Range": f"bytes={len(whole.content)}-"})
        assert (outside.status_code, outside.headers["Content-Range"]) == (416, f"bytes */{len(whole.content)}")
        known = await client.get(path, headers={"If-None-Match": f'"x", W/{whole.headers["ETag"]}'})
        assert (known.status_code, known.content, known.headers["ETag"]) == (304, b"", whole.headers["ETag"])

        await until_indexed(place)
        found = (await client.get("/v1/recall", params={"query": "gauge-299", "thread": "t1"})).json()
        assert (found["missing"], found["lag_records"]) == ([], 0)
        assert any("gauge-299" in hit["snippet"] for hit in found["hits"])

        assert (await client.delete(path)).json() == {"deleted": content.artifact}
        assert [(await client.get(f"{path}{part}")).status_code for part in ("", "/lines", "/meta")] == [404] * 3


async def test_what_another_machine_has_written_down_is_asked_there(place: Place, tmp_path: Path) -> None:
    away = f"http://127.0.0.1:{free_port()}"
    without_workers = msgspec.structs.replace(place.settings, data_dir=tmp_path / "elsewhere")
    with worker_and_index(place), running_api(place.settings) as there:
        peers = {"TAILRACE_API__PEERS": json.dumps([there.url, away])}
        with running_api(without_workers, peers) as here:
            async with here.client() as client, there.client() as other:
                await make_content(client, "t1", "weir seven", {})
                await until_indexed(place)
                replies = {
                    path: [(await asked.get(path)).json() for asked in (client, other)]
                    for path in ("/v1/recall?query=gauge-299", "/v1/cost?by=model")
                }
                alone = (await client.get("/v1/recall?query=gauge-299&here=true")).json()

    (recalled, there_recalled), (cost, there_cost) = replies.values()
    assert any("gauge-299" in hit["snippet"] for hit in recalled["hits"])
    assert recalled["hits"] == there_recalled["hits"]
    assert [row["primary"]["calls"] for row in cost["rows"]] == [1]
    assert cost["rows"] == there_cost["rows"]
    for reply in (recalled, cost):
        assert [missing.partition(": ")[0] for missing in reply["missing"]] == [away]
    assert alone["hits"] == []
    assert "there is no index" in alone["missing"][0]
