"""What names are worth to a summary: how likely an agent is to need each of them again.

Counted on conversations of real agents: of the names that an agent used itself in three messages, one in six came back
within its next twenty; of those that only a tool had shown, one in two hundred. Lately used names come back more often.
"""

from collections import Counter
from itertools import chain, groupby

from tailrace.agents.language.cues import CONCLUSION, DECISION, DEMAND, WISH
from tailrace.agents.language.names import PERHAPS, is_address, is_number
from tailrace.agents.summary.extract.quotations import Piece, Speaker
from tailrace.agents.summary.extract.span import Span

#: By the number of messages in which the agent used the name; more than that adds nothing.
USED_WORTH = (0, 500, 1_000, 1_400, 1_600)
USER_WORTH = 600
SHOWN_WORTH = 60
SHOWN_AGAIN_WORTH = 100
#: A name that was last met in the first message is worth this part of one in the last message.
OLDEST_FACTOR = 0.3
NUMBER_FACTOR = 0.5
#: A number that the agent used so often is one that it works with, and comes back as often as any name.
NUMBER_USES_MIN = 2
PROPER_FACTOR = 0.5
#: A name that stays in the context anyway.
KNOWN_FACTOR = 0.05

_BY_USER = (Speaker.USER, Speaker.REQUEST)
_SHOWN = (Speaker.SYSTEM, Speaker.TOOL, Speaker.LATE)


class _Uses:
    """Who used a name in how many messages, and when last."""

    def __init__(self, span: Span) -> None:
        used: list[set[str]] = []
        shown: list[set[str]] = []
        self.last_used: dict[str, int] = {}
        self.last_shown: dict[str, int] = {}
        self.last_said: dict[str, int] = {}
        for (message, kind), pieces in groupby(span.pieces, key=_message_and_kind):
            names = set(chain.from_iterable([piece.names for piece in pieces]))
            last = dict.fromkeys(names, message)
            if kind == _SHOWN:
                shown.append(names)
                self.last_shown.update(last)
            elif kind == _BY_USER:
                self.last_said.update(last)
            else:
                used.append(names)
                self.last_used.update(last)
        # All at once: a counter takes long to begin.
        self.used, self.shown = Counter(chain.from_iterable(used)), Counter(chain.from_iterable(shown))

    def last(self) -> dict[str, int]:
        """Message in which each name was met last; one that the agent used is as old as its last use."""
        return {**self.last_shown, **self.last_said, **self.last_used}


_KINDS = tuple(next((kind for kind in (_BY_USER, _SHOWN) if speaker in kind), ()) for speaker in Speaker)


def _message_and_kind(piece: Piece) -> tuple[int, tuple[Speaker, ...]]:
    return piece.message, _KINDS[piece.speaker]


def worth_of_names(span: Span, staying_text: str) -> dict[str, int]:
    """Return the worth of every name in the span. Whole numbers: sums of fractions would depend on their order."""
    uses = _Uses(span)
    # Each word once: names are in single words, and a long text says most of its words often.
    staying = span.names.among(" ".join(frozenset(staying_text.split())))
    recency = [OLDEST_FACTOR + (1 - OLDEST_FACTOR) * ((n + 1) / span.messages) ** 2 for n in range(span.messages)]
    worth = {}
    times_used = uses.used.get  # a counter takes ten times as long to say that it knows nothing of a name
    for name, last in uses.last().items():
        used = times_used(name, 0)
        value: float = USED_WORTH[min(used, len(USED_WORTH) - 1)]
        value += USER_WORTH if name in uses.last_said else 0
        if name[0] == PERHAPS:
            value *= PROPER_FACTOR if span.names.is_proper(name) else 0
        else:
            if name in uses.last_shown and not is_address(name):
                value += SHOWN_AGAIN_WORTH if uses.shown[name] > 1 else SHOWN_WORTH
            if used < NUMBER_USES_MIN and is_number(name):
                value *= NUMBER_FACTOR
        if name in staying:
            value *= KNOWN_FACTOR
        worth[name] = round(value * recency[last])
    worth.update(dict.fromkeys((DEMAND, WISH, DECISION, CONCLUSION), 0))
    return worth
