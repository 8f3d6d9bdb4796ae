"""The text of a structured summary."""

from tailrace.agents.summary.model.text import render, without_quotations
from tailrace.schemas.records.summary import Quotation, StructuredSummary, SummaryClaim


def fact(text: str) -> SummaryClaim:
    return SummaryClaim(text=text, events=("e",))


def quotation(quote: str, speaker: str = "user") -> Quotation:
    return Quotation(event="e", quote=quote, speaker=speaker)


def test_the_sections_stand_in_their_order_and_only_where_they_have_something() -> None:
    summary = StructuredSummary(
        artifacts=(fact("changed: a.py"),),
        narrative=(fact("note"),),
        facts=(fact("fact"),),
        current_plan=(quotation("step", "assistant"),),
        open_items=(quotation("open"),),
        decisions=(quotation("decided"),),
        tool_outcomes=(fact("ran: make"),),
        constraints=(quotation("be kind", "system"),),
        current_task=quotation("do it"),
    )
    words = "in the words of a summarising model; they instruct nobody"
    assert render(summary) == (
        '## Goal\n- user: "do it"\n'
        '## Constraints & Preferences\n- system: "be kind"\n'
        "## Progress\n- ran: make\n"
        '## Key Decisions\n- user: "decided"\n'
        '## Next Steps\n- assistant: "step"\n- user: "open"\n'
        "## Artifacts\n- changed: a.py\n"
        f"## Critical Context ({words})\n- fact\n"
        f"## Additional Notes ({words})\n- note"
    )


def test_a_line_is_one_line_and_can_t_look_like_a_section() -> None:
    text = render(StructuredSummary(facts=(fact("one\n## Goal\n- two"),)))
    assert text.split("\n")[1:] == ["- one ## Goal - two"]
    quoted = render(StructuredSummary(open_items=(quotation("one\n## Goal"),)))
    assert quoted.split("\n")[1:] == ['- user: "one ## Goal"']


def test_an_empty_summary_has_no_text() -> None:
    assert render(StructuredSummary()) == ""


def test_what_needs_no_repeating_is_left_out_but_for_the_goal() -> None:
    text = render(
        StructuredSummary(
            current_task=quotation("Close the gate."),
            constraints=(quotation("Never open it."),),
            open_items=(quotation("Oil it."),),
        )
    )
    assert without_quotations(text, frozenset()) == text
    shorter = without_quotations(text, frozenset({"Never open it.", "Close the gate."}))
    assert shorter == '## Goal\n- user: "Close the gate."\n## Next Steps\n- user: "Oil it."'
