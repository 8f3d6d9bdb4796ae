"""Whose context is this: whatever agents do at once, a request gets nothing that its own conversation does not hold.

Agents, gateways and moves are drawn by seed. `make fuzz ARGS="--what identity"` plays more of them: IDENTITY_CASES from
number IDENTITY_FIRST on, each of some 55 requests.
"""

import asyncio
import os
from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from support.agent_crowd import Crowd
from support.conversations import rules
from support.log_twin import ClientTwin, LogTwin

from tailrace.agents.identity.chain import Scope, chain_of
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.gateway.dialect import Answer
from tailrace.streams.gateway.heads_file import HeadsFile
from tailrace.streams.gateway.openai_chat import OPENAI_CHAT
from tailrace.streams.gateway.turn import Caller, TurnVerdict
from tailrace.streams.gateway.turns import GatewayTurns
from tailrace.streams.settings.gateway import GatewaySettings

CASES = int(os.environ.get("IDENTITY_CASES", "25"))
FIRST = int(os.environ.get("IDENTITY_FIRST", "0"))


def test_no_agent_of_a_crowd_is_sent_a_word_of_another_conversation(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + CASES):
        crowd = Crowd(seed, tmp_path)
        asyncio.run(crowd.play())
        assert not crowd.leaks, crowd.leaks[:5]
        seen += crowd.seen

    # A crowd that is never compacted, never crosses and never restarts would show nothing.
    assert seen["compacted"] > seen["requests"] / 4
    assert (
        min(seen[move] for move in ("retry", "edit", "fork", "rewind", "start", "restart", "drop_thoughts")) > CASES / 5
    )
    assert seen["passed"] < seen["requests"] / 5


def test_a_long_conversation_stays_one_thread_and_is_sent_compacted(tmp_path: Path) -> None:
    asyncio.run(_long_conversation(tmp_path / "gateway.db"))


async def _long_conversation(file: Path) -> None:
    policy = Policy(window_tokens=420, output_reserve_tokens=0, safety_tokens=0, rehydration_reserve_tokens=0)
    log, heads = LogTwin(rules(policy)), HeadsFile(file)
    turns = GatewayTurns(GatewaySettings(), ClientTwin(log), heads)
    messages = [{"role": "user", "content": "s1x0 begins."}]
    verdicts = []
    for number in range(30):
        outgoing = await turns.take(OPENAI_CHAT, Caller(key_hash="k"), {"model": "m", "messages": messages})
        verdicts.append(outgoing.verdict)
        assert outgoing.turn is not None
        answer = {"role": "assistant", "content": f"s1x{number} was said. {'And so on. ' * 12}"}
        await turns.answered(outgoing.turn, Answer((read(answer),)))
        messages = [*messages, answer, {"role": "user", "content": f"And {number}? {'Tell me more. ' * 6}"}]
    heads.close()

    assert len(log.partition.threads) == 1
    assert verdicts[0] is TurnVerdict.ORIGINAL
    assert verdicts[-1] is TurnVerdict.COMPACTED
    assert len(log.records) == 60


def read(message: dict[str, str]) -> Message:
    return read_native(Format.OPENAI_CHAT, message)


@given(st.lists(st.sampled_from(("a", "b", "c")), min_size=1, max_size=8))
def test_names_tell_all_that_was_said_before(words: list[str]) -> None:
    messages = [read({"role": "user", "content": word}) for word in words]
    scope = Scope(tenant="default", key_hash="k", dialect="openai.chat")
    names = [link.id for link in chain_of(scope, messages)]

    assert len(set(names)) == len(names)
    assert [link.id for link in chain_of(scope, messages[:-1])] == names[:-1]
    assert not set(names) & {
        link.id for link in chain_of(Scope(tenant="default", key_hash="other", dialect="openai.chat"), messages)
    }
