"""A span of messages as pieces with their sources: who said each, where it belongs in a summary, which names it holds.

Pieces of one source are quoted together. All calls of a tool with the same subject are one source, so that ten edits of
a file are one bullet. What an earlier summary says is read back into the sources that it came from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tailrace.agents.language import cues
from tailrace.agents.language.names import Names
from tailrace.agents.language.pieces import joined_lines, joined_sentences, opened_lines, sentences
from tailrace.agents.messages import attempts
from tailrace.agents.messages.call_text import READ_CHARS, bounded, call_text, patched_files, result_text, subject_of
from tailrace.agents.messages.command_text import doing, printed, unpaged
from tailrace.agents.messages.outcome import failed
from tailrace.agents.messages.program_notes import PROGRAM_ROLE, as_typed, elements, is_note
from tailrace.agents.messages.wording import is_stand_in, late_result_in, without_summary_prefix
from tailrace.agents.summary.extract.bullets import Section, holds_bullets, read
from tailrace.agents.summary.extract.informativeness import tells
from tailrace.agents.summary.extract.own_text import own_sentences
from tailrace.agents.summary.extract.quotations import Piece, QuotationSource, Speaker
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import (
    AnyPart,
    CompactionPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
)

#: What is shorter says nothing, but for what was changed: there it may be an id.
PIECE_CHARS_MIN = 8
#: What is shorter is a remark ("done", "that was the second run"), and tells nothing of the work.
OUTCOME_CHARS_MIN = 400
_LABEL_CHARS_MAX = 80
#: A path is good for nothing without its beginning, and a ledger would have to say it again.
_PATH_CHARS_MAX = 200
LIST_MARKS = " -*•#>"
#: Label of what stands in a message of a user, and is not in the user's own words.
PASTED = "in a message of the user"
#: Behind the name of a tool of which nobody knows whether it did what it was to change.
UNANSWERED = "(no result)"
#: In what comes with a result: it came, and what it says is not known.
UNREAD = "unread"


_IN_A_USERS_NAME = ("user", PROGRAM_ROLE)
#: Who tells what was written into something.
_CONTENT = (Speaker.CALL, Speaker.DETAIL, Speaker.EARLIER)


@dataclass(slots=True, eq=False)
class _Change:
    """Something that a call is to change, and the pieces that tell of it."""

    tool: str
    subject: str
    pieces: list[Piece]
    #: Place of the piece that begins with the subject; -1 if no piece does.
    opening: int = -1
    aim: str = ""


@dataclass(slots=True, eq=False)
class _Call:
    """A call that was made."""

    #: Where what it returns belongs.
    source: QuotationSource
    looks: bool = False
    command: str = ""
    #: Whether another agent answers.
    delegates: bool = False
    #: What it is to change, until a result tells whether it did.
    changes: list[_Change] = field(default_factory=list)


@dataclass(slots=True)
class Span:
    """The pieces of messages that are added one after the other."""

    #: Sentences of people that need no quoting.
    stated_elsewhere: frozenset[str] = frozenset()
    pieces: list[Piece] = field(default_factory=list)
    names: Names = field(default_factory=Names)
    messages: int = 0
    _sources: dict[tuple[Section, str, str], QuotationSource] = field(default_factory=dict)
    _calls: dict[str, _Call] = field(default_factory=dict)
    #: What the assistant said last, if nothing has happened since: mostly why it makes the call that follows.
    _intent: Piece | None = None
    #: What the assistant has reported since its last change, remarks aside.
    _outcome: list[Piece] = field(default_factory=list)
    _place: int = 0

    def add(self, message: Message) -> None:
        """Add the next message."""
        reports = message.role == "assistant" and not message.call_ids
        if message.role == "user":
            self._intent = None  # what was said before a user speaks is not why something is done after it
        for part in message.parts:
            self._add_part(part, message.role, reports=reports)
        if not _is_silent(message):
            self.messages += 1

    def _add_part(self, part: AnyPart, role: str, *, reports: bool) -> None:
        match part:  # the most frequent first
            case ToolCallPart():
                self._add_call(part)
            case ToolCallResponsePart():
                self._add_result(part)
            case TextPart() | RefusalPart() | CompactionPart() if holds_bullets(part.content or ""):
                self._add_earlier(part.content or "")
            case TextPart() | RefusalPart() if role == "assistant":
                self._add_assistant(part.content, reports=reports)
            case TextPart() if role in _IN_A_USERS_NAME and (late := late_result_in(part.content)):
                self._add_late(*late)
            case TextPart() if role in _IN_A_USERS_NAME and (note := _programs_note(part.content, role)) is not None:
                self._cut(joined_lines(note), QuotationSource(Section.FINDINGS, PROGRAM_ROLE), Speaker.TOOL)
            case TextPart() | RefusalPart():
                self._add_demands(part.content, Section.USER if role == "user" else Section.RULES)
            case CompactionPart():
                texts = joined_sentences(without_summary_prefix(part.content or ""))
                self._tell(texts, QuotationSource(Section.FINDINGS), Speaker.EARLIER)
            case _:
                pass  # media has no text, and reasoning is not for others to quote

    def _add_demands(self, text: str, section: Section) -> None:
        """Add what a user or a system prompt says: every sentence for itself, because each may be a demand."""
        user = section is Section.USER
        text = as_typed(text) if user else text
        demands = own_sentences(text) if user else sentences(text)
        pieces = self._cut(demands, QuotationSource(section), Speaker.USER if user else Speaker.SYSTEM)
        typed = frozenset(demands)
        pasted = "\n".join(sentence for sentence in sentences(text) if sentence not in typed) if user else ""
        if pasted:
            self._cut(joined_lines(pasted), QuotationSource(Section.FINDINGS, PASTED), Speaker.TOOL)
        if user and pieces:
            pieces[0].speaker = Speaker.REQUEST
        self._intent = None

    def _add_assistant(self, text: str, *, reports: bool) -> None:
        pieces = self._tell(joined_sentences(text), QuotationSource(Section.FINDINGS), Speaker.ASSISTANT)
        for piece in pieces:
            if reports or cues.DECISION in piece.names:
                piece.speaker = Speaker.REPORT
        if reports and len(text) >= OUTCOME_CHARS_MIN:
            self._take_outcome(pieces)
        self._intent = pieces[-1] if pieces else None

    def _take_outcome(self, outcome: list[Piece]) -> None:
        """Take this for what has come of the work; it holds until something is changed again."""
        for piece in self._outcome:
            piece.speaker = Speaker.REPORT
        for piece in outcome:
            piece.speaker = Speaker.OUTCOME
        self._outcome = outcome

    def _add_earlier(self, text: str) -> None:
        for bullet in read(text):
            tool, _, subject = bullet.label.partition(" ")
            source = self._source(bullet.section, tool, subject, times=bullet.times)
            source.worked = bullet.worked
            # What has no label is prose.
            add = self._cut if bullet.label or bullet.section is not Section.FINDINGS else self._tell
            for quoted in bullet.pieces:
                add([quoted], source, Speaker.EARLIER)

    def _add_call(self, call: ToolCallPart) -> None:
        texts = call_text(call)
        if texts.patch:
            self._add_patch(call, texts.patch)
            return
        changes = cues.call_changes(call.name, texts.operation) or cues.command_changes(texts.command[:READ_CHARS])
        if changes:
            self._take_outcome([])
        # What changes something without a path or a command is told apart by all that it was told.
        aim = unpaged(texts.command) if texts.command and not texts.path else ""
        subject = texts.path or subject_of(unpaged(doing(texts.command)) if aim else texts.argument_text)
        if changes and not texts.path and not texts.command and subject != texts.argument_text:
            subject = ""
        if changes:
            opening = -1 if texts.path else self._place
            change = self._change(call.name, subject, texts.argument_text, opening=opening, aim=aim)
            self._calls[call.id] = _Call(change.pieces[0].source, command=texts.command, changes=[change])
            return
        source = self._source(Section.FINDINGS, call.name, subject, aim)
        if not texts.path:
            source.opening = self._place
        self._calls[call.id] = _Call(source, cues.tool_looks(call.name), texts.command, cues.tool_delegates(call.name))
        self._intent = None
        self._cut(joined_lines(texts.argument_text), source, Speaker.CALL)

    def _add_patch(self, call: ToolCallPart, patch: str) -> None:
        self._take_outcome([])
        changes = [self._change(verb, path, part) for verb, path, part in patched_files(patch)]
        changes = changes or [self._change(call.name, "", "")]
        self._calls[call.id] = _Call(changes[-1].pieces[0].source, changes=changes)

    def _change(self, tool: str, subject: str, argument_text: str, *, opening: int = -1, aim: str = "") -> _Change:
        """Add what a call is to change, with what the assistant said before it.

        It counts as done only once a result says so (`_settle`).
        """
        source = QuotationSource(Section.FINDINGS, f"{_as_label(tool)} {UNANSWERED}", _as_label(subject), opening)
        # A change is worth a bullet even where its label says all.
        texts, begins = opened_lines(argument_text)
        pieces = self._cut(texts or [""], source, Speaker.DETAIL, chars_min=0)
        pieces[begins].speaker = Speaker.CALL
        if self._intent is not None:
            self._intent.source = source
            pieces.append(self._intent)
        self._intent = None
        return _Change(tool, subject, pieces, opening, aim)

    def _settle(self, call: _Call, section: Section) -> None:
        """Tell what a call was to change as done, or as an error."""
        for change in call.changes:
            call.source = self._source(section, change.tool, change.subject, change.aim)
            if section is Section.CHANGES:
                self._overcome(call.source)
                if call.source.times > 1 and change.opening < 0 and cues.tool_overwrites(change.tool):
                    self._forget_content(call.source)
            if change.opening >= 0:
                call.source.opening = change.opening
            for piece in change.pieces:
                piece.source = call.source
        call.changes = []

    def _forget_content(self, source: QuotationSource) -> None:
        """Leave out what stood in something before it was written anew."""
        for piece in self.pieces:
            if piece.source is source and piece.speaker in _CONTENT:
                piece.text = ""
                piece.names.clear()

    def _add_result(self, result: ToolCallResponsePart) -> None:
        self._intent = None
        text = result_text(result)
        call = self._calls.get(result.id) or _Call(QuotationSource(Section.FINDINGS))
        if call.changes:
            self._add_result_of_change(call, result, text)
            return
        lines = joined_lines(printed(text))
        if call.delegates:
            shown = self._tell(lines, call.source, Speaker.REPORT)
        else:
            shown = self._cut(lines, call.source, Speaker.TOOL)
        if not (call.looks or self._take_errors(call, shown, text) or UNREAD in result.extra or is_stand_in(text)):
            self._overcome(call.source)

    def _add_result_of_change(self, call: _Call, result: ToolCallResponsePart, text: str) -> None:
        if is_stand_in(text):
            return
        if attempts.not_done(result, text, call.command):
            self._settle(call, Section.ERRORS)
            # That it failed is worth a bullet even where nothing tells why.
            self._cut(joined_lines(text) or [""], call.source, Speaker.TOOL, chars_min=0)
        else:
            self._settle(call, Section.CHANGES)
            shown = self._cut(joined_lines(printed(text)), call.source, Speaker.TOOL)
            if call.command:  # an editor that did its work shows what stands in a file
                self._take_errors(call, shown, text)

    def _take_errors(self, call: _Call, shown: Sequence[Piece], text: str) -> bool:
        """Tell apart what of a result reports an error, and whether there is any."""
        if not cues.may_hold_errors(text) or attempts.shows_errors_of_others(call.command, text):
            return False
        failures = [piece for piece in shown if cues.is_error(piece.text)]
        if not failures and call.command and attempts.ended_badly(text):
            failures = list(shown[-1:])
        if failures:
            errors = self._source(Section.ERRORS, call.source.tool, call.source.subject, call.source.aim)
            for piece in failures:
                piece.source = errors
        return bool(failures)

    def _overcome(self, source: QuotationSource) -> None:
        """Note of an error that what failed then was done now."""
        errors = self._sources.get((Section.ERRORS, source.tool, source.aim))
        if errors is not None:
            errors.worked = True

    def _add_late(self, call_id: str, text: str) -> None:
        """Add a result that came as a message of its own, after its call was given up."""
        if call_id in self._calls:
            self._add_result(ToolCallResponsePart(id=call_id, response=text))
            return
        section = Section.ERRORS if failed(text) else Section.FINDINGS
        self._cut(joined_lines(bounded(text)), self._source(section, "late result", call_id), Speaker.LATE, chars_min=0)

    def _source(self, section: Section, tool: str, subject: str, aim: str = "", *, times: int = 1) -> QuotationSource:
        """Source of what a tool did to a subject; without a subject there is nothing to recognise it by."""
        tool, subject = _as_label(tool), _as_label(subject)
        if not subject:
            return QuotationSource(section, tool, times=times)
        aim = aim or subject
        # Commands that begin alike are told together, but what failed is the very same command only.
        key = (section, tool, aim if section is Section.ERRORS else subject)
        source = self._sources.get(key)
        if source is None:
            source = self._sources[key] = QuotationSource(section, tool, subject, times=0)
        source.aim = aim
        source.times += times
        source.worked = False
        return source

    def _tell(self, texts: Sequence[str], source: QuotationSource, speaker: Speaker) -> list[Piece]:
        """Add pieces of prose, with what each tells."""
        added = self._cut(texts, source, speaker)
        for piece in added:
            piece.tells = tells(piece.text, piece.names)
        return added

    def _cut(
        self, texts: Sequence[str], source: QuotationSource, speaker: Speaker, *, chars_min: int = PIECE_CHARS_MIN
    ) -> list[Piece]:
        """Add pieces that stood next to each other, and return them."""
        names_of = self.names.of
        if source.section is Section.CHANGES:
            chars_min = 0
        stated_elsewhere = self.stated_elsewhere if source.section <= Section.USER else None
        added = [
            Piece(text, place, self.messages, speaker, source, names_of(text))
            for place, text in enumerate(texts, start=self._place)
            if len(text) >= chars_min and not (stated_elsewhere and text.strip(LIST_MARKS) in stated_elsewhere)
        ]
        if source.section <= Section.USER:
            for piece in added:
                if cues.is_unspaced_demand(piece.text):
                    piece.names.append(cues.DEMAND)
        self.pieces += added
        self._place += len(texts) + 1  # never next to what the following text begins with
        return added


def span_of(messages: Iterable[Message], stated_elsewhere: frozenset[str] = frozenset()) -> Span:
    """The span of these messages."""
    span = Span(stated_elsewhere)
    for message in messages:
        span.add(message)
    return span


def _programs_note(text: str, role: str) -> str | None:
    """Return the text of a program's note, without its tags; None where a person speaks."""
    tagged = elements(text)
    if role != PROGRAM_ROLE and not is_note(tagged):
        return None
    return "\n".join(inside for _, inside in tagged) if tagged else text


def _is_silent(message: Message) -> bool:
    """Tell whether a message only begins a turn, or holds results without text.

    Such a message does not count when the age of a piece is measured.
    """
    return all(isinstance(part, ToolCallResponsePart) and part.response == "" for part in message.parts)


def _as_label(text: str) -> str:
    label = " ".join(text.split()).replace("]", ")")
    if len(label) <= _LABEL_CHARS_MAX:
        return label
    if " " in label:
        return label[:_LABEL_CHARS_MAX]  # words are known by how they begin
    return label if len(label) <= _PATH_CHARS_MAX else f"…{label[1 - _PATH_CHARS_MAX :]}"
