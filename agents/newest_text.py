"""The newest text of a draft: what a reader of the context has before its eyes, and needs no repeating."""

from collections.abc import Iterable

from tailrace.agents.draft import Draft, DraftGroup
from tailrace.agents.keep import plain_text

#: As much is looked through. What stands farther above is better said again than looked for.
CHARS_MAX = 50_000


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
