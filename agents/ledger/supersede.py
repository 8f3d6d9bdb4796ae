"""Which earlier directive a new one changes or takes back.

Losing a rule is worse than keeping one that is out of date. So a statement is replaced only by one that speaks of the same thing
under the same condition and sets another value of one kind; and unless the two are the same but for that value, the later one has to
say that something changes. Where each speaks of something that the other doesn't, both stand.
"""

from collections.abc import Iterable, Sequence

from tailrace.agents.ledger.lexicon import REVOCATIONS, REVOKED
from tailrace.agents.ledger.statements import adds, is_change, words_of
from tailrace.agents.ledger.subjects import Clauses, Subject, ValueKind, clauses_of, shape_of, subject_of, substituted
from tailrace.schemas.ledger import Directive

#: Whoever changes a rule says so in a line; what is longer explains something.
CHANGE_CHARS_MAX = 200
#: A change that names no subject ("make it 9090") is about one of the newest.
ANAPHORA_REACH = 6
#: A statement of so few terms is about each of them.
SHORT_TERMS = 2
#: Of these kinds a thing has one value at a time; of names it may have many.
_SINGLE = (ValueKind.DATE, ValueKind.NUMBER, ValueKind.CLOCK, ValueKind.ADDRESS)


def replaced_by(text: str, source: str, stated: Sequence[Directive]) -> Directive | None:
    """Return the directive that a new statement changes; None if it stands for itself.

    What one message says all holds together, so only statements of other messages are changed.
    """
    same = next((old for old in reversed(stated) if old.text == text), None)
    if same is not None or len(text) > CHANGE_CHARS_MAX or adds(text):
        return same
    new = clauses_of(text)
    changes = is_change(text, frozenset(words_of(text)))
    earlier = [old for old in stated if old.source != source]
    if not new.whole.terms or not new.main.terms:
        meant = _meant(new.main, earlier[-ANAPHORA_REACH:]) if changes else None
        if meant is not None or not new.whole.terms:
            return meant
    best, best_share = None, 0.0
    terms = new.whole.terms
    for old in earlier:
        former = clauses_of(old.text)
        if terms.isdisjoint(former.whole.terms):
            continue
        if any(_changes(one, other, says_so=changes) for one, other in _pairs(new, former)):
            share = len(terms & former.whole.terms) / len(terms | former.whole.terms)
            if share >= best_share:
                best, best_share = old, share
    return best


def left_of(text: str, old: Directive) -> str:
    """Return what still holds of a statement that another one changes: the clauses that it doesn't speak of."""
    former = clauses_of(old.text)
    gone = _all(former.main.values.values())
    rest = subject_of(former.rest) if former.rest else None
    if rest is None or not rest.terms or not rest.forbids or not gone.isdisjoint(_all(rest.values.values())):
        return ""
    return "" if rest.terms <= clauses_of(text).whole.terms else former.rest


def amended(text: str, old: Directive) -> str:
    """Return what a statement needs beside it to be understood: the one it changes, if it names no subject of its own."""
    return "" if subject_of(text).terms else old.amends or old.text


def revoked_by(text: str, source: str, stated: Sequence[Directive]) -> Directive | None:
    """Return the directive of another message that a statement takes back: one that speaks of all that it names. None if there is none."""
    if len(text) > CHANGE_CHARS_MAX:
        return None
    new = subject_of(_what_is_revoked(text))
    return next((old for old in reversed(stated) if old.source != source and _names(new, subject_of(old.text))), None)


def sets_anew(text: str, old: Directive) -> bool:
    """Tell whether what takes a statement back gives it another value in the same breath."""
    new, former = subject_of(text), subject_of(old.text)
    return any(kind in former.values and new.values[kind] != former.values[kind] for kind in new.values)


def _pairs(new: Clauses, old: Clauses) -> list[tuple[Subject, Subject]]:
    """What is compared: the whole statements, and the clauses that set something."""
    subjects = [new.whole] if new.main is new.whole else [new.whole, new.main]
    others = [old.whole] if old.main is old.whole else [old.whole, old.main]
    return [(subject, other) for subject in subjects for other in others]


