"""Long arguments of old calls, such as whole files that were written.

Each long value is cut, and the rest stays as it is.
"""

from collections.abc import Iterator

import msgspec

from tailrace.agents.messages.short_arguments import shorter_arguments
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import ShortenArguments
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallPart

_INCLUDE = Action.INCLUDE


def analyze(step: ShortenArguments, draft: Draft) -> Iterator[Proposal]:
    """Propose shorter arguments for each call that is old enough and has long ones."""
    for group in draft.free():
        for item in group.items:
            # Nothing in a message is longer than all of it.
            if item.entry.role != "assistant" or len(item.entry.message) <= step.value_chars_max:
                continue
            old = draft.turn - item.entry.turn >= step.keep_turns
            if not old or item.action is not _INCLUDE or not _has_calls(group):
                continue
            shorter = _shorter_calls(item.unmasked, step.value_chars_max)
            if shorter is item.unmasked:
                continue
            if item.original is not item.unmasked:  # there are secrets in it
                shorter = _shorter_calls(item.original, step.value_chars_max)
            if shorter is not item.original:
                reason = f"arguments older than {step.keep_turns} turns"
                yield Proposal(Action.CLEAR, item.ids, reason, shorter, may_return=step.when_needed)


def _has_calls(group: DraftGroup) -> bool:
    # Asked of every long message: a loop costs half of what a generator does.
    for item in group.items:  # noqa: SIM110
        if item.entry.calls or item.entry.answers:
            return True
    return False


def _shorter_calls(message: Message, chars_max: int) -> Message:
    arguments = {
        part.id: shorter
        for part in message.parts
        if isinstance(part, ToolCallPart)
        if (shorter := shorter_arguments(part.arguments, chars_max)) is not part.arguments
    }
    if not arguments:
        return message
    parts = tuple(
        msgspec.structs.replace(part, arguments=arguments[part.id])
        if isinstance(part, ToolCallPart) and part.id in arguments
        else part
        for part in message.parts
    )
    return msgspec.structs.replace(message, parts=parts)
