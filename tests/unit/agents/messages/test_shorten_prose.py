"""Prompts made shorter: what they demand stays, in its order, before what they tell."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.agents.messages.shorten_prose import GAP, gist

TOLD = "The works were built in 1911 by the brothers Hainz, who came from the next valley over the pass."
PROMPT = "\n".join(
    [
        "You keep the water works of the valley.",
        *[TOLD] * 20,
        "Never open the spillway while it rains. The gate is painted red.",
        *[TOLD] * 20,
        "- Always write the gauge reading into the log.",
        *[TOLD] * 5,
    ]
)


def test_what_fits_stays_as_it_is() -> None:
    assert gist(PROMPT, len(PROMPT)) == PROMPT


def test_rules_are_kept_wherever_they_stand() -> None:
    shorter = gist(PROMPT, 300)
    assert shorter.startswith("You keep the water works of the valley.")
    assert "Never open the spillway while it rains." in shorter
    assert "- Always write the gauge reading into the log." in shorter
    assert shorter.index("Never open") < shorter.index("Always write")


def test_of_rules_that_do_not_all_fit_the_short_ones_stay() -> None:
    long = (
        "The gate must be opened by two keepers, of whom "
        f"{'one holds the lamp and the other reads the gauge, ' * 4}always."
    )
    text = "\n".join(["Keep the gates.", long, *[TOLD] * 20, "Never swim in the race.", "Only the warden closes it."])

    shorter = gist(text, 200)

    assert "Never swim in the race." in shorter
    assert "Only the warden closes it." in shorter
    assert "two keepers" not in shorter


def test_no_crumbs_stay_where_there_is_room_for_a_sentence() -> None:
    text = "\n".join(["Keep the gates.", *["Hours:", "1.", "Notes:"] * 20, TOLD])

    assert TOLD in gist(text, 200)


def test_what_is_left_out_is_marked() -> None:
    assert GAP in gist(PROMPT, 300)


def test_what_is_left_of_the_room_goes_to_what_is_told() -> None:
    assert gist(PROMPT, 800).count("brothers Hainz") > gist(PROMPT, 300).count("brothers Hainz")


@pytest.mark.parametrize(
    "rule",
    [
        "Öffne das Tor niemals bei Regen.",
        "No abra nunca la compuerta.",
        "Не открывайте никогда затвор.",  # noqa: RUF001
        "下雨时不要打开闸门。",
    ],
)
def test_rules_in_other_languages_count(rule: str) -> None:
    text = "\n".join(["Prompt.", *[TOLD] * 20, rule, *[TOLD] * 20])
    assert rule in gist(text, 200)


@given(st.text(max_size=3_000), st.integers(0, 600))
@settings(deadline=None)
def test_it_is_never_longer_than_asked_for(text: str, chars: int) -> None:
    shorter = gist(text, chars)
    assert len(shorter) <= max(0, chars)
    assert shorter == gist(text, chars)
