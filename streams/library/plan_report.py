"""A plan with the conversation that it is for: what `tailrace plan` and the API show of it, whichever way."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from tailrace.agents.engine.offline import Conversation, plan_for, planned_messages
from tailrace.agents.plan.annotations import annotations
from tailrace.agents.plan.derived_entries import derived_id
from tailrace.agents.plan.plan import Change, LedgerChange, Plan
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.annotation import to_agent_framework
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallPart, ToolCallResponsePart
from tailrace.streams.library.plans import budget_in, planned_window
from tailrace.streams.library.preview import preview
from tailrace.streams.library.worker_policy import WorkerPolicy


@dataclass(frozen=True)
class Planned:
    """A plan under a policy, for a conversation that goes by this title."""

    title: str
    model: str | None
    window_tokens: int
    policy: Policy
    #: How the policy was asked for: a name or a file; None for the one that the settings name.
    asked: str | None
    #: In which way the policy is not the one that somebody would expect.
    note: str | None
    talk: Conversation
    plan: Plan

    @cached_property
    def entries(self) -> list[Entry]:
        """The messages as they are now, in order."""
        return self.talk.view.live()

    @cached_property
    def changes(self) -> dict[str, Change]:
        """What becomes of messages, by their ids."""
        return {key: change for change in self.plan.changes for key in change.ids}

    @property
    def messages_after(self) -> int:
        """How many messages the context would have."""
        return len(planned_messages(self.talk, self.plan))

    @property
    def freed_tokens(self) -> int:
        """What the plan frees."""
        return self.plan.before_tokens - self.plan.after_tokens

    @cached_property
    def tools(self) -> dict[str, str]:
        """Names of the tools that are called, by the id of the call."""
        calls = (part for entry in self.entries if entry.calls for part in decode_message(entry.message).parts)
        return {part.id: part.name for part in calls if isinstance(part, ToolCallPart)}

    def beginning(self, message: Message) -> str:
        """How a message begins, in one line; a result with the name of its tool."""
        answers = [part.id for part in message.parts if isinstance(part, ToolCallResponsePart)]
        names = ", ".join(dict.fromkeys(self.tools.get(call_id, "") for call_id in answers))
        return f"{names} {preview(message)}".strip()

    def as_json(self) -> dict[str, Any]:
        """Everything about the plan, for programs; messages by their ids."""
        plan = self.plan
        annotated = annotations(self.entries, plan)
        return {
            "source": self.title,
            "model": self.model,
            "window_tokens": self.window_tokens,
            "policy": {"name": self.policy.name, "hash": self.policy.hash},
            "note": self.note,
            "strategy": plan.strategy,
            "limit_tokens": plan.budget.limit_tokens,
            "upper_tokens": plan.budget.upper_tokens,
            "lower_tokens": plan.budget.lower_tokens,
            "before_tokens": plan.before_tokens,
            "after_tokens": plan.after_tokens,
            "freed_tokens": self.freed_tokens,
            "messages_before": len(self.entries),
            "messages_after": self.messages_after,
            "reason": plan.reason,
            "changes": [_change(change) for change in plan.changes],
            "ledger": _ledger(plan.ledger) if plan.ledger is not None else None,
            "skipped": plan.skipped,
            "warnings": plan.warnings,
            "annotations": {key: to_agent_framework(value) for key, value in annotated.items()},
        }


class PlanTitle(NamedTuple):
    """What a plan goes by."""

    #: The conversation.
    title: str
    #: How the policy was asked for.
    policy: str | None


def plan_report(
    talk: Conversation, by: WorkerPolicy, names: PlanTitle, *, forced: bool, tool_tokens: int = 0
) -> Planned:
    """Make the plan that a worker would carry out for this conversation; nothing changes."""
    engine, limits = by.engine, by.limits
    return Planned(
        title=names.title,
        model=limits.model or talk.model,
        window_tokens=planned_window(talk, engine, limits),
        policy=engine.policy,
        asked=names.policy,
        note=by.note,
        talk=talk,
        plan=plan_for(talk, engine, budget_in(talk, engine, limits, tool_tokens=tool_tokens), forced=forced),
    )


def _ledger(change: LedgerChange) -> dict[str, Any]:
    return {
        "former_ids": change.former_ids,
        "before_tokens": change.before_tokens,
        "after_tokens": change.tokens,
        "message": msgspec.to_builtins(change.message),
        "missing": change.missing,
    }


def _change(change: Change) -> dict[str, Any]:
    replaced = change.replacement is not None
    return {
        "action": change.action,
        "ids": change.ids,
        "first_turn": change.first.turn,
        "last_turn": change.last_turn,
        "before_tokens": change.before_tokens,
        "after_tokens": change.after_tokens,
        "strategy": change.strategy,
        "reason": change.reason,
        "artifact_id": change.artifact_id,
        "recorded": change.recorded,
        "replacement_id": derived_id(change) if replaced else None,
        "replacement": msgspec.to_builtins(change.replacement),
    }
