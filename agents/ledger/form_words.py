"""Word lists of the forms in which people say what is to last without a word of demand, in the languages of `rule_words`.

A form is a beginning and what has to stand behind it, so a row is short, and a language more is a few words more in some rows.
"""

from itertools import product

from tailrace.agents.language.word_lists import words

#: Before what is said, and no part of it.
POLITE = words(
    "please kindly also and but so ok okay then just bitte auch und aber por favor per favore s'il te vous plaît svp alsjeblieft proszę "
    "пожалуйста"
)

#: Words that make a rule wherever they stand.
BINDING_WORDS = words(
    "prohibited banned obligatory compulsory off-limits prohíbe prohíben refrain abstain desist vertraulich verzichten untersagt "
    "aldrig alltid aldri altid måste koskaan aina täytyy nikdy vždy musí soha mindig tilos niciodată mereu întotdeauna trebuie "
    "ніколи завжди треба luôn đừng jangan selalu harus dilarang nikad uvijek ποτέ πάντα πρέπει μην תמיד לעולם אסור חייב हमेशा मत कभी "
    "دائما دائماً أبدا أبداً"
)
#: Sets of words that make a rule together, by one of them.
TOGETHER: dict[str, tuple[str, ...]] = {
    "mai": ("non ",),
    "bao": ("không bao giờ",),
    "zaman": ("her zaman", "hiçbir zaman"),
    "circumstances": ("under no circumstances", "in no circumstances"),
    "circumstance": ("under no circumstance",),
    "account": ("on no account",),
    "case": ("in no case",),
    "means": ("by no means",),
    "time": ("at no time",),
    "times": ("at all times",),
    "ocurra": ("ni se te ocurra", "ni se le ocurra", "ni se os ocurra"),
    "untersteh": ("untersteh dich",),
    "grateful": (
        "grateful if the ",
        "grateful if all ",
        "grateful if no ",
        "grateful if every ",
        "grateful if nobody ",
    ),
    "appreciate": (
        "appreciate it if the ",
        "appreciate it if all ",
        "appreciate it if no ",
        "appreciate it if every ",
        "appreciate it if nobody ",
    ),
    "hands": ("hands off",),
    "fingers": ("fingers off",),
    "finger": ("finger weg", "die finger von", "die finger vo"),
    "away": ("stay away from", "keep away from"),
    "clear": ("steer clear", "stay clear of", "keep clear of"),
    "out": ("keep out of", "stay out of"),
    "limits": ("off limits",),
    "allowed": ("not allowed", "n't allowed", "n\u2019t allowed"),
    "today": ("from today", "as of today", "starting today"),
    "tomorrow": ("from tomorrow", "as of tomorrow", "starting tomorrow"),
    "would": ("as you would",),
    "heute": ("ab heute",),
    "hoy": ("a partir de hoy", "desde hoy"),
    "oggi": ("da oggi", "a partire da oggi"),
    "hoje": ("a partir de hoje",),
    "vandaag": ("vanaf vandaag",),
    "aujourd'hui": ("à partir d'aujourd'hui", "dès aujourd'hui"),
    "rule": ("as a rule",),
    "dot": ("on the dot",),
    "happier": ("be happier",),
    "no": (" or no ",),
    "else": ("nowhere else", "nobody else", "no one else", "nothing else"),
    "exception": ("without exception",),
    "exceptions": ("no exceptions",),
    "all": ("or not at all", ", all of them"),
    "notice": ("until further notice",),
    "mind": ("in mind that", "in mind:"),
    "see": ("see to it",),
    "easy": ("go easy on",),
    "nobody": ("nobody but", "nobody except"),
    "matters": ("what matters",),
    "umständen": ("unter keinen umständen",),
    "fall": ("auf keinen fall",),
    "cas": ("en aucun cas",),
    "prétexte": ("sous aucun prétexte",),
    "caso": ("en ningún caso", "in nessun caso", "em caso algum", "em nenhum caso"),
    "circunstancia": ("bajo ninguna circunstancia",),
    "hipótese": ("em hipótese alguma", "em nenhuma hipótese"),
    "geval": ("in geen geval",),
    "beding": ("onder geen beding",),
    "pozorem": ("pod żadnym pozorem",),
    "wypadku": ("w żadnym wypadku",),
    "случае": ("ни в коем случае",),
    "omständigheter": ("under inga omständigheter",),
    "koşulda": ("hiçbir koşulda",),
}

