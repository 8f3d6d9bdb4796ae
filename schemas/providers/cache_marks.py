"""Marks for the prompt cache.

Anthropic has them on content blocks, gateways to its models on items of OpenAI's chat.

The API refuses a request with more than four. Conversations collect them: runtimes mark the end of every request, and
what was marked once is given in again. The newest are of use, for they reach over all that stands before them.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tailrace.schemas.fields import rest

#: The field that is the mark; null is none.
MARK: Final = "cache_control"
#: How many the API takes in one request, tools and system prompt included.
MARKS_MAX: Final = 4

Item = dict[str, Any]


def newest_marked(items: Sequence[Item], marks: int) -> list[Item]:
    """Return messages or blocks with their newest `marks` marks and no others.

    What needs no change is what was given.
    """
    surplus = sum(1 for _ in marked_in(items)) - marks
    return _without_oldest(items, surplus)[0] if surplus > 0 else list(items)


def marked_in(items: Sequence[Any], path: str = "") -> Iterator[str]:
    """Return the paths of all that is marked in messages or blocks and in their content, in the API's order."""
    for place, item in enumerate(items):
        if not isinstance(item, dict):
            continue
        content = item.get("content")
        if isinstance(content, list):
            yield from marked_in(content, f"{path}[{place}].content")
        if item.get(MARK) is not None:
            yield f"{path}[{place}]"


def _without_oldest(items: Sequence[Item], surplus: int) -> tuple[list[Item], int]:
    thinned: list[Item] = []
    for original in items:
        item = original
        if surplus and isinstance(item, dict):
            content = item.get("content")
            if isinstance(content, list):
                inner, left = _without_oldest(content, surplus)
                item, surplus = (item if left == surplus else {**item, "content": inner}), left
            if surplus and item.get(MARK) is not None:
                item, surplus = rest(item, (MARK,)), surplus - 1
        thinned.append(item)
    return thinned, surplus
