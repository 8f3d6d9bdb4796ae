"""Which of the constraints that a model quotes may be added to the ledger, because its reader has not found them.

What the reader finds anyway needs nobody to point it out, and what asks states nothing.
"""

from collections.abc import Iterable
from typing import Final

from tailrace.agents.ledger.statements import kind_of
from tailrace.schemas.records.summary import Quotation

#: Of one answer. A model that names more than this is guessing.
CANDIDATES_MAX: Final = 8
#: Of one thread, as long as the messages that state them are live.
HELD_MAX: Final = 40
_ASKS: Final = ("?", "\uff1f", "\u061f")


def states(quotation: Quotation) -> bool:
    """Tell whether a sentence of somebody who may bind can state something at all."""
    return not quotation.quote.endswith(_ASKS)


def candidates(constraints: Iterable[Quotation], most: int) -> tuple[Quotation, ...]:
    """Return the constraints that the ledger's reader doesn't find by itself, so many at most."""
    return tuple(constraint for constraint in constraints if kind_of(constraint.quote) is None)[:most]
