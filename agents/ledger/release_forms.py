"""Words that let go of a rule: what is permitted, spared or declared void, in a dozen languages.

Each form is a frame around what is spoken of ("you may … again", "… is no longer required"). Some say so much that they are worth
keeping whatever they are about; others ("pip is fine now", "go ahead and deploy") mean something only beside a rule about the same thing.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re
from dataclasses import dataclass
from enum import StrEnum

from tailrace.agents.language.lexicon import LASTING
from tailrace.agents.language.needles import needles_of
from tailrace.agents.language.pattern_words import Sign, signs_of
from tailrace.agents.language.word_lists import words


class ReleaseEffect(StrEnum):
    """What a form does to the rule that it is about."""

    #: The rule itself is named, and no longer holds.
    VOID = "void"
    #: What was forbidden may be done.
    PERMIT = "permit"
    #: Something is said to be allowed, and the deed may be left out: the module is fair game.
    ALLOW = "allow"
    #: Somebody else may do something: that is what was forbidden only where both are said in the same order.
    OTHERS = "others"
    #: What had to be done needn't be.
    EXEMPT = "exempt"
    #: Something is said not to be needed, and what had to be done with it may be left out.
    NEEDLESS = "needless"
    #: A go-ahead, which may be meant for once; a step up or down; what was there before. None of them tells what holds by itself.
    BESIDE = "beside"
    #: Something is said to be allowed, and not that it wasn't before.
    SOME = "some"
    #: Something is to stop, less of it will do, or somebody advises another measure: a word in common with a rule tells which.
    NEAR = "near"
    #: Somebody has changed their mind, and says no more of what it was about.
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Form:
    """Words around what is let go of."""

    effect: ReleaseEffect
    pattern: re.Pattern[str]
    firm: bool
    #: What has to stand beside it somewhere; None if it counts by itself.
    beside: re.Pattern[str] | None
    plain: bool
    #: One of these is in every text that has the form.
    needles: tuple[str, ...]
    #: And so is one of these.
    signs: frozenset[Sign]


def _form(
    effect: ReleaseEffect,
    *patterns: str,
    firm: bool = True,
    beside: re.Pattern[str] | None = None,
    plain: bool = False,
    opens: bool = False,
) -> Form:
    """A form in several wordings; `opens` where they stand at the beginning of a clause."""
    wordings = re.compile(rf"(?<!\w)({'|'.join(patterns)})(?!\w)")
    pattern = re.compile(_OPENING + wordings.pattern) if opens else wordings
    # What may stand before it need not be there.
    return Form(effect, pattern, firm, beside, plain, needles_of(wordings), signs_of(wordings))


#: Before what stands at the beginning of a clause: nothing, a word or two, or when it holds.
_OPENING = (
    r"(?:^|(?<=[,;:.!] ))(?:and |but |so |then |ok |okay |please |bitte )?"
    r"(?:(?:until|till|if|when|while|once|after|before|during|on|in|at|for|with|from|as of) [^,.;:!?]{1,40} )?"
)
#: Stand for the rule that is spoken of.
_RULE = (
    r"(?:rules?|bans?|restrictions?|requirements?|instructions?|prohibitions?|limits?|embargo|deadlines?|orders?|polic(?:y|ies)|"
    r"constraints?|conditions?|regeln?|verbot\w*|vorgaben?|règles?|consignes?|interdictions?|reglas?|regras?|regol[ae]|zasad[ay]|"
    r"правил[ао]?)"
)
_RULED = re.compile(rf"(?<!\w){_RULE}(?!\w)")
_GONE = (
    r"(?:void|off|lifted|obsolete|moot|withdrawn|suspended|abolished|dropped|revoked|rescinded|repealed|cancell?ed|history|gone|null|"
    r"waived|dead|over)"
)

#: A word that something is different from before; what is permitted without one may have been so all along.
_MARK = re.compile(
    r"(?<!\w)(?:now|again|anymore|any more|any longer|from now on|from here on|as of|as from|starting|going forward|jetzt|nun|wieder|"
    r"ab sofort|künftig|maintenant|désormais|dorénavant|à nouveau|de nouveau|ya|ahora|de nuevo|otra vez|já|agora|de novo|ora|adesso|"
    r"di nuovo|nu|weer|voortaan|już|teraz|znowu|znów|теперь|уже|снова|опять|artık|şimdi|nu|igen|from (?:today|tonight|tomorrow|\w+day))"
    r"(?!\w)"
)

FORMS = (
    # What was there before holds again: which of them that was only the reader can tell.
    _form(
        ReleaseEffect.BESIDE,
        r"(?:old|previous|former|earlier|original|first) (?:one|\w+) (?:still )?(?:stands?|holds?|applies|apply|counts?|remains?|is back)",
        r"back to the (?:old|previous|former|earlier|original)",
        r"(?:alte|alten|bisherige|vorige) (?:\w+ )?(?:gilt|gelten|bleibt|bleiben)",
        r"(?:ancien|ancienne) .*(?:reste|tient|s'applique)",
        r"(?:vale|sigue|queda) (?:el|la) (?:anterior|de antes)",
        firm=False,
    ),
    _form(
        ReleaseEffect.TURN,
        r"(?:i(?:'ve| have)? )?changed my mind|on second thoughts?|ich hab(?:e)? es mir anders überlegt|j'ai changé d'avis",
        r"i(?:'ll| will)? take (?:that|it|this) back|(?:ich )?nehme (?:ich )?(?:das|es) (?:wieder )?zurück|je retire ce que|je reviens sur ce que",
        r"lo retiro|me retracto|retiro lo|he cambiado de (?:idea|opinión)|mudei de ideias?|ho cambiato idea|ik neem (?:dat|het) terug",
        r"cofam to|zmieni(?:łem|łam) zdanie|беру (?:это|свои слова) (?:назад|обратно)|я передумала?",
    ),
    _form(
        ReleaseEffect.BESIDE,
        r"(?:can|may|will|should|must)(?=.* (?:too|as well)\b)",
        r"(?:raise|lower|increase|reduce|cut|extend|shorten|turn|push|delay)(?=.* by [$€£]?(?:\d|half|one|two|three|five|ten|an?\b))",
        r"(?:one|two|three|four|five|six|ten|twelve|a few|some|\d+) more",
        r"(?:half an?|an?|one|two|three|four|five|six|ten|\d+) \w+ (?:later|earlier|longer|shorter|more|less|fewer|higher|lower|colder|warmer)",
        firm=False,
    ),
    _form(
        ReleaseEffect.BESIDE,
        r"(?:double|halve|triple|quadruple|verdopple|verdoppeln|halbiere|doublez?|duplica|duplique|raddoppia|dimezza|verdubbel|halveer|"
        r"podwój|удвой|удвойте)",
        firm=False,
        opens=True,
    ),
    # As an answer it is for the moment.
    _form(ReleaseEffect.BESIDE, r"^(?:please )?go ahead (?:and|with)", firm=False),
    # Void, by its head.
    _form(
        ReleaseEffect.VOID,
        r"(?:forget|ignore|disregard|scrap|scratch|never ?mind)(?: about)?(?= (?:all|everything|any|that|the|my|what)\b)",
        r"forget about|never ?mind|disregard",
        rf"(?:drop|skip|strike|cancel|lift|waive|remove)(?= (?:[\w-]+ ){{1,4}}{_RULE}\b)",
        r"i (?:take back|withdraw|revoke|retract)",
        r"vergiss|vergessen sie|ignorier(?:e|en sie)|streich(?:e|en sie)?",
        r"oubliez?|laisse tomber|ignorez",
        r"olvida(?:te)?|ignora|esquece|esqueça|dimentica|vergeet|negeer|zapomnij|zignoruj|unut|забудь(?:те)?|игнорируй(?:те)?|glöm",
        opens=True,
    ),
    # Void, by its tail.
    _form(
        ReleaseEffect.VOID,
        r"no longer appl(?:y|ies)|(?:is|are|has been|have been|was|were) lifted|doesn't matter any ?more|is off the table",
        r"gilt nicht mehr|gelten nicht mehr|entfällt|entfallen|(?:ist|sind|wurde|wurden) aufgehoben",
        r"ne s'appliquent? plus|(?:est|sont) (?:levée?s?|annulée?s?|abolie?s?)",
        r"ya no (?:se )?aplican?|queda(?:n)? sin efecto|não se aplicam? mais|não valem? mais|non (?:vale|valgono) più",
        r"geldt niet meer|gelden niet meer|nie obowiązuj[eą]|больше не действу[ею]т|отменя[ею]тся|отменен[ао]?",
    ),
    _form(ReleaseEffect.VOID, rf"(?:is|are|was|were|has been|have been) (?:now |all )?{_GONE}", beside=_RULED),
    # There is none of it any more.
    _form(
        ReleaseEffect.VOID,
        r"(?:there(?:'s| is| are)|we(?:'ve| have)(?: got)?) no(?! longer)",
        r"es gibt (?:keine?n?|kein)|il n'y a plus (?:de |d')?|ya no hay|já não há|non c'è più|non ci sono più|er is geen|nie ma już|больше нет",
        firm=False,
        beside=_MARK,
    ),
    # Spared.
    _form(
        ReleaseEffect.EXEMPT,
        r"(?:you|we|they) (?:no longer|don't|do not) (?:have|need) to|(?:you|we|they) no longer need|needn't|need not",
        r"(?:no longer|doesn't|does not|don't|do not) (?:has|have|needs?) to(?: be)?",
        r"no need (?:any ?more )?(?:to|for)|no longer needs?(?! to\b)",
        plain=True,
    ),
    _form(
        ReleaseEffect.NEEDLESS,
        r"(?:isn't|aren't|is not|are not|no longer|not) (?:necessary|needed|required|mandatory|compulsory|obligatory)",
        plain=True,
    ),
    _form(
        ReleaseEffect.EXEMPT,
        r"(?:du )?(?:brauchst|musst|müsst)(?: du)?(?=.* nicht mehr)|nicht mehr (?:nötig|notwendig|erforderlich)",
        r"(?:tu n'as |vous n'avez )?plus besoin (?:de |d')?|n'est plus (?:nécessaire|obligatoire)|tu n'as plus à",
        r"ya no (?:hace falta|tienes que|tiene que|es necesario|necesitas|hay que)",
        r"já não (?:é preciso|precisas?|tens de)|não (?:precisas?|é) mais(?: preciso| necessário)?|non serve più|non devi più|non occorre più",
        r"(?:je|u) hoeft(?=.* niet meer)|nie musisz już|już nie musisz|nie trzeba już|больше не (?:нужно|надо|обязательно)",
    ),
    _form(ReleaseEffect.EXEMPT, r"(?:doesn't|does not|don't|do not) need(?! to\b)", plain=True, beside=_MARK),
    # Permitted.
    _form(
        ReleaseEffect.PERMIT,
        r"you may(?: now| again)?",
        r"you can now",
        r"(?:you're|you are) (?:now |again )?(?:allowed|permitted|free|welcome) to",
        r"(?:it's|it is) (?:now )?(?:fine|ok|okay|all right|alright|allowed) (?:now )?to",
        r"feel free (?:now )?to",
        r"you have my (?:permission|blessing|ok|okay|go-ahead) to",
        r"i (?:no longer|don't) (?:object to|mind)",
        opens=True,
        plain=True,
    ),
    _form(ReleaseEffect.PERMIT, r"you can(?: again)?", opens=True, plain=True, beside=_MARK),
    _form(ReleaseEffect.PERMIT, r"you can(?: again)?", firm=False, opens=True, plain=True),
    _form(
        ReleaseEffect.ALLOW,
        r"(?:is|are) (?:now |again )?(?:allowed|permitted|permissible|fair game)",
        plain=True,
        beside=_MARK,
    ),
    _form(ReleaseEffect.PERMIT, r"(?:can|may) (?:now |again )?(?:be|have)", firm=False, plain=True, beside=_MARK),
    _form(
        ReleaseEffect.OTHERS,
        r"(?<!you )(?<!\bi )(?<!we )(?:can|may)(?!.* (?:you|me|us)\b)",
        firm=False,
        plain=True,
        beside=_MARK,
    ),
    _form(
        ReleaseEffect.PERMIT,
        r"(?:is|are) (?:now |again )?(?:fine|ok|okay|open|back|all right|alright|allowed|permitted)",
        firm=False,
        plain=True,
        beside=_MARK,
    ),
    _form(ReleaseEffect.PERMIT, r"(?:is|are) back(?= on\b|[.!]?$)", firm=False, plain=True),
    _form(
        ReleaseEffect.PERMIT,
        r"(?:is|are) (?:fine|ok|okay|all right|alright|allowed|permitted)(?= (?:if|when|once|unless|until|while|during|as long as)\b)",
        firm=False,
        plain=True,
    ),
    _form(
        ReleaseEffect.PERMIT,
        r"du (?:darfst|kannst jetzt)|ihr (?:dürft|könnt jetzt)|sie dürfen|darfst du|dürft ihr|dürfen sie",
        r"(?:ya|ahora|a partir de ahora)(?: sí)? (?:puedes?|podéis|pueden|se pueden?)|(?:puedes?|podéis) (?:ya|ahora|volver a)",
        r"(?:tu peux|vous pouvez)(?: maintenant| désormais| de nouveau| à nouveau)|(?:maintenant|désormais),? (?:tu peux|vous pouvez)",
        r"(?:tu as|vous avez) le droit(?= de | d')|il est (?:désormais |maintenant |de nouveau |à nouveau )?(?:permis|autorisé)(?= de | d')",
        r"(?:já|agora|a partir de agora)(?: você| tu)? (?:podes?|podem|se pode)|(?:podes?|você pode) (?:agora|já|de novo|voltar a)",
        r"(?:ora|adesso)(?: si)? (?:puoi|può|potete)|(?:puoi|potete|si può) (?:ora|adesso|di nuovo)",
        r"(?:je|jij|u|jullie) (?:mag|mogen)|mag je|mogen jullie|mag u",
        r"(?:możesz|możecie|można|wolno)(?: ci)? (?:już|teraz|znowu|znów)|(?:już|teraz|znowu|znów) (?:możesz|możecie|można|wolno)",
        r"(?:теперь|снова|опять|уже) (?:ты |вы )?(?:можно|можешь|можете)|(?:можно|можешь|можете) (?:теперь|снова|опять|уже)",
        r"разрешается|разрешено|du får (?:nu|gärna|igen)",
    ),
    _form(
        ReleaseEffect.PERMIT,
        r"(?:darf|dürfen|kann|können)(?=.* werden)|(?:ist|sind) (?:jetzt |nun |wieder )?(?:erlaubt|gestattet|freigegeben|in ordnung|okay|ok)",
        r"tu peux|vous pouvez|(?:est|sont) (?:désormais |maintenant |de nouveau |à nouveau )?(?:autorisée?s?|permise?s?)",
        r"(?:está|están) (?:ya |ahora )?permitid[oa]s?|(?:está|estão) permitid[oa]s?|è (?:ora |di nuovo )?permess[oa]",
        r"(?:mag|mogen)(?=.* worden)|(?:is|zijn) (?:nu |weer )?toegestaan|du kannst|(?:\w+)(?:abilir|ebilir)sin",
        firm=False,
        beside=_MARK,
    ),
    _form(ReleaseEffect.PERMIT, r"puedes?|podes?|puoi|możesz|można|można|можно|можешь|можете", firm=False),
    # Somebody whose word counts has agreed.
    _form(
        ReleaseEffect.SOME,
        r"(?:got|have|has|received|obtained) (?:the |a |our |their |his |her )?(?:permits?|permission|licen[cs]e|approval|clearance|go-ahead|green light|consent)(?: for| to)?",
        r"(?:agrees|agreed|consents|consented) to|(?:is|are) (?:now )?(?:fine|ok|okay|happy) with|(?:she|he|they|it|who)'(?:s|re) (?:now )?(?:fine|ok|okay|happy) with",
        r"(?:darf|dürfen)(?= (?:jetzt|nun|wieder|doch|auch|ab) )|(?:ist|sind) einverstanden|accepte(?:nt)? (?:que|de)|est d'accord (?:pour|que)|acepta(?:n)? que|accetta(?:no)? (?:che|di)",
        firm=False,
    ),
    _form(
        ReleaseEffect.NEAR,
        r"(?:doesn't|don't|does not|do not) (?:matter|apply|count|hold)(?= (?:for|to|in|on|at|with|during)\b)",
        firm=False,
    ),
    _form(
        ReleaseEffect.BESIDE,
        r"auch|aussi|también|también|também|anche|ook|też|także|тоже|также",
        firm=False,
        beside=re.compile(
            r"(?<!\w)(?:kann|darf|können|dürfen|peut|peuvent|puede|pueden|pode|podem|può|possono|mag|mogen|kan|może|mogą|может|могут)(?!\w)"
        ),
    ),
    # Whatever it is about: it is meant to last, and something else held before.
    _form(
        ReleaseEffect.TURN,
        *(phrase for phrases in LASTING.values() for phrase in phrases),
        firm=False,
    ),
    # Permitted of some, without a word of change.
    _form(
        ReleaseEffect.SOME,
        r"(?:can|may) be|(?:darf|dürfen|kann|können)(?=.* werden)|(?:peut|peuvent) être|se pueden?|(?:pode|podem) ser|(?:può|possono) essere",
        r"(?<!you )(?<!\bi )(?<!we )(?:can|may)(?! (?:not|no longer)\b)|(?:mag|mogen)(?=.* worden)|(?:is|are) (?:fine|ok|okay|all right|alright|allowed|permitted)",
        firm=False,
    ),
    _form(
        ReleaseEffect.NEAR,
        r"stop(?= \w+ing\b)|leave (?:him|her|them|it) (?:out|off)|don't bother|hör auf|lass (?:ihn|sie|es) (?:weg|aus)|nicht mehr",
        r"arrêtez?(?= de | d')|cesse(?= de | d')|ne(?=.* plus\b)|dej[ae](?= de )|ya no|para(?= de )|já não|smetti(?= di )|non(?=.* più\b)",
        r"niet meer|przestań|już nie|перестань(?:те)?|больше не",
        firm=False,
    ),
    _form(
        ReleaseEffect.NEAR,
        r"will do|would do|(?:is|are) (?:enough|sufficient|plenty)|suffices?|genügt|genügen|reicht|reichen|suffit|suffisent|bastan?|bastano",
        r"chegam?|volstaat|volstaan|wystarczy|wystarczą|достаточно|хватит",
        firm=False,
    ),
    _form(
        ReleaseEffect.NEAR,
        r"says?|said|recommends?|recommended|advises?|advised|sagt|empfiehlt|rät|dit|recommande|conseille|dice|recomienda|aconseja|diz|"
        r"recomenda|consiglia|zegt|raadt|adviseert|mówi|zaleca|говорит|советует",
        firm=False,
        beside=re.compile(r"\d"),
    ),
)


def _places_by_sign(*, whole: bool) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, form in enumerate(FORMS):
        for sign in form.signs:
            if sign.whole is whole:
                places.setdefault(sign.text, []).append(place)
    return places


#: The places of the forms that a word of a text may be a sign of; and a part of a word.
PLACES_BY_WORD, PLACES_BY_PART = _places_by_sign(whole=True), _places_by_sign(whole=False)

#: In each form that is worth keeping whatever it is about is one of these: most statements have none, and are done with at once.
SIGNS = words(
    "now here forward henceforth jetzt sofort nun künftig désormais dorénavant maintenant ahora agora ora d'ora nu voortaan teraz odtąd "
    "отныне впредь момента auch aussi también também anche ook też także тоже также "
    "raise increase reduce cut extend shorten turn push delay too well old previous former earlier original first changed ahead double halve triple quadruple verdopple verdoppeln halbiere doublez "
    "duplica duplique raddoppia dimezza verdubbel halveer podwój удвой удвойте by more later longer shorter less fewer higher colder warmer second überlegt j'ai "
    "lower alte alten bisherige vorige ancien ancienne anterior antes "
    "forget ignore disregard scrap scratch drop skip strike mind nevermind take withdraw revoke retract lift vergiss vergessen "
    "ignoriere ignorieren streich streiche streichen oublie oubliez laisse ignorez olvida olvidate ignora esquece esqueça dimentica "
    "vergeet negeer zapomnij zignoruj unut забудь забудьте игнорируй игнорируйте glöm "
    "longer lifted anymore table gilt gelten entfällt entfallen aufgehoben plus levé levée levés levées annulé annulée aplica aplican "
    "efecto aplicam vale valem valgono geldt gelden obowiązuje obowiązują действует действуют отменяется отменяются отменено отменена "
    "void off obsolete moot withdrawn suspended abolished dropped revoked rescinded repealed cancelled canceled history gone null "
    "waived dead over no gibt hay há più geen ma нет "
    "need needn't have has needs needed necessary required mandatory compulsory obligatory brauchst musst müsst nötig notwendig "
    "erforderlich besoin n'est n'as hace tienes tiene es precisas precisa preciso serve devi occorre hoeft musisz trzeba нужно надо "
    "обязательно "
    "may can allowed permitted free welcome fine ok okay right alright permission blessing go-ahead object permissible game open back "
    "darfst dürft dürfen darf kann kannst könnt können erlaubt gestattet freigegeben ordnung puedes puede podéis pueden peux pouvez "
    "droit permis autorisé autorisée autorisés autorisées podes pode podem puoi può potete mag mogen możesz możecie można wolno можно "
    "можешь можете разрешается разрешено får permitido permitida permesso permessa toegestaan "
    "take nehme zurück retire reviens retiro retracto cambiado mudei cambiato neem cofam zmieniłem zmieniłam беру передумал передумала"
)

#: The same in scripts without spaces: what is cut away is the frame.
UNSPACED_FORMS = (
    (
        ReleaseEffect.VOID,
        re.compile(
            "忘掉|忘记|忽略|不再适用|作废|取消了?|忘れて(?:ください)?|無視して(?:ください)?|は無効(?:です)?|잊어|더 ?이상 적용"
        ),
    ),
    (
        ReleaseEffect.EXEMPT,
        re.compile(
            "不用再|不必再|无需再|不需要再|(?:し)?なくても(?:いい|よい|良い|大丈夫|構いません)(?:です)?|지 ?않아도 (?:돼|됩니다|된다)"
        ),
    ),
    (
        ReleaseEffect.PERMIT,
        re.compile(
            "现在(?:你)?可以|(?:你)?可以|允许|現在可以|ても?(?:よい|いい|良い|構いません|かまいません|大丈夫)(?:です)?(?:よ)?|"
            "(?:이제 ?)?(?:해|어|아)도 (?:돼|됩니다|된다|좋)"
        ),
    ),
)
UNSPACED_SIGNS = (
    "忘",
    "忽",
    "废",
    "取消",
    "無",
    "不",
    "无",
    "可以",
    "允许",
    "ても",
    "て大丈夫",
    "てよい",
    "잊",
    "더",
    "도 ",
)
