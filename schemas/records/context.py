"""The contexts topic: one head for each thread, one entry for each message that is live in its context.

Keys are text: `thread` holds the head, `thread ␟ message id` an entry, `thread ␟␟ name` a record of the worker's own
state that readers skip (␟ is U+001F, which no thread or message id may contain). A context is the live entries in
the order of `rank`. Six rules make it safe to read at any moment:

1. An entry is written once and never overwritten with other content; what replaces it has a key of its own.
2. An entry whose epoch is above its head's epoch waits until that head arrives. One with a `compaction` is void if the
   head that arrives names another: it belongs to a plan that was given up.
3. A head's `removed` holds closed ranges of rank, each with an epoch: entries of an earlier epoch than that whose rank
   lies in the range are gone. The ranges hold all that ever left the thread, so the tombstones that follow only free
   space: nothing depends on their arrival. What replaces a message has its rank, and the range's epoch.
4. The header `ce_term` grows whenever a partition changes hands. Within a partition, a record with a lower term than
   one before it comes from a worker that had already lost the partition, and counts for nothing; nor does one without
   it.
5. An entry of the kind `ledger` is live while the head names it. A thread has one at most.
6. Contexts that were made again begin with a record under the key `␟␟rebuilt`. What lies before it in its partition
   counts for nothing. Whoever only looks at the last record of each key needs no such rule.
"""

import hashlib
from enum import StrEnum
from typing import Final, Literal, NamedTuple

from msgspec import Raw, Struct

from tailrace.schemas.errors import Undecodable
from tailrace.schemas.fields import Ratio, Whole
from tailrace.schemas.records.compaction import SpanReference
from tailrace.schemas.records.envelope import Determinism, Durability
from tailrace.schemas.records.event import Sensitivity, Usage
from tailrace.schemas.records.ledger import Directive, Ledger
from tailrace.schemas.records.signal import Compact
from tailrace.schemas.records.work import WorkKind

SEPARATOR = "\x1f"

#: Room for the members of one group between two ranks: a late tool result takes its place right behind its call.
RANKS_PER_GROUP = 1 << 20
#: From here on ranks belong to what was brought back: behind every message, and exact in every JSON reader.
REHYDRATED_RANK = 1 << 52


class EntryKind(StrEnum):
    """What an entry is in relation to what was said."""

    VERBATIM = "verbatim"
    #: A tool output that was made smaller as it arrived.
    DISTILLED = "distilled"
    STUB = "stub"
    POINTER = "pointer"
    SUMMARY = "summary"
    LEDGER = "ledger"
    #: Stands for the result of a tool call that nobody answered in time.
    STAND_IN = "stand_in"
    #: Brought back for one turn; its rank puts it behind everything else, its tombstone ends it.
    REHYDRATED = "rehydrated"


#: Ids of entries that stand for other messages begin with this; a producer's id must not.
DERIVED_ID_PREFIX = "tailrace:"


class RemovedRange(NamedTuple):
    """Ranks from `first` to `last`, both included, whose entries of before `epoch` are gone. A list on the wire."""

    first: Whole
    last: Whole
    epoch: Whole


