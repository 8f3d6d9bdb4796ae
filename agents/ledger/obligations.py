"""What is still owed in a thread: open calls and subagents, questions that wait for an answer, the next steps, the task, the plan."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from tailrace.agents.call_text import call_target, subject_of
from tailrace.agents.ledger.assent import is_assent
from tailrace.agents.ledger.plans import left_of, plan_in
from tailrace.agents.ledger.questions import leaves_open, question_in, with_answer
from tailrace.agents.ledger.statements import words_of
from tailrace.schemas.ledger import CALL_KINDS, Obligation, ObligationKind
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
#: Under these a tool is told in words what it is to do, the shortest first.
_DESCRIBING_KEYS = ("description", "title", "task", "goal", "objective", "instruction", "prompt", "message", "query")
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


# Asked of every message, so by a name of the module: Python 3.11 takes ten times as long to find a member of an enum.
_PLANNED = ObligationKind.PLAN

#: A call that is open, with the message that made it and when.
_Made = tuple[ToolCallPart, str, int]


@dataclass(slots=True)
class Obligations:
    """Obligations by what ends them: the id of a call, or the kind where there is only one at a time."""

    items: dict[str, Obligation] = field(default_factory=dict)
    #: Most calls are answered at once: what is to be said of one is made up when somebody asks.
    calls: dict[str, Obligation | _Made] = field(default_factory=dict)

    @classmethod
    def of(cls, obligations: Iterable[Obligation]) -> "Obligations":
        """Return what is owed in these."""
        owed = cls()
        owed.take(obligations)
        return owed

    def take(self, obligations: Iterable[Obligation]) -> None:
        """Take in what is owed elsewhere, all of which is newer."""
        for one in obligations:
            if one.kind in CALL_KINDS:
                self.calls.pop(one.key, None)
                self.calls[one.key] = one
            else:
                key = one.key or one.kind
                self.items.pop(key, None)
                self.items[key] = one

    def __iter__(self) -> Iterator[Obligation]:
        """Yield what is owed, open calls last."""
        yield from self.items.values()
        for one in self.calls.values():
            yield one if isinstance(one, Obligation) else _open_call(*one)

    def call(self, call: ToolCallPart, source: str, created_at_ms: int) -> None:
        """A call was made: it is open until its result comes. A plan is kept as it was written last."""
        if _writes_plans(call.name) and (plan := plan_text(call.arguments)) is not None:
            self.items.pop(ObligationKind.PLAN, None)
            if plan:
                self._set(ObligationKind.PLAN, plan, source, created_at_ms)
        self.calls[call.id] = call, source, created_at_ms
        if len(self.calls) > OPEN_MAX:
            del self.calls[next(iter(self.calls))]

    def asked(self, text: str, *, source: str, created_at_ms: int) -> str:
        """A person spoke: that is the task now. Return the question that it answers, if any; one that it leaves open still waits.

        Whoever only agrees wants what they were asked, or what they had asked for before.
        """
        question = self.items.get(ObligationKind.CONFIRMATION)
        answers = question is not None and not leaves_open(text, question.text)
        if answers:
            del self.items[ObligationKind.CONFIRMATION]
        self.items.pop(ObligationKind.NEXT_STEP, None)
        first = _clip(next((line for line in text.split("\n") if line.strip(" #`>-<")), ""))
        agrees = is_assent(words_of(text))
        if question is not None and answers and agrees:
            first = with_answer(question.text, first)
        if first and (answers or not agrees or ObligationKind.TASK not in self.items):
            self._set(ObligationKind.TASK, first, source, created_at_ms)
        return question.text if question is not None and answers else ""

    def planned(self, text: str, *, source: str, created_at_ms: int) -> None:
        """The assistant may have written a plan, or that some of it is done."""
        plan = plan_in(text) if "\n" in text else None
        if plan is None:
            self.struck(text)
        elif plan:
            self._set(ObligationKind.PLAN, PLAN_JOINT.join(plan), source, created_at_ms)
        else:
            self.items.pop(ObligationKind.PLAN, None)

    def struck(self, text: str) -> None:
        """A report may say that steps of the plan are done; none is open where all are."""
        plan = self.items.get(_PLANNED)
        # Only steps with numbers can be told so.
        if plan is None or not plan.text[:1].isdigit():
            return
        steps = plan.text.split(PLAN_JOINT)
        left = left_of(steps, text)
        if not left:
            del self.items[ObligationKind.PLAN]
        elif left != steps:
            self.items[ObligationKind.PLAN] = msgspec.structs.replace(plan, text=PLAN_JOINT.join(left))

    def said_beside_calls(self, text: str, *, source: str, created_at_ms: int) -> None:
        """The assistant said something before it worked on: only what plainly asks a person is a question."""
        self.planned(text, source=source, created_at_ms=created_at_ms)
        if "?" in text and (question := question_in(text, only_to_somebody=True)):
            self._set(ObligationKind.CONFIRMATION, question, source, created_at_ms)

    def reported(self, text: str, *, source: str, created_at_ms: int) -> None:
        """The assistant ended its turn: a question at the end waits for an answer, a promise for being kept."""
        self.planned(text, source=source, created_at_ms=created_at_ms)
        said = text.rstrip()
        if question := question_in(said):
            self._set(ObligationKind.CONFIRMATION, question, source, created_at_ms)
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
def _writes_plans(tool: str) -> bool:
    return _PLAN.search(tool) is not None


def _open_call(call: ToolCallPart, source: str, created_at_ms: int) -> Obligation:
    """A call that is open, told by its path, its command, or what else it was told."""
    path, command, _, arguments = call_target(call)
    target = path or command or _described(arguments)
    kind = ObligationKind.SUBAGENT if _SUBAGENT.match(call.name) else ObligationKind.OPEN_CALL
    text = _clip(f"{call.name} {target}")
    return Obligation(kind=kind, text=text, source=source, key=call.id, since_ms=created_at_ms)


def _described(arguments: Mapping[str, Json]) -> str:
    """What tells a call from others of its tool: how it is described, or the first words that it was told."""
    texts = {key: value for key, value in arguments.items() if isinstance(value, str) and value.strip()}
    return subject_of(next((texts[key] for key in _DESCRIBING_KEYS if key in texts), next(iter(texts.values()), "")))


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
