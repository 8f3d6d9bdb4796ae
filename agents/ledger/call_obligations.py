"""A call that waits for its result, as what is owed: who is at work, on what, and what holds once the result is there."""

import re
from collections.abc import Iterator, Mapping

from tailrace.agents.ledger.due_times import due_by_arguments
from tailrace.agents.ledger.jobs import ID_CHARS_MAX, sends_away
from tailrace.agents.ledger.moment import Moment
from tailrace.agents.ledger.person_questions import questions_of
from tailrace.agents.ledger.plan_calls import plan_text, writes_plans
from tailrace.agents.ledger.requests import clip
from tailrace.agents.messages.call_text import call_target
from tailrace.schemas.records.ledger import Obligation, ObligationKind
from tailrace.schemas.records.parts import Json, ToolCallPart

_SUBAGENT = re.compile(
    r"^(?:task|agent|subagent|spawn\w*|delegate\w*|\w*(?:_agent|subagent)\w*|dispatch\w*)$", re.IGNORECASE
)
#: Under these a tool is told in words what it is to do, the shortest first.
_DESCRIBING_KEYS = (
    *("description", "title", "subject", "task", "goal", "objective", "instruction", "prompt", "message", "query"),
    *("text", "content"),
)
_WHEN = re.compile(
    r"^(?:at|when|time|date|due|cron|schedule|delay|interval|every|until|duration)|(?:_at|_time|_date|_on|_in|_cron|minutes|seconds|hours)$"
)
_IDS = re.compile(r"(?:^|_)(?:id|pid)s?$|[a-z]Ids?$")
#: What tells one call from the others of its tool.
_DESCRIBED_CHARS_MAX = 120


def open_call(call: ToolCallPart, at: Moment) -> Obligation:
    """A call that is open, told by its path, its command, or what else it was told."""
    path, command, _, arguments = call_target(call)
    asked = questions_of(call)
    target = path or _told(command) or (asked[0] if asked else _described(arguments))
    named = " ".join(text for text in _details(arguments) if text not in target)
    kind = ObligationKind.SUBAGENT if _SUBAGENT.match(call.name) else ObligationKind.OPEN_CALL
    return Obligation(
        kind=kind,
        text=clip(f"{call.name} {target} {named}"),
        source=at.source,
        key=call.id,
        since_ms=at.at_ms,
        due_ms=due_by_arguments(_timed(arguments), at.at_ms),
        turn=at.turn,
        waits=sends_away(call),
        plan=plan_text(call.arguments) if writes_plans(call.name) else None,
    )


def _timed(arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Those arguments that say when something is to be."""
    return {key: value for key, value in arguments.items() if _WHEN.search(key)}


def _told(command: str) -> str:
    """A command without the remarks before it."""
    lines = command.split("\n")
    first = next((place for place, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), 0)
    return "\n".join(lines[first:]) if first else command


def _described(arguments: Mapping[str, Json]) -> str:
    """What tells a call from others of its tool: how it is described, or the first words that it was told."""
    texts = {key: value for key, value in arguments.items() if isinstance(value, str) and value.strip()}
    told = next((texts[key] for key in _DESCRIBING_KEYS if key in texts), next(iter(texts.values()), ""))
    words = " ".join(told[: 2 * _DESCRIBED_CHARS_MAX].split())
    if len(words) <= _DESCRIBED_CHARS_MAX:
        return words
    return words[: words.rfind(" ", 0, _DESCRIBED_CHARS_MAX) + 1].rstrip() or words[:_DESCRIBED_CHARS_MAX]


def _details(arguments: Mapping[str, Json]) -> Iterator[str]:
    """Ids of what a call is about, and when it is to be."""
    for key, value in arguments.items():
        if _IDS.search(key) or _WHEN.search(key):
            for one in value if isinstance(value, list) else (value,):
                if isinstance(one, str | int) and not isinstance(one, bool) and 0 < len(str(one)) <= ID_CHARS_MAX:
                    yield str(one)
