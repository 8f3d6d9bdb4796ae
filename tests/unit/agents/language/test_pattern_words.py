"""A text that holds a pattern holds one of its signs, so looking for these first changes nothing but the time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.agents.language.pattern_words import Sign, signs_of, words_in
from tailrace.agents.ledger.release_forms import FORMS


def _holds(text: str, sign: Sign) -> bool:
    return sign.text in words_in(text) if sign.whole else sign.text in text


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bforget (?:about )?it\b", {"forget"}),
        (r"(?<!\w)(?:can|may) be(?!\w)", {"can", "may"}),
        (r"\b(?:stops?|ends?)\b", {"stop", "stops", "end", "ends"}),
        (r"\b(?:you are|they're) okay\b", {"okay"}),
        (r"^licen[cs]e\b", {"licence", "license"}),
        (r"\b(?:old|new) \w+ holds$", {"holds"}),
        (r"\bjust(?= now)(?!\w)", {"just"}),
        (r"well (?:now )?then\b", {"then"}),
        (r"never ?mind forget-me-not", {"forget"}),
    ],
)
def test_one_whole_word_of_each_wording_is_a_sign(pattern: str, words: set[str]) -> None:
    assert {(sign.whole, sign.text) for sign in signs_of(re.compile(pattern))} == {(True, word) for word in words}


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        (r"forget", {"forget"}),
        (r"\b\w+abilir\b", {"abilir"}),
        (r"\bstop[^ ]*\b", {"stop"}),
        (r"\b(?:very)* much\B", {"much"}),
        (r"\b(?:ab)+c\b", {"c"}),
    ],
)
def test_what_may_be_a_part_of_a_word_is_no_whole_one(pattern: str, parts: set[str]) -> None:
    assert {(sign.whole, sign.text) for sign in signs_of(re.compile(pattern))} == {(False, part) for part in parts}


@pytest.mark.parametrize("pattern", [r"\w+", r"\b(?:word)?\b", r"\b(?:word|\d+)\b", r"(?!word)", r"(?i)word"])
def test_where_nothing_has_to_be_there_every_text_may_match(pattern: str) -> None:
    assert Sign() in signs_of(re.compile(pattern))


@given(st.text() | st.text(st.characters(max_codepoint=127)))
def test_words_are_cut_where_patterns_cut_them(text: str) -> None:
    assert words_in(text) == re.findall(r"\w+", text)


@pytest.mark.parametrize("place", range(len(FORMS)))
def test_whatever_has_a_form_of_release_holds_its_sign(place: int) -> None:
    form = FORMS[place]

    @given(st.from_regex(form.pattern))
    def holds(text: str) -> None:
        assert any(_holds(text, sign) for sign in form.signs)

    holds()


def test_most_signs_of_release_are_whole_words() -> None:
    assert sum(sign.whole for form in FORMS for sign in form.signs) > 0.9 * sum(len(form.signs) for form in FORMS)
