"""A request as an endpoint gets it.

Who asks, and everything that was asked, checked against the types of the endpoint.
"""

import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints
from urllib.parse import unquote

import msgspec
from msgspec import Struct
from starlette.datastructures import QueryParams
from starlette.requests import Request

from tailrace.schemas.api import problem
from tailrace.schemas.api.endpoint import JSON, Endpoint
from tailrace.schemas.decoder import EVENT_DEPTH_MAX, decoder
from tailrace.schemas.errors import Undecodable
from tailrace.schemas.half_characters import decode_json
from tailrace.schemas.ingest import check_id
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.problems import ProblemError

_Query = TypeVar("_Query", bound=Struct)

#: JSON may call itself so.
_JSON_TYPES: Final = ("", JSON, "text/json")
_decode: Final = decoder(depth_max=EVENT_DEPTH_MAX)
_TRUTH: Final = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiCall:
    """One request to one endpoint."""

    endpoint: Endpoint
    caller: ApiCaller
    #: Parameters in the path, as text.
    path: Mapping[str, str]
    query: Any
    body: Any
    request: Request

    @property
    def thread(self) -> str:
        """The thread in the path. Raises Invalid where it can't be one."""
        return check_id(self.path["thread"], "thread")

    def header(self, name: str) -> str:
        """A header; empty where it is not there."""
        return str(self.request.headers.get(name, ""))


def read_path(request: Request) -> dict[str, str]:
    """The parameters in the path, which is routed as it was sent: an id may have a slash in it."""
    try:
        return {name: unquote(value, errors="strict") for name, value in request.path_params.items()}
    except UnicodeDecodeError as error:
        raise ProblemError(problem.MALFORMED, "the path is not UTF-8", "escape the bytes of UTF-8 with %") from error


def read_query(parameters: QueryParams, kind: type[_Query]) -> _Query:
    """The parameters behind the question mark.

    Raises a problem for one that is unknown, repeated or of a wrong type.
    """
    hints = get_type_hints(kind, include_extras=True)
    values: dict[str, Any] = {}
    for name, hint in hints.items():
        texts, kind_of_value = parameters.getlist(name), _kind_of(hint)
        if kind_of_value is tuple:
            values[name] = texts
        elif len(texts) > 1:
            raise ProblemError(problem.INVALID, f"{name} is there {len(texts)} times", "give it once", where=name)
        elif texts:
            values[name] = _boolean(texts[0], name) if kind_of_value is bool else texts[0]
    unknown = next((name for name in parameters if name not in hints), None)
    if unknown is not None:
        remedy = f"there are {', '.join(hints)}" if hints else "there are none here"
        raise ProblemError(problem.INVALID, f"{unknown[:64]!r} is no parameter", remedy, where=unknown[:64])
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        where = str(error).rpartition("$.")[2].rstrip("`") if "$." in str(error) else ""
        raise ProblemError(problem.INVALID, str(error), "correct the parameter", where=where) from error


def _kind_of(hint: Any) -> Any:
    """The type of a parameter, without its limits and without None for one that is left out."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _kind_of(get_args(hint)[0])
    if origin in {Union, types.UnionType}:
        return _kind_of(next(kind for kind in get_args(hint) if kind is not types.NoneType))
    return origin or hint


def _boolean(text: str, name: str) -> bool:
    if text.lower() not in _TRUTH:
        raise ProblemError(problem.INVALID, f"{name} is {text[:64]!r}", "write true or false", where=name)
    return _TRUTH[text.lower()]


def read_body(body: bytes, content_type: str, kind: Any) -> Any:
    """The body as the endpoint takes it. Raises a problem for what is no JSON, or has the wrong form."""
    media_type = content_type.partition(";")[0].strip().lower()
    # What curl calls a body that nobody has named.
    if media_type not in _JSON_TYPES and media_type != "application/x-www-form-urlencoded":
        raise ProblemError(
            problem.MEDIA, f"the body is {media_type[:64]}", f"send JSON, as {JSON}", where="header Content-Type"
        )
    data = _json(body)
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ProblemError(problem.INVALID, f"the body: {error}", "correct it", where="body") from error


def _json(body: bytes) -> Any:
    try:
        return decode_json(body, _decode)
    except Undecodable as error:
        raise ProblemError(
            problem.MALFORMED, f"the body can't be read as JSON: {error}", "send JSON", where="body"
        ) from error
