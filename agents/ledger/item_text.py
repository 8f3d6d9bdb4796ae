"""Items of a ledger in the words that a model reads."""

from datetime import UTC, datetime

from tailrace.agents.ledger.headed_lines import BULLET
from tailrace.schemas.ledger import Directive, Obligation, ObligationKind, Said

#: In the order in which it is shown.
_OPEN_WORDS = {
    ObligationKind.TASK: "asked: {}",
    ObligationKind.ADDED: "then: {}",
    ObligationKind.CONFIRMATION: "waits for the user's answer: {}",
    ObligationKind.PLAN: "planned: {}",
    ObligationKind.SUBAGENT: "still running: {}",
    ObligationKind.BACKGROUND: "still running: {}",
    ObligationKind.SCHEDULED: "scheduled: {}",
    ObligationKind.NEXT_STEP: "promised: {}",
    ObligationKind.OPEN_CALL: "waits for a result: {}",
}
OPEN_ORDER = {kind: place for place, kind in enumerate(_OPEN_WORDS)}
_SAID = "said: "
#: No calendar of ours goes further.
_YEAR_10000_MS = 253_402_300_800_000


def directive_text(directive: Directive) -> str:
    """A directive as a model reads it."""
    return f"{directive.text} (about: {directive.amends})" if directive.amends else directive.text


def said_text(said: Said) -> str:
    """What else was said as a model reads it: marked, because nobody knows whether it still counts."""
    return f"{_SAID}{said.text}"


def without_said(text: str) -> str:
    """The text of a ledger without what else was said: that claims no room in the next one."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(f"{BULLET}{_SAID}"))


def obligation_text(obligation: Obligation) -> str:
    """An obligation as a model reads it, with the time at which it began: how long ago that was would be other words every minute."""
    text = _OPEN_WORDS[obligation.kind].format(obligation.text)
    if not 0 < obligation.since_ms < _YEAR_10000_MS:
        return text
    return f"{text} (since {datetime.fromtimestamp(obligation.since_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC)"