#: A sentence that begins with the one and goes on with one of the others, anywhere, is a rule. An empty row needs nothing more.
OPENERS: dict[str, frozenset[str]] = {
    word: words(others)
    for firsts, others in {
        "avoid cease beware prioritize prioritise favour favor przestań перестань хватит прекрати sluta lopeta přestaň "
        "smettila evita evitate eviter évite evitad unngå undgå undvik vältä vermeide vermeiden vermijd unikaj избегай vyhni": "",
        "interdiction prohibición proibição zakaz prohibida prohibidos prohibidas vietata vietati interdite interdits verboten": "",
        "défense": "de d'entrer",
        "divieto": "di",
        "запрет": "на",
        "tutoie tutoyez vouvoie vouvoyez duze sieze tutea tutee": "",
        "solo": "puede pueden può possono pode podem permite permiten",
        "remember": "that to",
        "let": "nobody anyone anybody none",
        "refer": "as",
        "spell": "with as out",
        "capitalise capitalize hyphenate italicise italicize abbreviate indent": "",
        "default": "to",
        "use": "metric imperial celsius fahrenheit everywhere throughout everything",
        "give": "priority preference",
        "bear": "mind",
        "assume": "that all throughout no",
        "treat regard consider handle": "as like off-limits confidential private gloves care",
        "leave": "alone untouched unchanged intact as where be",
        "behandle behandeln": "als wie",
        "traite traitez": "comme",
        "trata trate": "como",
        "tratta trattate": "come",
        "behandel": "als",
        "traktuj": "jak jako",
        "lass lasst lassen": "so unberührt stehen unverändert finger ruhe",
        "laisse laissez": "tel telle tels telles comme tranquille intact intacte",
        "deja dejad deje": "como paz de intacto quieto",
        "lascia lasciate": "come stare pace intatto",
        "deixa deixe": "como paz",
        "laat": "zoals staan rust",
        "zostaw": "tak jak spokoju",
        "оставь оставьте": "как покое",
        "hör hören": "auf",
        "arrête arrêtez cesse cessez": "de d'",
        "pare parem": "de",
        "smetti smettete": "di",
        "hou": "op",
        "ask consult": "first before",
        "check confirm clear talk discuss": "with to",
        "address": "as",
        "frag frage fragen": "zuerst vorher bevor erst",
        "demande demande-moi demandez demandez-moi": "avant d'abord",
        "pregunta pregúntame pregúnteme consulta consúltame": "antes primero",
        "chiedi chiedimi": "prima",
        "pergunte pergunte-me pergunta-me": "antes primeiro",
        "vraag": "eerst voordat",
        "zapytaj pytaj": "zanim najpierw",
        "спроси спрашивай спросите": "прежде сначала",
        "fråga": "innan först",
        "spør": "før først",
        "spørg": "før først",
        "kysy": "ennen ensin",
        "zeptej": "než nejdřív",
        "kérdezz": "mielőtt előbb",
        "întreabă-mă": "înainte întâi",
        "запитай питай": "перш спочатку",
        "tanya tanyakan": "sebelum dulu",
        "hỏi": "trước",
        "wait hold": "until for",
        "warte warten": "bis",
        "attends attendez": "que jusqu'à",
        "espera espere": "que hasta",
        "aspetta": "che finché",
        "wacht": "tot",
        "n'oublie n'oubliez pamiętaj помни помните onthoud muista lembre-se ricordati recuerda": "",
        "be": "",
        "sei seien sois soyez sii siate seja wees bądź будь будьте": "",
    }.items()
    for word in firsts.split()
}
#: Openers that are about the moment if one of these follows at once.
IDLE_AFTER_OPENERS = words("right back there yourself yourselves me")
#: Those of them that ask for a way of doing things.
MANNERLY = words(
    "be sei seien sois soyez sii siate seja wees bądź будь будьте assume default prioritize prioritise favour favor"
)
#: What somebody has to do before something else: ask, or have it looked at.
BEFOREHAND = words("first before prior beforehand")
#: A clearance that is waited for; everything else that one waits for is for the moment.
_CLEARANCES = words(
    "go-ahead okay ok approval permission confirmation confirm confirms word signal i we me my our further answer reply"
)
#: Openers that need one of these, too.
ALSO_NEEDED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("check", "confirm", "clear", "talk", "discuss"), BEFOREHAND),
    **dict.fromkeys(("wait", "hold"), _CLEARANCES),
}
#: A beginning whose second word ends so: stop using it, non aprire.
SECOND_ENDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("stop", "quit"), ("ing",)),
    "non": ("are", "ere", "ire", "arlo", "arla", "arli", "arle"),
}

