"""Whether somebody picks one of several things that a question offers, or tells what it asks for.

Who is offered things names one of them, counts them off, or leaves it to whoever asks. Who is asked what, which or when answers with a
piece of a sentence; a whole sentence that takes up no word of the question speaks of something else. Where a question asks whether to do
something, a word of it alone picks nothing.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from collections.abc import Iterator

from tailrace.agents.language.cues import is_verb
from tailrace.agents.language.lexicon import FUNCTION_WORDS
from tailrace.agents.language.word_lists import words

_STEM_CHARS = 4
_PICK_WORDS_MAX, _PIECE_WORDS_MAX, _BARE_WORDS_MAX, _UNSPACED_CHARS_MAX = 8, 5, 2, 6
_UNSPACED = "\u2e80"
_WORD = re.compile(r"[^\W\d_]+|\d+")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_JOINING = re.compile(r"[我你您他她它会将把给的了就再也还是吗嗎呢在和与要をにはがのてでか]+")

#: Says nothing about a subject, but may be what is offered.
_OFFERED = words(
    "keep keeps kept stay stays use uses used make today tomorrow week month day once next put set maximum minimum least most always never"
)
#: Stands in any question, and tells nothing of what is offered.
_NO_TELLING = (FUNCTION_WORDS - _OFFERED) | words(
    "shall should would could can may might will want like need prefer know tell think let give please one ones this that these those here there "
    "soll sollen möchtest möchten willst wollen kann darf gerne bitte eins dois devons voulez veux souhaitez préférez quieres quiere prefieres debo puedo "
    "vuoi vuole devo posso preferisci quer prefere gostaria zal moet wil wilt je хотите хочешь мне"
)
#: Parts what a question offers; two short words of it do so only behind a comma or among few words, for they are other words in other languages.
_OR = re.compile(
    r"\b(?:or|oder|ou|albo|lub|или|либо)\b|(?<=\w )czy\b|,[^,?]*\s(?:o|of)\s|^\W*(?:\w+ ){1,2}(?:o|of) (?:\w+ ?){1,2}\W*$|还是|還是|それとも|아니면"
)
#: Opens a question that no yes or no answers, in small letters.
_OPEN = re.compile(
    r"(?:^|[.!?\u3002\uff1f]\s*)[\s¿*_\"'(]*(?:(?:and|so|but|then|please|tell me|let me know|in|at|on|for|by|with|to|from|und|also|dann|an|auf|für|et|alors|à|de|en|pour|"
    r"y|e|con|para|per|op|voor|и|а) )*"
    r"(?:which|what|who|whom|whose|when|where|how|welche\w*|was|wer|wem|wen|wann|wo|wohin|wie|wieviel\w*|quel\w*|qui|quand|où|comment|combien|que|qué|quién|cuál\w*|cuándo|"
    r"dónde|cómo|cuánt\w*|quale|quali|chi|quando|dove|come|quant\w*|cosa|qual|quais|quem|onde|welk\w*|wat|wanneer|waar|hoe|który|która|które|kto|kiedy|gdzie|jak\w*|"
    r"как\w*|кто|кому|когда|где|сколько|что)(?!\w)|[哪谁誰几幾]|什么|什麼|多少|どちら|どれ|どの|何|いつ|誰|누구|어느|언제|무엇"
)
#: What is done first or last is not what is offered first.
_COUNTED = (
    r"(?:(?<=the )|(?<=my )|(?<=option )|(?<=number )|(?<![^\W_] )(?<!\w))(?:first|second|third|fourth|fifth|last|latter|former)|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|letzte[nrs]?|premi(?:er|ère)|deuxième|seconde?|troisième|derni(?:er|ère)|"
    r"primer[oa]?|segund[oa]|tercer[oa]?|últim[oa]|prim[oa]|second[oa]|terz[oa]|primeir[oa]|terceir[oa]|eerste|tweede|derde|laatste|"
    r"перв\w{2,3}|втор\w{2,3}|треть\w{0,3}|последн\w{2,3}"
)
#: Counts off what is offered, takes all or none of it, or leaves it to whoever asks, in small letters.
_PICKS = re.compile(
    rf"\b(?:{_COUNTED})(?: (?:one|option|choice|date|variant\w*|opción|opzione|opção|optie|вариант))?\W*$|^\W*(?:\w{{2,3}} )?(?:{_COUNTED})(?: one| option)?[,;.!]|"
    r"^\W*(?:i (?:don't|do not) (?:care|mind)|(?:it )?(?:doesn't|does not) matter|no preference|what(?:ever|soever)|whichever|you (?:choose|decide|pick)|(?:it's |that's )?(?:up to you|your (?:choice|call))|"
    r"any(?: of| one\b|\W*$)|either|both|neither|none|all (?:of|\w+\W*$)|option \w+\W*$|egal|(?:alle )?beides?|keins?\w*|weder|wie du (?:willst|möchtest)|"
    r"entscheide du|les deux|n'importe|peu importe|aucun\w*|comme (?:tu veux|vous voulez)|cualquiera|da igual|amb[oa]s|ningun\w*|los dos|las dos|como quieras|entramb[ie]|nessun\w*|come vuoi|"
    r"tanto faz|qualquer|os dois|as duas|nenhum\w*|allebei|beide|geen van|maakt niet uit|оба|обе|любо\w+|всё равно|ни од\w+)(?!\w)|"
    r"^\W*(?:都|随便|任意|第[一二三四]|两个|どちらでも|両方|둘 다|아무)"
)
#: A choice by the letter or the number before it.
_LABEL = re.compile(r"\W*(?:option |number |variante |opción )?(?:[a-h]|\d{1,2})(?:\W*|[,.;:)] .*)")
#: Begins a piece of a sentence that tells where, when, how many or which.
_PIECE = re.compile(
    r"\W*(?:\d|(?:the|an?|in|at|on|by|from|to|for|with|until|before|after|next|every|about|around|under|over|near|between|der|die|das|den|dem|ein\w*|im|am|um|an|auf|bei|"
    r"mit|für|bis|nach|nächste\w*|le|la|les|un|une|des|du|à|au|aux|en|chez|pour|avec|el|los|las|una|al|con|para|il|lo|gli|per|uno|o|os|as|um|uma|no|na|em|com|het|een|"
    r"op|om|voor|met|в|на|у|до|после|через)\b)"
)
#: Somebody of whom something is told, or who does it, in small letters; and what makes a sentence whole.
_SUBJECTS = words(
    "i you he she it we they there nobody everybody somebody ich du er sie es wir ihr man je tu il elle on nous vous ils elles yo tú él ella nosotros ellos io tu lui lei noi loro "
    "eu ele ela nós eles ik jij hij zij wij my our mein meine unser mon ma notre mi mio mia meu minha mijn я ты он она мы вы они мой моя"
)
_WHOLE = words(
    "is are was were has have had does did will can ist sind war hat haben wird est sont était ont es son está tiene è sono ha é são está tem heeft zijn jest są"
)
#: Whoever tells what they want says one of these.
_CHOOSING = words(
    "better best suits suit prefer prefers like likes want wants take takes choose pick rather fine good okay works work should need needs looks sounds is's "
    "lieber besser nehme nehmen nimm möchte möchten will wollen passt gefällt préfère préférons prends prenons mieux plutôt veux voudrais prefiero preferimos mejor quiero queremos tomo "
    "preferisco meglio prendo voglio vorrei prefiro melhor quero queremos liever beter neem wil лучше возьму хочу хотим"
)
_GOING_WITH = re.compile(r"\b(?:go|going) (?:with|for)\b")
_POLITE = words("please just then so now and ok okay well bitte dann also merci por favor per favore пожалуйста")
#: Opens a question of how things are, and of nothing that is to be done, in small letters.
_OF_FACTS = re.compile(
    r"(?:^|[.!?\u3002\uff1f]\s*)[\s¿*_\"'(]*(?:(?:and|so|but|und|et|y|e) )?(?:is|are|was|were|did|does|has|have|had|do (?:you|they|we) (?!want|wish|like|prefer|agree|approve|mind)|ist|sind|war|waren|hat|"
    r"haben|hast|gibt|est|est-ce que (?!je)|sont|avez|as|está|están|es|son|tiene|tienes|hay|è|sono|hai|ha|é|são|tem|há|heeft|heb|zijn|jest|są|czy (?:jest|są|masz)|есть|был\w*)(?!\w)"
)
_ORDERING = words(
    "explain tell show help translate summarize summarise describe define name give take bring call ask let use compare draw sing turn try go come please do "
    "erkläre erklär zeig zeige sag nenne hilf übersetze explique montre dis aide traduis explica muestra dime ayuda traduce spiega mostra dimmi aiuta leg toon vertel help "
    "объясни покажи расскажи помоги переведи"
)


def picks(said: str, question: str) -> bool:
    """Tell whether words count off what a question offers, name some of it, or tell what it asks for; a yes or a no is not looked for."""
    small, asked = said.strip().lower(), question.lower()
    offers = _OR.search(asked) is not None
    opens = _OPEN.search(asked) is not None
    if _takes_up(small, asked):
        if offers and not opens:
            chooses = not _CHOOSING.isdisjoint(_WORD.findall(small)) or _GOING_WITH.search(small) is not None
            return chooses or not _is_whole(small)
        return opens or _OF_FACTS.search(asked) is not None or _is_echo(small, asked)
    if not (offers or opens) or len(small.split()) > _PICK_WORDS_MAX:
        return False
    if _PICKS.search(small) or _LABEL.fullmatch(small):
        return True
    return opens and not offers and _is_piece(small)


def _takes_up(small: str, asked: str) -> bool:
    """Whether words name something of a question, and don't ask for something else to be done with it."""
    told, named = _telling(small), _telling(asked)
    if told.isdisjoint(named):
        return False
    first = next((word for word in _WORD.findall(small) if word not in _POLITE), "")
    return first[:_STEM_CHARS] in named or not (first in _ORDERING or is_verb(first))


