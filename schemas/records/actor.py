"""Who sent a record, where that is known: a name that a door has recognised, as headers of the record.

The log is written by whoever the broker lets write to it. What the headers say is as true as that: a door writes them
for callers whom it has recognised, and takes none that it is given.
"""

from msgspec import Struct

from tailrace.schemas.records.dead_letter import Headers

ACTOR_HEADER = "ce_actor"
#: The tenant that the actor acted for, whatever the record says.
TENANT_HEADER = "ce_actortenant"
#: Id of the dead letter that was sent again.
LETTER_HEADER = "ce_deadletter"
_HEADERS = frozenset({ACTOR_HEADER, TENANT_HEADER, LETTER_HEADER})


class Actor(Struct, frozen=True, kw_only=True):
    """Somebody who was recognised, acting for a tenant."""

    name: str
    tenant: str
    #: The dead letter whose original this is, where it was sent again.
    letter: str | None = None


def signed(headers: Headers, actor: Actor | None) -> Headers:
    """Headers that say who sends the record now, and nobody else."""
    others = tuple((name, value) for name, value in headers if name.lower() not in _HEADERS)
    if actor is None:
        return others
    named = {ACTOR_HEADER: actor.name, TENANT_HEADER: actor.tenant, LETTER_HEADER: actor.letter}
    return (*others, *((name, value.encode()) for name, value in named.items() if value is not None))


def actor_of(headers: Headers) -> Actor | None:
    """Who sent a record; None where its headers don't say."""
    texts = {name: (value or b"").decode(errors="replace") for name, value in headers if name in _HEADERS}
    if not texts.get(ACTOR_HEADER) or TENANT_HEADER not in texts:
        return None
    return Actor(name=texts[ACTOR_HEADER], tenant=texts[TENANT_HEADER], letter=texts.get(LETTER_HEADER))
