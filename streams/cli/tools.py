"""`tailrace tools`."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from tailrace.schemas.providers.tools import TOOL_FORMATS, tool_definitions
from tailrace.streams.cli.output import print_json

# Typer takes its choices from an enum; which formats there are, the registry of providers says.
if TYPE_CHECKING:
    _ToolFormat = str
else:
    _ToolFormat = StrEnum("ToolFormat", {name: name for name in TOOL_FORMATS})


def tools(
    *,
    tool_format: Annotated[_ToolFormat, typer.Option("--format", help="The API that the tools are for.")],
) -> None:
    """Print the tools that a model is given to read back what left its context, as JSON for a request.

    They are `read_artifact`, for texts that were moved out, and `recall`, for what was said before.

    For example:

        tailrace tools --format anthropic
        tailrace tools --format mcp
    """
    print_json(tool_definitions(tool_format))
