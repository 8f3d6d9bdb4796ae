"""Who may see a passage, as terms of the index: the scope is part of every question, not a filter on the answers.

Names of tenants and threads are hashed, so that nothing in them can be an operator or look like another name.
"""

from functools import lru_cache
from hashlib import blake2b

from tailrace.schemas.records.event import Sensitivity

#: From what all may see to what hardly anyone may.
_LEVELS = tuple(Sensitivity)
_DIGEST_BYTES = 8


def level(sensitivity: Sensitivity) -> int:
    """Return how sensitive it is: what may be seen has at most the level of the clearance."""
    return _LEVELS.index(sensitivity)


@lru_cache(maxsize=4096)
def scope_terms(tenant: str, thread: str, sensitivity: Sensitivity) -> str:
    """Return the terms that a passage is found under: one for its tenant, one for its thread."""
    return f"{_term((tenant,), level(sensitivity))} {_term((tenant, thread), level(sensitivity))}"


def scope_query(tenant: str, thread: str | None, clearance: Sensitivity) -> str:
    """Return the part of a query that confines it to what may be seen."""
    names = (tenant,) if thread is None else (tenant, thread)
    terms = (_term(names, seen) for seen in range(level(clearance) + 1))
    return f"scope : ({' OR '.join(terms)})"


def _term(names: tuple[str, ...], seen: int) -> str:
    """One term for these names at one level; their lengths are hashed too, so that no two lists are the same text."""
    text = "".join(f"{len(name)}:{name}" for name in names)
    return f"s{blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()}l{seen}"
