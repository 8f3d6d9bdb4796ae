"""Claims about the conversations of `assertion_conversations_held_out`."""

from support.claim_tables import samples

#: Made of the words of their events, and false.
ASSERTION_HELD_OUT_FALSE = samples(
    """
    insurance facts
        14,300 EUR were paid out today for claim CL-8821 | i3
        Claim CL-8821 was approved | i3
        Photos were uploaded by the tenant | i3
        50 of 50 tiles cracked | i3 i4
        The tap was closed | i3
        Mr. Dunn was removed from the list | i3
        The surveyor Hale entered the cellar | i4
        The damage is larger than the tenant said | i4
        The landlord informed the tenant | i4
        The policy pays at least 20,000 EUR | i4
        Hale trusts the invoice | i5
        The plumber came before the fire brigade | i5
        The broker lowered the premium | i5
        The broker was informed | i1
        The cellar is dried first | i5
        The landlord was sued by the neighbour Ward | i5
        The surveyor has been there | i1
    insurance tool_outcomes
        The policy file was sent to archive@claims.example | i3
    insurance open_items
        Pay out 14,300 EUR today | i3
    vine facts
        Frost destroyed 90 of 90 rows | v1
        Bruno manages the cellar | v1
        The white wine is drier than the red | v1
        Bruno closed valve 6 | v1
        The grapes reached 88 degrees | v1
        The barrels were sold | v2
        The bottles were labelled | v2
        The merchant from Graz bought more crates than last year | v3
        The pump began to run at 16:30 | v3
        Bruno recommended Claire for the course | v3
        Riesling was planted | v3
        The inspector approved the label | v3
    school facts
        Ms. Osei invited Mr. Amin to the trip | c2
        26 of 26 pupils have no permission slip | c2
        Parents pay no less than 35 euros | c2
        The gym is heated | c2
        The museum opened at 10 | c2
        The bus company answered | c2
        Homework is returned after the break | c2
        The headmaster was asked by Ms. Osei to lead the group | c3
        The test was easier than in 2024 | c3
        Lunch was prepared with nuts | c3
        The projector was returned | c3
        The ferry line was asked for a discount | c3
    rail facts
        The compressor was replaced | r3
        Cabin B was locked | r3
        The wheel set was exchanged in depot Linz | r3
        Ticket 4471 was cancelled and Karl Weiss notified | r3
        12 of 12 doors are stuck | r4
        The driver Simon relieved the driver Novak | r4
        The signal box set route 9 | r4
        The train left Linz after the storm | r4
        The heating was switched on | r4
        The toilet is usable | r3
    verein facts
        Die Kasse enthält höchstens 800 Euro | g2
        Der Torwart Ernst lobte den Trainer Wolf | g2
        22 von 22 Spielern fehlten | g2
        Der Platzwart hat den Rasen gemäht | g2
        Die Trikots wurden am Montag gewaschen | g3
        Der Bus ist größer als der alte | g3
        Die Wahl wurde nach der Ehrung abgehalten | g3
        Der Vorstand hat die Halle gemietet | g3
        Der Grill wurde verkauft | g3
        Wolf wurde von Ernst ersetzt | g3
        Die Miete wurde überwiesen | g1
    cuisine facts
        Hugo a formé Léa | q2
        18 des 18 tartes ont brûlé | q2
        Le fournisseur a livré les huîtres jeudi | q2
        Le gâteau est fait avec farine | q2
        Hugo a nettoyé la hotte | q2
        Les couteaux ont été aiguisés | q2
        La sauce est plus salée que samedi | q3
        Le traiteur a réussi à joindre la mairie | q3
        La soupe est servie après le poisson | q3
    labor facts
        Il campione 4 è stato congelato | b2
        La dottoressa Ferri è stata sostituita dal dottor Galli | b2
        24 delle 24 provette si sono rotte | b2
        Il microscopio è stato riparato lunedì | b2
        La soluzione è meno acida di ieri | b2
        Il dottor Galli ha firmato il rapporto | b2
    studio facts
        The third song was recorded by the band | m1
        The second track was muted | m1
        Pavel recorded the drums | m2
        The amplifier is plugged | m2
        11 of 11 takes are usable | m2
        The tape machine rewinds | m2
        The verse is louder than the chorus | m2
        Nadia was hired by Pavel | m2
        The bass was recorded with effects | m2
        The album was published on Friday | m4
        250 pounds were paid to Otto Brandt | m4
        The label sent the contract | m4 m5
        The cover is blue | m4
        The intro was cut | m5
        More listeners came than in March | m5
    studio decisions
        Remove Pavel from the credits | m4
    museum facts
        Otis restored the roof of the chapel | u1
        Lightning damaged the altar | u1
        The guard photographed the fountain | u1
        The mayor visited the mill from Turku | u2
        The archive opened the exhibition about maps | u2
        Irma married in Delft | u1 u2
        Sato drew the maps of the archive | u1 u2
    fire facts
        Engine 9 arrived before engine 4 | x2
        The crew opened gate C | x2
        The smoke detector was active | x2
        Water pressure rose above 3 bar | x2
        Sergeant Diaz rescued Lieutenant Cole | x2
        16 of 16 hoses burst | x2
        The roof collapsed | x3
        The ladder is longer than required | x3
        The owner removed the tanks | x3
        The hydrant was thawed | x3
        The fire was set | x3
    """
)
#: True, in other words, in another order, shorter, or of two events.
ASSERTION_HELD_OUT_TRUE = samples(
    """
    insurance facts
        Claim CL-8821 is about water damage of 14,300 EUR | i3
        Claim CL-8821: 6 of 50 tiles are cracked | i3 i4
        Six tiles out of 50 have cracks | i4
        Hale, the surveyor, was not able to enter the cellar | i4
        The tenant overstated the damage: it is smaller | i4
        Burst pipes are covered, but not in garages | i4
        The landlord was informed by the tenant | i4
        The policy covers 20,000 EUR at most | i4
        Hale does not trust the invoice | i5
        The fire brigade was there before the plumber | i5
        No lower premium: the broker declined | i5
        The landlord sued the neighbour Ward | i5
    insurance tool_outcomes
        open_document showed claim CL-8821, water damage, 14,300 EUR | i2 i3
    insurance open_items
        The broker is to be written to | i5
        Drying of the cellar depends on the landlord | i5
        Photos of the tenant are yet to be uploaded | i3
    vine facts
        15 of 90 rows were lost to frost | v1
        Bruno is in charge of the slopes, Claire of the cellar | v1
        The white wine is less dry than the red | v1
        Valve 6 was not closed by Bruno | v1
        Valve 6 stayed open | v1
        The harvest waits until the grapes reach 88 degrees | v1
        The press takes filtered juice only | v1
        Fewer crates than last year went to the merchant from Graz | v3
        The pump stopped at 16:30 | v3
        Bruno was recommended for the course by Claire | v3
        The label was not approved by the inspector | v3
        Unopened bottles last until 2031 | v3
    vine current_plan
        Plant Riesling | v3
    school facts
        Ms. Osei was invited to the trip by Mr. Amin | c2
        Nine of the 26 pupils still lack a permission slip | c2
        At most 35 euros per pupil are paid by parents | c2
        There is no heating in the gym | c2
        The museum opens at 10 | c2
        No answer from the bus company any more | c2
        The headmaster asked Ms. Osei to lead the group | c3
        In 2024 the test was easier | c3
        Lunch contains no nuts | c3
        Swimming is for class 8 only | c3
    school open_items
        A discount of the ferry line could be asked for | c3
        Projector is still to be returned | c3
    rail facts
        Train 207: brakes passed the test, 2 of 12 doors are stuck | r3
        Driver Simon was relieved by driver Novak | r4
        Route 9 could not be set by the signal box | r4
        The storm came after the train had left Linz | r4
        Speed limit 80 km/h until the track is repaired | r4
        The heating is off | r4
        Exchange of the wheel set is planned in depot Linz | r3
    rail tool_outcomes
        The portal gave the state of train 207: brake test passed, 2 of 12 doors stuck | r2 r3
    rail open_items
        Compressor of train 207 is to be replaced within 30 days | r3
    verein facts
        In der Kasse sind 800 Euro oder mehr | g2
        Der Torwart Ernst wurde vom Trainer Wolf gelobt | g2
        Es fehlten 5 der 22 Spieler | g2
        Der Rasen ist nicht gemäht, der Platzwart lehnte ab | g2
        Der alte Bus war größer | g3
        Erst die Wahl, dann die Ehrung | g3
        Die Halle konnte vom Vorstand nicht gemietet werden | g3
        Wolf hat Ernst ersetzt | g3
    verein open_items
        Trikots am Montag waschen | g3
    verein current_plan
        Verkauf des Grills | g3
    cuisine facts
        Hugo a été formé par Léa | q2
        4 tartes sur 18 ont brûlé | q2
        Gâteau sans farine | q2
        La hotte n'a pas été nettoyée par Hugo | q2
        La mairie n'a pas pu être jointe par le traiteur | q3
        Le poisson vient après la soupe | q3
    cuisine open_items
        Livraison des huîtres jeudi | q2
        Couteaux à aiguiser | q2
    labor facts
        Il dottor Galli è stato sostituito dalla dottoressa Ferri | b2
        Rotte 3 provette su 24 | b2
        La centrifuga è ferma dalle 11:20 | b2
        Il rapporto non è firmato dal dottor Galli | b2
    labor open_items
        Riparazione del microscopio prevista per lunedì | b2
    studio facts
        Drums by Nadia, vocals mixed by Pavel | m2
        The amplifier is not plugged in | m2
        Only 2 of 11 takes can be used | m2
        The tape machine does not rewind | m2
        The verse is quieter than the chorus | m2
        Nadia hired Pavel | m2
        Bass recorded, no effects | m2
        The singer is available in the morning only | m2
        Fewer listeners than in March | m5
    studio open_items
        Contract of the label may come this week | m5
        Cutting the intro was proposed | m5
        Mastering is not booked yet | m1
    studio tool_outcomes
        A mail in the studio box speaks of 250 pounds for Otto Brandt | m3 m4
    museum facts
        Irma restored the chapel's altar and weighed the rings | u1
        The annex was planned by the architect Sato | u1
        The mill, whose roof was damaged by lightning, was visited by a school from Turku | u1 u2
        12 maps were bought by the archive | u2
        Sato drew the plans and will lecture in Delft | u1 u2
        Otis took photographs of the coins | u1
        A glove was found beside the fountain | u1
    fire facts
        Engine 9 arrived after engine 4 | x2
        Gate C could not be opened | x2
        The smoke detector did not work | x2
        Pressure fell below 3 bar | x2
        Sergeant Diaz was rescued by Lieutenant Cole | x2
        One of 16 hoses burst | x2
        Nobody was hurt | x3
        The ladder is not long enough | x3
        The roof may collapse if the beam breaks | x3
    fire open_items
        The owner is to remove the tanks, as promised | x3
        The hydrant is still frozen and to be thawed | x3
    """
)
