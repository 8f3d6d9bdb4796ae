"""A summary without a model: the pieces of a span that later turns are most likely to need, word for word.

A piece is worth the names in it that no chosen piece holds yet; demands, requests, changes and errors are worth
something in themselves. The pieces with most worth for their length are chosen until the budget is spent, and written
down in the order in which they were said. The same span gives the same text on any machine.
"""

import heapq
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from tailrace.agents.language.cues import DEMAND, WISH
from tailrace.agents.language.pieces import sentences
from tailrace.agents.summary.extract.bullets import GAP, HEADINGS, Bullet, Section, label_text, write
from tailrace.agents.summary.extract.informativeness import Tells
from tailrace.agents.summary.extract.name_value import worth_of_names
from tailrace.agents.summary.extract.query_overlap import answering
from tailrace.agents.summary.extract.quotations import Piece, QuotationSource, Speaker
from tailrace.agents.summary.extract.span import LIST_MARKS, Span, span_of
from tailrace.schemas.records.message import Message

DEMAND_WORTH = 4_000
WISH_WORTH = 400
REQUEST_WORTH = 300
ERROR_WORTH = 200
#: The first piece of a result that came late: somebody still waits for it.
LATE_WORTH = 200
#: The first piece about a change: that it happened must be known, whatever it was.
CHANGE_WORTH = 1_600
#: The same about a file: that it is another one now is seen nowhere else, and what commands do mostly is.
FILE_WORTH = 3_200
#: What a tool said of a change that is told already.
DONE_WORTH = 120
#: What is shorter ("ok", "wrote 12 bytes") says no more than that it was done.
DONE_CHARS_MIN = 40
#: What the assistant said before a change tells more than what it wrote.
INTENT_FACTOR = 3
#: The first piece about a change counts as so long at least.
CHANGE_CHARS = 50
#: What names are worth where this speaker says them: prose explains them, what a tool shows is often a mere list.
SPEAKER_FACTORS = {
    Speaker.USER: 1.3,
    Speaker.REQUEST: 1.7,
    Speaker.SYSTEM: 1.0,
    Speaker.ASSISTANT: 1.2,
    Speaker.REPORT: 1.5,
    Speaker.CALL: 1.0,
    Speaker.TOOL: 0.8,
    Speaker.EARLIER: 1.3,
    Speaker.OUTCOME: 5.0,
    Speaker.LATE: 0.8,
    Speaker.DETAIL: 1.0,
}
_TELLING = (Speaker.ASSISTANT, Speaker.REPORT, Speaker.OUTCOME)
_FACTORS = tuple(SPEAKER_FACTORS[speaker] for speaker in Speaker)
#: Added to the length of every piece, because few long quotations read better than many short ones.
PIECE_OVERHEAD_CHARS = 20
#: Pieces with less worth for each character are not worth reading: a name that a tool showed once, in a long line.
WORTH_PER_CHAR_MIN = 0.05
#: Of a summary, the latest report may take this part before others: what was demanded and changed must have room beside
#: it.
OUTCOME_SHARE = 0.25
#: Prose of the assistant by what it tells: what was concluded is known nowhere else; what is merely so is told where
#: there is room.
TELLS_WORTH = (0, 8, 40, 120)
#: What the assistant says on its way names much and tells nothing of it.
TALK_FACTOR = 0.7
#: Prose whose names are worth less for each character is told for what it states alone.
PLAIN_PER_CHAR = 0.5
#: It leaves this part of a summary to others: what it does not take is the ledger's, for what was done and found.
SPARED_SHARE = 0.15
#: After so many pieces that don't fit, the budget counts as spent.
MISSES_MAX = 40
#: What is shorter may be said of anything.
TOLD_CHARS_MIN = 12
#: Sections of prose. Two pieces here that differ only in a number are two; elsewhere the second is left out.
_TALK = (Section.RULES, Section.USER, Section.FINDINGS)
#: What was changed or failed again with another number is told once.
_NUMBER = re.compile(r"\d+")
_OUTCOME, _LATE, _FINDINGS, _CHANGES = Speaker.OUTCOME, Speaker.LATE, Section.FINDINGS, Section.CHANGES
#: What somebody tried stands beside why it failed, and is worth no more for that.
_TRIED = (Speaker.CALL, Speaker.DETAIL, Speaker.ASSISTANT, Speaker.REPORT, Speaker.OUTCOME)
#: Where the label says what was tried, why it failed has to be known first.
TRIED_FACTOR = 0.05


