"""What every section of the settings is: frozen, and closed to keys that mean nothing."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """One section of the settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")
