"""Problem documents (RFC 9457): what went wrong with a request, where, and what to do."""

from typing import Final

from msgspec import Struct

MEDIA_TYPE: Final = "application/problem+json"
_TYPE_PREFIX: Final = "urn:tailrace:problem:"


class ProblemKind(Struct, frozen=True):
    """One kind of problem: the status that it has, and its title."""

    name: str
    status: int
    title: str

    @property
    def type(self) -> str:
        """The URI that names it in a document."""
        return f"{_TYPE_PREFIX}{self.name}"


class ProblemDocument(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request that could not be answered."""

    type: str
    title: str
    status: int
    #: What is wrong with this very request.
    detail: str
    #: What to do about it.
    remedy: str = ""
    #: The part of the request that is meant: a parameter, a header, a place in the body.
    where: str = ""
    #: Path of the request.
    instance: str = ""
    #: Ids of messages that may still arrive: publish them again under these.
    ids: tuple[str, ...] = ()


INVALID: Final = ProblemKind("invalid", 422, "The request can't be understood")
MALFORMED: Final = ProblemKind("malformed", 400, "The request is not in the form that it has to be in")
UNAUTHENTICATED: Final = ProblemKind("unauthenticated", 401, "Nobody knows who asks")
FORBIDDEN: Final = ProblemKind("forbidden", 403, "The caller may not do this")
FOREIGN_SITE: Final = ProblemKind("foreign-site", 403, "A web page of another site asks")
NOT_FOUND: Final = ProblemKind("not-found", 404, "There is no such thing")
METHOD: Final = ProblemKind("method-not-allowed", 405, "The path has no such method")
SLOW_BODY: Final = ProblemKind("slow-body", 408, "The body did not arrive in time")
CONFLICT: Final = ProblemKind("conflict", 409, "It can't be done as things stand")
TOO_LARGE: Final = ProblemKind("too-large", 413, "The body is too large")
MEDIA: Final = ProblemKind("media-type", 415, "The body has the wrong type")
RANGE: Final = ProblemKind("range", 416, "The range lies outside")
HOST: Final = ProblemKind("foreign-host", 421, "The request is for another host")
TOO_MANY: Final = ProblemKind("too-many", 429, "Too many requests")
INTERNAL: Final = ProblemKind("internal", 500, "The server has made a mistake")
UNAVAILABLE: Final = ProblemKind("unavailable", 503, "It can't be answered at the moment")
DEADLINE: Final = ProblemKind("deadline", 504, "It did not happen in time")

KINDS: Final = (
    *(MALFORMED, UNAUTHENTICATED, FORBIDDEN, FOREIGN_SITE, NOT_FOUND, METHOD, SLOW_BODY, CONFLICT, TOO_LARGE, MEDIA),
    *(RANGE, HOST, INVALID, TOO_MANY, INTERNAL, UNAVAILABLE, DEADLINE),
)
