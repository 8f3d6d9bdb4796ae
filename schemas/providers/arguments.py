"""The arguments of a call as the object that some APIs want, however the call came."""

from typing import Any

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.providers.as_text import json_text
from tailrace.schemas.records.parts import Json

_decode_json = decoder()


def input_of(arguments: Json) -> dict[str, Any]:
    """Return a call's arguments as the object that they must be; text that is none goes under `_raw`."""
    if isinstance(arguments, dict):
        return arguments
    if arguments is None or arguments == "":
        return {}
    if not isinstance(arguments, str):
        return {"_raw": json_text(arguments)}
    try:
        value = _decode_json(arguments)
    except PoisonEvent:
        return {"_raw": arguments}
    return value if isinstance(value, dict) else {"_raw": arguments}
