"""The text that a user wrote: without tagged documents, notes of programs, and text between code fences."""

from tailrace.agents.language.cues import holds_any
from tailrace.agents.language.pieces import sentences
from tailrace.agents.ledger.foreign_text import QUOTES, own_lines, without_documents
from tailrace.schemas.tagged_blocks import TaggedBlocks

_FENCE = "```"
_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")
#: What harnesses of coding agents put into messages of their users.
_CONTEXTS = TaggedBlocks(r"(?:[a-z]+[_-])+context")


def own_text(text: str) -> str:
    """The text in the user's own words; the very same object where all of it is."""
    own = without_documents(_CONTEXTS.removed_from(text, "\n")) if "</" in text else text
    # Every second piece stands between fences; where the last is not closed, it is a fence all the same.
    own = "\n".join(own.split(_FENCE)[::2]) if own.count(_FENCE) > 1 else own
    return text if own == text else own


def own_sentences(text: str) -> list[str]:
    """Return the sentences that the user of a text says, without those of a mail or a quotation that they pass on."""
    own = own_text(text).rstrip()
    whole = sentences(own)
    if "\n" not in own and not holds_any(own, QUOTES):
        return whole
    complete = frozenset(whole)
    # What is left before a quotation is no sentence: who wrote it, to whom.
    parts = sentences("\n".join(own_lines(own, typed=True)))
    return [
        sentence for sentence in parts if sentence in complete or sentence.endswith(_ENDS) or own.endswith(sentence)
    ]
