"""One endpoint of the API: from these routes, the OpenAPI document and the checks of both are made."""

import re
from typing import Any, Final

from msgspec import Struct

from tailrace.schemas.api.role import AccessRole

JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"
BYTES: Final = "application/octet-stream"
TEXT: Final = "text/plain"

_PARAMETER: Final = re.compile(r"\{(\w+)\}")


class NoQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An endpoint that takes no parameters."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """A method on a path: who may call it, what it takes, what it gives, and which command does the same."""

    #: Names the operation, and the function that answers it.
    name: str
    method: str
    path: str
    #: None for what everybody may ask.
    role: AccessRole | None
    summary: str
    #: Fields of a Struct are the parameters behind the question mark.
    query: type[Struct] = NoQuery
    #: Type of the JSON body; None where there is none.
    request: Any = None
    #: Names the component of the JSON Schemas that says more about the body than its type.
    request_schema: str | None = None
    request_example: Any = None
    #: Type of the JSON that is returned; for a stream that of the data of an event.
    response: Any = None
    response_example: Any = None
    #: Names the component that the response is, where its type says less.
    response_schema: str | None = None
    status: int = 200
    media_type: str = JSON
    #: The command of the command line that does the same.
    command: str | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters in the path."""
        return tuple(_PARAMETER.findall(self.path))
