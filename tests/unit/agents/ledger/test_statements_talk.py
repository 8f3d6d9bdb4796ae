"""Talk with the words of a rule in it is none; and rules that people put into other forms are."""

import pytest
from corpora.habits import HABITS, RULES_OF_SOMEBODY

from tailrace.agents.ledger.statements import statements

TALK = """\
Keep going.
Never mind.
You can stop now.
Don't worry about it.
It must have been the wind.
Ich kann nicht schlafen.
No lo sé.
Only three more to go!
You should see the other guy.
Rename the file to final_v2.
Please move the lamp next to the shelf number 4.
Please move the red chair next to the table number 11.
Keep it up!
You may continue.
She must have missed the ferry.
Somebody must have left the tap on.
Just two more pages left.
Nur noch drei Seiten.
Mach dir keine Sorgen.
Ne t'inquiète pas.
Je ne sais pas.
No puedo dormir.
Non lo so.
Não consigo dormir.
Ik weet het niet.
Nie mogę spać.
Я не могу уснуть.
You should have seen her face.
You never know.
Would you mind opening the window?
Use the second one, it looks better.
晚上不知道去哪里。""".splitlines()

LASTING = """\
Interdiction de toucher aux réglages du four.
use pnpm, npm breaks the lockfile
回答请用繁体字。
周末不安排会议。
Tutoie les bénévoles, vouvoie les donateurs.
Solo se puede regar después de las ocho.
Would you mind keeping replies under five lines?
#rule no shoes upstairs
Ni se te ocurra tocar la caja fuerte.
I would be grateful if the vestry were mentioned by its full name.
Défense de nourrir les cygnes.
Divieto di tuffarsi dal molo.
use beeswax, paraffin cracks in the cold
回复用英文。
每周五不接电话。
Vouvoyez les clients.
Solo se permite fumar en el patio.
Would you mind not whistling on stage?
#rules boots stay outside
I'd appreciate it if no drafts were left on the stand.
Never mind the gap between the rails, always step over it.
Keep going to the left of the buoys, never to the right.
You must have a badge.
You should never see patients alone.
Réponds en français.
But no pork.
And no shoes indoors.""".splitlines()


@pytest.mark.parametrize("text", TALK)
def test_talk_is_no_rule(text: str) -> None:
    assert [said for _, said in statements(text)] == []


@pytest.mark.parametrize("text", LASTING)
def test_a_rule_in_another_form_is_held(text: str) -> None:
    assert [said for _, said in statements(text)] == [text]


#: The month looks like what somebody may do.
TAKEN = {"My landlord always raises the rent in May."}


@pytest.mark.parametrize("text", HABITS)
def test_what_somebody_else_always_does_is_no_rule(text: str) -> None:
    assert [said for _, said in statements(text)] == ([text] if text in TAKEN else [])


@pytest.mark.parametrize("text", RULES_OF_SOMEBODY)
def test_what_somebody_is_to_do_is_one(text: str) -> None:
    assert [said for _, said in statements(text)] == [text]
