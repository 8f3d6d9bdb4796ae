"""What was done and found, from calls and reports: files read and changed, commands with their exit codes, addresses, decisions, figures.

Of a tool's output only the outcome is looked at, never its claims: a file that a tool printed has not been decided by anybody.
"""

import re
from dataclasses import dataclass, field

import msgspec

from tailrace.agents import cues
from tailrace.agents.call_text import READ_CHARS, CallTarget, call_text, holds_patch, patched_files
from tailrace.schemas.ledger import Evidence, EvidenceKind
from tailrace.schemas.parts import Json, ToolCallPart

#: The newest are kept: what a long thread did in its beginning is in its records.
EVIDENCE_MAX, EVIDENCE_KEPT = 250, 200
TEXT_CHARS_MAX = 160
#: How much of a result is looked at for its exit code: outcomes stand at the beginning or at the end.
OUTCOME_CHARS = 200
#: Reports above this are documents; their beginning and end are read.
REPORT_CHARS_MAX = 2_000

#: Of one message, and of all: what is said over and over is the one thing that is meant.
IDENTIFIERS_OF_MESSAGE, IDENTIFIERS_KEPT = 8, 40

#: What goes only when there is nothing else: what was changed stays changed.
_LASTING = frozenset((EvidenceKind.CHANGED, EvidenceKind.DECISION))
# Asked of every call, so by a name of the module: Python 3.11 takes ten times as long to find a member of an enum.
_CHANGED, _RAN, _READ = EvidenceKind.CHANGED, EvidenceKind.RAN, EvidenceKind.READ
_EXIT = re.compile(
    r"[Ee]xit(?:ed)?(?: with)?(?: code| status)?[:= ]+(-?\d{1,3})\b|\"(?:exit_?code|returncode)\": ?(-?\d{1,3})"
)
_ADDRESS = re.compile(r"https?://[^\s\"'<>()\[\]{}`\\|,]+")
#: Numbers of orders and tickets, codes of bookings, hashes: letters and digits of one word, which no name of a file, a version or an
#: amount is. At least one digit is in it, and it begins with a capital or a digit, or with the sign for a number.
_IDENTIFIER = re.compile(
    r"(?<![\w./@:#\\-])(?:#\d{2,}|(?=[\w-]*\d)(?:[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*|[0-9a-f]{8,40}(?:-[0-9a-f]{4,12}){0,4}))(?![\w/@(\\-]|\.\w)"
)
_IDENTIFIER_CHARS_MIN = 5
_DECISIONS = (
    *(
        "decided",
        "decision",
        "chose",
        "agreed",
        "going with",
        "we'll use",
        "we will use",
        "root cause",
        "conclusion",
        "entschieden",
    ),
    *("entscheidung", "décidé", "decidido", "deciso", "решили"),
)
_FIGURE = re.compile(
    r"\d[\d.,]* ?(?:%|ms\b|sec|min\b|minutes|hours|[KMG]i?B\b|bytes|tokens|rows|lines|files|tests|errors|USD|EUR|euro|dollars|km\b|kg\b|"
    r"°C|requests|x\b)"
)
_MONEY = re.compile(r"[$€£]\d")
_SENTENCE = re.compile(r"[^\n.!?\u3002]+(?:[.!?](?![ \n]|$)[^\n.!?\u3002]*)*[.!?\u3002]?")
_START_KEYS = ("offset", "start_line", "start", "line_start", "from_line")
_END_KEYS = ("end_line", "end", "line_end", "to_line")
_LIMIT_KEYS = ("limit",)
_RANGE_KEYS = frozenset((*_START_KEYS, *_END_KEYS))


