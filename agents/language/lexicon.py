"""Word lists of the ledger: what a statement is about, and whether it changes or takes back an earlier one.

Words, not understanding. Statements are compared by the words that they share, whatever those are; the few rows of words for the same
thing only help where somebody says it again in other words. Change and revocation are known in the languages of `cues`.
"""

from tailrace.agents.language.word_lists import words

#: Words for the same thing.
_CONCEPTS = {
    "money": "budget budgets spend spending spent cost costs expense expenses price prices priced pay pays payment fee fees "
    "charge charges kosten kostet ausgaben preis dépenses dépense prix gasto gastos presupuesto coste precio prezzo costo "
    "orçamento preço budżet бюджет",
    "date": "deadline deadlines date dates due timing schedule scheduled eta frist termin fällig délai échéance plazo fecha prazo "
    "scadenza срок",
    "name": "codename codenamed name names named call called calls label labelled labeled title titled designated designation "
    "alias rename calling heißt nennen nom nommé nombre llamado nome название",
    "clock": "timezone timezones timestamp timestamps clock clocks times time zeitzone uhrzeit zeiten fuseau hora horas",
    "duty": "owner owners owns own owned oncall on-call pager rotation duty responsible assignee assigned handling handles covers belongs "
    "maintainer maintains zuständig verantwortlich responsable encargado ответственный",
    "approval": "approve approves approved approver approval review reviews reviewer reviewed sign-off signoff freigabe",
    "branch": "branch branches rebase checkout trunk",
    "credential": "code codes password passwords passcode key keys token tokens secret secrets pin credential credentials passwort "
    "contraseña пароль",
    "answer": "answer answers answering reply replies response responses respond antworten antwort réponses réponse respuestas",
    "style": "style tone voice stil",
    "database": "database databases db datenbank",
    "region": "region regions zone zones datacenter",
    "address": "url urls endpoint endpoints host hostname domain address",
    "language": "language languages sprache langue idioma lingua taal język язык",
    "format": "format formatted formatting layout indent indentation",
    "folder": "folder folders directory directories dir ordner dossier carpeta",
    "measure": "metric imperial units unit measurements measurement einheiten unités unidades",
    "disclosure": "disclose disclosed disclosing reveal reveals revealed share shared sharing leak expose",
    "duration": "duration period length lasts last run runs",
    "delivery": "push pushes pushed pushing deploy deploys deployed deployment ship ships shipped release releases released",
}
CONCEPTS: dict[str, str] = {word: concept for concept, words in _CONCEPTS.items() for word in words.split()}

#: What is said about these holds for the whole conversation, however it is put.
STANDING = frozenset(("clock", "answer", "style", "measure", "language", "format", "name", "branch", "duty"))

