"""Words by which a sentence leans on the one before it, in the languages of `rule_words`; all in small letters."""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from itertools import product

from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.scope_words import FRAGMENTS, OTHERWISE
from tailrace.agents.ledger.when_words import CONTINUING

#: Before what leans or doesn't: the word behind them tells.
JOINING = words("and also please und auch bitte et aussi y también ed anche ook и")
#: Begin what goes on with the sentence before, whatever follows.
FIRST = OTHERWISE | words(
    "then so thus therefore hence because but however though yet instead especially particularly including which meaning namely likewise "
    "ditto same similarly accordingly afterwards afterward meanwhile alternatively still or nor such both either neither not ever "
    "it it's its they they're they'll them their he he's she she's his her him this that that's these those "
    "dann danach daher deshalb deswegen aber jedoch allerdings denn nämlich stattdessen er sie es ihn ihm ihnen dies diese dieser dieses "
    "alors puis ensuite mais cependant pourtant donc il elle ils elles ça cela ceci c'est leur leurs "
    "entonces luego pero porque él ella ellos ellas esto eso ello "
    "poi ma però quindi perché questo ciò lui lei loro então mas porém isto isso ele ela eles elas dan maar daarna dit dat hij zij het "
    "potem ale więc ono oni потом но поэтому он она они это sedan därefter det"
)
#: Begin what goes on with it where no clause of its own follows: "except on Sundays" does, "except on Sundays, open at eight" doesn't.
FRAGMENT = (CONTINUING | FRAGMENTS | words("provided bis hasta jusqu'à jusqu'au fino até tot")) - words(
    "only just solo sólo nur"
)
#: Two words that do the same as one of them.
PAIRS = frozenset(
    (first, then)
    for firsts, thens in (
        ("if", "so not none"),
        ("in", "that this these those which diesem dem"),
        ("for", "example instance"),
        ("after before since until by at", "that this then"),
        ("the", "same latter former others rest"),
        ("one all none some each", "of"),
        ("no", "exception exceptions excuse excuses"),
        ("das", "gilt ist heißt war geht betrifft"),
        ("wenn", "nicht ja"),
        (
            "keine ohne aucune sans sin nessuna senza",
            "ausnahme ausnahmen exception excepción excepciones eccezione eccezioni",
        ),
        ("zum par por per", "beispiel exemple ejemplo esempio exemplo"),
        ("si se", "oui non no"),
        ("dans en", "ce ese tal"),
        ("sin", "embargo"),
        ("caso", "contrário"),
    )
    for first, then in product(firsts.split(), thens.split())
)
#: Who or what is spoken of, where nothing before it in the sentence may be meant.
ANAPHORS = words("it them him ihn ihm ihnen hem ci их его её")
#: The same before a verb that is denied: "ne la dépasse pas", "no lo abras".
DENIED = frozenset(product(("ne", "no", "non"), ("le", "la", "les", "lo", "los", "las", "li")))
#: The same at the end of a verb.
SUFFIXED = re.compile(r"-(?:le|la|les|lui|leur|en|lo|los|las)$|[áéí]\w*(?:lo|la|los|las|le|les)$")
#: Point at what was said where they end a clause: "never do that", but "make sure that it holds".
POINTERS = re.compile(r"(?<!\w)(?:this|that|these|those|cela|ça|eso|esto|so|das)(?=[.,;!]|$| (?:to|into|by|from)\b)")
#: What is to be done with something, and no more: for once where it is to be at once, or where the sentence before it only says how things are.
ONCE = re.compile(
    r"(?:(?:please|ok|okay|just|bitte) )*(?!(?:keep|leave|follow|use|obey|respect|avoid|observe|mind|remember|heed|honou?r|apply|never|not|always|only|lass|halte?|befolge?|nutze?|benutze?|verwende?|beachte)\b)"
    r"[^\W\d_]+ (?:it|them|him|her|es|sie|ihn)(?P<now>(?: (?:now|please|today|tonight|first|right away|at once|for (?:me|us)|jetzt|heute|sofort|bitte|gleich))*)[.!]*"
)
SO_IT_IS = re.compile(r"(?<!\w)(?:is|are|it's|ist|sind|liegt)(?!\w)")
#: Not what is spoken of: when it rains; it is forbidden to smoke; il faut.
WHENS_IT = re.compile(
    r"(?:if|when|whenever|once|until|while|before|after|as soon as|wenn|falls|sobald|bis|bevor|nachdem|quand|s') ?(?:it|es|il) "
    r"(?:rain|snow|freez|thaw|thunder|hail|storm|gets? |is (?:dark|late|hot|cold|warm|windy|wet|dry|possible|necessary|needed)|"
    r"regnet|schneit|friert|taut|hagelt|stürmt|(?:ist |wird )?(?:dunkel|hell|spät|heiß|kalt|warm)|pleut|neige|gèle|fait )"
)
IMPERSONAL = re.compile(
    r"(?:it(?:'s| is)|es ist|es wird|il est) (?:\w+ ){1,4}?(?:to|that|zu|dass|daß|de|que|d')(?!\w)|il (?:ne )?faut(?!\w)|es (?:ist|sind|wird|gibt) (?:verboten|untersagt|kein)"
)
#: Behind "only" and the like: when, where or for whom, so no sentence of its own.
ONLY = words("only just nicht niet pas nur solo sólo seulement uniquement apenas soltanto alleen tylko только")
ONLY_BEHIND = words(
    "on in at for if when while until till during from as inside outside within after before with to between around wenn falls bis am im an in "
    "auf für bei mit um si pour en le les jusqu'à pendant avec para hasta los las con per fino se em até op tot voor als do dla w на до для если по"
)
#: Behind these a point ends no sentence; behind the others it ends none before a number.
SHORTENED = words(
    "approx bzw ca co dr e.g etc ex fr hr i.e incl inkl jr mag mme mr mrs ms prof sr sra dra st u.a usw vgl vs z.b d.h p.ej ej ing dipl"
)
BEFORE_NUMBERS = words("no nos nr max min art abs fig vol ch kap sec p pp pos tel núm")
#: Words that end as many things do, and are none.
NO_THINGS = words("always unless this its is was has does less across besides towards sometimes perhaps yes us plus")
#: Before what is named, so that it may be meant behind it.
BEFORE_THINGS = words(
    "the a an my our your every each no two three der die das den dem ein eine einen einem jeden jede jedes kein keine keinen "
    "meine unsere le la les un une des du chaque mon ma mes el los las una cada mi mis il lo gli ogni o os as um uma het een elke"
)
