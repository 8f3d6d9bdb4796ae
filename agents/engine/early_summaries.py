"""Summaries ahead of need: which are asked for when a chunk closes, and what becomes of one that is finished.

A finished summary comes back through the log. Its chunk's owner judges it once more by the same rules, on what it holds
itself: whoever can write to the log must not be able to put words into a context. It waits in the thread's state for
the next compaction; one that comes too late is never used.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from tailrace.agents.engine.chunks import (
    ChunkSizes,
    closed_chunk,
    content_hash,
    distill_request,
    span_messages,
    summary_request,
)
from tailrace.agents.engine.spend import compactor_calls
from tailrace.agents.engine.thread import cover
from tailrace.agents.secrets.scan import mask_secrets
from tailrace.agents.summary.model.text import render
from tailrace.agents.summary.verify.acceptance import Accepted, Demands, Rejected, accept
from tailrace.agents.summary.verify.candidates import CANDIDATES_MAX, HELD_MAX
from tailrace.agents.triggers.temporal import is_quiet
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Misplaced, PoisonEvent
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import ChunkMark, Entry, HeldCandidates, ReadySummary
from tailrace.schemas.records.kafka_records import Emission, InputRecord, Topic, decode_summary
from tailrace.schemas.records.ledger import Directive, DirectiveKind
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.spend import Spent
from tailrace.schemas.records.stream_agent import StreamAgent
from tailrace.schemas.records.summary import ChunkSummary, StructuredSummary
from tailrace.schemas.records.work import WorkKind

AGENT: Final = StreamAgent(
    name="Summaries ahead",
    does=(
        "a chunk closes by its size, a new turn or silence: ask for its summary; "
        "one is finished: judge it, keep it ready"
    ),
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.WORK, Topic.LIFECYCLE, Topic.CONTEXTS),
)

#: What the audit trail calls it.
AHEAD = "ready_summaries"


@dataclass(frozen=True, slots=True)
class _SummaryAnswer:
    """A summary that came back, and where."""

    view: ThreadView
    summary: ChunkSummary
    record: InputRecord
    policy: Policy


@dataclass(frozen=True, slots=True)
class Noted:
    """What an answer to a request causes."""

    emissions: list[Emission]
    result: str
    #: The calls of models that the answer took.
    spent: tuple[Spent, ...] = ()


def ask_ahead(view: ThreadView, offset: int, policy: Policy) -> list[Emission]:
    """Requests for the chunks that are closed once an event was applied, and the mark behind them.

    Changes nothing itself.
    """
    if not policy.chunks.enabled or view.head is None:
        return []
    sizes = chunk_sizes(policy)
    quiet = is_quiet(view, policy.triggers.timers)
    next_group = view.chunk_group
    asked: list[Emission] = []
    while chunk := closed_chunk(view, next_group, sizes, quiet=quiet):
        asked.append(
            summary_request(
                chunk,
                offset=offset,
                policy_version=policy.hash,
                sizes=sizes,
                masked=policy.mask_secrets,
                candidates_max=candidates_max(policy),
            )
        )
        next_group = chunk.next_group
    return [*asked, ChunkMark(version=1, thread=view.head.thread, next_group=next_group)] if asked else []


def chunk_sizes(policy: Policy) -> ChunkSizes:
    """How large chunks are under a policy."""
    own = policy.chunks
    return ChunkSizes(own.tokens_min, own.tokens_max, own.ratio, own.summary_tokens_max)


def candidates_max(policy: Policy) -> int:
    """How many directives an answer may point out under a policy."""
    return CANDIDATES_MAX if policy.ledger.enabled and policy.ledger.candidates else 0


def note_summary(
    threads: Mapping[str, ThreadView], record: InputRecord, policy: Policy, count_text: Callable[[str], int]
) -> Noted:
    """Take a finished summary into the thread's state. Raises a PoisonEvent for what is none, or belongs elsewhere."""
    summary = _decode(record)
    view = threads.get(summary.thread)
    if view is None or view.head is None:
        raise Misplaced("the summary is for a thread that is not here")
    if view.head.tenant != summary.tenant:
        raise Misplaced("the thread belongs to another tenant")
    if view.covers is not None and record.offset <= view.covers.offset:
        return Noted([], "covered")
    covered = cover(view, summary.id, record.offset, policy)
    spent = compactor_calls(summary)
    if summary.id in view.ready:
        return Noted(covered, "duplicate")
    answer = _SummaryAnswer(view, summary, record, policy)
    judged = _judged(answer, count_text)
    if isinstance(judged, Rejected):
        # Nothing of it is right: its candidates go with it.
        return Noted([_audit_line(answer, judged.reason), *covered], "noted", spent)
    ready = ReadySummary(
        version=1,
        thread=summary.thread,
        id=summary.id,
        kind=summary.kind,
        span=summary.span,
        text=judged.text,
        model=summary.key.model,
        offset=record.offset,
    )
    # In front of the summary: once that is there, the answer counts as taken in.
    held = _held(answer, judged)
    audit = _candidate_lines(answer, judged, held)
    return Noted([*audit, *([held] if held is not None else []), ready, *covered], "noted", spent)


