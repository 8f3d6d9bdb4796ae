"""Word lists that say when: how often, before or after what, under which condition, by which day; in the languages of `rule_words`."""

from itertools import product

from tailrace.agents.language.lexicon import VERBS
from tailrace.agents.language.word_lists import words

#: With a request to do something: it is to be done again and again, or only then.
RECURRING = words(
    "whenever unless hourly daily weekly monthly nightly everywhere throughout jedesmal jeweils täglich wöchentlich stündlich "
    "quotidiennement diariamente settimanalmente dagelijks wekelijks codziennie ежедневно dagligen päivittäin"
)
#: Each and every one of something; what is asked for at once is asked of all things, too.
UNIVERSAL = words(
    "each every everything anything jede jeden jedem jeder jedes chaque cada ogni elke elk iedere każdy każdym każdej каждый каждую "
    "каждое каждого varje hver jokainen joka každý každou minden fiecare кожен кожну her mỗi setiap"
)
#: Requests to go through all of something at once.
BATCHES = words(
    "rename convert replace delete remove move copy update translate sort count collect extract go iterate loop walk make build generate "
    "split download upload fetch clean change turn take put get pull apply install set reformat"
)
#: Of these, and like them, what is done once with the thing that is named.
MOVES = words("rename move copy sort drag carry hang lift")
#: Where something is put.
PLACES = words("next beside behind under above below onto into near between front left right against around inside")
#: Times that come again and again.
RECURRING_DAYS = words(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends evenings mornings afternoons nights holidays "
    "montags dienstags mittwochs donnerstags freitags samstags sonntags morgens abends nachts vormittags nachmittags"
)
TIME_WORDS = words(
    "day days morning mornings evening night week weeks month months year hour hours monday tuesday wednesday thursday friday saturday "
    "sunday weekend second two three four tag morgen abend freitag montag dienstag mittwoch donnerstag samstag sonntag woche monat "
    "jour matin soir lundi mardi mercredi jeudi vendredi samedi dimanche semaine mois día mañana noche lunes martes miércoles jueves "
    "viernes sábado domingo semana mes giorno mattina sera lunedì martedì mercoledì giovedì venerdì settimana mese dia manhã noite "
    "segunda terça quarta quinta sexta mês dag ochtend avond maandag dinsdag woensdag donderdag vrijdag week maand dzień rano tydzień "
    "piątek день утро вечер неделю месяц пятницу понедельник dag morgon kväll vecka fredag måndag"
)
_EACH = "each every jede jeden jeder chaque cada ogni elke co każdy каждый каждую каждое varje hver"
#: How often, in two words.
RECURRING_COUNTS = frozenset(
    (
        *product(("once", "twice"), ("a", "per", "every")),
        *product(("tous", "toutes"), ("les",)),
        *product(("todos", "todas"), ("os", "as", "los", "las")),
    )
)
#: Two words that say when again.
RECURRING_PAIRS = frozenset(
    (
        *product(_EACH.split(), TIME_WORDS),
        *RECURRING_COUNTS,
        *product(("before", "after", "on", "at", "with", "in"), ("each", "every", "any")),
        *product(("vor", "nach", "bei"), ("jedem", "jeder")),
        *product(("avant", "après"), ("chaque",)),
        *product(("antes", "después", "depois"), ("cada",)),
        *product(("prima", "dopo"), ("ogni",)),
        *product(("voor", "na"), ("elke", "elk", "iedere")),
        *product(("przed", "po"), ("każdym", "każdej")),
        *product(("перед", "после"), ("каждым", "каждой", "каждого")),
    )
)
#: Before what comes first or later; then whose doing it is, or what is done.
ORDERING = words("before after")
ORDERED = words("you we i it they anyone anybody anything")
#: The same in one word.
ORDERING_WORDS = words("bevor voordat zanim innan než mielőtt")

