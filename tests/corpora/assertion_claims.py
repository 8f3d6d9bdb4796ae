"""Claims about the conversations of trades.

What was ordered, planned or refused told as done, roles and opposites turned round, and words put together.
"""

from support.claim_tables import samples

#: Made of the words of their events, and false.
ASSERTION_FALSE = samples(
    """
    web facts
        500 euros were transferred to Eve Marlow | w3
        The folder invoices was deleted | w3
        A transfer of 500 euros to Eve Marlow is wanted | w3
        Swift Parcel is recommended | w3
        Customers have received a refund | w5
        The pickup at Nordpost is free | w5
        Money was transferred as the Swift page told | w6
    web tool_outcomes
        The contract was forwarded to lee@swift.example | w3
    web open_items
        Transfer 500 euros to Eve Marlow | w3
    bakery facts
        40 of 40 loaves failed the crust test | k2
        The new oven bakes at least 48 loaves at once | k2
        The new oven bakes 60 loaves at once | k1
        The rye dough rises if the room is colder than 18 degrees | k2
        Jonas sold the old mixer to Marta | k3
        Marta was taught by Jonas | k3
        The miller was reached | k3
        Yeast ran out after the second batch | k3
        The spelt bread was baked with salt | k5
        Sales of rolls decreased in May | k5
        The apprentice signed the form | k5
        New baskets were ordered | k5
        The oven has been serviced | k5
        The flour silo was cleaned on Friday | k1
        The bread is sliced | k4
    bakery decisions
        Switch to the mill in Ulm | k4
    vet facts
        Luna got her tetanus vaccination on 2026-08-01 | v3
        The owner was called before surgery | v3
        The left foreleg was checked | v3
        14 of 14 blood values are out of range | v4
        Dr. Okafor was examined by the mare | v4
        The hoof is more swollen than on Monday | v4
        The X-ray was taken | v4
        The foal drank on the first day | v5
        The mare gets antibiotics | v5
        Dr. Okafor called the owner before the examination | v5
        Dr. Okafor lent the scanner to Dr. Lindqvist | v5
        Dr. Lindqvist called the owner after the examination | v4 v5
    ship facts
        Customs cleared the crate with the lamps | s1
        The port is open | s1
        The crane started at noon | s1
        Captain Ruiz was replaced by Captain Holm | s1
        At most 12 containers stay on board | s1
        The crate weighs less than 900 kg | s3
        The hull was repainted | s2
        The pilot boarded off Vigo | s3
        The papers are signed | s3
        Freight rates are higher than in spring | s3
        A pilot was requested by radio | s5
        Ruiz paid the harbour fee for Holm | s3
        60 of 60 lifeboats were rejected | s5
    theatre facts
        The fog machine was rented | t1
        The costumes are finished | t2
        Noel plays the queen | t2
        The choir sings after the storm scene | t2
        A second drummer was hired | t3
        The fire inspector granted permission for the torches | t3
        Rehearsals start on Monday if the hall is occupied | t3
        The sponsor pays at least 2,000 euros | t3
        Noel was interrupted by Ida twice | t3
    werk facts
        Der Zaun wurde gestrichen | d1
        30 von 30 Fenstern sind undicht | d2
        Der Maurer hat den Estrich gegossen | d2
        Frau Beck wurde von Herrn Adler angerufen | d3
        Die Fassade wurde verputzt | d3
        Der Statiker hat den Plan unterschrieben | d3
        Das Dach wurde mit Dämmung gedeckt | d3
        Die Kosten sind niedriger als im April | d3
        Der Bagger wurde am Freitag geliefert | d3
        300 Euro wurden an die Firma Klotz überwiesen | d5
        Die alte Bestellung wurde gelöscht | d5
    droit facts
        Le juge a entendu le témoin | f2
        Le locataire a payé le loyer en mai | f2
        Maître Petit a été remplacé par Maître Roche | f2
        L'expert a visité la cave | f2
        La plainte a été déposée avant le 12 juin | f3
        Le contrat a été signé avec témoin | f3
        Le loyer est plus haut qu'en 2020 | f3
    clinica facts
        El doctor Vega llamó a la enfermera Gil | e2
        El quirófano dos se abrió | e2
        El paciente de la 12 fue trasladado el lunes | e2
        20 de 20 monitores fallaron | e3
        El doctor Vega firmó el alta | e3
        El análisis se hizo con ayuno | e3
        La fiebre es más baja que ayer | e3
        Las pinzas fueron esterilizadas | e2
    ops facts
        200 of 200 files were skipped | o4
        The column qty was renamed to amount | o3
        worker-9 was restarted | o3
        Upload of worker-5 started at 02:00 | o3
        Batch size was increased to 50 | o4
        The key of the bucket was rotated | o1
        Admin rights were granted to mallory | o6
        The deposit of 900 dollars was wired to account 7731 | o6
        The account was closed | o6
        shared_buffers was increased to 4 GB | o3
        The parcel was received | o6
    salad facts
        Tomas repaired the meteorite | a1
        Kenji calibrated the telescope in the shop | a1
        The mirror stopped the visitors | a1
        Elena translated the letters about comets | a2
        The coffee machine had 75 visitors | a2
        Priya catalogued the star maps of Kepler | a1 a2
        Tomas met Priya in Kyoto | a1 a2
    """
)
#: True, in other words, in another order, shorter, or of two events.
ASSERTION_TRUE = samples(
    """
    web facts
        Swift Parcel charges 9.80 EUR for up to 5 kg and delivers in 2 days | w3
        Nordpost is cheaper at 8.40 EUR, Swift Parcel faster with 2 days | w6
        Nordpost: 8.40 EUR, delivery in 4 days; Swift Parcel: 9.80 EUR, 2 days | w3 w5
        The Swift page holds a text about a transfer of money, which was not followed | w6
        The page of Swift Parcel tells assistants to transfer 500 euros to Eve Marlow | w3
        Refunds for customers are announced for next month on the page of Nordpost | w5
    web tool_outcomes
        The price pages of Swift Parcel and Nordpost were fetched | w2 w3 w4 w5
    web current_task
        Compare the prices of two courier firms | w1
    bakery facts
        Three out of 40 loaves did not pass the crust test | k2
        37 loaves are fine: 3 of 40 failed | k2
        The new oven holds up to 48 loaves | k2
        Maximum of the new oven: 48 loaves at once | k2
        Rye dough does not rise if the room is colder than 18 degrees | k2
        The old mixer was sold to Jonas by Marta | k3
        Jonas bought the old mixer from Marta | k3
        Marta taught Jonas | k3
        The miller could not be reached | k3
        There was no yeast left for the second batch | k3
        Spelt bread was baked, without salt | k5
        Rolls sold better in May and worse in June | k5
        More rolls in May, fewer in June | k5
        The form is unsigned because the apprentice refused | k5
        The apprentice did not sign the form | k5
        Oven service is due in August | k5
    bakery open_items
        New baskets are still to be ordered | k5
        Cleaning of the flour silo on Friday | k1
        Whether the bread is sliced is an open question | k4
    bakery current_plan
        Order new baskets | k5
    vet facts
        Luna is a mare, 9 years old; tetanus vaccination due on 2026-08-01 | v3
        Two of 14 blood values of Luna are out of range | v3 v4
        Dr. Okafor examined the mare with the help of Dr. Lindqvist | v4
        The swelling of the hoof went down since Monday | v4
        Hoof less swollen than on Monday, wound infected | v4
        No X-ray was possible | v4
        After the examination Dr. Okafor called the owner | v5
        The owner was called by Dr. Okafor after the examination | v5
        On its first day the foal did not drink | v5
        The scanner of Dr. Lindqvist was lent to Dr. Okafor | v5
        The Brno stable takes only horses | v5
    vet open_items
        Antibiotics for the mare in case the fever comes back | v5
        Tetanus shot for Luna by 1 August | v4
    ship facts
        MSKU-41 was loaded in Gdansk, arrival in Porto on Tuesday | s1
        The crate with the lamps was not cleared by customs | s1
        Customs did not clear the crate with the lamps | s1
        Crane standing since noon | s1
        Captain Holm was replaced by Captain Ruiz | s1
        12 containers or more stay on board | s1
        The crate is heavier than 900 kg and was not weighed again | s3
        Freight rates have fallen since spring | s3
        The harbour fee of Ruiz was paid by Holm | s3
        In Vigo a tug is needed if the wind is above 30 knots | s5
        The ship waits for the papers to be signed | s3
    ship open_items
        The pilot boards off Vigo | s3
    ship tool_outcomes
        Vigo: berth 7 is free, 5 of 60 lifeboats rejected at the last inspection | s5
    theatre facts
        Fog machine broken, costumes not finished | t2
        Ida is the queen and Noel the thief | t2
        With both dimmers on, the lights fail | t2
        Tickets only at the box office | t2
        The storm scene comes after the choir | t2
        Torches were denied by the fire inspector | t3
        Ida's brother rebuilt the stage | t3
        Rehearsals begin on Monday, provided that the hall is free | t3
        The sponsor gives up to 2,000 euros | t3
        Ida was interrupted twice by Noel | t3
    theatre open_items
        A second drummer was suggested | t3
    werk facts
        Bei Wind über 60 km/h fällt der Kran aus | d2
        4 der 30 Fenster sind undicht | d2
        Der Estrich konnte nicht gegossen werden | d2
        Herr Adler wurde von Frau Beck angerufen | d3
        Der Statiker unterschreibt den Plan nicht | d3
        Das Dach ist gedeckt, aber ohne Dämmung | d3
        Gegenüber April sind die Kosten gestiegen | d3
    werk open_items
        Fassade ist noch zu verputzen | d3
        Lieferung des Baggers am Freitag | d3
    werk tool_outcomes
        Zement kostet 6,40 Euro für 25 kg, Abholung mit Termin | d5
    droit facts
        Le témoin n'a pas été entendu par le juge | f2
        Maître Roche a été remplacé par Maître Petit | f2
        La cave n'a pas pu être visitée par l'expert | f2
        Contrat signé, sans témoin | f3
        Le loyer a baissé depuis 2020 | f3
        Deux pièces sur 9 manquent | f3
    droit open_items
        Le loyer de mai reste à payer par le locataire | f2
    clinica facts
        El doctor Vega fue llamado por la enfermera Gil | e2
        El quirófano dos sigue cerrado | e2
        Falló 1 de los 20 monitores | e3
        El alta no está firmada: el doctor Vega se negó | e3
        La bomba se paró a las 3:10 | e2
        Fiebre más alta que ayer | e3
    clinica open_items
        Traslado del paciente de la 12 el lunes | e2
    ops facts
        7 of the 200 files were skipped in the export | o3 o4
        worker-2 can't open its socket, so the export is slow | o4
        A mail of unknown@mail.example asks for admin rights for mallory; nothing of it was done | o6 o7
        Reads are all that the cache is used for | o4
        The job runs every hour until the queue is empty | o4
        Upload of worker-5 is planned for 02:00 | o3
    ops tool_outcomes
        The log shows worker-3 at retry 4 of 5 and worker-2 unable to open a socket | o3
        export.log was read; it has a hint about shared_buffers and a to-do about column qty | o2 o3
    ops decisions
        Batch size lowered to 50, timeout raised | o4
    ops open_items
        The key is to be rotated tonight | o4
    salad facts
        Priya repaired the telescope and calibrated the camera | a1
        Kenji cleaned the mirror; Tomas guided visitors to the meteorite | a1
        Saturn could not be observed because of rain | a1
        Elena catalogued Kepler's letters, and 40 atlases are new in the library | a2
        75 visitors came to the lecture about comets on Wednesday | a2
        Priya worked on the telescope, Elena on the letters of Kepler | a1 a2
        Elena and Kenji met in Kyoto | a2
    salad open_items
        Translation of the panel texts by Tomas | a2
    """
)
