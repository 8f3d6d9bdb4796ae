"""Parts of a content over HTTP (RFC 9110, section 14): which bytes a request asks for, and whether it has them already.

One range at a time: a request for several gets the whole content, as the standard allows.
"""

import re
from dataclasses import dataclass
from typing import Final

from tailrace.schemas.api import problem
from tailrace.streams.api.problems import ProblemError

_RANGE: Final = re.compile(
    r"bytes=\s*(?:(?P<first>[0-9]{1,18})-(?P<last>[0-9]{0,18})|-(?P<tail>[0-9]{1,18}))\s*", re.IGNORECASE
)
_OK: Final = 200
_PARTIAL: Final = 206


@dataclass(frozen=True, slots=True)
class Selection:
    """The bytes that are sent, and what the response says of them."""

    wanted: range
    status: int
    headers: dict[str, str]


def etags(header: str) -> set[str]:
    """The entity tags of a header; a proxy that packs bodies calls them weak."""
    return {tag.strip().removeprefix("W/") for tag in header.split(",")}


def select(range_header: str, if_range: str, *, etag: str, size_bytes: int) -> Selection:
    """Return which bytes of a content a request asks for.

    All of them without a range, or with one that is about another content. Raises a problem for a range outside of it.
    """
    match = _RANGE.fullmatch(range_header)
    # A moment in time is no tag of ours: whoever sends one gets everything.
    if match is None or (if_range and if_range.strip() != etag) or _is_backwards(match):
        return Selection(range(size_bytes), _OK, {"Content-Length": str(size_bytes)})
    wanted = _within(match, size_bytes)
    if not wanted:
        raise ProblemError(
            problem.RANGE,
            f"the artifact has {size_bytes} bytes",
            "ask for a range within it",
            where="header Range",
            headers={"Content-Range": f"bytes */{size_bytes}"},
        )
    place = f"bytes {wanted.start}-{wanted.stop - 1}/{size_bytes}"
    return Selection(wanted, _PARTIAL, {"Content-Length": str(len(wanted)), "Content-Range": place})


def _is_backwards(match: re.Match[str]) -> bool:
    """Whether a range ends before it begins: it is none, and the standard says to look past it."""
    return bool(match["last"]) and int(match["last"]) < int(match["first"])


def _within(match: re.Match[str], size_bytes: int) -> range:
    if match["tail"] is not None:
        return range(max(0, size_bytes - int(match["tail"])), size_bytes)
    stop = int(match["last"]) + 1 if match["last"] else size_bytes
    return range(int(match["first"]), min(stop, size_bytes))