@dataclass(slots=True)
class EvidenceLog:
    """Evidence by what it is about; the newest last."""

    items: dict[tuple[EvidenceKind, str], Evidence] = field(default_factory=dict)
    #: What each open call will be evidence of.
    waiting: dict[str, tuple[EvidenceKind, str]] = field(default_factory=dict)

    def call(self, call: ToolCallPart, target: CallTarget, source: str) -> None:
        """Note what a call does to a path, or which command it runs."""
        if holds_patch(call):
            for verb, patched, _ in patched_files(call_text(call).patch):
                self._add(_CHANGED, patched, source, verb)
            return
        path, command, arguments = target
        changes = cues.tool_changes(call.name)
        if command:
            self._add(_RAN, command.partition("\n")[0], source, "", call.id)
        if path:
            changes = changes or (bool(command) and cues.command_changes(command[:READ_CHARS]))
            detail = call.name if changes else _lines(arguments)
            self._add(_CHANGED if changes else _READ, path, source, detail)
        elif changes and not command:
            self._add(_CHANGED, f"{call.name} {call_text(call).told}", source, "", call.id)

    def result(self, call_id: str, text: str) -> None:
        """Note how a call ended."""
        key = self.waiting.pop(call_id, None)
        item = self.items.get(key) if key is not None else None
        if key is None or item is None:
            return
        ends = text if len(text) <= 2 * OUTCOME_CHARS else f"{text[:OUTCOME_CHARS]}\n{text[-OUTCOME_CHARS:]}"
        code = _EXIT.search(ends) if "xit" in ends or "returncode" in ends else None
        failed = code is None and cues.may_hold_errors(ends) and cues.is_error(ends)
        outcome = f"exit {code[1] or code[2]}" if code else "error" if failed else ""
        self.items[key] = msgspec.structs.replace(item, detail=outcome, call="")

    def said(self, text: str, *, source: str) -> None:
        """Note the addresses and identifiers that somebody names."""
        if "://" in text:
            for address in _ADDRESS.findall(text):
                self._add(EvidenceKind.ADDRESS, address.rstrip(".,;:"), source)
        if len(text) <= REPORT_CHARS_MAX:
            found = [one for one in _IDENTIFIER.findall(text) if len(one) >= _IDENTIFIER_CHARS_MIN or one[0] == "#"]
            for one in dict.fromkeys(found[:IDENTIFIERS_OF_MESSAGE]):
                self._identify(one, source)

    def _identify(self, text: str, source: str) -> None:
        self._add(EvidenceKind.IDENTIFIER, text, source)
        known = [key for key in self.items if key[0] is EvidenceKind.IDENTIFIER]
        if len(known) > IDENTIFIERS_KEPT:
            del self.items[known[0]]

    def reported(self, text: str, *, source: str) -> None:
        """Note decisions and figures of a report, in the assistant's own words."""
        half = REPORT_CHARS_MAX // 2
        text = text if len(text) <= REPORT_CHARS_MAX else f"{text[:half]}\n{text[-half:]}"
        small = text.lower()
        for word in _DECISIONS:
            if word in small and (place := small.find(word)) < len(text):
                self._quote(EvidenceKind.DECISION, text, place, source)
        # One pattern for both would take several times as long: each begins with something that is quickly looked for.
        for pattern in (_FIGURE, _MONEY) if "$" in text or not text.isascii() else (_FIGURE,):
            end = -1
            for match in pattern.finditer(text):
                if match.start() >= end:
                    end = self._quote(EvidenceKind.FIGURE, text, match.start(), source)

    def _quote(self, kind: EvidenceKind, text: str, place: int, source: str) -> int:
        """Note the sentence around a place, and return where it ends."""
        start = max(text.rfind("\n", 0, place), text.rfind(". ", 0, place)) + 1
        sentence = _SENTENCE.match(text, start)
        end = sentence.end() if sentence else place
        self._add(kind, text[start:end].strip(" -*#|\n"), source)
        return end

    def _add(self, kind: EvidenceKind, text: str, source: str, detail: str = "", call_id: str = "") -> None:
        """Note something; where its outcome is still to come, with the id of its call."""
        if len(text) > TEXT_CHARS_MAX or "  " in text or "\n" in text or "\t" in text:
            text = " ".join(text[: 2 * TEXT_CHARS_MAX].split())
            text = text if len(text) <= TEXT_CHARS_MAX else text[: TEXT_CHARS_MAX - 2] + " …"
        key = (kind, text)
        former = self.items.pop(key, None)
        if former is not None and kind is _READ and former.detail != detail:
            detail = _joined(former.detail, detail)
        self.items[key] = Evidence(kind=kind, text=text, source=source, detail=detail, call=call_id)
        if call_id:
            self.waiting[call_id] = key
        if len(self.items) > EVIDENCE_MAX:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        """Forget a fifth: the oldest of what passes, then of what lasts. Seldom, because each time it looks at everything."""
        passing = [key for key in self.items if key[0] not in _LASTING]
        lasting = [key for key in self.items if key[0] in _LASTING]
        for key in [*passing, *lasting][: len(self.items) - EVIDENCE_KEPT]:
            del self.items[key]


def _lines(arguments: dict[str, Json]) -> str:
    """Return which lines of a file were asked for; empty for all of them."""
    if _RANGE_KEYS.isdisjoint(arguments):
        return ""
    start, end, limit = _number(arguments, _START_KEYS), _number(arguments, _END_KEYS), _number(arguments, _LIMIT_KEYS)
    if end is None and start is not None and limit is not None:
        end = start + limit - 1
    if start is None and end is None:
        return ""
    return f"lines {start or 1}-{end or 'end'}"


def _number(arguments: dict[str, Json], keys: tuple[str, ...]) -> int | None:
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, int):
            return value
    return None


def _joined(former: str, detail: str) -> str:
    """Both ranges, or none where one of them is the whole file."""
    if not former or not detail or detail in former:
        return former and detail and former
    joined = f"{former}, {detail.removeprefix('lines ')}"
    return joined if len(joined) <= TEXT_CHARS_MAX else detail
