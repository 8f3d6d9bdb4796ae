"""Tool results that say the same again, as when a file is read twice: the newest stays whole, older ones say so.

Where their producer marked both (an etag, a version, a hash of what was only shown in part), the marks must agree as
well: what looks alike is not the same once it was changed.
"""

from collections.abc import Iterator

import msgspec

from tailrace.agents.artifacts.shorten import with_results
from tailrace.agents.messages.wording import repeated_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import Item
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import CollapseRepeats
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.envelope import Determinism
from tailrace.schemas.records.parts import Json, ToolCallResponsePart

_INCLUDE = Action.INCLUDE

_encode_json = msgspec.json.Encoder(order="deterministic").encode

NOTE_CHARS = len(repeated_text("0" * 16))


def analyze(step: CollapseRepeats, draft: Draft) -> Iterator[Proposal]:
    """Propose a note for each result whose content comes again later, whichever tool it is from."""
    later: dict[str | bytes, list[Determinism]] = {}
    proposals: list[Proposal] = []
    for group, item in reversed(draft.results()):
        if item.tokens < step.tokens_min or item.action is not _INCLUDE:
            continue
        repeated: list[str] = []
        for part, marks in reversed(_marked(item)):
            if len(content := _content(part.response)) > NOTE_CHARS:
                earlier = later.get(content)
                if earlier is None:
                    later[content] = [marks]
                elif any(_same(marks, other) for other in earlier):
                    repeated.append(part.id)
                else:
                    earlier.append(marks)
        if repeated and group.kept is None:
            name = item.whole_id
            # Where nothing of it is left, there is nothing to mask.
            shown = item.original if len(repeated) < len(item.unmasked.parts) else item.unmasked
            shorter = with_results(shown, dict.fromkeys(repeated, repeated_text(name)))
            proposals.append(Proposal(Action.CLEAR, item.ids, "the same content comes again later", shorter, name))
    yield from reversed(proposals)


def _marked(item: Item) -> list[tuple[ToolCallResponsePart, Determinism]]:
    """The results of a message, each with what its producer told of it."""
    results = [part for part in item.unmasked.parts if type(part) is ToolCallResponsePart]
    if not item.entry.determinism:
        return [(part, _UNMARKED) for part in results]
    return list(zip(results, item.entry.determinism, strict=False))


_UNMARKED = Determinism()
#: That two contents are equal was seen; it is as good as a hash that both have.
_SEEN = "seen"


def _same(marks: Determinism, other: Determinism) -> bool:
    """Tell whether two results that say the same are of the same content."""
    if marks.content_hash is None or other.content_hash is None:
        marks, other = (msgspec.structs.replace(each, content_hash=_SEEN) for each in (marks, other))
    return marks.same_as(other)


def _content(response: Json) -> str | bytes:
    return response if isinstance(response, str) else _encode_json(response)
