"""Roles of callers: each may do what the one before it may, and more."""

from enum import StrEnum
from typing import Final


class AccessRole(StrEnum):
    """What a caller may do."""

    #: Look at contexts, history, cost and artifacts.
    READER = "reader"
    #: Also say something: publish, send signals, ask for a compaction.
    WRITER = "writer"
    #: Also look after it: replay dead letters, delete artifacts.
    OPERATOR = "operator"
    #: Everything there is.
    ADMIN = "admin"

    def may(self, needed: "AccessRole") -> bool:
        """Tell whether whoever has this role may do what needs the other."""
        return _ORDER[self] >= _ORDER[needed]


_ORDER: Final = {role: place for place, role in enumerate(AccessRole)}
