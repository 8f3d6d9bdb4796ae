"""What a text that was cut still says is known, and nothing is taken for said that would be read as something else."""

import pytest

from tailrace.agents.ledger.remaining_statements import is_said, still_said

#: What is left of a prompt, and a statement that it says though its heading was cut away.
SAID = {
    "bakery": (
        "You bake.\n…\n- Never open the oven before the bell.\n…",
        "Morning batch: Never open the oven before the bell.",
    ),
    "clinic": (
        "…\nEvery dose must be read aloud. … Gloves are blue.",
        "Handing out medicine: Every dose must be read aloud.",
    ),
    "harbour": ("…\n2. Always log the draught at the buoy.\n[cut]", "Pilot boats: Always log the draught at the buoy."),
    "two headings": ("Hello.\n  * Only the warden may sign.", "Permits: Late arrivals: Only the warden may sign."),
    "a colon of its own": ("- Seal: never reuse one.", "Jars: Seal: never reuse one."),
    "theatre": (
        "…\nThe curtain must stay down until the chime.",
        "Second act: The curtain must stay down until the chime.",
    ),
    "German": ("…\nDer Ofen darf niemals leer laufen. …", "Brennerei: Der Ofen darf niemals leer laufen."),
    "no spaces": (
        "…\n- 雨の日は絶対に水門を開けないでください。",
        "水門\uff1a雨の日は絶対に水門を開けないでください。",
    ),
}
#: What is left of a prompt, and a statement that would be read as something else there.
NOT_SAID = {
    "forbidden": ("- You should open the vents at noon.", "Never do the following: You should open the vents at noon."),
    "a condition": ("- Always close the upper lock.", "When the river is above 4 m: Always close the upper lock."),
    "whom it binds": ("- Never feed the swans here.", "For visitors: Never feed the swans here."),
    "no longer in force": ("- Always ring before entry.", "Last year's rules: Always ring before entry."),
    "thrown out": ("- You must repaint the hull.", "Rejected ideas: You must repaint the hull."),
    "only a fact": ("- The port is 9090 there.", "Staging: The port is 9090 there."),
    "part of another": ("- Whoever is new must never open the press door.", "Press: never open the press door"),
    "goes on": ("- Always lock the shed unless Ines is there.", "Garden: Always lock the shed"),
    "too short": ("- never, ever.", "Sugar: never."),
    "another heading": ("Cellar: Always keep the lamp lit.", "Attic: Always keep the lamp lit."),
    "an exception": ("- You must not wait for the tug.", "Exceptions: You must not wait for the tug."),
    "not there": ("- Never wash the copper pans.", "Kitchen: Never wash the iron pans."),
}  # fmt: skip


@pytest.mark.parametrize("sample", SAID)
def test_a_rule_is_said_without_the_heading_that_only_names_what_it_is_about(sample: str) -> None:
    text, statement = SAID[sample]
    assert still_said([statement, "Never ring the bell."], text) == {statement}


@pytest.mark.parametrize("sample", NOT_SAID)
def test_a_rule_is_not_said_where_it_would_be_read_as_something_else(sample: str) -> None:
    text, statement = NOT_SAID[sample]
    assert still_said([statement], text) == frozenset()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Night shift: Always keep the gate open.", "Day shift: Never keep the gate open."),
        ("Staging: Releases need no approval.", "Production: Releases need approval, always."),
        ("Nave: At most 40 visitors must stand here.", "Crypt: At most 12 visitors must stand here."),
    ],
)
def test_rules_that_only_their_headings_tell_apart_are_not_said_without_them(one: str, other: str) -> None:
    bare = "\n".join(f"- {text.partition(': ')[2]}" for text in (one, other))

    assert still_said([one, other], bare) == frozenset()
    assert still_said([one, other], f"## {one}\n## {other}") == {one, other}


def test_an_item_is_said_where_its_headings_stand_above_it() -> None:
    statement = "When it rains: never do the following: open the vents"

    assert is_said(statement, f"First of all. {statement}.")
    assert is_said(
        statement, "## When it rains … - close the shutters … - never do the following: - mow … - open the vents"
    )
    assert not is_said(statement, "never do the following: - open the vents")
    assert not is_said(statement, "- open the vents … When it rains - never do the following: - mow")
    assert not is_said("open the vents", "close the vents")
