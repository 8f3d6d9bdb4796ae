"""Plans that are written as text: a list below a heading that says so, or a list of boxes; and what a report says is done of one."""

import re
from collections.abc import Iterable
from functools import lru_cache

from tailrace.agents.language.cues import holds_any
from tailrace.agents.ledger.promises import settles, speaks_of, stems_of

ITEMS_MAX = 12
ITEM_CHARS_MAX = 120
#: Before the steps of a text that is nothing but a plan; in a longer one, other lists may come first.
_TITLE_LINES_MAX = 3
#: A single line is no plan.
_ITEMS_MIN = 2
#: Every plan has one of these in it.
PARTS = (
    "lan",
    "teps",
    "[ ]",
    "[x]",
    "\u2610",
    "odo",
    "chritte",
    "tapes",
    "asos",
    "план",
    "计划",
    "計画",
    "步骤",
    "手順",
)

#: A heading of its own line, in small letters. Steps for others, to reproduce or to install something, go on behind the word.
_HEADING = re.compile(
    r"[\s#*_>-]*(?:(?:ok(?:ay)?|so|now|great|sure)[,.!]? )?(?:(?:here(?:'s| is| are)|this is|that's|let me (?:make|write|outline)) )?"
    r"(?:(?:the|my|our|a|an|new|updated?|revised|current|remaining|next|detailed|short|rough|full|overall|implementation|test|work|migration|action) )*"
    r"(?:plan|steps|to-?dos?(?: list)?|checklist|roadmap|tasks|(?:mein |der )?plan|nächste schritte|schritte|(?:mon |le )?plan|étapes|"
    r"(?:mi )?plan|pasos|(?:il mio )?piano|passi|passos|stappen(?:plan)?|план|шаги|计划|計画|步骤|手順)"
    r"(?: (?:for|of|is|are|now|forward|from here|ahead|für|pour|para|per|voor)\b[^\n:]{0,60})?[*_]*\s*[:\uff1a][*_]*\s*$"
)
_ITEM = re.compile(
    r"\s{0,3}(?:(?P<number>\d{1,2})[.)]|[-*+\u2022])\s+(?P<text>\S.*)|\s{0,3}(?P<sign>[\u2610\u2611\u2705\u2714]\ufe0f?\s*\S.*)"
)
_BOX = re.compile(r"(?:\[(?P<mark>[ xX\u2713~/-])\]|(?P<sign>[\u2610\u2611\u2705\u2714])\ufe0f?)\s*")
_DONE_SIGNS = frozenset("xX\u2713\u2611\u2705\u2714")
#: Written behind an item, or through it.
_STRUCK = re.compile(
    r"^~~.*~~$|[\s(\[\u2014-](?:done|completed?|finished|erledigt|fertig|fait|hecho|fatto|feito|gedaan|готово)[)\]!.]*$|\u2705$",
    re.IGNORECASE,
)
_DONE = r"(?:done|completed?|finished|ready|erledigt|fertig|termin(?:ée?s?|ad[oa]s?)|fait(?:e?s)?|hech[oa]s?|fatt[oaie]|feit[oa]s?|gedaan|klaar|готов\w?)"
_STEP = r"(?:steps?|items?|tasks?|points?|schritte?|étapes?|pasos?|passi|passos?|stap(?:pen)?|шаги?)"
_NUMBERS = r"(?P<numbers{}>\d{{1,2}}(?:(?:\s*(?:,|and|&|und|et|y|e|en|и|-)\s*)+\d{{1,2}})*)"
#: "Step 2 is done", "finished steps 1 and 2", in small letters.
_STEPS_DONE = re.compile(
    rf"\b{_STEP} {_NUMBERS.format(1)}(?: (?:is|are|now|has been|have been|ist|sind|est|está))* {_DONE}\b|\b{_DONE}:? (?:with )?{_STEP} {_NUMBERS.format(2)}\b"
)
#: One of these is in every word for a step, and in every word for done; looking for them is much faster.
_STEP_PARTS = ("step", "item", "task", "point", "schritt", "tape", "paso", "pass", "stap", "шаг")
_ANY_PARTS = (*_STEP_PARTS, *PARTS)
_DONE_PARTS = (
    *(
        "done",
        "complete",
        "finished",
        "ready",
        "erledigt",
        "fertig",
        "termin",
        "fait",
        "hech",
        "fatt",
        "feit",
        "gedaan",
        "klaar",
    ),
    "готов",
)
#: "All steps are done", "the plan is complete", in small letters.
_ALL_DONE = re.compile(
    rf"\b(?:all(?: (?:of )?(?:the|these|my|\d+|\w+))?|every|each|alle(?: \d+)?|tou(?:te)?s les|tod[oa]s l[oa]s|tutt[ie] (?:i|le|gli)|tod[oa]s [oa]s|все) {_STEP}(?: \w+){{0,3}} {_DONE}\b|"
    rf"\b(?:plan|план)\w*(?: (?:is|was|has been|ist|wurde|est|está|è))(?: \w+){{0,2}} (?:{_DONE}|carried out|umgesetzt)\b|(?:计划|步骤)[^\n。]{{0,6}}(?:已完成|完成了)"
)
_DENIED = re.compile(
    r"(?:\b(?:not|once|when|until|if|before|after|nicht|wenn|sobald|bis|pas|quand|no|cuando|non|quando|niet|als|не|когда)|n't)\W*(?:\w+\W+){0,2}$"
)
_NEAR_CHARS = 40
_SIGNS = ("\u2705", "\u2714", "\u2611", "[x]", "[X]", "~~")
_BOXES = ("[ ]", "[x]", "[X]", "\u2610", "\u2611", "\u2705", "\u2714")
_NUMBERED = re.compile(r"(\d{1,2})\. ")
_FENCE = "```"


