"""Laws of learned windows under any interleaving of refusals, answers with and without usage, and compactions.

PROPERTY_EXAMPLES=2000 for a thorough run.
"""

import os
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from support.live_thread import NAME, LiveThread, policy_with
from support.strategies import patient

from tailrace.agents.engine.partition import PartitionView, RecordOutcome
from tailrace.agents.tokens.learned_window import MODELS_MAX, effective_tokens
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.kafka_records import ContextChange, encode
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.signal import CallStarted, Compact, Overflow

WINDOW_TOKENS = 8_000
EXAMPLES = int(os.environ.get("PROPERTY_EXAMPLES", "60"))


class Run:
    """One thread, what its provider has reported as taken, and the records of its contexts."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        own = chance.choice((None, WINDOW_TOKENS))
        self.thread = LiveThread(policy_with(default_window_tokens=WINDOW_TOKENS, window_tokens=own))
        self.reported_tokens = 0
        self.copy = PartitionView()
        self.keep(self.thread.say(20))

    def keep(self, outcome: RecordOutcome) -> RecordOutcome:
        for one in outcome.emissions:
            if isinstance(one, ContextChange):
                record = encode(one, term=1)
                self.copy.apply_record(record.key or b"", record.value, record.headers)
        return outcome

    def move(self) -> None:
        """Something happens."""
        chance, thread = self.chance, self.thread
        match chance.randrange(8):
            case 0 | 1 | 2:
                self.keep(thread.say(chance.choice((10, 200, 600))))
                self.answer()
            case 3:
                self.keep(thread.say(chance.choice((10, 600))))
            case 4:
                self.keep(thread.send(Compact(target_fraction=chance.choice((0.3, 0.8)))))
            case 5:
                self.keep(thread.send(CallStarted(call="c", timeout_ms=10_000)))
            case _:
                self.refuse()

    def answer(self) -> None:
        if self.chance.random() < 0.5:
            self.keep(self.thread.say(20, "assistant"))
            return
        input_tokens = self.thread.view.request_tokens + self.chance.choice((0, 50, 400))
        self.keep(self.thread.say(20, "assistant", usage={"input_tokens": input_tokens, "output_tokens": 20}))
        self.reported_tokens = max(self.reported_tokens, input_tokens)

    def refuse(self) -> None:
        chance, view = self.chance, self.thread.view
        overflow = Overflow(
            window_tokens=chance.choice((None, 256, 1_000, 4_000, 7_000)),
            sent_tokens=chance.choice((None, view.request_tokens + chance.choice((0, 500, 20_000)))),
            epoch=chance.choice((None, view.epoch, max(0, view.epoch - 1))),
        )
        groups = set(view.open_calls)
        outcome = self.keep(self.thread.send(overflow))
        assert set(self.thread.view.open_calls) == groups
        if outcome.result == "refused" or self.thread.standing.in_flight is not None:
            return  # a newer call is under way: until it ends, nothing is compacted
        head = self.thread.view.head
        assert head is not None
        assert self.thread.view.request_tokens <= head.limit_tokens, "the next context does not fit"


@given(st.integers(0, 2**32 - 1).map(Random))
@settings(patient, max_examples=EXAMPLES)
def test_no_refusals_gut_a_thread_and_every_reader_knows_the_same(chance: Random) -> None:
    run = Run(chance)
    for _ in range(40):
        run.move()
        view = run.thread.view
        assert len(view.standing.windows) <= MODELS_MAX
        for learned in view.standing.windows.values():
            assert effective_tokens(learned) >= min(
                WINDOW_TOKENS, max(256, learned.accepted_tokens * (not learned.answers))
            )
        if view.head is not None and not any(learned.answers for learned in view.standing.windows.values()):
            assert view.head.limit_tokens >= min(WINDOW_TOKENS, run.reported_tokens) or run.reported_tokens == 0
        assert run.copy.threads[NAME] == view
        for message_format in (Format.OPENAI_CHAT, Format.ANTHROPIC_MESSAGES):
            assert not violations(request_of(view.messages(), message_format), message_format)


@given(st.integers(0, 2**32 - 1).map(Random))
@settings(patient, max_examples=EXAMPLES)
def test_answers_bring_the_window_back(chance: Random) -> None:
    run = Run(chance)
    for _ in range(20):
        run.move()
    for _ in range(400):
        run.thread.say(5)
        run.thread.say(5, "assistant")
    run.thread.send(Compact())
    assert run.thread.standing.windows == {}
    assert run.thread.view.head is not None
    assert run.thread.view.head.limit_tokens == WINDOW_TOKENS
