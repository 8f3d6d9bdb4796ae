"""Signals: what changes a thread without being said in it.

They travel in the same log as messages, in one order with them. A runtime tells with them what it does (a call begins,
a provider refused a request), a person asks for something (compact), and a worker reminds a thread of its own timers
(ticks). The key is the thread, `ce_type` tells them apart from messages, and the value is a JSON object with a `kind`.
"""

from typing import Annotated, Any, get_args

import msgspec
from msgspec import Meta, Struct

from tailrace.schemas.errors import Invalid
from tailrace.schemas.records.event import DEFAULT_TENANT, Label
from tailrace.schemas.records.strategy_name import StrategyName

#: Longest time that a call may be said to take: an hour.
CALL_MS_MAX = 3_600_000
#: More than any model takes: whoever announces more has made a mistake, and a record could not hold every number.
TOKENS_MAX = 1_000_000_000
#: More than any thread comes to.
EPOCH_MAX = 1_000_000_000
#: Kafka's times end here.
MOMENT_MS_END = 2**63
#: Less than any model takes: a report of it would empty a context, and nothing learned is ever below it.
WINDOW_TOKENS_MIN = 256


class Compact(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag="compact"):
    """Somebody asks for a compaction now, whatever the marks say."""

    #: Where to come down to, in tokens or as a part of the limit; the lower mark where neither is given.
    target_tokens: int | None = None
    target_fraction: float | None = None
    strategy: StrategyName | None = None
    #: Goes into every line of the audit about it.
    reason: Annotated[str, Meta(max_length=1_000)] = ""

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        if self.target_tokens is not None and self.target_fraction is not None:
            raise ValueError("target_tokens and target_fraction exclude each other; give one of them")
        if self.target_tokens is not None and not 1 <= self.target_tokens <= TOKENS_MAX:
            raise ValueError(f"target_tokens must be from 1 to {TOKENS_MAX}, got {self.target_tokens}")
        if self.target_fraction is not None and not 0 < self.target_fraction <= 1:
            raise ValueError(f"target_fraction must be above 0 and at most 1, got {self.target_fraction}")


class Announce(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag="announce"):
    """So many tokens are about to be added: there must be room for them before."""

    tokens: int

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        if not 0 <= self.tokens <= TOKENS_MAX:
            raise ValueError(f"tokens must be from 0 to {TOKENS_MAX}, got {self.tokens}")


class CallStarted(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag="call_started"
):
    """A model call, or a stream, is under way: until it ends, or its time is over, the context is not compacted."""

    call: Label
    timeout_ms: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        if self.timeout_ms is not None and not 0 < self.timeout_ms <= CALL_MS_MAX:
            raise ValueError(f"timeout_ms must be from 1 to {CALL_MS_MAX}, got {self.timeout_ms}")


class CallEnded(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag="call_ended"):
    """The call is over, with or without an answer."""

    call: Label


class Overflow(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag="overflow"):
    """A provider refused a request because its context was too long."""

    model: Label | None = None
    #: What the provider said it can take, and what it counted, where it said so.
    window_tokens: int | None = None
    sent_tokens: int | None = None
    #: Epoch of the context that was refused: so a report that comes late is not taken for one about the present
    #: context.
    epoch: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        if self.epoch is not None and not 0 <= self.epoch <= EPOCH_MAX:
            raise ValueError(f"epoch must be from 0 to {EPOCH_MAX}, got {self.epoch}")
        for name, least in (("window_tokens", WINDOW_TOKENS_MIN), ("sent_tokens", 1)):
            value = getattr(self, name)
            if value is not None and not least <= value <= TOKENS_MAX:
                raise ValueError(f"{name} must be from {least} to {TOKENS_MAX}, got {value}")


class SwitchModel(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag="switch_model"
):
    """The next call goes to another model; where its window is smaller, the context has to fit it before."""

    model: Label


class SubagentFinished(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag="subagent_finished"
):
    """A subagent of this thread is done."""

    child: Label


class Tick(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag="tick"):
    """A timer of the thread is due. It counts if the thread has that very timer: anyone may send it, and twice."""

    timer: str
    due_ms: int

    def __post_init__(self) -> None:
        """Refuse numbers that are no moment of any broker's."""
        if not 0 <= self.due_ms < MOMENT_MS_END:
            raise ValueError(f"due_ms must be from 0 to {MOMENT_MS_END - 1}, got {self.due_ms}")


AnySignal = Compact | Announce | CallStarted | CallEnded | Overflow | SwitchModel | SubagentFinished | Tick
SIGNAL_KINDS: tuple[str, ...] = tuple(str(signal.__struct_config__.tag) for signal in get_args(AnySignal))


class Signal(Struct, frozen=True, kw_only=True):
    """A signal with its place: who sent it, about which thread."""

    id: str
    thread: str
    tenant: str
    #: When the broker took it, by the broker's clock.
    logged_at_ms: int
    what: AnySignal

    @property
    def kind(self) -> str:
        """What it is, in one word."""
        return str(self.what.__struct_config__.tag)


def signal_of(data: dict[str, Any], *, signal_id: str, thread: str, logged_at_ms: int) -> Signal:
    """Signal that a JSON object says. Raises Invalid for one that says nothing we know."""
    tenant = data.get("tenant", DEFAULT_TENANT)
    if not isinstance(tenant, str):
        raise Invalid(f"tenant must be a string, got {type(tenant).__name__}")
    if data.get("kind") not in SIGNAL_KINDS:
        raise Invalid(f"kind is {str(data.get('kind'))[:64]!r}; a signal is one of {', '.join(SIGNAL_KINDS)}")
    if "type" in data:
        raise Invalid("type is no field of a signal; what it is, kind says")
    body = {key: value for key, value in data.items() if key not in {"tenant", "id", "kind"}}
    try:
        what: AnySignal = msgspec.convert({"type": data["kind"], **body}, AnySignal)
    except msgspec.ValidationError as error:
        raise Invalid(f"{data['kind']}: {error}") from error
    return Signal(id=signal_id, thread=thread, tenant=tenant, logged_at_ms=logged_at_ms, what=what)


def signal_to_json(what: AnySignal, tenant: str) -> dict[str, Any]:
    """JSON object of a signal, as `signal_of` reads it."""
    fields = msgspec.to_builtins(what)
    kind = fields.pop("type")
    return {"kind": kind, "tenant": tenant, **fields}