def _meant(new: Subject, newest: Sequence[Directive]) -> Directive | None:
    """The newest statement that a value alone can be about."""
    return next((old for old in reversed(newest) if _same_slot(new, subject_of(old.text))), None)


def _same_slot(new: Subject, old: Subject) -> bool:
    """Whether both set something of the same kind; of names, one that looks the same."""
    return any(kind in _SINGLE for kind in new.values.keys() & old.values.keys()) or bool(_shapes(new) & _shapes(old))


def _shapes(subject: Subject) -> set[str]:
    return {shape for value in subject.values.get(ValueKind.NAME, ()) if (shape := shape_of(value))}


def _changes(new: Subject, old: Subject, *, says_so: bool) -> bool:
    """Tell whether a statement takes the place of another."""
    changed = _changed_kinds(new, old)
    denies = not new.denied.isdisjoint(old.terms | _all(old.values.values()))
    # Two kinds at once: another person's room has another number.
    if new.condition != old.condition or (len(changed) > 1 and not denies):
        return False
    # A prohibition that names something else: never edit this file, never edit that file; never open gate 3, never open gate 27.
    names_other = ValueKind.NAME in changed or (_is_numbered(new) and _is_numbered(old))
    forbids = new.forbids or (old.forbids and _is_numbered(new))
    if forbids and names_other and not denies and new.renewed.isdisjoint(old.terms):
        return False
    if new.order == old.order or (new.terms == old.terms and not old.forbids):
        return bool(changed) and (changed[0] in _SINGLE or says_so or denies)
    return (says_so or denies) and _is_same_thing(new, old, changed, denies=denies)


def _is_same_thing(new: Subject, old: Subject, changed: Sequence[ValueKind], *, denies: bool) -> bool:
    """Tell whether a statement that says that something changes is about what another speaks of."""
    shared, least = len(new.terms & old.terms), min(len(new.terms), len(old.terms))
    if ValueKind.NAME in changed and _shapes(new) & _shapes(old):
        return 2 * shared >= least
    if old.terms <= new.terms - new.denied or new.terms <= old.terms:
        # One word in common says little, unless there are hardly any others.
        alike = shared > 1 or max(len(new.terms), len(old.terms)) <= SHORT_TERMS
        return alike and (bool(changed) or denies) and not _narrows(new, old)
    return (denies and len(old.terms - new.terms) <= 1) or (
        not old.forbids and new.values == old.values and substituted(new, old)
    )


def _changed_kinds(new: Subject, old: Subject) -> list[ValueKind]:
    """Kinds of values that both set, each to something else."""
    return [kind for kind in new.values if kind in old.values and new.values[kind] != old.values[kind]]


def _is_numbered(subject: Subject) -> bool:
    """Whether its numbers tell which thing is meant, and set nothing."""
    numbers = subject.values.get(ValueKind.NUMBER, frozenset())
    return bool(numbers) and numbers <= subject.numbered


def _narrows(new: Subject, old: Subject) -> bool:
    """Whether the new one speaks of a special case: the travel budget is not the budget."""
    return any(head in old.terms and modifier not in old.terms for modifier, head in new.compounds)


def _names(new: Subject, old: Subject) -> bool:
    """Whether a statement names nothing but what another speaks of."""
    former = old.terms | old.condition | _all(old.values.values())
    named = new.terms | new.condition
    if not named and not new.values:
        return False
    # A person, a file or a gate that the other doesn't speak of is another one: who may write to Boris may not write to Anna.
    telling = {ValueKind.NAME, *((ValueKind.NUMBER,) if _is_numbered(new) else ())}
    others = (
        kind
        for kind, values in new.values.items()
        if (kind not in old.values and not values <= former) or (kind in telling and values.isdisjoint(former))
    )
    return named <= former and next(others, None) is None


def _all(values: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*values)


def _what_is_revoked(text: str) -> str:
    """Return the statement without the words that take back, and without the reasons that follow."""
    said = text.lower()
    begin = next((len(phrase) for phrase in REVOCATIONS if said.startswith(phrase)), 0)
    end = next((place for phrase in REVOKED if (place := said.find(phrase)) >= 0), len(text))
    return text[begin:end].partition(",")[0]