#: A statement with one of these says that something is different from now on.
CHANGES = words(
    "now actually update updated instead change changed changes changing moved moving moves move switched switch switching rotated "
    "replaced replace replacing replaces raise raised raising increase increased lower lowered reduce reduced cut extend extended "
    "shorten shortened renamed rather new correction correct corrected rebased migrated upgraded downgraded became becomes become "
    "anymore postponed rescheduled revised longer pushed brought bring down back slipped rebooked relocated reassigned renegotiated "
    "delayed deferred swapped rose risen dropped fell colder warmer hotter cooler higher "
    "jetzt ab sofort stattdessen doch geändert ändern änderung neu neue neuer neues neuen nun künftig erhöhe verschoben statt "
    "maintenant désormais dorénavant plutôt changé changement nouveau nouvelle finalement "
    "ahora cambiado cambia cambio nuevo nueva mejor agora mudou mudança novo nova passou passa adesso ora oggi cambiato spostata "
    "spostato nuovo nuova invece nu voortaan nieuwe toch gewijzigd teraz zmiana odtąd nowy nowa şimdi yeni теперь вместо "
    "изменить новый новая gestiegen gesunken gesenkt erhöht verlegt vorgezogen repoussé repoussée reporté reportée avancé avancée augmenté "
    "baissé aplaza aplazado aplazada adelanta retrasa pasa sube subió bajó adiado adiada adiou subiu baixou aumentou rinviato rinviata "
    "anticipato salito salita sceso scesa verhoogd verlaagd verplaatst uitgesteld verzet przesunięte przesunięty przełożone wzrósł wzrosła "
    "zmieniono перенесли перенесён перенесена перенесено вырос выросла изменён изменилось"
)
CHANGES_UNSPACED = (
    "现在",
    "改为",
    "改成",
    "改到",
    "改在",
    "改用",
    "换成",
    "换到",
    "今後",
    "変更",
    "になりました",
    "変わり",
    "これから",
    "이제",
    "변경",
    "بدلا",
    "الآن",
)
#: Changes that take several words.
CHANGE_PHRASES = (
    "from now on",
    "from here on",
    "going forward",
    "after all",
    "as of ",
    "starting ",
    "went up",
    "went down",
    "gone up",
    "gone down",
    "these days",
    "effective immediately",
    "takes over",
    *(f" {word} on" for word in ("week", "month", "quarter", "term", "season", "year")),
    *(
        f"from {word}"
        for word in (
            "today",
            "tonight",
            "tomorrow",
            "monday",
            "tuesday",
            "wednesday",
            "thursday",
            "friday",
            "saturday",
            "sunday",
            "next ",
        )
    ),
)
#: What says that something is meant to last, whatever is asked for; by one of its words.
LASTING = {
    "now": ("from now on",),
    "here": ("from here on",),
    "forward": ("going forward",),
    "henceforth": ("henceforth",),
    "sofort": ("ab sofort",),
    "jetzt": ("ab jetzt", "von jetzt an"),
    "nun": ("von nun an",),
    "künftig": ("künftig",),
    "zukunft": ("in zukunft",),
    "désormais": ("désormais",),
    "dorénavant": ("dorénavant",),
    "maintenant": ("à partir de maintenant",),
    "ahora": ("a partir de ahora",),
    "adelante": ("de ahora en adelante", "en lo sucesivo"),
    "agora": ("a partir de agora", "de agora em diante"),
    "poi": ("d'ora in poi", "da ora in poi"),
    "voortaan": ("voortaan",),
    "nu": ("vanaf nu",),
    "teraz": ("od teraz",),
    "odtąd": ("odtąd",),
    "отныне": ("отныне",),
    "впредь": ("впредь",),
    "момента": ("\u0441 этого момента",),
}
_LASTING_UNSPACED = ("今後", "今后", "앞으로")
LASTING_PHRASES = (*(phrase for phrases in LASTING.values() for phrase in phrases), "as of ", *_LASTING_UNSPACED)
#: Words before a colon announce a statement where one of these is among them, or they begin with somebody who speaks; others say what it
#: is about ("dose for adults: 20 ml").
ANNOUNCING = CHANGES | words("note reminder fyi heads-up attention ps achtung hinweis wichtig nota news plans")
SPEAKERS = words(
    "i we they he she it there ok okay sorry hey hi right so quick small good bad ich wir es je nous il nosotros"
)
#: A statement with one of these comes on top of what holds.
ADDITIONS = words(
    "also too additionally another besides both plus further auch zusätzlich außerdem aussi également también además também "
    "anche inoltre ook bovendien także również też также"
)
ADDITION_PHRASES = ("as well", "in addition", "on top of", "de plus", "en plus")

#: At the beginning of a statement: what follows says when it holds.
CONDITIONS = words(
    "if when whenever unless once before after while during wenn falls sobald bevor nach bei si quand lorsque avant pendant cuando "
    "antes se quando als wanneer jeśli kiedy если когда"
)
#: At the beginning of a sentence that asks from its first word on; what begins otherwise may state something before it asks.
ASKING = words(
    "what what's why how how's who whom whose which where can could would will should shall do does did is are was were has have had "
    "may might am isn't aren't don't doesn't didn't can't couldn't wouldn't shouldn't won't was warum wieso wie wer welche welcher wo wann "
    "kann kannst könnte könntest soll sollen ist sind hat muss darf pourquoi comment qui quel quelle où quand peux peut est-ce qué por cómo "
    "quién cuál dónde cuándo puede puedes perché come chi quale dove puoi o que como quem qual onde pode waarom hoe wie welke waar kun "
    "dlaczego jak kto czy gdzie почему как кто где можно"
)
LIMITS = words(
    "tops limit limits cap ceiling budget maximum minimum max min most least exceed under below above within quota threshold höchstens "
    "mindestens maximal plafond límite limite máximo mínimo massimo minimo hoogstens maximaal minstens najwyżej maksymalnie högst minst "
    "højst høyst mindst korkeintaan enintään vähintään nejvýše maximálně legfeljebb больше меньше більше"
)
DEADLINES = frozenset(
    ["deadline", "due", "eta", "frist", "termin", "fällig", "délai", "échéance", "plazo", "prazo", "scadenza", "срок"]
)
#: Beginnings of a sentence that says how things are: which, whose, how many.
DETERMINERS = words(
    "the our my your all every each no nobody everybody everyone der die das unser unsere mein meine alle jeder le la les notre mon ma "
    "nos tous toutes el los las nuestro nuestra mi todos todas o os as nosso nossa meu minha il lo gli nostro mio tutti tutte de het "
    "onze mijn"
)
#: Beginnings of what is for the moment.
MOMENTARY = words(
    "now ok okay then next so and yes great thanks jetzt dann maintenant ahora agora adesso ora nu teraz теперь"
)
#: What an agent is asked to do at once, in so many conversations that it says nothing of what is to last.
REQUESTS = words(
    "run show open read check look fix try find search list explain tell see commit test rerun retry print help give do go create add "
    "write implement start continue proceed push merge review summarize describe compare rewrite refactor"
)

