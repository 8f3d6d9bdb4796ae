"""Blocks between a tag and the next end of that tag, as programs write them around what they put into messages.

A pattern of a tag, any text and the same tag looks through the rest of the text from every tag that nothing closes: a
megabyte of those takes minutes. Here each end is looked for once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TaggedBlocks:
    """Blocks of some tags: from `<tag>` to the first `</tag>` behind it."""

    #: A pattern of what stands in the tags.
    tags: str
    #: Whether `<TAG>` is such a tag, too.
    ignores_case: bool = False
    _tag: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        flags = re.IGNORECASE if self.ignores_case else re.NOFLAG
        object.__setattr__(self, "_tag", re.compile(rf"<(?P<ends>/?)(?P<name>{self.tags})>", flags))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where each block begins and ends; none lies in another."""
        # Most texts have no block, and looking for one is slow.
        if "</" not in text:
            return
        every = self._tag.finditer(text)
        tags = [(self._name(tag["name"]), bool(tag["ends"]), tag.start(), tag.end()) for tag in every]
        ends: dict[str, list[tuple[int, int]]] = {}
        for name, is_end, begin, end in reversed(tags):
            if is_end:
                ends.setdefault(name, []).append((begin, end))
        done = 0
        for name, is_end, begin, behind in tags:
            closing = ends.get(name, [])
            if is_end or begin < done:
                continue
            while closing and closing[-1][0] < behind:
                closing.pop()
            if closing:
                done = closing[-1][1]
                yield begin, done

    def blocks_in(self, text: str) -> list[str]:
        """Return the blocks of a text."""
        return [text[begin:end] for begin, end in self.spans(text)]

    def removed_from(self, text: str, instead: str = "") -> str:
        """Return a text without its blocks, with something in the place of each."""
        pieces, place = [], 0
        for begin, end in self.spans(text):
            pieces += [text[place:begin], instead]
            place = end
        return "".join([*pieces, text[place:]])

    def _name(self, written: str) -> str:
        return written.lower() if self.ignores_case else written
