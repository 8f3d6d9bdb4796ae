"""A structured summary as a model reads it: fixed sections in a fixed order, one line for each claim.

The same summary gives the same bytes. What a user or the system said stands as a quotation and nothing else, what a
tool said as data: a reader can tell who speaks, and no sentence of the summariser can pass for an order.
"""

from collections.abc import Iterator

from tailrace.schemas.records.summary import StructuredSummary, SummaryClaim

#: A change of what is rendered is a change of what models see.
RENDERING_VERSION = 1

GOAL = "Goal"
CONSTRAINTS = "Constraints & Preferences"
PROGRESS = "Progress"
DECISIONS = "Key Decisions"
NEXT_STEPS = "Next Steps"
CONTEXT = "Critical Context"
NOTES = "Additional Notes"

#: Sections in their order, and the fields whose claims stand in each.
SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (GOAL, ("current_task",)),
    (CONSTRAINTS, ()),
    (PROGRESS, ("tool_outcomes",)),
    (DECISIONS, ("decisions",)),
    (NEXT_STEPS, ("current_plan", "open_items")),
    (CONTEXT, ("facts",)),
    (NOTES, ("artifacts",)),
)
_TITLE = "## "
#: Fields whose quotations of users and system are rules and wishes, whatever the model took them for.
_MAY_BIND = ("facts", "decisions", "open_items", "artifacts", "tool_outcomes", "current_plan")


def render(summary: StructuredSummary) -> str:
    """Text of the summary; empty if it says nothing."""
    sections = ((title, list(_lines(summary, title, fields))) for title, fields in SECTIONS)
    return "\n".join(f"{_TITLE}{title}\n" + "\n".join(lines) for title, lines in sections if lines)


def without_told(text: str, stated_elsewhere: frozenset[str]) -> str:
    """Return a rendered summary without the quotations of users and system that are stated elsewhere."""
    kept: list[str] = []
    title = ""
    for line in text.split("\n"):
        if line.startswith(_TITLE):
            title = line
        elif not (title == f"{_TITLE}{CONSTRAINTS}" and line.removeprefix('- "').removesuffix('"') in stated_elsewhere):
            kept += [title, line] if title and title not in kept else [line]
    return "\n".join(kept)


def claims_of(summary: StructuredSummary, field: str) -> tuple[SummaryClaim, ...]:
    """Claims of one field; the one that may be missing is a list of none or one."""
    value = getattr(summary, field)
    if isinstance(value, SummaryClaim):
        return (value,)
    return value or ()


def is_verbatim(claim: SummaryClaim) -> bool:
    """Tell whether a claim is a quotation and nothing else."""
    return bool(claim.quote) and claim.text == claim.quote


def _lines(summary: StructuredSummary, title: str, fields: tuple[str, ...]) -> Iterator[str]:
    if title == CONSTRAINTS:
        quoted = (claim for field in _MAY_BIND for claim in claims_of(summary, field) if is_verbatim(claim))
        yield from dict.fromkeys(f'- "{_line(claim.quote)}"' for claim in quoted)
        return
    for field in fields:
        for claim in claims_of(summary, field):
            if field == "current_task" or not is_verbatim(claim):
                yield _bullet(claim)


def _bullet(claim: SummaryClaim) -> str:
    if is_verbatim(claim):
        return f'- "{_line(claim.quote)}"'
    data = f' (quoted as data: "{_line(claim.quote)}")' if claim.quote else ""
    return f"- {_line(claim.text)}{data}"


def _line(text: str) -> str:
    """The text on one line: a line of its own could pass for a section or a message."""
    return " ".join(text.split())
