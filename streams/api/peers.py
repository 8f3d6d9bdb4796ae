"""Other processes of the API, on machines whose workers have written down something else.

What the topics hold, every process has; passages and cost are with the workers that made them. A question about these
is passed on to the others, with the token of whoever asks, and each answers from its own machine alone. Who doesn't
answer in time is named in the reply.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import httpx2
import msgspec

from tailrace.schemas.api.care import CostReply
from tailrace.schemas.api.departures import RecallReply
from tailrace.schemas.api.problem import ProblemDocument
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.streams.api.call import ApiCall
from tailrace.streams.settings.http import ApiSettings

#: What a question passed on says, so that it is not passed on again.
HERE: Final = "here"
#: Who a caller is goes with the question.
_PASSED_ON: Final = ("Authorization",)

#: What a reply about what is written down is like: it says itself what it lacks.
_Reply = TypeVar("_Reply", RecallReply, CostReply)
_decode_problem: Final = decoder(ProblemDocument)


@dataclass(frozen=True, slots=True)
class PeerReplies(Generic[_Reply]):
    """What the others answered, and who of them didn't."""

    replies: tuple[_Reply, ...]
    missing: tuple[str, ...]

    def lacking(self, own_lack: str | None) -> tuple[str, ...]:
        """Say what nobody could be asked about; `own_lack` is why this process could not.

        A machine without workers has nothing written down, and lacks nothing where another one answers.
        """
        own: tuple[str, ...] = (own_lack,) if own_lack is not None and not self.replies else ()
        return (*own, *self.missing, *(part for reply in self.replies for part in reply.missing))


class Peers:
    """The other processes."""

    def __init__(self, settings: ApiSettings, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        """Take their addresses; nothing is sent yet."""
        self._addresses = settings.peers
        self._wait_seconds = settings.peer_wait_ms / 1000
        self._http = httpx2.AsyncClient(timeout=self._wait_seconds, transport=transport)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def ask(self, call: ApiCall, kind: type[_Reply]) -> PeerReplies[_Reply]:
        """Pass the question of a call on to all of them at once, unless it was passed on already."""
        if call.query.here:
            return PeerReplies((), ())
        answers = await asyncio.gather(*(self._asked(address, call, kind) for address in self._addresses))
        return PeerReplies(
            tuple(answer for answer in answers if not isinstance(answer, str)),
            tuple(answer for answer in answers if isinstance(answer, str)),
        )

    async def _asked(self, address: str, call: ApiCall, kind: type[_Reply]) -> _Reply | str:
        """The reply of one, or why there is none."""
        try:
            async with asyncio.timeout(self._wait_seconds):
                response = await self._http.get(
                    f"{address.rstrip('/')}{call.endpoint.path}", params=_params(call), headers=_headers(call)
                )
            if response.status_code == httpx2.codes.OK:
                reply: _Reply = decoder(kind)(response.content)
                return reply
            return f"{address}: {_reason(response)}"
        except TimeoutError:
            return f"{address}: no answer within {self._wait_seconds:g} s"
        except (httpx2.HTTPError, PoisonEvent) as error:
            return f"{address}: {error or type(error).__name__}"


def _params(call: ApiCall) -> dict[str, Any]:
    asked: Mapping[str, Any] = msgspec.to_builtins(call.query)
    return {**{name: value for name, value in asked.items() if value is not None}, HERE: "true"}


def _headers(call: ApiCall) -> dict[str, str]:
    return {name: value for name in _PASSED_ON if (value := call.header(name))}


def _reason(response: httpx2.Response) -> str:
    try:
        problem = _decode_problem(response.content)
    except PoisonEvent:
        return f"status {response.status_code}"
    return problem.detail or problem.title
