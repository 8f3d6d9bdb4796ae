"""The newest text of a draft: what a reader of the context has before its eyes, and needs no repeating."""

from collections.abc import Iterable

from tailrace.agents.messages.groups import GroupKind, kind_of
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup
from tailrace.agents.plan.draft.keep import KeepReason, plain_text
from tailrace.agents.summary.extract.own_text import own_text
from tailrace.schemas.records.parts import TextPart

#: As much is looked through. What stands farther above is better said again than looked for.
CHARS_MAX = 50_000
#: How much is read at both ends of what is asked for: a question is short.
ASKED_CHARS = 120
_LATEST_USER = KeepReason.LATEST_USER


def asked_text(draft: Draft) -> str:
    """What the latest message of a user asks for, in the user's own words; as much of it as tells what it is about."""
    for group in reversed(draft.groups):
        if group.kept is _LATEST_USER:
            asking = (item.unmasked for item in group.items if kind_of(item.entry) is GroupKind.USER)
            texts = [part.content for message in asking for part in message.parts if isinstance(part, TextPart)]
            return _ends_of(own_text("\n".join(texts)).strip())
    return ""


def _ends_of(text: str) -> str:
    """Beginning and end of what somebody wrote: there stands what they ask for."""
    return text if len(text) <= 2 * ASKED_CHARS else f"{text[:ASKED_CHARS]}\n{text[-ASKED_CHARS:]}"


def newest_text(draft: Draft, *, but: Iterable[DraftGroup] = ()) -> str:
    """What the draft says as it would be carried out now, from the newest group back, `but` for these."""
    gone = {id(group) for group in but}
    texts: list[str] = []
    chars = 0
    for group in reversed(draft.groups):
        if chars > CHARS_MAX:
            break
        if id(group) in gone:
            continue
        for item in group.items:
            texts.append(plain_text(item))
            chars += len(texts[-1])
    return "\n".join(texts)
