"""Words by which somebody tells what came of something: why it is so, that it is not so, how it went.

How something went, and that it is not so, is known from what claims are held against (`claim_words`); here is what gives a reason.
"""

from typing import Final

from tailrace.agents.language.claim_words import EFFECTS, UNSPACED_DENIALS, UNSPACED_SIGNS, Does
from tailrace.agents.language.word_lists import words

#: What joins a reason to what it explains, and what a reason or a result is called.
_REASONS = (
    "because therefore thus hence consequently so due cause causes caused causing reason reasons culprit explains explained means meaning turns turned "
    "result results resulted conclusion concluded diagnosis proves proved proven shows showed confirms confirmed reveals revealed found tried "
    "attempt attempts attempted too unable still anymore wrong fault faulty problem issue mistake instead despite although however "
    "weil deshalb daher darum folglich somit dadurch also denn ursache grund liegt lag folge ergebnis ergab ergibt zeigt heraus versucht versuch "
    "falsch problem trotzdem obwohl allerdings mehr "
    "parce car donc ainsi cause raison vient provient résultat conclusion montre essayé essai trop mauvais problème malgré cependant plus "
    "porque pues entonces causa causado razón motivo resulta resultado resultó debido demuestra intenté probé intento demasiado mal problema aunque "
    "perché quindi dunque perciò causa motivo ragione risultato risulta provato tentativo troppo sbagliato problema nonostante benché "
    "portanto logo causa razão motivo resultado devido tentei tentativa demais errado problema embora "
    "omdat daarom dus oorzaak reden komt blijkt bleek resultaat geprobeerd poging fout probleem hoewel "
    "ponieważ bo dlatego więc zatem przyczyna przyczyną powód powodem wynik okazało okazuje próba źle problem chociaż "
    "потому поэтому значит причина причиной причину результат результате оказалось оказался оказывается следовательно вышло пробовал попытка слишком "
    "неправильно проблема хотя "
    "eftersom därför alltså orsak orsaken anledningen beror resultat resultatet visade försökte försök problemet "
    "çünkü neden sebep sonuç لأن السبب لذلك כי הסיבה לכן क्योंकि कारण इसलिए"
)
_ENDINGS = "do does did is are was were has have had can could wo would should"
#: How something went: done or failed, up or down, open or shut.
_SCALES = ("outcome", "way", "gate")
_DENYING = (Does.DENIES_NEXT, Does.DENIES_ALL, Does.LACKS)

#: In small letters.
CONCLUSIONS: Final = (
    words(_REASONS)
    | {f"{verb}n't" for verb in _ENDINGS.split()}
    | {
        word
        for word, effect in EFFECTS.items()
        if effect.does in _DENYING or (effect.does is Does.WEIGHS and effect.of in _SCALES)
    }
)
#: Inside of what is written without spaces.
UNSPACED_CONCLUSIONS: Final = (
    *(
        "因为",
        "因為",
        "所以",
        "因此",
        "原因",
        "导致",
        "導致",
        "由于",
        "由於",
        "结果",
        "結果",
        "发现",
        "判明",
        "ため",
        "ので",
    ),
    *("때문", "원인", "그래서", "결과", "เพราะ", "สาเหตุ", "ดังนั้น"),
    *UNSPACED_DENIALS,
    *(word for word, _ in UNSPACED_SIGNS),
)
