"""No pattern of ours takes far longer than its text is longer, whatever repeats in it."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from tailrace.agents.identity.fingerprint import fingerprint
from tailrace.agents.summary.extract.own_text import own_text
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.schemas.transcripts.program_words import written_by_program

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
pattern_growth = importlib.import_module("ops.bench.pattern_growth")
repeated_units = importlib.import_module("ops.bench.repeated_units")
sys.path.pop(0)
growth, worst, Named = pattern_growth.growth, pattern_growth.worst, repeated_units.Named

#: Rooms whose patterns are given sentences and lines of bounded length; `ops.bench --only texts` measures what a whole
#: text costs there.
BOUNDED_ROOMS = ("tailrace.agents.ledger.", "tailrace.agents.language.")

#: Begin of a pattern, and why it may grow.
EXEMPT = {"eyJ[A-Za-z0-9_=-]{5,1021}": "bound: `secrets.scan` gives it the last 1,024 characters before a mark"}


@pytest.mark.parametrize("pattern", [r"a+b", r"<b>.*?</b>", r"\s+$", r"\w+@\w", r"key=\S*;", r"(?:x y)*z"])
def test_a_pattern_that_looks_to_the_end_from_every_place_is_found(pattern: str) -> None:
    assert growth(Named("tailrace", re.compile(pattern)))


@pytest.mark.parametrize("pattern", [r"a+", r"<b>[^<]{0,20}</b>", r"\bpassword\b", r"(?<!\w)\w++@", r"key=\S{0,40};"])
def test_a_pattern_that_does_not_is_not(pattern: str) -> None:
    assert growth(Named("tailrace", re.compile(pattern))) is None


def test_no_pattern_of_the_project_takes_far_longer_than_its_text_is_longer() -> None:
    judged = [named for named in repeated_units.patterns() if not named.module.startswith(BOUNDED_ROOMS)]

    grown = {str(one.pattern.pattern): found for one in judged if (found := growth(one)) is not None}

    assert len(judged) > 150
    assert {pattern: found for pattern, found in grown.items() if not pattern.startswith(tuple(EXEMPT))} == {}
    # What is looked at grows as its text does from 1,024 characters on.
    assert all(any(str(one.pattern.pattern).startswith(begin) for one in judged) for begin in EXEMPT)


def test_neither_do_functions_in_the_place_of_patterns() -> None:
    tags = ("<system-reminder>", "</system-reminder>", "<system-reminder></", "<system-reminder></environment_context>")

    def message(text: str) -> Message:
        return Message(role="user", parts=(TextPart(content=text + "</"),))

    assert worst(lambda text: fingerprint(message(text)), tags) is None
    assert worst(lambda text: written_by_program(message(text)), tags) is None
    assert worst(lambda text: own_text(text + "</"), ("<a_context>", "<a_context></", "</b_context>")) is None
