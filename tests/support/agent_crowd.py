"""Agents that talk through two gateways at once: parallel, equal, retried, edited, forked, with renewed harness texts.

Each message has a word of its own, and so has each harness text; whoever is sent another's word has met a leak.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from support.agent_bodies import Json, Step, body_of, response_of, without_reminders
from support.conversations import small_engine
from support.log_twin import ClientTwin, LogTwin

from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.check import violations
from tailrace.streams.client.publication import Publication
from tailrace.streams.gateway.anthropic_messages import ANTHROPIC_MESSAGES
from tailrace.streams.gateway.dialect import Dialect
from tailrace.streams.gateway.heads_file import HeadsFile
from tailrace.streams.gateway.openai_chat import OPENAI_CHAT
from tailrace.streams.gateway.openai_responses import OPENAI_RESPONSES
from tailrace.streams.gateway.turn import Caller, Turn, TurnVerdict
from tailrace.streams.gateway.turns import GatewayTurns
from tailrace.streams.settings.gateway import GatewaySettings

WORD = re.compile(r"\bs\d+x\d+\b")
WINDOW_TOKENS = 420
AGENTS = 6
ROUNDS = 22
#: What stands for a message that alone is too long for the window.
_POINTER = "[Externalized Content"
_FILLING = "and more words that fill the window of a small model " * 2


def words_in(value: object) -> set[str]:
    return set(WORD.findall(json.dumps(value)))


@dataclass(slots=True)
class Agent:
    """One runtime with its own history, and how it speaks to the gateway."""

    number: int
    dialect: Dialect
    caller: Caller
    #: Put around the newest message of a user, with a word of its own.
    has_reminders: bool
    steps: list[Step] = field(default_factory=list)
    words: int = 0
    thread: str = ""
    #: Whether reminders of old messages are sent again as they were.
    keeps_reminders: bool = True
    #: Words of thoughts and reminders that were sent in this conversation, and need not be sent any more.
    dropped: set[str] = field(default_factory=set)

    def word(self) -> str:
        self.words += 1
        return f"s{self.number}x{self.words}"

    def body(self) -> Json:
        steps = (
            self.steps
            if self.keeps_reminders
            else [replace(step, text=without_reminders(step.text)) for step in self.steps]
        )
        return body_of(self.dialect.format, steps)

    def unsent(self) -> set[str]:
        """Words that a conversation holds and this agent sends no more: of thoughts, and of reminders that it drops."""
        if self.keeps_reminders:
            return self.dropped
        return self.dropped | {
            word for step in self.steps for word in words_in(step.text) - words_in(without_reminders(step.text))
        }

    def reminder(self) -> str:
        return f" <system-reminder>It is day {self.word()}.</system-reminder>" if self.has_reminders else ""


@dataclass(slots=True)
class Gateway:
    """One gateway's part in memory, on a file that outlives it."""

    file: Path
    client: ClientTwin
    heads: HeadsFile
    turns: GatewayTurns


