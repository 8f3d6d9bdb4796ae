"""What people of the speaker's do or never do, and what they, or things of the speaker's, are to do."""

#: Habits of somebody else.
HABITS = tuple(
    """\
My sister never eats fish.
They always close at six.
My neighbour always parks in front of the gate.
My uncle only drinks tea.
Her husband never answers the phone.
My parents always go to bed at nine.
Our neighbours never greet anybody.
His mother always cooks too much.
My boss never reads long mails.
My landlord always raises the rent in May.
Meine Schwester isst nie Fisch.
Mein Nachbar parkt immer vor dem Tor.
Ma sœur ne mange jamais de poisson.
Mi hermana nunca come pescado.
Mia sorella non mangia mai pesce.
Minha irmã nunca come peixe.
Mijn zus eet nooit vis.
My old teacher always wore a hat.
She never drinks coffee after lunch.
My best friend never pays by card.
""".splitlines()
)
#: Rules of the same beginning.
RULES_OF_SOMEBODY = tuple(
    """\
My sister must never be called before noon.
My son never gets nuts.
My name never appears in print.
My dog may never be left alone.
Never feed my sister's cat.
My father is not allowed to drive.
My notes always stay in the drawer.
Our invoices always carry a number.
My mother should never be left alone.
Please never wake my husband before ten.
Always greet our neighbours.
Mein Vater darf nie allein gelassen werden.
Meine Notizen bleiben immer im Schrank.
Ma mère ne doit jamais rester seule.
Mi padre nunca debe conducir.
My assistant must always be copied.
Our guests always get a towel.
Your answers never exceed ten lines.
Their flat is never to be entered.
My patients always need a signed form.
""".splitlines()
)
