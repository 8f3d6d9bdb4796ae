"""A text that holds a pattern holds one of its needles, so looking for these first changes nothing but the time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.agents.language.needles import needles_of
from tailrace.agents.ledger.release_forms import FORMS


@pytest.mark.parametrize(
    ("pattern", "needles"),
    [
        (r"forget (?:about )?it", ("forget ",)),
        (r"(?<!\w)(?:can|may) be(?!\w)", (" be",)),
        (r"stops?|ends?", ("end", "stop")),
        (r"(?:old|new) \w+ holds", (" holds",)),
        (r"(?:very )*much", ("much",)),
        (r"(?:ab|cd)+e?", ("ab", "cd")),
    ],
)
def test_the_most_telling_part_is_chosen(pattern: str, needles: tuple[str, ...]) -> None:
    assert needles_of(re.compile(pattern)) == needles


@pytest.mark.parametrize(
    "pattern", [r"\w+", r"a?", r"(?:word)?", r"(?:word|\d+)", r"(?!word)", r"(?i)word", r"(?i:word)"]
)
def test_where_nothing_has_to_be_there_every_text_may_match(pattern: str) -> None:
    assert needles_of(re.compile(pattern)) == ("",)


def test_a_needle_that_holds_another_is_not_looked_for() -> None:
    assert needles_of(re.compile("forget|forget about|forgetful")) == ("forget",)


@pytest.mark.parametrize("place", range(len(FORMS)))
def test_whatever_has_a_form_of_release_holds_its_needle(place: int) -> None:
    form = FORMS[place]

    @given(st.from_regex(form.pattern))
    def holds(text: str) -> None:
        assert any(needle in text for needle in form.needles)

    holds()


def test_most_forms_of_release_have_needles() -> None:
    assert sum(form.needles != ("",) for form in FORMS) > 0.9 * len(FORMS)
