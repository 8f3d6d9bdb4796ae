"""Rules of many trades, each with a permission for a case of it.

Talk beside them has words of both and permits nothing of the kind.
"""

#: A rule, and what lets a case of it be: both are shown. Mostly what was read while the forms were made.
CASES = (
    ("Deposits are 800 per boat, never cash.", "cash is fine for the dinghies though"),
    ("No pyro.", "we got the permit for pyro on the main stage, the small one stays without"),
    ("Each act max 3 crew on stage.", "the crew limit doesn't matter for the headliner"),
    ("Keine Noten per Mail, wegen der Rechte.", "Noten dürfen jetzt per Mail an den Verlag"),
    ("Ne citez jamais le nom du client.", "Le client accepte que son nom soit cité dans la lettre."),
    ("Nigdy nie wysyłaj towaru bez zapłaty.", "stałym klientom można wysyłać przed zapłatą"),
    ("Visits from 2 to 6, no flowers.", "plastic flowers are okay in room 9"),
    ("Never sell knives to strangers.", "Anna agreed to sell knives to the scouts"),
)
#: The same, written once the forms were there, by whoever made them: no proof for words that nobody thought of.
ASIDE = (
    ("Parcels stay at the desk, no signatures by children.", "children may give signatures for letters"),
    ("Feed hay only, no silage.", "the vet is fine with silage for the old mare"),
    ("Never light the kiln alone.", "Olga has permission to light the kiln alone on Mondays"),
    ("No glitter in the nursery.", "glitter is allowed for the Christmas cards"),
    ("Keine Hunde im Laden.", "Hunde dürfen auch in den Vorraum"),
    ("No se fuma en el taller.", "El dueño acepta que se fume en el patio del taller."),
    ("Don't trim the hedge before August.", "we have approval to trim the hedge by the gate"),
    ("Never lend out the atlas.", "the ban doesn't apply to the atlas copies"),
)
#: A rule, and what only shares a word with it. "The boat is fine" beside the deposits is still noted, as it was before
#: these forms.
OTHER = (
    ("Never sell knives to strangers.", "I can sell you a story"),
    ("No pyro.", "the main stage can wait"),
    ("No flowers on the ward.", "the ward sister is happy with her new desk"),
    ("Never light the kiln alone.", "the light in the hall is fine"),
    ("Keine Hunde im Laden.", "der Laden hat eine neue Tür"),
    ("Don't trim the hedge before August.", "August was fine"),
    ("Deposits are 800 per boat, never cash.", "the boats can wait outside for a while"),
    ("Never lend out the atlas.", "we have permission to park outside"),
)
