"""The text of a structured summary."""

from tailrace.agents.summary.model.text import SECTIONS, render, without_told
from tailrace.schemas.records.summary import StructuredSummary, SummaryClaim


def claim(text: str, quote: str = "") -> SummaryClaim:
    return SummaryClaim(text=text, events=("e",), quote=quote)


def test_the_sections_stand_in_their_order_and_only_where_they_have_something() -> None:
    summary = StructuredSummary(
        artifacts=(claim("a.py"),),
        facts=(claim("fact"), claim("be kind", "be kind")),
        current_plan=(claim("step"),),
        open_items=(claim("open"),),
        decisions=(claim("decided"),),
        tool_outcomes=(claim("ran"),),
        current_task=claim("do it", "do it"),
    )
    assert render(summary) == (
        '## Goal\n- "do it"\n'
        '## Constraints & Preferences\n- "be kind"\n'
        "## Progress\n- ran\n"
        "## Key Decisions\n- decided\n"
        "## Next Steps\n- step\n- open\n"
        "## Critical Context\n- fact\n"
        "## Additional Notes\n- a.py"
    )
    assert [title for title, _ in SECTIONS] == [
        "Goal",
        "Constraints & Preferences",
        "Progress",
        "Key Decisions",
        "Next Steps",
        "Critical Context",
        "Additional Notes",
    ]


def test_a_claim_is_one_line_and_can_t_look_like_a_section() -> None:
    text = render(StructuredSummary(facts=(claim("one\n## Goal\n- two"),)))
    assert text == "## Critical Context\n- one ## Goal - two"


def test_an_empty_summary_has_no_text() -> None:
    assert render(StructuredSummary()) == ""


def test_what_needs_no_repeating_is_left_out_of_the_constraints_alone() -> None:
    text = render(
        StructuredSummary(
            current_task=claim("Close the gate.", "Close the gate."),
            facts=(claim("Never open it.", "Never open it."), claim("The gate is shut.")),
        )
    )
    assert without_told(text, frozenset()) == text
    shorter = without_told(text, frozenset({"Never open it.", "Close the gate.", "The gate is shut."}))
    assert shorter == '## Goal\n- "Close the gate."\n## Critical Context\n- The gate is shut.'
