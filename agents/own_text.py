"""What of a message its user wrote: without documents in tags, what a program put there, and what stands between fences."""

import re

from tailrace.agents.ledger.pasted import without_documents

_FENCE = "```"
#: What harnesses of coding agents put into messages of their users.
_CONTEXT = re.compile(r"<((?:[a-z]+[_-])+context)>.*?</\1>", re.DOTALL)


def own_text(text: str) -> str:
    """The text in the user's own words; the very same object where all of it is."""
    own = without_documents(_CONTEXT.sub("\n", text)) if "</" in text else text
    # Every second piece stands between fences; where the last is not closed, it is a fence all the same.
    own = "\n".join(own.split(_FENCE)[::2]) if own.count(_FENCE) > 1 else own
    return text if own == text else own
