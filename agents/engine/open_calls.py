"""The call that a tool result answers: found in the thread where there is one, else noted while a log is read in order.

A call has one result in every provider's API. The same one, delivered again, adds nothing; another one is told as a
late result.
"""

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.messages.envelope import Call
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallPart, ToolCallResponsePart


class OpenCalls:
    """The calls of a thread that results may answer. A message of calls is read once, however many results it gets."""

    def __init__(self, view: ThreadView) -> None:
        """Look into a thread, which must not change meanwhile."""
        self._view = view
        self._calls_by_entry: dict[str, dict[str, ToolCallPart]] = {}

    def find(self, call_id: str) -> Call | None:
        """The open call with this id, or the one that was given up.

        It was made lately, so looking from the end finds it at once.
        """
        view = self._view
        sequence = max(view.open_calls.get(call_id, (-1,)))
        if sequence < 0 and not view.gave_up(call_id):
            return None
        for entry in reversed(view.entries.values()):
            if call_id in entry.calls and sequence in (-1, entry.rank // RANKS_PER_GROUP):
                part = self._calls_of(entry).get(call_id)
                return Call(part, entry.created_at_ms) if part is not None else None
        return None

    def _calls_of(self, entry: Entry) -> dict[str, ToolCallPart]:
        if entry.id not in self._calls_by_entry:
            calls: dict[str, ToolCallPart] = {}
            for part in decode_message(entry.message).parts:
                if isinstance(part, ToolCallPart):
                    calls.setdefault(part.id, part)
            self._calls_by_entry[entry.id] = calls
        return self._calls_by_entry[entry.id]


def answered_by(view: ThreadView, call_id: str) -> Entry | None:
    """The newest live result of a call with this id; None where there is none, or it has left."""
    return next((entry for entry in reversed(view.entries.values()) if call_id in entry.answers), None)


def repeats_results(view: ThreadView, message: Message) -> bool:
    """Tell whether a message is nothing but results that are there already, delivered once more."""
    answered = message.answered_ids
    if not answered or len(message.parts) != len(answered):
        return False
    if not view.open_calls.keys().isdisjoint(answered):
        return False  # a call of the same id waits: it may well have the same result
    there = answered_by(view, answered[0])
    # As it came, or by its name where less of it is there.
    return there is not None and (
        decode_message(there.message).parts == message.parts or there.artifact_id == artifact_id(message)
    )


class CalledTools:
    """Calls that have not been answered yet. A model may use the id of a call again: the newest counts."""

    def __init__(self) -> None:
        """Nothing is called yet."""
        self._calls: dict[tuple[str, str], list[ToolCallPart]] = {}

    def call(self, thread: str, call_id: str) -> ToolCallPart | None:
        """The call with this id; None where no such call waits."""
        calls = self._calls.get((thread, call_id))
        return calls[-1] if calls else None

    def name(self, thread: str, call_id: str) -> str:
        """The tool that this call is to; empty where no such call waits."""
        call = self.call(thread, call_id)
        return call.name if call else ""

    def note(self, event: Event) -> None:
        """Take the calls of a message into account, and the answers."""
        for part in event.message.parts:
            if isinstance(part, ToolCallPart):
                self._calls.setdefault((event.thread, part.id), []).append(part)
            elif isinstance(part, ToolCallResponsePart):
                calls = self._calls.pop((event.thread, part.id), [])
                if calls[:-1]:
                    self._calls[event.thread, part.id] = calls[:-1]
