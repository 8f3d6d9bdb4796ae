"""What a line above a list says of its items: that they are forbidden, demanded or allowed, or when, where and for whom they hold.

An item without such a heading says the contrary of what was meant ("open the vents" under "never do the following"), so every item
carries it. A heading that only announces what comes ("my notes:", "here is the plan:") says nothing of it and is not repeated.
"""

from msgspec import Struct

from tailrace.agents.cues import DEMAND, cue_words, holds_any, is_unspaced_demand
from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import heading_words as hw
from tailrace.agents.ledger import when_words as ww
from tailrace.agents.ledger.lexicon import CONDITIONS, VERBS
from tailrace.agents.rule_words import PROHIBITIONS

COLONS = (":", "\uff1a")
#: A longer line explains something; it is no heading that every item could carry.
HEADING_CHARS_MAX = 120
#: A name of a place or a thing is so short; more words say something of it.
NAME_WORDS_MAX = 3
NAME_CHARS_MAX = 40
TITLE_WORDS_MAX = 5
#: Where words are written with few characters, a name has no more.
UNSPACED_NAME_CHARS_MAX = 8

_BINDING = (
    cue_words(DEMAND) | PROHIBITIONS | fw.BINDING_WORDS | hw.FORBIDDING | hw.DEMANDING | hw.PERMITTING | hw.EXCEPTING
)
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


def heading_of(line: str) -> Heading:
    """What a line that stands above a list does; with its colon or without."""
    text = line.rstrip(" :\uff1a*_")
    words = text.lower().replace("\u2019", "'").replace(",", " ").split()
    said = frozenset(words)
    ruled = not said.isdisjoint(fw.HEADINGS) or (not text.isascii() and holds_any(text, hw.UNSPACED_RULES))
    if not words or len(text) > HEADING_CHARS_MAX:
        return Heading(ruled=ruled)
    carried = line if line.endswith(COLONS) else f"{text}:"
    if _binds(text, words, said):
        return Heading(carried, binds=True, ruled=ruled, tells=words[0] in hw.TELLING_STARTS)
    when = words[0] in _CONDITIONS or (_is_scope(words) and not said.isdisjoint(_TIMES))
    if when or _is_scope(words) or not said.isdisjoint(_BINDING) or _is_name(text, words, said):
        return Heading(carried, when=when, ruled=ruled)
    return Heading(ruled=ruled)


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
