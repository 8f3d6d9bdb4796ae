"""Old calls with their results become one short message for each group: which tools were called, and what came of it."""

from collections.abc import Iterator

from tailrace.agents.draft import Draft, DraftGroup, Item
from tailrace.agents.groups import GroupKind
from tailrace.agents.part_text import response_text, text_of
from tailrace.agents.proposal import Proposal
from tailrace.agents.wording import WHOLE_NOTE, tool_results_text
from tailrace.schemas.compaction import Action
from tailrace.schemas.envelope import Durability
from tailrace.schemas.message import ContentShape, Message
from tailrace.schemas.parts import TextPart, ToolCallPart, ToolCallResponsePart
from tailrace.schemas.policy_steps import CollapseToolCalls

#: Enough to tell two calls of a tool apart.
ARGUMENTS_CHARS_MAX = 80
_NO_RESULT, _EMPTY = "no result", "empty"


def analyze(step: CollapseToolCalls, draft: Draft) -> Iterator[Proposal]:
    """Propose one message for each group of calls but the last few."""
    groups = [group for group in draft.groups if group.kind is GroupKind.TOOL_CALL]
    for group in groups[: max(0, len(groups) - step.keep_last)]:
        if group.kept is None and group.is_open_to(Action.SUMMARIZE) and not _holds_others_words(group):
            yield Proposal(
                action=Action.SUMMARIZE,
                ids=group.ids,
                reason=f"not among the last {step.keep_last} groups of calls",
                replacement=_collapsed(group, step.result_chars_max),
            )


def _holds_others_words(group: DraftGroup) -> bool:
    """Whether somebody speaks beside the results: those words must not become the assistant's."""
    return any(isinstance(part, TextPart) for item in group.items if item.entry.answers for part in item.message.parts)


def _collapsed(group: DraftGroup, result_chars_max: int) -> Message:
    parts = [part for item in group.items for part in item.message.parts]
    results = {
        part.id: _outcome(item, response_text(part.response), result_chars_max)
        for item in group.results()
        for part in item.message.parts
        if isinstance(part, ToolCallResponsePart)
    }
    outcomes = [
        (part.name, _one_line(text_of(part), ARGUMENTS_CHARS_MAX), results.get(part.id, _NO_RESULT))
        for part in parts
        if isinstance(part, ToolCallPart)
    ]
    said = [part.content for part in parts if isinstance(part, TextPart) and part.content]
    text = "\n".join([*said, tool_results_text(outcomes)])
    return Message(role="assistant", parts=(TextPart(content=text),), content_shape=ContentShape.STRING)


def _outcome(item: Item, text: str, chars_max: int) -> str:
    line = _one_line(text, chars_max) or _EMPTY
    # What no call brings again says where all of it is.
    cut = len(text) > chars_max and item.entry.durability is Durability.NON_REPLAYABLE
    return f"{line} {WHOLE_NOTE.format(artifact_id=item.whole_id)}" if cut else line


def _one_line(text: str, chars_max: int) -> str:
    line = " ".join(text[:chars_max].split())
    return f"{line}..." if len(text) > chars_max else line