class Calibration(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a provider counted in a request, what we counted in the same messages, and how ours relates to it."""

    model: str | None
    reported_tokens: Whole
    counted_tokens: Whole
    #: Tokens of the provider for one of ours, learned from how both grew; bounded.
    ratio: Ratio = 1.0
    #: The largest request that the provider has counted for this model: it has taken so much.
    accepted_tokens: Whole = 0
    #: The same of other models that the thread was sent to, newest first, each without others.
    others: "tuple[Calibration, ...]" = ()


class CoversThrough(Struct, frozen=True, kw_only=True):
    """The last event of the thread that a context takes into account."""

    event_id: str
    offset: Whole


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One live message. `message` is a Message as JSON; its bytes never change while the entry lives."""

    version: Literal[1]
    thread: str
    tenant: str
    id: str
    epoch: Whole
    rank: Whole
    turn: Whole
    #: Last turn of what it stands for, where that is a later one.
    last_turn: Whole = 0
    tokens: Whole
    offset: Whole
    role: str
    message: Raw
    kind: EntryKind = EntryKind.VERBATIM
    group: str | None = None
    calls: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    reasoning_only: bool = False
    pinned: bool = False
    source: str | None = None
    #: The message that this entry replaces, where it is one for one.
    sources: tuple[str, ...] = ()
    agent: str | None = None
    model: str | None = None
    #: Window of `model`, where this message changed the thread's model.
    window_tokens: Whole | None = None
    usage: Usage | None = None
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    created_at_ms: int = 0
    #: When the broker took the message, by the broker's clock: timers go by it, for a producer's may be wrong by years.
    logged_at_ms: int = 0
    #: Compacting was tried in vain when this message came; it is tried again above this many tokens.
    quiet_tokens: Whole = 0
    #: The compaction that made this entry, where it stands for other messages; its record names them.
    compaction: str | None = None
    #: Under which name the whole content can be had, where the entry holds less; and what all of it would cost.
    artifact_id: str | None = None
    whole_tokens: Whole = 0
    durability: Durability | None = None
    #: What the producer told of the results, in their order, by which two contents that look alike are told apart;
    #: empty where it told nothing.
    determinism: tuple[Determinism, ...] = ()
    #: Artifacts that this message asked for and got, for its turn.
    brought_back: tuple[str, ...] = ()
    #: What an entry of the kind `ledger` shows, whole: the next compaction goes on from it.
    ledger: Ledger | None = None


def said_tokens(entry: Entry) -> int:
    """What a message cost as it was said, however little of it came into the context."""
    return max(entry.tokens, entry.whole_tokens)


class Totals(Struct, frozen=True, kw_only=True):
    """What was said in a thread since it began, compacted or not."""

    messages: Whole = 0
    #: All that was said, whole.
    tokens: Whole = 0
    #: What of it came into the context: a large output is distilled before.
    entered_tokens: Whole = 0
    turns: Whole = 0
    groups: Whole = 0
    compactions: Whole = 0


def totals_with(totals: Totals, entry: Entry) -> Totals:
    """Totals with one more message, as it came."""
    return Totals(
        messages=totals.messages + 1,
        tokens=totals.tokens + said_tokens(entry),
        entered_tokens=totals.entered_tokens + entry.tokens,
        turns=max(totals.turns, entry.turn),
        groups=max(totals.groups, entry.rank // RANKS_PER_GROUP + 1),
        compactions=totals.compactions,
    )


class CallInFlight(Struct, frozen=True, kw_only=True):
    """A model call that is under way, and until when it is believed."""

    call: str
    until_ms: int


class LearnedWindow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What refused requests have shown of a model's window, and what its answers have shown since."""

    #: As the provider counts.
    window_tokens: Whole
    #: Our estimate of the refused request as a part of what the provider counted; 1 once it reports what it counts.
    counted_fraction: Ratio = 1.0
    #: The provider said so itself; else it was told from the size of what was refused.
    stated: bool = False
    #: The largest request that is known to have been taken since, and before.
    accepted_tokens: Whole = 0
    #: Answers since the last head, and whether one of them told what the provider counted.
    answers: Whole = 0
    counted: bool = False


class Standing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What triggers remember of a thread. All times are the broker's."""

    began_at_ms: int = 0
    #: When something was said last, and when a model spoke last.
    said_at_ms: int = 0
    called_at_ms: int = 0
    compacted_at_ms: int = 0
    #: What the thread had come to when it was compacted last.
    compacted: Totals = Totals()
    #: When the compaction was that rules are still to be asked about; 0 where they were, or none wants to be.
    completed_at_ms: int = 0
    #: Rules were asked about the closing of all chunks before this group.
    asked_group: Whole = 0
    #: Tries in a row that came to nothing, and when the last of them was.
    failures: Whole = 0
    failed_at_ms: int = 0
    #: The thread can't be brought under its limit; that was said.
    stuck: bool = False
    in_flight: CallInFlight | None = None
    #: A compaction that was asked for while a call was under way.
    owed: Compact | None = None
    #: What the producer is about to add.
    announced_tokens: Whole = 0
    #: Refused requests since a model spoke last.
    overflows: Whole = 0
    #: When each timer went off last: the moment that it was due, or for `every` and `cron` when it came.
    fired: dict[str, int] = {}
    #: Windows as providers' refusals have shown them, by model, newest last; under "" that of a model that nobody
    #: named.
    windows: dict[str, LearnedWindow] = {}
    #: Where there is such a window: tokens, by our count, that the next request has at least.
    asked_tokens: Whole = 0
    #: Ids of the last signals.
    seen: tuple[str, ...] = ()


class Head(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What holds for the thread as a whole, as of `covers_through`; entries that came later add to it."""

    version: Literal[1]
    thread: str
    tenant: str
    epoch: Whole
    tokens: Whole
    limit_tokens: Whole
    policy_version: str
    covers_through: CoversThrough
    prefix_hash: str
    totals: Totals
    window_tokens: Whole
    model: str | None = None
    parent_thread: str | None = None
    #: Ascending and apart.
    removed: tuple[RemovedRange, ...] = ()
    #: The compaction that began this epoch.
    compaction: str | None = None
    #: The agent whose thread it is: the first that a message named.
    agent: str | None = None
    #: As in an entry, for what came before the head.
    quiet_tokens: Whole = 0
    calibration: Calibration | None = None
    #: Id of the ledger that holds; every other entry of that kind is gone.
    ledger: str | None = None
    #: In which turn artifacts were brought back last: those that must not come again yet, whether who asked is live or
    #: not.
    brought_back: dict[str, Whole] = {}
    standing: Standing = Standing()


def id_hash(message_id: str) -> str:
    """96 bits of a message id: enough to recognise a duplicate after the entry itself is gone."""
    return hashlib.blake2b(message_id.encode(), digest_size=12).hexdigest()


class Departed(Struct, frozen=True, kw_only=True):
    """Hashes of the ids of messages that one compaction took out of the context, to recognise late duplicates."""

    version: Literal[1]
    thread: str
    epoch: Whole
    id_hashes: tuple[str, ...]
    #: Hashes of the ids of calls that left without a result of a tool: how one that comes after all is still
    #: recognised.
    call_hashes: tuple[str, ...] = ()


class ReadySummary(Struct, frozen=True, kw_only=True):
    """A model's summary of a chunk, or distillation of a tool output, that is still live as it was.

    The next compaction may put it in the place of what it was made from.
    """

    version: Literal[1]
    thread: str
    id: str
    kind: WorkKind
    span: SpanReference
    text: str
    model: str
    #: Of the event that brought it.
    offset: Whole


class SpentSummary(Struct, frozen=True, kw_only=True):
    """Frees the space of a summary that was used, or whose chunk is no longer what it was."""

    thread: str
    id: str


class ChunkMark(Struct, frozen=True, kw_only=True):
    """How far a thread is divided into chunks."""

    version: Literal[1]
    thread: str
    #: The group that the next chunk begins with at the earliest.
    next_group: Whole


class HeldCandidates(Struct, frozen=True, kw_only=True):
    """Directives that models pointed out, all that a thread has, as long as the messages that state them are live.

    When such a message leaves, what it states goes into the ledger like what the rules found in it.
    """

    version: Literal[1]
    thread: str
    #: In the order in which they were accepted; none where there are no more.
    directives: tuple[Directive, ...] = ()


def head_key(thread: str) -> bytes:
    """Key of the thread's head."""
    return thread.encode()


def entry_key(thread: str, message_id: str) -> bytes:
    """Key of one entry."""
    return f"{thread}{SEPARATOR}{message_id}".encode()


def departed_key(thread: str, epoch: int) -> bytes:
    """Key of the record of ids that left with `epoch`."""
    return f"{thread}{SEPARATOR}{SEPARATOR}departed{SEPARATOR}{epoch}".encode()


def summary_key(thread: str, summary_id: str) -> bytes:
    """Key of a summary that is ready."""
    return f"{thread}{SEPARATOR}{SEPARATOR}summary{SEPARATOR}{summary_id}".encode()


def chunk_key(thread: str) -> bytes:
    """Key of the record that says how far a thread is divided into chunks."""
    return f"{thread}{SEPARATOR}{SEPARATOR}chunk".encode()


def candidates_key(thread: str) -> bytes:
    """Key of the directives that models pointed out in a thread."""
    return f"{thread}{SEPARATOR}{SEPARATOR}candidates".encode()


#: Key of the record that begins contexts that were made again: what lies before it in the partition counts for nothing.
REBUILT_KEY: Final = f"{SEPARATOR}{SEPARATOR}rebuilt".encode()


class ContextKey(Struct, frozen=True):
    """A key of the contexts topic, taken apart."""

    thread: str
    message_id: str | None = None
    state_name: str | None = None


def parse_key(key: bytes) -> ContextKey:
    """Take a key of the contexts topic apart. Raises Undecodable for one that is no text."""
    try:
        thread, separator, rest = key.decode().partition(SEPARATOR)
    except UnicodeDecodeError as error:
        raise Undecodable("the key is not UTF-8") from error
    if not separator:
        return ContextKey(thread)
    if rest.startswith(SEPARATOR):
        return ContextKey(thread, state_name=rest[1:])
    return ContextKey(thread, message_id=rest)