#: What there is to be none of, at the beginning of a clause.
NEGATED = words(
    "no kein keine keinen keinerlei aucun aucune nada niente nessun nessuna ningún ninguna nenhum nenhuma geen żadnych żadnego "
    "никаких никакого ingen inga inget intet"
)
NEGATED_PAIRS = frozenset((*product(("pas",), ("de", "d")), ("nada", "de"), ("niente", "di")))
#: Behind a negation, at the beginning: so many and no more.
LIMITING = frozenset(
    (
        *product(("more", "fewer", "less", "later", "earlier"), ("than",)),
        *(
            ("mehr", "als"),
            ("plus", "de"),
            ("más", "de"),
            ("mais", "de"),
            ("più", "di"),
            ("meer", "dan"),
            ("więcej", "niż"),
        ),
    )
)
#: At the beginning: what follows is not to be done.
NEGATING = words("ne не älä älkää אל nu μη ärge")
NEGATING_STARTS = ("n'", "n\u2019")
#: Behind the first word, which is what is not to be done.
NEGATING_SECOND = words("inte ikke icke niet")
#: There is to be less of something.
LESSENING = words("less fewer weniger moins menos meno minder mniej меньше mindre")
#: Words that begin with what there is to be none of.
NEGATED_STARTS = ("pas d'", "pas d\u2019")
#: "Without", at the beginning or behind what is to be done.
WITHOUT = words("without ohne sans sin senza sem zonder bez без utan uden uten ilman fără")
#: What there is none of in talk, in reports and in answers.
IDLE_NOUNS = words(
    "problem problems worries worry idea ideas luck change changes thanks thank way doubt need one wonder matter reason news rush hurry "
    "longer comment clue such matching sait voit comprend trouve response answer answers error errors output result results issue issues difference sign success such it this "
    "that the i you we he she they yes no not sorry but because what why wait don't matches match warnings failures is are was "
    "were has have had clear big biggie kidding further left there sense access ahnung problème idée mal encore nuevo "
    "nuovo novo problema problemas idee probleem problem pomysłu problemu sorge sorgen probleme stress hay sé funciona знаю работает помню вижу понимаю получилось уверен marche sais vet ved fungerar virker is "
    "thx sir pun fun dice joy bugs diff mas más bueno tengo quiero puedo"
)
#: What has happened, or is so at the moment.
PAST = words(
    "was were wasn't weren't had hadn't did didn't went came got said saw took made found told used felt knew thought gave began broke "
    "lost yesterday ago since yet far left been named available detected specified provided exists exist ran war waren hatte gestern wurde était avait hier estaba había ayer era ieri stava "
    "ontem estava gisteren był była wczoraj был была было вчера idag igår"
)