def _is_echo(small: str, asked: str) -> bool:
    """Whether a text is a piece of a question, and nothing else."""
    return _PIECE.match(small) is not None and not _is_whole(small) and _telling(small) <= _telling(asked)


def _is_whole(small: str) -> bool:
    """Whether a text is a sentence with somebody or something of whom it tells something."""
    said = _WORD.findall(_SENTENCE_END.split(small, maxsplit=1)[0])
    return bool(said) and (said[0] in _SUBJECTS or not _WHOLE.isdisjoint(said[1:]))


def _is_piece(small: str) -> bool:
    """Whether a text is less than a sentence: it tells what is asked for, and nothing of its own."""
    said = _WORD.findall(small)
    if not said:
        return False
    if said[0] >= _UNSPACED:
        return len(small) <= _UNSPACED_CHARS_MAX and not _JOINING.match(small)
    if said[0] in _SUBJECTS or said[0] in _ORDERING or is_verb(said[0]) or not _WHOLE.isdisjoint(said):
        return False
    return len(said) <= _BARE_WORDS_MAX or (len(said) <= _PIECE_WORDS_MAX and _PIECE.match(small) is not None)


def _telling(small: str) -> frozenset[str]:
    """The numbers and the beginnings of the words of a text that tell something; pairs of characters where words have no spaces."""
    told: set[str] = set()
    for word in _WORD.findall(small):
        if word >= _UNSPACED:
            told.update(_pairs(word))
        elif word not in _NO_TELLING and (len(word) > 1 or word.isdigit()):
            told.add(word[:_STEM_CHARS] if not word.isdigit() else word)
    return frozenset(told)


def _pairs(word: str) -> Iterator[str]:
    return (piece[place : place + 2] for piece in _JOINING.split(word) for place in range(len(piece) - 1))
