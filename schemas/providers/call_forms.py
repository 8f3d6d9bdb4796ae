"""What each API takes as the id of a call and as the name of a tool.

Ids and names travel from one provider to another: what one of them made up, another may refuse. An id or name that fits
is never changed. Any other is replaced by one that is always the same for the same id, so that pairs stay pairs.
"""

import hashlib
import re

from msgspec import Struct

_DIGEST_CHARACTERS = 8


class CallForm(Struct, frozen=True, kw_only=True):
    """Which ids and names an API takes: their characters, as a regular expression, and how many of them."""

    id_pattern: str
    id_characters_max: int
    name_pattern: str
    name_characters_max: int


#: One character of an id or a name: what is safe in a word, and any at all.
WORD_CHARACTER = r"[a-zA-Z0-9_-]"
ANY_CHARACTER = r"[\s\S]"


def old_call_id(function_name: str) -> str:
    """Return the id of a call that came without one, made from the function's name.

    So calls and answers find each other.
    """
    return f"function_call_{function_name}"


def is_fitting_id(call_id: str, form: CallForm) -> bool:
    """Return whether the API takes that id."""
    return _fits(call_id, form.id_pattern, form.id_characters_max)


def is_fitting_name(name: str, form: CallForm) -> bool:
    """Return whether the API takes that name."""
    return _fits(name, form.name_pattern, form.name_characters_max)


def fitting_id(call_id: str, form: CallForm) -> str:
    """Return the id, or one that the API takes in its place."""
    if is_fitting_id(call_id, form):
        return call_id
    digest = hashlib.sha256(call_id.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARACTERS]
    return f"{_cut(call_id, form.id_pattern, form.id_characters_max - _DIGEST_CHARACTERS - 1)}_{digest}"


def fitting_name(name: str, form: CallForm) -> str:
    """Return the name, or one that the API takes in its place."""
    if is_fitting_name(name, form):
        return name
    return _cut(name, form.name_pattern, form.name_characters_max) or "tool"


def numbered_id(call_id: str, number: int, form: CallForm) -> str:
    """Return another id for the same call, for where the id itself is taken."""
    suffix = f"_{number}"
    return call_id[: form.id_characters_max - len(suffix)] + suffix


def _fits(text: str, pattern: str, characters_max: int) -> bool:
    return re.fullmatch(f"{pattern}{{1,{characters_max}}}", text) is not None


def _cut(text: str, pattern: str, characters_max: int) -> str:
    return "".join(letter if re.fullmatch(pattern, letter) else "_" for letter in text[:characters_max])
