"""A trigger that fired: which one, because of what, with the values of that moment."""

from dataclasses import dataclass

from tailrace.schemas.records.compaction import Trigger


@dataclass(frozen=True, slots=True)
class Firing:
    """Why a thread is compacted now."""

    trigger: Trigger
    #: Name of the mark, the rule, the timer or the command.
    rule: str
    #: What held, with the values that it was about.
    condition: str
    #: The context does not fit: nothing holds this back but a call that is under way.
    must: bool = False
    #: Compact however little there is to gain: it is no matter of the marks.
    forced: bool = False
