"""When a chunk of a conversation closes, and which messages it has.

Its summary is asked for at once, long before the context is full. A chunk is a run of whole groups. It closes where a
new turn begins and there is enough to summarise; a turn that grows too long is cut between two groups; and where
nothing is said for a while, what is there is a chunk. What closed it is in the log, silence as a tick, and nothing else
decides, so the same log gives the same chunks.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec

from tailrace.agents.language.script import spoken_language
from tailrace.agents.messages.groups import Group, GroupKind
from tailrace.agents.secrets.mask import mask_message
from tailrace.agents.summary.model.span_text import span_text
from tailrace.agents.summary.verify.span_ledger import span_ledger
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.compaction import SpanReference
from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry, EntryKind
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.work import SpanMessage, WorkKind, WorkRequest
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE

#: A summary of less is hardly smaller than what it stands for.
CHUNK_TOKENS_MIN = 4_000
#: A summary of more loses too much, and takes too long to be made.
CHUNK_TOKENS_MAX = 8_000
#: Part of that from which on silence closes a chunk; less stays open, for what is said next.
QUIET_FRACTION = 0.25
#: Tokens of a summary by those of its chunk, and how many at most.
SUMMARY_RATIO = 0.25
SUMMARY_TOKENS_MAX = 1_500

#: What was said, or what stood for it from the moment it arrived. Anything else is somebody's summary already.
_RAW = (EntryKind.VERBATIM, EntryKind.DISTILLED)

_encode_json = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class ChunkSizes:
    """How large chunks and their summaries are."""

    tokens_min: int = CHUNK_TOKENS_MIN
    tokens_max: int = CHUNK_TOKENS_MAX
    summary_ratio: float = SUMMARY_RATIO
    summary_tokens_max: int = SUMMARY_TOKENS_MAX

    @property
    def quiet_tokens_min(self) -> int:
        """From here on silence closes a chunk."""
        return max(1, int(self.tokens_min * QUIET_FRACTION))

    def cap_tokens(self, source_tokens: int) -> int:
        """What the summary of a chunk may cost."""
        return min(int(source_tokens * self.summary_ratio), self.summary_tokens_max)


DEFAULT_SIZES = ChunkSizes()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole groups in their order, the first of the next chunk behind them."""

    entries: tuple[Entry, ...]
    tokens: int
    #: Number of the group that the next chunk begins with at the earliest.
    next_group: int

    @property
    def span(self) -> SpanReference:
        """Ids and turns of the chunk."""
        turns = [entry.turn for entry in self.entries]
        ids = tuple(entry.id for entry in self.entries)
        return SpanReference(ids=ids, first_turn=min(turns), last_turn=max(turns))


