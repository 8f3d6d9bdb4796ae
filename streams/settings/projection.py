"""How long and how much the projection keeps.

The topics keep everything: `tailrace rebuild` brings back what fits again.
"""

from typing import Annotated

from msgspec import Meta

from tailrace.streams.settings.section import SettingSection


class ProjectionSettings(SettingSection, frozen=True, kw_only=True):
    """What leaves `projection.db`, so that it doesn't grow for ever."""

    #: Counted from when a row was written. A conversation that was silent for a quarter of a year is hardly asked about
    #: any more.
    keep_days: Annotated[int, Meta(ge=1, le=36_500)] = 90
    #: Where the file is larger, what was said longest ago leaves. A message takes about 5 kB, so this is two million of
    #: them.
    bytes_max: Annotated[int, Meta(ge=1_000_000)] = 10_000_000_000
