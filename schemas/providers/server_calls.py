"""Calls of tools that run at the provider: which parts open one, and which can't be without it.

The provider answers them itself, so nobody owes a result, and most stand in one message with it. But a turn that
paused, a program that calls the caller's tools, and an approval that is asked for lie in several messages. There the
API refuses what takes a call up without the call. These parts have no name of ours; what pairs them is in the
provider's own fields.
"""

from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import AnyPart, GenericPart, ToolCallPart

_SERVER_CALLS = [provider.server_calls for provider in PROVIDERS.values() if provider.server_calls is not None]
#: Types of items that open a call to which a result belongs; their `id` names it.
_AWAITING = frozenset[str]().union(*(calls.awaiting for calls in _SERVER_CALLS))
#: The same with those that nobody has to take up.
_OPENING = _AWAITING.union(*(calls.offering for calls in _SERVER_CALLS))
#: How types of results end, each with the field that names the call.
_RESULTS = tuple(
    (calls.result_suffix, calls.result_field) for calls in _SERVER_CALLS if calls.result_suffix is not None
)
#: Types of other items that take up a call, each with the field that names it.
TAKING_UP = {kind: field for calls in _SERVER_CALLS for kind, field in calls.taking_up.items()}
#: Those of them that may stay without the call, once they name it no more.
SEPARABLE = frozenset[str]().union(*(calls.separable for calls in _SERVER_CALLS))


def opened_ids(message: Message) -> tuple[str, ...]:
    """Ids of the provider's calls that this message opens."""
    return tuple([call_id for part in message.parts if (call_id := opened_by(part)) is not None])


def taken_up_ids(message: Message) -> tuple[str, ...]:
    """Ids of the provider's calls in earlier messages that this message can't be without."""
    if not _may_hold(message):
        return ()
    opened = opened_ids(message)
    taken_up = [call_id for part in message.parts if (call_id := taken_up_by(part)) is not None]
    return tuple([call_id for call_id in taken_up if call_id not in opened])


def half_ids(message: Message) -> frozenset[str]:
    """Ids of the provider's calls of which a part is in this message and another in an earlier or a later one."""
    if not _may_hold(message):
        return frozenset()
    answered = {answered_by(part) for part in message.parts}
    return frozenset({*opened_ids(message)} - answered).union(taken_up_ids(message))


def _may_hold(message: Message) -> bool:
    # Asked of every message, and hardly any has such a part.
    for part in message.parts:
        kind = type(part)
        if kind is GenericPart or (kind is ToolCallPart and part.extra):
            return True
    return False


def opened_by(part: AnyPart) -> str | None:
    """Id of the provider's call that a part opens; None where it opens none."""
    return _id_of(part, "id") if _kind_of(part) in _OPENING else None


def awaited_by(part: AnyPart) -> str | None:
    """Id of the provider's call that a part opens and that a result has to follow; None where it opens none."""
    return _id_of(part, "id") if _kind_of(part) in _AWAITING else None


def answered_by(part: AnyPart) -> str | None:
    """Id of the provider's call whose result a part is; None where it is none."""
    kind = _kind_of(part)
    for suffix, field in _RESULTS:
        if kind.endswith(suffix):
            return _id_of(part, field)
    return None


def taken_up_by(part: AnyPart) -> str | None:
    """Id of the provider's call that a part belongs to.

    As its result, or as a call that a program at the provider made.
    """
    if type(part) is ToolCallPart:
        caller = part.extra.get("caller")
        return _text(caller.get("tool_id")) if isinstance(caller, dict) else None
    field = TAKING_UP.get(_kind_of(part))
    return _id_of(part, field) if field is not None else answered_by(part)


def _kind_of(part: AnyPart) -> str:
    kind = part.value.get("type") if type(part) is GenericPart and isinstance(part.value, dict) else None
    return kind if isinstance(kind, str) else ""


def _id_of(part: AnyPart, key: str) -> str | None:
    return _text(part.value.get(key)) if isinstance(part, GenericPart) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
