"""Lines that introduce a text that somebody else wrote: "Here is the mail from the landlord:", "The manual says:", "I got this letter:".

They name a kind of text and show it, or tell where it is from, or tell of somebody that they wrote or said something; or they are the title
of what hangs on a wall or was written down at a meeting. What a speaker calls their own is theirs.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from collections.abc import Sequence

from tailrace.agents.language.cues import DEMAND, cue_words
from tailrace.agents.language.lexicon import REQUESTS, VERBS
from tailrace.agents.language.word_lists import words

_WORDS_MAX, _NAMED_WORDS_MAX, _POSSESSED_WORDS_MAX = 14, 8, 4
_COLONS = (":", "\uff1a")

TEXTS = words(
    "text texts letter email e-mail mail essay paragraph sentence sentences article abstract poem speech message passage note story "
    "brief absatz satz aufsatz artikel gedicht nachricht texte lettre paragraphe phrase courriel texto carta párrafo frase correo testo "
    "lettera paragrafo parágrafo tekst brief alinea zin list zdanie текст письмо предложение brev mening"
)
#: What is shown, and is no rule of whoever shows it; a letter in one language is a list in another, and a list may be one's own.
_SHOWN = (TEXTS - words("list note brief")) | words(
    "clause contract lease agreement notice statement excerpt extract post complaint advert ad reply transcript "
    "klausel vertrag mietvertrag auszug abschnitt beschwerde anzeige clause contrat bail extrait avis annonce article réponse plainte "
    "cláusula contrato extracto aviso anuncio artículo respuesta clausola contratto estratto avviso annuncio articolo trecho anúncio "
    "clausule contract fragment klacht klauzula umowa fragment пункт договор договора отрывок жалоба klausul avtal utdrag "
    "manual handbook brochure leaflet flyer memo bulletin circular newsletter poster sign recipe answer response chat ticket quote quotation judgment ruling "
    "handbuch anleitung bedienungsanleitung merkblatt rundschreiben aushang schreiben plakat schild rezept antwort urteil bescheid e-mails mails emails letters messages "
    "manuel notice circulaire affiche recette jugement arrêté manual reglamento circular folleto cartel receta sentencia manuale regolamento circolare cartello ricetta sentenza "
    "regulamento receita resposta handleiding reglement antwoord recept vonnis regulamin wiadomość odpowiedź przepis инструкция инструкции объявление объявления сообщение сообщения ответ рецепт письма письме"
)
#: At the beginning: something is shown.
_SHOWING = words(
    "here here's below this hier dies unten voici voilà ci-dessous aquí abajo este esta ecco questo questa aqui hierbij oto poniżej вот här her"
)
#: What somebody has done with what they wrote.
_SENDING = words(
    "sent sends wrote writes said says told gave posted emailed mailed texted answered replied demanded demands proposed published "
    "schickte schrieb schreibt sagte geschickt geschrieben gesagt envoyé écrit dit répondu envió escribió dijo mandó respondió mandato "
    "scritto detto enviou escreveu disse mandou stuurde schreef zei wysłał napisał прислал написал прислали skickade skrev"
)
#: What is asked to be judged is a text, and stands below.
_JUDGING = words(
    "grade mark assess evaluate judge critique review analyse analyze check explain comment rate bewerte benote beurteile prüfe analysiere "
    "erkläre note notez évalue évaluez analyse analysez commente explique califica evalúa analiza revisa explica valuta analizza spiega "
    "avalie analise explique beoordeel controleer oceń sprawdź оцени проверь bedöm granska"
)
#: In which somebody speaks of themselves.
_LETTERS = words(
    "letter letters email emails e-mail e-mails mail mails message messages reply answer response post complaint chat memo brief nachricht antwort schreiben beschwerde lettre courriel message réponse plainte "
    "carta correo mensaje respuesta lettera messaggio risposta mensagem resposta bericht antwoord wiadomość odpowiedź письмо сообщение ответ brev"
)
#: What is somebody's who speaks, or is spoken to.
OWN_WORDS = words(
    "i we i've we've i'm my our you ich wir mein meine unser unsere je nous mon ma notre nos yo mi nuestro nuestra io mio mia nostro nostra eu nós meu minha nosso ik wij mijn onze ja mój я мы мой"
)
_SPEAKING = OWN_WORDS & words("i we i've we've i'm you ich wir je nous yo io eu nós ik wij ja я мы")
#: What people tell that they have got from somebody.
_RECEIVED = words(
    "got received found came bekam bekamen bekommen erhielt erhalten gekriegt reçu trouvé recibí recibimos recibido ricevuto recebi recebemos kreeg kregen gekregen ontving dostałem dostałam dostaliśmy "
    "получил получила получили fick fått"
)
#: Ends a line behind which stands what somebody or something says.
_READS = words(
    "says said reads wrote writes states stated sagt schreibt schrieb lautet lauten besagt dit écrit dice dicen disse escribe escribió scrive zegt luidt schrijft schreef pisze mówi brzmi "
    "говорит пишет написал написала гласит säger lyder skriver"
)
_FOLLOWS = (
    ("as", "follows"),
    ("wie", "folgt"),
    ("comme", "suit"),
    ("como", "sigue"),
    ("come", "segue"),
    ("als", "volgt"),
    ("so",),
)
#: Between a kind of text and whoever or whatever it is from.
_FROM = words("from of by von vom der des aus de du des d' del della dal dalla do da van uit od z от из från av")
_OUT_OF = words("from aus laut del dal uit z из")
_STANDS = words("steht stand standen stands figure pone sta está staat napisano")
#: Somebody else's.
_THEIRS = words(
    "his her its their sein seine seinen ihr ihre ihren deren son sa leur leurs su sus suo sua suoi loro seu dele dela zijn haar hun jego jej ich его её их hans hennes deras"
)
_WHAT = words("what was ce quanto lo quello o wat co что vad")
_YOURS = words("your dein deine deiner deinem euer eure votre vos ton tes tu tus tuo tua seu sua je jouw twój твой")
#: What is said aloud.
_SPOKEN = words("says said states stated sagt dit dice disse zegt mówi говорит säger")
#: The same without a colon, where nothing else stands in the paragraph.
_HERE = ("Here", "Below", "Hier", "Unten", "Voici", "Voilà", "Aquí", "Ecco", "Aqui", "Hierbij", "Oto", "Вот")
#: What is said only then is to be said: "when the bell rings, the guard says:".
_WHEN = words("if when whenever once wenn falls sobald si quand cuando se quando als если когда")
_GENITIVE = ("'s", "s'", "\u2019s", "s\u2019")
_ARTICLES = words("der den dem des dieser diesen diesem ein einen einem de een deze seinen ihren")
#: The same where words are not apart; what is the speaker's own is not meant.
_UNSPACED = re.compile(
    r"^(?!.*(?:我的|我们的|私の|제)).*(?:邮件|郵件|来信|信件|的信|通知|公告|合同|条款|说明书|短信|来的消息|的回复|原文|メール|手紙|お知らせ|案内|메일|편지|공지)(?:如下|内容|全文)?[:\uff1a]$"
)
#: The title of a notice to others, or of minutes, in small letters.
_TITLE = re.compile(
    r"(?:(?:important |official )?notice to (?!(?:the )?(?:agent|assistant|you)\b)|public notice\b|minutes of (?:the|our|a) |meeting minutes\b|(?:aushang|bekanntmachung|sitzungsprotokoll)\b|protokoll (?:der|des|vom|zur) |"
    r"avis (?:aux?|à) |avis au public\b|(?:compte[ -]rendu|procès-verbal) d|aviso a |acta de |avviso a|verbale d)(?:[^.:;!?]|(?<=\d)[.:]){0,50}"
)
_TITLES = frozenset("nNiIoOpPmMaAbBsScCvV")
#: A title tells nothing; it may name a month.
_TELLING = (VERBS | REQUESTS | cue_words(DEMAND)) - {"may"}
_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*")


def introduces(line: str, following: str) -> bool:
    """Tell whether a line that begins with its first word introduces what somebody else wrote or said, on the lines behind it."""
    if not line.endswith(_COLONS):
        return line.startswith(_HERE) and not following.strip() and _shows(_words(line), _NAMED_WORDS_MAX)
    said = _words(line)
    if not said or len(said) > _WORDS_MAX:
        return False
    if not _JUDGING.isdisjoint(said[:2]) or not _RECEIVED.isdisjoint(said):
        return not _SHOWN.isdisjoint(said)
    if said[0] in _SHOWING and not _is_own(said):
        return not _SHOWN.isdisjoint(said) or not _SENDING.isdisjoint(said)
    if not _SPEAKING.isdisjoint(said):
        return False
    # With a list right below, it is a heading that says whose the items are.
    told = said[0] in _WHAT and not _SENDING.isdisjoint(said) and not following.strip()
    return told or _says(said) or _is_from(said) or (not line.isascii() and _UNSPACED.search(line) is not None)


def is_title(line: str, following: str) -> bool:
    """Tell whether a line is the title of a notice or of minutes, which stand below it."""
    if line[0] not in _TITLES or following.strip():
        return False
    small = line.lower()
    return _TITLE.fullmatch(small) is not None and _TELLING.isdisjoint(_words(small))


def _shows(said: Sequence[str], words_max: int) -> bool:
    return len(said) <= words_max and not _is_own(said) and not _SHOWN.isdisjoint(said)


def _is_own(said: Sequence[str]) -> bool:
    """Whether words speak of what their speaker says, wants or wrote: "my letter", and not "my landlord's letter" or "the letter of my landlord"."""
    if not _SPEAKING.isdisjoint(said):
        return True
    owned = [at for at, word in enumerate(said) if word in OWN_WORDS]
    return any(not _SHOWN.isdisjoint(said[at + 1 : at + 3]) and not said[at + 1].endswith(_GENITIVE) for at in owned)


def _says(said: Sequence[str]) -> bool:
    """Whether words tell that somebody or something says what follows."""
    if said[-1] in _READS:
        return len(said) > 1 and said[0] not in _WHEN
    follows = any(tuple(said[-len(one) :]) == one for one in _FOLLOWS) or not _STANDS.isdisjoint(said)
    return follows and not _SHOWN.isdisjoint(said)


def _is_from(said: Sequence[str]) -> bool:
    """Whether words name a text and whose it is, or where it is from."""
    place = next((at for at, word in enumerate(said) if word in _SHOWN), -1)
    if place < 0 or not _shows(said, _NAMED_WORDS_MAX) or not _YOURS.isdisjoint(said):
        return False
    owned = said[0] in _THEIRS or any(word.endswith(_GENITIVE) for word in said[:place])
    if said[0] in _OUT_OF or (owned and len(said) <= _POSSESSED_WORDS_MAX):
        return True
    return not _FROM.isdisjoint(said[place + 1 : place + 2])


def is_spoken(line: str) -> bool:
    """Tell whether a line that introduces something tells only what somebody said: nobody says more than a paragraph."""
    said = _words(line)
    return said[-1] in _SPOKEN and said[0] not in _SHOWING and _SHOWN.isdisjoint(said)


def is_authored(line: str) -> bool:
    """Tell whether what a line introduces is somebody's letter, in which they say "I" themselves."""
    said = _words(line)
    return not _LETTERS.isdisjoint(said) or not _SENDING.isdisjoint(said)


def _words(line: str) -> list[str]:
    """The words of a line in small letters; a German or Dutch letter by its other name, for "brief" is no letter elsewhere."""
    said = _WORD.findall(line.lower())
    if "brief" in said:
        return ["schreiben" if word == "brief" and said[at - 1] in _ARTICLES else word for at, word in enumerate(said)]
    return said
