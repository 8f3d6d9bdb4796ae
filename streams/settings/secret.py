"""Settings that nobody is shown: passwords, keys, tokens."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class SecretText:
    """A text that no print, log or error shows."""

    _text: str

    def get_secret_value(self) -> str:
        """Return the text."""
        return self._text

    def __repr__(self) -> str:
        """Show nothing of it, not even how long it is."""
        return "SecretText('***')"
