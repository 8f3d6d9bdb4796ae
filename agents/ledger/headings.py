"""What a line above a list says of its items: that they are forbidden, demanded or allowed, or when, where and for whom they hold.

An item without such a heading says the contrary of what was meant ("open the vents" under "never do the following"), so every item
carries it. A heading that only announces what comes ("my notes:", "here is the plan:") says nothing of it and is not repeated.
"""

from functools import lru_cache

from msgspec import Struct

from tailrace.agents.language.cues import DEMAND, cue_words, holds_any, is_unspaced_demand
from tailrace.agents.language.lexicon import CONDITIONS, VERBS
from tailrace.agents.language.rule_words import PROHIBITIONS
from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import heading_words as hw
from tailrace.agents.ledger import when_words as ww

COLONS = (":", "\uff1a")
#: A longer line explains something; it is no heading that every item could carry.
HEADING_CHARS_MAX = 120
#: A name of a place or a thing is so short; more words say something of it.
NAME_WORDS_MAX = 3
NAME_CHARS_MAX = 40
TITLE_WORDS_MAX = 5
#: Among so many first words a question says that it is about what stands under it.
ASKED_WORDS = 5
#: Where words are written with few characters, a name has no more.
UNSPACED_NAME_CHARS_MAX = 8

_BINDING = (
    cue_words(DEMAND) | PROHIBITIONS | fw.BINDING_WORDS | hw.FORBIDDING | hw.DEMANDING | hw.PERMITTING | hw.EXCEPTING
)
#: What begins so announces, asks for something, or is told of oneself.
_PLAIN_STARTS = hw.ANNOUNCING_STARTS | hw.SCOPES | fw.POLITE | fw.SPEAKERS
_GENITIVES = ("'s", "s'")
_TIMES = ww.RECURRING_DAYS | hw.TIMES
_CONDITIONS = CONDITIONS | ww.WHENS


class Heading(Struct, frozen=True):
    """A line above a list: what of it is carried, and what that does to the items."""

    #: Empty where it only announces them.
    carried: str = ""
    #: It forbids, demands, allows or excepts: every item binds.
    binds: bool = False
    #: It says under which condition or at which times: what somebody is told there binds.
    when: bool = False
    #: It calls the list one of rules.
    ruled: bool = False
    #: It begins as a report does.
    tells: bool = False
    #: It says when, where, for whom or of what: the lines right below it are meant, with a mark or without.
    scoped: bool = False
    #: It says that what is listed was turned down, or is done no more: none of it is a rule.
    void: bool = False
    #: It asks which of the items is better, or whether they are right: none of them is a rule.
    asks: bool = False


def heading_of(line: str) -> Heading:
    """What a line that stands above a list does; with its colon or without."""
    text = line.rstrip(" :\uff1a*_")
    words = text.lower().replace("\u2019", "'").replace(",", " ").split()
    said = frozenset(words)
    ruled = not said.isdisjoint(fw.HEADINGS) or (not text.isascii() and holds_any(text, hw.UNSPACED_RULES))
    ruled = ruled and not _is_foreign(words, said)
    if not words or len(text) > HEADING_CHARS_MAX:
        return Heading(ruled=ruled)
    carried = line if line.endswith(COLONS) else f"{text}:"
    if _is_void(words, said):
        return Heading(carried, void=True)
    if _binds(text, words, said):
        return Heading(carried, binds=True, ruled=ruled, tells=words[0] in hw.TELLING_STARTS)
    scope = _is_scope(words)
    when = words[0] in _CONDITIONS or (scope and not said.isdisjoint(_TIMES))
    if when or scope or not said.isdisjoint(_BINDING) or _is_name(text, words, said):
        return Heading(carried, when=when, ruled=ruled, scoped=True)
    return Heading(ruled=ruled) if _is_plain(text, words, said) else Heading(carried, ruled=ruled)


@lru_cache(maxsize=256)  # items share theirs
def is_topic(line: str) -> bool:
    """Tell whether a heading only names what is spoken of: what is demanded under it is demanded without it, too.

    Whatever forbids, allows or takes out of force does more, and so does what says when, where or for whom.
    """
    heading = heading_of(line)
    words = line.lower().replace("\u2019", "'").split()
    said = frozenset(words)
    if not words or heading.binds or heading.when or _is_scope(words):
        return False
    return not _is_foreign(words, said) and said.isdisjoint(hw.TENTATIVE)


