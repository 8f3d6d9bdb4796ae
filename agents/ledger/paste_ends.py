"""Where a text that somebody else wrote ends and whoever sends it speaks again.

Most often nothing marks it, so it is told by what only the sender says: a question about the text, a request to work on it, a word about
it from outside, a word of their own where the text has no author who says "I". Where nothing of that is there it reaches to the end of
the message: a rule that nobody gave is worse than one that is asked for again.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from collections.abc import Iterator, Sequence

from tailrace.agents.ledger.introduced import is_authored, is_spoken
from tailrace.agents.ledger.letters import end_of_letter

_FENCED = ("```", ">", "<", "|")
_OPENED = {'"': ('"', '".'), "“": ("”", "”."), "„": ("“", "“.", "”"), "«": ("»", "»."), "»": ("«", "«.")}
_SHORT_WORDS_MAX, _BEHIND_CHARS_MAX = 6, 400
#: A line that nobody writes for its words.
_RULER = re.compile(r"\s*([-=*_~#\u2014\u2500])(?:\s?\1){2,}\s*")
#: A line that says that the text has ended.
_END = re.compile(
    r"\W*(?:end|ende|fin|fine|fim|einde|koniec|конец)(?: (?:of|der|des|vom|de|du|del|della|da|do|van) .{1,40}|\W*(?:quote|mail|text|zitat|citation|cita|citazione))?\W*|\W*(?:unquote|zitat ende|fin de citation|"
    r"(?:so much for|that(?:'s| is| was)(?: all)?|soweit|so weit|das war) (?:the|die|der|das|it|dies\w*)? ?\w{0,20})\W*",
    re.IGNORECASE,
)
_MARKS = ("?", "\uff1f")
_SENTENCE = re.compile(r"[^.!?\u3002\uff01\uff1f]+[.!?\u3002\uff01\uff1f]*")
_POLITE = (
    r"\W*(?:(?:please|kindly|now|so|then|and|ok|okay|just|first|can you|could you|would you|will you|i want you to|i'd like you to|bitte|jetzt|dann|und|kannst du|könntest du|können sie|könnten sie|"
    r"s'il te plaît|peux-tu|pouvez-vous|por favor|puedes|puede|per favore|puoi|pode|você pode|kun je|kunt u|можешь|пожалуйста),? )*"
)
#: Begins what is asked to be done with a text, in small letters; a text itself asks for none of it.
_WORKS = re.compile(
    _POLITE
    + r"(?:translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase|shorten|draft|analy[sz]e|explain|compare (?:it|this|that|them)|review (?:it|this|that)|check (?:it|this|that|whether|if)|"
    r"turn (?:it|this|that)|make (?:it|this|me|a list)|(?:tell|show|give|help|ask|remind|send|write|list|find|read) (?:me|us)\b|let me know|"
    r"(?:reply|answer|respond|write(?: back)?|react|object)(?: to)? (?:him|her|them|this|that|it)\b|(?:write|draft|compose) (?:a|an|the|my|our) (?:reply|answer|response|letter|summary|mail|email)|"
    r"übersetz\w*|fass\w* (?:es|das|ihn|sie|dies\w*|den|die|mir|bitte)|erklär\w*|kürz\w*|korrigier\w*|formulier\w*|entwirf|prüf\w* (?:es|das|ihn|sie|ob|bitte)|mach\w* (?:mir|uns|daraus|eine)|(?:sag|zeig|gib|hilf|schreib|nenn)\w* (?:mir|uns|ihm)|"
    r"(?:antworte|schreib)\w* (?:ihm|ihr|ihnen|darauf|immer|mir)|"
    r"tradui\w*|résum\w*|explique\w*|corrige\w*|reformule\w*|rédige\w*|(?:dis|dites|montre|montrez|donne|donnez|aide|aidez)-(?:moi|nous)|répon\w*-?(?:lui|leur| lui| leur| toujours)|fais(?:-moi| une)|"
    r"traduce\w*|resume\w*|explica\w*|corrige\w*|redacta\w*|(?:dime|muéstrame|dame|ayúdame|respóndele|contéstale|hazme)|traduci\w*|riassumi\w*|spiega\w*|correggi\w*|riscrivi\w*|(?:dimmi|mostrami|dammi|aiutami|rispondigli|rispondile|fammi)|"
    r"traduz\w*|resum\w*|explique\w*|(?:diga-me|mostre-me|responda-lhe|me diga)|vertaal|vat .* samen|leg .* uit|herschrijf|(?:zeg|toon|geef|help) me|beantwoord|przetłumacz|streść|wyjaśnij|popraw|odpowiedz (?:mu|jej)|"
    r"переведи\w*|объясни\w*|перескажи\w*|ответь\w*|скажи мне|покажи мне)(?!\w)|[请請]?(?:翻译|翻譯|总结|解释|回复|回答他|帮我)|翻訳して|要約して|説明して|번역해|요약해"
)
#: Speaks of a text from outside, or of what the assistant makes of it, in small letters.
_OUTSIDE = re.compile(
    r"\b(?:(?:this|that|his|her|their|these) (?:mail|email|e-mail|letter|message|text|notice|manual|clause|contract|excerpt|passage|article|post|memo|document|paste|quote)|the above|(?:text|mail|email|letter|message|notice) above|"
    r"(?:your|all|every|each|any) (?:reply|replies|answers?|responses?|drafts?|summar(?:y|ies)|translations?|texts?|letters?|versions?)|in (?:your|all|every|the) (?:reply|replies|answers?|drafts?|summary|translation)|when you (?:reply|answer|respond|write|draft|translate|summari[sz]e)|"
    r"(?:my|our) (?:question|questions|problem|view|opinion|answer|concern)|what do you (?:think|make|say)|from here on it's me|"
    r"diese[rsn]? (?:mail|e-mail|brief|text|nachricht|klausel|vertrag|schreiben|auszug)|(?:deine|eure|ihre)[nr]? (?:antwort|antworten|entwürfe|zusammenfassung|übersetzung|texte|briefe)|wenn du (?:antwortest|schreibst|übersetzt)|meine frage|"
    r"ce (?:mail|courriel|texte|message|contrat)|cette (?:lettre|clause)|(?:ta|tes|votre|vos) réponses?|quand tu réponds|ma question|"
    r"este (?:correo|mensaje|texto|contrato)|esta (?:carta|cláusula)|(?:tu|tus|su|sus) respuestas?|cuando respondas|mi pregunta|"
    r"quest[ao] (?:mail|lettera|testo|messaggio|clausola|contratto)|(?:la tua|le tue) rispost[ae]|la mia domanda|dit bericht|deze (?:mail|brief|tekst|clausule)|je antwoord\w*|mijn vraag|"
    r"это (?:письмо|сообщение)|этот (?:текст|договор)|твои? ответ\w*|мой вопрос)(?!\w)"
)
#: A sender's own word, where a text is nobody's letter.
_MINE = re.compile(
    r"(?<![\w'])(?:i|i'm|i've|i'd|i'll|my|me|mine|ich|mich|mir|mein\w*|je|j'\w+|moi|mon|ma|mes|yo|mi|mis|conmigo|io|mio|mia|miei|eu|meu|minha|ik|mij|mijn|mnie|mój|moje|я|мне|меня|мой|моя)(?!\w)"
)
#: Whoever wrote it does not call themselves so.
_AUTHOR = re.compile(
    r"(?<!\w)(?:he|she|him|he's|she's|ihm|ihn|lui|elle|él|ella|lei|ele|ela|hij|zij|hem|on|ona|jemu|он|она|ему|ей|него|неё)(?!\w)"
)
_THAT = re.compile(r"(?<!\w)(?:it|that|this|them|es|das|ihn|ça|cela|eso|lo|ciò|questo|isso|het|dat|to|это|его)(?!\w)")


def end_of_paste(lines: Sequence[str], intro: int, *, worked: bool = False) -> int:
    """Place of the first line behind a paste that is the sender's own; `intro` is that of the line that introduces it.

    What is to be `worked` on may hold any sentence: only what speaks of it from outside is not a part of it.
    """
    begin = next((at for at in range(intro + 1, len(lines)) if lines[at].strip()), len(lines))
    if begin == len(lines) or lines[begin].lstrip().startswith(_FENCED):
        return begin  # what is fenced says itself where it ends
    paragraphs = [*_paragraphs(lines, begin)]
    if worked:
        own = (first for first, end in paragraphs[1:] if _OUTSIDE.search(" ".join(lines[first:end]).lower()))
        return next(own, len(lines))
    marked = _marked_end(lines, begin)
    if marked >= 0:
        return marked
    if is_spoken(lines[intro]):
        return paragraphs[0][1]
    authored = is_authored(lines[intro])
    for number, (first, end) in enumerate(paragraphs):
        if number and _is_own(" ".join(lines[first:end]), last=number + 1 == len(paragraphs), authored=authored):
            return first
    return len(lines)


def _marked_end(lines: Sequence[str], begin: int) -> int:
    """Where a mark says that a paste has ended: that of a quotation, a line drawn, a word of the sender's, a signature; -1 where none does."""
    closing = _OPENED.get(lines[begin].lstrip()[0])
    drawn = [at for at in range(begin, len(lines)) if _RULER.fullmatch(lines[at])]
    for at in range(begin, len(lines)):
        if (closing and lines[at].rstrip().endswith(closing)) or _END.fullmatch(lines[at].strip() or "."):
            return at + 1
    if len(drawn) > 1 and drawn[0] == begin:
        return drawn[1] + 1
    # A document may have lines in it; behind the last of them, whoever pasted it says little.
    if drawn and drawn[-1] > begin and sum(map(len, lines[drawn[-1] + 1 :])) <= _BEHIND_CHARS_MAX:
        return drawn[-1] + 1
    return end_of_letter(lines, begin)


def _paragraphs(lines: Sequence[str], begin: int) -> Iterator[tuple[int, int]]:
    first = begin
    for at in range(begin, len(lines) + 1):
        if at == len(lines) or not lines[at].strip():
            if first < at:
                yield first, at
            first = at + 1


def _is_own(paragraph: str, *, last: bool, authored: bool) -> bool:
    """Whether a paragraph behind a paste is what its sender says."""
    small = paragraph.lower().replace("\u2019", "'")
    if _OUTSIDE.search(small):
        return True
    sentences = [one.strip() for one in _SENTENCE.findall(small) if one.strip()]
    if any(map(_WORKS.match, sentences)) or (not authored and _MINE.search(small)):
        return True
    if not last:
        return False
    if any(one.endswith(_MARKS) for one in sentences) or (authored and _AUTHOR.search(small)):
        return True
    return len(small.split()) <= _SHORT_WORDS_MAX and _THAT.search(small) is not None
