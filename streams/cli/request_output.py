"""A request as commands print it: what a program hands on to a model without looking into it."""

from collections.abc import Mapping
from typing import Any

import typer

from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.records.message import Format


def sendable(request: dict[str, Any], message_format: Format) -> list[dict[str, Any]] | dict[str, Any]:
    """Return the list of messages; or all arguments, where the format has the system prompt beside that list.

    Which of the two it is depends on the format alone: a program never has to ask.
    """
    provider = PROVIDERS[message_format]
    return request if provider.is_system_in_front else request[provider.list_key]


def warn_of_refusal(request: Mapping[str, Any], message_format: Format) -> None:
    """Say on standard error what the provider would refuse about a request; nothing is said of one that it takes."""
    for violation in violations(request, message_format):
        typer.echo(f"warning: {message_format} refuses this, {violation.path}: {violation.text}", err=True)
