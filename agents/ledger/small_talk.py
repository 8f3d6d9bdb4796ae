"""Short sentences of talk with the words of a rule in them: "never mind", "keep going", "it must have been the wind".

Whole sentences only: "never mind the old rule" takes something back, and "keep going until noon" is an order.
"""

import re
from collections.abc import Sequence

from tailrace.agents.language.word_lists import words

#: A longer sentence says more than that.
IDLE_WORDS_MAX = 8


_COUNTS = r"(?:a few|a couple|\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)"
_IDLE = re.compile(
    "|".join(
        (
            # To go on, to stop, not to worry.
            r"(?:ok |okay |please |just |yes )?keep (?:going|trying|it up|at it|up the good work)",
            r"(?:oh |ok |ah |no )?never ?mind(?: me)?",
            r"(?:ok |okay )?you (?:can|may) (?:stop|rest|relax|go|start|continue|proceed|begin)(?: now| again| ahead| home| here)?",
            r"(?:please )?(?:do not|don't|dont) (?:worry|panic|bother|mention it|be silly|stress)(?: too much)?(?: about (?:it|that|this|me))?",
            (
                r"(?:mach dir )?keine sorgen?|mach dir nichts draus|(?:ne )?t'inquiète(?: pas)?|ne vous inquiétez pas|no te preocupes|"
                r"non (?:ti preoccupare|preoccuparti)|não (?:se preocupe|te preocupes)|maak je geen zorgen|nie (?:martw|przejmuj) się|"
                r"не (?:волнуйся|переживай|беспокойся|волнуйтесь|переживайте)|ingen fara|oroa dig inte"
            ),
            # Guesses.
            (
                r"(?:so |well )?(?:it|that|this|there|he|she|they|i|we|you|someone|somebody|something) must(?:n't| not)? have "
                r"(?:been|gone|left|lost|fallen|got|gotten|come|done|had|slept|thought|\w+(?:ed|en))\b.*"
            ),
            # What somebody can't do or does not know.
            (
                r"ich (?:kann|konnte) (?:\w+ )?nicht \w+|ich (?:weiß|verstehe|glaube) (?:es |das )?nicht|das geht nicht|"
                r"je ne (?:peux|sais|comprends|crois|vois) pas(?: \w+)?|(?:yo )?no (?:lo )?(?:sé|entiendo|recuerdo|creo|veo)|"
                r"no (?:puedo|logro) \w+|non (?:lo )?(?:so|capisco|ricordo|credo|vedo)|non (?:riesco a|posso) \w+|"
                r"(?:eu )?não (?:o )?(?:sei|entendo|lembro|acho|vejo)|não (?:consigo|posso) \w+|ik (?:kan|weet|begrijp|snap) (?:het |dat )?niet(?: \w+)?|"
                r"(?:ja )?nie (?:wiem|rozumiem|pamiętam)|nie mogę \w+|(?:я )?не (?:знаю|понимаю|помню)|(?:я )?не могу \w+|"
                r"jag (?:kan|vet|förstår) inte(?: \w+)?"
            ),
            # What is left, what is worth seeing, sayings.
            (
                rf"(?:only|just) {_COUNTS}(?: \w+){{0,3}} (?:to go|left|remaining|missing)|nur noch (?:\w+ ?){{1,3}}|plus que \w+(?: \w+)?|"
                r"(?:ya )?s[oó]lo (?:quedan?|faltan?) \w+(?: \w+)?|mancano solo \w+|só faltam \w+|nog maar \w+(?: \w+)?"
            ),
            r"you should (?:see|hear|meet|have (?:seen|heard|been))\b.*",
            r"you never know|better late than never|now or never|it's now or never|as always|(?:i )?(?:can't|cannot) (?:wait|complain)",
            r"not (?:again|today|at all|necessarily)|(?:it )?could be worse|there's always (?:next time|tomorrow)",
        )
    )
)
#: One of these is in every such sentence.
_SIGNS = words(
    "keep never nevermind can may don't dont do must kann konnte nicht ne no non não niet nie не inte only just nur plus solo sólo só "
    "should can't cannot not could always there's keine mach t'inquiète mancano nog ingen ya"
)


def is_idle(words: Sequence[str]) -> bool:
    """Tell whether a sentence is only talk; `words` are its own, in small letters."""
    if len(words) > IDLE_WORDS_MAX or _SIGNS.isdisjoint(words):
        return False
    return _IDLE.fullmatch(" ".join(words)) is not None
