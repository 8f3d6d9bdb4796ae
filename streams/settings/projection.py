"""How long and how much the projection keeps.

The topics keep everything: `tailrace rebuild` brings back what fits again.
"""

from pydantic import Field

from tailrace.streams.settings.section import SettingSection


class ProjectionSettings(SettingSection):
    """What leaves `projection.db`, so that it doesn't grow for ever."""

    #: Counted from when a row was written. A conversation that was silent for a quarter of a year is hardly asked about
    #: any more.
    keep_days: int = Field(default=90, ge=1, le=36_500)
    #: Where the file is larger, what was said longest ago leaves. A message takes about 5 kB, so this is two million of
    #: them.
    bytes_max: int = Field(default=10_000_000_000, ge=1_000_000)
