"""The provider behind the gateway: requests as they came, answers as they come, byte for byte."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Final

import httpx2
from msgspec import Struct

from tailrace.schemas.errors import Invalid, Unavailable
from tailrace.streams.settings.gateway import GatewaySettings

Headers = list[tuple[bytes, bytes]]

#: Belong to one connection, or are ours.
_OWN_HEADERS: Final = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
        b"host",
        b"content-length",
        # An answer has to be read on its way, so it must not be packed.
        b"accept-encoding",
    }
)
OWN_PREFIX: Final = b"x-tailrace-"
#: Headers by which requests for Anthropic are told from those for OpenAI, where the path doesn't tell.
_ANTHROPIC_HEADERS: Final = frozenset({b"x-api-key", b"anthropic-version"})
#: What comes of a connection that the other side has closed.
_CLOSED: Final = (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError)
_CONNECT_SECONDS: Final = 10.0
_CONNECTIONS_MAX: Final = 1_000


class UpstreamCall(Struct, frozen=True, kw_only=True):
    """A request for a provider."""

    method: str
    #: Path with the query, as it came.
    target: str
    headers: Headers
    content: bytes


class Upstream:
    """Connections to the providers."""

    def __init__(self, settings: GatewaySettings) -> None:
        """Open nothing yet."""
        self._settings = settings
        self._client = httpx2.AsyncClient(
            timeout=httpx2.Timeout(settings.upstream_seconds, connect=_CONNECT_SECONDS, pool=_CONNECT_SECONDS),
            limits=httpx2.Limits(max_connections=_CONNECTIONS_MAX, max_keepalive_connections=100),
            follow_redirects=False,
            trust_env=False,
        )

    async def send(self, call: UpstreamCall) -> httpx2.Response:
        """Send a request; the body of the response is still to be read. Raises Unavailable, or Invalid for a path."""
        base = self._base(call)
        connects = False

        async def note(event: str, _: object) -> None:
            nonlocal connects
            connects = connects or event == "connection.connect_tcp.started"

        while True:
            try:
                return await self._client.send(self._request(base, call, note), stream=True)
            except httpx2.HTTPError as error:
                # A provider may close a connection that waits just when it is used again. It has not seen the request.
                if connects or not isinstance(error, _CLOSED):
                    raise Unavailable(f"{base} can't be reached: {type(error).__name__}: {error}") from error

    def _request(
        self, base: str, call: UpstreamCall, trace: Callable[[str, object], Awaitable[None]]
    ) -> httpx2.Request:
        try:
            return self._client.build_request(
                call.method,
                f"{base}{call.target}",
                headers=_passed_on(call.headers),
                content=call.content or None,
                extensions={"trace": trace},
            )
        except httpx2.InvalidURL as error:
            raise Invalid(f"the path can't be passed on: {error}") from error

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.aclose()

    def _base(self, call: UpstreamCall) -> str:
        is_anthropic = call.target.startswith("/v1/messages") or any(
            name in _ANTHROPIC_HEADERS for name, _ in call.headers
        )
        base = self._settings.anthropic_url if is_anthropic else self._settings.openai_url
        return base.rstrip("/")


def _passed_on(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    kept = [(name, value) for name, value in headers if name not in _OWN_HEADERS and not name.startswith(OWN_PREFIX)]
    return [*kept, (b"accept-encoding", b"identity")]


def answered_headers(response: httpx2.Response) -> Headers:
    """Headers of a response that go on to the caller."""
    return [(name.lower(), value) for name, value in response.headers.raw if name.lower() not in _OWN_HEADERS]
