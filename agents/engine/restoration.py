"""Artifacts made again from the log: what records name, and what of it a message is the whole of.

The log is never edited, so whatever left a context is still there as it was said. A content is recognised by its name, which is a
hash of it. Only what came as a claim, and what stands for other messages, was never in the log.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tailrace.agents.artifacts.names import artifact_id, content_of
from tailrace.agents.engine.open_calls import CalledTools
from tailrace.agents.engine.thread import CountTokens
from tailrace.agents.messages.envelope import (
    Call,
    durability_of,
    given_for,
    name_of,
    rule_for,
    sensitivity_of,
    ttl_seconds_of,
)
from tailrace.agents.secrets.mask import mask_message
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.artifact import NewArtifact
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.event import Event, Sensitivity
from tailrace.schemas.records.parts import ToolCallResponsePart


@dataclass(frozen=True, slots=True)
class Named:
    """An artifact that a record names: when it was last written, and the tool that it is of, where the record tells."""

    at_ms: int
    tool: str = ""
    secret: bool = False


@dataclass(slots=True)
class NamedArtifacts:
    """Everything that the records of a partition name, collected before its messages are read."""

    policy: Policy
    count: CountTokens
    #: By tenant and id.
    named: dict[tuple[str, str], Named] = field(default_factory=dict)
    #: When a message was changed by a compaction, by thread and id: what no call brings again was kept then.
    _changed: dict[tuple[str, str], int] = field(default_factory=dict)
    _called: CalledTools = field(default_factory=CalledTools)

    def note(self, record: Distillation | CompactionRecord, at_ms: int) -> None:
        """Take a record into account that was written at this time."""
        if isinstance(record, Distillation):
            tool = record.envelope.name or ""
            self._name(record.tenant, record.artifact_id, Named(at_ms, tool, bool(record.secrets)))
            return
        for decision in record.decisions:
            for message_id in decision.span.ids:
                self._changed[record.thread, message_id] = at_ms
            names = decision.artifact_ids if decision.artifact_id is None else (decision.artifact_id,)
            for name in names:
                self._name(record.tenant, name, Named(at_ms))

    def _name(self, tenant: str, name: str, one: Named) -> None:
        known = self.named.get((tenant, name))
        if known is not None:
            # Storing it again put its end off.
            one = Named(max(known.at_ms, one.at_ms), known.tool or one.tool, known.secret or one.secret)
        self.named[tenant, name] = one

    def artifact_of(self, event: Event) -> NewArtifact | None:
        """What was kept of a message, with the end of its time as the policy says now; None where nothing was.

        Every message of the log has to be shown, in its order: calls tell what their results are.
        """
        rules = self._rules(event)
        name = artifact_id(event.message)
        changed_at_ms = self._changed.get((event.thread, event.id))
        if changed_at_ms is not None and self._is_lasting(event):
            self._name(event.tenant, name, Named(changed_at_ms))
        self._called.note(event)
        named = self.named.get((event.tenant, name))
        if named is None:
            return None
        media_type, content = content_of(event.message)
        masks = self.policy.mask_secrets
        secret = masks and (named.secret or mask_message(event.message) is not event.message)
        ttl_seconds = ttl_seconds_of(rules, self.policy.artifact_ttl_seconds)
        return NewArtifact(
            id=name,
            media_type=media_type,
            content=content,
            created_at_ms=max(0, event.created_at_ms),
            expires_at_ms=named.at_ms + ttl_seconds * 1000 if ttl_seconds else None,
            sensitivity=Sensitivity.RESTRICTED if secret else sensitivity_of(event.sensitivity, rules),
            thread=event.thread,
            message_id=event.id,
            tool=named.tool,
        )

    def _calls(self, event: Event) -> list[tuple[ToolCallResponsePart, int, Call | None]]:
        results = [part for part in event.message.parts if isinstance(part, ToolCallResponsePart)]
        found = [self._called.call(event.thread, part.id) for part in results]
        calls = [Call(part) if part is not None else None for part in found]
        return [(part, place, call) for place, (part, call) in enumerate(zip(results, calls, strict=True))]

    def _rules(self, event: Event) -> Sequence[ToolRule]:
        return [
            rule_for(name_of(given_for(part, place, event.tools), call), self.policy.tools)
            for part, place, call in self._calls(event)
        ]

    def _is_lasting(self, event: Event) -> bool:
        """Tell whether no call brings a result of the message again; of small ones nobody asks."""
        own = self.policy
        if not (event.tools or own.tools) and self.count(event.message, event.model) < own.distill.tokens_min:
            return False
        for part, place, call in self._calls(event):
            given = given_for(part, place, event.tools)
            rule = rule_for(name_of(given, call), self.policy.tools)
            if durability_of(rule, given, call) is Durability.NON_REPLAYABLE:
                return True
        return False
