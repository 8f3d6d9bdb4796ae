"""What stands in a message though somebody else wrote it: mails, tagged documents, texts to be worked on, what a tool printed or a file held.

Nothing in it is the word of whoever sends the message, however much it demands. Where it ends can often not be told: what follows the
headers of a mail is the mail, up to who signed it, a text that is to be translated reaches to the end of its paragraph, or of the message, and one that was
introduced to where its sender speaks again.
"""

import re
from collections.abc import Iterator

from tailrace.agents.language.cues import holds_any
from tailrace.agents.language.lexicon import CONDITIONS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.form_words import SAYING
from tailrace.agents.ledger.introductions import OWN_WORDS, TEXTS, introduces, is_title
from tailrace.agents.ledger.letters import letter_lines
from tailrace.agents.ledger.paste_ends import end_of_mail, end_of_paste
from tailrace.agents.ledger.program_lines import copied_lines

_FENCE = "```"


#: Tags around what was copied from elsewhere, or put there by a program; a name may have more words than this one.
_TAGS = (
    "document|documents|doc|file|files|attachment|attachments|email|mail|letter|article|text|transcript|log|logs|output|outputs|result|"
    "results|response|quote|quoted|blockquote|source|sources|page|webpage|website|pre|code|paste|pasted|snippet|stdout|stderr|reminder|"
    "content|contents|excerpt|passage|dokument|datei|fichier|archivo"
)
_TAG = re.compile(rf"<((?:[A-Za-z]+[_-])*(?:{_TAGS}))(?:\s[^<>]{{0,300}})?>", re.IGNORECASE)
#: Somebody else's words, or a draft of them.
_QUOTED = re.compile(r"»[^«]{40,}«|„[^“”]{40,}[“”]|“[^”]{40,}”|«[^»]{40,}»|\"[^\"\n]{80,}\"")
#: Quotation marks behind a verb of saying make a quotation of less.
_SAYING = (
    *(
        "says",
        "said",
        "reads",
        "wrote",
        "writes",
        "states",
        "stated",
        "sagt",
        "schreibt",
        "steht",
        "dit",
        "dice",
        "disse",
    ),
    *("zegt", "pisze", "говорит", "säger"),
)
_SAID = re.compile(rf"\b(?:{'|'.join(_SAYING)})\s?:?\s*[\"“„«»][^\"“”„«»\n]{{8,}}[\"”“«»]")
#: A person may quote with single marks, too; a prompt names with them what people say.
_SAID_PLAINLY = re.compile(rf"\b(?:{'|'.join(_SAYING)})\s?:?\s*['\u2018][^\n]{{8,}}?['\u2019](?!\w)")
_PLAIN_QUOTES = (" '", "\u2018")
#: Without one of these nothing is quoted.
QUOTES = ('"', "“", "„", "«", "»", "「")
#: A few words, a colon, and a quotation to the end of the line.
_QUOTATION = re.compile(r"([^\"“„«:]{2,60}?)\s?:\s*[\"“„«][^\"“”„«»]{8,}[\"”“»]\.?$")
_QUOTE_ENDS = ('"', "”", "“", "»", '".', "”.", "“.", "».")
#: The same where words are not apart.
_UNSPACED_SAYING = ("写", "寫", "書", "说", "說", "적혀", "쓰여")
_UNSPACED_SAID = re.compile(
    r"[写寫書说說](?:着|著|道|的是|有)?[:\uff1a]?[“「\"][^“”「」\"\n]{2,}[”」\"]|[“「\"][^“”「」\"\n]{2,}[”」\"](?:と書|라고 ?(?:적혀|쓰여))"
)
#: What somebody always said is theirs.
_SAWS = (
    *(
        "used to say",
        "used to tell",
        "always said",
        "always says",
        "liked to say",
        "likes to say",
        "once said",
        "once told me",
    ),
    *(
        "sagte immer",
        "pflegte zu sagen",
        "disait toujours",
        "avait l'habitude de dire",
        "decía siempre",
        "siempre decía",
    ),
    *("diceva sempre", "sempre dizia", "zei altijd", "zawsze mówił", "всегда говорил"),
)
_SAW = re.compile(rf"(?<![^\s\n])(?!I |We |i |we )[^.!?\n]{{2,60}}(?:{'|'.join(_SAWS)})[^.!?\n]*[.!?]?")

