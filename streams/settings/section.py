"""What every section of the settings is: frozen, and closed to keys that mean nothing."""

from pydantic import BaseModel, ConfigDict


class SettingSection(BaseModel):
    """A section: it doesn't change, and a key that it doesn't know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
