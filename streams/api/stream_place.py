"""A stream that keeps its place among the others until it has ended."""

from contextlib import ExitStack

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send


class Holding(Response):
    """A stream that keeps its place among the others until it has ended, or could not begin."""

    def __init__(self, held: ExitStack, stream: StreamingResponse) -> None:
        """Take what is held, and the stream for which it is."""
        super().__init__()
        self._held = held
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream, then let go."""
        with self._held:
            await self._stream(scope, receive, send)