#: Lines at the head of a mail, before the colon. Two of them next to each other are a mail.
_HEADERS = words(
    "from to cc bcc subject date sent reply-to von an betreff gesendet datum de à objet envoyé para asunto enviado fecha da a oggetto "
    "inviato assunto aan onderwerp verzonden od do temat wysłano от кому тема отправлено från till ämne skickat"
)
_HEADER_CHARS_MAX = 12
_FORWARDED = re.compile(
    r"-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message (?:original|transféré)|"
    r"mensaje (?:original|reenviado)|messaggio (?:originale|inoltrato)|begin forwarded)|begin forwarded message|"
    r"(?:on|am|le|el|il|em|op|den)\s.{6,120}(?:wrote|schrieb|écrit|escribió|scritto|escreveu|schreef)\s?.{0,60}:$",
    re.IGNORECASE,
)
_FORWARDING = (
    "message",
    "nachricht",
    "mensaje",
    "messaggio",
    "wrote",
    "schrieb",
    "écrit",
    "escri",
    "scritto",
    "schreef",
)

#: What is asked to be done with a text, not by it.
_WORKING = words(
    "translate proofread summarise summarize rewrite rephrase paraphrase correct edit polish shorten condense spellcheck "
    "spell-check übersetze übersetz übersetzen korrigiere korrigier korrigieren zusammen lektoriere umformulieren kürze "
    "traduis traduisez traduire corrige corrigez corriger résume résumez reformule reformulez traduce traduzca traducir corrija corregir "
    "resume resuma reescribe traduci correggi riassumi riscrivi traduza traduz reescreva vertaal corrigeer herschrijf samen "
    "przetłumacz popraw streść переведи переведите исправь перескажи översätt rätta sammanfatta oversæt oversett käännä přelož fordítsd"
)
#: It is this text, or one of one's own.
_THIS = words(
    "this these following below my our next diesen diese dieses folgenden folgende folgendes meinen mein meine das ceci cela ce cette "
    "suivant suivante mon ma este esta esto siguiente mi questo questa seguente mio isto seguinte meu deze dit volgende mijn to ten tę "
    "następujący это этот следующий det detta denna följande tämä toto ezt"
)
#: A text may follow these at once: "translate into Polish: …".
_TRANSLATING = words(
    "translate übersetze übersetz übersetzen traduis traduisez traduire traduce traduzca traducir traduci traduza traduz vertaal "
    "przetłumacz переведи переведите översätt oversæt oversett käännä přelož fordítsd"
)
#: Something with words on it is to be made: "write a sign that says: …".
_MAKING = words(
    "write draft make paint print design compose create letter schreib schreibe male entwirf écris écrivez rédige escribe redacta pinta "
    "scrivi disegna escreva schrijf maak napisz напиши skriv"
)
_WORDED = words(
    "says saying reads reading sign poster notice label caption slogan headline banner placard sticker schild plakat aufkleber panneau "
    "affiche étiquette cartel letrero etiqueta cartello insegna placa bord poster tabliczkę табличку skylt skilt"
)
#: "An example of an imperative: …"
_EXAMPLE = re.compile(
    r"(?:(?:an?|another|one|the) )?(?:\w+ )?(?:examples?|beispiele?|exemples?|ejemplos?|esempi|esempio|exemplos?|voorbeeld|przykład|пример)"
    r" (?:of|for|für|von|eines|de|d'|di|van|zdania|\w+)\b[^:\n]{0,60}:"
)
_UNSPACED_WORKING = re.compile(
    r"(?:翻译|翻譯|翻訳|校对|校對|校正|总结|要約|번역|요약|ترجم|תרגם|แปล)[^:\uff1a\n]{0,20}[:\uff1a]"
)
_WORKING_WORDS_MAX = 14
_COLONS = (":", "\uff1a")
_HEAD_END = re.compile(r"\s?[:\uff1a]\s*|[?.!](?:\s+|$)")
#: Without one of these a line asks for nothing of the kind.
_WORKED = (
    _WORKING
    | _MAKING
    | words(
        "example examples beispiel beispiele exemple exemples ejemplo ejemplos esempio esempi exemplo exemplos voorbeeld przykład пример"
    )
)