def _is_void(words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a heading says that what is listed was turned down or no longer holds; what forbids to go on with something doesn't."""
    if not said.isdisjoint(hw.REJECTED):
        return said.isdisjoint(hw.EARNEST) and words[0] not in hw.SCOPES and said.isdisjoint(PROHIBITIONS)
    if not said.isdisjoint(hw.FORMER):
        # The old town is a place, the old rules are none.
        named = words[0] in hw.WHAT or not (hw.ANNOUNCING | fw.HEADINGS).isdisjoint(words)
        return named and words[0] not in hw.SCOPES and said.isdisjoint(hw.EARNEST)
    return hw.NO_MORE.search(" ".join(words)) is not None


def asks_about(line: str) -> bool:
    """Tell whether a line asks about what is listed under it: which one is better, or whether it is right."""
    first, *others = line.lower().rstrip(" ?").split()[:ASKED_WORDS] or [""]
    return line.endswith("?") and first in hw.ASKING_ABOUT and not hw.ASKED_ABOUT.isdisjoint(others)


def _is_foreign(words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a heading says that what is listed is somebody else's, or no longer holds."""
    return not said.isdisjoint(hw.OUTDATED) or any(
        word.endswith(_GENITIVES) and word not in hw.CONTRACTED for word in words
    )


def _is_plain(text: str, words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a heading only announces what holds: "house rules", "some things to keep in view", "please remember"."""
    return _announces(text, words, said) and said.isdisjoint(hw.TENTATIVE) and not _is_foreign(words, said)


def _announces(text: str, words: list[str], said: frozenset[str]) -> bool:
    if words[0] in _PLAIN_STARTS or words[-1] in hw.POINTING:
        return True
    if not text.isascii() and holds_any(text, hw.UNSPACED_ANNOUNCING):
        return True
    if said.isdisjoint(hw.ANNOUNCING):
        return False
    called = next(place for place, word in enumerate(words) if word in hw.ANNOUNCING)
    opening = [word for word in words[:called] if word not in hw.OPENING]
    tail = words[called + 1 :]
    return len(opening) < NAME_WORDS_MAX and (not tail or tail[0] in hw.FOLLOWING)


def is_title(line: str) -> bool:
    """Tell whether a line without a colon calls what stands under it rules, and says no more of them than for what."""
    if len(line) > NAME_CHARS_MAX:
        return False
    words = line.lower().split()
    return not fw.HEADINGS.isdisjoint(words) and len(words) <= TITLE_WORDS_MAX and VERBS.isdisjoint(words)


def _binds(text: str, words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a heading forbids, demands, allows or excepts; what only tells that something is not so does none of it."""
    if not text.isascii() and (is_unspaced_demand(text) or holds_any(text, hw.UNSPACED)):
        return True
    if said.isdisjoint(_BINDING) or words[0] in hw.ANNOUNCING_STARTS or words[0] in _CONDITIONS:
        return False
    return words[0] not in hw.TELLING_STARTS or not said.isdisjoint(hw.EARNEST)


def _is_scope(words: list[str]) -> bool:
    """Tell whether a heading says when, where or for whom."""
    if words[0] in ww.RECURRING_DAYS:
        return True
    if words[0] in hw.SCOPES:
        return len(words) > 1 and words[1] not in hw.IDLE_SCOPES
    # "Rules for visitors" limits, "rules" announces.
    return not hw.ANNOUNCING.isdisjoint(words[:2]) and not hw.LIMITING.isdisjoint(words[1:3])


def _is_name(text: str, words: list[str], said: frozenset[str]) -> bool:
    """Tell whether a heading names a thing, a place or somebody, of which the items speak."""
    if not said.isdisjoint(hw.ANNOUNCING) or words[0] in hw.ANNOUNCING_STARTS or words[0] in hw.TELLING_STARTS:
        return False
    if not text.isascii() and len(words) == 1 and len(text.encode()) > 2 * len(text):
        return len(text) <= UNSPACED_NAME_CHARS_MAX and not any(part in text for part in hw.UNSPACED_ANNOUNCING)
    return (
        len(words) <= NAME_WORDS_MAX
        and len(text) <= NAME_CHARS_MAX
        and words[0] not in fw.POLITE
        and text[0].isupper()
        and not words[0].endswith(fw.NOT_TOLD_ENDS)
    )
