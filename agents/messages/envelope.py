"""What is known of a tool result: from the policy, from its producer, and from the message itself.

The policy overrules the producer, the producer overrules what is derived. What nobody knows is left out: an unknown
mark of determinism counts as changed.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from tailrace.agents.language.cues import call_changes, command_changes, tool_looks
from tailrace.agents.messages.call_text import call_text
from tailrace.agents.messages.exit_codes import exit_code_of
from tailrace.agents.messages.outcome import is_refusal, outcome_of
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.artifact import strictest
from tailrace.schemas.records.envelope import Determinism, Durability, Outcome, Timing, ToolEnvelope
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallPart, ToolCallResponsePart

KEY_FIELDS_MAX = 8
KEY_FIELD_CHARS_MAX = 120
_JSON_CHARS_MAX = 200_000
#: Names of fields that stand for the whole.
_KEY_NAMES = re.compile(
    r"^(?:id|\w*_id|name|path|file|url|status|state|code|exit_code|error|message|title|count|total|version|etag"
    r"|mtime)$",
    re.IGNORECASE,
)
_ETAGS, _TIMES, _VERSIONS = ("etag",), ("mtime", "modified_at", "last_modified", "updated_at"), ("version", "revision")

_decode_json = decoder()


@dataclass(frozen=True, slots=True)
class Call:
    """The call that a result answers; when it was made, where that is known."""

    part: ToolCallPart
    created_at_ms: int = 0


def rule_for(name: str, rules: Mapping[str, ToolRule]) -> ToolRule:
    """What the policy says of a tool; the first pattern that fits counts."""
    return next((rule for pattern, rule in rules.items() if fnmatchcase(name, pattern)), _NO_RULE)


_NO_RULE = ToolRule()


def given_for(part: ToolCallResponsePart, place: int, envelopes: Sequence[ToolEnvelope]) -> ToolEnvelope:
    """The envelope that the producer sent for a result: the one with its call's id, else the one at its place.

    It is empty where there is neither.
    """
    for envelope in envelopes:
        if envelope.call_id == part.id:
            return envelope
    by_place = envelopes[place] if place < len(envelopes) else _NOTHING
    return by_place if by_place.call_id is None else _NOTHING


_NOTHING = ToolEnvelope()


def determinism_given(message: Message, envelopes: Sequence[ToolEnvelope]) -> tuple[Determinism, ...]:
    """The marks that a producer gave for the results of a message, in their order; none where it gave none at all."""
    if not any(envelope.determinism for envelope in envelopes):
        return ()
    results = (part for part in message.parts if isinstance(part, ToolCallResponsePart))
    return tuple(given_for(part, place, envelopes).determinism or _UNMARKED for place, part in enumerate(results))


_UNMARKED = Determinism()


def envelope_of(  # noqa: PLR0913  everything that has a word in it
    part: ToolCallResponsePart,
    text: str,
    call: Call | None,
    from_producer: ToolEnvelope,
    *,
    rules: Mapping[str, ToolRule],
    whole_hash: str | None,
    answered_at_ms: int,
) -> ToolEnvelope:
    """The envelope of one result.

    `text` is the part of the result that may be seen. `whole_hash` identifies the whole result; None where it is not
    known.
    """
    name = name_of(from_producer, call)
    fields = _json_fields(text)
    exit_code = exit_code_of(text, fields)
    return ToolEnvelope(
        call_id=part.id,
        name=name or None,
        outcome=from_producer.outcome or _outcome(part, text, exit_code, call),
        key_fields=from_producer.key_fields or _key_fields(fields, exit_code),
        durability=durability_of(rule_for(name, rules), from_producer, call),
        determinism=_determinism(fields, from_producer.determinism or Determinism(), whole_hash),
        timing=from_producer.timing or _timing(call, answered_at_ms),
    )


def name_of(from_producer: ToolEnvelope, call: Call | None) -> str:
    """Name of the tool; empty where nobody says."""
    return from_producer.name or (call.part.name if call else "")


def durability_of(rule: ToolRule, from_producer: ToolEnvelope, call: Call | None) -> Durability | None:
    """How long a result is good for, as far as somebody knows."""
    return rule.durability or from_producer.durability or _durability(call)


def sensitivity_of(own: Sensitivity, rules: Iterable[ToolRule]) -> Sensitivity:
    """The sensitivity of a message with results of tools under these rules: the strictest of its own and theirs."""
    return strictest([own, *(rule.sensitivity for rule in rules if rule.sensitivity is not None)])


def ttl_seconds_of(rules: Iterable[ToolRule], otherwise: int | None) -> int | None:
    """How long results under these rules are kept together: for the shortest time of any rule, else for `otherwise`."""
    return min((rule.ttl_seconds for rule in rules if rule.ttl_seconds is not None), default=otherwise)


def content_hash(text: str) -> str:
    """Hash of an output's text."""
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def told_by(call: ToolCallPart | None) -> str:
    """The path, the command or whatever else a call says; empty where there is no call."""
    if call is None:
        return ""
    texts = call_text(call)
    return texts.path or texts.command or texts.argument_text


def _outcome(part: ToolCallResponsePart, text: str, exit_code: int | None, call: Call | None) -> Outcome:
    if is_refusal(part):
        return Outcome.ERROR
    return outcome_of(text, exit_code, only_looked=_durability(call) is Durability.REPLAYABLE)


def _json_fields(text: str) -> Mapping[str, Any]:
    """Top fields of an output that is one JSON object."""
    if not text.startswith("{") or len(text) > _JSON_CHARS_MAX:
        return {}
    try:
        value = _decode_json(text)
    except PoisonEvent:
        return {}
    return value if isinstance(value, dict) else {}


def _key_fields(fields: Mapping[str, Any], exit_code: int | None) -> dict[str, str]:
    key_fields = {} if exit_code is None else {"exit_code": str(exit_code)}
    for key, value in fields.items():
        if isinstance(value, str | int | float) and _KEY_NAMES.match(key) and len(key_fields) < KEY_FIELDS_MAX:
            key_fields[key] = str(value)[:KEY_FIELD_CHARS_MAX]
    return key_fields


def _durability(call: Call | None) -> Durability | None:
    """How long a result is good for, judged by the names of tool and command.

    What changed something can't be had again by a second call; what only looked can.
    """
    if call is None:
        return None
    texts = call_text(call.part)
    if call_changes(call.part.name, texts.operation) or command_changes(texts.command):
        return Durability.NON_REPLAYABLE
    return Durability.REPLAYABLE if tool_looks(call.part.name) or texts.path else None


def _determinism(fields: Mapping[str, Any], from_producer: Determinism, whole_hash: str | None) -> Determinism:
    def mark(names: Sequence[str]) -> str | None:
        value = next((str(fields[name]) for name in names if isinstance(fields.get(name), str | int)), None)
        return value[:KEY_FIELD_CHARS_MAX] if value else None

    return Determinism(
        content_hash=from_producer.content_hash or whole_hash,
        etag=from_producer.etag or mark(_ETAGS),
        modified_at=from_producer.modified_at or mark(_TIMES),
        content_version=from_producer.content_version or mark(_VERSIONS),
    )


def _timing(call: Call | None, answered_at_ms: int) -> Timing | None:
    if call is None or not call.created_at_ms or answered_at_ms < call.created_at_ms:
        return None
    return Timing(started_at_ms=call.created_at_ms, duration_ms=answered_at_ms - call.created_at_ms)
