"""Which earlier directive a new one changes or takes back.

Losing a rule is worse than keeping one that is out of date: only what speaks of the same thing, and not of another one of its
kind, is replaced. Without a word that says so, the two must be the same but for a value.
"""

from collections.abc import Sequence

from tailrace.agents.ledger.lexicon import REVOCATIONS, REVOKED
from tailrace.agents.ledger.statements import is_change, words_of
from tailrace.agents.ledger.subjects import Subject, ValueKind, subject_of
from tailrace.schemas.ledger import Directive

#: Share of its terms that a statement must have in common with the one that it changes.
CHANGED_SHARE_MIN = 0.3
REVOKED_SHARE_MIN = 0.5
#: A change that names no subject ("make it 9090") is about one of the newest.
ANAPHORA_REACH = 6
#: Subjects that say nothing alone: a limit is one of something.
_VAGUE = frozenset({"limit"})
#: Statements about these have one value at a time, so that a second one replaces the first without saying so.
_SINGULAR = frozenset({(frozenset({"clock"}), ValueKind.CLOCK)})


def replaced_by(text: str, earlier: Sequence[Directive]) -> Directive | None:
    """Return the directive that a new statement changes; None if it stands for itself."""
    new = subject_of(text)
    for old in reversed(earlier):
        if old.text == text or (new.values and subject_of(old.text).masked == new.masked):
            return old
    if is_change(text, frozenset(words_of(text))):
        return _changed(new, earlier)
    if not any(subjects <= new.known and kind in new.kinds for subjects, kind in _SINGULAR):
        return None
    return next((old for old in reversed(earlier) if _is_second_value(new, subject_of(old.text))), None)


def amended(text: str, old: Directive) -> str:
    """Return what a statement needs beside it to be understood: the one it changes, if it names no subject of its own."""
    new = subject_of(text)
    return "" if new.terms - _VAGUE else old.amends or old.text


def revoked_by(text: str, earlier: Sequence[Directive]) -> Directive | None:
    """Return the directive that a statement takes back; None if none fits well enough."""
    new = subject_of(_what_is_revoked(text))
    best, best_share = None, REVOKED_SHARE_MIN
    for old in earlier:
        share = _share(new, subject_of(old.text), of_new=True)
        if share >= best_share:
            best, best_share = old, share
    return best


def _what_is_revoked(text: str) -> str:
    """Return the statement without the words that take back, and without the reasons that follow."""
    said = text.lower()
    begin = next((len(phrase) for phrase in REVOCATIONS if said.startswith(phrase)), 0)
    end = next((place for phrase in REVOKED if (place := said.find(phrase)) >= 0), len(text))
    return text[begin:end].partition(",")[0]


def _changed(new: Subject, earlier: Sequence[Directive]) -> Directive | None:
    best, best_share = None, CHANGED_SHARE_MIN
    for old in earlier:
        subject = subject_of(old.text)
        if not _comparable(new, subject):
            continue
        share = _share(new, subject, of_new=False)
        if share >= best_share:
            best, best_share = old, share
    if best is None and not new.terms - _VAGUE and new.kinds:
        newest = earlier[-ANAPHORA_REACH:]
        best = next((old for old in reversed(newest) if new.kinds & subject_of(old.text).kinds), None)
    return best


def _comparable(new: Subject, old: Subject) -> bool:
    """Tell whether two statements may be about the same: a subject in common, no other qualifier, values of one kind."""
    if not new.known & old.known and len(new.terms & old.terms) < 2:  # noqa: PLR2004  one word in common is chance
        return False
    if new.qualifiers and old.qualifiers and not new.qualifiers & old.terms and not old.qualifiers & new.terms:
        return False
    return not new.kinds or not old.kinds or bool(new.kinds & old.kinds) or bool(new.known & old.known)


def _share(new: Subject, old: Subject, *, of_new: bool) -> float:
    """Part of the terms that both have, of the new one's or of the shorter's."""
    least = len(new.terms) if of_new else min(len(new.terms), len(old.terms))
    return len(new.terms & old.terms) / least if least else 0.0


def _is_second_value(new: Subject, old: Subject) -> bool:
    return (
        any(
            subjects <= new.known and subjects <= old.known and kind in new.kinds and kind in old.kinds
            for subjects, kind in _SINGULAR
        )
        and not new.values <= old.values
    )
