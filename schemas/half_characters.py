"""Half a character: what is left where a program cuts a text in the middle of one.

A character that takes two units in UTF-16, as emoji do, can be cut so.

JSON can write it, as the escape of a lone surrogate; UTF-8 can't, so nothing could be done with it. It becomes U+FFFD,
the sign for a character that got lost, and the rest of the text is what it was. Nobody pays for it but a text that has
one.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent

REPLACEMENT: Final = "\ufffd"

#: Every escape, so that a backslash which is escaped itself begins none; only a half is a group.
_ESCAPE: Final = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
_decode_json: Final = decoder()


def decode_json(text: str | bytes, decode: Callable[[str | bytes], Any] = _decode_json) -> Any:
    """Return the value that the JSON text is, half characters replaced. Raises as a decoder does."""
    try:
        return decode(text)
    except PoisonEvent:
        written = text.encode("utf-8", "replace") if isinstance(text, str) else text
        mended = _ESCAPE.sub(_replaced, written)
        if mended == written:
            raise
    return decode(mended)


def whole_characters(value: Any) -> Any:
    """Return a value of JSON's kinds with half characters replaced in all of its strings.

    Two halves side by side are one.
    """
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, Mapping):
        return {whole_characters(key): whole_characters(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [whole_characters(child) for child in value]
    return value


def _replaced(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if escape[1] else escape[0]