def closed_chunk(
    view: ThreadView, first_group: int, sizes: ChunkSizes = DEFAULT_SIZES, *, quiet: bool = False
) -> Chunk | None:
    """The chunk that is closed in a thread, looked at right after an event was applied; None while there is none.

    `first_group` is the `next_group` of the thread's last chunk, 0 in a new thread. Several may be closed at once: ask
    again with the `next_group` of the one that is returned. `quiet` says that nobody has spoken for a while: what is
    there is closed.
    """
    waiting = _waiting(view, first_group)
    # Looked at after every event, so what can't close costs no more than a sum over what is waiting.
    if sum(group.tokens for group in waiting) < (sizes.quiet_tokens_min if quiet else sizes.tokens_min):
        return None
    taken = _closed_run(waiting, sizes, quiet=quiet)
    if not taken:
        return None
    entries = _entries(view, taken)
    if derived := {entry.rank // RANKS_PER_GROUP for entry in entries if entry.kind not in _RAW}:
        raw = [group for group in waiting if group.sequence not in derived]
        taken = _closed_run(raw, sizes, quiet=quiet)
        entries = _entries(view, taken)
        if not taken or any(entry.kind not in _RAW for entry in entries):
            return None
    tokens = sum(group.tokens for group in taken)
    return Chunk(entries=tuple(entries), tokens=tokens, next_group=taken[-1].sequence + 1)


def summary_request(
    chunk: Chunk,
    *,
    offset: int,
    policy_version: str,
    sizes: ChunkSizes = DEFAULT_SIZES,
    masked: bool = True,
    candidates_max: int = 0,
) -> WorkRequest:
    """The request for a summary of a chunk. `offset` is that of the event that closed it; `masked` hides secrets."""
    first = chunk.entries[0]
    read = span_messages(chunk.entries, masked=masked)
    digest = content_hash(read)
    agents = [entry.agent for entry in chunk.entries if entry.agent]
    cap_tokens = sizes.cap_tokens(chunk.tokens)
    return WorkRequest(
        version=1,
        id=_request_id(first.tenant, first.thread, [entry.id for entry in chunk.entries], digest, policy_version),
        kind=WorkKind.SUMMARIZE,
        thread=first.thread,
        tenant=first.tenant,
        span=chunk.span,
        content_hash=digest,
        messages=read,
        tokens=chunk.tokens,
        tokens_max=cap_tokens,
        policy_version=policy_version,
        offset=offset,
        agent=agents[-1] if agents else None,
        language=spoken_language(span_text(read).talk),
        ledger_texts=span_ledger(read, cap_tokens).texts,
        candidates_max=candidates_max,
    )


def distill_request(entry: Entry, *, offset: int, policy_version: str, tokens_max: int) -> WorkRequest:
    """The request for a model's distillation of a tool output whose whole is an artifact."""
    read = (_span_message(entry, masked=True),)
    digest = hashlib.blake2b(f"{content_hash(read)}/{entry.artifact_id}".encode(), digest_size=16).hexdigest()
    return WorkRequest(
        version=1,
        id=_request_id(entry.tenant, entry.thread, [entry.id], digest, policy_version),
        kind=WorkKind.DISTILL,
        thread=entry.thread,
        tenant=entry.tenant,
        span=SpanReference(ids=(entry.id,), first_turn=entry.turn, last_turn=entry.turn),
        content_hash=digest,
        messages=read,
        tokens=max(entry.whole_tokens, entry.tokens),
        tokens_max=tokens_max,
        policy_version=policy_version,
        offset=offset,
        agent=entry.agent,
        artifact_id=entry.artifact_id,
    )


def span_messages(entries: Iterable[Entry], *, masked: bool) -> tuple[SpanMessage, ...]:
    """What a model reads of these entries."""
    return tuple(_span_message(entry, masked=masked) for entry in entries)


def content_hash(messages: Iterable[SpanMessage]) -> str:
    """Hash of what a summary is made from. Ids are no part of it: the same content is summarised once."""
    hashed = hashlib.blake2b(digest_size=16)
    for message in messages:
        content = _encode_json((message.message.role, message.by_program, message.message.parts))
        hashed.update(b"%d:" % len(content))
        hashed.update(content)
    return hashed.hexdigest()


def _request_id(tenant: str, thread: str, ids: Sequence[str], digest: str, policy_version: str) -> str:
    named = "\0".join((tenant, thread, *ids, digest, policy_version))
    return hashlib.blake2b(named.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def _waiting(view: ThreadView, first_group: int) -> list[Group]:
    """The live groups that are in no chunk yet, in their order."""
    behind = view.totals.groups
    # Where the numbers lie further apart than there are groups, as a record that is none of ours may have it, the
    # groups are looked through and not the numbers.
    numbers: Iterable[int] = range(first_group, behind)
    if behind - first_group > len(view.groups):
        numbers = sorted(number for number in view.groups if first_group <= number < behind)
    return [view.groups[number] for number in numbers if number in view.groups]


def _closed_run(waiting: Sequence[Group], sizes: ChunkSizes, *, quiet: bool) -> list[Group]:
    """The first run of finished groups that is closed.

    One that waits for an answer must not hold up all that comes later.
    """
    place = 0
    for finished, run in groupby(waiting, key=_is_finished):
        groups = list(run)
        place += len(groups)
        following = waiting[place] if place < len(waiting) else None
        if finished and (end := _end(groups, following, sizes, quiet=quiet)) is not None:
            return groups[: end + 1]
    return []


def _is_finished(group: Group) -> bool:
    return group.kind is not GroupKind.SYSTEM and not group.open_calls and not group.expects_message


def _end(groups: Sequence[Group], following: Group | None, sizes: ChunkSizes, *, quiet: bool) -> int | None:
    """Place of the last group of a chunk: the first end of a turn where there is enough, or where the size ends it."""
    tokens = 0
    cut = None
    for place, group in enumerate(groups):
        tokens += group.tokens
        if tokens > sizes.tokens_max and cut is not None:
            return cut
        if tokens >= sizes.tokens_min:
            cut = place
            behind = groups[place + 1] if place + 1 < len(groups) else following
            if behind is not None and behind.kind is GroupKind.USER:
                return place
    return len(groups) - 1 if quiet and tokens >= sizes.quiet_tokens_min else None


def _entries(view: ThreadView, groups: Sequence[Group]) -> list[Entry]:
    wanted = {group.sequence for group in groups}
    entries = (entry for entry in view.entries.values() if entry.rank // RANKS_PER_GROUP in wanted)
    return sorted(entries, key=lambda entry: entry.rank)


def _span_message(entry: Entry, *, masked: bool) -> SpanMessage:
    message = decode_message(entry.message)
    return SpanMessage(
        id=entry.id,
        message=mask_message(message) if masked else message,
        by_program=entry.source == PROGRAM_SOURCE,
    )
