"""As much of a long text as readers of words look at: its beginning and its end."""

from typing import Final

_LINE_END: Final = "\n"
#: As much is read at each end. What is longer is pasted or generated; it stays in the log, and every reader of words
#: has so much to do with it and no more.
READ_CHARS: Final = 64_000


def ends_of(text: str) -> str:
    """All of a text, or its beginning and end where it is long, in whole lines where these are short."""
    if len(text) <= 2 * READ_CHARS:
        return text
    head, tail = text[:READ_CHARS], text[-READ_CHARS:]
    whole_head = head[: head.rfind(_LINE_END, READ_CHARS // 2) + 1] or head
    return f"{whole_head}\n{tail[tail.find(_LINE_END, 0, READ_CHARS // 2) + 1 :]}"
