"""From an error to the problem document that says what is wrong, where, and what to do."""

from collections.abc import Mapping
from typing import Final

import msgspec
from starlette.responses import Response

from tailrace.schemas.api import problem
from tailrace.schemas.api.problem import MEDIA_TYPE, ProblemDocument, ProblemKind
from tailrace.schemas.errors import (
    ArtifactForbidden,
    ArtifactMissing,
    ConfigError,
    Conflict,
    OverBudget,
    PoisonEvent,
    Refused,
    TailraceError,
    TooLarge,
    Unavailable,
    Unsendable,
)

#: What a client should leave alone for a moment.
_RETRY_SECONDS: Final = 1


class ProblemError(TailraceError):
    """A request that ends here, with the document that says why."""

    def __init__(
        self,
        kind: ProblemKind,
        detail: str,
        remedy: str = "",
        *,
        where: str = "",
        ids: tuple[str, ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Say what is wrong, what to do and which part of the request is meant."""
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.remedy = remedy
        self.where = where
        self.ids = ids
        self.headers = dict(headers or {})


#: The first that fits counts.
_KINDS: Final[tuple[tuple[type[TailraceError], ProblemKind], ...]] = (
    (TooLarge, problem.TOO_LARGE),
    (PoisonEvent, problem.INVALID),
    (ConfigError, problem.INVALID),
    (ArtifactMissing, problem.NOT_FOUND),
    (ArtifactForbidden, problem.FORBIDDEN),
    (OverBudget, problem.CONFLICT),
    (Unsendable, problem.CONFLICT),
    (Refused, problem.CONFLICT),
    (Conflict, problem.CONFLICT),
    (Unavailable, problem.UNAVAILABLE),
    (TailraceError, problem.UNAVAILABLE),
)
_REMEDIES: Final[dict[type[TailraceError], str]] = {
    OverBudget: "give the thread more room, or ask with check=false for what there is",
    Unsendable: "mend the messages, or ask with check=false for what there is",
}


def problem_of(error: TailraceError) -> ProblemError:
    """Return the error as one that ends a request."""
    if isinstance(error, ProblemError):
        return error
    kind = next(kind for cause, kind in _KINDS if isinstance(error, cause))
    headers = {"Retry-After": str(_RETRY_SECONDS)} if kind is problem.UNAVAILABLE else {}
    return ProblemError(kind, str(error), _REMEDIES.get(type(error), ""), headers=headers)


def response_of(error: ProblemError, path: str) -> Response:
    """Return the response that carries the problem."""
    document = ProblemDocument(
        type=error.kind.type,
        title=error.kind.title,
        status=error.kind.status,
        detail=error.detail,
        remedy=error.remedy,
        where=error.where,
        instance=path,
        ids=error.ids,
    )
    return Response(
        msgspec.json.encode(document), status_code=error.kind.status, headers=error.headers, media_type=MEDIA_TYPE
    )
