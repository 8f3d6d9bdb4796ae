"""What only the sender of a text says that somebody else wrote: a question about it, a request to work on it, a word about it from outside."""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re

_SHORT_WORDS_MAX = 6
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


def speaks_from_outside(paragraph: str) -> bool:
    """Tell whether a paragraph speaks of a text, and is no part of it."""
    return _OUTSIDE.search(paragraph.lower()) is not None


def is_senders(paragraph: str, *, last: bool, authored: bool) -> bool:
    """Tell whether a paragraph behind a text is what its sender says; `authored` where whoever wrote it says "I" in it."""
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
