"""What survives many compactions on the real stream.

Facts, a constraint, the task, and the limit of the whole request.
"""

from pathlib import Path
from typing import Any

import pytest
from support.installations import Broker, Place, new_place, worker

from tailrace.schemas.providers.check import violations
from tailrace.schemas.records.message import Format
from tailrace.streams import Client, Context

pytestmark = pytest.mark.kafka

WINDOW_TOKENS = 6_000
#: What travels beside the messages of each request: tool definitions, and the answer.
TOOLS_TOKENS, OUTPUT_TOKENS = 600, 800
POLICY = {"window_tokens": WINDOW_TOKENS, "output_reserve_tokens": OUTPUT_TOKENS, "tool_schema_tokens": TOOLS_TOKENS}
SYSTEM = "You keep the water works of the valley. Answer in short sentences."
CONSTRAINT = "Never open the spillway gate while the river gauge reads above 3.40 m."
TASK = "Find out why pump station Eschenau lost pressure, and write a report for the council."
FACTS = {
    "the pump": "The pump at Eschenau has the serial number KSB-77120-R.",
    "the contact": "The electrician on duty is reached under 0664-5550142.",
    "the deadline": "The council meets on 2026-04-17, and needs the report before that.",
}
TURNS_MAX = 120


@pytest.fixture
async def place(broker: Broker, tmp_path: Path) -> Place:
    return await new_place(broker, tmp_path, partitions=1, policy=POLICY)


def turn(number: int) -> list[dict[str, Any]]:
    """A turn of work on the way: a question, a call, its result and what came of it."""
    call = f"call-{number}"
    readings = "; ".join(f"sensor {number}-{one} reads {one * 7 + number} kPa at quarter {one}" for one in range(18))
    function = {"name": "read_sensors", "arguments": f'{{"station": "E-{number}"}}'}
    return [
        {"role": "user", "content": f"Have a look at section {number} of the main, please."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": call, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": call, "content": readings},
        {
            "role": "assistant",
            "content": f"Section {number} holds its pressure; nothing to be seen there. {'So far so good. ' * 12}",
        },
    ]


def said(context: Context) -> str:
    return "\n".join(str(message.get("content")) for message in context.request("openai.chat")["messages"])


async def test_facts_a_constraint_and_the_task_survive_ten_compactions(place: Place) -> None:
    compactions = 0
    with worker(place):
        async with Client(place.settings) as client:
            begin = [
                {"role": "system", "content": SYSTEM},
                {"role": "user", "content": TASK},
                {"role": "assistant", "content": "I begin with the main."},
                {"role": "user", "content": CONSTRAINT},
                *({"role": "user", "content": fact} for fact in FACTS.values()),
            ]
            for message in begin:
                await client.publish("valley", message)
            for number in range(TURNS_MAX):
                for message in turn(number):
                    await client.publish("valley", message)
                context = await client.context("valley")
                assert context.complete
                # The whole request: messages as counted, tool definitions, and room for the answer.
                assert context.tokens + TOOLS_TOKENS + OUTPUT_TOKENS <= WINDOW_TOKENS
                request = context.request("openai.chat")
                assert not violations(request, Format.OPENAI_CHAT)
                compactions = context.totals.compactions
                text = said(context)
                assert CONSTRAINT in text, f"the constraint is gone after {compactions} compactions"
                assert TASK in text, f"the task is gone after {compactions} compactions"
                if compactions <= 5:
                    missing = [name for name, fact in FACTS.items() if fact not in text]
                    assert not missing, f"{missing} gone after {compactions} compactions"
                if compactions >= 10:
                    break
            # The conversation goes on where it was: what was said last is there word for word.
            assert request["messages"][0] == {"role": "system", "content": SYSTEM}
            assert f"Have a look at section {number} of the main, please." in text
    assert compactions >= 10
