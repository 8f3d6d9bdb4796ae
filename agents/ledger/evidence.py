"""What was done and found, from calls and reports: files read and changed, commands with their exit codes, addresses, decisions, figures.

Of a tool's output only the outcome is looked at, never its claims: a file that a tool printed has not been decided by anybody.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tailrace.agents.language import cues
from tailrace.agents.ledger.decisions import may_take_back, places_of_decisions, takes_back
from tailrace.agents.ledger.person_questions import answers_to, asks_by_name, questions_of
from tailrace.agents.ledger.questions import with_answer
from tailrace.agents.messages.call_text import READ_CHARS, call_target, call_text, holds_patch, patched_files
from tailrace.agents.messages.exit_codes import exit_code
from tailrace.agents.messages.outcome import COMPLAINT_CHARS_MAX, ends_of, failed
from tailrace.schemas.records.ledger import Evidence, EvidenceKind
from tailrace.schemas.records.parts import Json, ToolCallPart

#: The newest are kept: what a long thread did in its beginning is in its records.
EVIDENCE_MAX, EVIDENCE_KEPT = 250, 200
TEXT_CHARS_MAX = 160
#: More calls than this are not open at once; the oldest have been given up.
WAITING_MAX = 100
#: Reports above this are documents; their beginning and end are read.
REPORT_CHARS_MAX = 2_000

#: Of one message, and of all: what is said over and over is the one thing that is meant.
IDENTIFIERS_OF_MESSAGE, IDENTIFIERS_KEPT = 8, 40

#: Before the name of the tool that asked a person.
_ANSWERED_BY = "the user, by"
#: How something ended of which no more is known.
_ERROR = "error"
#: What goes only when there is nothing else: what was changed stays changed.
_LASTING = frozenset((EvidenceKind.CHANGED, EvidenceKind.DECISION))
_CHANGED, _RAN, _READ, _DECISION = EvidenceKind.CHANGED, EvidenceKind.RAN, EvidenceKind.READ, EvidenceKind.DECISION
_ADDRESS = re.compile(r"https?://[^\s\"'<>()\[\]{}`\\|,]+")
#: Numbers of orders and tickets, codes of bookings, hashes: letters and digits of one word, which no name of a file, a version or an
#: amount is. At least one digit is in it, and it begins with a capital or a digit, or with the sign for a number.
_IDENTIFIER = re.compile(
    # One character first, and what stands before it then: so the engine leaps to the next that may begin one.
    r"[#0-9A-Za-f](?<![\w./@:#\\-].)(?:(?<=#)\d{2,}|(?:(?<=\d)|(?=[\w-]*\d))"
    r"(?:(?<=[A-Z])[A-Z0-9]*(?:[-_][A-Z0-9]+)*|(?<=[0-9a-f])[0-9a-f]{7,39}(?:-[0-9a-f]{4,12}){0,4}))(?![\w/@(\\-]|\.\w)",
    re.DOTALL,
)
_IDENTIFIER_CHARS_MIN = 5
_FIGURE = re.compile(
    r"\d[\d.,]* ?(?:%|ms\b|sec|min\b|minutes|hours|[KMG]i?B\b|bytes|tokens|rows|lines|files|tests|errors|USD|EUR|euro|dollars|km\b|kg\b|"
    r"°C|requests|x\b)"
)
_MONEY = re.compile(r"[$€£]\d")
_SENTENCE = re.compile(r"[^\n.!?\u3002]+(?:[.!?](?![ \n]|$)[^\n.!?\u3002]*)*[.!?\u3002]?")
_START, _END, _LIMIT = range(3)
#: What arguments say of lines: the first, the last, and how many.
_LINE_KEYS = {
    **dict.fromkeys(("offset", "start_line", "start", "line_start", "from_line"), _START),
    **dict.fromkeys(("end_line", "end", "line_end", "to_line"), _END),
    "limit": _LIMIT,
}
#: First and last line in a list.
_BOTH_KEYS = ("view_range", "line_range", "range")
_BOTH = 2
_LINES_SAID = frozenset((*_LINE_KEYS, *_BOTH_KEYS)) - {"limit"}


#: Kind, text, source and detail of what will have been done.
_ToDo = tuple[EvidenceKind, str, str, str]


@dataclass(slots=True)
class EvidenceLog:
    """Evidence by what it is about; the newest last."""

    items: dict[tuple[EvidenceKind, str], Evidence] = field(default_factory=dict)
    #: Open calls with the messages that made them, or what is known of what they do: it is read when a result says that it was done.
    waiting: dict[str, tuple[ToolCallPart, str] | list[_ToDo]] = field(default_factory=dict)

    @classmethod
    def of(cls, evidence: Iterable[Evidence]) -> "EvidenceLog":
        """Return a log that holds this evidence, and waits for what is still open of it."""
        log = cls()
        log.take(evidence)
        return log

    def take(self, evidence: Iterable[Evidence]) -> None:
        """Take in what another log holds, all of which is newer."""
        for item in evidence:
            if item.call:
                known = self.waiting.get(item.call)
                to_do = known if isinstance(known, list) else []
                self.waiting[item.call] = [*to_do, (item.kind, item.text, item.source, item.detail)]
            else:
                self.items.pop((item.kind, item.text), None)
                self.items[item.kind, item.text] = item

    def __iter__(self) -> Iterator[Evidence]:
        """Yield what was done, then what is still open, with its call."""
        yield from self.items.values()
        for call_id, waiting in self.waiting.items():
            for kind, text, source, detail in waiting if isinstance(waiting, list) else _to_do(*waiting):
                # A question is looked for in its answer, word for word.
                told = text if kind is _DECISION else _squeezed(text)
                yield Evidence(kind=kind, text=told, source=source, detail=detail, call=call_id)

    def call(self, call: ToolCallPart, source: str) -> None:
        """A call was made; its result will tell whether it did what it was to do."""
        self.waiting[call.id] = call, source
        if len(self.waiting) > WAITING_MAX:
            del self.waiting[next(iter(self.waiting))]

    def asks(self, call_id: str) -> bool:
        """Tell whether an open call asks a person something."""
        waiting = self.waiting.get(call_id)
        if isinstance(waiting, list):
            return bool(waiting) and waiting[0][0] is _DECISION
        return waiting is not None and bool(questions_of(waiting[0]))

    def result(self, call_id: str, text: str, *, refused: bool = False, source: str = "") -> None:
        """Note what a call did, and how it ended. `refused` where its producer says that it failed; `source` is the result's message."""
        waiting = self.waiting.pop(call_id, None)
        if waiting is None:
            return
        to_do = waiting if isinstance(waiting, list) else _to_do(*waiting)
        if to_do and to_do[0][0] is _DECISION:
            if not refused:
                self._chosen(to_do, text, source)
            return
        for kind, said, made_by, detail in to_do:
            if kind is _RAN:
                self._add(kind, said, made_by, _ending(text) or (_ERROR if refused else ""))
            elif kind is _READ:
                if not refused and (len(text) > COMPLAINT_CHARS_MAX or not failed(text)):
                    self._add(kind, said, made_by, detail)
            elif refused or failed(text):
                # Tried, not done. What was done to the same before still is.
                self._add(_RAN, f"{detail} {said}".lstrip(), made_by, _ERROR)
            else:
                self._add(kind, said, made_by, detail)
                self.items.pop((_RAN, f"{detail} {said}"), None)

    def _chosen(self, asked: list[_ToDo], text: str, source: str) -> None:
        """Note what a person chose where a call asked them; who brought the answer stands beside it."""
        tools = {question: (made_by, tool) for _, question, made_by, tool in asked}
        for question, answer in answers_to([*tools], text):
            made_by, tool = tools[question]
            self.decided(with_answer(question, answer), source=source or made_by, detail=f"{_ANSWERED_BY} {tool}")

    def corrected(self, text: str, *, source: str) -> None:
        """Note where a person takes back what was decided."""
        text = text[:REPORT_CHARS_MAX]
        former = [key[1] for key in self.items if key[0] is _DECISION] if may_take_back(text) else []
        for sentence in _SENTENCE.findall(text) if former else ():
            if takes_back(sentence, former):
                self.decided(sentence.strip(), source=source)

    def said(self, text: str, *, source: str) -> None:
        """Note the addresses and identifiers that somebody names."""
        if "://" in text:
            for address in _ADDRESS.findall(text):
                self._add(EvidenceKind.ADDRESS, address.rstrip(".,;:"), source)
        if len(text) <= REPORT_CHARS_MAX:
            # None goes over a space, and most words are of letters alone: to leave those out takes a fraction of looking at them.
            coded = " ".join([word for word in text.split() if not word.isalpha()])
            found = [one for one in _IDENTIFIER.findall(coded) if len(one) >= _IDENTIFIER_CHARS_MIN or one[0] == "#"]
            for one in dict.fromkeys(found[:IDENTIFIERS_OF_MESSAGE]):
                self._identify(one, source)

    def _identify(self, text: str, source: str) -> None:
        self._add(EvidenceKind.IDENTIFIER, text, source)
        known = [key for key in self.items if key[0] is EvidenceKind.IDENTIFIER]
        if len(known) > IDENTIFIERS_KEPT:
            del self.items[known[0]]

    def decided(self, text: str, *, source: str, detail: str = "") -> None:
        """Note a decision, in the place of those that it takes back."""
        for former in takes_back(text, [key[1] for key in self.items if key[0] is _DECISION]):
            del self.items[_DECISION, former]
        self._add(_DECISION, text, source, detail)

    def reported(self, text: str, *, source: str) -> None:
        """Note decisions and figures of a report, in the assistant's own words."""
        half = REPORT_CHARS_MAX // 2
        text = text if len(text) <= REPORT_CHARS_MAX else f"{text[:half]}\n{text[-half:]}"
        end = -1
        for place in places_of_decisions(text):
            if place >= end:
                end, sentence = _sentence(text, place)
                if not sentence.endswith("?"):  # nobody decides by asking
                    self.decided(sentence, source=source)
        # One pattern for both would take several times as long: each begins with something that is quickly looked for.
        for pattern in (_FIGURE, _MONEY) if "$" in text or not text.isascii() else (_FIGURE,):
            end = -1
            for match in pattern.finditer(text):
                if match.start() >= end:
                    end, sentence = _sentence(text, match.start())
                    self._add(EvidenceKind.FIGURE, sentence, source)

    def _add(self, kind: EvidenceKind, text: str, source: str, detail: str = "") -> None:
        text = _squeezed(text)
        key = (kind, text)
        former = self.items.pop(key, None)
        if former is not None and kind is _READ and former.detail != detail:
            detail = _joined(former.detail, detail)
        self.items[key] = Evidence(kind=kind, text=text, source=source, detail=detail)
        if len(self.items) > EVIDENCE_MAX:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        """Forget a fifth: the oldest of what passes, then of what lasts. Seldom, because each time it looks at everything."""
        passing = [key for key in self.items if key[0] not in _LASTING]
        lasting = [key for key in self.items if key[0] in _LASTING]
        for key in [*passing, *lasting][: len(self.items) - EVIDENCE_KEPT]:
            del self.items[key]


