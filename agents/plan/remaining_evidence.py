"""What was done, found and said in what has left a context, and which of it the context tells anyway."""

from dataclasses import dataclass, replace

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.keep import plain_text
from tailrace.agents.plan.draft.newest_text import newest_text
from tailrace.agents.summary.extract.bullets import Section, holds_bullets, read
from tailrace.schemas.records.ledger import Evidence, EvidenceKind, UnclassifiedStatement

_QUOTED_CHARS = 40


@dataclass(frozen=True, slots=True)
class RemainingEvidence:
    """What was done and found in what has left."""

    evidence: tuple[Evidence, ...] = ()
    statements: tuple[UnclassifiedStatement, ...] = ()
    #: Those that the context tells beside the ledger. That a file was read tells nothing of its having been changed.
    in_context: frozenset[Evidence | UnclassifiedStatement] = frozenset()

    def in_draft(self, draft: Draft) -> "RemainingEvidence":
        """Return the same, with what of it a draft tells as it would be carried out now."""
        everything = newest_text(draft)
        # That a file was changed only a summary tells; others may just name it.
        summaries = [plain_text(group.items[0]) for group in draft.summaries()]
        changes = "\n".join(map(_changes_in, summaries))
        texts = ((item, changes if item.kind is EvidenceKind.CHANGED else everything) for item in self.evidence)
        noted = (item for item, text in texts if _tells(text, item))
        squeezed = " ".join(everything.split()) if self.statements else ""
        quoted = (statement for statement in self.statements if statement.text in squeezed)
        return replace(self, in_context=frozenset((*noted, *quoted)))


def _tells(text: str, evidence: Evidence) -> bool:
    quote = evidence.text
    match evidence.kind:
        case EvidenceKind.READ:
            quote = quote.replace("\\", "/").rpartition("/")[2] or quote
        case EvidenceKind.CHANGED if " " not in quote:
            pass  # many folders have an index: a file is known by all of its path
        case EvidenceKind.DECISION | EvidenceKind.RAN:
            # A question without its answer, or the beginning of many commands, tells nothing.
            quote = quote.removesuffix(" …")
        case _:
            quote = quote[:_QUOTED_CHARS]
    return quote in text


def _changes_in(summary: str) -> str:
    """What a summary tells of changes; all of it where a model has written it in its own way."""
    if not holds_bullets(summary):
        return summary
    bullets = [bullet for bullet in read(summary) if bullet.section is Section.CHANGES]
    # What was changed by no path and no command is told behind the name of the tool.
    return "\n".join(
        bullet.label if " " in bullet.label else " ".join((bullet.label, *bullet.pieces[:1])) for bullet in bullets
    )