#: At the beginning of a clause that says when something is to be done.
WHENS = words(
    "if when whenever once unless before after wenn falls sobald sofern si quand lorsque dès cuando cada se quando als wanneer zodra "
    "indien jeśli jeżeli gdy kiedy если когда om när hvis når jos kun pokud když ha amikor dacă când якщо коли eğer nếu khi jika kalau "
    "while whilst provided solange während mientras finché enquanto zolang dopóki пока"
)
#: The same for all times, or all cases, but some.
EXCEPTS = words("except außer sauf hormis salvo excepto tranne exceto behalve кроме")
#: The same with an end; without a comma it may stand before what somebody is told.
UNTILS = words("until till bis jusqu'à jusqu'au hasta tot até fino")
#: The same before whoever or whatever something may happen to: should the alarm ring.
SHOULD_IT = words("should sollte sollten")
#: "If you like", "if it helps": no condition.
IDLE_WHENS = (
    "if you like",
    "if you want",
    "if you can",
    "if you could",
    "if you have time",
    "if you don't mind",
    "if you wish",
    "if possible",
    "if so",
    "if not",
    "if i remember",
    "if i may",
    "if that helps",
    "if it helps",
    "wenn du magst",
    "wenn du willst",
    "wenn möglich",
    "si tu veux",
    "si possible",
    "si vous voulez",
    "si quieres",
    "si puedes",
    "se vuoi",
    "se puoi",
    "se quiser",
    "als je wilt",
    "jeśli chcesz",
    "если хочешь",
)
#: At the beginning of a clause that says at which times.
TIMES = words(
    "with outside inside on in at during for after before an in am bei pendant durante en el à le la los op tijdens podczas w во в på under"
)
#: A condition in two words.
WHEN_PAIRS = frozenset(
    (
        ("in", "case"),
        ("tant", "que"),
        ("tant", "qu'il"),
        ("tant", "qu'elle"),
        ("en", "cuanto"),
        ("siempre", "que"),
        ("as", "soon"),
        ("as", "long"),
        ("for", "every"),
        ("for", "each"),
        ("each", "time"),
        ("every", "time"),
        ("im", "fall"),
        ("en", "cas"),
        ("en", "caso"),
        ("in", "caso"),
        ("em", "caso"),
    )
)
#: The same in more.
WHEN_STARTS = ("in the event ", "in the case ", "au cas où ", "dans le cas ", "im falle ")
#: A German case in one word: im Brandfall, im Notfall.
IM_FALL = ("im", "fall")
#: Before a case of which a German infinitive says what is to be done then: bei Frost die Bäume abdecken.
GERMAN_CASES = words("bei vor nach im am während außer bis ab zu")
GERMAN_ARTICLES = words("der die das den dem des ein eine einen einem einer jeder jedem jede jeden alle allen")
GERMAN_OBJECTS = GERMAN_ARTICLES | words("kein keine keinen nur nie immer sofort zuerst bitte stets unbedingt niemals")
#: What stays so while something lasts: während der Proben bleiben die Handys aus.
REMAINS = words("bleibt bleiben gilt gelten entfällt entfallen ruht ruhen")
#: Times and cases of a kind in which things are as they are to be: during rehearsals, phones are off.
LASTING_CASES = words("during while until outside except pendant durante")
#: Begin what lasts for a while; behind that, what is to be so as long begins with one of these, unless it says what somebody does or is about to.
LASTING_UNTIL = UNTILS | words("while solange mientras enquanto zolang")
TOLD_BEHIND = words("keep leave use stay no nobody nothing lass halte keine kein keinen niemand nichts")
#: A German verb ends its clause, and what follows is another.
DOING = (words("you he she it they to there and or who du er sie es man") | VERBS) - words(
    "ist sind war muss darf soll hat wird"
)
#: Behind what somebody is told: in case of fire, as long as it leaks.
CASE_PAIRS = frozenset(
    (
        ("case", "of"),
        ("event", "of"),
        ("as", "long"),
        *product(EXCEPTS, ("on", "in", "at", "am", "an", "im", "bei", "le", "en", "los", "el")),
        ("en", "cas"),
        ("en", "caso"),
        ("in", "caso"),
        ("em", "caso"),
        ("tant", "que"),
    )
)
#: The same in one word, unless who is told waits meanwhile: while you're at it.
MEANWHILE = words("while whilst solange mientras")
MEANWHILE_TOLD = words("you you're we we're i at du wir ich tu nous")
#: Before a kind of time; what lasts is named without an article.
DURING = words("during")
#: Ends of a verb of the past at the beginning of a clause, behind these words of languages that need none for who did it.
ROMANCE_WHENS = words(
    "quand lorsque dès pendant tant avant après jusqu'à jusqu'au mientras hasta durante cuando antes después finché quando dopo prima enquanto até depois"
)
PAST_ENDS = ("ó", "aba", "aban", "ía", "ían", "aron", "ieron", "ait", "aient", "ava", "avam")
#: Before a verb that says what happens to somebody.
CLITICS = words("me te se nos os mi ti ci vi")
#: Behind a verb of a German main clause: its subject, so nobody is told to do anything.
INVERTED = words("ich du er es wir ihr man sich")
INVERTED_ARTICLES = words("der die das")
#: Ends of a verb that says what something does.
FINITE_ENDS = ("t", "en", "te", "war", "wird")
#: Behind a request, before its condition.
CONDITIONAL = words("if until wenn falls если jeśli jeżeli якщо pokud")
#: The same where the word has other meanings, too: then somebody has to be told something.
CONDITIONAL_TOLD = words("si se als om jos")
TOLD_ENDS = ("moi", "me", "mi", "mij", "nos", "mig", "meg", "minulle")
#: Requests to look whether something is so.
LOOKING = words(
    "check see tell ask find verify test look let know show wonder say guess ensure make confirm decide wait hold"
)
#: Of these, those that ask where they stand right before the condition.
WONDERING = words("check see tell know wonder verify decide")

