"""Blocks in tags are those that a pattern finds, in time that grows as the text does."""

import re
from random import Random

import pytest

from tailrace.schemas.tagged_blocks import TaggedBlocks

_PIECES = ("<note>", "</note>", "<aside>", "</aside>", "<NOTE>", "</Note>", "< note>", "</", "words", "\n")


@pytest.mark.parametrize("ignores_case", [True, False])
def test_blocks_are_those_of_the_pattern(ignores_case: bool) -> None:  # noqa: FBT001  # a parameter of a test
    flags = re.DOTALL | (re.IGNORECASE if ignores_case else re.NOFLAG)
    pattern = re.compile(r"<(note|aside)>.*?</\1>", flags)
    blocks = TaggedBlocks("note|aside", ignores_case=ignores_case)
    chance = Random(7)
    seen = 0
    for _ in range(4_000):
        text = "".join(chance.choices(_PIECES, k=chance.randrange(12)))
        expected = [match.group() for match in pattern.finditer(text)]

        assert blocks.blocks_in(text) == expected
        assert blocks.removed_from(text, "-") == pattern.sub("-", text)
        seen += len(expected)
    assert seen > 500
