"""Words of lines that speak of all that stands above them, in the languages of `rule_words`; all in small letters."""

import re

from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.heading_words import TIMES as SEASONS
from tailrace.agents.ledger.when_words import RECURRING_DAYS

#: Begin what holds where a condition doesn't.
OTHERWISE = words(
    "otherwise else sonst ansonsten andernfalls sinon altrimenti contrario anders inaczej иначе annars ellers"
)

_POINT = r"(?:this|that|these|those|it)"
_LIST = r"(?:rules?|points?|items?|steps?|instructions?|orders?|lines?|list|things?)"
#: What stands above, in all.
_ALL = (
    rf"(?:all|any|none|most) (?:of )?(?:{_POINT}|the above)(?: {_LIST})?|(?:all|everything|anything|nothing) (?:above|here|i (?:just )?(?:said|wrote|listed)|so far)|"
    rf"the above(?: {_LIST})?|the {_LIST} above|all (?:that|this)|"
    r"nichts davon|all(?:es)? (?:das|dies|davon|oben|obige)|das (?:alles|obige)|rien de (?:tout )?(?:cela|ça|ceci)|tout (?:cela|ça|ceci)|"
    r"nada de (?:esto|eso|lo anterior)|todo (?:esto|eso|lo anterior)|niente di (?:questo|tutto questo|ciò)|tutto (?:questo|ciò)|nada disto|tudo isto|"
    r"niets hiervan|dit alles|dat alles|nic z tego|wszystko to|ничего из этого|всё это"
)
ALL = re.compile(rf"(?<!\w)(?:{_ALL})(?!\w)")
#: The same, or the paragraph.
_THIS = (
    rf"(?:{_ALL}|(?:this|that|these|those)(?: {_LIST})?|das|dies|diese regeln|cela|ça|ceci|ces règles|esto|eso|estas reglas|questo|ciò|queste regole|"
    r"isto|isso|estas regras|dat|dit|deze regels|to|те|это|эти правила)"
)
_JOINED = r"(?:(?:but|and|note that|please|bitte|aber|mais|pero|ma|mas|maar|ale|но),? )?"
_IS = r"(?:'s| is| are| was| were)"
_ONLY = r"(?:only|just|merely|solely|simply)"
_OLD = r"(?:old|former|previous|earlier|last (?:year|season|owner|tenant|manager)(?:'s)?|outdated|obsolete|expired)"
#: Nothing of it holds, or it is nobody's demand.
VOID = re.compile(
    rf"{_JOINED}(?:"
    rf"(?:do not|don't|never) (?:\w+ ){{1,2}}(?:any|all|anything) of (?:{_POINT}|the above)(?=[.!]?$)|"
    rf"(?:none|nothing) of (?:{_POINT}|the above)(?: {_LIST})? (?:appl|hold|count|is|are|matter|stand|bind)\w*(?!.* (?:to|for|on|in|if|when) )|"
    rf"(?:ignore|forget|disregard|scrap|skip|strike) (?:{_ALL})(?=[.!]?$)|"
    rf"{_THIS}{_IS} {_ONLY} (?:an? )?(?:examples?|jokes?|hypothetical|drafts?|ideas?|quotes?|quotations?|(?:what|how)(?! (?:i|we|you|to)\b))(?!\w)|"
    rf"{_THIS}{_IS} (?:all )?(?:from|in|under|how|what|part of)? ?(?:the |our |my |a |an )?(?:\w+ )?(?:under )?(?:the )?{_OLD}(?!\w)|"
    rf"{_THIS} (?:rule )?was the (?:rule|policy|practice) (?:under|at|in|before)|"
    rf"{_THIS} (?:no longer (?:appl|hold|count)|(?:do|does)(?:n't| not) (?:apply|hold|count))\w*(?=[.!]?$)|"
    rf"it(?:'s| is| was) all (?:from|in|under) (?:the |our |my |a |an )?{_OLD}(?!\w)|"
    r"(?:i was |i'm )?(?:just|only) (?:kidding|joking)|nur (?:spaß|ein scherz)|je (?:plaisante|rigole)|es broma|scherzo|"
    r"nichts davon (?:gilt|zählt|stimmt)|(?:mach|tu|macht|machen sie) (?:bitte )?nichts davon|(?:das|dies) (?:alles )?(?:steht|stand) (?:so )?(?:nur )?in der alten|"
    r"(?:das|dies) (?:alles )?(?:sind|ist|war|waren) nur (?:beispiele?|ein beispiel|ideen|ein witz)|"
    r"ne (?:fais|faites) rien de (?:tout )?(?:cela|ça|ceci)|rien de (?:tout )?(?:cela|ça) ne|ce ne sont que des exemples|"
    r"no hag(?:as|a|áis) nada de (?:esto|eso)|nada de (?:esto|eso) vale|son solo ejemplos|non fare niente di (?:questo|tutto questo)|niente di (?:questo|tutto questo) vale|"
    r"sono solo esempi|não fa(?:ça|ças) nada disto|doe niets hiervan|niets hiervan geldt|nie rób nic z tego|ничего из этого не"
    r")"
)
_HOLDS = r"(?:holds?|appl(?:y|ies)|counts?|matters?|goes(?= for)|go(?= for)|is valid|are valid|is in force|are in force|is meant|are meant|is binding)"
_UNTIL = (
    r"(?:only|just|for|to|on|in|at|during|until|till|from|if|when|while|unless|except|as long as|inside|outside|within|after|before|"
    r"once|under|with)"
)
#: It holds for somebody, somewhere, until or from some time, or under a condition.
BOUND = re.compile(
    rf"{_JOINED}(?:"
    rf"{_THIS} (?:only |just )?{_HOLDS} (?:only |just |solely )?{_UNTIL}(?!\w)|"
    rf"{_THIS}(?:{_IS})? (?:only|just|solely) {_UNTIL}(?! (?:you|me|us|fun|now|time)\b)(?!\w)|"
    r"all (?:of )?(?:this|that) (?:from|until|till|during|on|if|when|unless|except)(?!\w)|"
    rf"{_THIS}{_IS} (?:for|on|in|at|to|meant for) .* only(?=[.!]?$)|"
    rf"(?:only|just) (?:until|till|if|when|while|during|on|in|at|for|from|as long as|inside|outside|within)(?!\w)(?!.* (?:may|can|must|should|is|are) )|"
    r"(?:except|unless)(?! for .*,)(?!\w)|not (?:on|during|if|when)(?!\w)(?!.*\?)|not (?:in|at) (?:the )?(?:winter|summer|spring|autumn|night|weekends?|mornings?|evenings?)(?!\w)|"
    r"(?:das|dies|alles|all das|diese regeln)(?: alles| oben)? (?:gilt|gelten|zählt) (?:aber |jedoch )?(?:nur|bis|ab|für|in|im|am|bei|wenn|solange|sonntags|\w+s)(?!\w)|"
    r"nur (?:bis|wenn|falls|solange|am|im|an|in|für|bei)(?!\w)|(?:außer|sofern|es sei denn)(?!\w)|gilt nur(?!\w)|"
    r"(?:cela|ça|ceci|tout cela|ces règles) (?:ne )?(?:vaut|valent|s'appliquent?|s'applique) (?:que|seulement|uniquement|pour|jusqu)|"
    r"(?:seulement|uniquement) (?:si|pour|en|le|les|jusqu|pendant)(?!\w)|(?:sauf|excepté|hormis)(?!\w)|"
    r"(?:esto|eso|todo esto|estas reglas) (?:solo |sólo )?(?:vale|valen|se aplica|se aplican) (?:solo |sólo )?(?:para|en|hasta|si|los|durante)|"
    r"(?:solo|sólo) (?:si|para|en|hasta|los|durante)(?!\w)|(?:salvo|excepto|a menos)(?!\w)|"
    r"(?:questo |tutto questo |queste regole )?(?:vale|valgono|si applica) (?:solo |soltanto )?(?:per|in|fino|se|durante)|solo (?:se|per|in|fino)(?!\w)|(?:tranne|eccetto)(?!\w)|"
    r"(?:isto|isso|tudo isto) (?:só )?(?:vale|se aplica) (?:só |apenas )?(?:para|em|até|se)|(?:dit|dat|deze regels)(?: alles)? (?:geldt|gelden) (?:alleen|tot|voor|in|op)|"
    r"alleen (?:als|tot|voor|in|op)(?!\w)|(?:tenzij|behalve)(?!\w)|to (?:dotyczy|obowiązuje) tylko|tylko (?:jeśli|do|dla|w)(?!\w)|chyba że|"
    r"(?:это|эти правила) (?:действует|действуют|касается) только|только (?:если|до|для|в|на|по)(?!\w)|кроме(?!\w)"
    r")"
)
#: For all, at all times: no bound.
UNBOUND = re.compile(
    r"(?<!\w)(?:everyone|everybody|everywhere|anyone|always|at once|at all times|all (?:of )?(?:you|us|staff|the time)|as well|too|also|immediately|"
    r"alle|jeden|überall|immer|auch|tous|toutes|partout|toujours|todos|todas|siempre|tutti|sempre|iedereen|altijd|wszystkich|всех)(?!\w)"
)
#: Begin a bound that is no sentence.
FRAGMENTS = words(
    "only just except unless not nur außer sofern seulement uniquement sauf excepté hormis solo sólo salvo excepto tranne eccetto alleen "
    "tenzij behalve tylko chyba только кроме"
)
TIMES = RECURRING_DAYS | SEASONS
#: What such a line begins with.
FIRST = OTHERWISE | words(
    "this that these those that's it's it i i'm all everything none nothing any the only just except unless not but and note please do don't never ignore "
    "forget disregard scrap skip strike das dies diese alles all nichts nur außer sofern es aber bitte gilt mach tu macht machen "
    "cela ça ceci ces tout rien ne mais seulement uniquement sauf excepté hormis je ce esto eso estas todo nada no solo sólo salvo excepto a pero "
    "questo queste tutto niente non vale valgono si tranne eccetto sono scherzo ma isto isso tudo não dit dat deze niets doe alleen tenzij "
    "behalve maar to tylko chyba nie ale это эти ничего только кроме но de son"
)
