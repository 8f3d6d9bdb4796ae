"""What a person types around a paste: it stands at the ends of a long text."""

#: As much of each end.
TYPED_CHARS = 1_000
#: Where it is cut, the best first.
_ENDS = ("\n", ". ", "\u3002", " ")


def ends_of(text: str) -> str:
    """Beginning and end of a text in whole lines, or else whole sentences: two halves side by side would say what nobody said."""
    head, tail, half = text[:TYPED_CHARS], text[-TYPED_CHARS:], TYPED_CHARS // 2
    end = next((at + len(mark) for mark in _ENDS if (at := head.rfind(mark)) > half), len(head))
    begin = next((at + len(mark) for mark in _ENDS if 0 <= (at := tail.find(mark)) < half), 0)
    return f"{head[:end]}\n\n{tail[begin:]}"
