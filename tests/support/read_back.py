"""What a provider's form of a message must be after it was read: the same, byte for byte."""

import json
from typing import Any

from tailrace.schemas.providers.conversion import carry
from tailrace.schemas.providers.provider import Provider
from tailrace.schemas.records.message import Message


def read_back(provider: Provider, data: dict[str, Any]) -> Message:
    """Read a message, or an item, and check that it is written as it came."""
    message = provider.read_message(data)
    assert message.format is provider.format
    written = provider.write_messages([message], carry)
    assert json.dumps(written, sort_keys=True) == json.dumps([data], sort_keys=True)
    return message
