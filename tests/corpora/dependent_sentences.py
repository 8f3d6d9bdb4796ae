"""Lines of several sentences: a bar stands where one may be held without the other.

What leans on the sentence before it stays with it.
"""

#: Read while the rules were written.
READ = tuple(
    """\
Use metric units. | Never email the client. | Reports by Friday, at most 3 pages.
Always bake the rye first. | No nuts in the morning batch. | Deliveries leave at 5:30.
Never open the sluice above 4 metres. It floods the meadow.
Keep the kiln below 1,200 degrees. | Glaze only with lead-free glazes.
Pay invoices within 14 days. Otherwise we lose the discount.
Lock the shed every night. Unless Bruno is still inside.
Sign letters with my full name. But only those to the bank.
Ask the foreman first. Then pour the concrete.
The budget is 900 euros. Never go over it.
The budget is 1,000 then. | Book it.
The limit for ropes is 40 euros. | Order them.
Keep invoices under 500. | Send it now.
Check the oil every morning. Refill it.
The style guide is in the drawer. Follow it.
Die Frist ist Freitag. | Schick es heute.
Water the ferns daily. They dry out quickly. | Never water the cacti.
No calls after 8 pm. | Letters go to Ines only.
Write in British English. | Don't use the passive voice. | Keep sentences short.
Feed the goats at six. Not on Sundays.
The gauge reads in feet. Convert that to metres.
Label every sample with date and site. | Store samples at minus 20 degrees. | Discard anything older than a year.
Never lend out the big ladder. No exceptions.
Only Marta may sign contracts. | Budget requests go through me.
Ship on Mondays. Except on public holidays. | Never ship glass by rail.
Prefer trains to planes. | Book aisle seats. | Hotel rooms cost at most 120 euros a night.
The choir rehearses in hall B. | Nobody parks in front of the hall.
Ask Dr. Meier before you change a dose. | Never give two doses on one day.
Deliver by 12. March at the latest. | Invoice in Swiss francs.
Write "Closed. Come back later." on the door. | Never lock the back door.
Send the minutes to all members (i.e. the whole board). Never send them to the press.
Antworte immer auf Deutsch. | Schreibe nie mehr als drei Sätze.
Keine Anrufe vor neun. | Rechnungen gehen nur an Frau Huber.
Schließe das Tor jeden Abend. Sonst laufen die Schafe weg.
Gieße die Tomaten täglich. Aber nicht mittags.
Frag zuerst den Meister. Dann bohre das Loch.
Réponds toujours en français. | Ne dépasse jamais dix lignes.
Ferme la vanne chaque soir. Sinon la cave est inondée.
N'appelle jamais le client. | Les rapports font trois pages au maximum.
Responde siempre en español. | Nunca llames al proveedor.
Cierra la puerta cada noche. Si no, entran los perros.
No uses cloro en la piscina. | Los informes van siempre a Lucía.
Rinse the lenses with distilled water. Dry them with a lint-free cloth. | Never touch the coating.
Always tag releases. | Can you look at the failing build? | Never push to main on Fridays.
Rehearsals start at 7 pm sharp. That room has no heating, by the way.
If it rains, close the skylights. | Never leave the ladder out.
When a customer complains, apologise first. | Refunds above 50 euros need my okay.
""".splitlines()
)
#: Set aside.
UNREAD = tuple(
    """\
Always quote prices with VAT. | Never promise a delivery date. | Discounts stay below 10 percent.
Keep the greenhouse at 18 degrees. Vent it at noon. | No chemicals near the bees.
Never bring the horses through the gate at noon. The train frightens them.
Translate everything into Polish. | Leave the product names as they are.
Back up the ledgers every Friday. Otherwise the auditors complain.
Don't repaint the hull. Unless the owner asks for it in writing.
Cut the speeches to five minutes. But leave the mayor's alone.
Count the cash first. Then lock the safe.
The ceiling is 2.80 m high. Nothing may exceed it.
Oil the hinges monthly. They squeak. | Never oil the brakes.
No alcohol before the show. | Costumes stay in the building.
Use the Oxford comma. | Never start a sentence with "And". | Footnotes go at the end.
Walk the dog at seven. Only around the block.
The scale shows pounds. Note this in kilos.
Wear gloves in the lab. | Record every weighing twice. | Keep acids in the lower cabinet.
Never reuse needles. Not even once.
Only the captain talks to the press. | Phones stay off during matches.
Open the museum at ten. Except on Mondays. | Never admit groups without a guide.
Book direct flights only. | I need a window seat. | Taxis cost at most 30 euros.
The archive closes at four. | Nobody takes originals home.
Tell Mr. Okafor before you shut the valve. | Never run the pump dry.
Finish by 24. Dezember at the latest. | Charge the old rate.
Print "No entry. Danger of death." on the sign. | Always mount signs at eye level.
Copy the judges (e.g. Ruiz and Falk). | Never copy the contestants.
Duze alle Kunden. | Verwende keine Anglizismen.
Kein Zucker in den Tee. | Pakete gehen nur an die Werkstatt.
Spüle die Leitung wöchentlich. Andernfalls verkalkt sie.
Mähe den Rasen samstags. Außer bei Regen.
Lies erst den Plan. Danach säge die Balken.
Vouvoie toujours les clients. | N'utilise jamais d'abréviations.
Range les outils chaque soir. Sauf le vendredi.
Ne touche jamais aux fusibles. | Les devis sont valables trente jours.
Escribe siempre en minúsculas. | Nunca borres los mensajes.
Riega el huerto cada mañana. Pero no los domingos.
No abras las cajas selladas. | Las facturas van siempre a Pilar.
Sand the boards with the grain. Wipe them down before varnishing. | Never varnish in the sun.
Never share the guest list. | Could you draft the menu? | Seat the ambassador next to my aunt.
Lessons last 45 minutes. | This semester is rather short, sadly.
When it snows, salt the steps. | Never park on the ramp.
If a tenant calls, note the time. | Repairs above 200 euros need two offers.
""".splitlines()
)
