"""What was done, found and said in what has left a context, and which of it the context tells anyway."""

from dataclasses import dataclass

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.keep import plain_text
from tailrace.agents.plan.draft.newest_text import newest_text
from tailrace.agents.summary.extract.bullets import Section, holds_bullets, read
from tailrace.schemas.records.ledger import Evidence, EvidenceKind, Said

_QUOTED_CHARS = 40


@dataclass(frozen=True, slots=True)
class RemainingEvidence:
    """What was done and found in what has left."""

    evidence: tuple[Evidence, ...] = ()
    said: tuple[Said, ...] = ()
    #: Those that the context tells beside the ledger. That a file was read tells nothing of its having been changed.
    told: frozenset[Evidence | Said] = frozenset()

    @classmethod
    def of(cls, draft: Draft, evidence: tuple[Evidence, ...], said: tuple[Said, ...] = ()) -> "RemainingEvidence":
        """Compare what was found and said with what a draft says as it would be carried out now."""
        everything = newest_text(draft)
        # That a file was changed only a summary tells; others may just name it.
        summaries = [plain_text(group.items[0]) for group in draft.summaries()]
        changes = "\n".join(map(_changes_in, summaries))
        told = (one for one in evidence if _tells(changes if one.kind is EvidenceKind.CHANGED else everything, one))
        squeezed = " ".join(everything.split()) if said else ""
        return cls(evidence, said, frozenset((*told, *(one for one in said if one.text in squeezed))))


def _tells(text: str, evidence: Evidence) -> bool:
    said = evidence.text
    match evidence.kind:
        case EvidenceKind.READ:
            said = said.replace("\\", "/").rpartition("/")[2] or said
        case EvidenceKind.CHANGED if " " not in said:
            pass  # many folders have an index: a file is known by all of its path
        case EvidenceKind.DECISION | EvidenceKind.RAN:
            said = said.removesuffix(
                " …"
            )  # a question without its answer, or the beginning of many commands, tells nothing
        case _:
            said = said[:_QUOTED_CHARS]
    return said in text


def _changes_in(summary: str) -> str:
    """What a summary tells of changes; all of it where a model has written it in its own way."""
    if not holds_bullets(summary):
        return summary
    bullets = [bullet for bullet in read(summary) if bullet.section is Section.CHANGES]
    # What was changed by no path and no command is told behind the name of the tool.
    return "\n".join(one.label if " " in one.label else " ".join((one.label, *one.pieces[:1])) for one in bullets)
