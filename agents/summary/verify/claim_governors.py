"""Words that say of the verb behind them whether it was done: refuse to sign, fail to reach, stop answering, manage to open.

Each counts only where its verb follows: "the test failed" says how something went, "failed to start" says that it did not start.
"""

import re
from typing import Final, NamedTuple

from tailrace.agents.language.word_lists import words


class GoverningWord(NamedTuple):
    """A word that governs a verb: whether it denies that, and what stands between the two; nothing has to where this is empty."""

    denies: bool
    links: frozenset[str]


_ENGLISH, _ROMANCE, _GERMANIC = words("to"), words("de d di a à"), words("zu te att om")
_AGAINST = words("against gegen contre contra contro tegen przeciw против emot")
#: By what stands behind them: words that deny what they govern, and words that leave that to a denial before them.
_ROWS: Final[tuple[tuple[frozenset[str], str, str], ...]] = (
    (
        _ENGLISH,
        (
            "fail fails failed failing refuse refuses refused refusing decline declines declined declining unable incapable forget forgets "
            "forgot forgotten neglect neglects neglected omit omits omitted cease ceases ceased hesitate hesitates hesitated"
        ),
        "manage manages managed managing able",
    ),
    (_ENGLISH | words("from"), "forbidden forbid forbids prohibited banned barred", ""),
    (
        _ROMANCE,
        (
            "refusé refusée refuse refusent refusait oublié oublie omis renoncé renonce incapable échoué negó negaron niega niegan rehusó "
            "rehusaron rechazó olvidó olvidaron incapaz rifiutato rifiutata rifiuta rifiutano rifiutò dimenticato dimenticò incapace smesso "
            "recusou recusaram recusa negou esqueceu"
        ),
        "réussi réussit parvenu parvient riuscito riuscita riusciti riesce",
    ),
    (
        _GERMANIC,
        (
            "weigert weigerte weigern geweigert verweigert verweigerte abgelehnt ablehnte lehnt lehnte versäumt versäumte vergessen vergaß "
            "vergisst unterlassen außerstande unfähig weigerde weigerden weigeren vergat vägrade vägrar glömde"
        ),
        "gelungen gelang geschafft schaffte lage imstande slaagde slaagden lyckades",
    ),
    (
        _AGAINST,
        (
            "decided decide decides voted vote votes advised advises ruled chose argued entschieden entschied entscheidet gestimmt décidé voté decidido "
            "decidió votó deciso votato besloten решил решила решили"
        ),
        "",
    ),
    (
        frozenset(),
        "odmówił odmówiła odmówili odmawia zapomniał zapomniała отказался отказалась отказались отказывается забыл забыла забыли",
        "logró lograron consiguió consiguieron pudo pudieron conseguiu conseguiram zdołał zdołała смог смогла смогли удалось",
    ),
)
GOVERNORS: Final = {
    word: GoverningWord(denies, links)
    for links, denying, leaving in _ROWS
    for denies, row in ((False, leaving), (True, denying))
    for word in words(row)
} | {word: GoverningWord(True, _ENGLISH | _ROMANCE) for word in ("refuse", "incapable")}
#: Before a verb that goes on: it does so no more.
STOPPING: Final = words("stop stops stopped quit quits")
GOING_ON: Final = re.compile(r"[^\W\d_]{3,}ing")
#: In what stands behind a comma and is governed from before it: "weigert sich, den Plan zu unterschreiben".
GOVERNED: Final = _GERMANIC
