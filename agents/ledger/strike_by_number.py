"""Items of a list that somebody lets go of by their number: forget step 2; strike the second one; point 3 no longer applies.

A number tells which item is meant only in the list that was given last. What is skipped for once, or for somebody, is not struck.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from tailrace.agents.ledger.release_words import NARROWING
from tailrace.agents.ledger.subjects import subject_of
from tailrace.schemas.records.ledger import Directive

#: Whoever strikes an item says so in a line.
STRIKE_CHARS_MAX = 100
#: Counted from the end.
LAST = -1
_ITEM = (
    r"(?:steps?|points?|items?|rules?|numbers?|nos?\.?|instructions?|lines?|bullets?|entr(?:y|ies)|punkte?|schritte?|regeln?|nummern?|nr\.?|zeilen?|"
    r"étapes?|règles?|numéros?|puntos?|pasos?|reglas?|números?|punt[oi]|pass[oi]|regol[ae]|numer[oi]|punt|pontos?|passos?|regras?|punten|stap(?:pen)?|"
    r"regels?|krok|zasada|пункты?|шаги?|правил[оа])"
)
_ORDINALS = {
    word: number
    for number, row in enumerate(
        (
            "last letzte letzten letzter dernier dernière último última ultimo ultima laatste ostatni последний последнее",
            "",
            "first 1st erste ersten erster premier première primero primera primo prima primeiro primeira eerste pierwszy первый первое",
            "second 2nd zweite zweiten zweiter deuxième segundo segunda secondo seconda tweede drugi второй второе",
            "third 3rd dritte dritten dritter troisième tercero tercera terzo terza terceiro terceira derde trzeci третий третье",
            "fourth 4th vierte vierten vierter quatrième cuarto cuarta quarto quarta vierde czwarty четвёртый",
            "fifth 5th fünfte fünften fünfter cinquième quinto quinta vijfde piąty пятый",
            "sixth 6th sechste sechsten sechster sixième sexto sexta sesto sesta zesde szósty шестой",
        ),
        LAST,
    )
    for word in row.split()
}
_ORDINAL = rf"(?P<ordinal>{'|'.join(sorted(_ORDINALS))})"
_NUMBERS = r"#? ?(?P<numbers>\d{1,2}(?:(?:,| and| und| et| y| e| en| i| и|-|\u2013| to| bis) ?\d{1,2})*)"
_ONE = r"(?:one|of (?:them|these|those)|del? (?:la )?list[ae]?|de la liste|von der liste)"
_WHICH = rf"(?:the |den |die |das |le |la |les |el |los |las |il |lo |o |a |de |het )?(?:{_ITEM} {_NUMBERS}|{_ORDINAL}(?: (?:{_ITEM}|{_ONE}))?|#{_NUMBERS.replace('numbers', 'marked').replace('#? ?', '')})"
_HEAD = (
    r"(?:forget|skip|strike|drop|scrap|delete|remove|cancel|ignore|disregard|omit|lift|scratch|cross out|cross off|leave out|take out|never ?mind|"
    r"vergiss|vergessen sie|streich(?:e|en sie)?|ignorier(?:e|en sie)|lass|lassen sie|überspring(?:e|en sie)?|oublie[zr]?|saute[zr]?|supprime[zr]?|"
    r"retire[zr]?|enlève|olvida|olvide|salta|quita|elimina|borra|dimentica|togli|cancella|esquece|esqueça|pula|pule|remove|vergeet|schrap|sla|"
    r"zapomnij|pomiń|skreśl|забудь|пропусти|вычеркни|убери)(?: about)?"
)
_TAIL = (
    r"(?:no longer appl(?:y|ies)|(?:is|are) (?:off|out|void|gone|obsolete|cancell?ed|dropped|lifted|no longer (?:needed|valid|necessary))|can go|"
    r"(?:doesn't|does not|don't|do not) (?:apply|hold|count)(?: any ?more| any longer)?|falls away|"
    r"gilt nicht mehr|gelten nicht mehr|entfällt|entfallen|fällt weg|ne s'applique plus|ne vaut plus|est annulée?|ya no vale|ya no se aplica|"
    r"non vale più|já não vale|vervalt|geldt niet meer|odpada|już nie obowiązuje|больше не действует|отменяется)"
)
_POLITE = r"(?:(?:please|ok|okay|and|but|also|actually|oh|you can|bitte|und|aber|por favor|s'il te plaît),? )*"
_STRIKE = (
    re.compile(rf"{_POLITE}{_HEAD} {_WHICH}(?P<rest>(?!\w).*)"),
    re.compile(rf"{_POLITE}{_WHICH} {_TAIL}(?P<rest>(?!\w).*)"),
)
#: What may stand behind it: which list is meant, or that it is struck for good.
_REST = re.compile(
    r"(?:,? (?:of|from|on|in|off) (?:that|the|this|my|your) (?:list|rules|above)|,? (?:above|please|again|entirely|altogether|completely|then|too|weg|aus|"
    r"bitte|de la liste|de la lista|della lista|over))*[.!]*"
)
_CODED = re.compile(r"[/_\\]|\w\.\w")
_NUMBER = re.compile(r"\d+")
_SPANS = ("-", "\u2013", " to ", " bis ")


class Strike(Struct, frozen=True):
    """Which items are let go of, by their numbers; and whether for good."""

    numbers: tuple[int, ...]
    sure: bool


@lru_cache(maxsize=1024)
def strike_of(text: str) -> Strike | None:
    """Return the items that a statement lets go of by their numbers; None where it does nothing of the kind."""
    if len(text) > STRIKE_CHARS_MAX or "?" in text:
        return None
    small = text.lower().replace("\u2019", "'").strip()
    found = next((match for pattern in _STRIKE if (match := pattern.match(small))), None)
    if found is None:
        return None
    numbers = _numbers(found["numbers"] or found["marked"] or "") or (_ORDINALS[found["ordinal"]],)
    rest = found["rest"]
    if _REST.fullmatch(rest):
        return Strike(numbers, sure=True)
    return Strike(numbers, sure=False) if _narrows(rest) and not _CODED.search(rest) else None


def _numbers(said: str) -> tuple[int, ...]:
    found = tuple(map(int, _NUMBER.findall(said)))
    if len(found) == 2 and any(span in said for span in _SPANS):  # noqa: PLR2004  from and to
        return tuple(range(min(found), max(found) + 1))
    return found


def _narrows(rest: str) -> bool:
    """Whether behind the number stands for whom, when or how often: what else stands there speaks of something else."""
    said = frozenset(re.findall(r"[\w']+", rest))
    return not said.isdisjoint(NARROWING | {"for", "on", "in", "this", "now", "für", "pour", "para", "per"})


def struck_among(strike: Strike, listed: Sequence[Directive], answer: str) -> list[Directive]:
    """Return the items of a list that are struck; none where a number is not there, stands there twice, or is one of another list in the answer."""
    found: list[Directive] = []
    for number in strike.numbers:
        place = max((one.number for one in listed), default=0) if number == LAST else number
        items = [one for one in listed if one.number == place]
        if len(items) != 1 or _is_another(answer, place, items[0].text):
            return []
        found += items
    return found


def _is_another(answer: str, number: int, item: str) -> bool:
    """Whether an answer holds a list of its own, in which the item of that number speaks of something else."""
    written = re.search(rf"^\s*\(?{number}[.)] (.+)$", answer, re.MULTILINE)
    return written is not None and subject_of(written[1]).terms.isdisjoint(subject_of(item).terms)
