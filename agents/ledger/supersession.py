"""Which earlier directive a new one changes or takes back.

Losing a rule is worse than keeping one that is out of date. So a statement is replaced only by one that speaks of the same thing
under the same condition and sets another value of one kind; and unless the two are the same but for that value, the later one has to
say that something changes. Where each speaks of something that the other doesn't, both stand.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product

from tailrace.agents.language.cues import holds_any
from tailrace.agents.language.lexicon import CHANGES, LASTING_PHRASES, LIMITS, MOMENTARY, REQUESTS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.anaphora import JOINT, SINGLE, about, meant_among, shapes
from tailrace.agents.ledger.corrections import correction_chars, makes_anew, points_back
from tailrace.agents.ledger.relative_change_targets import about_shifted, is_shift
from tailrace.agents.ledger.relative_changes import moved_to, shift_of
from tailrace.agents.ledger.release import leads_to_a_value, loosens, restricts_more
from tailrace.agents.ledger.release_forms import ReleaseEffect
from tailrace.agents.ledger.release_frames import release_of
from tailrace.agents.ledger.rivals import displaces, names_rival
from tailrace.agents.ledger.statements import adds, is_change, words_of
from tailrace.agents.ledger.subjects import (
    Subject,
    ValueKind,
    clauses_of,
    is_numbered,
    subject_of,
    substituted,
    values_of,
)
from tailrace.agents.ledger.word_sets import word_set
from tailrace.schemas.records.ledger import Directive

#: Whoever changes a rule says so in a line; what is longer explains something.
CHANGE_CHARS_MAX = 200
#: A statement of so few terms is about each of them.
SHORT_TERMS = 2
#: Fewer words in common show nothing.
FRAME_WORDS_MIN = 2
#: Words of a statement that bounds something, and of one that tells what is the case.
_BOUNDING = LIMITS | words(
    "unter über sous dessous bajo debajo abaixo sotto onder boven poniżej powyżej ниже выше must never"
)
_OBSERVING = words(
    "is are was were shows reads measures stands doing spent currently ist sind zeigt est sont affiche es está están marca é estão è "
    "sono segna zijn toont jest są wynosi"
)
_PAST = words(
    "was were had war waren hatte était étaient avait era eran estaba fue foi estava byl był była было был была"
)
#: What is given back with one of these is not given back wholly.
_LIMITING = (LIMITS - {"limit", "limits"}) | words(
    "but only just however except aber jedoch nur mais seulement sauf pero solo sólo salvo mas apenas exceto però tranne maar alleen behalve "
    "ale tylko oprócz но только кроме"
)
#: A digit, or what may be one of another script.
_MAY_COUNT = re.compile(r"[0-9\u0080-\U0010ffff]")
_NUMBER, _DATE, _NAME = ValueKind.NUMBER, ValueKind.DATE, ValueKind.NAME


def replaced_by(
    text: str, source: str, stated: Sequence[Directive], heard: Callable[[], str] = str
) -> Directive | None:
    """Return the directive that a new statement changes; None if it stands for itself, or nobody can tell which of several it changes.

    What one message says all holds together, so only statements of other messages are changed. `heard` was said right before.
    """
    # What tells by how much something changes leaves it there: both are needed. Said again, it changes it again.
    if shift_of(text) is not None:
        return next((old for old in stated if old.text == text and old.source == source), None)
    same = next((old for old in reversed(stated) if text == old.text or text == old.amends), None)  # noqa: PLR1714  a set takes longer
    if same is not None or len(text) > CHANGE_CHARS_MAX or adds(text):
        return same
    earlier = [old for old in stated if old.source != source and not (old.amends and is_shift(old))]
    return _changed_by(moved_to(text) or text, earlier, heard) if earlier else None


def _changed_by(text: str, earlier: Sequence[Directive], heard: Callable[[], str]) -> Directive | None:
    """Which of the statements of other messages a new one changes."""
    new, changes = subject_of(text), _says_change(text)
    if not changes and not _sets_or_denies(new) and not _sets_or_denies(clauses_of(text).main):
        return None  # it sets nothing that another may have set
    if changes and (displaced := _displaced(text, earlier)) is not None:
        return displaced
    if changes and (points_back(text) or not new.terms or not clauses_of(text).main.terms):
        meant = meant_among(text, earlier, heard)
        if meant:
            return meant[0] if len(meant) == 1 else None
    return _nearest(text, earlier, says_so=changes) if new.terms else None


def _nearest(text: str, earlier: Sequence[Directive], *, says_so: bool) -> Directive | None:
    """The statement that a new one changes, of several that which shares most with it, and of these the last."""
    best, best_share = None, 0.0
    terms, clauses = subject_of(text).terms, clauses_of(text).compared
    for old in earlier:
        former = about(old) if old.amends else old.text
        others = subject_of(former).terms
        if terms.isdisjoint(others):
            continue
        pairs = product(clauses, clauses_of(former).compared)
        if any(_changes(one, other, says_so=says_so) for one, other in pairs) and not _stands_beside(text, former):
            share = len(terms & others) / len(terms | others)
            if share >= best_share:
                best, best_share = old, share
    return best


@lru_cache(maxsize=4096)
def _says_change(text: str) -> bool:
    """Tell whether a statement says that something is different now. What stays in a thread is asked at every compaction, hence remembered."""
    return _is_change(text) or leads_to_a_value(text) or makes_anew(text)


@lru_cache(maxsize=4096)
def _is_change(text: str) -> bool:
    return is_change(text, word_set(text))


def unclear(text: str, source: str, stated: Sequence[Directive], heard: Callable[[], str]) -> str:
    """Return what stands beside a change and is needed to understand it, as one text; else nothing.

    That are the statements that a value alone may be about, where nobody can tell which of them is meant, and what a shift is about.
    """
    if shifted := about_shifted(text, source, stated, heard):
        return shifted
    text = moved_to(text) or text
    if len(text) > CHANGE_CHARS_MAX or not _is_change(text):
        return ""
    if clauses_of(text).main.terms and not points_back(text):
        return ""  # it names what it is about
    meant = meant_among(text, [old for old in stated if old.source != source and not is_shift(old)], heard)
    return JOINT.join(about(old) for old in meant) if len(meant) > 1 else ""


def _displaced(text: str, earlier: Sequence[Directive]) -> Directive | None:
    """The newest statement that names a rival of what somebody has changed to."""
    if not names_rival(text):
        return None
    return next((old for old in reversed(earlier) if displaces(text, old.text) and not loosens(text, old.text)), None)


def alters(text: str, source: str, stated: Sequence[Directive], heard: Callable[[], str] = str) -> bool:
    """Tell whether a sentence that states nothing by itself changes what was stated. What is to be done next changes nothing."""
    if len(text) > CHANGE_CHARS_MAX or "?" in text:
        return False
    if about_shifted(text, source, stated, heard):
        return True
    text = moved_to(text) or text
    if not _is_change(text) and not makes_anew(text) and not _resets(text, source, stated):
        return False
    said = words_of(text)
    asks = next((word for word in said if word not in CHANGES), "") in REQUESTS or not MOMENTARY.isdisjoint(said[:1])
    if asks and not holds_any(text.lower(), LASTING_PHRASES):
        return False
    if replaced_by(text, source, stated, heard) is not None or unclear(text, source, stated, heard):
        return True
    terms = subject_of(text).terms
    return 0 < correction_chars(text.lower()) < len(text) and any(
        2 * len(terms & subject_of(old.text).terms) >= max(1, len(terms)) for old in stated
    )


def _resets(text: str, source: str, stated: Sequence[Directive]) -> bool:
    """Whether a sentence repeats a statement of another message word by word but for its numbers: "lights out at 23:00" says no more."""
    frame = _frame(text)
    return bool(frame) and any(_frame(old.text) == frame for old in stated if old.source != source)


@lru_cache(maxsize=4096)
def _frame(text: str) -> tuple[str, ...]:
    """The words of a statement without its numbers; none where it has no numbers, or hardly any words."""
    if _MAY_COUNT.search(text) is None:
        return ()
    said = words_of(text)
    frame = tuple(word for word in said if not word[0].isdigit())
    return frame if FRAME_WORDS_MIN <= len(frame) < len(said) else ()


def _stands_beside(text: str, old: str) -> bool:
    """Whether a statement says another kind of thing than one about the same."""
    if loosens(text, old) or restricts_more(text, old) or _measures(text, old):
        return True
    return _happened(text) and not _happened(old)


def _measures(text: str, old: str) -> bool:
    """Whether one of two statements tells what is the case, and the other what ought to be: a tank that is too full changes no limit."""
    said, former = word_set(text), word_set(old)
    observed = said if _BOUNDING.isdisjoint(said) else former
    return _BOUNDING.isdisjoint(said) != _BOUNDING.isdisjoint(former) and not _OBSERVING.isdisjoint(observed)


def _happened(text: str) -> bool:
    """Whether a statement only tells what was the case: how warm it was changes no limit."""
    return not word_set(text).isdisjoint(_PAST) and not _is_change(text)


def left_of(text: str, old: Directive) -> str:
    """Return what still holds of a statement that another one changes: the clauses that it doesn't speak of."""
    former = clauses_of(old.text)
    gone = values_of(former.main)
    rest = subject_of(former.rest) if former.rest else None
    if rest is None or not rest.terms or not rest.forbids or not gone.isdisjoint(values_of(rest)):
        return ""
    return "" if rest.terms <= clauses_of(text).whole.terms else former.rest


