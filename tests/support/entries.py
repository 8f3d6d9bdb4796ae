"""Entries of a context for tests that look at a field or two of them."""

from typing import Any

import msgspec

from tailrace.schemas.records.context import Entry


def entry(**fields: Any) -> Entry:
    """Return the first message of a thread, as it came, with these fields in the place of its own."""
    own = {
        "version": 1,
        "thread": "t",
        "tenant": "default",
        "id": "m",
        "epoch": 0,
        "rank": 0,
        "turn": 1,
        "tokens": 10,
        "offset": 0,
        "role": "user",
        "message": msgspec.Raw(b"{}"),
    }
    return Entry(**{**own, **fields})
