"""How people put an end to all that was asked for and planned: "drop all of that", "never mind, leave it", "stop here".

Whole sentences only, and nothing that names what is to go: "drop the table" and "stop the server" are work, and "stop here for today" is
a pause. What else the same message says is what is asked now.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from dataclasses import dataclass

from tailrace.agents.language.cues import holds_any

#: Whoever ends something says so at the beginning.
_READ_CHARS = 400
_BREAKS = r"\n.!?,;:\u2014\u2013\u3001\u3002\uff01\uff0c\uff1b"
_PIECE = re.compile(rf"(?:(?! - )[^{_BREAKS}])+(?: - |[{_BREAKS}\s])*")
_MARKS = " \t\n.!?,;:\u2014\u2013-\u3001\u3002\uff01\uff0c\uff1b\u2026\"'"
#: What is dropped: everything, or what was spoken of last, or the plan.
_ALL = (
    r"(?:it|this|that|them|everything|all|all (?:of )?(?:it|this|that|them|these|those)|the (?:whole|entire) (?:thing|plan|task|idea)|"
    r"(?:the|your|that|this|our|my) (?:(?:whole|old|previous|current|first|original) )?(?:plan|plans|task|tasks|todo list|idea|request)|the rest(?: of it)?|"
    r"what i (?:said|asked)(?: for)?(?: before| earlier)?)"
)
_ENDINGS = (
    # English
    rf"(?:forget|drop|scrap|scratch|abandon|ditch|discard|disregard)(?: about)? {_ALL}(?: (?:now|then|please|again|entirely|completely|altogether))*",
    r"(?:cancel|stop|abort|ignore) (?:everything|all of (?:it|this|that)|the (?:whole thing|plan|task)|your plan|that plan|working on (?:it|this|that))(?: (?:now|please))*",
    r"never ?mind(?: (?:it|that|then|all (?:of )?that|about (?:it|that)))?",
    r"(?:please )?(?:stop|abort)(?: (?:it|now|here|there|please|working|right (?:here|there|now)|everything))*",
    r"(?:let's|let us|we|you) (?:can |should |could )?(?:stop|leave it|end it|call it a day|drop (?:it|that|this|everything))(?: (?:here|there|now|at that))*",
    r"leave (?:it|that|this|everything|things|all of (?:it|that))(?: (?:be|alone|there|here|at that|now|then|as (?:it|they) (?:is|are)|as is|out|undone))*",
    r"(?:there is |there's )?no need(?: to (?:continue|go on|carry on|do (?:it|that|any of (?:it|that))))?(?: any ?(?:more|longer))?",
    r"(?:please )?(?:don't|do not) (?:bother|continue|go on|carry on|do (?:it|that|any of (?:it|that)))(?: (?:any ?(?:more|longer)|with (?:it|that|this)))*",
    r"(?:that's|that is|that will be|this is) (?:all|enough)(?: (?:thanks|thank you|here))*|(?:we're|we are) done(?: here)?",
    # German
    r"(?:vergiss|vergesst|vergessen sie|streich|streiche|verwirf|verwerfen sie) (?:es|das|alles|das alles|das ganze|den plan|den ganzen plan|die aufgabe|all das)(?: (?:wieder|bitte|einfach))*",
    r"(?:lass|lasst|lassen sie|lassen wir)(?: (?:es|das|alles|mal|einfach|wir))* ?(?:gut sein|sein|bleiben|so|bitte|stehen)?|lass(?:en sie)? (?:es|das)",
    r"(?:hör|hören sie)(?: bitte)? auf(?: damit)?|(?:brich|brechen sie)(?: (?:es|das|alles|bitte))* ab|stopp?(?: (?:hier|bitte|jetzt|alles))*|schluss(?: (?:damit|jetzt|für jetzt))*",
    r"(?:ach )?(?:schon gut|egal|spielt keine rolle|hat sich erledigt|ist nicht mehr nötig|nicht mehr nötig|das war's|das reicht)",
    # French
    r"(?:oublie|oubliez)(?: (?:ça|cela|tout|le plan|ce plan|la tâche))*|(?:laisse|laissez|laissons)(?: (?:tout|ça|cela))* ?(?:tomber|ça|comme ça)(?: (?:tout|ça))*",
    r"(?:arrête|arrêtez|arrêtons|on arrête|arrête-toi|arrêtez-vous|stop)(?: (?:là|ici|tout|ça|cela|maintenant))*|(?:abandonne|abandonnez) (?:tout|ça|cela|le plan)|peu importe|tant pis|ça suffit|c'est bon comme ça",
    # Spanish
    r"(?:olvida|olvide|olvídate de|olvídese de|olvídalo|olvídelo|olvidemos)(?: (?:todo|eso|esto|el plan|lo del plan|la tarea|lo anterior))*",
    r"(?:déjalo|déjelo|dejémoslo|deja eso|deja todo|dejalo)(?: (?:así|estar|ya|todo))*|(?:para|pare|detente|deténgase|basta)(?: (?:aquí|ahí|ya|todo))*|no importa|da igual|(?:abandona|descarta) (?:todo|el plan|eso)|ya no hace falta",
    # Italian, Portuguese, Dutch, Polish
    r"(?:dimentica|dimenticalo|dimentichi)(?: (?:tutto|ciò|questo|quello|il piano))*|lascia(?:mo)? (?:perdere|stare)(?: tutto)?|lascialo così|fermati(?: qui)?|basta(?: così)?|non importa|annulla tutto",
    r"(?:esquece|esqueça|esquece-o)(?: (?:isso|tudo|o plano))*|(?:deixa|deixe)(?: (?:isso|pra lá|para lá|assim|estar|tudo))+|(?:pare|para)(?: (?:aqui|por aqui|tudo))+|pare|não importa|tanto faz",
    r"(?:vergeet)(?: (?:het|dat|alles|het plan))+|laat(?: (?:het|dat|maar|alles))+(?: (?:zitten|zo|zijn))*|hou(?:d)? (?:maar )?op|stop(?: (?:maar|hier))+|maakt niet uit",
    r"(?:zapomnij)(?: (?:o tym|o wszystkim|o planie))*|zostaw to|nieważne|przestań|wystarczy|dość",
    # Russian
    r"(?:забудь|забудьте)(?: (?:это|об этом|про это|всё|все|обо всём|про план|о плане))*|(?:оставь|оставьте)(?: (?:это|так|как есть|всё))*|неважно|не надо|стоп|хватит|остановись|остановитесь|прекрати(?:те)?|брось(?:те)?(?: это)?",
    # Chinese, Japanese, Korean
    (
        r"算了(?:吧)?|(?:取消|终止)(?:这个|那个|整个)?计划(?:吧)?|(?:都|全部|全都)?(?:别|不用|不要|不必)(?:再)?[\u4e00-\u9fff]{0,2}了(?:吧)?|(?:就)?(?:停|停下|停止|到此为止)(?:吧|在这里|到这里)?|"
        r"(?:把)?(?:这些|那些|全部|计划|这个计划|那个计划|它)?(?:都)?(?:忘了|忘掉|放弃)(?:这个|那个|这些|那些|计划|这个计划|它|全部|一切)?(?:吧)?"
    ),
    r"(?:もう)?(?:やめて|止めて|やめよう|やめましょう|いい|いいです|結構です|忘れて|中止して|中止|終わりにして)(?:ください)?|(?:全部|計画は|それは)(?:忘れて|やめて|中止して)(?:ください)?|ここまで(?:で|にして)?(?:ください)?|気にしないで(?:ください)?",
    r"(?:이제 )?(?:그만(?:해|하세요|둬|두세요|해줘)?|됐어(?:요)?|잊어(?:버려|주세요|요)?|취소해(?:요|줘|주세요)?)|(?:다|전부|계획은) (?:잊어|취소해)(?:주세요|줘)?",
)
#: Before what ends something.
_OPENING = r"(?:(?:ok|okay|well|oh|ah|no|nope|yes|yeah|actually|sorry|alright|all right|please|just|so|then|you know what|hmm|nein|ach|gut|bitte|also|doch|non|bon|bah|finalement|en fait|oui|bueno|pues|mejor|en realidad|vale|allora|anzi|não|nee|нет|ладно|好吧?|那|那就|不|嗯|いや|じゃあ|아니) )*"
_ENDS = re.compile(
    rf"{_OPENING}(?:{'|'.join(_ENDINGS)})(?: (?:please|thanks|thank you|bitte|danke|merci|s'il te plaît|por favor|gracias|grazie|obrigado))*"
)
#: An interjection that may stand before it.
_ONLY_OPENING = re.compile(rf"{_OPENING.removesuffix('*')}*")
#: Only a pause: it goes on another time.
_PAUSE = re.compile(
    r"\b(?:for (?:now|today|the moment)|until|tomorrow|later|für (?:heute|jetzt)|vorerst|bis|morgen|später|pour (?:l'instant|aujourd'hui|le moment)|demain|por (?:hoy|ahora)|hasta|mañana|per (?:ora|oggi)|"
    r"por (?:enquanto|hoje)|voor (?:nu|vandaag)|пока|до завтра)\b|今天|明天|先停|一旦"
)
#: One of these is in every such sentence, in small letters, and looking for them is much faster.
_PARTS = (
    *(
        "forget",
        "drop",
        "scra",
        "abandon",
        "ditch",
        "disca",
        "disreg",
        "cancel",
        "stop",
        "abort",
        "ignore",
        "mind",
        "leave",
        "need",
        "n't ",
        "not ",
        "that's",
        "that is",
        "will be",
    ),
    *(
        "this is",
        "done",
        "call it",
        "vergiss",
        "vergess",
        "streich",
        "verw",
        "lass",
        "auf",
        "brich",
        "brech",
        "schluss",
        "gut",
        "egal",
        "rolle",
        "erledigt",
        "nötig",
        "das",
    ),
    *(
        "oubli",
        "laiss",
        "arrêt",
        "abandon",
        "importe",
        "pis",
        "suffit",
        "bon",
        "olv",
        "déj",
        "dej",
        "para",
        "pare",
        "det",
        "basta",
        "importa",
        "igual",
        "descarta",
        "falta",
    ),
    *(
        "dimentic",
        "lasci",
        "ferma",
        "annulla",
        "esque",
        "deix",
        "faz",
        "vergeet",
        "laat",
        "hou",
        "maakt",
        "zapomnij",
        "zostaw",
        "nieważne",
        "przestań",
        "wystarczy",
        "dość",
    ),
    *("забудь", "остав", "неважно", "не надо", "стоп", "хватит", "остан", "прекрат", "брось"),
    *(
        "算了",
        "别",
        "不用",
        "不要",
        "不必",
        "停",
        "到此",
        "忘",
        "放弃",
        "取消",
        "やめ",
        "止め",
        "いい",
        "結構",
        "中止",
        "終わり",
        "ここまで",
        "気に",
        "그만",
        "됐어",
        "잊어",
        "취소",
    ),
)


#: May speak of nothing but what was asked or told last, where that is open.
_OF_LAST = re.compile(
    rf"{_OPENING}(?:(?:forget|drop|scrap|scratch|leave|disregard)(?: about)? (?:it|this|that|them)\b.*|.*\bno need\b.*|(?:please )?(?:don't|do not) .*|"
    r"(?:that's|that is|this is) enough.*|(?:lass|lassen sie) (?:es|das|gut)\b.*|.*nicht mehr nötig|(?:laisse|laissez) (?:ça|tomber).*|(?:déjalo|déjelo|deja eso|olvídalo).*|"
    r"ya no hace falta|lascia .*|lascialo così|(?:deixa|deixe) .*|laat .*|zostaw to|не надо|(?:оставь|оставьте).*|不用.*|不要.*|不必.*|别.*|(?:もう)?(?:いい|いいです|結構です))"
)


@dataclass(frozen=True, slots=True)
class Ending:
    """A person ends what was asked for."""

    #: What else they say, which is asked now.
    rest: str
    #: Whether it may be meant for nothing but a question that is open.
    of_last: bool


def ending_in(text: str) -> Ending | None:
    """How a person ends all that was asked for; None where they end nothing."""
    head = text[:_READ_CHARS]
    begin = 0
    ends: list[str] = []
    for piece in _PIECE.finditer(head):
        said = " ".join(piece[0].replace("\u2019", "'").lower().strip(_MARKS).split())
        if _ENDS.fullmatch(said):
            ends.append(said)
        elif said and not _ONLY_OPENING.fullmatch(f"{said} "):
            begin = piece.start()
            break
        begin = piece.end()
    if not ends or not holds_any(head.lower(), _PARTS) or _PAUSE.search(head[:begin].lower()):
        return None
    rest = text[begin:].strip()
    return None if _PAUSE.match(rest.lower()) else Ending(rest, all(map(_OF_LAST.fullmatch, ends)))
