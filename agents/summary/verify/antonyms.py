"""Words that are the two ends of one thing: high and low, inside and outside, raised and lowered, chosen and dropped.

A small table. Left out are words that are opposites only sometimes, and those by which two people tell the same: what Anna sold, Bert
bought. What is the opposite of a word by its beginning needs no table (`prefixes`), and neither does how something went (`claim_words`).
"""

from typing import Final

from tailrace.agents.language.word_lists import words

#: By scale, the words of its one end and of its other. What has more of a quality than something else stands on these, too.
GRADES: Final = {
    "size": (
        (
            "high higher large larger big bigger great greater long longer tall taller wide wider heavy heavier hoch höher groß größer lang länger "
            "schwer schwerer haut haute grand grande élevé élevée alto alta altos altas mayor grande maggiore maior hoger groter langer"
        ),
        (
            "low lower small smaller short shorter narrow narrower light lighter niedrig niedriger tief tiefer klein kleiner kurz kürzer leichter bas "
            "basse petit petite bajo baja bajos bajas menor pequeño basso bassa piccolo minore lager kleiner korter"
        ),
    ),
    "speed": (
        "fast faster quick quicker schnell schneller rapide rápido rápida veloce sneller",
        "slow slower langsam langsamer lent lente lento lenta trager",
    ),
    "time": ("late later spät später tard tarde tardi", "early earlier früh früher tôt temprano presto"),
    "sound": ("loud louder laut lauter", "quiet quieter leise leiser"),
    "heat": (
        "warm warmer hot hotter heiß heißer wärmer chaud chaude caliente caldo calda",
        "cold colder cool cooler kalt kälter kühler froid froide frío fría freddo fredda",
    ),
    "worth": (
        "good better besser meilleur meilleure mejor migliore melhor beter",
        "bad worse schlechter pire peor peggiore pior slechter",
    ),
    "effort": ("hard harder difficult schwieriger difficile difícil", "easy easier leicht einfacher facile fácil"),
    "price": (
        "expensive dear dearer teurer cher chère caro cara duurder",
        "cheap cheaper billiger günstiger barato barata economico goedkoper",
    ),
    "age": (
        "old older älter alt vieux vieille viejo vieja vecchio ouder",
        "young younger jünger new newer neuer jeune joven giovane jonger",
    ),
    "force": ("strong stronger stärker stark fort forte fuerte", "weak weaker schwächer schwach faible débil debole"),
    "thickness": ("thick thicker dick dicker", "thin thinner dünn dünner"),
    "edge": ("sharp sharper scharf", "blunt stumpf"),
    "moisture": ("wet wetter damp nass feucht mouillé mojado bagnato", "dry drier trocken sec sèche seco seca secco"),
    "danger": ("dangerous gefährlich", "safe sicher ungefährlich"),
}
#: Words that no degree goes with, and verbs.
_OTHERS: Final = {
    "fill": ("full voll volle plein pleine lleno llena pieno piena cheio vol", "empty leer leere vide vacío vacía vuoto vuota vazio leeg"),
    "side": (
        "left links linke linker linken linkes gauche izquierda izquierdo sinistra sinistro esquerda",
        "right rechts rechte rechter rechten rechtes droite derecha derecho destra destro direita",
    ),
    "height": (
        "above upper uppermost top oben obere oberen oberhalb dessus arriba sopra acima boven",
        "below lower beneath underneath bottom unten untere unteren unterhalb dessous debajo abajo sotto abaixo onder",
    ),
    "place": (
        "inside indoors inner internal innen drinnen innerhalb intérieur dentro interno binnen",
        "outside outdoors outer external außen draußen außerhalb extérieur fuera esterno fora buiten",
    ),
    "end": ("front vorn vorne vordere avant delante", "rear hinten hintere arrière detrás"),
    "latitude": ("north northern nord nördlich nördliche", "south southern süd südlich südliche"),
    "longitude": ("east eastern ost östlich östliche", "west western westlich westliche"),
    "waking": ("awake wach éveillé despierto sveglio", "asleep sleeping schläft schlafend endormi dormido addormentato"),
    "dirt": ("clean sauber saubere propre limpio limpia pulito schoon", "dirty schmutzig schmutzige sale sucio sucia sporco vuil"),
    "access": ("open opens opening offen geöffnet ouvert ouverte abierto abierta aperto aperta", "closed closes closing shut locked geschlossen fermé fermée cerrado cerrada chiuso"),
    "life": ("alive living lebendig vivant vivo", "dead tot mort muerto morto"),
    "secrecy": ("public öffentlich öffentliche publique público pubblico", "private privat private privé privado privato"),
    "sight": ("visible sichtbar", "hidden verborgen"),
    "colour": ("green grün", "red rot"),
    "order": ("ascending aufsteigend", "descending absteigend"),
    "duration": ("temporary vorübergehend", "permanent dauerhaft"),
    "net": ("online", "offline"),
    "level": ("raise raised raises increased increase lengthened extended extend widened", "lower lowered lowers reduced reduce cut shortened shorten narrowed"),
    "choice": (
        "chosen chose choose picked selected adopted accepted preferred gewählt ausgewählt choisi elegido scelto",
        "rejected dropped discarded declined refused abandoned scrapped dismissed withdrawn verworfen abgelehnt rejeté rechazado scartato",
    ),
    "hold": ("kept keeps keep retained behalten", "dropped discarded removed deleted returned abandoned verworfen"),
    "term": ("renewed renew extended verlängert", "cancelled canceled cancel ended gekündigt"),
    "post": ("hired hire eingestellt", "fired dismissed entlassen"),
    "grip": ("tightened tighten", "loosened loosen"),
    "power": ("strengthened", "weakened"),
}  # fmt: skip
ENDS: Final = (1, -1)


def _ends_of(table: dict[str, tuple[str, str]]) -> dict[str, tuple[tuple[str, int], ...]]:
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for scale, rows in table.items():
        for sign, row in zip(ENDS, rows, strict=True):
            for word in words(row):
                found[word] = (*found.get(word, ()), (scale, sign))
    return found


#: For each word that may be compared, its scale and which end of that it is.
GRADED: Final = {word: of[0] for word, of in _ends_of(GRADES).items()}
#: For each word that has an opposite, the scales that it is on, and which end of each.
ANTONYMS: Final = _ends_of(GRADES | _OTHERS)
