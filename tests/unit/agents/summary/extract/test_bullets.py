"""The text of a summary, written and read back."""

from hypothesis import given
from hypothesis import strategies as st

from tailrace.agents.summary.extract.bullets import Bullet, Section, holds_bullets, read, without_quotes, write

WRITTEN = """\
What the user asked for and demands:
- Never open two gates. … Only at night.
What was changed:
- [Edit gates/weir.py, 3 times] level = 9
What was said and found:
- … [note] the gate sticks"""
BULLETS = [
    Bullet(Section.USER, "", ["Never open two gates.", "Only at night."]),
    Bullet(Section.CHANGES, "Edit gates/weir.py", ["level = 9"], 3),
    Bullet(Section.FINDINGS, "", ["[note] the gate sticks"]),
]


def test_sections_have_headings_and_sources_have_labels() -> None:
    assert write(BULLETS) == WRITTEN


def test_what_was_written_is_read_back_wherever_it_stands() -> None:
    assert list(read(f"[Context Summary - Turns 1-9]\n{WRITTEN}\n\n- not ours")) == BULLETS


def test_an_empty_label_of_an_older_summary_is_read_as_none() -> None:
    assert list(read(WRITTEN.replace("- … [note]", "- [] [note]"))) == BULLETS


def test_marks_of_a_list_are_not_repeated_where_somebody_is_quoted() -> None:
    some = [
        Bullet(Section.USER, "", ["- phone Ilse", "* then Jan"]),
        Bullet(Section.CHANGES, "Edit a.py", ["- removed"]),
    ]

    assert write(some) == (
        "What the user asked for and demands:\n- phone Ilse … * then Jan\nWhat was changed:\n- [Edit a.py] - removed"
    )


def test_a_gap_behind_a_label_is_part_of_the_text() -> None:
    some = [Bullet(Section.ERRORS, "Edit a.py", ["… [note"], 2, worked=True)]

    assert write(some) == "Errors:\n- [Edit a.py, 2 times, worked later] … [note"
    assert list(read(write(some))) == some


def test_only_our_own_text_is_taken_for_a_summary() -> None:
    assert holds_bullets(f"before\n{WRITTEN}")
    assert not holds_bullets("What was changed: the gate\n- and more")


words = st.text("ab [],…:19", min_size=1, max_size=20).map(lambda text: " ".join(text.split())).filter(bool)
bullets = st.builds(
    Bullet,
    st.sampled_from(Section),
    st.one_of(st.just(""), words.map(lambda text: text.replace("]", ")"))),
    st.lists(words, min_size=1, max_size=3),
    st.integers(1, 3),
    st.booleans(),
)


@given(st.lists(bullets, max_size=5))
def test_reading_and_writing_again_changes_nothing(some: list[Bullet]) -> None:
    text = write(sorted(some, key=lambda bullet: bullet.section))

    assert write(read(text)) == text


def test_what_is_told_elsewhere_is_taken_out_with_its_heading_where_nothing_else_is_quoted() -> None:
    text = "[Context Summary - Turns 1-9]\n" + write(
        [
            Bullet(Section.RULES, "", ["Never ring the bell."]),
            Bullet(Section.USER, "", ["Never open gate 7.", "Paint the sill."]),
            Bullet(Section.FINDINGS, "", ["Never open gate 7."]),
        ]
    )

    assert without_quotes(text, lambda piece: "" if piece.startswith("Never") else piece) == (
        "[Context Summary - Turns 1-9]\nWhat the user asked for and demands:\n- Paint the sill.\n"
        "What was said and found:\n- Never open gate 7."
    )


def test_a_summary_of_which_nothing_would_be_left_stays_as_it_is() -> None:
    text = write([Bullet(Section.RULES, "", ["Never ring the bell."])])

    assert without_quotes(text, lambda _: "") == text
