"""Long runs of one character: rulers, borders, indentation. Most of such a run need not be counted.

The counter takes half a microsecond for a character of a run for which its vocabulary has long tokens: half a second
for a megabyte. Equal tokens are merged, two by two from the left, until no longer token is known. So the middle of a
run is one token over and over, whatever stands around it, and a run that is longer by a whole period has always the
same number of tokens more.
"""

import re
from collections import Counter
from typing import Final

#: Characters of which the vocabularies that we count by have so many long tokens. Runs of others are counted as fast as
#: any text.
CHARACTERS: Final = "-=*#/\t"
#: A multiple of what the middle of a run consists of: tokens of 64 characters, or of 16.
PERIOD_CHARS: Final = 128
#: So much of a run is left, because its ends are told by what is beside it: more than the longest token (112).
LEFT_CHARS_MIN: Final = 192
#: Only runs of so many characters are shortened.
RUN_CHARS_MIN: Final = LEFT_CHARS_MIN + PERIOD_CHARS

_RUNS: Final = {char: re.compile(f"(?<!{re.escape(char)}){re.escape(char)}{{{RUN_CHARS_MIN},}}") for char in CHARACTERS}


def without_long_runs(text: str) -> tuple[str, Counter[str]]:
    """Return the text with its long runs shortened by whole periods, and by how many of each character."""
    periods = Counter[str]()
    for char, runs in _RUNS.items():
        if char * RUN_CHARS_MIN in text:
            chars_before = len(text)
            text = runs.sub(_shortened, text)
            periods[char] = (chars_before - len(text)) // PERIOD_CHARS
    return text, periods


def _shortened(run: re.Match[str]) -> str:
    length = run.end() - run.start()
    return run[0][: LEFT_CHARS_MIN + (length - LEFT_CHARS_MIN) % PERIOD_CHARS]