def _held(answer: _SummaryAnswer, judged: Accepted) -> HeldCandidates | None:
    """The directives that models pointed out with those of this summary; None where it has no new one."""
    view, summary = answer.view, answer.summary
    there = {(candidate.source, candidate.text) for candidate in view.candidates}
    live = [candidate for candidate in view.candidates if candidate.source in view.entries]
    new = [
        _directive(view.entries[candidate.event], candidate.quote, summary.key.model)
        for candidate in judged.candidates
        if (candidate.event, candidate.quote) not in there
    ][: max(0, HELD_MAX - len(live))]
    return HeldCandidates(version=1, thread=summary.thread, directives=(*live, *new)) if new else None


def _directive(entry: Entry, text: str, model: str) -> Directive:
    """As the rules would have noted it.

    Of all kinds it is the one that gives way first: a model must not say what binds.
    """
    return Directive(
        kind=DirectiveKind.STATEMENT,
        text=text,
        source=entry.id,
        turn=entry.turn,
        created_at_ms=entry.created_at_ms,
        added_by=model,
    )


def _decode(record: InputRecord) -> ChunkSummary:
    try:
        summary: ChunkSummary = decode_summary(record.value)
    except PoisonEvent as error:
        raise type(error)(f"the summary can't be read: {error}") from error
    if (record.key or b"").decode(errors="replace") != summary.thread:
        raise Misplaced("the summary is for another thread than its key names")
    return summary


def _judged(answer: _SummaryAnswer, count_text: Callable[[str], int]) -> Accepted | Rejected:
    """What may stand for the chunk, or why nothing may."""
    view, summary, policy = answer.view, answer.summary, answer.policy
    entries = [view.entries.get(message_id) for message_id in summary.span.ids]
    live = [entry for entry in entries if entry is not None]
    if len(live) < len(entries):
        return Rejected("its chunk is no longer what it was: it came too late")
    if summary.kind is WorkKind.DISTILL:
        return _judged_distillation(live, summary, policy, count_text)
    messages = span_messages(live, masked=policy.mask_secrets)
    if content_hash(messages) != summary.key.content_hash:
        return Rejected("it was made from another content than its chunk has")
    tokens = sum(entry.tokens for entry in live)
    demands = Demands(
        source_tokens=tokens,
        tokens_max=chunk_sizes(policy).cap_tokens(tokens),
        candidates_max=candidates_max(policy),
    )
    return accept(summary.summary, messages, demands, count_text)


def _judged_distillation(
    live: Sequence[Entry], summary: ChunkSummary, policy: Policy, count_text: Callable[[str], int]
) -> Accepted | Rejected:
    """A model's distillation. It stays a tool's answer, which binds nobody, so it has to be small and no more.

    Whether it is true was judged by who had the whole output before them.
    """
    entry = live[0]
    asked = distill_request(
        entry, offset=entry.offset, policy_version=policy.hash, tokens_max=policy.distill.tokens_max
    )
    if len(live) != 1 or not entry.answers or asked.content_hash != summary.key.content_hash:
        return Rejected("it was made from another content than the tool's answer has")
    # A tool's answer states nothing for anybody: nothing in it is quoted as somebody's words.
    text = render(StructuredSummary(facts=summary.summary.facts, narrative=summary.summary.narrative))
    tokens = count_text(text)
    if not text or tokens > policy.distill.tokens_max:
        return Rejected(f"it has {tokens} tokens; 1 to {policy.distill.tokens_max} are allowed")
    return Accepted(StructuredSummary(), mask_secrets(text).text if policy.mask_secrets else text, tokens)


def _candidate_lines(answer: _SummaryAnswer, judged: Accepted, held: HeldCandidates | None) -> Iterator[LifecycleEvent]:
    """Yield what the audit trail says of the candidates for the ledger, where there were any."""
    before = answer.view.candidates
    new = [directive.source for directive in held.directives if directive not in before] if held is not None else []
    if new:
        reason = f"{len(new)} statements for the ledger that its reader had not found"
        line = _audit_line(answer, reason, LifecycleKind.NOTED)
        yield msgspec.structs.replace(line, message_ids=tuple(dict.fromkeys(new)))
    if judged.left_out:
        yield _audit_line(
            answer, f"{judged.left_out} quotations or facts are not in the events that they name, and were left out"
        )


def _audit_line(answer: _SummaryAnswer, reason: str, kind: LifecycleKind = LifecycleKind.FLAGGED) -> LifecycleEvent:
    """What the audit trail says of a summary: that it is refused, in part or as a whole, or what was taken from it."""
    view, summary, record, policy = answer.view, answer.summary, answer.record, answer.policy
    tokens = view.request_tokens
    return LifecycleEvent(
        version=1,
        # With its place: a summary that is refused may come again, and be refused for something else.
        id=f"{summary.thread}/{summary.id}@{record.offset}/{kind}",
        kind=kind,
        thread=summary.thread,
        tenant=summary.tenant,
        trigger=Trigger.STRUCTURAL,
        event_id=summary.id,
        offset=record.offset,
        before_tokens=tokens,
        after_tokens=tokens,
        limit_tokens=view.head.limit_tokens if view.head else 0,
        policy_version=policy.hash,
        strategy=AHEAD,
        message_ids=summary.span.ids,
        reason=reason,
        rule=AHEAD,
        condition=f"a summary by {summary.key.model} came for {len(summary.span.ids)} messages",
        at_ms=record.timestamp_ms,
    )