#: Between what a statement is about and what it says of it.
VERBS = words(
    "is are was were has have had will shall should must may can cannot stays stay needs runs lives belongs means equals ist sind war "
    "muss darf soll hat wird est sont doit peut es son debe puede è sono deve può é são pode moet mag heeft jest są musi"
)

DENIALS = words("replacing replaces statt вместо")
NEGATION_PAIRS = frozenset(
    (
        ("rather", "than"),
        ("instead", "of"),
        ("no", "longer"),
        ("no", "more"),
        ("in", "place"),
        ("has", "replaced"),
        ("have", "replaced"),
        ("nicht", "mehr"),
        ("ya", "no"),
        ("niet", "meer"),
        ("non", "più"),
    )
)
#: Before what something is for: the budget for travel is not the budget.
PURPOSES = words("for für pour para per voor dla для")
#: Before a thing that has got another value.
RENEWALS = words(
    "new old previous former updated revised neue neuer neues neuen alte alten bisherige nouveau nouvelle ancien ancienne nuevo nueva "
    "anterior novo nova nuovo nuova vecchio nieuwe oude nowy nowa stary новый новая старый"
)
#: Stand for the statement that is taken back, and say nothing of what it is about.
REVOKING_NOUNS = words(
    "ban bans prohibition embargo regeln vorgaben anweisungen règles consignes reglas instrucciones regras instruções regole istruzioni "
    "regels zasady reguły правила rule rules requirement requirements restriction restrictions instruction instructions thing things said told regel regla regra "
    "regola reguła règle consigne was ich gesagt habe ce dit lo dicho quello che ho detto sul sulla wat ik zei heb over weer wieder"
)
#: Languages in which every noun has a capital.
CAPITALIZING = words(
    "die eine einen nach bitte der das dem den und nicht für ist muss mit bis zum zur auf ab wird werden"
)

#: Words that say nothing about a subject.
FUNCTION_WORDS = words(
    "a an the this that these those it its is are was were be been being am do does did done has have had will would shall should can "
    "could may might must not no never always only just also and or but so then than as at by for from in into of off on onto out "
    "over to up with within without about all any each every some more most other we you i he she they them us me my your our their "
    "his her user users please make makes made sure keep keeps kept stay stays use uses used using get gets got let lets want wants "
    "prefer prefers like there here what which who when where why how if unless until once before after while during week today "
    "tomorrow month day next went gone effective immediately note important remember total explicit set put need needs again longer any anymore fine ok okay one ones both "
    "don't dont cannot can't mustn't shouldn't won't "
    "limit limits limited cap capped ceiling maximum max minimum min under below above exceed exceeds exceeding least threshold quota "
    "der die das den dem des ein eine einen einem und oder aber ist sind war wird werden muss nicht nie immer nur mit ohne für von zu "
    "zum zur bis im in auf an es wir ihr sie ich du bitte höchstens maximal grenze "
    "le la les un une des et ou mais est sont ne pas jamais toujours avec sans pour de du en plafond "
    "el los las una y o pero es son no nunca siempre con sin para por que se lo límite máximo "
    "os as um uma e é na no nas nos ao até à às da do das dos não até stato stata "
    "il gli i ma non mai sempre per di da al alla alle del della è più fino nel nella un uno "
    "het een en of maar zijn niet nooit altijd met zonder voor van om te naar aan is "
    "o się na do za to jest są nie zawsze nigdy z ze w we po "
    "we've i've they've you've we're i'm au aux "
    "let's forward puoi può potete puedes puede pueden podes pode podem darf darfst dürfen kannst peux peut pouvez mag mogen możesz można можно можешь"
)
#: Spelled-out numbers, so that they count as values.
NUMBER_WORDS = words(
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy "
    "eighty ninety hundred thousand million dozen half zwei drei vier fünf zehn hundert tausend deux trois quatre "
    "cinq dix cent mille dos tres cuatro cinco diez cien mil thirteen fourteen sixteen seventeen eighteen nineteen tre quattro cinque "
    "dieci cento três quatro dez cem twee drie vijf tien dwie trzy cztery pięć dziesięć две три трёх четыре пять десять två fyra fem tio"
)
MONEY_WORDS = words("dollars dollar euros euro usd eur pounds reais zł francs chf")
MONTHS = words(
    "january february march april june july august september october november december januar februar märz mai "
    "juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno "
    "luglio settembre ottobre novembre dicembre janeiro fevereiro março maio junho julho setembro outubro novembro dezembro may"
)
WEEKDAYS = words(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays "
    "weekday weekdays weekend weekends montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi "
    "vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo"
)
CLOCK_NAMES = words("utc gmt cet cest est edt pst pdt pacific eastern central mountain local")
