"""Word lists of the ledger: what a statement is about, and whether it changes or takes back an earlier one.

Words, not understanding: a few hundred common ones, so that `budget`, `spend` and `cost` count as one subject. What no list knows
is compared letter by letter. Change and revocation are known in the languages of `cues`.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words about the same thing. A word may stand in several rows.
_SUBJECTS = {
    "money": "budget budgets spend spending spent cost costs expense expenses price prices pay payment dollars euros kosten "
    "ausgaben dépenses dépense gasto gastos presupuesto coste бюджет",
    "limit": "cap capped ceiling limit limits limited maximum max budget quota threshold bound exceed exceeds exceeding under below "
    "höchstens maximal grenze plafond límite limite máximo лимит",
    "date": "deadline deadlines date dates due timing schedule scheduled eta until frist termin fällig délai échéance plazo fecha "
    "prazo срок",
    "naming": "codename codenamed name names named call called calling calls label labelled labeled title titled designated "
    "designation alias renamed rename heißt nennen nom nommé nombre llamado название",
    "clock": "timezone timezones timestamp timestamps clock clocks times utc gmt cet cest est pst pdt pacific eastern central "
    "zeitzone uhrzeit fuseau hora",
    "duty": "owner owners owns own owned oncall on-call pager rotation duty responsible assignee assigned handling handles belongs "
    "charge maintainer zuständig responsable encargado ответственный",
    "approval": "approve approves approved approver approval review reviews reviewer reviewed sign-off signoff freigabe",
    "branch": "branch branches rebase rebased rebasing checkout trunk",
    "credential": "code codes password passwords passcode key keys token tokens secret secrets pin credential credentials passwort "
    "contraseña пароль",
    "tone": "answer answers answering reply replies response responses style tone antworten antwort réponses réponse respuestas",
    "tests": "test tests testing testsuite pytest spec specs",
    "database": "database databases db datenbank",
    "region": "region regions zone zones datacenter",
    "version": "version versions release-version runtime",
    "port": "port ports",
    "address": "url urls endpoint endpoints host hostname domain address",
    "language": "language languages sprache langue idioma lingua taal язык",
    "format": "format formatted formatting layout indent indentation tabs spaces einrückung",
    "model": "model models modell modelo",
    "directory": "folder folders directory directories dir ordner dossier carpeta",
    "measure": "metric imperial units unit measurements measurement einheiten unités unidades",
    "disclosure": "disclose disclosed disclosing reveal reveals revealed share shared sharing leak expose",
    "delivery": "push pushes pushed pushing deploy deploys deployed deployment",
}
SUBJECTS: dict[str, tuple[str, ...]] = {
    word: tuple(subject for subject, words in _SUBJECTS.items() if word in words.split())
    for word in dict.fromkeys(" ".join(_SUBJECTS.values()).split())
}

#: What is said about these holds for the whole conversation, however it is put.
STANDING = frozenset(("clock", "tone", "measure", "language", "format", "naming", "branch", "duty"))

#: A statement with one of these says that something is different from now on.
CHANGES = _words(
    "now actually update updated instead change changed changes moved switched switch rotated replaced replace raise "
    "raised increase increased lowered reduce reduced extend extended renamed rather new correction correct "
    "rebased migrated upgraded downgraded became becomes anymore postponed rescheduled revised longer jetzt ab "
    "stattdessen doch geändert ändern neu neue neuer neues neuen nun künftig erhöhe verschoben maintenant désormais "
    "plutôt changé nouveau nouvelle finalement ahora cambiado cambia cambio nuevo nueva mejor agora mudou novo nova "
    "adesso ora cambiato nuovo nuova nu voortaan nieuwe teraz zmiana nowy şimdi yeni теперь вместо изменить "
    "новый новая"
)
CHANGES_UNSPACED = ("现在", "改为", "改成", "换成", "今後", "変更", "これから", "이제", "변경", "بدلا", "الآن")

#: Beginnings of statements that take an earlier one back, in small letters.
REVOCATIONS = (
    *(
        "forget about",
        "forget the",
        "forget what i said",
        "forget that",
        "never mind",
        "nevermind",
        "ignore the",
        "ignore what i",
    ),
    *(
        "ignore my",
        "disregard",
        "scrap the",
        "scrap that",
        "you may now",
        "you can now",
        "you're now allowed",
        "you are now allowed",
    ),
    *(
        "it's fine now to",
        "it is fine now to",
        "it's ok now to",
        "it's okay now to",
        "feel free now to",
        "no need to",
        "no need for",
    ),
    *(
        "lift the",
        "i take back",
        "i withdraw",
        "drop the rule",
        "drop the requirement",
        "drop the limit",
        "drop the restriction",
    ),
    *(
        "vergiss",
        "vergessen sie",
        "nicht mehr nötig",
        "du darfst jetzt",
        "du kannst jetzt",
        "sie dürfen jetzt",
        "ignoriere",
    ),
    *("oublie", "oubliez", "laisse tomber", "tu peux maintenant", "vous pouvez maintenant", "plus besoin"),
    *(
        "olvida",
        "ya no hace falta",
        "ahora puedes",
        "esquece",
        "agora podes",
        "agora você pode",
        "dimentica",
        "ora puoi",
    ),
    *(
        "vergeet",
        "je mag nu",
        "zapomnij",
        "możesz teraz",
        "unut",
        "забудь",
        "теперь можно",
        "忘掉",
        "不用再",
        "现在可以",
        "忘れて",
        "이제 해도",
    ),
)
#: Anywhere in a statement: what it speaks of no longer holds.
REVOKED = (
    *(
        "no longer applies",
        "no longer apply",
        "is lifted",
        "are lifted",
        "has been lifted",
        "no longer needed",
        "no longer necessary",
    ),
    *(
        "no longer required",
        "doesn't matter anymore",
        "not needed anymore",
        "is off the table",
        "gilt nicht mehr",
        "entfällt",
    ),
    *("ne s'applique plus", "ya no aplica", "ya no se aplica", "não se aplica mais", "больше не действует"),
)

#: One of these is in each of them, and looking for so few is much faster.
REVOKED_PARTS = ("longer", "lifted", "anymore", "table", "nicht mehr", "entfällt", "plus", "aplica", "больше")

#: Words that say when something holds.
CONDITIONS = _words(
    "if when whenever unless once before after while during for in wenn falls sobald bevor nach bei si quand lorsque "
    "avant cuando antes se quando als wanneer если когда"
)
#: What a statement about a wish begins with or holds.
PREFERENCES = _words(
    "prefer prefers preferred preference rather like likes want wants wish please bitte möchte lieber préfère "
    "préférer veux prefiero quiero prefiro quero preferisco voglio liever graag wolę предпочитаю хочу"
)
LIMITS = _words(
    "limit limits cap ceiling budget maximum minimum max min most least exceed under below within quota höchstens "
    "mindestens maximal plafond límite limite máximo mínimo"
)
DEADLINES = frozenset(
    ["deadline", "due", "eta", "frist", "termin", "fällig", "délai", "échéance", "plazo", "prazo", "scadenza", "срок"]
)

#: Words that say nothing about a subject.
FUNCTION_WORDS = _words(
    "a an the this that these those it its is are was were be been being am do does did done has have had will would "
    "shall should can could may might must not no never always only just also and or but so then than as at by for "
    "from in into of off on onto out over to up with within without about all any each every some more most other we "
    "you i he she they them us me my your our their his her user users please make makes made sure keep keeps kept "
    "stay stays use uses used using get gets got let lets want wants prefer prefers like there here what which who "
    "when where why how if unless until once before after while during week today tomorrow month day note important "
    "remember total explicit set put der die das den dem des ein eine einen einem und oder aber ist sind war wird "
    "werden muss nicht nie immer nur mit ohne für von zu im in auf an es wir ihr sie ich du bitte le la les un une "
    "des et ou mais est sont ne pas jamais toujours avec sans pour de du en el los las una y o pero es son no nunca "
    "siempre con sin para por que se lo il gli e ma non mai sempre per di da"
)
#: Spelled-out numbers, so that they count as values.
NUMBER_WORDS = _words(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy "
    "eighty ninety hundred thousand million dozen half zwei drei vier fünf zehn hundert tausend deux trois quatre "
    "cinq dix cent mille dos tres cuatro cinco diez cien mil"
)
MONTHS = _words(
    "january february march april may june july august september october november december januar februar märz mai "
    "juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre monday tuesday "
    "wednesday thursday friday saturday sunday"
)
CLOCK_NAMES = _words("utc gmt cet cest est edt pst pdt pacific eastern central mountain local")
