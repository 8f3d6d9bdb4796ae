"""The tools with which a model gets back what left its context.

Written once, defined by every provider in its own way.
"""

from typing import Any

from msgspec import Struct


class Parameter(Struct, frozen=True, kw_only=True):
    """One argument of a tool. All of them are strings: no model gets those wrong."""

    name: str
    about: str
    required: bool = False


class Tool(Struct, frozen=True, kw_only=True):
    """A tool as it is described to a model."""

    name: str
    about: str
    parameters: tuple[Parameter, ...]


READ_ARTIFACT = Tool(
    name="read_artifact",
    about=(
        "Read a text that was moved out of the conversation to save space. Wherever the conversation names an "
        "artifact by its id, this returns the original, with line numbers. Without range and query it starts at the "
        "first line and stops where the answer becomes too long; the answer then says which range comes next."
    ),
    parameters=(
        Parameter(name="id", about="The id of the artifact, as it stands in the conversation.", required=True),
        Parameter(
            name="range",
            about='Lines to read, counted from 1, both included: "200-260", "200-" for all from line 200, "-50" for '
            "the "
            "last 50.",
        ),
        Parameter(name="query", about="Words: returns the lines that contain them, with the lines around."),
    ),
)
RECALL = Tool(
    name="recall",
    about=(
        "Search everything that was said and done earlier in this conversation, including what is no longer in view. "
        "Use it before asking the user again, and before repeating a step."
    ),
    parameters=(
        Parameter(
            name="query",
            about="Words to look for. Names, ids, paths and numbers find most.",
            required=True,
        ),
        Parameter(name="thread", about="The id of another conversation to search. Leave it out for this one."),
    ),
)
TOOLS = (READ_ARTIFACT, RECALL)


def parameters_schema(tool: Tool) -> dict[str, Any]:
    """Return the JSON schema of the arguments."""
    return {
        "type": "object",
        "properties": {
            parameter.name: {"type": "string", "description": parameter.about} for parameter in tool.parameters
        },
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
    }