#: Who or what a sentence is about, or asks: what begins so tells nobody to do anything.
SUBJECTS = words(
    "let's lets i i'm i've i'd i'll we we're we've we'd we'll you'll you'd they'll they'd it'll he'll she'll he she it it's its they they're you you're you've there there's this that that's these those "
    "here here's my our his her their your the a an one some any many most all every each both no nobody nothing none not neither "
    "who what what's when where why how which whose if whether because since although though while as in on at to from for of by with "
    "yesterday today tomorrow last next maybe perhaps probably sometimes usually often however also then so and but or yes ok okay sure "
    "great good fine nice cool perfect super awesome excellent thanks thank hi hello hey sorry well oh ah hm is are was were am does did has had can could "
    "will would should shall may might must only even still already again everything everyone everybody somebody someone something "
    "er sie es wir ihr ich du man der die das ein eine dem den mein meine unser unsere dann so ja nein gut danke "
    "je tu il elle on nous vous ils elles le la les l un une des mon ma mes notre ce cette c'est ça cela alors oui merci "
    "yo él ella nosotros ellos el los las una mi mis nuestro nuestra esto eso entonces sí gracias bien "
    "io lui lei noi loro lo gli i uno il mio la nostro questo allora sì grazie bene o os as um uma eu ele ela nós meu minha isso então "
    "ik jij hij zij wij het de een mijn onze dit dat dan ja dank bedankt "
    "ja ty on ona my oni to ten ta mój dzięki я ты он она мы вы они это мой моя спасибо "
    "jag han hon vi det den en ett min tack minä hän se kiitos já on ona to můj díky"
)
#: Ends of words that tell nobody to do anything, at the beginning of a sentence.
NOT_TOLD_ENDS = ("ing", "ed", "ly", "'s", "\u2019s")

#: What somebody is or has for good.
DISPOSITIONS = words(
    "allergic allergy allergies vegetarian vegan intolerant intolerance diabetic celiac coeliac colour-blind color-blind colorblind "
    "colourblind left-handed diet dyslexic deaf blind pescatarian teetotal teetotaler kosher halal lactose "
    "allergisch allergie vegetarier vegetarierin veganer veganerin diabetiker diabetikerin linkshänder allergique végétarien végétarienne "
    "végétalien végane diabétique gaucher alérgico alérgica alergia vegetariano vegetariana vegano vegana diabético celíaco celíaca zurdo "
    "allergico allergica celiaco celiaca mancino vegetariër veganist uczulony uczulona alergię wegetarianinem wegetarianką аллергия "
    "вегетарианец вегетарианка веган allergisk vegetarianer allerginen kasvissyöjä alergický alergická vegetarián allergiás vegetáriánus "
    "алергія alerjim αλλεργία"
)
#: What somebody thinks of things of a kind, at the beginning.
TASTES = words(
    "hate dislike detest loathe despise love adore enjoy appreciate hasse verabscheue mag liebe déteste adore j'adore j'aime hais odio "
    "detesto amo odeio adoro haat nienawidzę ненавижу люблю hatar älskar elsker hader vihaan nesnáším"
)
#: Behind a taste: it is about this one.
POINTERS = words(
    "it this that these those the when how what you your him her them my to es das dich dein sie ihn ça cela ce ton quand "
    "esto eso te questo ti isso het dit dat je это тебя det den where if seeing being hearing"
)
#: Tastes whose verb says whose they are.
TASTES_ALONE = words("j'adore j'aime odio detesto amo odeio adoro nienawidzę ненавижу люблю vihaan nesnáším")
#: Who has a taste.
SPEAKERS = words("i i'd i'm we we'd ich wir je j' yo io eu ik ja я jag jeg we")
#: What somebody does for good, at the beginning.
HABITS = words(
    "live speak wear drive own teach study commute travel weigh wohne spreche arbeite vis j'habite habite parle vivo hablo trabajo abito "
    "parlo lavoro moro falo trabalho woon spreek mieszkam mówię живу говорю bor talar asun"
)
HABITS_ALONE = words("j'habite vivo hablo abito parlo moro falo mieszkam asun")
#: Of whom something is said, whoever it is.
WHOEVER = words("whoever anyone anybody whosoever")
#: Behind a word of place or time: "in terms of", "in other words".
NO_CASE = words("terms other most some many all both addition")
#: Who does what is to be done then.
WHOEVER_IT_IS = words("everybody everyone somebody someone nobody nothing jeder alle niemand nichts")
#: What is to be done with nothing, or to nobody.
NONE_OF_IT = words("nothing nobody nichts niemanden niemandem rien niets")
#: Behind what comes first: what comes later.
ORDINALS = words("second last later afterwards then")
#: What somebody else thinks of things of a kind; and whose kind of name stands before.
TASTES_OF_OTHERS = words("hates dislikes detests loathes loves adores")
DETERMINED = words("the my our his her your this these that those a an")
#: Before a verb of which the French deny that one does it: one doesn't.
NEGATED_IMPERSONAL = ("ne", "n'", "n\u2019")
SPANISH_ARTICLES = words("el la los las un una mi mis tu su nada ningún ninguna")
#: Words of what a line is about, before a colon; and of a last clause that says what there is to be none of.
TOPIC_WORDS_MAX = 3
TAIL_WORDS_MAX = 4
UNBEARABLE = frozenset(
    (*product(("can't", "cannot"), ("stand", "bear")), *product(("afraid", "scared"), ("of",)), ("mag", "keine"))
)
#: Ways of saying things: whoever asks to write, speak or count so means from then on.
LANGUAGES = words(
    "english french german spanish italian portuguese dutch polish russian chinese mandarin japanese korean arabic hebrew hindi turkish "
    "swedish danish norwegian finnish czech greek ukrainian welsh latin deutsch englisch französisch spanisch italienisch français anglais "
    "allemand espagnol español inglés francés alemán italiano inglese francese tedesco português inglês francês nederlands engels frans "
    "duits polsku angielsku niemiecku русски английски svenska engelska dansk norsk suomeksi česky magyarul română"
)
SAYING = words(
    "announce write speak talk answer reply respond explain phrase say give list quote state express show format count measure antworte antworten "
    "schreib schreibe schreiben sprich réponds répondez écris écrivez parle parlez responde escribe habla rispondi scrivi parla responda "
    "escreva fale antwoord schrijf spreek odpowiadaj pisz mów отвечай пиши говори svara skriv tala svar vastaa kirjoita"
)
STYLES = words(
    "plain simple formal informal short brief person tense british american lowercase uppercase capitals bullet bullets words pounds dollars "
    "euros francs crowns yen rupees metric imperial metres meters kilos kilograms celsius fahrenheit utc"
)
MANNERS_OF_SAYING = words("briefly concisely slowly politely simply formally informally plainly clearly softly")

