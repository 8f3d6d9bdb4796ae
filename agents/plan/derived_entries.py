"""From a plan to the entries of the next epoch: what stands for messages that are no longer there as they were."""

import hashlib
from collections.abc import Sequence

import msgspec

from tailrace.agents.plan.plan import Change, LedgerChange, Plan
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import DERIVED_ID_PREFIX, RANKS_PER_GROUP, Entry, EntryKind, RemovedRange

_encode_json = msgspec.json.Encoder().encode

KINDS = {
    Action.CLEAR: EntryKind.STUB,
    Action.EXTERNALIZE: EntryKind.POINTER,
    Action.SUMMARIZE: EntryKind.SUMMARY,
}


def compaction_id(thread: str, epoch: int, policy_hash: str, plan: Plan) -> str:
    """Id of a compaction: the same spans under the same policy give the same id, on any worker, however often."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (thread, str(epoch), policy_hash):
        digest.update(part.encode())
        digest.update(b"\0")
    for change in plan.changes:
        for part in (change.action, *change.ids):
            digest.update(part.encode())
            digest.update(b"\0")
        digest.update(b"\1")
    return digest.hexdigest()


def derived_entry(
    change: Change, *, epoch: int, offset: int, compaction: str, open_calls: frozenset[str]
) -> Entry | None:
    """Entry that stands for a span; None where nothing does.

    `open_calls` are those of its group that wait for a result.
    """
    if change.replacement is None:
        return None
    first = change.first
    # What stands for a whole group still does when it is replaced by something shorter.
    single = len(change.ids) == 1 and (first.compaction is None or bool(first.sources))
    # Words that came with results are as old as they are, not as the call: who spoke first must not change by it.
    words_of_late = change.action is Action.EXTERNALIZE and change.replacement.role == "user" and first.role != "user"
    entry = Entry(
        version=1,
        thread=first.thread,
        tenant=first.tenant,
        id=derived_id(change),
        epoch=epoch,
        rank=first.rank,
        turn=change.last_turn if words_of_late else first.turn,
        last_turn=change.last_turn if change.last_turn > first.turn and not words_of_late else 0,
        tokens=change.after_tokens,
        offset=offset,
        role=change.replacement.role,
        message=msgspec.Raw(bytes(memoryview(_encode_json(change.replacement)))),
        kind=KINDS[change.action],
        # Calls that were answered are closed for good: a replacement must not open them again.
        calls=tuple(call_id for call_id in change.replacement.call_ids if call_id in open_calls),
        answers=change.replacement.answered_ids,
        sensitivity=first.sensitivity,
        created_at_ms=first.created_at_ms,
        logged_at_ms=first.logged_at_ms,
        compaction=compaction,
        artifact_id=change.artifact_id,
    )
    return _of_one_message(entry, change) if single else entry


def _of_one_message(entry: Entry, change: Change) -> Entry:
    """The entry with what it takes over from the message that it stands for.

    What stands for a whole group takes over none of it: nothing that comes later under the group's name may join.
    """
    first = change.first
    return msgspec.structs.replace(
        entry,
        group=first.group,
        pinned=first.pinned,
        source=first.source,
        sources=change.ids,
        agent=first.agent,
        artifact_id=change.artifact_id or first.artifact_id,
        whole_tokens=(first.whole_tokens or change.before_tokens) if change.artifact_id else 0,
        durability=first.durability,
    )


def ledger_entry(change: LedgerChange, *, epoch: int, offset: int, compaction: str) -> Entry | None:
    """Entry that shows the ledger; None where nothing is shown."""
    first = change.first
    if change.message is None:
        return None
    return Entry(
        version=1,
        thread=first.thread,
        tenant=first.tenant,
        id=_ledger_id(change, epoch),
        epoch=epoch,
        rank=change.rank,
        turn=first.turn,
        tokens=change.tokens,
        offset=offset,
        role=change.message.role,
        message=msgspec.Raw(bytes(memoryview(_encode_json(change.message)))),
        kind=EntryKind.LEDGER,
        sensitivity=first.sensitivity,
        created_at_ms=first.created_at_ms,
        logged_at_ms=first.logged_at_ms,
        compaction=compaction,
        ledger=change.ledger,
    )


def _ledger_id(change: LedgerChange, epoch: int) -> str:
    """Id of a ledger. The same text may be written again at another place, which is another entry."""
    digest = hashlib.blake2b(digest_size=12)
    for part in (change.first.thread, str(epoch), str(change.rank)):
        digest.update(part.encode())
        digest.update(b"\0")
    digest.update(_encode_json(change.message))
    return f"{DERIVED_ID_PREFIX}{EntryKind.LEDGER}:{digest.hexdigest()}"


def derived_id(change: Change) -> str:
    """Id of what stands for a span, from content alone, so that an id stands for one text."""
    digest = hashlib.blake2b(digest_size=12)
    for part in (change.first.thread, *change.ids):
        digest.update(part.encode())
        digest.update(b"\0")
    digest.update(_encode_json(change.replacement))
    return f"{DERIVED_ID_PREFIX}{KINDS[change.action]}:{digest.hexdigest()}"


def removed_ranges(live: Sequence[Entry], epoch: int, groups: int) -> tuple[RemovedRange, ...]:
    """Everything that is gone once exactly `live`, sorted by rank, is there.

    Gaps between groups, and what was replaced.

    `groups` is how many the thread has had: the newest of them may be gone too.
    """
    ranges: list[RemovedRange] = []
    expected = 0
    for entry in live:
        sequence = entry.rank // RANKS_PER_GROUP
        if sequence > expected:
            ranges.append(RemovedRange(expected * RANKS_PER_GROUP, sequence * RANKS_PER_GROUP - 1, epoch))
        alone = sequence >= expected
        expected = sequence + 1
        if entry.kind is EntryKind.LEDGER:
            # The head names it. Where it stands behind a summary, that one's range holds for the rest of the group.
            if alone:
                ranges.append(RemovedRange(sequence * RANKS_PER_GROUP, expected * RANKS_PER_GROUP - 1, entry.epoch))
        elif entry.compaction is not None:
            # What stands for whole groups has the rest of its own group behind it, and all of that is gone.
            whole = not entry.sources
            last = expected * RANKS_PER_GROUP - 1 if whole else entry.rank
            ranges.append(RemovedRange(entry.rank, last, entry.epoch))
    if groups > expected:
        ranges.append(RemovedRange(expected * RANKS_PER_GROUP, groups * RANKS_PER_GROUP - 1, epoch))
    return tuple(ranges)
