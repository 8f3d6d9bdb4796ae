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
ALIKE_SHARE_MIN = 0.6
REVOKED_SHARE_MIN = 0.5
#: Whoever changes a rule says so in a line; what is longer explains something.
CHANGE_CHARS_MAX = 200
#: A change that names no subject ("make it 9090") is about one of the newest.
ANAPHORA_REACH = 6
#: Subjects that say nothing alone: a limit is one of something.
_VAGUE = frozenset({"limit"})
#: Statements about these have one value at a time, so that a second one replaces the first without saying so.
_SINGULAR = frozenset({(frozenset({"clock"}), ValueKind.CLOCK)})


def replaced_by(text: str, source: str, stated: Sequence[Directive]) -> Directive | None:
    """Return the directive that a new statement changes; None if it stands for itself.

    What one message says all holds together, so only statements of other messages are changed.
    """
    earlier = [old for old in stated if old.source != source or old.text == text]
    new = subject_of(text)
    for old in reversed(earlier):
        if old.text == text or (new.values and subject_of(old.text).masked == new.masked):
            return old
    if len(text) > CHANGE_CHARS_MAX:
        return None
    if is_change(text, frozenset(words_of(text))):
        return _changed(new, earlier)
    if not any(subjects <= new.known and kind in new.kinds for subjects, kind in _SINGULAR):
        return None
    return next((old for old in reversed(earlier) if _is_second_value(new, subject_of(old.text))), None)


def amended(text: str, old: Directive) -> str:
    """Return what a statement needs beside it to be understood: the one it changes, if it names no subject of its own."""
    new = subject_of(text)
    return "" if new.terms - _VAGUE else old.amends or old.text


def revoked_by(text: str, source: str, stated: Sequence[Directive]) -> Directive | None:
    """Return the directive of another message that a statement takes back; None if none fits well enough."""
    if len(text) > CHANGE_CHARS_MAX:
        return None
    earlier = [old for old in stated if old.source != source]
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
    if new.qualifiers and old.qualifiers and not new.qualifiers & old.terms and not old.qualifiers & new.terms:
        return False
    if new.known & old.known and new.kinds & old.kinds:
        return True
    # Without a subject that is known, or a value to set, nearly all of what they speak of must be the same.
    alike = bool(new.known & old.known and not new.kinds) or bool(new.kinds & old.kinds)
    return alike and _share(new, old, of_new=False) >= ALIKE_SHARE_MIN


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
