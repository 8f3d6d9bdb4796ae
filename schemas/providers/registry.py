"""Every provider, by its format. A new one is its folder, the name of its format in `Format`, and a line here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tailrace.schemas.providers.anthropic.provider import PROVIDER as ANTHROPIC
from tailrace.schemas.providers.gemini.provider import PROVIDER as GEMINI
from tailrace.schemas.providers.openai_chat.provider import PROVIDER as OPENAI_CHAT
from tailrace.schemas.providers.openai_responses.provider import PROVIDER as OPENAI_RESPONSES
from tailrace.schemas.providers.plain import PROVIDER as PLAIN
from tailrace.schemas.providers.provider import Provider
from tailrace.schemas.records.message import Format

#: In the order in which a bare message is held against them: the last is what shows nothing.
_IN_ORDER: Final = (GEMINI, PLAIN, OPENAI_RESPONSES, ANTHROPIC, OPENAI_CHAT)
PROVIDERS: Final[Mapping[Format, Provider]] = MappingProxyType({provider.format: provider for provider in _IN_ORDER})
