"""What messages that leave a context are noted for, the newest of them.

A ledger has no room for all that a long thread did.

What is owed is told from the messages since the last ledger, in their order, whether they leave or not: what one leaves
open, a later one may have ended. It is read once for a plan; of words only the newest, for what was said long before is
done or forgotten, and of results only how they end. What was done and found is asked for once, at the end.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from tailrace.agents.ledger.book import Book, note_words, spoken_text
from tailrace.agents.ledger.evidence import EVIDENCE_KEPT, EvidenceLog
from tailrace.agents.ledger.moment import Moment
from tailrace.agents.ledger.obligations import Obligations
from tailrace.agents.ledger.open_question import OpenQuestion
from tailrace.agents.ledger.questions import answers
from tailrace.agents.ledger.unclassified_statements import held, said_in
from tailrace.agents.messages.groups import GroupKind, kind_of
from tailrace.agents.messages.outcome import is_refusal
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.messages.wording import late_results_in, tells_late, without_distilled_prefix
from tailrace.agents.plan.draft.item import Item
from tailrace.agents.secrets.scan import mask_secrets
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.ledger import Evidence, Ledger, Obligation, ObligationKind, UnclassifiedStatement
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE

#: Calls that are read for what they did, and results for what goes on behind them.
CALLS_MAX = EVIDENCE_KEPT
#: Reports of the assistant that are read for decisions and figures, and messages of people for addresses.
WORDS_MAX = 40
#: Reports that are read for questions, plans and promises, as many that stand beside calls, and messages of people for
#: what they ask for. Between two compactions of a thread there are seldom more.
OWING_MAX = 30
#: Messages of people that are read for what no rule knows. A compaction seldom takes more.
SAID_IN_MAX = 200
#: How much of a long result is looked at, at both ends, as JSON: only its outcome is wanted.
_OUTCOME_BYTES = 300
_RESPONSE = b'"response":'
_OPENING = re.compile(r'^(?:\[\{[^{}]{0,60}"text": ?)?"?')
#: Marks of a producer stand before what the tool said.
_REFUSED = re.compile(rb'"is_error": ?true|"status": ?"error"')
_STUB, _STAND_IN = EntryKind.STUB, EntryKind.STAND_IN
_USER = GroupKind.USER


class Notes:
    """The messages of a context: says what was done in those that leave, and what is owed in the thread."""

    def __init__(self, items: Sequence[Item], before: Ledger, *, since_offset: int = -1) -> None:
        """Take all messages in their order, and the ledger of the time when the log was at `since_offset`."""
        self._before = before
        self._items = items
        self._from_people: list[Item] = []
        self._calls: list[Item] = []
        self._words: list[Item] = []
        #: Calls that an earlier compaction has shortened; a ledger that was not written anew then has no note of them.
        self._shortened: list[Item] = []
        #: What the ledger does not know yet.
        self._new: list[Item] = []
        #: Results that came as messages of their own, because their calls had left; a person may have said something
        #: beside them.
        self._late: dict[str, str] = {}
        results: list[Item] = []
        #: What is new by who speaks, alone and beside calls.
        spoken: dict[str, tuple[list[Item], list[Item]]] = {"user": ([], []), "assistant": ([], [])}
        for item in items:
            entry = item.entry
            role, calls, answers, compaction = entry.role, entry.calls, entry.answers, entry.compaction
            if role == "user" and kind_of(entry) is _USER:
                self._from_people.append(item)
            # What stands for others was noted when those left.
            if compaction is None and not answers:
                (self._calls if calls else self._words).append(item)
            elif role == "assistant" and entry.kind is _STUB:
                self._shortened.append(item)
            # A result may be short: how it ended still stands there.
            if (compaction is None or answers) and entry.offset > since_offset:
                self._new.append(item)
                if answers:
                    results.append(item)
                if role in spoken:
                    spoken[role][bool(calls)].append(item)
            if entry.source == PROGRAM_SOURCE or (role == "user" and tells_late(entry.message)):
                self._late.update(_late_results(item))
        #: Messages whose words are read for what is owed: the newest of what people say, of reports, and of what is
        #: said beside calls.
        self._heard = _newest_identities(spoken.values())
        #: Results that are read for what has begun or ended by them.
        self._weighed = frozenset(map(id, results[-CALLS_MAX:]))
        #: Calls of which only that they were answered is to be known.
        self._over = _answered_calls(results[:-CALLS_MAX])
        #: How calls ended, which is asked for what is owed and for what was done.
        self._outcomes: dict[tuple[int, str], tuple[str, bool]] = {}
        self._owed: tuple[Obligation, ...] | None = None

    def owed(self) -> tuple[Obligation, ...]:
        """What is owed in the thread, by messages that have left and by those that are there."""
        if self._owed is None:
            owed, read = self._obligations()
            sources = {obligation.source for obligation in owed}
            # Secrets are looked for where something is to be shown: that costs more than reading.
            hiding = [item for item in read if item.entry.id in sources and item.original is not item.unmasked]
            self._owed = self._obligations(frozenset(map(id, hiding)))[0] if hiding else owed
        return self._owed

    def _obligations(self, hiding: frozenset[int] = frozenset()) -> tuple[tuple[Obligation, ...], list[Item]]:
        """What is owed once all that is new is noted, and the messages that were read for it.

        Of those in `hiding` without their secrets.
        """
        owed = Obligations.of(self._before.obligations)
        weighed, newest, over = self._weighed, self._heard, self._over
        read: list[Item] = []
        for item in self._new:
            entry = item.entry
            if owed.jobs:
                owed.pass_time(entry.created_at_ms, entry.turn)
            # No stand-in is a result, and what waits for one may still be at work.
            for call_id in entry.answers if owed.calls and entry.kind is not _STAND_IN else ():
                if id(item) not in weighed:
                    owed.calls.pop(call_id, None)
                elif call_id in owed.calls and not owed.closes(call_id):
                    text, refused = self._outcome(item, call_id)
                    owed.result(call_id, text, refused=refused)
            heard = id(item) in newest
            if heard or (entry.calls and not over.issuperset(entry.calls)):
                read.append(item)
                _note_owed(owed, item, item.original if id(item) in hiding else item.unmasked, heard=heard)
        for call_id, text in self._late.items():
            owed.result(call_id, text)
        return tuple(owed), read

    def done(self, staying: frozenset[str], standing: Callable[[], frozenset[str]]) -> tuple[Evidence, ...]:
        """What was done and found in messages that have left, and before.

        `standing` are those that stay as they are now, short or not.
        """
        book = Book(obligations=OpenQuestion(), evidence=EvidenceLog.of(self._before.evidence))
        # Nobody has answered a question before it was asked.
        asked = next(
            (obligation for obligation in self._before.obligations if obligation.kind is ObligationKind.CONFIRMATION),
            None,
        )
        evidence, waiting = book.evidence, book.evidence.waiting
        for item in _newest(self._shortened, CALLS_MAX, standing()) if self._shortened else ():
            _note_shortened(evidence, item)
        read = {id(item) for item in _newest(self._calls, CALLS_MAX, staying)}
        for is_said in (True, False):
            words = [item for item in self._words if (item.entry.role == "user") is is_said]
            read.update(id(item) for item in _newest(words, WORDS_MAX, staying))
        for item in self._items:
            entry = item.entry
            if asked is not None and entry.turn > asked.turn:
                book.obligations.items.setdefault(ObligationKind.CONFIRMATION, asked)
                asked = None
            if id(item) in read:
                _note(book, item)
            else:
                for call_id in entry.answers:
                    if call_id in waiting:
                        self._note_result(evidence, item, call_id)
        for call_id, text in self._late.items():
            evidence.result(call_id, text)
        # Without the question, its answer says too little, wherever it stands.
        question = book.obligations.items.get(ObligationKind.CONFIRMATION, asked)
        answer = self._answer(question, staying) if question is not None else None
        if question is not None and answer is not None:
            book.note_answer(question.text, spoken_text(answer.original), _moment(answer))
        return tuple(evidence)

    def _note_result(self, evidence: EvidenceLog, item: Item, call_id: str) -> None:
        text, refused = self._outcome(item, call_id)
        if evidence.asks(call_id):
            # What a person chose is quoted, so nothing of it may be a secret.
            text = mask_secrets(text).text if item.masked else text
        evidence.result(call_id, text, refused=refused, source=item.entry.id)

    def _outcome(self, item: Item, call_id: str) -> tuple[str, bool]:
        key = id(item), call_id
        outcome = self._outcomes.get(key)
        if outcome is None:
            outcome = self._outcomes[key] = _outcome(item, call_id)
        return outcome

    def _answer(self, question: Obligation, staying: frozenset[str]) -> Item | None:
        """The message that stays and answers a question."""
        rank = next((item.entry.rank for item in self._items if item.entry.id == question.source), -1)
        later = [item for item in self._from_people if item.entry.id in staying and item.entry.rank > rank]
        later = [item for item in later if rank >= 0 or item.entry.turn > question.turn]
        return next((item for item in later if answers(spoken_text(item.unmasked), question, item.entry.turn)), None)

    def statements(self, staying: frozenset[str]) -> tuple[UnclassifiedStatement, ...]:
        """What people said in messages that have left, and before, beyond what the rules know; the newest of it."""
        newest = {statement.text: statement for statement in self._before.unclassified}
        for item in _newest(self._from_people, SAID_IN_MAX, staying):
            entry = item.entry
            if entry.compaction is None:
                for statement in said_in(spoken_text(item.original), source=entry.id, turn=entry.turn):
                    newest.pop(statement.text, None)
                    newest[statement.text] = statement
        return held([*newest.values()])


def _newest(items: Iterable[Item], most: int, staying: frozenset[str]) -> list[Item]:
    """The newest of those that have left, in their order."""
    return [item for item in items if item.entry.id not in staying][-most:]


def _moment(item: Item) -> Moment:
    entry = item.entry
    return Moment(entry.id, entry.created_at_ms, entry.turn)


def _note_owed(owed: Obligations, item: Item, message: Message, *, heard: bool) -> None:
    """Note what a message asks for or leaves open; of a program only what has become of work that goes on."""
    at = _moment(item)
    for part in message.parts if item.entry.calls else ():
        if isinstance(part, ToolCallPart):
            owed.call(part, at)
    text = spoken_text(message) if heard else ""
    if not text:
        return
    if item.entry.role == "user" and item.entry.source == PROGRAM_SOURCE:
        owed.notified(text)
    elif item.entry.compaction is None:
        note_words(owed, message, text, at, beside_calls=bool(item.entry.calls or item.entry.answers))


def _note(book: Book, item: Item) -> None:
    entry = item.entry
    if entry.role == "user" and entry.source == PROGRAM_SOURCE:
        # Nobody asks for anything there, nor answers.
        book.evidence.said(spoken_text(item.original), source=entry.id)
    else:
        book.note_progress(item.original, _moment(item))


def _note_shortened(evidence: EvidenceLog, item: Item) -> None:
    """Note what a call that was shortened before is to do, unless that is known."""
    shortened = Book()
    if item.unmasked.call_ids:
        _note(shortened, item)
    evidence.take(piece for piece in shortened.evidence if (piece.kind, piece.text) not in evidence.items)


def _outcome(item: Item, call_id: str) -> tuple[str, bool]:
    """How a call ended, from beginning and end of its result: whatever its size, that stands there.

    And whether its producer calls it failed.
    """
    raw = bytes(item.entry.message)
    head, separator, body = raw.partition(_RESPONSE)
    if len(item.entry.answers) > 1 or not separator or len(body) <= 2 * _OUTCOME_BYTES:
        part = next(
            part for part in item.unmasked.parts if isinstance(part, ToolCallResponsePart) and part.id == call_id
        )
        return without_distilled_prefix(response_text(part.response)), is_refusal(part)
    # Longer than any complaint: so it is what the tool shows.
    text = f"{_plain(body[:_OUTCOME_BYTES])}\n{_plain(body[-_OUTCOME_BYTES:])}"
    return without_distilled_prefix(text), _REFUSED.search(head) is not None


def _plain(raw: bytes) -> str:
    """JSON as the text that it stands for, or nearly; of blocks, what is in the first."""
    return _OPENING.sub("", raw.decode("utf-8", "replace"), count=1).replace("\\n", "\n").replace('\\"', '"')


def _late_results(item: Item) -> list[tuple[str, str]]:
    """Calls and results that came too late to be results, out of the texts that they became."""
    texts = [part.content for part in item.unmasked.parts if isinstance(part, TextPart)]
    return [late for text in texts for late in late_results_in(text)]


def _newest_identities(spoken: Iterable[tuple[list[Item], list[Item]]]) -> frozenset[int]:
    """Identities of the newest of what each side says, alone and beside calls."""
    return frozenset([id(item) for both in spoken for items in both for item in items[-OWING_MAX:]])


def _answered_calls(results: Sequence[Item]) -> frozenset[str]:
    """Calls that these results answer; a stand-in answers none."""
    entries = [item.entry for item in results if item.entry.kind is not _STAND_IN]
    return frozenset([call_id for entry in entries for call_id in entry.answers])
