"""Tool results that say the same again, as when a file is read twice: the newest stays whole, older ones say so."""

from collections.abc import Iterator

import msgspec

from tailrace.agents.draft import Draft
from tailrace.agents.proposal import Proposal
from tailrace.agents.shorten import with_results
from tailrace.agents.wording import repeated_text
from tailrace.schemas.compaction import Action
from tailrace.schemas.parts import Json, ToolCallResponsePart
from tailrace.schemas.policy_steps import CollapseRepeats

_encode_json = msgspec.json.Encoder(order="deterministic").encode

NOTE_CHARS = len(repeated_text("0" * 16))


def analyze(step: CollapseRepeats, draft: Draft) -> Iterator[Proposal]:
    """Propose a note for each result whose content comes again later, whichever tool it is from."""
    later: set[str | bytes] = set()
    found: list[Proposal] = []
    for group in reversed(draft.groups):
        for item in reversed(group.items):
            if not item.entry.answers or item.tokens < step.tokens_min or item.action is not Action.INCLUDE:
                continue
            repeated: list[str] = []
            for part in reversed(item.said.parts):
                if isinstance(part, ToolCallResponsePart) and len(content := _content(part.response)) > NOTE_CHARS:
                    if content in later:
                        repeated.append(part.id)
                    later.add(content)
            if repeated and group.kept is None:
                name = item.whole_id
                shorter = with_results(item.original, dict.fromkeys(repeated, repeated_text(name)))
                found.append(Proposal(Action.CLEAR, item.ids, "the same content comes again later", shorter, name))
    yield from reversed(found)


def _content(response: Json) -> str | bytes:
    return response if isinstance(response, str) else _encode_json(response)