@dataclass(slots=True)
class Crowd:
    """All agents, two gateways, one log. `seen` counts what happened, so that a test can tell that it did."""

    seed: int
    folder: Path
    random: Random = field(init=False)
    log: LogTwin = field(init=False)
    gateways: list[Gateway] = field(default_factory=list)
    agents: list[Agent] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)
    #: The words of each conversation at each of its requests and answers.
    histories: list[set[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        policy = Policy(
            window_tokens=WINDOW_TOKENS, output_reserve_tokens=0, safety_tokens=0, rehydration_reserve_tokens=0
        )
        self.log = LogTwin(small_engine(policy))
        # On two machines, or beside each other with one file.
        files = ("a", "b") if self.seed % 2 else ("a", "a")
        self.gateways = [self._gateway(self.folder / f"{self.seed}-{name}.db") for name in files]
        self.agents = [self._agent(number + 1) for number in range(AGENTS)]

    def _gateway(self, file: Path) -> Gateway:
        client, heads = ClientTwin(self.log, self.random), HeadsFile(file)
        return Gateway(file, client, heads, GatewayTurns(GatewaySettings(context_wait_ms=0), client, heads))

    def _agent(self, number: int) -> Agent:
        pick = self.random
        named = pick.choice(("", "", "", "shared-name", "other-name"))
        caller = Caller(
            key_hash=pick.choice(("k1", "k1", "k2")),
            tenant=pick.choice(("default", "default", "other")),
            thread=named,
            parent_thread="parent" if pick.random() < 0.2 else None,
        )
        dialect = pick.choice((OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC_MESSAGES))
        agent = Agent(number, dialect, caller, has_reminders=pick.random() < 0.5)
        self._start(agent)
        return agent

    def _start(self, agent: Agent) -> None:
        """A conversation that begins as others do."""
        system = [Step("system", "You look things up. Today is 2026-11-18.")] if agent.number % 2 else []
        agent.steps = [*system, Step("user", f"Hello there.{agent.reminder()}")]

    async def play(self) -> None:
        for _ in range(ROUNDS):
            acting = self.random.sample(self.agents, self.random.randint(1, 4))
            await asyncio.gather(*(self._act(agent) for agent in acting))
            for gateway in self.gateways:
                self._between_rounds(gateway)
        for gateway in self.gateways:
            gateway.heads.close()
        self._look_at_the_log()

    def _look_at_the_log(self) -> None:
        """Every thread that the gateway named itself holds one conversation, each message once."""
        threads: dict[str, list[Publication]] = {}
        for publication in self.log.records:
            threads.setdefault(publication.thread, []).append(publication)
        for thread, publications in threads.items():
            said = words_in([publication.record.value.decode() for publication in publications])
            if thread.startswith("gw-") and not any(said <= history for history in self.histories):
                self.leaks.append(f"thread {thread} of seed {self.seed} holds several conversations: {sorted(said)}")
            names = [publication.id for publication in publications]
            if thread.startswith("gw-") and len(set(names)) < len(names):
                self.leaks.append(f"thread {thread} of seed {self.seed} got a message twice")

    def _between_rounds(self, gateway: Gateway) -> None:
        if self.random.random() < 0.06:
            self.seen["restart"] += 1
            gateway.heads.close()
            is_alone = len({each.file for each in self.gateways}) == len(self.gateways)
            if is_alone and self.random.random() < 0.2:
                gateway.file.unlink(missing_ok=True)
            self.gateways[self.gateways.index(gateway)] = self._gateway(gateway.file)
        elif self.random.random() < 0.6:
            gateway.client.deliver()

    async def _act(self, agent: Agent) -> None:
        move = self.random.choices(
            ("say", "retry", "edit", "fork", "rewind", "start", "forget_reminders", "drop_thoughts"),
            (30, 5, 3, 3, 2, 1, 2, 2),
        )[0]
        self.seen[move] += 1
        _MOVES[move](self, agent)
        await self._ask(agent, self.gateways[agent.number % 2 if self.random.random() < 0.85 else 0])

    async def _ask(self, agent: Agent, gateway: Gateway) -> None:
        body = agent.body()
        self.seen["requests"] += 1
        outgoing = await gateway.turns.take(agent.dialect, agent.caller, body)
        self.seen[outgoing.verdict] += 1
        self.histories.append(words_in(body) | agent.unsent())
        if outgoing.verdict is TurnVerdict.COMPACTED and outgoing.body is not None:
            self._look_at(agent, body, outgoing.body)
        if outgoing.turn is not None and self.random.random() < 0.85:
            await self._answer(agent, gateway, outgoing.turn)

    def _look_at(self, agent: Agent, asked: Json, sent: Json) -> None:
        foreign = words_in(sent) - words_in(asked) - agent.unsent()
        if foreign:
            self.leaks.append(f"agent {agent.number} of seed {self.seed} was sent {sorted(foreign)}")
        said = words_in(without_reminders(agent.steps[-1].text)) if agent.steps[-1].kind != "think" else set()
        if not said <= words_in(sent) and _POINTER not in json.dumps(sent)[-500:]:
            self.leaks.append(f"agent {agent.number} of seed {self.seed} lost its last message")
        conversation = {name: sent[name] for name in ("messages", "system", "input") if name in sent}
        self.leaks += [f"seed {self.seed}: {wrong}" for wrong in violations(conversation, agent.dialect.format)]

    async def _answer(self, agent: Agent, gateway: Gateway, turn: Turn) -> None:
        call = f"c{agent.number}-{agent.words}"
        steps = [Step("think", f"{agent.word()} thought", call)] if agent.dialect is OPENAI_RESPONSES else []
        if self.random.random() < 0.5:
            steps.append(Step("call", f"{agent.word()} is looked for", call))
        else:
            steps.append(Step("answer", f"{agent.word()} was said. {_FILLING}"))
        answer = agent.dialect.answer(response_of(agent.dialect.format, steps))
        assert answer is not None
        await gateway.turns.answered(turn, answer)
        agent.steps = [*agent.steps, *steps]
        self.histories.append(words_in(agent.body()) | agent.unsent())

    def say(self, agent: Agent) -> None:
        last = agent.steps[-1]
        if last.kind == "call":
            agent.steps = [*agent.steps, Step("result", f"{agent.word()} found. {_FILLING * 2}", last.call)]
            return
        is_shared = self.random.random() < 0.3
        word = f"s0x{len(agent.steps)}" if is_shared else agent.word()
        agent.steps = [*agent.steps, Step("user", f"{word} and on. {_FILLING}{agent.reminder()}")]

    def edit(self, agent: Agent) -> None:
        last = agent.steps[-1]
        if last.kind in {"user", "result"}:
            agent.steps = [*agent.steps[:-1], replace(last, text=f"{agent.word()} edited")]

    def fork(self, agent: Agent) -> None:
        others = [other for other in self.agents if other is not agent and other.dialect is agent.dialect]
        if others:
            other = self.random.choice(others)
            agent.steps, agent.dropped = list(other.steps), set(other.unsent())
            self.say(agent)

    def rewind(self, agent: Agent) -> None:
        places = [place for place, step in enumerate(agent.steps) if step.kind == "user"]
        agent.steps = agent.steps[: self.random.choice(places) + 1]
        self.say(agent)

    def forget_reminders(self, agent: Agent) -> None:
        agent.dropped = agent.unsent()
        agent.keeps_reminders = not agent.keeps_reminders
        self.say(agent)

    def drop_thoughts(self, agent: Agent) -> None:
        agent.dropped |= {word for step in agent.steps if step.kind == "think" for word in words_in(step.text)}
        agent.steps = [step for step in agent.steps if step.kind != "think"]
        self.say(agent)


_MOVES: dict[str, Callable[[Crowd, Agent], None]] = {
    "say": Crowd.say,
    "retry": lambda _crowd, _agent: None,
    "edit": Crowd.edit,
    "fork": Crowd.fork,
    "rewind": Crowd.rewind,
    "start": Crowd._start,
    "forget_reminders": Crowd.forget_reminders,
    "drop_thoughts": Crowd.drop_thoughts,
}
