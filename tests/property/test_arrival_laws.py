"""Laws of tool outputs under any conversation.

They are distilled as they arrive, kept whole, brought back for a turn, and never tell a secret.

Artifacts are in a store that keeps the rules of the real ones; the shelf, the agents and the records are the real ones.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from support.conversations import laws
from support.drafts import count
from support.fresh_secrets import SECRETS
from support.tool_thread import POLICY, THREAD, MemoryArtifacts, Talk, at_once, lines, of_type, tool_engine

from tailrace.agents.artifacts.names import artifact_id, content_of
from tailrace.agents.distill import local_cache
from tailrace.agents.distill.fleet_cache import SHARED_TYPE
from tailrace.agents.engine.partition import RecordOutcome
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.engine.restoration import NamedArtifacts
from tailrace.agents.secrets.scan import find_secrets
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.steps import (
    CollapseRepeats,
    DistillToolResults,
    ExpireToolResults,
    Externalize,
    Summarize,
    ToolRetention,
)
from tailrace.schemas.policy.tools import Rehydrate, ToolRule
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import REHYDRATED_RANK, Entry, EntryKind
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.kafka_records import ContextChange, Emission, Stored
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import ToolCallResponsePart

FORMATS = (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI)
OURS = SecurityContext(tenant="default")
SMALL_REHYDRATE = Rehydrate(artifact_tokens_max=120, tokens_max=200)

#: A window in which nothing is compacted, and small ones in which much is, in different ways.
POLICIES: dict[str, Policy] = {
    "roomy": msgspec.structs.replace(POLICY, default_window_tokens=1_000_000, rehydrate=SMALL_REHYDRATE),
    "tight": msgspec.structs.replace(POLICY, default_window_tokens=1_200),
    "distilling": msgspec.structs.replace(
        POLICY,
        default_window_tokens=1_500,
        rehydrate=SMALL_REHYDRATE,
        tools={
            "vault": ToolRule(sensitivity=Sensitivity.CONFIDENTIAL, ttl_seconds=60),
            "log*": ToolRule(distill=False),
        },
        steps=(
            CollapseRepeats(tokens_min=20),
            DistillToolResults(tokens_min=60),
            ExpireToolResults(default=ToolRetention(keep_turns=2), preview_chars=60),
            Externalize(tokens_min=80, preview_tokens=20),
            Summarize(),
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Deed:
    """What happens next. `size` is how much is said, `pick` chooses among what there is to choose from."""

    kind: str
    size: int = 0
    pick: int = 0


def _secret(deed: Deed) -> str:
    kinds = [*SECRETS, "", "", ""]
    kind = kinds[deed.pick % len(kinds)]
    return f"\nerror: setting {SECRETS[kind]}" if kind else ""


def _output(deed: Deed) -> Any:
    text = f"{lines(deed.size, f'gauge{deed.pick}')}{_secret(deed)}\n{lines(deed.size // 2, 'weir')}"
    shapes: tuple[Any, ...] = (text, text, [{"type": "text", "text": text}], {"output": text, "exit_code": deed.pick})
    return shapes[deed.pick % len(shapes)]


def _name(talk: Talk, deed: Deed) -> str:
    """An artifact of the store, or one that never was."""
    names = [*(name for _, name in talk.artifacts.kept), "ab" * 8]
    return names[deed.pick % len(names)]


def _use(talk: Talk, deed: Deed) -> None:
    tool = ("look", "vault", "log_tail", "send_mail")[deed.pick % 4]
    talk.use(_output(deed), tool=tool, arguments={"token": _secret(deed)})


def _several(talk: Talk, deed: Deed) -> None:
    calls = [f"s{len(talk.published)}-{number}" for number in range(3)]
    talk.call(*calls)
    outputs = [_output(replace(deed, size=deed.size * number // 2, pick=deed.pick + number)) for number in range(3)]
    talk.answer(dict(zip(calls, outputs, strict=True)))


def _lose(talk: Talk, deed: Deed) -> None:
    if (OURS.tenant, name := _name(talk, deed)) in talk.artifacts.kept:
        at_once(talk.artifacts.delete(OURS, name))


DEEDS: dict[str, Callable[[Talk, Deed], Any]] = {
    "user": lambda talk, deed: talk.say("user", lines(deed.size // 8 + 1)),
    "named": lambda talk, deed: talk.say("user", f"look at artifact:{_name(talk, deed)}"),
    "mentioned": lambda talk, deed: talk.say(
        "user", f"{_name(talk, deed)} {_name(talk, replace(deed, pick=deed.pick + 1))}"
    ),
    "assistant": lambda talk, deed: talk.say("assistant", lines(deed.size // 4 + 1)),
    "hinted": lambda talk, deed: talk.say("assistant", "hm", hints=[_name(talk, deed)]),
    "use": _use,
    "use_again": _use,
    "several": _several,
    "compare": lambda talk, deed: talk.use("equal", arguments={"with": _name(talk, deed)}),
    "lose": _lose,
}
deeds = st.lists(
    st.builds(
        Deed, kind=st.sampled_from(tuple(DEEDS)), size=st.sampled_from((0, 2, 12, 30, 70)), pick=st.integers(0, 11)
    ),
    min_size=1,
    max_size=16,
)
policies = st.sampled_from(tuple(POLICIES)).map(POLICIES.__getitem__)


def steps(policy: Policy, made: Sequence[Deed]) -> Iterator[tuple[Talk, list[RecordOutcome]]]:
    """Yield the talk and the outcomes of each deed."""
    talk = Talk(tool_engine(policy))
    talk.say("user", "begin")
    for deed in made:
        done = len(talk.outcomes)
        DEEDS[deed.kind](talk, deed)
        yield talk, talk.outcomes[done:]


def whole(policy: Policy, made: Sequence[Deed]) -> Talk:
    *_, (talk, _) = steps(policy, made)
    return talk


def said(talk: Talk) -> list[Message]:
    """Every message as it was published."""
    return [
        decode_event(published.at(offset), value_bytes_max=10_000_000).message
        for offset, published in enumerate(talk.published)
    ]


@laws
@given(policies, deeds)
def test_every_distilled_output_reads_back_byte_for_byte(policy: Policy, made: list[Deed]) -> None:
    talk = Talk(tool_engine(policy))
    talk.say("user", "begin")
    for deed in made:
        if deed.kind != "lose":
            DEEDS[deed.kind](talk, deed)
    messages = said(talk)
    for outcome in talk.outcomes:
        for record in of_type(outcome, Distillation):
            _, content = content_of(messages[record.offset])
            assert at_once(talk.artifacts.retrieve(OURS, record.artifact_id)) == content
    for entry in talk.view.entries.values():
        if entry.artifact_id is not None and entry.kind is not EntryKind.VERBATIM:
            assert (OURS.tenant, entry.artifact_id) in talk.artifacts.kept


@laws
@given(policies, deeds)
def test_small_outputs_are_untouched_and_so_is_every_other_message(policy: Policy, made: list[Deed]) -> None:
    talk = whole(policy, made)
    for message, outcome in zip(said(talk), talk.outcomes, strict=True):
        distilled = {record.envelope.call_id for record in of_type(outcome, Distillation)}
        own = [entry for entry in of_type(outcome, Entry) if not entry.sources and entry.rank < REHYDRATED_RANK]
        if of_type(outcome, CompactionRecord):
            continue  # the message itself may have been shortened by it
        (entry,) = own
        written = msgspec.json.decode(entry.message, type=Message)
        assert written.role == message.role
        for before, after in zip(message.parts, written.parts, strict=True):
            if isinstance(before, ToolCallResponsePart) and before.id in distilled:
                assert count(Message(role=message.role, parts=(before,))) >= policy.distill.tokens_min
                assert isinstance(after, ToolCallResponsePart)
                assert str(after.response).startswith("[Distilled tool output - artifact:")
            else:
                assert before == after


@laws
@given(policies, deeds)
def test_the_prefix_never_changes_because_something_was_distilled_or_brought_back(
    policy: Policy, made: list[Deed]
) -> None:
    talk = Talk(tool_engine(policy))
    talk.say("user", "begin")
    before, epoch, done = live_bytes(talk.view), talk.view.epoch, 1
    for deed in made:
        DEEDS[deed.kind](talk, deed)
        compacted = [one for outcome in talk.outcomes[done:] for one in of_type(outcome, CompactionRecord)]
        after = live_bytes(talk.view)
        if talk.view.epoch == epoch:
            assert after[: len(before)] == before
        else:
            assert compacted
        ranks = [entry.rank for entry in talk.view.live()]
        assert ranks == sorted(set(ranks))
        brought = [entry.kind is EntryKind.REHYDRATED for entry in talk.view.live()]
        assert brought == sorted(brought)
        before, epoch, done = after, talk.view.epoch, len(talk.outcomes)


@laws
@given(policies, deeds)
def test_what_others_have_distilled_makes_no_difference_to_what_is_written(policy: Policy, made: list[Deed]) -> None:
    alone = Talk(tool_engine(policy))
    alone.say("user", "begin")
    for deed in made:
        if deed.kind != "lose":
            DEEDS[deed.kind](alone, deed)
    first, second = (Talk(replace(tool_engine(policy), shared_chars_min=100)) for _ in range(2))
    for one in (first, second):
        local_cache._made.clear()
        for published in alone.published:
            one.take(published)
        assert one.records == alone.records
        # What the next worker finds.
        kept = first.artifacts.kept.items()
        second.artifacts.kept |= {key: value for key, value in kept if value[0].media_type == SHARED_TYPE}
    shared = [
        one for outcome in first.outcomes for one in of_type(outcome, Stored) if one.artifact.media_type == SHARED_TYPE
    ]
    assert sum(outcome.shared_hits for outcome in second.outcomes) >= len(shared)
    assert not [one for outcome in second.outcomes for one in of_type(outcome, Stored) if one in shared]


@laws
@given(policies, deeds)
def test_whatever_of_the_log_was_kept_can_be_made_again_from_it(policy: Policy, made: list[Deed]) -> None:
    talk = Talk(tool_engine(policy))
    talk.say("user", "begin")
    for deed in made:
        if deed.kind != "lose":
            DEEDS[deed.kind](talk, deed)
    named = NamedArtifacts(policy, count)
    for outcome in talk.outcomes:
        for record in (*of_type(outcome, Distillation), *of_type(outcome, CompactionRecord)):
            named.note(record, talk.artifacts.now_ms)
    again = MemoryArtifacts()
    for offset, published in enumerate(talk.published):
        event = decode_event(published.at(offset), value_bytes_max=10_000_000)
        artifact = named.artifact_of(event)
        if artifact is not None:
            at_once(again.store(SecurityContext(tenant=event.tenant), [artifact]))

    in_log = {(OURS.tenant, artifact_id(message)) for message in said(talk)}
    kept = {key: value for key, value in talk.artifacts.kept.items() if key in in_log}
    assert {key: content for key, (_, content) in again.kept.items()} == {
        key: content for key, (_, content) in kept.items()
    }
    for key, (known, _) in kept.items():
        found = again.kept[key][0]
        assert (found.media_type, found.sensitivity, found.expires_at_ms) == (
            known.media_type,
            known.sensitivity,
            known.expires_at_ms,
        )


def live_bytes(view: ThreadView) -> list[bytes]:
    return [bytes(entry.message) for entry in view.live() if entry.kind is not EntryKind.REHYDRATED]


def keeps_to_its_caps(there: Sequence[Entry], rehydrate: Rehydrate) -> None:
    """Fail if more was brought back than the policy allows, or something twice or with a wrong count."""
    assert len(there) <= rehydrate.artifacts_max
    assert all(entry.tokens <= rehydrate.artifact_tokens_max for entry in there)
    assert sum(entry.tokens for entry in there) <= rehydrate.tokens_max
    assert len({entry.artifact_id for entry in there}) == len(there)
    assert all(entry.tokens == count(msgspec.json.decode(entry.message, type=Message)) for entry in there)


@laws
@given(policies, deeds)
def test_what_was_brought_back_keeps_to_its_turn_its_caps_and_its_reserve(policy: Policy, made: list[Deed]) -> None:
    limit_tokens = policy.limit_tokens(policy.default_window_tokens)
    for talk, outcomes in steps(policy, made):
        view = talk.view
        there = list(view.rehydrated.values())
        there_tokens = sum(entry.tokens for entry in there)
        keeps_to_its_caps(there, policy.rehydrate)
        assert all(entry.turn == view.totals.turns for entry in there)
        assert view.tokens == sum(entry.tokens for entry in view.entries.values())
        reasons = [one.reason or "" for outcome in outcomes for one in of_type(outcome, LifecycleEvent)]
        if there and not any("can't be made smaller" in reason for reason in reasons):
            note(f"{view.tokens=} {there_tokens=} {limit_tokens=}")
            whole_tokens = view.request_tokens + there_tokens
            assert whole_tokens <= max(limit_tokens, view.tokens) + policy.rehydration_reserve_tokens
        for entry in there:
            if b"leaves again with this turn" in bytes(entry.message):
                known, _ = talk.artifacts.kept.get((OURS.tenant, entry.artifact_id or ""), (None, b""))
                assert known is None or known.sensitivity in {Sensitivity.PUBLIC, Sensitivity.INTERNAL}


@laws
@given(policies, deeds)
def test_nothing_is_brought_back_again_within_two_turns(policy: Policy, made: list[Deed]) -> None:
    """Whether the messages that asked are still there or not."""
    cooldown_turns = policy.rehydrate.cooldown_turns
    turns: dict[str, int] = {}
    for talk, outcomes in steps(policy, made):
        for outcome in outcomes:
            for entry in of_type(outcome, Entry):
                for name in entry.brought_back:
                    assert entry.turn - turns.get(name, -9) > cooldown_turns
                    turns[name] = entry.turn
        turn = talk.view.totals.turns
        cooling = {name: last for name, last in turns.items() if turn - last <= cooldown_turns}
        assert cooling.items() <= talk.view.brought_back.items() <= turns.items()


@laws
@given(policies, deeds)
def test_a_thread_that_is_read_from_its_records_is_the_one_that_grew(policy: Policy, made: list[Deed]) -> None:
    for talk, _ in steps(policy, made):
        assert talk.recovered().threads == talk.partition.threads


@laws
@given(policies, deeds, st.data())
def test_a_crash_between_any_two_records_changes_nothing(policy: Policy, made: list[Deed], data: st.DataObject) -> None:
    """A worker dies after some of what an event caused; the next owner replays the event."""
    talk = Talk(tool_engine(policy))
    talk.say("user", "begin")
    crashing = data.draw(st.integers(0, len(made) - 1))
    for deed in made[:crashing]:
        DEEDS[deed.kind](talk, deed)
    before = talk.fork()
    DEEDS[made[crashing].kind](talk, made[crashing])
    for offset in range(len(before.published), len(talk.published)):
        before.published.append(talk.published[offset])
        undisturbed = before.fork()
        outcome = undisturbed.process(offset)
        emissions = in_order_of_sending(outcome)
        for sent in range(len(emissions) + 1):
            successor = replayed(before, emissions[:sent], offset)
            assert same_context(successor, undisturbed.partition), f"after {sent} of {len(emissions)}"
        for emission in emissions:
            before.write(emission)
        before = before.fork()


def in_order_of_sending(outcome: RecordOutcome) -> list[Emission]:
    """As the commit protocol sends it: what is stored, what describes, what is the context."""
    return sorted(
        outcome.emissions, key=lambda one: 0 if isinstance(one, Stored) else 1 + isinstance(one, ContextChange)
    )


def replayed(before: Talk, sent: Sequence[Emission], offset: int) -> PartitionView:
    """The state of a successor that has read what was sent, has swept, and has processed the event again."""
    dead = before.fork()
    for emission in sent:
        dead.write(emission)
    successor = dead.fork()
    for tombstone in successor.partition.unswept():
        successor.partition.apply(tombstone)
    first = {key for one in sent if (key := key_of(one)) is not None}
    again = {key for one in successor.process(offset).emissions if (key := key_of(one)) is not None}
    assert not again or first <= again, "the same event has other ids"
    return successor.partition


def key_of(emission: Emission) -> tuple[str, str] | None:
    match emission:
        case Entry() | Distillation() | LifecycleEvent() | CompactionRecord():
            return type(emission).__name__, emission.id
        case Stored():
            return "artifact", emission.artifact.id
        case _:
            return None


def same_context(one: PartitionView, other: PartitionView) -> bool:
    def told(view: ThreadView) -> list[Any]:
        covered = view.covers and view.covers.offset
        return [view.live(), view.tokens, view.totals, view.brought_back, view.rehydrated, covered, view.epoch]

    return told(one.threads[THREAD]) == told(other.threads[THREAD])


def _told_by(secret: str) -> list[bytes]:
    """What must not be seen of a secret: each of its lines but the labels of a key."""
    return [json.dumps(line)[1:-1].encode() for line in secret.split("\n") if "PRIVATE KEY" not in line]


@laws
@given(policies, deeds)
def test_no_secret_of_an_output_is_told_while_the_artifact_has_it_restricted(policy: Policy, made: list[Deed]) -> None:
    talk = whole(policy, made)
    lines_of_secrets = [line for secret in SECRETS.values() for line in _told_by(secret)]
    for outcome, documents in zip(talk.outcomes, talk.documents(), strict=True):
        for written in [*of_type(outcome, Distillation), *derived(outcome), *documents]:
            encoded = msgspec.json.encode(written)
            assert not [line for line in lines_of_secrets if line in encoded]
        for kept in of_type(outcome, Stored):
            assert isinstance(kept.artifact.content, bytes)
            if any(line in kept.artifact.content for line in lines_of_secrets):
                assert kept.artifact.sensitivity is Sensitivity.RESTRICTED


def derived(outcome: RecordOutcome) -> list[Entry]:
    """Entries that stand for what was said, in whole or in part; of a message with several outputs, the large ones."""
    entries = [entry for entry in of_type(outcome, Entry) if entry.kind is not EntryKind.VERBATIM]
    return [entry for entry in entries if entry.kind is not EntryKind.DISTILLED or len(entry.answers) == 1]


@laws
@given(policies, deeds)
def test_a_context_is_valid_for_every_provider_after_every_event(policy: Policy, made: list[Deed]) -> None:
    for talk, _ in steps(policy, made):
        messages = talk.view.messages()
        for message_format in FORMATS:
            assert violations(request_of(messages, message_format), message_format) == []


def test_the_deeds_do_what_the_laws_are_about() -> None:
    """Guards the generator: a law about what never happens says nothing."""
    made = [Deed(kind, size, pick) for pick, kind in enumerate(tuple(DEEDS) * 3) for size in (70,)]
    seen: set[str] = set()
    for policy in POLICIES.values():
        talk = whole(policy, made)
        for outcome in talk.outcomes:
            seen |= {entry.kind for entry in of_type(outcome, Entry)}
            seen |= {one.kind for one in of_type(outcome, LifecycleEvent)}
            seen |= {record.artifact.sensitivity for record in of_type(outcome, Stored)}
            seen |= {type(one).__name__ for one in outcome.emissions}
    assert seen >= {"distilled", "rehydrated", "pointer", "restricted", "confidential", "internal", "flagged"}
    assert seen >= {"CompactionRecord", "Tombstone", "Stored", "Distillation"}


@pytest.mark.parametrize("kind", SECRETS)
def test_the_secrets_are_found(kind: str) -> None:
    assert find_secrets(f"error: setting {SECRETS[kind]}\n")