def extract_summary(
    messages: Sequence[Message],
    *,
    budget_tokens: int,
    count_text: Callable[[str], int],
    staying_text: str = "",
    asked: str = "",
    stated_elsewhere: frozenset[str] = frozenset(),
) -> str:
    """Return a summary of at most `budget_tokens` as `count_text` counts them; empty if nothing is worth it.

    Names in `staying_text`, which stays in the context anyway, are hardly worth repeating. Pieces that share words with
    `asked`, what the user asks for now, are worth more than others. Statements in `stated_elsewhere` are not quoted:
    the ledger holds them, or they no longer hold. `count_text` may also count what will stand around the summary.
    """
    span = span_of(messages, quotations(stated_elsewhere))
    for piece in answering(span.pieces, asked):
        piece.tells = Tells.ANSWERS
    return extract(span, worth_of_names(span, staying_text), budget_tokens=budget_tokens, count_text=count_text)


def extract(span: Span, worth: dict[str, int], *, budget_tokens: int, count_text: Callable[[str], int]) -> str:
    """Return the pieces of a span with most worth in at most `budget_tokens`, as a text. It changes the span."""
    chosen = _choose(span, worth, _Purse(budget_tokens, count_text))
    text = write(_bullets(chosen))
    while chosen and (excess_tokens := count_text(text) - budget_tokens) > 0:
        # Texts may cost more together than each alone: give back what was chosen last.
        del chosen[-1 - excess_tokens // 50 :]
        text = write(_bullets(chosen))
    return text


def quotations(statements: Iterable[str]) -> frozenset[str]:
    """Sentences by which a summary would quote these statements, with the headings that they carry or without."""
    texts = {text for statement in statements for text in _behind_headings(statement)}
    return frozenset(sentence for text in texts for sentence in sentences(text))


def untold(piece: str, stated_elsewhere: frozenset[str]) -> str:
    """Return a piece of a summary without the sentences that are stated elsewhere; empty where that is all of it."""
    parts = sentences(piece)
    left = [sentence for sentence in parts if sentence.strip(LIST_MARKS) not in stated_elsewhere]
    return GAP.join(left) if len(left) < len(parts) else piece


def _behind_headings(statement: str) -> Iterator[str]:
    yield statement
    while len(statement := statement.partition(": ")[2]) >= TOLD_CHARS_MIN:
        yield statement


class _Purse:
    """What is left of the budget, and what it was spent on."""

    def __init__(self, budget_tokens: int, count_text: Callable[[str], int]) -> None:
        self._count = count_text
        self._around_tokens = count_text("")
        self._left_tokens = budget_tokens - self._around_tokens
        #: What may still go into the latest report before it has to stand behind all else.
        self._outcome_tokens = int(self._left_tokens * OUTCOME_SHARE)
        self._spared_tokens = int(self._left_tokens * SPARED_SHARE)
        self._sections: set[Section] = set()
        self._sources: set[QuotationSource] = set()

    def quotes(self, source: QuotationSource) -> bool:
        """Tell whether something of this source was bought."""
        return source in self._sources

    def may_report(self, piece: Piece) -> bool:
        """Tell whether a piece of the latest report may still come before others."""
        return self._count(piece.text) - self._around_tokens <= self._outcome_tokens

    def buy(self, piece: Piece, *, plain: bool) -> bool:
        """Pay for a piece, and for its label and heading where they are new; False where that is too much.

        What is plain leaves some of the budget to others.
        """
        source = piece.source
        if source in self._sources:
            text = f"{GAP}{piece.text}"
        else:
            heading = "" if source.section in self._sections else f"\n{HEADINGS[source.section]}"
            text = f"{heading}\n- {label_text(source.label, source.times, worked=source.worked)}{piece.text}"
        cost_tokens = self._count(text) - self._around_tokens
        if cost_tokens > self._left_tokens - (self._spared_tokens if plain else 0):
            return False
        self._left_tokens -= cost_tokens
        self._outcome_tokens -= cost_tokens if piece.speaker is _OUTCOME else 0
        if source not in self._sources:
            self._sources.add(source)
            self._sections.add(source.section)
        return True


def _choose(span: Span, worth: dict[str, int], purse: _Purse) -> list[Piece]:
    """Return the pieces to quote, the most valuable first.

    Worth only ever shrinks while pieces are chosen, so a piece whose worth is still above all others' old worth is the
    best.
    """
    pieces, worth_of = span.pieces, worth.__getitem__
    # A name that stands there twice counts twice here: this is only the order in which pieces are looked at.
    queue = [
        (
            -_worth_per_char(piece, sum(map(worth_of, piece.names)), new_source=True),
            # Of two that are alike the first said, but the last that was done.
            index if piece.source.section in _TALK else -index,
        )
        for index, piece in enumerate(pieces)
    ]
    heapq.heapify(queue)
    chosen: list[Piece] = []
    covered: set[str] = set()
    texts: set[str] = set()
    misses = 0
    while queue and misses < MISSES_MAX:
        _, index = heapq.heappop(queue)
        piece = pieces[abs(index)]
        if piece.speaker is _OUTCOME and not purse.may_report(piece):
            piece.speaker = Speaker.REPORT
        new_source = not purse.quotes(piece.source)
        # Where the label says all, nothing was said before.
        tells = new_source and (piece.source.section is _CHANGES or not piece.text)
        text = piece.text if piece.source.section in _TALK else _NUMBER.sub("0", piece.text)
        if text in texts and not tells:
            continue
        names_worth = sum(map(worth_of, set(piece.names).difference(covered)))
        value = _worth_per_char(piece, names_worth, new_source=new_source)
        if value < WORTH_PER_CHAR_MIN:
            continue
        if queue and -value > queue[0][0]:
            heapq.heappush(queue, (-value, index))
        elif purse.buy(piece, plain=piece.tells > 0 and names_worth < PLAIN_PER_CHAR * len(piece.text)):
            chosen.append(piece)
            texts.add(text)
            covered.update(piece.names)
        else:
            misses += 1
    return chosen


def _worth_per_char(piece: Piece, names_worth: int, *, new_source: bool) -> float:
    worth = names_worth * _FACTORS[piece.speaker]
    chars = len(piece.text) + PIECE_OVERHEAD_CHARS
    section = piece.source.section
    if section is _FINDINGS and piece.speaker is not _LATE:
        if piece.speaker in _TELLING and not piece.tells:
            worth *= TALK_FACTOR
        else:
            worth += TELLS_WORTH[piece.tells]
    else:
        worth += _own_worth(piece, new_source=new_source)
        if section is Section.CHANGES and new_source and chars < CHANGE_CHARS:
            # The shortest beginning tells least: it must not win by its length.
            chars = CHANGE_CHARS
        elif section is Section.ERRORS and piece.speaker in _TRIED and piece.source.subject:
            worth *= TRIED_FACTOR
    return worth / chars


def _own_worth(piece: Piece, *, new_source: bool) -> int:
    """Worth that a piece has whatever names it holds."""
    section = piece.source.section
    if section is Section.CHANGES:
        return _worth_of_change(piece, new_source=new_source)
    if section is Section.ERRORS:
        return 0 if piece.speaker in _TRIED else ERROR_WORTH
    if piece.speaker is _LATE:
        return LATE_WORTH if new_source else 0
    request = REQUEST_WORTH if piece.speaker is Speaker.REQUEST else 0
    if DEMAND in piece.names:
        return request + DEMAND_WORTH
    return request + (WISH_WORTH if WISH in piece.names else 0)


def _worth_of_change(piece: Piece, *, new_source: bool) -> int:
    """Worth of a piece about a change.

    How the change begins, and why it is made, tells most of it; a later piece may be no more than a closing bracket.
    """
    if not new_source:
        return DONE_WORTH if piece.speaker is Speaker.TOOL and len(piece.text) >= DONE_CHARS_MIN else 0
    if piece.speaker is Speaker.DETAIL:
        return 0
    worth = FILE_WORTH if piece.source.opening < 0 else CHANGE_WORTH
    return worth * INTENT_FACTOR if piece.speaker in _TELLING else worth


def _bullets(chosen: Iterable[Piece]) -> list[Bullet]:
    """Bullets in the order of the text: by section, then as they were said."""
    by_source: dict[QuotationSource, list[Piece]] = {}
    for piece in sorted(chosen, key=lambda piece: piece.place):
        by_source.setdefault(piece.source, []).append(piece)
    bullets = []
    for source, pieces in by_source.items():
        first = pieces[0]
        opens = source.opening >= 0 and (first.place == source.opening or first.text.startswith(source.subject))
        label = source.tool if opens else source.label
        bullets.append(Bullet(source.section, label, _quotes(pieces), source.times, source.worked))
    return sorted(bullets, key=lambda bullet: bullet.section)


def _quotes(pieces: Sequence[Piece]) -> list[str]:
    """Texts of the pieces; those that stood next to each other are one text again."""
    quotes: list[str] = []
    end = -1
    for piece in pieces:
        if not piece.text and len(pieces) > 1:
            continue
        if piece.place == end:
            quotes[-1] += f" {piece.text}"
        else:
            quotes.append(piece.text)
        end = piece.place + 1
    return quotes
