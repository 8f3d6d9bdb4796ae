"""Word lists of reports: who tells that something is not so, and what makes a demand of it all the same."""

from itertools import product

from tailrace.agents.language.word_lists import words

#: Reports of what didn't work, didn't happen, or isn't known: their negation forbids nothing.
REPORTERS = words("i it it's he she they that that's this there there's we es das ça cela")
REPORTED = words("didn't doesn't isn't wasn't weren't hasn't haven't hadn't won't couldn't wouldn't aren't ain't")
#: The same in two words, the other being "not".
REPORTED_APART = words("did does is was were has have had are could would")
#: Of these, what the speaker refuses is no report: "I won't have it".
REFUSED = words("have accept tolerate allow permit sign pay eat")
#: A longer report may state something beside.
REPORT_WORDS_MAX = 8
#: Of others than the speaker, these tell how things are, too.
REPORTED_OF_OTHERS = words("never always only not no")
OTHERS = words("it it's he she they that that's there there's")
#: Answers and sighs with a word of demand in them.
IDLE_PAIRS = frozenset(
    (
        *product(("not",), ("yet", "bad", "sure", "really", "exactly", "quite", "now", "much", "me")),
        *(("sure", "go"), ("sure", "thing"), ("keep", "going"), ("why", "not"), ("if", "not")),
        *(("keine", "ahnung"), ("kein", "problem"), ("kein", "ding"), ("nicht", "geklappt"), ("nicht", "schlecht")),
        *(("nie", "wiem"), ("nie", "działa"), ("não", "sei"), ("não", "funciona"), ("não", "funcionou")),
        *(("geen", "idee"), ("geen", "probleem"), ("werkt", "niet"), ("weet", "niet")),
    )
)
IDLE_WORDS_MAX = 6
#: Of oneself, the verb behind these decides.
INABILITY = words("don't can't cannot")
UNKNOWING = words("know think understand remember see get recall mind care believe find open figure")
#: Whoever says one of these means it, however it is put: what has one of them is no remark.
EARNEST_TOLD = words(
    "must mustn't should shouldn't shall ought please supposed allowed permitted forbidden prohibited banned mandatory let's ensure require required requires "
    "requirement acceptable unacceptable accept tolerate insist demand want prefer preferred prefers policy rule rules avoid exceed"
)
#: In a short report these do so, too.
EARNEST = EARNEST_TOLD | words("sure instead need needs ok okay fine")

#: Whose somebody is; and who: of these people tell habits, and what they are to do or to be given is said with another verb.
WHOSE = words(
    "my his her their our your mein meine unser unsere sein seine ihr ihre ma mon mes notre nos sa son ses mi mis nuestro nuestra nuestros "
    "su sus mia mio miei mie nostra nostro sua suo minha meu meus nossa nosso mijn onze moja mój moi nasz nasza моя мой мои наш наша min mitt"
)
FOLK = words(
    "sister sisters brother brothers mother mum mom father dad parents uncle aunt aunts cousin cousins grandmother grandfather grandma grandpa "
    "grandparents wife husband partner son sons daughter daughters girlfriend boyfriend friend friends neighbour neighbours neighbor neighbors "
    "boss landlord landlady teacher roommate flatmate ex nephew niece "
    "schwester bruder mutter vater eltern onkel tante cousine oma opa frau mann sohn tochter freund freundin nachbar nachbarin nachbarn chef "
    "chefin vermieter lehrer lehrerin sœur soeur frère mère père parents oncle cousin femme mari fils fille ami amie voisin voisine voisins "
    "patron hermana hermano madre padre padres tío tía primo prima mujer marido hijo hija amigo amiga vecino vecina vecinos jefe "
    "sorella fratello genitori zio zia cugino moglie marito figlio figlia amico amica vicino vicina vicini capo irmã irmão mãe pai pais tio tia "
    "esposa filho filha vizinho vizinha chefe zus zuster broer moeder vader ouders oom vrouw man zoon dochter vriend vriendin buurman buurvrouw "
    "buren baas siostra brat matka ojciec rodzice wujek ciocia żona mąż syn córka przyjaciel sąsiad szef сестра брат мать мама отец папа "
    "родители дядя тётя жена муж сын дочь друг подруга сосед соседка соседи начальник syster bror"
)
#: A longer sentence may state something beside.
HABIT_WORDS_MAX = 12
#: How often somebody does something.
OFTEN = words(
    "never always only nie niemals immer nur jamais toujours seulement nunca siempre solo sólo mai sempre soltanto só apenas nooit altijd "
    "alleen nigdy zawsze tylko никогда всегда только aldrig alltid"
)
#: What somebody gets, may or has to: then it is a rule.
GRANTED = words(
    "gets get may darf dürfen muss müssen soll sollen bekommt bekommen doit doivent peut peuvent debe deben puede pueden deve devono può "
    "possono devem pode podem mag mogen moet moeten może mogą musi muszą"
)
