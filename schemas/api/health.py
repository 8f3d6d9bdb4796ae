"""What the API says of itself."""

from typing import Literal

from msgspec import Struct


class Health(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether something is as it should be, and why not."""

    status: Literal["ok", "unavailable"]
    reason: str | None = None
