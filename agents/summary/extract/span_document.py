"""The index of dropped spans: what a span of messages that left a context was about, as one document that can be found.

Its messages can be found one by one too. The entry is for who asks for the whole: it says which names, tools and
demands stood together, and its keywords lead back to the passages.
"""

from collections.abc import Mapping, Sequence

from tailrace.agents.language.names import PERHAPS
from tailrace.agents.summary.extract.extraction import extract
from tailrace.agents.summary.extract.name_value import worth_of_names
from tailrace.agents.summary.extract.span import Span, span_of
from tailrace.schemas.records.event import DEFAULT_TENANT, Sensitivity
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallPart
from tailrace.schemas.records.recall import RecallDocument, RecallKind

KEYWORDS_MAX = 40
#: So that keywords and summary are one passage, or hardly more.
SUMMARY_CHARS_MAX = 600


def keywords(span: Span, worth: Mapping[str, int]) -> list[str]:
    """Return the names of a span that are most likely to be asked for, the best first."""
    names = {
        name.removeprefix(PERHAPS): value
        for name, value in worth.items()
        if name[0].isalnum() or (name[0] == PERHAPS and span.names.is_proper(name))
    }
    # A file's name says its stem too.
    for file in list(names):
        names.pop(file.rpartition(".")[0], None)
    return sorted(names, key=lambda name: (-names[name], name))[:KEYWORDS_MAX]


def span_document(  # noqa: PLR0913  the fields of the document
    messages: Sequence[Message],
    *,
    thread: str,
    id: str,  # noqa: A002  as the document calls it
    tenant: str = DEFAULT_TENANT,
    turn: int = 0,
    offset: int = 0,
    created_at_ms: int = 0,
    sensitivity: Sensitivity = Sensitivity.INTERNAL,
) -> RecallDocument:
    """Return the entry of a span that was compacted: its keywords, its tools and a short summary.

    `turn`, `offset` and `created_at_ms` are those of its last message, `sensitivity` the highest of all.
    """
    tools = dict.fromkeys(part.name for message in messages for part in message.parts if isinstance(part, ToolCallPart))
    span = span_of(messages)
    worth = worth_of_names(span, "")
    best_names = keywords(span, worth)
    # Last, because it changes the span.
    summary = extract(span, worth, budget_tokens=SUMMARY_CHARS_MAX, count_text=len)
    lines = (
        f"{len(messages)} messages",
        f"Tools: {', '.join(tools)}" if tools else "",
        f"Keywords: {', '.join(best_names)}" if best_names else "",
        summary,
    )
    return RecallDocument(
        tenant=tenant,
        thread=thread,
        id=id,
        kind=RecallKind.SPAN,
        text="\n".join(line for line in lines if line),
        turn=turn,
        offset=offset,
        created_at_ms=created_at_ms,
        sensitivity=sensitivity,
    )