#: A label in brackets, or before a colon, on what a program printed.
_LABEL = re.compile(
    r"\[[^\]\n]{0,60}\b(?:tool|function|command|terminal|console|stdout|stderr|output|result|results|response|log|werkzeug|outil|"
    r"herramienta)\b[^\]\n]{0,60}\]|(?:tool|function|command|terminal|console|shell)[ _-](?:results?|output|response)s?\s?:",
    re.IGNORECASE,
)
_LABELLED = ("[", "t", "f", "c", "s", "T", "F", "C", "S")

#: Where a terminal waits for a command, with one behind it: what follows is what that printed.
_PROMPT = re.compile(
    r"(?:[\w.-]+@[\w.-]+\S{0,60}\s?[^\n]{0,60}[$#%]|[\u279c\u276f]|\$|PS [A-Z]:\\[^\n>]{0,80}>|[A-Z]:\\[^\n>]{0,80}>)\s+[\w./~]*[A-Za-z]"
)
#: How a line begins that a program wrote.
_PRINTED = ("error: ", "fatal: ", "hint: ", "remote: ", "npm ERR! ", "npm WARN ", "Traceback (most recent call last)")

# How much of what follows is somebody else's.
_NOTHING, _LINE, _PARAGRAPH, _PASTE, _TEXT, _MAIL = range(6)
_REACHING = (_PASTE, _TEXT)


def own_lines(text: str, *, typed: bool) -> Iterator[str]:
    """Yield the lines that whoever sends a text wrote into it; what is not theirs is empty, so that paragraphs stay apart.

    Tagged documents have gone before: these may be longer than what is looked at. Mails and texts to work on are looked for where a person
    typed: a prompt speaks of them, and does not hold any.
    """
    text = _unquoted(text, typed=typed)
    # Most texts hold no such word, and one look at all of it costs less than one at each line.
    works = typed and (not text.isascii() or not _WORKED.isdisjoint(text.lower().split()))
    fenced = False
    foreign, until = _NOTHING, 0
    lines = text.split("\n")
    copied = copied_lines(text, lines) | letter_lines(text, lines) if typed else frozenset()
    for place, line in enumerate(lines):
        begun = line.lstrip()
        if begun.startswith(_FENCE):
            fenced = not fenced
            continue
        if fenced or begun.startswith((">", "<", "|")):
            continue
        if not begun and foreign is _PARAGRAPH:
            foreign = _NOTHING
        if foreign is not _NOTHING or place < until:
            continue
        following = lines[place + 1] if place + 1 < len(lines) else ""
        # The headers of a mail look like a form that was copied, and the mail goes on behind them.
        if place in copied and not _begins_mail(begun, following):
            yield ""
            continue
        if typed and begun:
            kept, foreign = _own_part(begun, following, works=works)
            if foreign is not _NOTHING:
                until = _end(lines, place, foreign)
                foreign = foreign if foreign is _PARAGRAPH else _NOTHING
                yield kept
                continue
        yield line


def _end(lines: list[str], place: int, foreign: int) -> int:
    """Where that ends which begins at a place and says itself how far it reaches; 0 where it is a line, or a paragraph."""
    if foreign is _MAIL:
        return end_of_mail(lines, place)
    return end_of_paste(lines, place, worked=foreign is _TEXT) if foreign in _REACHING else 0


def _unquoted(text: str, *, typed: bool) -> str:
    """The text without what stands in it as somebody else's words."""
    if holds_any(text, QUOTES):
        text = _QUOTED.sub("\n", text)
        text = _SAID.sub("\n", text) if holds_any(text, _SAYING) else text
        text = _UNSPACED_SAID.sub("\n", text) if holds_any(text, _UNSPACED_SAYING) else text
    if typed and holds_any(text, _PLAIN_QUOTES) and holds_any(text, _SAYING):
        text = _SAID_PLAINLY.sub("\n", text)
    if typed and holds_any(text, _SAWS):
        text = _SAW.sub("\n", text)
    return text


