"""What people who look after an installation get from the API: policies, cost, numbers, dead letters."""

from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct

from tailrace.schemas.api.parameters import (
    ModelName,
    OnlyHere,
    PolicyName,
    SinceMs,
    TenantName,
    ThreadName,
    WindowTokens,
)
from tailrace.schemas.policy.policy import Policy


class PolicySummary(Struct, frozen=True, kw_only=True):
    """A policy by its name."""

    name: str
    hash: str
    about: str
    #: Whether it is the one by which threads are compacted.
    in_force: bool


class PoliciesReply(Struct, frozen=True, kw_only=True):
    """The policy in force, and those that come with Tailrace."""

    policies: tuple[PolicySummary, ...]


class PolicyReply(Struct, frozen=True, kw_only=True):
    """A policy with all its defaults."""

    name: str
    hash: str
    policy: Policy


class PolicyProblem(Struct, frozen=True, kw_only=True):
    """A key of a policy that can't be used."""

    key: str
    value: str
    allowed: str


class PolicyWarningReply(Struct, frozen=True, kw_only=True):
    """What is allowed, and has no effect."""

    key: str
    what: str


class PolicyCheckReply(Struct, frozen=True, kw_only=True):
    """Whether a policy can be used."""

    ok: bool
    name: str | None
    hash: str | None
    problems: tuple[PolicyProblem, ...]
    warnings: tuple[PolicyWarningReply, ...]


class PolicyDiffQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The policies to compare, by name; by default the first is the one in force."""

    other: PolicyName
    name: PolicyName | None = None


class PolicyChange(Struct, frozen=True, kw_only=True):
    """A key in which two policies differ; None where one does not have it."""

    key: str
    a: str | None
    b: str | None


class PolicyDiffReply(Struct, frozen=True, kw_only=True):
    """In which keys two policies differ."""

    equal: bool
    changes: tuple[PolicyChange, ...]


class ExplainQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a policy is explained for."""

    #: Show how everything stands for this thread now.
    thread: ThreadName | None = None
    window_tokens: WindowTokens | None = None
    model: ModelName | None = None


class TriggerReply(Struct, frozen=True, kw_only=True):
    """One trigger of a policy in words."""

    trigger: str
    when: str
    #: The values of now, and whether it holds; None without a thread.
    now: str | None
    holds: bool | None


class ExplainReply(Struct, frozen=True, kw_only=True):
    """When a policy compacts."""

    name: str
    hash: str
    window_tokens: int
    thread: str | None
    #: In which way the policy is not that of the caller, or of the thread's worker.
    note: str | None
    triggers: tuple[TriggerReply, ...]


class CostBy(StrEnum):
    """What calls are put together by."""

    TENANT = "tenant"
    AGENT = "agent"
    THREAD = "thread"
    MODEL = "model"


class CostQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which calls of models."""

    by: Annotated[CostBy, Meta(description="What calls are put together by.", examples=["model"])] = CostBy.TENANT
    thread: ThreadName | None = None
    since_ms: SinceMs | None = None
    tenant: TenantName | None = None
    here: OnlyHere = False


class CostSum(Struct, frozen=True, kw_only=True):
    """Several calls together."""

    calls: int
    input_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    output_tokens: int
    cost_usd: float


class CostRow(Struct, frozen=True, kw_only=True):
    """What one tenant, agent, thread or model has cost: its own calls, and those that make contexts smaller."""

    name: str
    primary: CostSum
    compactor: CostSum


class CostReply(Struct, frozen=True, kw_only=True):
    """Cost by whoever it was for, the dearest first."""

    by: CostBy
    rows: tuple[CostRow, ...]
    #: Parts that are not in the sums.
    missing: tuple[str, ...] = ()


class StatsReply(Struct, frozen=True, kw_only=True):
    """How an installation is, seen from this process."""

    release: str
    #: Those that the caller may see.
    threads: int
    #: Messages that no worker has taken in yet; None where that can't be told.
    waiting_messages: int | None
    #: Records of the topics that this process has not read yet.
    unread_records: int
    ready: bool
    #: Why the broker can't be used; None while it can.
    problem: str | None
    policy: str
    policy_hash: str
    formats: tuple[str, ...]


class VersionReply(Struct, frozen=True, kw_only=True):
    """Versions of what answers."""

    versions: dict[str, str]


class LettersQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which dead letters."""

    limit: Annotated[int, Meta(description="The newest so many.", ge=1, le=1_000, examples=[20])] = 20


class BytesReply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Bytes as text, or in base64 where they are no UTF-8."""

    text: str | None = None
    base64: str | None = None


class LetterPlace(Struct, frozen=True, kw_only=True):
    """Where the record stands that could not be processed."""

    topic: str
    partition: int
    offset: int


class LetterReply(Struct, frozen=True, kw_only=True):
    """A record that could not be processed, without its value."""

    id: str
    timestamp_ms: int
    key: BytesReply | None
    #: Kind of failure.
    code: str
    error: str
    #: What is wrong and what to do.
    message: str
    source: LetterPlace | None
    value_bytes: int


class LettersReply(Struct, frozen=True, kw_only=True):
    """Dead letters, newest first."""

    letters: tuple[LetterReply, ...]


class LetterHeader(Struct, frozen=True, kw_only=True):
    """A header of the record."""

    name: str
    value: BytesReply | None


class OpenLetterReply(Struct, frozen=True, kw_only=True):
    """A dead letter, whole."""

    letter: LetterReply
    stacktrace: str
    headers: tuple[LetterHeader, ...]
    value: BytesReply | None


class ReplayQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to send an original again."""

    dry_run: Annotated[bool, Meta(description="Say what would be sent; send nothing.", examples=[True])] = False


class ReplayReply(Struct, frozen=True, kw_only=True):
    """Where the original of a dead letter stands now, or why it was not sent."""

    id: str
    topic: str | None
    partition: int | None
    offset: int | None
    skipped: str | None


#: A policy as people write it: keys at the top, or under `policy`.
PolicyBody = dict[str, Any]
