"""Bytes that somebody else wrote, shown without harm: as text where they are text."""

import base64
from typing import Any

from tailrace.streams.cli.output import printable


def as_text(value: bytes | None, characters_max: int | None) -> str:
    """Return the bytes as text that a terminal can show, else as hexadecimal; cut after `characters_max`."""
    if value is None:
        return "null"
    try:
        text = printable(value.decode())
    except UnicodeDecodeError:
        text = f"0x{value.hex()}"
    if characters_max is None or len(text) <= characters_max:
        return text
    return f"{text[:characters_max]}… ({len(text)} characters)"


def as_json_value(value: bytes | None) -> dict[str, Any] | None:
    """Return `{"text": …}`, or `{"base64": …}` for bytes that are no UTF-8; None for null."""
    if value is None:
        return None
    try:
        return {"text": value.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}
