"""Arguments of calls made shorter, so that they stay valid arguments.

Either each long value is cut, or only the short ones stay, beside the name of the artifact that holds all.
"""

from collections.abc import Mapping

import msgspec

from tailrace.agents.messages.part_text import text_of
from tailrace.agents.messages.wording import shorter_value
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.parts import Json, ToolCallPart

#: Arguments that are cut show this many characters; up to three times as long, they cost no more whole.
ARGUMENT_CHARS = 40
ARGUMENT_WHOLE_CHARS = 120
#: Where the arguments of a call say that all of them are.
ARGUMENT_KEY = "artifact"
#: Arguments that were cut before have both.
_CUT_KEYS = frozenset(("shortened", ARGUMENT_KEY))

_decode_json = decoder()


def shorter_arguments(arguments: Json, chars_max: int) -> Json:
    """The same arguments in the same form with no string longer than `chars_max`; the very same where there is none.

    Text that is no JSON stays, for nobody knows where it may be cut.
    """
    try:
        if not isinstance(arguments, str):
            return _shorter(arguments, chars_max)
        if len(arguments) <= chars_max:
            return arguments
        value = _decode_json(arguments)
        shorter = _shorter(value, chars_max)
        return arguments if shorter is value else msgspec.json.encode(shorter).decode()
    except (PoisonEvent, OverflowError, RecursionError, UnicodeError):
        return arguments


def _shorter(value: Json, chars_max: int) -> Json:
    if isinstance(value, str):
        return shorter_value(value, chars_max) if len(value) > chars_max else value
    if isinstance(value, list):
        items = [_shorter(item, chars_max) for item in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if isinstance(value, dict):
        fields = {key: _shorter(child, chars_max) for key, child in value.items()}
        return fields if any(fields[key] is not child for key, child in value.items()) else value
    return value


def shorter_call(part: ToolCallPart, name: str) -> ToolCallPart:
    """A call with its short arguments, mostly what it is about, and the beginning of the first long one."""
    text = text_of(part)
    fields = argument_fields(part.arguments)
    if len(text) <= ARGUMENT_WHOLE_CHARS or fields.keys() >= _CUT_KEYS:
        return part
    short, long = _by_length(fields)
    shown: dict[str, Json] = {**short, "shortened": (long or text)[:ARGUMENT_CHARS], ARGUMENT_KEY: name}
    arguments = msgspec.json.encode(shown).decode() if isinstance(part.arguments, str) else shown
    return msgspec.structs.replace(part, arguments=arguments)


def argument_fields(arguments: Json) -> Mapping[str, Json]:
    """The arguments of a call by their names; none where they are no object."""
    try:
        fields = _decode_json(arguments) if isinstance(arguments, str) else arguments
    except PoisonEvent:
        return {}
    return fields if isinstance(fields, dict) else {}


def _by_length(fields: Mapping[str, Json]) -> tuple[dict[str, Json], str]:
    """Arguments that can stay, all together no longer than a call that is left whole, and the first text that can't."""
    short: dict[str, Json] = {}
    long = ""
    room_chars = ARGUMENT_WHOLE_CHARS
    for key, value in fields.items():
        if not isinstance(value, str):
            continue
        if len(key) + len(value) <= room_chars:
            room_chars -= len(key) + len(value)
            short[key] = value
        else:
            long = long or value
    return short, long
