"""Who may ask over HTTP: requests are looked at before the protocol sees them.

Where a token is set, each must carry it. On loopback each must also be meant for it: a web page can make its visitor's
browser send requests there, under a name of the page's own that leads to this machine (DNS rebinding), and then `Host`
and `Origin` have that name.
"""

import hmac
import ipaddress
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import structlog
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

log = structlog.get_logger("tailrace.mcp")

_LOOPBACK_NAMES: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_SCHEME: Final = b"bearer "


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches what listens on the host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class McpGuard:
    """Refuses what must not get in, and lets everything else through to `app`."""

    def __init__(self, app: ASGIApp, *, host: str, token: str | None) -> None:
        """Guard what listens on the host."""
        self._app = app
        self._names = _LOOPBACK_NAMES | {host.lower()} if is_loopback(host) else None
        self._token = token.encode() if token is not None else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refused = self._refusal(dict(scope.get("headers", ())))
        if refused is None:
            await self._app(scope, receive, send)
            return
        status, reason = refused
        # Neither what was sent nor what would have been right.
        log.warning("mcp.refused", reason=reason)
        headers = {"WWW-Authenticate": "Bearer"} if status == _UNAUTHORIZED else None
        await PlainTextResponse(f"{reason}\n", status, headers)(scope, receive, send)

    def _refusal(self, headers: Mapping[bytes, bytes]) -> tuple[int, str] | None:
        if self._names is not None:
            if _host_name(b"//" + headers.get(b"host", b"")) not in self._names:
                return _MISDIRECTED, "the Host header does not name this machine's loopback"
            if b"origin" in headers and _host_name(headers[b"origin"]) not in self._names:
                return _FORBIDDEN, "the Origin header names another site"
        if self._token is not None and not hmac.compare_digest(_bearer(headers), self._token):
            return _UNAUTHORIZED, "the token is missing or wrong: send Authorization: Bearer TOKEN"
        return None


_UNAUTHORIZED: Final = 401
_FORBIDDEN: Final = 403
_MISDIRECTED: Final = 421


def _host_name(url: bytes) -> str | None:
    try:
        return urlsplit(url.decode("ascii")).hostname
    except ValueError:  # also what is not ASCII
        return None


def _bearer(headers: Mapping[bytes, Any]) -> bytes:
    value: bytes = headers.get(b"authorization", b"")
    return value[len(_SCHEME) :].strip() if value[: len(_SCHEME)].lower() == _SCHEME else b""
