"""No pattern of ours has a repeat that can be matched in two ways.

So no text of a stranger makes one go back again and again.
"""

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tailrace.agents.ledger.endings import ending_in

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
ambiguity = importlib.import_module("ops.bench.repeat_ambiguity")
ambiguous_repeats, TooManyWordsError = ambiguity.ambiguous_repeats, ambiguity.TooManyWordsError
patterns = importlib.import_module("ops.bench.repeated_units").patterns
sys.path.pop(0)

#: Begin of a pattern, and why its repeats may be ambiguous. `last`: nothing that can fail comes behind the repeat, so
#: the engine never goes back into it. `bound`: where the length of the text is bounded. `around`: a look behind or
#: ahead allows only one way.
EXEMPT = {
    r"(?:[ \t]*(?:(?:import|from|package": "last: `pieces.opened_lines` matches it at one place",
    r"\d+(?:[.,:]\d+)*|\w[\w'@-]*": "last: a token of a word, an underscore belongs to either of its halves",
    r"https?://\S+|[^\W\d][\w'": "last: the same in `subjects`",
    r"[^\n.!?\u3002": "around: a point ends a piece where nothing but a look ahead refuses it",
    r"(?:(?:actually|correction|on second": "last: `corrections.correction_chars` matches it at one place",
    r"\s*(?:(?:cd\s+": "bound: `command_text` matches it at `_STEPS_MAX` places, a name and its value are apart by `=`",
}
#: Too large to be written out; their repeats are of numbers between words.
UNWRITTEN = (r"\b(?:steps?|items?|tasks?",)


@pytest.mark.parametrize(
    "pattern", [r"(?:a+)+b", r"(?:no|ok|no)*x", r"(?:(?:ok|ok gut|gut) )*x", r"(?:\w+[ ]?)+;", r"(?:ab|a|b)*c"]
)
def test_a_repeat_that_matches_in_two_ways_is_found(pattern: str) -> None:
    assert ambiguous_repeats(re.compile(pattern))


@pytest.mark.parametrize(
    "pattern", [r"(?:a|b)*c", r"(?: \w+)*x", r"(?:a+)++b", r"(?:no |ok )*x", r"\s*x\s*", r"(?:aa?){2}b"]
)
def test_a_repeat_that_matches_in_one_way_is_not(pattern: str) -> None:
    assert ambiguous_repeats(re.compile(pattern)) == []


def test_every_pattern_of_the_project_repeats_in_one_way_only() -> None:
    judged = [named for named in patterns() if not _begins(named, (*EXEMPT, *UNWRITTEN))]

    ambiguous = {(one.module, one.pattern.pattern): left for one in judged if (left := ambiguous_repeats(one.pattern))}

    assert len(judged) > 400
    assert ambiguous == {}


def test_an_exemption_that_nothing_needs_is_taken_out() -> None:
    for begin in EXEMPT:
        matching = [one.pattern for one in patterns() if _begins(one, (begin,))]
        assert any(ambiguous_repeats(pattern) for pattern in matching), begin
    for begin in UNWRITTEN:
        large = next(one.pattern for one in patterns() if _begins(one, (begin,)))
        with pytest.raises(TooManyWordsError):
            ambiguous_repeats(large)


def test_a_text_of_nothing_but_denials_is_read_to_its_end() -> None:
    # With two ways to read each word this takes longer than anybody waits.
    assert ending_in("no " * 33_000) is None
    assert ending_in("no no no stop").rest == ""  # type: ignore[union-attr]


def _begins(named: Any, begins: tuple[str, ...]) -> bool:
    pattern = named.pattern.pattern
    return isinstance(pattern, str) and pattern.startswith(begins)
