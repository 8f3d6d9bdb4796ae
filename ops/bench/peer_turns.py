"""The other libraries' side of a comparison. Runs in their environment and knows nothing of Tailrace.

    python -I peer_turns.py turns|trims < question.json > answer.json

Messages come in OpenAI's form and become each library's own before any clock starts.
"""

import asyncio
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from agent_framework import (  # type: ignore[import-not-found]  # only in the environment of the peers
    CharacterEstimatorTokenizer,
    Content,
    Message,
    SlidingWindowStrategy,
    TokenBudgetComposedStrategy,
    TruncationStrategy,
    apply_compaction,
)
from langchain.agents.middleware import SummarizationMiddleware  # type: ignore[import-not-found]  # likewise
from langchain_core.language_models import FakeListChatModel  # type: ignore[import-not-found]  # likewise
from langchain_core.messages.utils import (  # type: ignore[import-not-found]  # likewise
    convert_to_messages,
    count_tokens_approximately,
    trim_messages,
)

#: What a compaction of Agent Framework keeps: about half of the budget, so that most turns need none.
GROUPS_KEPT = 50
#: What it falls back to where the groups are large.
LOWER_FRACTION = 0.6
#: A trigger that no thread reaches: what is timed is the look at the list, not a summary.
NEVER_TOKENS = 1 << 60

#: Messages of OpenAI's form.
Chat = list[dict[str, Any]]


def main() -> None:
    """Answer the question on standard input."""
    question = json.load(sys.stdin)
    answer = {"turns": answer_turns, "trims": answer_trims}[sys.argv[1]](question)
    json.dump(answer, sys.stdout)


def answer_turns(question: dict[str, Any]) -> list[dict[str, float]]:
    """Return the CPU microseconds of a turn in each case: the median over its turns."""
    budget_tokens = question["budget_tokens"]
    ways: dict[str, Callable[[dict[str, Any]], list[float]]] = {
        "agent_framework": lambda case: asyncio.run(agent_framework_turns(case, budget_tokens)),
        "summarization_check": lambda case: langchain_turns(case, summarization_check()),
        "trim_messages": lambda case: langchain_turns(case, partial(trimmed, max_tokens=budget_tokens)),
    }
    return [{name: statistics.median(way(case)) * 1e6 for name, way in ways.items()} for case in question["cases"]]


async def agent_framework_turns(case: dict[str, Any], budget_tokens: int) -> list[float]:
    """Return the CPU seconds of each turn: what a chat client runs before it calls the model.

    The list lives on as in a session: messages of the past carry their annotations, those that are out of the window
    are excluded already, and only what is new is annotated and counted.
    """
    tokenizer = CharacterEstimatorTokenizer()
    lower_tokens = int(budget_tokens * LOWER_FRACTION)
    strategy = TokenBudgetComposedStrategy(
        token_budget=budget_tokens,
        tokenizer=tokenizer,
        strategies=[
            SlidingWindowStrategy(keep_last_groups=GROUPS_KEPT),
            TruncationStrategy(max_n=budget_tokens, compact_to=lower_tokens, tokenizer=tokenizer),
        ],
    )
    messages = [as_agent_framework(message) for message in case["past"]]
    turns = [[as_agent_framework(message) for message in turn] for turn in case["turns"]]
    await apply_compaction(messages, strategy=strategy)
    _leave_to_the_past()
    seconds = []
    for turn in turns:
        begin = time.process_time()
        messages.extend(turn)
        await apply_compaction(messages, strategy=strategy)
        seconds.append(time.process_time() - begin)
    return seconds


def langchain_turns(case: dict[str, Any], look: Callable[[list[Any]], object]) -> list[float]:
    """Return the CPU seconds of each turn: one look at the whole list before the model is called."""
    messages = convert_to_messages(case["past"])
    turns = [convert_to_messages(turn) for turn in case["turns"]]
    look(messages)
    _leave_to_the_past()
    seconds = []
    for turn in turns:
        begin = time.process_time()
        messages.extend(turn)
        look(messages)
        seconds.append(time.process_time() - begin)
    return seconds


def summarization_check() -> Callable[[list[Any]], object]:
    """Return what LangChain's middleware does before each model call while there is nothing to summarise."""
    middleware = SummarizationMiddleware(FakeListChatModel(responses=[""]), trigger=("tokens", NEVER_TOKENS))
    return lambda messages: middleware.before_model({"messages": messages}, None)


def trimmed(messages: list[Any], max_tokens: int) -> list[Any]:
    """Return the newest messages that fit, as LangChain cuts them."""
    kept: list[Any] = trim_messages(
        messages,
        strategy="last",
        token_counter=count_tokens_approximately,
        max_tokens=max_tokens,
        allow_partial=False,
        include_system=True,
        start_on="human",
    )
    return kept


def answer_trims(question: dict[str, Any]) -> list[dict[str, float]]:
    """Return the CPU milliseconds to trim each thread to half of its tokens: the best of the repeats."""
    answers = []
    for thread, repeats in zip(question["threads"], question["repeats"], strict=True):
        messages = convert_to_messages(thread)
        half_tokens = count_tokens_approximately(messages) // 2
        _leave_to_the_past()
        seconds = []
        for _ in range(repeats):
            begin = time.process_time()
            kept = trimmed(messages, half_tokens)
            seconds.append(time.process_time() - begin)
        answers.append({"trim": min(seconds) * 1e3, "kept": len(kept)})
    return answers


def as_agent_framework(message: dict[str, Any]) -> Message:
    """Return a message of OpenAI's form as Agent Framework has it."""
    if message["role"] == "tool":
        result = Content.from_function_result(message["tool_call_id"], result=_text(message["content"]))
        return Message("tool", [result])
    calls = [
        Content.from_function_call(call["id"], call["function"]["name"], arguments=call["function"]["arguments"])
        for call in message.get("tool_calls") or []
    ]
    text = _text(message.get("content"))
    return Message(message["role"], [*([Content.from_text(text)] if text else []), *calls])


def _text(content: str | Chat | None) -> str:
    if isinstance(content, list):
        return "\n".join(item["text"] if item.get("type") == "text" else json.dumps(item) for item in content)
    return content or ""


def _leave_to_the_past() -> None:
    """Keep the garbage collector from walking through what was there before the clock starts."""
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()
