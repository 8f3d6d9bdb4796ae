"""Plans that a call writes: the open items of a list of steps, each with its status, or of a plan in words."""

import re
from collections.abc import Mapping
from functools import lru_cache

from tailrace.agents.ledger.plans import ITEM_CHARS_MAX, ITEMS_MAX, steps_in
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.parts import Json

#: Between the items of a plan.
PLAN_JOINT = "; "
#: What a plan may take of the room that all open things have together.
PLAN_CHARS_MAX = 600

_PLAN = re.compile(r"todo|plan|tasklist|task_list|checklist", re.IGNORECASE)
_PLAN_KEYS = ("todos", "plan", "items", "tasks", "steps", "todo_list")
_ITEM_KEYS = ("content", "step", "text", "title", "task", "description", "name")
_DONE = frozenset(("completed", "complete", "done", "finished", "cancelled", "canceled"))

_decode_json = decoder()


@lru_cache(maxsize=1024)
def writes_plans(tool: str) -> bool:
    """Tell whether a tool of this name may write a plan."""
    return _PLAN.search(tool) is not None


def plan_text(arguments: Json) -> str | None:
    """Return the open items of a plan, the one in progress first; None if the arguments hold no plan."""
    if isinstance(arguments, str):
        try:
            arguments = _decode_json(arguments)
        except PoisonEvent:
            return None
    if not isinstance(arguments, Mapping):
        return None
    items = next((arguments[key] for key in _PLAN_KEYS if isinstance(arguments.get(key), list)), None)
    if items is None:
        written = next((arguments[key] for key in _PLAN_KEYS if isinstance(arguments.get(key), str)), "")
        steps = steps_in(written)
        return None if steps is None else joined(steps)
    running: list[str] = []
    waiting: list[str] = []
    for item in items:
        text, status = _item(item)
        if text and status not in _DONE:
            (running if "progress" in status else waiting).append(text)
    return joined([*running, *waiting])


def joined(steps: list[str]) -> str:
    """The steps of a plan as one text; of a long one the first, and how many more there are."""
    told: list[str] = []
    left_chars = PLAN_CHARS_MAX
    for step in steps[:ITEMS_MAX]:
        left_chars -= len(step) + len(PLAN_JOINT)
        if left_chars < 0 and told:
            break
        told.append(step)
    more = len(steps) - len(told)
    return PLAN_JOINT.join([*told, f"and {more} more"] if more else told)


def _item(item: Json) -> tuple[str, str]:
    if isinstance(item, str):
        return _clip(item), ""
    if not isinstance(item, Mapping):
        return "", ""
    text = next((item[key] for key in _ITEM_KEYS if isinstance(item.get(key), str)), "")
    return _clip(text), str(item.get("status", "")).lower()


def _clip(text: str) -> str:
    squeezed = " ".join(text[: 2 * ITEM_CHARS_MAX].split())
    return squeezed if len(squeezed) <= ITEM_CHARS_MAX else squeezed[: squeezed.rfind(" ", 0, ITEM_CHARS_MAX)] + " …"
