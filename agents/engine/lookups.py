"""What a record can't be decided without, and what was found of it.

Agents say what they need, and the shell looks it up.
"""

from dataclasses import dataclass

from tailrace.agents.distill.fleet_cache import SharedFound, SharedWanted
from tailrace.agents.engine.claim_check import ClaimedText
from tailrace.agents.engine.rehydration import BroughtBack, WantedArtifact
from tailrace.schemas.records.event import Claim


@dataclass(frozen=True, slots=True)
class Needs:
    """What a record can't be decided without: contents of the artifact store, which only the shell can read."""

    tenant: str
    #: Where the content of the message is, if it was too large for the record.
    claim: Claim | None = None
    #: What the message asks to have brought back.
    wanted: tuple[WantedArtifact, ...] = ()
    #: What others may have distilled of it.
    shared: tuple[SharedWanted, ...] = ()

    @property
    def of_this_batch(self) -> bool:
        """Whether what an earlier record has to be stored may be what is needed.

        What others distilled, this worker remembers.
        """
        return self.claim is not None or bool(self.wanted)


@dataclass(frozen=True, slots=True)
class Contents:
    """What was found of what a record needs."""

    #: The content of the message; None where the record had it.
    claimed: ClaimedText | None = None
    brought_back: tuple[BroughtBack, ...] = ()
    shared: tuple[SharedFound, ...] = ()


NOTHING = Contents()
