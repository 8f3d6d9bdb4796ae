"""Where a conversation may be cut: between two messages that no rule holds together.

Each rule says which stretches must stay whole; a cut is legal where it lies inside no stretch of any rule. Groups are
made so that their borders obey the rules; this is the algebra that says so, and what split points are snapped to. An
open obligation, a call that still waits for its result, is not a matter of cutting: its group stays where it is (see
`keep`).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from tailrace.agents.messages.one_response import Response
from tailrace.schemas.records.context import Entry

#: Places of the first and the last message that belong together.
Stretch = tuple[int, int]


def pairs_whole(entries: Sequence[Entry]) -> Iterator[Stretch]:
    """A call and its result, however late that came; parallel calls of one message thereby reach to the last result."""
    calls: dict[str, int] = {}
    for place, entry in enumerate(entries):
        for call_id in entry.answers:
            if call_id in calls:
                yield calls[call_id], place
        for call_id in entry.calls:
            calls[call_id] = place


def reasoning_with_its_message(entries: Sequence[Entry]) -> Iterator[Stretch]:
    """Reasoning and the message that it led to."""
    # Every message is asked, and hardly any has some: a list of those takes half of what a loop does.
    for place in [place for place, entry in enumerate(entries[:-1]) if entry.reasoning_only]:
        if entries[place + 1].role == "assistant":
            yield place, place + 1


def parallel_calls_whole(entries: Sequence[Entry]) -> Iterator[Stretch]:
    """Calls of one response that came as messages of their own, with the reasoning before them."""
    if not _responses_may_go_on(entries):
        return  # as in most conversations
    response: Response | None = None
    last_offset = -1
    for place, entry in enumerate(entries):
        if response is not None:
            # A piece that came before the last one stands behind it only because that was put beside its calls.
            came_later = entry.offset > last_offset
            if came_later and response.goes_on_with(
                entry.role, entry.calls, reasoning_only=entry.reasoning_only, name=entry.group
            ):
                yield place - 1, place
            elif not entry.answers and (entry.group is None or entry.group != response.name):
                response = None
        if response is None and (entry.calls or entry.reasoning_only):
            response = Response()
        if response is not None:
            response.take(entry)
            last_offset = last_offset if entry.answers else entry.offset


def _responses_may_go_on(entries: Sequence[Entry]) -> bool:
    """Tell whether any response has a second piece: it follows the first, which calls, thinks or names a group."""
    goes_on = [place for place, entry in enumerate(entries) if entry.role == "assistant"]
    before = [entries[place - 1] for place in goes_on if place]
    return any(entry.calls or entry.reasoning_only or entry.group is not None for entry in before)


def producers_groups_whole(entries: Sequence[Entry]) -> Iterator[Stretch]:
    """Neighbours that their producer put into one group."""
    for place in [place for place, entry in enumerate(entries[:-1]) if entry.group is not None]:
        if entries[place].group == entries[place + 1].group:
            yield place, place + 1


RULES: dict[str, Callable[[Sequence[Entry]], Iterator[Stretch]]] = {
    "pairs whole": pairs_whole,
    "reasoning with its message": reasoning_with_its_message,
    "parallel calls whole": parallel_calls_whole,
    "producers' groups whole": producers_groups_whole,
}


def legal_cuts(entries: Sequence[Entry]) -> list[int]:
    """Places before which a cut is legal, ascending; 0 and the end always are. Costs O(messages)."""
    inside = [0] * (len(entries) + 2)
    for rule in RULES.values():
        for first, last in rule(entries):
            inside[first + 1] += 1
            inside[last + 1] -= 1
    return [place for place, depth in enumerate(accumulate(inside[:-1])) if depth == 0]