def _sentence(text: str, place: int) -> tuple[int, str]:
    """Where the sentence around a place ends, and what it says."""
    start = max(text.rfind(mark, 0, place) for mark in ("\n", ". ", "? ", "! ")) + 1
    sentence = _SENTENCE.match(text, start)
    end = sentence.end() if sentence else place
    return end, text[start:end].strip(" -*#|\n")


def _to_do(call: ToolCallPart, source: str) -> list[_ToDo]:
    """What a call is to do to a path, or which command it is to run."""
    if asks_by_name(call.name) and (asked := questions_of(call)):
        return [(_DECISION, question, source, call.name) for question in asked]
    path, command, operation, arguments = call_target(call)
    if not path and holds_patch(call):
        return [(_CHANGED, file, source, verb) for verb, file, _ in patched_files(call_text(call).patch)]
    changes = cues.call_changes(call.name, operation) if operation else cues.tool_changes(call.name)
    to_do: list[_ToDo] = []
    if command:
        to_do.append((_RAN, command.partition("\n")[0], source, ""))
    if path:
        changes = changes or (bool(command) and cues.command_changes(command[:READ_CHARS]))
        detail = (operation or call.name) if changes else _lines(arguments)
        to_do.append((_CHANGED if changes else _READ, path, source, detail))
    elif changes and not command:
        to_do.append((_CHANGED, f"{call.name} {call_text(call).argument_text}", source, ""))
    return to_do


