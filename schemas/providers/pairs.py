"""Calls and results of a request, and what is wrong with how they pair."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from tailrace.schemas.providers.violation import Breaches


class Pairable(Struct, frozen=True, kw_only=True):
    """A call or a result: where it stands, what pairs it, and in which turn of the conversation it is."""

    path: str
    key: str
    turn: int


class Verdict(Struct, frozen=True, kw_only=True):
    """Calls and results that don't pair; each is in one of these alone."""

    orphan_calls: list[Pairable]
    orphan_results: list[Pairable]
    misplaced: list[Pairable]
    duplicates: list[Pairable]


def judge(calls: list[Pairable], results: list[Pairable], *, adjacent: bool) -> Verdict:
    """Return what doesn't pair; results are `adjacent` where they must be in the turn right behind their call."""
    verdict = Verdict(orphan_calls=[], orphan_results=[], misplaced=[], duplicates=[])
    made: dict[tuple[str, int], list[Pairable]] = {}
    for call in calls:
        made.setdefault((call.key, call.turn if adjacent else 0), []).append(call)
    waiting = {place: list(matches) for place, matches in made.items()}
    strays: list[Pairable] = []
    for result in results:
        place = (result.key, result.turn - 1 if adjacent else 0)
        open_calls = waiting.get(place)
        if open_calls and open_calls[0].turn < result.turn:
            open_calls.pop(0)
        elif place in made and made[place][0].turn < result.turn:
            verdict.duplicates.append(result)
        else:
            strays.append(result)
    still_open = {call.path for open_calls in waiting.values() for call in open_calls}
    _judge_strays(strays, {call.key for call in calls}, [call for call in calls if call.path in still_open], verdict)
    return verdict


def _judge_strays(strays: list[Pairable], keys: set[str], waiting: list[Pairable], verdict: Verdict) -> None:
    unanswered: dict[str, list[Pairable]] = {}
    for call in waiting:
        unanswered.setdefault(call.key, []).append(call)
    for result in strays:
        if unanswered.get(result.key):
            unanswered[result.key].pop(0)
            verdict.misplaced.append(result)
        elif result.key in keys:
            verdict.duplicates.append(result)
        else:
            verdict.orphan_results.append(result)
    verdict.orphan_calls.extend(call for call in waiting if call in unanswered[call.key])


def repeated(calls: list[Pairable]) -> list[Pairable]:
    """Return the calls whose key an earlier one has."""
    seen: set[str] = set()
    matches = []
    for call in calls:
        if call.key in seen:
            matches.append(call)
        seen.add(call.key)
    return matches


class Judged(Protocol):
    """A view of a request whose calls and results were judged."""

    verdict: Verdict


def unpaired(field: str, text: str) -> Callable[[Judged], Breaches]:
    """Return the rule that refuses what the verdict has under this name, in an API's own words."""

    def rule(view: Judged) -> Breaches:
        for item in getattr(view.verdict, field):
            yield item.path, text

    return rule
