"""Artifacts made again from the log: what records name, and what of it a message is the whole of.

The log is never edited, so whatever left a context is still there as it was said. A content is recognised by its name,
which is a hash of it. Only what came as a claim, and what stands for other messages, was never in the log.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from tailrace.agents.artifacts.names import artifact_id, content_of
from tailrace.agents.engine.engine import CountTokens
from tailrace.agents.engine.open_calls import CalledTools
from tailrace.agents.engine.tool_results import (
    ToolResult,
    is_plain,
    results_sensitivity,
    results_ttl_seconds,
    tool_results,
)
from tailrace.agents.messages.envelope import Call
from tailrace.agents.secrets.mask import mask_message
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.artifact import NewArtifact
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.event import Event, Sensitivity


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
    count_tokens: CountTokens
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

    def _name(self, tenant: str, name: str, named: Named) -> None:
        before = self.named.get((tenant, name))
        if before is not None:
            # Storing it again put its end off.
            named = Named(max(before.at_ms, named.at_ms), before.tool or named.tool, before.secret or named.secret)
        self.named[tenant, name] = named

    def artifact_of(self, event: Event) -> NewArtifact | None:
        """What was kept of a message, with the end of its time as the policy says now; None where nothing was.

        Every message of the log has to be shown, in its order: calls tell what their results are.
        """
        results = tool_results(event, self.policy, partial(self._call, event.thread))
        name = artifact_id(event.message)
        changed_at_ms = self._changed.get((event.thread, event.id))
        if changed_at_ms is not None and self._is_lasting(event, results):
            self._name(event.tenant, name, Named(changed_at_ms))
        self._called.note(event)
        named = self.named.get((event.tenant, name))
        if named is None:
            return None
        media_type, content = content_of(event.message)
        masks = self.policy.mask_secrets
        secret = masks and (named.secret or mask_message(event.message) is not event.message)
        ttl_seconds = results_ttl_seconds(results, self.policy)
        return NewArtifact(
            id=name,
            media_type=media_type,
            content=content,
            created_at_ms=max(0, event.created_at_ms),
            expires_at_ms=named.at_ms + ttl_seconds * 1000 if ttl_seconds else None,
            sensitivity=Sensitivity.RESTRICTED if secret else results_sensitivity(event.sensitivity, results),
            thread=event.thread,
            message_id=event.id,
            tool=named.tool,
        )

    def _call(self, thread: str, call_id: str) -> Call | None:
        part = self._called.call(thread, call_id)
        return Call(part) if part is not None else None

    def _is_lasting(self, event: Event, results: Iterable[ToolResult]) -> bool:
        """Tell whether no call brings a result of the message again; of small ones nobody asks."""
        if is_plain(event, self.count_tokens(event.message, event.model), self.policy):
            return False
        return any(result.durability is Durability.NON_REPLAYABLE for result in results)
