"""Reminders, timers and alarms: which of them has come up or was called off, where nobody names its id.

One ends when somebody says that it rang, when a call or a report says that it was cancelled, and, once its time has passed, as soon as
somebody speaks of what it was for.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from collections.abc import Iterable

from tailrace.agents.language.cues import holds_any
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.job_words import is_doubted
from tailrace.agents.ledger.promises import covers, stems_of
from tailrace.schemas.records.ledger import Obligation

_READ_CHARS = 600
_THING = (
    r"(?:timers?|alarms?|alarm clock|reminders?|countdown|wecker|erinnerung(?:en)?|minuteurs?|minuterie|rappels?|réveil|temporizador(?:es)?|alarmas?|recordatorios?|sveglia|promemoria|temporizzator[ei]|"
    r"lembretes?|alarmes?|herinnering(?:en)?|kookwekker|przypomnieni[ae]|minutnik|таймеры?|будильник|напоминани[ея]|闹钟|计时器|提醒|タイマー|アラーム|リマインダー)"
)
#: It has come up, in small letters: the thing and what it did, or that the time has come.
_RANG = re.compile(
    rf"{_THING}[^.!?\n]{{0,40}}(?:\b(?:is up|is over|went off|goes off|has gone off|going off|fired|rang|rings|ringing|is done|finished|has ended|expired|elapsed|triggered|due now|ist abgelaufen|abgelaufen|klingelt|hat geklingelt|ging los|"
    r"a sonné|sonne|est écoulé|est terminé|ha sonado|sonó|terminó|è suonat[ao]|suona|è scaduto|tocou|terminou|is afgelopen|ging af|gaat af|zadzwonił|сработал[ао]?|прозвенел|закончился)|响了|到了|が鳴|終了)|"
    r"\btime(?:'s| is) up\b|\bdie zeit ist um\b|\bc'est l'heure\b|\bse acabó el tiempo\b|\btempo scaduto\b|\bвремя вышло\b|时间到|時間です|\u23f0|\U0001f514"
)
#: A message that is one itself.
_ITSELF = re.compile(rf"\W*(?:friendly |your |hier |dies ist )*{_THING}\W*(?::|\u2013|-|\uff1a)")
#: It was taken away again, in small letters.
_OFF = re.compile(
    rf"\b(?:cancell?ed|removed|deleted|cleared|stopped|dismissed|turned off|switched off|called off)\b[^.!?\n]{{0,40}}{_THING}|{_THING}[^.!?\n]{{0,40}}(?:\b(?:cancell?ed|removed|deleted|cleared|stopped|dismissed|turned off|switched off|"
    r"gelöscht|gestoppt|abgebrochen|entfernt|ausgeschaltet|aufgehoben|annulée?s?|supprimée?s?|cancelad[oa]s?|eliminad[oa]s?|borrad[oa]s?|annullat[oaie]|eliminat[oaie]|verwijderd|geannuleerd|usunięt\w+|отмен[её]н\w*|удал[её]н\w*)|已取消|已删除|取消了)"
)
#: Part of every such text.
_SIGNS = (
    *(
        "timer",
        "alarm",
        "remind",
        "countdown",
        "wecker",
        "erinnerung",
        "minuteur",
        "minuterie",
        "rappel",
        "réveil",
        "temporiz",
        "recordatorio",
    ),
    *(
        "sveglia",
        "promemoria",
        "lembrete",
        "herinnering",
        "kookwekker",
        "przypomn",
        "minutnik",
        "таймер",
        "будильник",
        "напоминан",
        "闹钟",
        "计时器",
        "提醒",
    ),
    *(
        "タイマー",
        "アラーム",
        "リマインダー",
        "time's up",
        "time is up",
        "zeit ist um",
        "c'est l'heure",
        "se acabó",
        "scaduto",
        "время вышло",
        "时间到",
        "時間です",
        "\u23f0",
        "\U0001f514",
    ),
)
_ENDING_TOOL = re.compile(
    r"cancel|delete|remove|stop|clear|dismiss|unschedule|abort|lösch|annul|supprim|elimin", re.IGNORECASE
)
_THING_TOOL = re.compile(
    r"timer|alarm|remind|schedul|cron|erinner|wecker|rappel|recordatorio|promemoria|lembrete", re.IGNORECASE
)
_EVERY = words("all every everything alle alles tous toutes todos todas tutti tutte")
_ID = re.compile(r" \[[^\]]*\]$")
_WORD_OF_TOOL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def ended_by_word(scheduled: Iterable[Obligation], text: str) -> list[str]:
    """Keys of those that a text says have come up or were taken away; and of those that it speaks of though their time has passed."""
    small = text[:_READ_CHARS].lower().replace("\u2019", "'")
    open_ones = [*scheduled]
    ended = [one.key for one in open_ones if one.due_ms and not one.waits and _speaks_of(small, one)]
    if not holds_any(small, _SIGNS):
        return ended
    told = any(_is_meant(small, found) for form in (_RANG, _OFF) for found in form.finditer(small)) or _ITSELF.match(
        small
    )
    return [*ended, *_meant(open_ones, small)] if told else ended


def ended_by_call(scheduled: Iterable[Obligation], told: str) -> list[str]:
    """Keys of those that a call which did not fail has taken away, where it names no id; `told` is how the call is told."""
    tool, _, target = told.partition(" ")
    if not _ENDING_TOOL.search(tool) or not _THING_TOOL.search(told):
        return []
    open_ones = [*scheduled]
    of_all = frozenset(word.lower() for word in _WORD_OF_TOOL.findall(tool)) & _EVERY or _EVERY.intersection(
        target.lower().split()
    )
    if of_all or (not target.strip() and tool.lower().endswith("s")):
        return [one.key for one in open_ones]
    return (
        _meant(open_ones, target.lower())
        if not target.strip() or len(open_ones) > 1
        else _meant_alone(open_ones, target)
    )


def reminds(text: str, promise: str) -> bool:
    """Tell whether a text is the reminder that was promised: it is one, or says that the time has come, and speaks of the same."""
    small = text[:_READ_CHARS].lower().replace("\u2019", "'")
    if not holds_any(small, _SIGNS) or not (_ITSELF.match(small) or _RANG.search(small)):
        return False
    stems = stems_of(promise)
    return any(word[:4] in stems for word in re.findall(r"[^\W_]{4,}", _ITSELF.sub("", small)))


def _meant_alone(open_ones: list[Obligation], target: str) -> list[str]:
    """The only one there is, unless it has an id and the call names another."""
    return [one.key for one in open_ones if not (_ID.search(one.text) and re.search(r"\d", target))]


def _meant(open_ones: list[Obligation], small: str) -> list[str]:
    """Those whose words a text has; the only one there is needs none."""
    named = [one.key for one in open_ones if _speaks_of(small, one)]
    return named or ([open_ones[0].key] if len(open_ones) == 1 else [])


def _speaks_of(small: str, one: Obligation) -> bool:
    stems = stems_of(_ID.sub("", one.text.partition(" ")[2]))
    return bool(stems) and covers(small, stems) and not small.rstrip().endswith(("?", "\uff1f"))


def _is_meant(small: str, found: re.Match[str]) -> bool:
    """Whether it is told as a fact: neither asked, denied, nor put under a condition."""
    end = re.search(r"[.!?\n\uff1f]", small[found.end() :])
    asked = end is not None and end[0] in "?\uff1f"
    before = re.split(r"[.!?\n]", small[: found.start()])[-1]
    return not asked and not is_doubted(before) and not is_doubted(before + found[0][: found[0].rfind(" ") + 1])