def amended(text: str, old: Directive) -> str:
    """Return what a statement needs beside it to be understood: the one it changes, if it names no subject of its own, or less of it."""
    former = old.amends or old.text
    text = moved_to(text) or text
    terms = subject_of(text).terms
    if not terms:
        return former
    less = points_back(text) and not subject_of(former).terms <= terms
    return former if less else ""


def sets_anew(text: str, old: Directive) -> bool:
    """Tell whether what takes a statement back gives it another value in the same breath, or a limit that it didn't have."""
    new, former = subject_of(text), subject_of(old.text)
    if new.values.get(_NUMBER, frozenset()) - values_of(former) or _limits(text, old.text):
        return True
    release = release_of(text)
    if release is not None and release.effect is not ReleaseEffect.VOID:
        return False
    return any(kind in former.values and new.values[kind] != former.values[kind] for kind in new.values)


def _limits(text: str, old: str) -> bool:
    return not _LIMITING.isdisjoint(word_set(text) - word_set(old))


def _sets_or_denies(new: Subject) -> bool:
    return bool(new.values or new.denied)


def _changes(new: Subject, old: Subject, *, says_so: bool) -> bool:
    """Tell whether a statement takes the place of another."""
    # Most pairs have nothing to do with each other.
    alike = new.order == old.order or (new.terms == old.terms and not old.forbids)
    if not (alike or says_so or new.denied) or new.condition != old.condition:
        return False
    changed = _changed_kinds(new, old)
    denies = bool(new.denied) and not new.denied.isdisjoint(old.terms | values_of(old))
    # Two kinds at once: another person's room has another number.
    if not denies and (len(changed) > 1 or _numbers_tell(new, old)):
        return False
    # A prohibition that names something else: never edit this file, never edit that file; never open gate 3, never open gate 27.
    names_other = _NAME in changed or (is_numbered(new) and is_numbered(old))
    forbids = new.forbids or (old.forbids and is_numbered(new))
    if forbids and names_other and not denies and new.renewed.isdisjoint(old.terms):
        return False
    if not says_so and not denies and _is_case(new, old):
        return False
    if alike:
        return bool(changed) and (changed[0] in SINGLE or says_so or denies)
    return (says_so or denies) and _is_same_thing(new, old, changed, denies=denies)


