"""Images, sound and documents that were looked at some turns ago become references; the text around them stays."""

from collections.abc import Iterable, Iterator

import msgspec

from tailrace.agents.artifacts.stand_ins import media_reference
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.tokens.media import IMAGE_BASE_TOKENS
from tailrace.schemas.policy.steps import ReferenceMedia
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import BlobPart, FilePart, GenericPart, ToolCallResponsePart, UriPart

#: A message that costs less holds no media that costs more than its reference.
MEDIA_TOKENS_MIN = IMAGE_BASE_TOKENS
_INCLUDE = Action.INCLUDE
_MEDIA = frozenset((BlobPart, FilePart, UriPart, GenericPart))


def analyze(step: ReferenceMedia, draft: Draft) -> Iterator[Proposal]:
    """Propose to replace the media of each message that is old enough, and nothing else of it."""
    return proposals_for(draft.free(), step, draft.turn)


def proposals_for(groups: Iterable[DraftGroup], step: ReferenceMedia, turn: int) -> Iterator[Proposal]:
    """The same for some groups, in a turn."""
    for group in groups:
        for item in group.items:
            if item.tokens < MEDIA_TOKENS_MIN or item.action is not _INCLUDE:
                continue
            if turn - item.entry.turn < step.keep_turns:
                continue
            if _may_hold_media(item.unmasked):
                original = item.original
                name = item.whole_id
                shown = _referenced(original, name)
                if shown != original:
                    yield Proposal(
                        Action.EXTERNALIZE, item.ids, f"media older than {step.keep_turns} turns", shown, name
                    )


def _may_hold_media(message: Message) -> bool:
    for part in message.parts:
        if type(part) is ToolCallResponsePart:
            if isinstance(part.response, list | dict):
                return True
        elif type(part) in _MEDIA:
            return True
    return False


def _referenced(message: Message, name: str) -> Message:
    return msgspec.structs.replace(message, parts=tuple(media_reference(part, name) for part in message.parts))
