"""Whose context is this: over any interleaving of conversations, a request gets nothing that it does not hold itself.

Runtimes send their conversation whole, again and again: equal beginnings, retries, edited turns and answers that cross
are drawn here. Each message has a word of its own; a request that is answered with another conversation's word leaks.
"""

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from support.conversations import laws, small_engine

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import PartitionView, process
from tailrace.agents.identity.chain import Link, Scope, chain_of, continued, head_of
from tailrace.agents.identity.continuation import continuation_of
from tailrace.agents.identity.swap import Swapped, swapped
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.formats import read_native, write_context
from tailrace.schemas.records.context_message import ContextMessage
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.client.publication import make_publication
from tailrace.streams.gateway.heads_file import HeadsFile

SECRET = re.compile(r"\bs\d+x\d+\b")
WINDOW_TOKENS = 220
SCOPE = Scope(tenant="default", key_hash="k", dialect="openai.chat")


@dataclass(slots=True)
class Gateway:
    """The gateway's decisions and one worker's, without a network between them."""

    heads: HeadsFile
    engine: Engine
    partition: PartitionView = field(default_factory=PartitionView)
    offset: int = 0
    threads: int = 0

    def publish(self, thread: str, links: tuple[Link, ...]) -> None:
        for link in links:
            publication = make_publication("t", thread, link.message, {"id": link.id}, value_bytes_max=1_000_000)
            record = publication.record
            placed = type(record)(
                **{name: getattr(record, name) for name in record.__struct_fields__}
                | {"partition": 0, "offset": self.offset}
            )
            process(self.partition, placed, self.engine)
            self.offset += 1

    def take(self, links: tuple[Link, ...]) -> tuple[str, Swapped | None]:
        continuation = continuation_of(links, self.heads.threads_of([link.id for link in links]))
        thread, head_id = continuation.thread, continuation.next_head_id
        assert head_id is not None
        moved = thread is not None and self.heads.move(thread, continuation.head_id or "", head_id)
        if thread is None or not moved:
            self.threads += 1
            thread = f"thread-{self.threads}"
            self.heads.begin(thread, head_id)
            self.publish(thread, links)
        else:
            self.publish(thread, continuation.added)
        return thread, self.context(thread, links)

    def context(self, thread: str, links: tuple[Link, ...]) -> Swapped | None:
        view = self.partition.threads.get(thread, ThreadView())
        entries = [
            ContextMessage(entry.id, entry.kind, message, entry.sources)
            for entry, message in zip(view.live(), view.messages(), strict=True)
        ]
        return swapped(links, entries)

    def answer(self, thread: str, links: tuple[Link, ...], message: Message) -> None:
        head = head_of(links)
        assert head is not None
        answer = continued(head, (message,))
        if self.heads.move(thread, head.id, answer[-1].id):
            self.publish(thread, answer)


@dataclass(slots=True)
class Runtime:
    """One agent with its own history."""

    name: int
    history: list[dict[str, str]]
    said: int = 0

    def say(self, role: str, *, shared: bool) -> dict[str, str]:
        """A message; a shared one is the same in every conversation that is as long."""
        self.said += 1
        owner = 0 if shared else self.name
        text = f"s{owner}x{len(self.history) if shared else self.said} " + "and more words to fill the window " * 4
        message = {"role": role, "content": text}
        self.history.append(message)
        return message


MOVES = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.sampled_from(("say", "say_shared", "ask", "ask", "ask", "retry", "cross", "edit", "fork", "unanswered")),
    ),
    min_size=20,
    max_size=60,
)


def read(message: dict[str, str]) -> Message:
    return read_native(Format.OPENAI_CHAT, message)


def secrets(swapped_messages: Swapped) -> set[str]:
    written = write_context(swapped_messages.messages, Format.OPENAI_CHAT)
    return set(SECRET.findall(str(written)))


@laws
@given(MOVES)
def test_a_request_gets_no_word_of_another_conversation(drawn: list[tuple[int, str]]) -> None:
    policy = Policy(window_tokens=WINDOW_TOKENS, output_reserve_tokens=0, safety_tokens=0, rehydration_reserve_tokens=0)
    with tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(HeadsFile(Path(folder) / "gateway.db"), small_engine(policy))
        try:
            _play(gateway, drawn)
        finally:
            gateway.heads.close()


def _play(gateway: Gateway, drawn: list[tuple[int, str]]) -> None:
    runtimes = {name: Runtime(name, [{"role": "user", "content": "Hello there."}]) for name in range(1, 5)}
    for name, move in drawn:
        runtime = runtimes[name]
        if move in {"say", "say_shared"}:
            runtime.say("user", shared=move == "say_shared")
            continue
        if move == "edit":
            runtime.history[-1] = {
                "role": runtime.history[-1]["role"],
                "content": f"s{name}x{runtime.said + 1000} edited",
            }
        if move == "fork":
            other = runtimes[name % 4 + 1]
            runtime.history = list(other.history)
        links = chain_of(SCOPE, [read(message) for message in runtime.history])
        thread, sent = gateway.take(links)
        own = set(SECRET.findall(str(runtime.history)))
        if move == "cross":
            # Somebody else goes on with the same thread before this request's context is read.
            other = runtimes[name % 4 + 1]
            other.history = [*runtime.history]
            answer = other.say("assistant", shared=False)
            gateway.answer(thread, links, read(answer))
            other.say("user", shared=False)
            gateway.take(chain_of(SCOPE, [read(message) for message in other.history]))
            sent = gateway.context(thread, links)
        if sent is not None:
            assert secrets(sent) <= own
            assert write_context(sent.messages[-1:], Format.OPENAI_CHAT)
        if move in {"ask", "cross"}:
            gateway.answer(thread, links, read(runtime.say("assistant", shared=False)))


def test_a_long_conversation_is_sent_compacted(tmp_path: Path) -> None:
    policy = Policy(window_tokens=WINDOW_TOKENS, output_reserve_tokens=0, safety_tokens=0, rehydration_reserve_tokens=0)
    gateway = Gateway(HeadsFile(tmp_path / "gateway.db"), small_engine(policy))
    runtime = Runtime(1, [])
    sent = []
    for _ in range(30):
        runtime.say("user", shared=False)
        links = chain_of(SCOPE, [read(message) for message in runtime.history])
        thread, context = gateway.take(links)
        assert context is not None
        sent.append(context)
        gateway.answer(thread, links, read(runtime.say("assistant", shared=False)))
    gateway.heads.close()

    assert gateway.threads == 1
    assert sent[0].unchanged
    assert not sent[-1].unchanged
    assert len(secrets(sent[-1])) < 20


@given(st.lists(st.sampled_from(("a", "b", "c")), min_size=1, max_size=8))
def test_names_tell_all_that_was_said_before(words: list[str]) -> None:
    messages = [read({"role": "user", "content": word}) for word in words]
    names = [link.id for link in chain_of(SCOPE, messages)]

    assert len(set(names)) == len(names)
    assert [link.id for link in chain_of(SCOPE, messages[:-1])] == names[:-1]
    assert not set(names) & {
        link.id for link in chain_of(Scope(tenant="default", key_hash="other", dialect="openai.chat"), messages)
    }