def _numbers_tell(new: Subject, old: Subject) -> bool:
    """Whether numbers tell which thing is meant: version 2 of this and 3.9 of that."""
    if not new.numbered or not old.numbered or not new.numbered.isdisjoint(old.numbered):
        return False
    return len(_numbers(new) - _numbers(old)) > 1 and len(_numbers(old) - _numbers(new)) > 1


def _is_same_thing(new: Subject, old: Subject, changed: Sequence[ValueKind], *, denies: bool) -> bool:
    """Tell whether a statement that says that something changes is about what another speaks of."""
    shared, least = len(new.terms & old.terms), min(len(new.terms), len(old.terms))
    if _NAME in changed and shapes(new) & shapes(old):
        return 2 * shared >= least
    if old.terms <= new.terms - new.denied or new.terms <= old.terms:
        # One word in common says little, unless there are hardly any others.
        alike = shared > 1 or max(len(new.terms), len(old.terms)) <= SHORT_TERMS
        return alike and (bool(changed) or denies) and not _narrows(new, old)
    # What is denied is named beside more of what the other speaks of than is left out.
    return (denies and len(old.terms - new.terms) <= min(1, shared - 1)) or (
        not old.forbids and new.values == old.values and substituted(new, old)
    )


def _is_case(new: Subject, old: Subject) -> bool:
    """Whether one of two statements names a day, somebody or one number more, and the other doesn't: each has a case of its own."""
    if len(_numbers(new)) != len(_numbers(old)):
        return True
    values, others = new.values, old.values
    return (_DATE in values) != (_DATE in others) or (_NAME in values) != (_NAME in others)


def _numbers(subject: Subject) -> frozenset[str]:
    return subject.values.get(_NUMBER, frozenset())


def _changed_kinds(new: Subject, old: Subject) -> list[ValueKind]:
    """Kinds of values that both set, each to something else."""
    return [kind for kind in new.values if kind in old.values and new.values[kind] != old.values[kind]]


def _narrows(new: Subject, old: Subject) -> bool:
    """Whether the new one speaks of a special case: the travel budget is not the budget."""
    return not new.purpose <= old.terms or any(
        head in old.terms and modifier not in old.terms for modifier, head in new.compounds
    )