#: Something is to be used; what is pointed at is used at the moment.
USING = words("use nimm benutze verwende nutze utilise utilisez usa utiliza gebruik używaj используй använd brug bruk")
POINTED = words(
    "this that the it these those a an your my one den die das diesen ein eine le la les ce cette un une el los este esta il lo questo "
    "de het deze een tego ten это этот den det denna"
)
USED_WORDS_MAX = 4

#: How much something matters, near the beginning; and what it leads to.
IMPORTANCE = words(
    "important crucial essential vital critical imperative necessary paramount wichtig entscheidend notwendig unerlässlich important "
    "essentiel crucial indispensable primordial importante esencial crucial fundamental imprescindible fondamentale essenziale essencial "
    "belangrijk cruciaal essentieel ważne istotne важно необходимо viktigt viktig vigtigt tärkeää důležité fontos important"
)
LEADING = words("that to dass daß zu que de qu'il qu'on che di dat om te żeby aby чтобы att at että aby hogy")
IMPORTANCE_WORDS_MAX = 5

#: Who tells what comes again and again, and asks for nothing.
TELLERS = words("i he she it")
#: Who should do something is somebody else than whoever guesses.
GUESSED = words("it it's that this there i we they he she which what think guess maybe probably now here")
SHOULDS = words("should shall sollte sollten")
#: Pairs that say what is expected.
EXPECTED = frozenset(
    (*product(("supposed", "expected", "required", "meant"), ("to",)), ("you're", "to"), ("you're", "not"))
)

#: Behind "call me": no name.
CALLED_NOT = words("back when if at in tomorrow later now on please as once after before a an the asap first and or")

#: In a heading: what is listed under it is to last.
HEADINGS = words(
    "rules rule constraints guidelines conventions restrictions preferences limits policies regeln vorgaben einschränkungen règles "
    "consignes contraintes reglas restricciones regole vincoli regras restrições regels zasady reguły правила ограничения regler säännöt "
    "pravidla szabályok reguli"
)
