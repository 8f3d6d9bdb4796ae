"""Word lists of orders that say how all of a kind are done: of what, with which, in what; in the languages of `rule_words`."""

from tailrace.agents.language.lexicon import REQUESTS
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.form_words import LANGUAGES, POINTED, SAYING, STYLES
from tailrace.agents.ledger.when_words import BATCHES

#: Before how something is done; behind these, what is done it with is of a kind, too.
HOW = words("in with by as at into on under mit als nach auf en avec par con por per com em met op")
#: Of these, those that lead to a place or a time as well.
WHERE = words("at on")
#: The same before how far.
TO = words("to auf à a")
#: Verbs of saying and marking: what is noted so is noted so from then on, and the samples are all that come.
_MARKING = words(
    "report record log note label mark sign number date price bill invoice name title caption tag round spell chart cite grade stamp initial"
)
#: The same where several of a kind have other endings.
_MARKING_ELSEWHERE = words(
    "gib notiere notieren notier unterschreib unterschreibe unterschreiben beschrifte beschriften nummeriere markiere kennzeichne benenne "
    "runde zitiere protokolliere sortiere datiere adressiere schreib schreibe schreiben lagere lagern bewahre verpacke serviere nenne berechne "
    "note notez signe signez indique indiquez étiquette étiquetez classe classez marque marquez numérote nommez écris écrivez "
    "firma firme anota anote etiqueta etiquete indica marca numera ordena guarda guarde escribe escriba "
    "firmate annota annotate etichetta etichettate segna scrivi scrivete assine indique numere escreva "
    "noteer onderteken nummer vermeld rond schrijf podpisuj zapisuj oznaczaj podawaj подписывай записывай указывай отмечай signera märk ange"
)
ELSEWHERE = _MARKING_ELSEWHERE
MARKING = SAYING | _MARKING | _MARKING_ELSEWHERE
#: Verbs of what is done to documents: of a kind for good, of those that are there once.
NOTING = MARKING | words(
    "address refer end begin close head enter sort file archive save draw translate print code express"
)
#: Verbs of keeping: where a kind of thing belongs.
KEEPING = words(
    "store hang keep park leave file archive stack place lay lock dry hand return address direct forward refer route lagere lagern bewahre "
    "hänge lege stelle range rangez guarda guarde conserva conserve riponi metti bewaar leg"
)
#: Of these, those of stuff as well.
STORING = words("store keep")
#: Verbs of what is got, looked for, carried, made or mended once, and of what is done with somebody.
_ONCE = words(
    "buy get bring fetch find book reserve pick collect grab carry load unload order draft generate invite ask call meet join pull pass "
    "prepare upgrade migrate rebuild restart deploy export import insert embed attach append fill swap connect link debug investigate "
    "analyze analyse evaluate train simulate plot visualize visualise benchmark profile populate define declare initialize extend expand "
    "enable disable toggle integrate feed arrange provide include consider combine compute calculate solve identify determine retrieve "
    "perform execute handle support switch work think play enjoy love hate need want learn study watch follow visit design optimize optimise "
    "improve increase reduce decrease scrape crawl research browse query inject render parse map filter choose select submit monitor leverage"
)
#: They tell nothing of what is to last, unless they say in what things are to be written.
ONCE = (REQUESTS | BATCHES | _ONCE) - {"translate", "sort"}
#: In what things are written, counted or shown.
FORMS = (
    STYLES
    | LANGUAGES
    | words(
        "order format formats tense case style ink pencil letters language languages figures numerals digits steps terms units grams "
        "kilometres kilometers miles milligrams millimetres millimeters centimetres litres liters ounces degrees percent percentages minutes "
        "seconds hours cents pence notation voice red blue green black bold italics pdf csv utc gmt iso mmhg kg mg ml cm mm km month year "
        "surname name date size colour color alphabet "
        "franken gramm grad kilometern metern minuten prozent datum namen jahr monat grammes degrés kilomètres mètres ordre francos gramos "
        "grados kilómetros metros orden franchi grammi gradi chilometri ordine gramas graus quilômetros ordem gram graden kilometer euro's"
    )
)
#: Before several of a kind, all of which are there: these samples. Of what is noted, it is said of all to come.
THE_MANY = words("the die les las los le gli i os as de")
#: What is spoken of stands there, or is somebody.
DEFINITE = POINTED | words(
    "the my our your his her their its each every another dem der einem einer eines einen mon ma mes ton ta tes son sa ses mi mis tu tus su "
    "sus il gli o os as au aux du de del della al alla l le "
)
INDEFINITE = words("a an")
#: Before one thing that is asked for.
ONE_THING = INDEFINITE | words("one another ein eine einen un une una uno um uma een")
#: For the moment, or of somebody who is there.
MOMENT = words(
    "this that these those it them me us him her now today tonight tomorrow again here there next back up out down off mir dir uns ihm "
    "ihr jetzt heute morgen hier dort for from about of until because if when so but moi lui ici maintenant ahora aquí adesso qui nu hier "
    "für von vom pour para"
)
#: Behind a number: an hour of the day.
OF_DAY = words("am pm a.m p.m o'clock uhr sharp heures")
#: As needed, as possible: no form.
NEEDED_ENDS = ("ed", "ible", "able", "well", "usual", "before")
#: Ends of several, in English and elsewhere.
MANY_ENDS, MANY_ENDS_ELSEWHERE = ("s",), ("s", "n", "e", "i", "r", "l", "x", "и", "ы")
#: Kinds of one word without the ending of several.
MANY = words("people children men women teeth feet mice geese staff fish sheep")
#: Ends of words that have the ending of several in English, and are one.
ONE_ENDS = ("ss", "us", "is", "'s", "\u2019s")
#: Ends of what is no verb at the beginning of a line: a title.
NOUN_ENDS = ("s", "tion", "ment", "ness", "ity", "ance", "ence", "ism", "ing", "ed", "ly")
#: How, in one word at the end.
ADVERB_ENDS = ("ly", "wise", "ways")
ADVERBS_NOT = words(
    "only early daily weekly monthly immediately quickly reply family supply apply directly finally really possibly urgently shortly locally "
    "manually automatically remotely separately always properly correctly successfully"
)
