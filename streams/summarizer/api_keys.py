"""Keys of providers: from a variable or a file, read once at start, shown nowhere."""

import os

from tailrace.schemas.errors import ConfigError
from tailrace.streams.settings.secret import SecretText
from tailrace.streams.settings.summarizer import SummarizerModel

_VARIABLES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
#: Servers of one's own ask for none, but the SDKs do.
_NONE = "none"


def api_key_of(model: SummarizerModel) -> SecretText:
    """The key of a model. Raises ConfigError where the provider needs one and there is none."""
    if model.api_key_file is not None:
        try:
            key = model.api_key_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = f"a file that can be read ({type(error).__name__})"
            raise ConfigError("summarizer.models.api_key_file", str(model.api_key_file), reason) from error
        if not key:
            raise ConfigError("summarizer.models.api_key_file", str(model.api_key_file), "a file that holds the key")
        return SecretText(key)
    variable = model.api_key_variable or _VARIABLES[model.provider]
    key = os.environ.get(variable, "").strip()
    if not key and (model.base_url is None or model.api_key_variable is not None):
        raise ConfigError(
            "summarizer.models.api_key_variable", variable, "the name of a variable that holds the key, or api_key_file"
        )
    return SecretText(key or _NONE)