#: Words that say what somebody needs, and by when.
BY_THEN = words("by before until later than")

#: Behind them a day, an hour or an end makes a deadline of a request.
BOUNDED = words("by before until bis jusqu'au avant hasta antes entro até uiterlijk tegen przed do до senast")
BOUNDS = words(
    "noon midnight midday tonight tomorrow christmas easter end morgen mittag ende demain midi fin mañana mediodía domani mezzogiorno fine "
    "amanhã meio-dia einde jutra południa konca завтра конца one two three four five six seven eight nine ten eleven twelve"
)

#: Between the two.
BEFORE_BOUNDS = words("the le la el o am zum no")
FEASTS = words(
    "noon midnight christmas easter weihnachten ostern noël pâques navidad pascua natale pasqua natal páscoa"
)
#: So many for each.
RATES = words("per pro par por je")
#: The same in what somebody is told, where the word has no other meaning; or in two.
EACH_OF = words("per pro")
A_TIME = frozenset(
    product(
        ("a", "an", "am", "par", "al", "por", "per"),
        ("day", "week", "month", "year", "hour", "night", "tag", "jour", "día", "dia", "giorno"),
    )
)
#: Something is done, in languages in which that says how it is done always; and not before some time.
PASSIVES = words("wird werden wordt worden se si")
NOT_BEFORE = words("erst pas")
#: What is so now may be otherwise later.
AT_PRESENT = words("now currently already still again today yesterday just right")
#: Before a day or an hour.
AT_TIMES = words("on at by until from")

#: At the beginning of a line: it says what the line before does not hold for, or until when.
CONTINUING = words(
    "unless except until even provided außer sofern solange sauf excepté hormis salvo excepto menos tranne eccetto exceto tenzij behalve "
    "chyba oprócz кроме utom unntagen paitsi kromě kivéve"
)
