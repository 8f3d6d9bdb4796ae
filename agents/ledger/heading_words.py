"""Word lists of lines above a list, in the languages of `rule_words`: what forbids, demands, allows, excepts, limits or announces."""

import re

from tailrace.agents.language.word_lists import words

#: What is listed is not to be done, or not to be there.
FORBIDDING = words(
    "don'ts donts no-go no-gos nogos taboo taboos unacceptable disallowed verboten verbotene unzulässig unerlaubt interdit interdits interdite "
    "interdites interdictions défense évite évitez éviter prohibido prohibida prohibidos prohibidas prohibiciones evitar evita evite "
    "vietato vietata vietati vietate divieti proibido proibida proibidos proibidas verboden vermeiden vermeide vermijd zabronione zakazane "
    "zabrania unikaj запрещено запрещается запреты избегай избегайте förbjudet forbudt kielletty zakázáno tilos interzis заборонено yasak"
)
#: What is listed has to be done, or to be there.
DEMANDING = words(
    "musts must-haves must-have obligatory compulsory non-negotiable non-negotiables dos do's pflicht obligatoire obligatoires obligatorio obligatoria "
    "obligatorios obligatorias obbligatorio obligatório verplicht obowiązkowe обязательно pakollista povinné kötelező"
)
#: What is listed is allowed, where a heading says so of what would not be otherwise.
PERMITTING = words(
    "allowed permitted permissible may okay erlaubt zulässig autorisé autorisés autorisées permis permitido permitidos permitida permitidas "
    "consentito consentiti ammessi toegestaan dozwolone wolno разрешено можно tillåtet tilladt sallittu povoleno"
)
#: What is listed is left out of a rule.
EXCEPTING = words(
    "except exception exceptions exempt exempted exemptions excluding excluded ausnahme ausnahmen ausgenommen außer exception exceptions sauf excepté "
    "excepción excepciones excepto salvo eccezioni eccezione tranne exceção exceções uitzondering uitzonderingen behalve wyjątki wyjątek "
    "oprócz исключения исключение кроме undantag undantaget undtagelser poikkeukset výjimky kivételek"
)
#: A heading with one of these is meant in earnest, whoever it speaks of.
EARNEST = (
    FORBIDDING
    | DEMANDING
    | EXCEPTING
    | words(
        "must mustn't never always want wants allowed permitted may shouldn't should shall forbidden mandatory required prohibited banned "
        "darf dürfen nie niemals immer jamais toujours nunca siempre sempre mai nooit altijd nigdy zawsze никогда всегда нельзя"
    )
)
#: Who or what a report begins with: "these don't work:", "the ones that can't be read:".
TELLING_STARTS = words(
    "i i'm i've we we're we've it it's he she they the these those this that some most my our there there's so well ok okay yes no ich wir es "
    "die das der diese je nous les ces il c'est yo los las estos io gli le questi eu os estes"
)
#: What begins so announces what comes, whatever it is.
ANNOUNCING_STARTS = words(
    "here here's below following hier unten folgende folgendes voici voilà ci-dessous aquí he ecco aqui hierbij oto poniżej вот ниже här "
    "her tässä"
)
#: Lists are called so, and nothing is said of their items.
ANNOUNCING = words(
    "rules rule constraints guidelines conventions restrictions preferences limits policies requirements requirement notes note remarks "
    "comments comment list lists todo todos to-do to-dos task tasks step steps plan plans goal goals details detail context background "
    "question questions answers issue issues problem problems points point instructions instruction ideas idea changes change features "
    "feature summary overview example examples things stuff options option reminder reminders reasons reason facts fact info information "
    "items item agenda errors error bugs results result output input update updates status changelog links sources criteria "
    "specification specifications specs spec description objective objectives deliverables "
    "regeln vorgaben einschränkungen anforderungen notizen hinweise aufgaben schritte punkte fragen ziele beispiele details "
    "règles consignes contraintes exigences remarques tâches étapes points questions exemples "
    "reglas restricciones requisitos notas tareas pasos puntos preguntas ejemplos regole vincoli requisiti note compiti passi punti "
    "domande esempi regras restrições requisitos tarefas passos pontos perguntas exemplos regels eisen notities taken stappen punten "
    "vragen voorbeelden zasady reguły wymagania notatki zadania kroki pytania правила ограничения требования заметки задачи шаги вопросы "
    "примеры regler krav anteckningar uppgifter steg säännöt vaatimukset pravidla požadavky szabályok követelmények reguli cerințe"
)
#: Before the word for a list that is one's own and holds.
OPENING = words(
    "a an the some few several more other further additional these those this my our your all important general basic main key following "
    "please and also few couple of lot quick die meine unsere einige weitere wichtige folgende les mes nos des quelques ces las los mis "
    "nuestras nuestros unas algunas le i mie nostre alcune as os minhas nossas algumas de mijn onze enkele moje nasze kilka мои наши"
)
#: Behind the word for a list: who follows it, or that it is to be followed.
FOLLOWING = words(
    "to i we you i'd i'll we'll we've i've you'll that which below here so zu die ich wir du sie que je nous vous à a para per da om te"
)
#: Before or behind the word for a list: it no longer holds, never did, or is held to be wrong.
OUTDATED = words(
    "old former previous last past earlier obsolete outdated deprecated expired cancelled rejected dismissed discarded abandoned dropped "
    "refused declined disliked dislike dislikes hate wrong bad unused considered failed other's alte alten frühere früheren verworfene "
    "verworfen abgelehnt abgelehnte ehemalige ancien anciens ancienne anciennes rejeté rejetés rejetées refusées abandonnées antiguas "
    "antiguos antigua descartadas descartados rechazadas rechazados anteriores vecchie vecchi scartate scartati precedenti antigas "
    "rejeitadas oude vroegere afgewezen stare dawne odrzucone старые прежние отклонённые отклонено gamla"
)
#: Of these, what was turned down or withdrawn.
REJECTED = words(
    "rejected dismissed discarded abandoned dropped scrapped vetoed obsolete outdated deprecated expired cancelled canceled withdrawn abolished "
    "repealed verworfen verworfene verworfenes abgelehnt abgelehnte gestrichen gestrichene veraltet rejeté rejetés rejetée rejetées refusées "
    "refusés abandonné abandonnés abandonnée abandonnées descartado descartada descartadas descartados rechazado rechazada rechazadas "
    "rechazados scartato scartata scartate scartati respinte respinti abolite descartadas rejeitadas rejeitados afgewezen vervallen "
    "geschrapt odrzucone odrzucony nieaktualne отклонённые отклонено отменено отменённые"
)
#: What was so before: rules, ideas and the like, and what somebody did.
FORMER = words(
    "old former previous obsolete last past earlier alte alten frühere früheren ehemalige ancien anciens ancienne anciennes antiguas "
    "antiguos anteriores vecchie vecchi precedenti antigas oude vroegere stare dawne старые прежние gamla"
)
WHAT = words("what how was wie ce lo quello o wat co что vad")
#: What is done no more; "no longer allowed" forbids.
NO_MORE = re.compile(
    r"(?<!\w)(?:(?:turned|voted) down|decided against|ruled out|threw out|thrown out|(?:we|i|they) used to|stopped doing|"
    r"no longer (?:do|follow|apply|need|require|want|hold|practi[cs]e|observe|valid|in force|needed|required|necessary)|"
    r"(?:(?:do|don't|in force|valid|needed|required) any ?more)|"
    r"was wir nicht mehr (?:machen|tun|wollen|brauchen)|nicht mehr (?:gültig|nötig|in kraft)|ce que nous ne faisons plus|ce qu'on ne fait plus|"
    r"lo que ya no hacemos|ya no (?:vale|valen)|quello che non facciamo più|o que já não fazemos|wat we niet meer doen|czego już nie robimy|"
    r"что мы больше не делаем)(?!\w)"
)
#: Near its beginning: these are what it asks about.
ASKED_ABOUT = words(
    "these those this following of them two diese dieser diesen dieses ces celles cette estas estos esas de queste questi delle destas "
    "destes deze tych этих из av dessa better best worse besser bessere mieux meilleure mejor meglio migliore melhor beter lepsza лучше bättre"
)
#: Lists of what may be thought of, and is not said to hold.
TENTATIVE = words(
    "ideas idea options option examples proposals suggestions alternatives questions reasons ideen vorschläge beispiele fragen idées "
    "propositions exemples propuestas ejemplos preguntas idee proposte esempi domande ideias propostas exemplos perguntas voorstellen "
    "voorbeelden vragen pomysły przykłady pytania идеи предложения примеры вопросы idéer förslag"
)
#: They end as what belongs to somebody does.
CONTRACTED = words("it's that's here's there's let's he's she's what's who's where's how's one's")
#: At the end: what comes is what it was said of.
POINTING = words(
    "this these so mind following folgendes folgende suivant suivante siguiente seguente seguinte volgende"
)
#: A question that begins so asks about what stands under it.
ASKING_ABOUT = words(
    "which what's whose is are was were welche welcher welches ist sind quel quelle quels quelles lequel laquelle est sont cuál cuáles es "
    "son quale quali è sono qual quais é são welke który która które какой какая какое какие vilken vilka"
)
#: At the beginning: what follows is a time, a place or somebody.
SCOPES = words(
    "on in at during for inside outside within under near above below behind around between beyond towards to with am im an auf bei beim "
    "während für vor nach pendant durant dans pour chez sur sous à au aux en durante para dentro bajo nel nella nei per presso sotto no "
    "na nos nas em op tijdens voor in bij w we podczas dla przy na в во на для при под på under för i til ved hos"
)
#: Behind a word for all of a list: it holds for these alone.
LIMITING = words("for on in at during für im in am bei pour dans en para per voor dla для при for för")
#: "For example", "in short", "on it": no limit.
IDLE_SCOPES = words(
    "example instance short summary addition detail details reference context now it general particular brief total other fact "
    "beispiel allgemeinen kurz exemple général ejemplo general resumen esempio breve generale exemplo geral resumo voorbeeld kort przykład "
    "примера do recap clarity completeness"
)
#: Times of which a heading may speak: what somebody is told there is told for all of them.
TIMES = words(
    "monday tuesday wednesday thursday friday saturday sunday weekend night nights day days winter summer spring autumn holidays easter "
    "christmas rain storm storms fog frost emergency emergencies fire nacht wochenende winter sommer regen frost notfall sonntag sonntagen "
    "dimanche nuit hiver été week-end domingo domingos noche invierno verano domenica notte inverno estate noite verão zondag nacht "
    "niedzielę niedziele noc nocy воскресенье воскресеньям ночью зимой helgen natten"
)
#: The same in scripts without spaces: what forbids, allows or excepts; and what announces.
UNSPACED = (
    *(
        "禁止",
        "不准",
        "不许",
        "不許",
        "严禁",
        "嚴禁",
        "请勿",
        "請勿",
        "勿",
        "允许",
        "允許",
        "可以",
        "例外",
        "除外",
        "必须",
    ),
    *("してはいけない", "厳禁", "許可", "禁", "금지", "허용", "예외", "ممنوع", "مسموح", "אסור", "מותר"),
)
#: Lists of rules are called so.
UNSPACED_RULES = (
    *("规则", "規則", "规定", "規定", "规矩", "規矩", "家规", "家規", "校规", "校規", "守则", "守則", "须知", "須知"),
    *("ルール", "きまり", "규칙", "규정", "수칙"),
)
UNSPACED_ANNOUNCING = (
    *UNSPACED_RULES,
    *(
        "要求",
        "注意",
        "说明",
        "說明",
        "事项",
        "如下",
        "以下",
        "任务",
        "要件",
        "メモ",
        "次の",
        "다음",
        "메모",
    ),
)
