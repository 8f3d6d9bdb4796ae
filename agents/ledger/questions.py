"""What the assistant asks the person it works for, and whether what comes next is an answer.

A question counts where it ends a report, apart from a closing word and a list of choices, or where it plainly speaks to somebody:
others are asked and answered in the same breath. It stays open while people speak of something else, or ask back.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tailrace.agents.language.cues import holds_any
from tailrace.agents.ledger.choices import picks
from tailrace.agents.ledger.consent import consent_in, consents, only_takes_note
from tailrace.agents.ledger.foreign_text import own_lines
from tailrace.schemas.records.ledger import Obligation

#: Questions stand at the end of a report.
QUESTION_CHARS = 800
TEXT_CHARS_MAX = 200
#: Of a question and its answer together, as they are remembered; an answer that is longer says by itself what it is about.
ASKED_CHARS_MAX, ANSWER_CHARS_MAX = 100, 56
#: A yes or a no has its condition or its reason beside it, and that is longer.
CONSENT_CHARS_MAX, PAIR_CHARS_MAX = 110, 160
_READ_CHARS = 2_000
_ANSWER_WORDS_MAX, _ASKED_CHARS_MIN = 12, 40

_SENTENCE = re.compile(
    r"[^\n.!?\u3002\uff01\uff1f]+(?:[.!?](?![\s*_\"')\]]|$)[^\n.!?\u3002\uff01\uff1f]*)*[.!?\u3002\uff01\uff1f]*[*_\"')\]]*"
)
_MARKS = ("?", "\uff1f")
_CLOSING_MARKS = "*_\"')]"
_LIST_ITEM = re.compile(r"\s*(?:[-*+\u2022]|\(?\w{1,2}[.)])\s")
#: Speaks to a person, in small letters.
_TO_SOMEBODY = re.compile(
    r"\b(?:shall|should|may|can|could) (?:i|we)\b|\b(?:do|would|did|could|can|will|are) you\b|\b(?:want|like|need|prefer) me to\b|"
    r"^\W*(?:want|ok(?:ay)?|ready|happy|fine) (?:me|to|for|if|with)\b|\byour (?:preference|choice|call|confirmation|approval)\b|"
    r"\b(?:soll(?:en)?|darf|dürfen|kann) (?:ich|wir)\b|\bm(?:ö|oe)cht(?:est|en) (?:du|sie)\b|\bdois-je\b|\bdevons-nous\b|"
    r"\b(?:voulez|souhaitez|préférez)-vous\b|\bveux-tu\b|\b(?:quieres?|desea[s]?|prefieres?) \b|\b(?:debo|puedo|debemos)\b|"
    r"\b(?:devo|posso|vuoi|vuole|preferisci)\b|\b(?:devo|quer|prefere|gostaria)\b|\b(?:zal|moet|mag) ik\b|\bwil je\b|"
    r"\b(?:мне|хотите|хочешь)\b|(?:ますか|ですか|でしょうか|吗|嗎|呢)"
)
#: Asks without asking, in small letters.
_PROMPT = re.compile(
    r"^\W*(?:so )?(?:please |kindly |just )*(?:let me know|confirm|tell me|advise|choose|pick|say (?:so|which|yes|no)|reply with|"
    r"give me (?:the|a) (?:go|nod|green)|i(?:'ll| will)? (?:await|wait for|need) your|awaiting your|waiting for your|"
    r"your (?:call|choice|decision)|over to you|bitte (?:bestätig|sag|gib|entscheide)|sag (?:mir )?bescheid|gib (?:mir )?bescheid|"
    r"dites-moi|dis-moi|merci de (?:confirmer|me dire)|veuillez|dime|avísame|confirma|fammi sapere|diga-me|laat (?:het )?me weten|"
    r"дайте знать|сообщите|подтвердите|教えてください|ご確認|请确认|请告诉)"
)
#: One of these is in every such sentence, and looking for them is much faster.
_PROMPTING = (
    *(
        "let me know",
        "confirm",
        "tell me",
        "advise",
        "choose",
        "pick ",
        "say ",
        "reply with",
        "give me",
        "your",
        "over to you",
    ),
    *("bitte", "bescheid", "-moi", "merci de", "veuillez", "dime", "avísame", "sapere", "diga-me", "weten"),
    *("знать", "сообщите", "подтвердите", "教えて", "ご確認", "请"),
)
#: Offers help with whatever else there is or comes next, and leaves nothing open, in small letters: whatever is asked for answers it.
_COURTESY = re.compile(
    r"\bwhat(?:'s|\u2019s| is| comes) next\b|\bwhat (?:would you like|do you want|should we|shall we) (?:me )?(?:to )?(?:do|work on|tackle)(?: next| now)?\W*$|\bwas (?:kommt|machen wir|steht) (?:jetzt|als nächstes)\b|\bet (?:ensuite|maintenant) ?\?|"
    r"\bqué (?:sigue|hacemos ahora)\b|\bcosa facciamo (?:ora|adesso)\b|\be agora ?\?|\bwat nu\b|\bчто дальше\b|接下来(?:要)?做什么|次は何|"
    r"\b(?:anything|something|what) else\b|\b(?:how|what) (?:can|may|could) (?:i|we) (?:help|assist|do for)\b|\bany (?:other|more|further) questions?\b|"
    r"\bsonst noch\b|\b(?:wie|womit|wobei) kann ich (?:dir|ihnen|euch)?\b.*\bhelfen\b|\bautre chose\b|\b(?:comment|en quoi) puis-je\b|"
    r"\b(?:algo|alguna cosa) más\b|\b(?:cómo|en qué) puedo ayudar\w*|\bqualcos'altro\b|\baltro\b.*\baiutar\w*|\bmais alguma coisa\b|\bnog iets\b|\bчто-нибудь ещё\b|\bчем .*помочь\b|"
    r"还有(?:什么|别的|其他)|(?:什么|怎么).*(?:帮您|帮你|帮助)|(?:他に|ほかに)|お手伝い"
)
#: Offers to do something, in small letters.
_OFFER = re.compile(
    r"\W*(?:(?:then|so|instead|alternatively|otherwise|or|well|in that case|but),? )*(?:(?:i|we)(?: could| can| would| might|'d|\u2019d)(?! not)|(?:i|we) (?:suggest|propose|recommend))\b|"
    r"\W*(?:dann |also |sonst )*(?:(?:könnte[n]?|kann|können|würde[n]?|schlage) (?:ich|wir)|(?:ich|wir) (?:könnte[n]?|kann|können|würde[n]?|schlage[n]?))\b(?!.* nicht\b)|"
    r"\W*(?:alors |donc |sinon )*(?:je|nous) (?:pourrais|pourrions|peux|pouvons|propose)\b|\W*(?:entonces |si no )*(?:podría|podríamos|puedo|podemos|propongo)\b"
)
_WORD = re.compile(r"[^\W_]{2,}")
_STEM_CHARS = 4
#: A question with fewer words that tell something is about what stands before it.
_TELLING_MIN = 3
#: Begins what is not meant for an answer.
_ASIDE = re.compile(
    r"\W*(?:by the way|meanwhile|in the meantime|while you|btw|also\b(?! yes)|one more thing|another thing|something else|side note|unrelated|off[ -]topic|before (?:that|you|i|we)|"
    r"hold on|wait\b|hang on|first\b(?! one| option)|let me think|not sure yet|i'll (?:think|get back|answer)|give me a (?:minute|moment)|"
    r"übrigens|nebenbei|moment\b|warte|au fait|à propos|attends|por cierto|espera|a proposito|aspetta|aliás|trouwens|wacht|кстати|подожди|"
    r"ところで|对了|顺便)",
    re.IGNORECASE,
)
#: A denial in a word or two, or in a set phrase: in most languages the word that denies comes last.
_DENIAL = re.compile(
    r"\W*(?:[^\W\d_]+\s+)?(?:not|never|pas|jamais|nicht|niemals|no|nunca|jamás|non|mai|não|niet|nooit|nie|nigdy|не|никогда)\W*|"
    r"\W*(?:under no circumstances|on no account|by no means|no way|auf (?:gar )?keinen fall|en aucun cas|pas question|pas du tout|de ninguna manera|ni hablar|"
    r"in nessun caso|de jeito nenhum|in geen geval|ни в коем случае|不要|不用|别|千万别|だめ|やめて)\W*",
    re.IGNORECASE,
)


def question_in(text: str, *, only_to_somebody: bool = False) -> str:
    """The last question that a text leaves open; empty where it leaves none. Some count only where they plainly speak to somebody."""
    return _asked_last(text[-QUESTION_CHARS:].rstrip(), only_to_somebody)


@lru_cache(maxsize=1024)
def _asked_last(ending: str, only_to_somebody: bool) -> str:  # noqa: FBT001  a cache is asked by place
    """As above. Reports are read for what is owed and for what was decided, and again while they stay, hence remembered."""
    if not holds_any(ending, _MARKS) and (only_to_somebody or not _may_prompt(ending)):
        return ""
    said = [*_sentences(ending)]
    prompt, closing = -1, not only_to_somebody
    for place in range(len(said) - 1, -1, -1):
        sentence = said[place].lower()
        if sentence.rstrip(_CLOSING_MARKS).endswith(_MARKS):
            if _COURTESY.search(sentence):
                continue
            if closing or _TO_SOMEBODY.search(sentence):
                return _clipped(" ".join(said[_first_question(said, place) : place + 1]))
            closing = False
        elif closing and _PROMPT.match(sentence):
            prompt = place if prompt < 0 else prompt
        else:
            closing = closing and _LIST_ITEM.match(sentence) is not None
    # What is to be confirmed stands before it.
    return _clipped(" ".join(said[max(0, prompt - 1) : prompt + 1])) if prompt >= 0 else ""


def _may_prompt(ending: str) -> bool:
    """Whether a text without a question may end with something that asks all the same. What does is its last sentence, or stands before a list."""
    said = [*_sentences(ending[ending.rfind("\n") + 1 :])]
    last = said[-1].lower() if said else ""
    if last and _PROMPT.match(last) is None and _LIST_ITEM.match(last) is None:
        return False
    return holds_any(ending.lower(), _PROMPTING)


def _first_question(said: Sequence[str], place: int) -> int:
    """Place at which a question begins: several in a row are one, for whoever answers may answer any; "which one?" needs what it is about."""
    while place and said[place - 1].rstrip(_CLOSING_MARKS).endswith(_MARKS):
        place -= 1
    return place - 1 if place and len(_telling(said[place])) < _TELLING_MIN else place


def _sentences(text: str) -> Iterator[str]:
    """Items of lists, and the sentences of other lines."""
    for line in text.split("\n"):
        found = [line] if _LIST_ITEM.match(line) else _SENTENCE.findall(line)
        yield from (one.strip() for one in found if one.strip(" *_-#>`"))


def offer_in(text: str, question: str) -> str:
    """What a report offers in the place of what its speaker asked before, the same act in another way; empty where it offers nothing."""
    said = [*_sentences(text[-QUESTION_CHARS:].rstrip())]
    if not said or _OFFER.match(said[-1].lower()) is None or _telling(said[-1]).isdisjoint(_telling(question)):
        return ""
    return _clipped(said[-1])


def answers(said: str, question: Obligation, turn: int) -> bool:
    """Tell whether what a person says in a turn answers a question that waits; some words do so only in the next turn."""
    return not leaves_open(said, question.text, late=turn > question.turn + 1)


def leaves_open(said: str, question: str = "", *, late: bool = False) -> bool:
    """Tell whether what a person says leaves a question open: it speaks of something else, or asks back.

    Where they spoke of something else before, it is `late`: "ok" may be meant for what they were told since.

    Consent that nobody gave is worse than a question that stays open: what says neither yes nor no answers only if it picks what the
    question offers, or tells what it asks for.
    """
    said = _own(said)
    if late and only_takes_note(said):
        return True
    if _DENIAL.fullmatch(said) or consents(said, question, late=late):
        return False
    if _ASIDE.match(said) is not None or said.rstrip().endswith(_MARKS):
        return True
    return not picks(said, question)


def _own(said: str) -> str:
    """What people say themselves: a yes in a mail that they show is not theirs."""
    return "\n".join(own_lines(said[:_READ_CHARS], typed=True)) if "\n" in said else said


def _telling(text: str) -> frozenset[str]:
    """The beginnings of the long words of a text, so that forms of one are the same; all characters where words have no spaces."""
    words = _WORD.findall(text.lower())
    return frozenset(word[:_STEM_CHARS] for word in words if len(word) >= _STEM_CHARS or not word.isascii())


def answer_in(said: str, question: str) -> str:
    """What of a person's words answers a question, where that is short enough to need the question beside it; else empty."""
    said = _own(said)
    first = next((line.strip() for line in said.split("\n") if line.strip()), "")
    short = len(first.split()) <= _ANSWER_WORDS_MAX and len(first) <= ANSWER_CHARS_MAX and "\n" not in said.strip()
    if short:
        return first
    answer = " ".join(consent_in(said, question).split())
    if len(answer) <= CONSENT_CHARS_MAX:
        return answer
    # What a yes is bound to comes first, and the reasons last.
    return answer[: answer.rfind(" ", 0, CONSENT_CHARS_MAX - 1)] + " …"


def with_answer(question: str, answer: str) -> str:
    """A question and what was answered, as one."""
    return f"{_cut(question, min(ASKED_CHARS_MAX, max(_ASKED_CHARS_MIN, PAIR_CHARS_MAX - len(answer) - 3)))} - {answer}"


def _clipped(text: str) -> str:
    return _cut(" ".join(text.split()).strip("*_#> "), TEXT_CHARS_MAX)


def _cut(text: str, chars_max: int) -> str:
    """The end of a text counts, where a question asks: its beginning goes."""
    if len(text) <= chars_max:
        return text
    begin = text.find(" ", len(text) - chars_max + 2)
    return "… " + text[begin + 1 if begin >= 0 else len(text) - chars_max + 2 :]
