"""Word lists of changes that tell by how much: verbs that move a value, words for how far, and those that tell nothing of either."""

from itertools import product

from tailrace.agents.language.lexicon import NUMBER_WORDS
from tailrace.agents.language.word_lists import words

#: They say by themselves how far: "double it", "halbiere das".
FACTORS = words(
    "double doubled triple tripled quadruple quadrupled halve halved "
    "verdopple verdoppel verdoppeln verdoppelt verdreifache verdreifacht halbiere halbier halbieren halbiert "
    "double doublez doublons doublé doublée doublés doublées triplez triplé "
    "duplica duplicad duplique dupliquen duplicado duplicada triplica triplicado triplicada"
) | {"".join(pair) for pair in product(("duplíca", "triplíca"), ("lo", "la", "los", "las"))}
#: They need an amount: "push it back two days".
STEPS = (
    words(
        "extend extended shorten shortened lengthen lengthened prolong prolonged postpone postponed delay delayed defer deferred push pushed "
        "move moved bring brought shift shifted pull pulled put raise raised lower lowered increase increased decrease decreased reduce "
        "reduced cut bump bumped drop dropped upped boost boosted stretch stretched turn turned slip slipped slid go goes went gone rise rose "
        "risen fall fell fallen rescheduled rebooked "
        "verschieb verschiebe verschieben verschiebt verschoben verlänger verlängere verlängern verlängert verkürz verkürze verkürzen verkürzt "
        "erhöh erhöhe erhöhen erhöht senk senke senken gesenkt reduzier reduziere reduzieren reduziert kürz kürze kürzen gekürzt zieh ziehen "
        "vorgezogen verleg verlege verlegen verlegt aufgeschoben "
        "repousse repoussez repoussé repoussée repoussés repoussées décale décalez décalé décalée décalés prolonge prolongez prolongé prolongée "
        "retarde retardez retardé retardée avance avancez avancé avancée raccourcis raccourcissez raccourci raccourcie augmente augmentez "
        "augmenté augmentée réduis réduisez réduit réduite baisse baissez baissé baissée reporte reportez reporté reportée allonge allongez "
        "allongé porté portée "
        "aplaza aplazad aplazado aplazada amplía ampliad ampliado ampliada retrasa retrasad retrasado retrasada adelanta adelantado adelantada "
        "prorroga prorrogado prorrogada alarga alargado alargada acorta acortado acortada aumenta aumentado aumentada reduce reducido reducida "
        "sube subido subida baja bajado bajada mueve movido movida pospón pospuesto pospuesta pasado pasada"
    )
    | {
        "".join(pair)
        for pair in product(
            (
                *("apláza", "amplía", "retrása", "adelánta", "prorróga", "alárga", "acórta", "auménta", "redúce"),
                *("súbe", "bája", "muéve", "pospón"),
            ),
            ("lo", "la", "los", "las"),
        )
    }
    | {
        f"{verb}-{pronoun}"
        for verb, pronoun in product(
            words(
                "repousse repoussez décale décalez prolonge prolongez retarde retardez avance avancez raccourcis augmente augmentez réduis "
                "réduisez baisse baissez reporte reportez allonge allongez"
            ),
            ("le", "la", "les"),
        )
    }
)
#: The same with what they are said of behind a hyphen.
FACTORS_OF_IT = words("double-le double-la double-les doublez-le doublez-la doublez-les doublons-le")
#: They give somebody more of what was measured out, or take it.
GIVING = words(
    "give gave given granted grant allow allowed got get have has gib geben gegeben gewährt donne donnez donné"
)
ADDING = words("add added put tack leg legt pack gib schlag ajoute ajoutez rajoute añade añádele suma súmale")
TAKING = words(
    "knock knocked take took shave shaved subtract subtracted deduct deducted zieh enlève retire quita quítale"
)

#: Whither.
WHITHER = (
    "back|backwards?|forwards?|out|up|down|off|ahead|later|earlier|sooner|longer|shorter|higher|lower|more|less|fewer|extra|on top|"
    "nach (?:hinten|vorne?|oben|unten)|zurück|vor|hinaus|später|früher|länger|kürzer|höher|niedriger|mehr|weniger|drauf|obendrauf|dazu|"
    "plus tard|plus tôt|plus longtemps|de plus|de moins|en plus|en moins|supplémentaires?|"
    "más tarde|más temprano|más|menos|antes|después|adicional(?:es)?"
)
#: Before how far.
BY = "by|for|um|de|en|a|por|par"
TOLD_WITH = (
    "has|have|had|'s|'ve|is|are|was|were|been|be|being|got|gets|will|just|now|already|also|finally|"
    "hat|haben|wurde|wurden|wird|werden|ist|sind|sich|jetzt|a|ont|avons|est|sont|été|ha|han|hemos|fue|fueron|se|sido"
)
#: What stands for what was spoken of.
POINTERS = words(
    "it that this them those these both all everything es das sie ihn ihm dies diese alles beide ça cela le la les lo los las tout eso esto todo"
)
#: Who acts, and is no value.
PERSONS = words(
    "i we you he she they who i'm i've we've ich wir du er ihr man je tu il elle on nous vous ils elles yo tú él ella nosotros ellos"
)
#: What only may be so, was so once, or is not so.
UNSETTLED = words(
    "might may could would if unless whether last never not didn't don't hasn't haven't wasn't weren't won't can't cannot no almost nearly "
    "usually often normally once used ask asked wonder maybe perhaps possibly why how "
    "vielleicht könnte könnten würde würden wenn falls nicht nie kein keine fast letztes letzten letzte "
    "peut-être pourrait pourraient si jamais pas presque dernier dernière quizás podría podrían nunca casi"
)

CLOCK_UNITS = words(
    "second seconds sec secs minute minutes min mins hour hours hr hrs h sekunde sekunden minute minuten stunde stunden seconde secondes "
    "heure heures segundo segundos minuto minutos hora horas"
)
CALENDAR_UNITS = words(
    "day days night nights week weeks fortnight month months quarter quarters year years tag tage tagen woche wochen monat monate monaten jahr "
    "jahre jahren jour jours nuit nuits semaine semaines mois an ans année années día días noche noches semana semanas mes meses año años"
)
MONEY_UNITS = words(
    "dollar dollars bucks euro euros eur usd pound pounds quid cents franc francs franken chf yen kronor peso pesos real reais € $ £"
)
SHARE_UNITS = words("percent % prozent pourcent ciento")
#: Shares that are said in a word.
SHARES = (
    r"half|an? (?:half|third|quarter|fifth|tenth)|two thirds|three quarters|die hälfte|ein(?:en)? (?:drittel|viertel|fünftel)|"
    r"(?:la )?moitié|un (?:tiers|quart)|la mitad|un (?:tercio|cuarto)"
)
_ARTICLES = "an?|one|another|an extra|half an?|an? couple(?: of)?|a few|several|ein(?:e[nmr]?)?|weitere|ein paar|une?|un[oa]?|otr[oa]s?|medi[oa]"
_SPELLED = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
#: How many; what stands between it and its unit says that they come on top.
NUMBER = (
    rf"(?:[$€£]\s?\d[\d.,]*|\d[\d.,]*|(?:another |noch |weitere |encore |otr[oa]s |un )?(?:{_ARTICLES}|{_SPELLED}|\d[\d.,]*))"
    rf"(?: (?:{_SPELLED}|half|an?))?(?: (?:more|extra|additional|further|halbe[nrs]?|weitere[nr]?|demi))*"
)
