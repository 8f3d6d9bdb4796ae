"""What it costs to plan and render a whole thread at once, beside LangChain's `trim_messages`, and how that grows.

Both get the same messages, already read into their own form: LangChain's messages, and a thread as a worker holds it.
The record that a worker writes
about it, with a receipt of all that left, has a row of its own: there is nothing like it on the other side.
Both count tokens by characters, ours once for each message as it comes, theirs whenever they look. What people state is
remembered on our side, too, as between two compactions of a worker; rows tell what it costs where nothing at all is
remembered, by the default policy, under which what people said stays here, and by one that takes it as well. Both bring
the thread down to half of its tokens, and both are timed by the CPU of their process. What comes back on our side is
written out in OpenAI's form as well: by the default policy, and by one that only drops the oldest, as `trim_messages`
does. The longer thread is the shorter one ten times over, so that only the length differs.
"""

import gc
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from ops.bench.events import Conversation
from ops.bench.long_thread import ChatMessage, long_thread
from ops.bench.peers import TrimQuestion, ask_trims, peer_versions
from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from ops.bench.turn import DEFAULT, DROPPING
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import Conversation as Talk
from tailrace.agents.engine.offline import budget_of, carry_out, conversation, plan_for, planned_messages
from tailrace.agents.tokens.counts import count_message
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.steps import Summarize, TailTokens
from tailrace.schemas.providers.formats import read_native, write_context
from tailrace.schemas.records.message import Format

NAME = "plan"
SHORT, LONG = 2_000, 20_000
#: Ours and theirs in turns, so that what else the machine does meets both; the best of all repeats counts, and of what
#: is short more is needed.
ROUNDS = 3
REPEATS = {SHORT: 12, LONG: 4}
_CHARACTERS_PER_TOKEN = 4
#: Summarises what people said along with the rest, so that all that they state has to be read.
TAKING_WORDS = msgspec.structs.replace(
    DEFAULT,
    steps=tuple(
        Summarize(keep=(TailTokens(),)) if isinstance(step, Summarize) else step for step in DEFAULT.steps or ()
    ),
)


@dataclass(frozen=True, slots=True)
class _ByCharacters:
    """Counts as LangChain's approximate counter does."""

    encoding: str = "characters"

    def count_text(self, text: str) -> int:
        return -(-len(text) // _CHARACTERS_PER_TOKEN)


_COUNTER = _ByCharacters()

#: What is done to a thread to bring it down to so many tokens.
Work = Callable[[Talk, int, Engine], list[ChatMessage]]


async def run(stand: Stand) -> Result:
    """Measure both on the short thread, and the growth to the long one."""
    short = long_thread(stand.corpus.conversations, SHORT)
    threads = [short, long_thread([Conversation("short", None, tuple(short))], LONG)]
    rounds = stand.scaled(ROUNDS, least=2)
    sides: dict[str, Callable[[], list[float]]] = {
        "ours": lambda: [_milliseconds(thread, DEFAULT, plan_and_render) for thread in threads],
        "ours, only dropping": lambda: [_milliseconds(thread, DROPPING, plan_and_render) for thread in threads],
        "ours, with the record": lambda: [_milliseconds(thread, DEFAULT, plan_and_record) for thread in threads],
        "ours, the first time": lambda: [_milliseconds(thread, DEFAULT, plan_and_render, forget) for thread in threads],
        "ours, words leaving": lambda: [
            _milliseconds(thread, TAKING_WORDS, plan_and_render, forget) for thread in threads
        ],
        "trim_messages": lambda: [
            one.trim for one in ask_trims(TrimQuestion(threads=threads, repeats=[*REPEATS.values()]))
        ],
    }
    measured = [{side: measure() for side, measure in sides.items()} for _ in range(rounds)]
    best = {side: [min(same) for same in zip(*(one[side] for one in measured), strict=True)] for side in sides}
    ours, dropping, recorded, anew, taking, theirs = best.values()
    at_short, growth = f"{SHORT:,} messages", f"{LONG:,} messages / {SHORT:,}"
    return Result(
        name=NAME,
        rows=(
            Row(what=f"ours / trim_messages, {at_short}", value=ours[0] / theirs[0], unit="ratio", target=at_most(2)),
            Row(
                what="  where nothing at all was met before",
                value=anew[0] / theirs[0],
                unit="ratio",
                target=at_most(2),
            ),
            Row(what="  and what people said leaves, too", value=taking[0] / theirs[0], unit="ratio"),
            Row(what="  where ours only drops, as theirs", value=dropping[0] / theirs[0], unit="ratio"),
            Row(what="  with the record of it and its receipt", value=recorded[0] / theirs[0], unit="ratio"),
            Row(what=f"ours, {growth}", value=ours[1] / ours[0], unit="ratio", target=at_most(12)),
            Row(what=f"trim_messages, {growth}", value=theirs[1] / theirs[0], unit="ratio"),
            *(
                Row(what=f"{side}, {length:,} messages", value=value, unit="ms")
                for side, values in best.items()
                for length, value in zip((SHORT, LONG), values, strict=True)
            ),
        ),
        parameters=f"{peer_versions()}; {stand.corpus.name}, to half of the thread's tokens, best of "
        f"{rounds * REPEATS[SHORT]} and {rounds * REPEATS[LONG]}.",
        does_not_show="how good what is kept is, and what an exact count of tokens would cost either side.",
    )


def _milliseconds(
    thread: Sequence[ChatMessage], policy: Policy, work: Work, prepare: Callable[[], object] = int
) -> float:
    """Return the CPU milliseconds to plan and render a thread: the best of the repeats, each after its preparation."""
    engine = Engine(policy, lambda message, _model: count_message(message, _COUNTER))
    talk = conversation((read_native(Format.OPENAI_CHAT, message) for message in thread), engine)
    # The budget whose lower mark, which a compaction comes down to, is half of the thread.
    budget_tokens = int(talk.view.tokens / 2 / policy.lower_fraction)
    gc.collect()
    gc.freeze()
    seconds = []
    for _ in range(REPEATS[len(thread)]):
        prepare()
        begin = time.process_time()
        work(talk, budget_tokens, engine)
        seconds.append(time.process_time() - begin)
    gc.unfreeze()
    return min(seconds) * 1e3


def plan_and_render(talk: Talk, budget_tokens: int, engine: Engine) -> list[ChatMessage]:
    """Return the context of a thread that must not be longer than the budget, planned, applied and written out."""
    plan = plan_for(talk, engine, budget_of(budget_tokens, engine, talk.view))
    return write_context(planned_messages(talk, plan), Format.OPENAI_CHAT)


def forget() -> None:
    """Empty every memory of our pure functions.

    A process remembers words and statements from one compaction to the next.
    """
    ours = [module for name, module in sys.modules.items() if name.startswith("tailrace.agents.")]
    memories = {id(value): value for module in ours for value in vars(module).values() if hasattr(value, "cache_clear")}
    for memory in memories.values():
        memory.cache_clear()


def plan_and_record(talk: Talk, budget_tokens: int, engine: Engine) -> list[ChatMessage]:
    """Return the same, with the record of the compaction and its receipt made as well."""
    plan = plan_for(talk, engine, budget_of(budget_tokens, engine, talk.view))
    return write_context(carry_out(talk, plan, engine).messages, Format.OPENAI_CHAT)
