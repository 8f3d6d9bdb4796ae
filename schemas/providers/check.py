"""Would the API take it? Requests checked against the rules of the provider that they are for.

Each rule stands in the module of its API, with what the API says to it. Types that have no rule, and fields of content
and calls, are let through: a provider may learn new ones any day, and a request that is refused here is never sent.
"""

from collections.abc import Mapping
from typing import Any

from tailrace.schemas.errors import OverBudget, Unsendable
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.providers.violation import Violation, violations_of
from tailrace.schemas.records.message import Format, format_named


def violations(request: Mapping[str, Any], message_format: Format | str) -> list[Violation]:
    """Return what the API would refuse in a request such as `request_of` makes; empty where it would take it.

    Never raises for what the request holds, whatever it is; raises `UnknownVersion` for a format that is not known.
    """
    return violations_of(request, PROVIDERS[format_named(message_format)].api)


def check_fits(title: str, *, tokens: int, limit_tokens: int) -> None:
    """Raise `OverBudget` for a context that costs more than its limit: the model would refuse it."""
    if tokens > limit_tokens:
        raise OverBudget(title, tokens=tokens, limit_tokens=limit_tokens)


def check_sendable(request: Mapping[str, Any], message_format: Format | str) -> None:
    """Raise `Unsendable` for a request that the API would refuse."""
    if wrong := violations(request, message_format):
        raise Unsendable(message_format, [f"{violation.path} {violation.text}" for violation in wrong])
