"""A text cut to a number of characters: its beginning, or its beginning and its end.

The cuts are at the ends of lines where there is one nearby.
"""

#: Of a text that is cut, this much of what stays is its beginning.
HEAD_FRACTION = 2 / 3


def beginning(text: str, chars: int) -> str:
    """At most `chars` of the beginning of a text, cut at the end of a line where there is one nearby."""
    if len(text) <= chars:
        return text
    head = text[:chars]
    line_end = head.rfind("\n")
    return head[:line_end] if line_end > chars // 2 else head


def clip(text: str, chars: int) -> tuple[str, str]:
    """Beginning and end of a text, `chars` together, cut at line ends where there is one nearby."""
    if chars <= 0:
        return "", ""
    if len(text) <= chars:
        return text, ""
    head_chars = max(1, int(chars * HEAD_FRACTION))
    tail_chars = max(0, chars - head_chars)
    tail = text[len(text) - tail_chars :] if tail_chars else ""
    line_start = tail.find("\n")
    if 0 <= line_start < tail_chars // 2:
        tail = tail[line_start + 1 :]
    return beginning(text, head_chars), tail
