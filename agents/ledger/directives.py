"""The directives of a thread while messages are noted: what was stated, what it replaced, what was taken back.

Only people and the system prompt can state one. What a tool returned is never looked at here, and neither is what the assistant says.
"""

from dataclasses import dataclass, field

from msgspec import structs

from tailrace.agents.ledger.statements import is_revocation, statements
from tailrace.agents.ledger.supersede import amended, replaced_by, revoked_by
from tailrace.schemas.ledger import Directive

#: A thread with more rules than this has a prompt, not a conversation; the oldest statements go first.
DIRECTIVES_MAX = 200
ROLES = frozenset(("user", "system", "developer"))


@dataclass(slots=True)
class Directives:
    """Directives in the order in which they were stated."""

    items: list[Directive] = field(default_factory=list)
    #: Texts of those that no longer hold.
    retired: set[str] = field(default_factory=set)

    def note(self, text: str, *, source: str, turn: int, created_at_ms: int) -> None:
        """Take in what a person or the system prompt says."""
        for kind, said in statements(text):
            if is_revocation(said) and self._retire(revoked_by(said, source, self.items)):
                self.retired.add(said)
                continue
            self.add(Directive(kind=kind, text=said, source=source, turn=turn, created_at_ms=created_at_ms))

    def add(self, directive: Directive) -> None:
        """Take in a directive, in the place of the one that it changes."""
        old = replaced_by(directive.text, directive.source, self.items)
        if old is not None and old.text != directive.text and not directive.amends:
            directive = structs.replace(directive, amends=amended(directive.text, old))
        self._retire(old)
        self.retired.discard(directive.text)
        self.items.append(directive)
        if len(self.items) > DIRECTIVES_MAX:
            del self.items[0]

    def _retire(self, old: Directive | None) -> bool:
        if old is None:
            return False
        self.items.remove(old)
        self.retired.add(old.text)
        return True
