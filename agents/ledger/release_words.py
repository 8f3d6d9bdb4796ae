"""Words that decide whether a release lifts a rule wholly: what restricts, what narrows, what says nothing of what it is about."""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re

from tailrace.agents.language.lexicon import FUNCTION_WORDS, LIMITS, REVOKING_NOUNS
from tailrace.agents.language.rule_words import NEGATIONS, PROHIBITIONS
from tailrace.agents.language.word_lists import words

#: Words that make a prohibition, or a limit, of a rule: only such a one can be lifted by a permission.
RESTRICTING = (
    PROHIBITIONS
    | NEGATIONS
    | words(
        "nobody no-one none avoid without until unless before stop closed locked off kein keine keinen keiner ohne sans aucun aucune "
        "ninguno ninguna sin nessun nessuna senza nenhum nenhuma sem geen zonder żaden żadne bez нельзя нет"
    )
)
#: Words of a bound: what is permitted beyond another one is permitted anew.
BOUNDING = LIMITS | words(
    "more less fewer over up before after later earlier mehr weniger über unter bis vor nach plus moins jusqu'à avant après más menos hasta "
    "antes después mais até depois più meno fino prima dopo meer minder tot więcej mniej przed до после"
)
#: A permission ends, which is a prohibition of its own.
NO_LONGER_ALLOWED = re.compile(
    r"(?<!\w)(?:(?:may|can) no longer|no longer (?:allowed|permitted)|(?:may|can)(?: not|'t|not)(?=.* any ?(?:more|longer))|"
    r"(?:darf|darfst|dürfen|kann|können)(?=.* nicht mehr)|ne (?:peut|peux|peuvent|pouvez) plus|n'(?:a|ont|as) plus le droit|"
    r"ya no (?:puedes?|pueden)|já não (?:podes?|podem)|non (?:può|puoi|possono) più|(?:mag|mogen)(?=.* niet meer)|"
    r"(?:już nie|nie) (?:może|mogą|możesz|wolno)|больше не (?:может|могут|можешь)|больше нельзя)(?!\w)"
)
#: What is permitted with one of these is permitted for a case, a while or a part.
NARROWING = words(
    "if when whenever unless until till once twice except but only while during provided long case exceptionally today tonight temporarily "
    "wenn falls sobald solange nur außer bis einmal ausnahmsweise heute si quand lorsque sauf seulement fois cuando salvo solo mientras "
    "vez quando tranne volta exceto apenas wanneer alleen behalve zolang jeśli jeżeli gdy kiedy tylko raz если когда только кроме раз"
)
#: These do so at the beginning of a clause; elsewhere they are other words.
CONDITIONAL = re.compile(r"(?:^|, )(?:se|als) ")
#: When something begins is no narrowing.
BEGINNING = re.compile(
    r"\b(?:as of|as from|from|starting|ab|à partir d'|a partir de|da|vanaf|od) (?:today|tonight|heute|aujourd'hui|hoy|oggi|hoje)"
)
NARROWING_UNSPACED = (
    "如果",
    "只有",
    "除非",
    "的话",
    "场合",
    "場合",
    "なら",
    "たら",
    "とき",
    "だけ",
    "一次",
    "一度",
    "면 ",
)
#: All that somebody said, and not one rule of it.
UNIVERSAL = words(
    "all everything every any alle alles sämtliche tout toutes tous todo todas todos tudo tutto tutte tutti wszystkie wszystko все всё "
    "każde"
)
#: Say when something is so, how much it is meant, or nothing: a rule and its lifting differ in them.
EMPTY = (
    FUNCTION_WORDS
    | UNIVERSAL
    | REVOKING_NOUNS
    | PROHIBITIONS
    | NEGATIONS
    | words(
        "now again anymore too as well also ever here going forward starting henceforth still under circumstances anything everything anyone from "
        "ban bans prohibition limit limits earlier previous former prior old given gave before far so wrote "
        "mes mis minhas meus mie miei mijn moje moich мои meine meinen "
        "needn't isn't aren't doesn't don't let's go ahead "
        "auch aussi también também anche ook też także тоже также может могут kan może mogą peut peuvent può possono podem "
        "jetzt nun wieder ab sofort künftig mehr darf darfst dürfen kann kannst können werden kein keine keinen vor der dem du "
        "benutze benutzen benutzt verwende verwenden nutze nutzen mache machen tun vorherigen bisherigen früheren meine regeln "
        "maintenant désormais dorénavant nouveau nouvelle à au aux n ne pas l d j tu vous peux pouvez utilise utiliser utilisez fais faire "
        "règles consignes précédentes mes toutes "
        "ya ahora sí partir puedes puede pueden a al del el usa usar uses use utiliza utilizar utilices haz hacer hagas nada ni "
        "já agora podes pode você tu usar use usa fazer faça faz ao "
        "ora adesso puoi può i usare usa usate fare fai lo l "
        "nu weer voortaan je jij u mag mogen gebruik gebruiken gebruikt worden doen doe geen of "
        "już teraz znowu możesz można wolno używaj używać użyj użyć robić rób lub albo ani "
        "теперь уже снова опять можно можешь можете ты вы в на к с и или ни не никогда нельзя больше используй использовать используйте "
        "делать делай мои правила предыдущие"
    )
)
#: Between things that a rule is about alike.
#: A step that says where it leads: an hour later, at 18:00.
ABSOLUTE = re.compile(r"(?<!\w)(?:to|at|auf|um|à|a las|a|alle|às|naar|om|do|o|до|в) (?:minus )?[$€£¥]?\d")
LINKING = words("or and nor oder und noch ou et ni o y e ed of en noch lub i albo ani или и ни")
#: In scripts without spaces: what makes a rule or a permission of a statement, and what forbids.
RULE_CHARS = re.compile(
    "请|不要|不得|禁止|请勿|别|不能|不可以?|绝不|永远|现在|已经|了|吧|。|、|，|\\s|ください|しないで|ないで|してはいけません|てはいけません|"
    "はいけない|絶対に|決して|もう|今から|これからは?|です|ます|だ|よ$"
)
FORBIDS_UNSPACED = re.compile("[不别勿禁]|ない|いけ|だめ|ダメ|마세요|마라|지 ?마|금지|안 ?돼")
