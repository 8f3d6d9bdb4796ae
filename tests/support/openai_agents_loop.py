"""An agent of OpenAI's Agents SDK, as its users write it, run as a program.

    openai_agents_loop.py BASE_URL KIND TURNS

It has to be a program of its own, with its own folder for modules: the SDK's package has the name of one of ours. KIND
is `run`, `streamed` or `session`: a loop of tool calls, the same streamed, or runs in a session that compacts itself.
Prints what the agent ended with, and of a session the types of its items, as JSON.
"""

import asyncio
import json
import sys

from agents.memory import OpenAIResponsesCompactionSession
from openai import AsyncOpenAI

from agents import Agent, OpenAIResponsesModel, Runner, SQLiteSession, function_tool, set_tracing_disabled

#: Of the models that the session compacts for.
MODEL = "gpt-4.1"


@function_tool
def look(page: int) -> str:
    """Read a page."""
    return " ".join(f"row {page}-{row}: valve {row * page} is shut;" for row in range(60))


async def main(base_url: str, kind: str, turns: int) -> None:
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=base_url, api_key="key-1", max_retries=0)
    model = OpenAIResponsesModel(model=MODEL, openai_client=client)
    reader = Agent(name="reader", instructions="You read pages.", tools=[look], model=model)
    if kind == "session":
        stored = SQLiteSession("weir")
        session = OpenAIResponsesCompactionSession("weir", stored, client=client, model=MODEL, compaction_mode="input")
        for number in range(turns):
            result = await Runner.run(reader, f"Read page {number}.", session=session)
        types = [item.get("type", "message") for item in await stored.get_items()]
        sys.stdout.write(json.dumps({"output": result.final_output, "types": types}))
        return
    if kind == "streamed":
        result = Runner.run_streamed(reader, "Read all pages.", max_turns=turns + 2)
        async for _ in result.stream_events():
            pass
    else:
        result = await Runner.run(reader, "Read all pages.", max_turns=turns + 2)
    sys.stdout.write(json.dumps({"output": result.final_output, "types": []}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
