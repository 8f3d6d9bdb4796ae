"""The names that one model goes by: with a provider in front, a region, a date or a tag behind.

Catalogues and token encodings know a model by its plain name; events carry what the producer's library sent.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

#: Longer than any name in the catalogues; what comes in may be anything.
NAME_CHARS_MAX = 200

#: Amazon Bedrock puts a region and the maker in front, and its own version behind.
_BEDROCK_FRONT = re.compile(r"^(?:(?:us|us-gov|eu|apac|ap|au|ca|jp|global)\.)?[a-z0-9]+\.(?=[a-z])")
_BEDROCK_BACK = re.compile(r"-v\d+(?::\d+)*k?$")
_FINE_TUNED = re.compile(r"^ft:([^:]+)")
_DATE_OR_TAG = re.compile(r"[-@](?:20\d{6}|20\d\d-\d\d-\d\d|\d\d-20\d\d|\d\d-\d\d|\d{4}|default|latest|preview)$")


class ModelName(NamedTuple):
    """One way to look a model up: with the provider that was named, or without."""

    name: str
    provider: str | None = None


def spellings(model: str) -> tuple[ModelName, ...]:
    """Return the names to look a model up by, the most specific first; none for what can't be a name."""
    name = model.strip().lower()
    if not name or len(name) > NAME_CHARS_MAX:
        return ()
    return tuple(dict.fromkeys(_spellings(name)))


def _spellings(whole_name: str) -> Iterator[ModelName]:
    bare = []
    for name, provider in _without_prefixes(whole_name):
        for plain in _plainer(name):
            if provider is not None:
                yield ModelName(plain, provider)
            bare.append(ModelName(plain))
    yield from bare


def _without_prefixes(whole_name: str) -> Iterator[ModelName]:
    """Yield the name itself and what stands behind each separator, as in `openrouter/anthropic/claude`."""
    yield ModelName(whole_name)
    fine_tuned = _FINE_TUNED.match(whole_name)
    if fine_tuned:
        yield ModelName(fine_tuned[1])
        return
    rest = whole_name
    while "/" in rest:
        provider, _, rest = rest.partition("/")
        yield ModelName(rest, provider)
    front, colon, behind = rest.partition(":")
    if not colon:
        return
    # Behind the colon is the model (anthropic:claude-…), or a size or version (llama3.3:70b).
    if not behind[:1].isdigit():
        yield ModelName(behind, front)
    yield ModelName(front)


def _plainer(name: str) -> Iterator[str]:
    """Yield the name, then without what one provider or one release adds to it."""
    yield name
    name = _BEDROCK_BACK.sub("", _BEDROCK_FRONT.sub("", name))
    yield name
    while _DATE_OR_TAG.search(name):
        name = _DATE_OR_TAG.sub("", name)
        yield name
    # Versions are written with a point by some and with a dash by others.
    yield re.sub(r"(?<=\d)\.(?=\d)", "-", name)
