"""The ledger while a compaction is planned.

What leaves is noted, what stays may change it, and one entry shows the result.

Directives are read before any step is taken, because a summary must know which of them the ledger quotes and which no
longer hold; only where all that people say is to stay, nobody reads it. What else the ledger notes is read at the end,
from what has really left. A ledger is written anew only where messages leave; until then the former one stays, byte for
byte.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from tailrace.agents.ledger.directives import Directives
from tailrace.agents.ledger.item_text import without_said
from tailrace.agents.ledger.remaining_statements import still_said
from tailrace.agents.ledger.render import EMPTY, SAID_PART, LedgerRoom, Rendering, changes_tokens
from tailrace.agents.messages.groups import GroupKind, kind_of
from tailrace.agents.messages.part_text import text_of
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import Item
from tailrace.agents.plan.draft.keep import plain_text
from tailrace.agents.plan.draft.statements import PlanStatements
from tailrace.agents.plan.ledger_notes import Notes
from tailrace.agents.plan.plan import LedgerChange
from tailrace.agents.plan.remaining_evidence import RemainingEvidence
from tailrace.agents.plan.remaining_messages import first_gone, is_cut, standing, stating, verbatim
from tailrace.schemas.policy.ledger import LedgerRules, LostClass
from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.ledger import (
    Directive,
    Evidence,
    EvidenceKind,
    Ledger,
    Obligation,
    ObligationKind,
    UnclassifiedStatement,
)
from tailrace.schemas.records.message import ContentShape, Message
from tailrace.schemas.records.parts import CompactionPart

#: Of what lies between a compacted context and its upper mark, a ledger may take one part in so many.
ABOVE_TARGET = 4
#: Classes of a receipt that the ledger holds among its evidence.
_EVIDENT = {"decisions": EvidenceKind.DECISION, "identifiers": EvidenceKind.IDENTIFIER}
#: Classes that are read from what has really left.
_NOTED_LATE = frozenset(("said", *_EVIDENT))
_ADDED = ObligationKind.ADDED


class PlanLedger:
    """The ledger of a thread in a plan for it."""

    def __init__(
        self,
        draft: Draft,
        former: Entry | None,
        rules: LedgerRules,
        must_show: Iterable[LostClass] = (),
        *,
        candidates: Sequence[Directive] = (),
        words_leave: bool = True,
    ) -> None:
        """Reserve room in the draft for what may be open, and for directives.

        Directives of a former ledger count always; those of all messages count if `words_leave`.

        `candidates` are those that models pointed out in the context: each is read with the message that states it.
        """
        self._rules = rules
        self._must_show = frozenset(must_show)
        self._role = draft.summary_role
        self._former = former
        self._items = [item for group in draft.groups for item in group.items]
        self._before = (former.ledger if former is not None else None) or Ledger()
        self._statements = PlanStatements(
            self._items, self._before.directives, candidates if rules.candidates else (), is_first=former is None
        )
        self._notes = Notes(self._items, self._before, since_offset=former.offset if former is not None else -1)
        self._room = self._room_in(draft)
        #: What is left of messages that were cut, and which statements that says.
        self._left: tuple[str, frozenset[str]] = "", frozenset()
        #: Texts of the directives that it shows.
        self.shown: frozenset[str] = frozenset()
        #: What texts cost that were counted for this plan: it is written several times, of the same lines.
        self._tokens_of: dict[str, int] = {}
        self._lasting_tokens = self._lasting(draft)
        self.reserved_tokens = 0
        if words_leave or self._before.directives or not self.words_stay(draft):
            self._statements.read()
        self._hold(draft, self._reserve(draft))
        draft.ledger = self

    @property
    def knows_words(self) -> bool:
        """Whether it was read what people state."""
        return self._statements.are_read

    def words_stay(self, draft: Draft) -> bool:
        """Whether all that people say can still be read in the context."""
        return self._statements.stay(draft)

    def _hold(self, draft: Draft, tokens: int) -> None:
        draft.overhead_tokens += tokens - self.reserved_tokens
        draft.tokens += tokens - self.reserved_tokens
        self.reserved_tokens = tokens

    def _room_in(self, draft: Draft) -> LedgerRoom:
        rules, must = self._rules, self._must_show
        beside_tokens = max(0, draft.budget.limit_tokens - draft.kept_tokens)
        return LedgerRoom(
            tokens_max=beside_tokens if must or not _works(self._items) else int(beside_tokens * rules.fraction_max),
            directives_tokens=beside_tokens if "directives" in must else rules.directives_tokens_max,
            obligations_tokens=beside_tokens if "obligations" in must else rules.obligations_tokens_max,
            evidence_tokens=rules.evidence_tokens_max if must.isdisjoint(_EVIDENT) else beside_tokens,
            said_tokens=beside_tokens if "said" in must else rules.said_tokens_max,
            said_part=1 if "said" in must else SAID_PART,
        )

    def _reserve(self, draft: Draft) -> int:
        """Return the tokens of all directives that may leave and all that may be open; evidence gets the rest."""
        staying = verbatim(group for group in draft.groups if group.kept is not None)
        stated = self._statements.directives
        # What was done, found and said is read so early only where it must be shown: nothing tells yet what summaries
        # will say of it.
        remaining = self._noted(draft, staying) if self._must_show.intersection(_NOTED_LATE) else None
        text = self._rendering(draft, stated, staying, self._room.tokens_max, remaining).text
        stated_tokens = self._tokens(draft, text) if text else 0
        reserved_tokens = min(stated_tokens + self._lasting_tokens, max(stated_tokens, self._room.tokens_max))
        former_tokens = self._former_tokens(draft, self._former) if self._former is not None else 0
        # Room is made by what may leave, never by what is kept.
        least_tokens = self._least(draft) if self._before != Ledger() or stated.items else 0
        return min(
            max(reserved_tokens, former_tokens, least_tokens), max(0, draft.budget.limit_tokens - draft.kept_tokens)
        )

    def _former_tokens(self, draft: Draft, former: Entry) -> int:
        """What the ledger that is there claims of the next one."""
        if not self._before.unclassified:
            return former.tokens
        text = "\n".join(text_of(part) for part in decode_message(former.message).parts)
        return min(former.tokens, self._tokens(draft, without_said(text)))

    def _lasting(self, draft: Draft) -> int:
        """What it takes to tell of changes that left in earlier compactions, and that no summary tells of any more.

        A summary of summaries drops the oldest of them, and nothing else knows of them then.
        """
        changed = tuple(item for item in self._before.evidence if item.kind is EvidenceKind.CHANGED)
        if not changed:
            return 0
        in_context = RemainingEvidence(changed).in_draft(draft).in_context
        missing = [item for item in changed if item not in in_context]
        return min(changes_tokens(missing, lambda text: self._tokens(draft, text)), self._room.evidence_tokens)

    def without(self, draft: Draft, leaving: Iterable[str]) -> tuple[int, frozenset[str]]:
        """What the ledger costs once these messages have left too, and what no summary needs to quote then."""
        stated = self._statements.directives
        staying = frozenset([source for source in self._sources(stated) if draft.stays(source)]).difference(leaving)
        rendering = self._rendering(draft, stated, staying, self.reserved_tokens)
        text = rendering.text
        shown = stated.retired.union(directive.text for directive in rendering.directives)
        tokens = (self._tokens(draft, text) if text else 0) + self._lasting_tokens
        return min(tokens, self.reserved_tokens), frozenset(shown)

    def _sources(self, stated: Directives) -> frozenset[str]:
        """Messages that matter to what the ledger shows before anything is found.

        They are few, and the messages of a thread are many.
        """
        sources = [item.source for item in (*stated.items, *stated.revocations)]
        revoked = [item.revokes for item in stated.revocations]
        return frozenset([*sources, *revoked, *(item.source for item in self._notes.owed())])

    def settle(self, draft: Draft) -> None:
        """Hold no more room than the ledger takes, if nothing else has to leave then."""
        tokens, _ = self.without(draft, ())
        if draft.excess_tokens - self.reserved_tokens + tokens > 0:
            return
        self._hold(draft, tokens)

    def finish(self, draft: Draft) -> LedgerChange | None:
        """The ledger as it is to be shown once the draft is carried out; None where the former one, if any, stays."""
        draft.overhead_tokens -= self.reserved_tokens
        draft.tokens -= self.reserved_tokens
        former = self._former
        first = first_gone(draft, former)
        if first is None and former is not None and draft.tokens + former.tokens > draft.budget.limit_tokens:
            # Nothing leaves, but it no longer fits: a shorter one takes its place.
            first = former
        place = self._place(first) if first is not None else -1
        change = (
            self._change(draft, first, place, self._final_room(draft)) if first is not None and place >= 0 else None
        )
        draft.tokens += change.tokens if change is not None else former.tokens if former is not None else 0
        return change

    def again(self, draft: Draft, written: LedgerChange) -> LedgerChange:
        """The ledger once more, in the room that it has.

        What was given back since may say some of it, and others have room then.
        """
        if written.message is None:
            return written
        draft.tokens -= written.tokens
        change = self._change(draft, written.first, written.rank, written.tokens) or written
        draft.tokens += change.tokens
        return change

    def _change(self, draft: Draft, first: Entry, place: int, room_tokens: int) -> LedgerChange | None:
        staying = verbatim(draft.groups)
        aim_tokens = room_tokens
        stated = self._statements.directives
        remaining = self._noted(draft, staying).in_draft(draft)
        while True:
            rendering = self._rendering(draft, stated, staying, aim_tokens, remaining)
            # What it holds outlasts a compaction that has no room to show any of it, or where a summary says it for
            # now.
            text = rendering.text or (EMPTY if rendering.holds_more and room_tokens >= self._least(draft) else "")
            tokens = self._tokens(draft, text) if text else 0
            if tokens <= max(0, room_tokens):
                break
            # Lines may cost more together than each alone.
            aim_tokens -= tokens - room_tokens
        self.shown = frozenset(directive.text for directive in rendering.directives)
        if not text:
            return (
                LedgerChange(first, place, None, rendering.ledger, 0, self._former)
                if self._former is not None
                else None
            )
        return LedgerChange(
            first, place, self._message(text), rendering.ledger, tokens, self._former, self._missing(rendering)
        )

    def _noted(self, draft: Draft, staying: frozenset[str]) -> RemainingEvidence:
        """What was done and found, and what else was said, in what has left once only these messages stay."""
        statements = self._notes.statements(staying) if self._room.said_tokens else ()
        return RemainingEvidence(self._notes.done(staying, partial(standing, draft.groups)), statements)

    def _place(self, first: Entry) -> int:
        """Return the rank of a ledger, or a negative number where there is no such group.

        It lies behind every place of a group, where nothing that comes late can meet it.

        What comes next may join the newest group, and must come behind all that is there.
        """
        ranks = [item.entry.rank for item in self._items]
        newest, wanted = max(ranks) // RANKS_PER_GROUP, first.rank // RANKS_PER_GROUP
        former = self._former.rank // RANKS_PER_GROUP if self._former is not None else -1
        # A former ledger stands before the newest group of its time: if that one has left, nothing can join what is
        # left.
        if wanted != newest or former >= newest or _is_closed(first):
            return (wanted + 1) * RANKS_PER_GROUP - 1
        sequences = (*(rank // RANKS_PER_GROUP for rank in ranks), former, -1)
        return (max(sequence for sequence in sequences if sequence < newest) + 1) * RANKS_PER_GROUP - 1

    def _final_room(self, draft: Draft) -> int:
        """Return what the ledger may cost once all else is decided.

        That is its reserve, what the target leaves, or some of what lies above that.

        A context that is written with it must not be near its upper mark, or all would soon begin again. Where somebody
        asked for a size, nothing lies above that.
        """
        asked = draft.budget.asked_tokens is not None
        above_tokens = 0 if asked else (draft.budget.upper_tokens - draft.tokens) // ABOVE_TARGET
        room_tokens = max(self.reserved_tokens, draft.target_tokens - draft.tokens, above_tokens)
        most_tokens = draft.budget.limit_tokens
        if self._former is None:
            most_tokens = min(
                most_tokens, max(draft.target_tokens, draft.tokens + above_tokens), draft.budget.upper_tokens
            )
        return min(room_tokens, most_tokens - draft.tokens)

    def _least(self, draft: Draft) -> int:
        return self._tokens(draft, EMPTY)

    def _missing(self, rendering: Rendering) -> tuple[str, ...]:
        """Classes that must be shown whole and are not."""
        held = {
            "directives": len(rendering.untold_directives) - len(rendering.directives),
            "obligations": len(rendering.untold_obligations) - len(rendering.obligations),
            "said": len(rendering.untold_said) - len(rendering.said),
            **{
                name: _of_kind(rendering.untold_evidence, kind) - _of_kind(rendering.evidence, kind)
                for name, kind in _EVIDENT.items()
            },
        }
        return tuple(sorted(name for name in self._must_show if held[name]))

    def _rendering(
        self,
        draft: Draft,
        stated: Directives,
        staying: frozenset[str],
        room_tokens: int,
        remaining: RemainingEvidence | None = None,
    ) -> Rendering:
        """The ledger in so many tokens, with what was found where that is known already."""
        cut = [item for item in stating(draft) if is_cut(item)]
        present = staying.union([item.entry.id for item in cut]) if cut else staying
        ledger = Ledger(
            directives=tuple(_left(stated, staying, present)),
            obligations=self._notes.owed() if remaining is not None else _claiming(self._notes.owed()),
            evidence=remaining.evidence if remaining is not None else (),
            unclassified=remaining.statements if remaining is not None else (),
        )
        room = LedgerRoom(
            room_tokens,
            self._room.directives_tokens,
            self._room.obligations_tokens,
            self._room.evidence_tokens if remaining is not None else 0,
            self._room.said_tokens,
            self._room.said_part,
        )
        in_context: set[Directive | Obligation | Evidence | UnclassifiedStatement] = {
            obligation for obligation in ledger.obligations if obligation.source in present
        }
        if cut:
            quoted = self._said_in("\n".join(map(plain_text, cut)), stated)
            in_context.update(directive for directive in ledger.directives if directive.text in quoted)
        in_context |= remaining.in_context if remaining is not None else frozenset()
        prompted = any(kind_of(item.entry) is GroupKind.SYSTEM for item in cut)
        return Rendering(ledger, room, lambda text: self._tokens(draft, text), frozenset(in_context), prompted=prompted)

    def _said_in(self, left: str, stated: Directives) -> frozenset[str]:
        """Statements that messages still say which were cut.

        Asked for again and again, until something else is left of them.
        """
        if self._left[0] != left:
            self._left = left, still_said((item.text for item in (*stated.items, *stated.revocations)), left)
        return self._left[1]

    def _tokens(self, draft: Draft, text: str) -> int:
        tokens = self._tokens_of.get(text)
        if tokens is None:
            tokens = self._tokens_of[text] = draft.count(self._message(text))
        return tokens

    def _message(self, text: str) -> Message:
        return Message(role=self._role, parts=(CompactionPart(content=text),), content_shape=ContentShape.STRING)


def _left(stated: Directives, staying: frozenset[str], present: frozenset[str]) -> Iterator[Directive]:
    """Statements whose messages have left; what only takes something back, as long as that can be read."""
    yield from (item for item in stated.items if item.source not in staying)
    yield from (item for item in stated.revocations if item.source not in staying and item.revokes in present)


def _claiming(owed: tuple[Obligation, ...]) -> tuple[Obligation, ...]:
    """Return what may claim room: of all additions to a task only the last. No message leaves for the others."""
    added = [obligation for obligation in owed if obligation.kind is _ADDED]
    return tuple(obligation for obligation in owed if obligation.kind is not _ADDED or obligation is added[-1])


def _works(items: Iterable[Item]) -> bool:
    """Whether anything was done. Where people only talked, what they stated is all that there is to remember."""
    return any(item.entry.calls for item in items)


def _of_kind(evidence: Iterable[Evidence], kind: EvidenceKind) -> int:
    return sum(item.kind is kind for item in evidence)


def _is_closed(entry: Entry) -> bool:
    """Whether nothing can join the group of a message: a system prompt whose producer has named no group."""
    return kind_of(entry) is GroupKind.SYSTEM and entry.group is None and not entry.reasoning_only