def without_documents(text: str) -> str:
    """The text without what stands between a tag that names a document and its end."""
    if "</" not in text:
        return text
    kept, at = [], 0
    unclosed: set[str] = set()
    for tag in _TAG.finditer(text):
        name = tag[1].lower()
        if tag.start() < at or name in unclosed:
            continue
        closing = f"</{tag[1]}>"
        end = text.find(closing, tag.end())
        if end < 0:
            unclosed.add(name)
            continue
        kept += [text[at : tag.start()], "\n"]
        at = end + len(closing)
    return "".join([*kept, text[at:]]) if kept else text


def _own_part(line: str, following: str, *, works: bool) -> tuple[str, int]:
    """What of a line is its writer's own, and how much of what follows is not."""
    if line.startswith(_PRINTED) or (line.endswith(_QUOTE_ENDS) and _is_quoting(line)):
        return "", _LINE
    prompts = (not line[0].isalpha() or "@" in line or "\\" in line) and _PROMPT.match(line)
    if prompts or (line.startswith(_LABELLED) and _LABEL.match(line)):
        return "", _PARAGRAPH
    if _begins_mail(line, following):
        return "", _MAIL
    if (line.endswith(":") or line.startswith("--")) and _is_forwarded(line.lower()):
        return "", _MAIL
    shown = introduces(line, following)
    if shown or is_title(line, following):
        return "" if shown else line, _PASTE
    return _work_on(line, line.lower()) if works else (line, _NOTHING)


def _is_forwarded(small: str) -> bool:
    return holds_any(small, _FORWARDING) and _FORWARDED.match(small) is not None


def _is_quoting(line: str) -> bool:
    """Tell whether a line is a few words and a quotation, and these don't call it one's own."""
    quoting = _QUOTATION.match(line)
    if quoting is None or not line[0].isalpha():
        return False
    before = quoting[1].lower().split()
    # "Announce: …" asks to say so, and under a condition it is to be said then.
    return OWN_WORDS.isdisjoint(before) and SAYING.isdisjoint(before[-1:]) and before[0] not in CONDITIONS


def _begins_mail(line: str, following: str) -> bool:
    """Tell whether two lines are headers of a mail."""
    return _is_header(line) and _is_header(following.lstrip())


def _is_header(line: str) -> bool:
    """Tell whether a line says from whom, to whom or about what a mail is."""
    colon = line.find(":", 0, _HEADER_CHARS_MAX)
    name = line[:colon]
    return colon > 0 and name.strip(" *").lower() in _HEADERS


def _work_on(line: str, small: str) -> tuple[str, int]:
    """Where a line asks to do something with a text: the request, and how far the text reaches."""
    if not line.isascii() and (asked := _UNSPACED_WORKING.match(line)):
        return asked[0], _PARAGRAPH if len(line) > asked.end() else _TEXT
    said = small.split()
    if _WORKED.isdisjoint(said):
        return line, _NOTHING
    end = _HEAD_END.search(line)
    head = small[: end.start()] if end else small
    words = frozenset(head.replace(",", " ").split())
    if end is None or len(words) > _WORKING_WORDS_MAX:
        return line, _NOTHING
    colon = end[0].strip() in _COLONS
    if colon and (_EXAMPLE.match(small) or _is_worded(said, words)):
        return line[: end.start()], _PARAGRAPH if line[end.end() :] else _TEXT
    if _WORKING.isdisjoint(words) or _THIS.isdisjoint(words) or (not colon and TEXTS.isdisjoint(words)):
        return line, _NOTHING
    return line[: end.start()], _PARAGRAPH if line[end.end() :] else _TEXT


def _is_worded(said: list[str], head: frozenset[str]) -> bool:
    """Tell whether a request names what the words behind it are for: another language, or something to be written on."""
    first = frozenset(word.strip(",") for word in said[:4])
    return not _TRANSLATING.isdisjoint(first) or (not _MAKING.isdisjoint(first) and not _WORDED.isdisjoint(head))
