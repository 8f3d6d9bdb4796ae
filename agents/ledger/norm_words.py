"""Word lists of the forms that say how things are to be, in the languages of `rule_words`."""

from tailrace.agents.language.word_lists import words

#: Nobody, in languages of which the verb behind it has its own ending, and in those where it needs one.
NOBODY_PLAIN = words("nobody no-one")
NOBODY = NOBODY_PLAIN | words("niemand nadie personne nessuno ninguém nikt никто ingen")
#: Before the verb.
BEFORE_VERB = words("ne nie не se si but except")
#: What everybody may know, have or be without being told.
KNOWN = words(
    "knows cares likes wants thinks sees remembers believes understands is has seems minds needs noticed uses came "
    "weiß kennt sabe entiende quiere sait veut comprend sa vuole sabe quer weet wil wie chce знает хочет понимает vet hat ist heeft is "
    "ha è tiene hay está war hatte"
)
PAST_ENDS = ("ed", "ó", "ou", "eu", "iu", "té", "л", "ла", "ли", "ło", "ł", "ła")
PERFECT = ("n'", "n\u2019")
#: Of all of a kind, what becomes of them.
GENERIC_VERBS = words(
    "is gets are get go stay remain come leave travel keep need include start end follow wait sign train pay land belong wear run cost count"
)
ONE_IS = words("is gets")
#: Done, without an ending that shows it.
DONE = words("kept met sold held sent put cut hung read set shut paid bound bought fed told taught brought stored")
#: What is so at the moment, though it sounds as if it had been done for good.
AT_HAND = words("well wrong fine attached included broken frozen hidden given gone open")
#: How, where or to whom something is done.
WAYS = words("in by to with for under at from on through as until during inside outside via without home")
#: The less, the better.
COMPARING = words("the je más cuanto cuanta cuantos meno plus moins hoe im чем")
COMPARED = words("less fewer more weniger mehr menos más meno minder меньше")
BETTER = words("better besser mieux mejor meglio melhor beter lepiej лучше")
#: Subjects of which something is said for all of them; and verbs of what is to be.
UNIVERSAL_SUBJECTS = words(
    "anything whatever any every each all both everything everyone everybody nothing nobody none neither no-one"
)
NORMATIVE = words(
    "goes go needs need gets get stays stay remains remain wears wear signs sign may shall should must leaves leave enters enter"
)
#: Verbs of what is to remain so.
REMAINING = words("stays stay remains remain bleibt bleiben reste restent queda quedan resta blijft blijven")
REMAINED = words(
    "shut closed locked open private confidential secret as off on out untouched unchanged outside inside zu offen geschlossen fermé "
    "fermée cerrado cerrada chiuso chiusa fechado dicht gesloten"
)
