"""What every section of the settings is: frozen, and written by the names of its fields."""

from msgspec import Struct


class SettingSection(Struct, frozen=True, kw_only=True):
    """A section. What it is read from is checked by the types and bounds of its fields, and then by itself."""
