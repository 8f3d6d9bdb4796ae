"""What is still owed in a thread: open calls and subagents, questions that wait for an answer, the next steps, the task, the plan."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from tailrace.schemas.ledger import Obligation, ObligationKind
from tailrace.schemas.parts import Json, ToolCallPart

TEXT_CHARS_MAX = 200
#: More calls than this are not open at once; the oldest have been given up.
OPEN_MAX = 20
PLAN_ITEMS_MAX = 12
#: Between the items of a plan.
PLAN_JOINT = "; "

_SUBAGENT = re.compile(
    r"^(?:task|agent|subagent|spawn\w*|delegate\w*|\w*(?:_agent|subagent)\w*|dispatch\w*)$", re.IGNORECASE
)
_PLAN = re.compile(r"todo|plan|tasklist|task_list|checklist", re.IGNORECASE)
_PLAN_KEYS = ("todos", "plan", "items", "tasks", "steps", "todo_list")
_ITEM_KEYS = ("content", "step", "text", "title", "task", "description", "name")
_DONE = frozenset(("completed", "complete", "done", "finished", "cancelled", "canceled"))
#: How the assistant says what it does next, in small letters.
_PROMISES = (
    *(
        "next step",
        "next,",
        "next up",
        "i'll ",
        "i will ",
        "i am going to",
        "i'm going to",
        "remaining",
        "still to do",
        "als nächstes",
    ),
    *(
        "ich werde",
        "ensuite",
        "je vais",
        "a continuación",
        "voy a",
        "próximo passo",
        "prossimo passo",
        "volgende stap",
        "следующий шаг",
    ),
)
#: Promises stand at the end of a report.
PROMISE_CHARS = 600
_SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")

_decode_json = msgspec.json.Decoder().decode


@dataclass(slots=True)
class Obligations:
    """Obligations by what ends them: the id of a call, or the kind where there is only one at a time."""

    items: dict[str, Obligation] = field(default_factory=dict)

    def call(self, call: ToolCallPart, target: str, source: str, created_at_ms: int) -> None:
        """A call was made: it is open until its result comes. A plan is kept as it was written last."""
        kind, plans = _kind_of_tool(call.name)
        if plans and (plan := plan_text(call.arguments)) is not None:
            self.items.pop(ObligationKind.PLAN, None)
            if plan:
                self._set(ObligationKind.PLAN, plan, source, created_at_ms)
        text = f"{call.name} {target}"
        if len(text) > TEXT_CHARS_MAX or "\n" in text:
            text = _clip(text)
        self.items[call.id] = Obligation(kind=kind, text=text, source=source, key=call.id, since_ms=created_at_ms)
        if len(self.items) > OPEN_MAX:
            oldest = next((key for key, item in self.items.items() if item.key), None)
            self.items.pop(oldest or call.id, None)

    def result(self, call_id: str) -> None:
        """A call was answered."""
        self.items.pop(call_id, None)

    def asked(self, text: str, *, source: str, created_at_ms: int) -> None:
        """A person spoke: that is the task now, and questions are answered."""
        self.items.pop(ObligationKind.CONFIRMATION, None)
        self.items.pop(ObligationKind.NEXT_STEP, None)
        first = _clip(next((line for line in text.split("\n") if line.strip(" #`>-<")), ""))
        if first:
            self._set(ObligationKind.TASK, first, source, created_at_ms)

    def reported(self, text: str, *, source: str, created_at_ms: int) -> None:
        """The assistant ended its turn: a question at the end waits for an answer, a promise for being kept."""
        said = text.rstrip()
        if said.endswith(("?", "\uff1f")):
            question = _SENTENCE_END.split(said)[-1]
            self._set(ObligationKind.CONFIRMATION, _clip(question), source, created_at_ms)
        ending = said[-PROMISE_CHARS:]
        small = ending.lower()
        place = max([small.rfind(promise) for promise in _PROMISES if promise in small], default=-1)
        if 0 <= place < len(ending):
            start = max(ending.rfind("\n", 0, place), ending.rfind(". ", 0, place)) + 1
            end = _SENTENCE_END.search(ending, place)
            self._set(
                ObligationKind.NEXT_STEP, _clip(ending[start : end.start() if end else None]), source, created_at_ms
            )

    def _set(self, kind: ObligationKind, text: str, source: str, created_at_ms: int) -> None:
        self.items.pop(kind, None)
        self.items[kind] = Obligation(kind=kind, text=text, source=source, since_ms=created_at_ms)


@lru_cache(maxsize=1024)
def _kind_of_tool(name: str) -> tuple[ObligationKind, bool]:
    """What an open call of a tool of this name is, and whether it writes a plan."""
    kind = ObligationKind.SUBAGENT if _SUBAGENT.match(name) else ObligationKind.OPEN_CALL
    return kind, _PLAN.search(name) is not None


def _clip(text: str) -> str:
    squeezed = " ".join(text[: 2 * TEXT_CHARS_MAX].split())
    return squeezed if len(squeezed) <= TEXT_CHARS_MAX else squeezed[: squeezed.rfind(" ", 0, TEXT_CHARS_MAX)] + " …"


def plan_text(arguments: Json) -> str | None:
    """Return the open items of a plan, the one in progress first; None if the arguments hold no plan."""
    if isinstance(arguments, str):
        try:
            arguments = _decode_json(arguments)
        except (msgspec.DecodeError, RecursionError):
            return None
    if not isinstance(arguments, Mapping):
        return None
    items = next((arguments[key] for key in _PLAN_KEYS if isinstance(arguments.get(key), list)), None)
    if items is None:
        return None
    running: list[str] = []
    waiting: list[str] = []
    for item in items:
        text, status = _item(item)
        if text and status not in _DONE:
            (running if "progress" in status else waiting).append(text)
    return PLAN_JOINT.join([*running, *waiting][:PLAN_ITEMS_MAX])


def _item(item: Json) -> tuple[str, str]:
    if isinstance(item, str):
        return _clip(item), ""
    if not isinstance(item, Mapping):
        return "", ""
    text = next((item[key] for key in _ITEM_KEYS if isinstance(item.get(key), str)), "")
    return _clip(text), str(item.get("status", "")).lower()