def _squeezed(text: str) -> str:
    """A text in one line, and not too long."""
    if len(text) > TEXT_CHARS_MAX or "  " in text or "\n" in text or "\t" in text:
        text = " ".join(text[: 2 * TEXT_CHARS_MAX].split())
    # What was clipped once is read again from a ledger, and must stay what it is.
    return text if len(text) <= TEXT_CHARS_MAX else text[: TEXT_CHARS_MAX - 2].rstrip() + " …"


def _ending(text: str) -> str:
    """How a command ended; empty where nothing tells."""
    ends = ends_of(text)
    code = exit_code(ends)
    if code is not None:
        return f"exit {code}"
    return _ERROR if cues.may_hold_errors(ends) and cues.is_error(ends) else ""


def _lines(arguments: dict[str, Json]) -> str:
    """Return which lines of a file were asked for; empty for all of them."""
    if _LINES_SAID.isdisjoint(arguments):
        return ""
    said: list[int | None] = [None, None, None]
    for key, value in arguments.items():
        if key in _LINE_KEYS and type(value) is int:
            said[_LINE_KEYS[key]] = value
        elif key in _BOTH_KEYS and isinstance(value, list) and len(value) == _BOTH and type(value[0]) is int:
            said[_START], said[_END] = value[0], value[1] if type(value[1]) is int and value[1] > 0 else None
    start, end, limit = said
    if end is None and start is not None and limit is not None:
        end = start + limit - 1
    if start is None and end is None:
        return ""
    return f"lines {start or 1}-{end or 'end'}"


def _joined(former: str, detail: str) -> str:
    """Both ranges, or none where one of them is the whole file."""
    if not former or not detail or detail in former:
        return former and detail and former
    joined = f"{former}, {detail.removeprefix('lines ')}"
    return joined if len(joined) <= TEXT_CHARS_MAX else detail
