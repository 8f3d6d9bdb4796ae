"""What the assistant says that it will do, and whether a later word says that it is done or will not be.

Some of it comes next, and is over when somebody agrees to it or another step takes its place. Some waits for a time or for something
to happen ("once the backup is through"): whatever is said in between, it stands until it is kept, taken back or said anew.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tailrace.agents.language.cues import holds_any
from tailrace.agents.language.lexicon import FUNCTION_WORDS
from tailrace.agents.language.word_lists import words

#: Promises stand at the end of a report.
PROMISE_CHARS = 600
#: Of one report.
PROMISES_OF_REPORT = 3
#: As much of a later report is read for what it says is done, at both ends.
_READ_CHARS = 1_000
#: So much of a promise has to be spoken of again.
_COVERED = 0.6
_COVERED_MIN = 2
_STEM_CHARS, _VERB_CHARS = 4, 3

#: A point behind an initial or a title ends nothing.
_SENTENCE = re.compile(
    r"[^\n.!?\u3002\uff01\uff1f]+(?:(?:[.!?](?![\s*_\"')\]]|$)|(?:(?<=\b[B-HJ-Zb-hj-z])|(?<=\b[DMSHFdmshf][rst])|(?<=\bMrs)|(?<=\bmrs)|(?<=\bProf)|(?<=\bprof)|(?<=\bNr)|(?<=\bnr))\.(?=\s\S))"
    r"[^\n.!?\u3002\uff01\uff1f]*)*[.!?\u3002\uff01\uff1f]*"
)
_Form = tuple[tuple[str, ...], re.Pattern[str]]
#: How somebody speaks of what they themselves are going to do, in small letters, by language; before each form what stands in it: looking
#: for that is much faster.
_FORMS: tuple[_Form, ...] = (
    (
        ("'ll ", "\u2019ll ", " will ", "going to "),
        re.compile(
            r"\b(?:i|we)(?:['\u2019]ll| will|['\u2019]m going to| am going to|['\u2019]re going to| are going to) "
            r"(?!not\b|never\b|be (?:here|happy|glad|around|able|waiting)\b|"
            r"(?:wait|await|stand by|need|assume|leave (?:it|that|this)|let you (?:decide|choose))\b)\w"
        ),
    ),
    (
        ("next", "remaining", "still to do"),
        re.compile(
            r"\bnext step\b|\bnext steps (?:are|will)\b|^\W*next(?:,| up:?) \w|^\W*remaining: \w|\bstill to do: \w"
        ),
    ),
    (
        ("ich ", " ich", "nächste"),
        re.compile(
            r"\bich werde (?!nicht\b)\w|\bwerde ich (?!nicht\b)\w|\bals nächstes\b|\bnächster schritt\b|"
            r"\b(?:dann|danach|sobald|wenn|morgen|später|anschließend)\b.*\b(?!würde|könnte|möchte|sollte|müsste|hätte|hatte|wäre|habe|glaube|denke)\w+e ich\b|"
            r"\bich (?!würde|könnte|möchte|sollte|müsste|hätte|hatte|wäre|habe|glaube|denke)\w+e\b.*\b(?:sobald|wenn|morgen|später|danach|anschließend|nachher)\b"
        ),
    ),
    (
        ("je vais", "rai", "ensuite"),
        re.compile(
            r"\bje vais \w|\bj(?:e |')(?:(?:vous|te|t'|le|la|les|l'|m'|me|en|y|lui|leur) ?)*\w+rai\b|\bensuite,? je\b"
        ),
    ),
    (("voy a ", "ré", "continuación"), re.compile(r"\bvoy a \w|\b\w{2,}ré\b|\ba continuación\b")),
    (
        ("vou ", "rei", "rò", "passo"),
        re.compile(r"\bvou \w+r\b|\b\w{2,}[aei]rei\b|\bpróximo passo\b|\b\w{2,}rò\b|\bprossimo passo\b"),
    ),
    (("ik zal", "ik ga", "volgende stap"), re.compile(r"\bik (?:zal|ga) \w|\bvolgende stap\b")),
    (
        ("шаг", "сообщу", "пришлю", "отправлю", "сделаю", "напомню", "проверю", "вернусь", "буду"),
        re.compile(r"следующий шаг|\b(?:сообщу|пришлю|отправлю|сделаю|напомню|проверю|вернусь|буду)\b"),
    ),
    (
        ("我", "接下来", "ます", "겠습니다", "게요"),
        re.compile(r"我(?:会|将|就|再|稍后)|接下来|稍后我|(?:次に|後で|でき次第|たら).*ます|겠습니다|게요"),
    ),
)
#: Waits for something: a time, or what is to happen first.
_WAITS = re.compile(
    r"\b(?:once|when|whenever|after|as soon as|until|before|later|tomorrow|tonight|afterwards|every|daily|weekly|hourly|if|in case|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day|by (?:then|noon|tonight|tomorrow|the end|next|\d+|\w+day)|at \d+|in (?:\d+|an?|a few|a couple of|half an?) (?:second|sec|minute|min|hour|day|week|month|moment|bit|while)s?|this (?:evening|afternoon|week)|next week|"
    r"keep (?:an eye|watch\w*|monitor\w*|track\w*)|watch|monitor|let you know|tell you|notify|follow up|get back|remind|update you|"
    r"report back|come back|check (?:back|again|in))\b|"
    r"\b(?:sobald|wenn|falls|nachdem|nach de[mr]|bevor|bis|morgen|später|nachher|danach|heute abend|um \d+|am \w+tag|jede[nrs]?|täglich|melde|bescheid|erinnere)\b|"
    r"\b(?:dès que|quand|lorsque|après|avant|demain|plus tard|ce soir|chaque|si|à \d+ ?h|tiendrai|préviendrai|rappellerai)\b|"
    r"\b(?:en cuanto|cuando|después|antes|mañana|luego|más tarde|cada|si|a las \d+|avisaré|recordaré)\b|"
    r"\b(?:appena|quando|dopo|prima|domani|più tardi|ogni|se|assim que|depois|antes|amanhã|mais tarde|zodra|als|wanneer|nadat|morgen|later)\b|"
    r"\b(?:как только|когда|после|завтра|позже|если|напомню|сообщу)\b|"
    r"等|(?<!然)后|明天|一旦|当|每|如果|提醒|通知|たら|次第|後で|明日|면 |나중에|내일"
)
_AT_ONCE = re.compile(
    r"\b(?:now|right away|immediately|jetzt|sofort|maintenant|ahora|adesso|agora|nu|сейчас)\b|现在|马上|今すぐ"
)
#: An offer, which is a question in other words.
_OFFER = re.compile(
    r"\bif you(?:'d| would)? (?:like|want|wish|prefer|need|agree|approve|confirm|say|give|tell)\b|\blet me know\b|\b(?:just )?(?:say|tell me)\b.*\band i\b|"
    r"\bwenn (?:du|sie) (?:möchte|will|woll|wünsch)\w*|\bsi (?:vous|tu) (?:le )?(?:voul|veu|souhait|préfér)\w*|\bsi (?:quieres?|lo desea\w*|prefieres?)\b|"
    r"\bse (?:vuoi|vuole|preferisci|quiser|preferir)\b|\bals (?:je|u) (?:wilt?|wenst)\b|\bесли (?:хотите|хочешь)\b|如果你(?:想|愿意|需要)|如果您"
)
#: Something was done, in small letters.
_DONE = re.compile(
    r"\b(?:have|has|'ve|had|was|were|been|done|complete|finished|sent|made|built|ran|wrote|written|put|told|found|gave|given|\w{2,}ed|"
    r"habe|hat|haben|wurden?|erledigt|fertig|ge\w{2,}(?:t|en)|\w+(?:ge\w+t|iert)|(?:be|ver|er|ent|zer)\w{3,}t|(?:ge|ver|be|ont)\w{3,}d|est parti\w*|"
    r"j'ai|a été|ont été|fait|\w+é[es]{0,2}|he|hemos|ha sido|hecho|\w+[ai]d[oa]s?|ho|è stat[oa]|fatt[oa]|\w+[aiu]t[oaie]|feit[oa]|heb|gedaan|"
    r"\w+(?:лен|лена|лено|лил|лила|вил|вила|слал|слала|делал|делала)|готово)\b|\u2705|\u2713|\u2714|已|了|完成|ました|했습니다"
)
#: Not done, or not yet.
_NOT = re.compile(
    r"\b(?:not|no|never|cannot|without|yet|until|unless|if|should|could|would|nicht|noch|kein\w*|wenn|sobald|pas|jamais|si|cuando|non|não|niet|nie|не|ещё|когда)\b|n't\b|没|未|不|ません|않"
)
#: Will never be done.
_WONT = re.compile(
    r"\b(?:won't|will not|no longer|not going to|needn't|no need to|can(?:'t|not| not) .* after all|werde .* nicht|nicht mehr|ne .* (?:pas|plus)|ya no|no voy a|"
    r"non .* più|já não|niet meer|уже не|больше не)\b|不再|不会"
)
_CLAUSE = re.compile(
    r",|;|\b(?:once|when|as soon as|after|if|until|before|sobald|wenn|nachdem|dès que|quand|en cuanto|cuando|appena|quando|zodra)\b|(?<!然)后|\uff0c"
)
_WORD = re.compile(r"[^\W_]{2,}")
_JOINING = re.compile(r"[我你您他她会将把给的了就再也已经在和与をにはがのてで]+")
_NO_STEMS = words(
    "will ill going next step then also with your that this them they from into have once when after werde nächst dann auch mit eine einen "
    "vais ensu vous voy para luego let know tell soon"
)
_NO_STEM = frozenset(word[:_STEM_CHARS] for word in _NO_STEMS)
#: Before the stem of a participle.
_PREFIXES = re.compile(r"^(?:ab|an|auf|aus|ein|zu|vor|nach|mit|weg|los|ver|be|op|uit|door|terug)?(?:ge)?(?=\w{3})")
#: Only a part of it was done, in small letters.
_PARTLY = re.compile(
    r"\b(?:half|part(?:ly|ially)?|some|most|almost|nearly|started|begun|so far|\d+ (?:of|von|sur|de|di|van|из) (?:the |den )?\d+|teil\w*|halb\w*|fast|begonnen|angefangen|moitié|partie|presque|commencé|mitad|parte|casi|"
    r"empezado|metà|quasi|iniziato|metade|quase|começado|helft|deels|bijna|половин\w*|частично|почти)\b|\d ?%"
)
#: What is left of something was promised; and all of it was done.
_THE_REST = re.compile(
    r"\b(?:the (?:rest|others|remaining|remainder)|finish|complete|den rest|die restlichen|die übrigen|le reste|les autres|el resto|los demás|il resto|gli altri|o resto|de rest|остальн\w+)\b|剩下|其余|残り"
)
_ALL_OF_IT = re.compile(
    r"\b(?:all|every|everything|alle|alles|tou[st]|toutes|tod[oa]s?|tutt[ioea]|tud[oa]|все|всё)\b|全部|都|すべて"
)
#: A report that says no more, in small letters.
_JUST_DONE = re.compile(
    r"\W*(?:(?:ok|okay|all|that's|that is|it's|it is|this is|everything(?:'s| is)|das ist|alles|c'est|ya está|todo|è|tutto|está|tudo|dat is|to|всё|now|schon|bereits|just)\W+)*"
    r"(?:done|finished|completed|taken care of|sorted|erledigt|fertig|gemacht|fait|terminé|hecho|listo|fatto|feito|pronto|gedaan|klaar|gotowe|zrobione|готово|сделано|完成了?|做好了|完了しました|終わりました|했습니다)"
    r"(?:\W+(?:now|as promised|as well|too|wie versprochen|comme promis))*\W*(?:$|\n)"
)
_OF_IT = re.compile(
    r"\b(?:it|that|this|them|those|him|her|es|das|ihn|sie|le|la|les|lo|los|las|ça|het|dat|это|его|их|им)\b"
)
#: A person says that something is not wanted, in small letters.
_CALLED_OFF = re.compile(
    r"\b(?:no need|needn't|don't|do not|forget|skip|drop|cancel|not necessary|never ?mind|nicht (?:mehr )?nötig|brauchst|vergiss|lass|kein\w*|oublie\w*|pas besoin|n'\w+ pas|ne \w+ pas|"
    r"olvida\w*|no hace falta|no \w+|dimentica|non \w+|esqueça|não \w+|vergeet|niet|не|забудь)\b|不用|别|不要|不必"
)
#: Says the opposite with the same words.
_REMINDS = re.compile(
    r"(?:\b(?:not|never)|n't|n\u2019t) (?:forget|skip|drop|cancel)\b|\bn'oublie|\bvergiss\b.*\bnicht\b|\bnicht vergessen\b|\bno (?:te )?olvid|\bnon dimentic|\bnão (?:se )?esque|"
    r"\bvergeet\b.*\bniet\b|\bне забуд|别忘"
)


def promises_in(report: str) -> Sequence[tuple[str, bool]]:
    """Sentences at the end of a report in which the assistant says what it will do; True beside those that wait for something."""
    return _promised(report[-PROMISE_CHARS:])


@lru_cache(maxsize=512)
def _promised(ending: str) -> Sequence[tuple[str, bool]]:
    """As above. What stays in a thread is read again at every compaction, hence remembered."""
    small = ending.lower()
    forms = [one for one in _FORMS if holds_any(small, one[0])]
    if not forms:
        return ()
    found: list[tuple[str, bool]] = []
    for sentence in _SENTENCE.findall(ending):
        said = sentence.strip(" \t*_#>-\u2022|")
        low = said.lower()
        # What is written for programs is no promise to anybody.
        if (
            not low.startswith(('"', "{"))
            and _will(low, forms)
            and not low.endswith(("?", "\uff1f"))
            and not _OFFER.search(low)
        ):
            found.append((said, _WAITS.search(low) is not None and not _AT_ONCE.search(low)))
    return tuple(found[-PROMISES_OF_REPORT:])


def _will(small: str, forms: Iterable[_Form] = _FORMS) -> re.Match[str] | None:
    for signs, form in forms:
        if holds_any(small, signs) and (found := form.search(small)):
            return found
    return None


@lru_cache(maxsize=256)
def stems_of(promise: str) -> frozenset[str]:
    """What a promise is about, as beginnings of its words: those of what is to be done, not of what it waits for."""
    low = promise.lower()
    main = next((part for part in _CLAUSE.split(low) if _will(part)), low)
    # When it is to be is told in other words afterwards.
    stems = _stems(_WAITS.sub(" ", main)) if _will(_WAITS.sub(" ", main)) else _stems(main)
    return stems if len(stems) >= _COVERED_MIN else _stems(low)


def _stems(text: str) -> frozenset[str]:
    will = _will(text)
    place = will.end() - 1 if will else -1
    stems: set[str] = set()
    for word in _WORD.finditer(text):
        if not _is_spaced(word[0]):
            stems.update(_pairs(word[0]))
        elif word.start() <= place < word.end():
            # What is done has other forms than what is going to be: send and sent, build and built.
            stems.add(word[0][:_VERB_CHARS])
        elif len(word[0]) >= _STEM_CHARS:
            stems.add(word[0][:_STEM_CHARS])
    return frozenset(stems) - _NO_STEM


def _is_spaced(word: str) -> bool:
    return word[0] < "\u3000"


def _pairs(word: str) -> Iterator[str]:
    """Two characters of a script without spaces are about a word, apart from those that only join words."""
    return (piece[place : place + 2] for piece in _JOINING.split(word) for place in range(len(piece) - 1))


def _needed(stems: frozenset[str]) -> float:
    return max(min(_COVERED_MIN, len(stems)), _COVERED * len(stems))


def speaks_of(small: str, stems: frozenset[str]) -> bool:
    """Tell whether a text in small letters may cover a promise: looking for letters is much faster than taking words apart."""
    return bool(stems) and sum([stem in small for stem in stems]) >= _needed(stems)


def covers(small: str, stems: frozenset[str]) -> bool:
    """Tell whether a text in small letters speaks of most of what a promise is about."""
    if not speaks_of(small, stems):
        return False
    said: set[str] = set()
    for word in _WORD.findall(small):
        said.update(_beginnings(word))
    return len(stems & said) >= _needed(stems)


@lru_cache(maxsize=4096)
def _beginnings(word: str) -> tuple[str, ...]:
    """What of a word may be a stem; a participle of German or Dutch has its own behind a few letters."""
    if not _is_spaced(word):
        return tuple(_pairs(word))
    behind = _PREFIXES.sub("", word)
    return word[:_STEM_CHARS], word[:_VERB_CHARS], behind[:_STEM_CHARS], behind[:_VERB_CHARS]


def settles(report: str, stems: frozenset[str]) -> bool:
    """Tell whether a report says that what a promise is about was done, or will not be."""
    text = report if len(report) <= 2 * _READ_CHARS else f"{report[:_READ_CHARS]}\n{report[-_READ_CHARS:]}"
    small = text.lower()
    if not covers(small, stems):
        return False
    for sentence in _SENTENCE.findall(small):
        if covers(sentence, stems) and (_tells_wont(sentence) or _tells_done(sentence)):
            return True
    return False


def keeps(report: str, promise: str, *, alone: bool) -> bool:
    """Tell whether a report says that a promise was kept or taken back; where it is the only one, without a word of what it is about."""
    stems = stems_of(promise)
    if settles(report, stems):
        return True
    head = report[:_READ_CHARS].lower()
    if _is_of_rest(promise) and _ALL_OF_IT.search(head) and any(_is_all_done(one) for one in _SENTENCE.findall(head)):
        return True
    if not alone:
        return False
    if _JUST_DONE.match(head):
        return True
    return _WONT.search(head) is not None and any(_takes_back(one, stems) for one in _SENTENCE.findall(head))


@lru_cache(maxsize=256)
def _is_of_rest(promise: str) -> bool:
    return _THE_REST.search(promise.lower()) is not None


def _is_all_done(sentence: str) -> bool:
    return _ALL_OF_IT.search(sentence) is not None and _tells_done(sentence)


def _takes_back(sentence: str, stems: frozenset[str]) -> bool:
    """Whether a sentence says that the act of a promise will not be, of what both speak of: "then I won't call them"."""
    if not _WONT.search(sentence) or not _OF_IT.search(sentence):
        return False
    return any(word[:_VERB_CHARS] in stems for word in _WORD.findall(sentence))


def _tells_wont(sentence: str) -> bool:
    return _WONT.search(sentence) is not None and not sentence.rstrip().endswith(("?", "\uff1f"))


def _tells_done(sentence: str) -> bool:
    """Whether a sentence in small letters says that something was done, and all of it."""
    if sentence.rstrip().endswith(("?", "\uff1f")) or _will(sentence):
        return False
    return _DONE.search(sentence) is not None and not _NOT.search(sentence) and not _PARTLY.search(sentence)


def calls_off(said: str, stems: frozenset[str]) -> bool:
    """Tell whether a person says that what a promise is about is not wanted."""
    small = said[:_READ_CHARS].lower()
    if not _CALLED_OFF.search(small):
        return False
    return any(
        _CALLED_OFF.search(sentence)
        and not _REMINDS.search(sentence)
        and (covers(sentence, stems) or _is_only_of(sentence, stems))
        for sentence in _SENTENCE.findall(small)
    )


def _is_only_of(sentence: str, stems: frozenset[str]) -> bool:
    """Whether a sentence that calls something off names nothing but what a promise is about, however little of it."""
    named = [word for word in _WORD.findall(_CALLED_OFF.sub(" ", sentence)) if word not in FUNCTION_WORDS]
    return bool(named) and all(word[:_STEM_CHARS] in stems or word[:_VERB_CHARS] in stems for word in named)