def plan_in(text: str) -> list[str] | None:
    """What is still to do of the last plan in a text, numbered where it is; None where there is no plan."""
    if not holds_any(text, PARTS):
        return None
    found: list[str] | None = None
    lines = text.split("\n")
    place, fenced = 0, False
    while place < len(lines):
        line = lines[place]
        place += 1
        fenced ^= line.lstrip().startswith(_FENCE)
        if fenced:
            continue  # steps of a program are nobody's plan
        headed = line.rstrip("*_ ").endswith((":", "\uff1a")) and _HEADING.match(line.lower()) is not None
        if not headed and not holds_any(line, _BOXES):
            continue
        items, after = _items(lines, place if headed else place - 1)
        if len(items) >= _ITEMS_MIN and (headed or _are_boxes(items)):
            found = [told for number, one in items if (told := _told(number, one))][:ITEMS_MAX]
        place = max(after, place)
    return found


def steps_in(text: str) -> list[str] | None:
    """What is still to do of a text that is a plan as a whole: of its list of steps, or of the one list that it begins with; None where it has neither."""
    planned = plan_in(text)
    if planned is not None:
        return planned
    lines = [line for line in text.split("\n") if line.strip()]
    for place, line in enumerate(lines[:_TITLE_LINES_MAX]):
        items, _ = _items(lines, place) if _ITEM.match(line) else ([], place)
        if len(items) >= _ITEMS_MIN:
            return [told for number, one in items if (told := _told(number, one))][:ITEMS_MAX]
    return None


def _are_boxes(items: Iterable[tuple[str, str]]) -> bool:
    """Whether every item has a box, and not all of them signs of success, as reports have them."""
    boxes = [_BOX.match(one) for _, one in items]
    return None not in boxes and any(box["mark"] or box["sign"] == "\u2610" for box in boxes if box)


def left_of(steps: list[str], report: str, *, in_words: bool) -> list[str]:
    """The items of a plan that a report does not call done: by their numbers, all at once or by a mark, and also `in_words`."""
    done: set[str] = set()
    small = report.lower()
    if holds_any(small, _STEP_PARTS if not in_words else _ANY_PARTS) and holds_any(small, _DONE_PARTS):
        if any(not _DENIED.search(small[: found.start()][-_NEAR_CHARS:]) for found in _ALL_DONE.finditer(small)):
            return []
        for found in _STEPS_DONE.finditer(small):
            done.update(re.findall(r"\d+", found["numbers1"] or found["numbers2"]))
    marked = _marked(report) if holds_any(report, _SIGNS) else ""
    if not (done or marked or in_words):
        return steps
    return [
        one
        for one in steps
        if not ((number := _NUMBERED.match(one)) and number[1] in done)
        and not (marked and one.partition(". ")[2 if number else 0].removesuffix(" …").lower() in marked)
        and not (in_words and _is_told_done(one, small))
    ]


def _marked(report: str) -> str:
    """The lines of a report that have a mark of what is done, in small letters."""
    return "\n".join(line.lower() for line in report.split("\n") if holds_any(line, _SIGNS))


@lru_cache(maxsize=256)
def _stems(step: str) -> frozenset[str]:
    return stems_of(_NUMBERED.sub("", step, count=1))


def _is_told_done(step: str, small: str) -> bool:
    """Whether a report tells in words that a step was taken; one word in common says too little."""
    stems = _stems(step)
    return len(stems) > 1 and speaks_of(small, stems) and settles(small, stems)


def _items(lines: list[str], place: int) -> tuple[list[tuple[str, str]], int]:
    """Items of the list that begins at a line, past empty ones, with their numbers; and where it ends. What stands below an item is its own."""
    items: list[tuple[str, str]] = []
    while place < len(lines):
        line = lines[place]
        item = _ITEM.match(line)
        if item:
            items.append((item["number"] or "", item["text"] or item["sign"]))
        elif line.strip() and not (items and line.startswith((" ", "\t"))):
            break
        place += 1
    return items, place


def _told(number: str, item: str) -> str:
    """An item as it is told; empty where it is done."""
    box = _BOX.match(item)
    if box and (box["mark"] or box["sign"]) in _DONE_SIGNS:
        return ""
    text = " ".join(item[box.end() if box else 0 :].replace("**", "").split())
    if not text or _STRUCK.search(text):
        return ""
    text = text if len(text) <= ITEM_CHARS_MAX else text[: text.rfind(" ", 0, ITEM_CHARS_MAX)] + " …"
    return f"{number}. {text}" if number else text
