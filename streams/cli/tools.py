"""`tailrace tools`."""

from typing import Annotated

import typer

from tailrace.schemas.providers.tools import ToolFormat, tool_definitions
from tailrace.streams.cli.output import print_json


def tools(
    *,
    tool_format: Annotated[ToolFormat, typer.Option("--format", help="The API that the tools are for.")],
) -> None:
    """Print the tools that a model is given to read back what left its context, as JSON for a request.

    They are `read_artifact`, for texts that were moved out, and `recall`, for what was said before.

    For example:

        tailrace tools --format anthropic
        tailrace tools --format mcp
    """
    print_json(tool_definitions(tool_format))
