"""Makes some of everything over HTTP for one tenant: a compacted thread, an artifact, a dead letter, a call's price.

There has to be a worker, because only a worker keeps artifacts, compacts and refuses.
"""

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Any

import httpx2
from support.patience import LONG_MS, LONG_SECONDS

_ARTIFACT = re.compile(r"artifact:([0-9a-f]{16})")
_CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "read_log", "arguments": "{}"}}],
}
#: So small a window makes an output of some thousand tokens a large one.
#: How many messages a thread is made of, one of them an orphan.
MESSAGES = 25
POLICY = {"window_tokens": 16_000}


@dataclass(frozen=True, slots=True)
class ApiContent:
    """Names of what was made, by the parameters of paths that take them."""

    thread: str
    compaction: str
    artifact: str
    letter: str
    policy: str = "default"

    def ids(self) -> dict[str, str]:
        """The names, by the name of the parameter."""
        return {name: getattr(self, name) for name in self.__slots__}


async def make_content(client: httpx2.AsyncClient, thread: str, secret: str, headers: dict[str, str]) -> ApiContent:
    """Make some of everything in a thread; `secret` is a word that all of it holds."""
    lines = "\n".join(
        f"2026-03-01 04:10:{number % 60:02} INFO gauge-{number} of {secret} reads {number * 7919 % 977} mm"
        for number in range(300)
    )
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": f"Read the log of {secret}."},
        _CALL,
        {"role": "tool", "tool_call_id": "c1", "content": lines},
        {
            "native": {"role": "assistant", "content": f"{secret} is fine."},
            "usage": {"model": "gpt-4o", "input_tokens": 900, "output_tokens": 80},
        },
        *(
            {"role": "user", "content": f"{number}: what of {secret}? " + "word " * 50}
            for number in range(MESSAGES - 5)
        ),
        {"role": "tool", "tool_call_id": "nobody-asked", "content": f"an orphan of {secret}"},
    ]
    done = await client.post(f"/v1/threads/{thread}/messages", json=messages, headers=headers)
    assert done.status_code == 201, done.text
    query = {"covers": done.json()["published"][-1]["id"], "wait_ms": 60_000, "check": False}
    context = await client.get(f"/v1/threads/{thread}/context", params=query, headers=headers, timeout=LONG_SECONDS)
    assert context.status_code == 200, context.text
    artifact = _ARTIFACT.search(json.dumps(context.json()["request"]))
    assert artifact is not None, context.text[:2_000]
    compacted = await client.post(
        f"/v1/threads/{thread}/compact",
        params={"wait_ms": min(60_000, LONG_MS)},
        json={"target_fraction": 0.02},
        headers=headers,
        timeout=LONG_SECONDS,
    )
    assert compacted.status_code == 200, compacted.text
    return ApiContent(
        thread=thread,
        compaction=compacted.json()["compaction_id"],
        artifact=artifact[1],
        letter=await _letter(client, thread, headers),
    )


async def _letter(client: httpx2.AsyncClient, thread: str, headers: dict[str, str]) -> str:
    async with asyncio.timeout(LONG_SECONDS):
        while True:
            listed = await client.get("/v1/dead-letters", headers=headers)
            assert listed.status_code == 200, listed.text
            for letter in listed.json()["letters"]:
                if letter["key"] == {"text": thread}:
                    return str(letter["id"])
            await asyncio.sleep(0.1)
