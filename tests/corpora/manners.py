"""Orders that say how all of a kind are done, which are to last.

Beside them stand those that have the same beginning and are done once. Every second sentence of the first two lists,
and both later lists, were left unread while the rules were made.
"""

#: A kind, and a unit, a format, a means or a place for it.
LASTING_MANNERS = tuple(
    """\
Report temperatures in celsius.
Write invoices in Swiss francs.
Label the samples with date and initials.
Sign letters with 'Warm regards'.
Quote prices in euros.
Round amounts to five cents.
Save drawings as PDF.
File receipts by month.
Store vaccines at 4 degrees.
Brew green tea at 80 degrees.
Serve oysters with lemon.
Wrap sandwiches in paper.
Cut onions finely.
Number pages consecutively.
Write dates as day-month-year.
Record blood pressure in mmHg.
Chart doses in milligrams.
Address complaints to Ms. Holm.
Keep knives in the rack.
Hang wet coats on the hooks.
Mark defects in red.
Bill hours in quarter steps.
Price bouquets in whole euros.
Cite cases by year and court.
Refer to tenants by flat number.
End mails with a question.
Begin letters with 'Dear colleague'.
Name the folders by client.
Write the recipes in grams.
Give distances in kilometres.
Archive contracts under the client's name.
Draw plans at 1:50.
Pack glasses in straw.
Answer parents in plain words.
Title chapters in small capitals.
Translate menus into three languages.
Send reports as attachments.
Stack crates three high.
Fold napkins into triangles.
Tag photos with place and year.
Log incidents in English.
Spell names in capital letters.
State weights in pounds.
Measure timber in millimetres.
Grade essays in pencil.
Note allergies in red ink.
Clean brushes with turpentine.
Season broth with white pepper.
Pay suppliers by bank transfer.
Order flour in 25 kg sacks.
Announce departures in two languages.
Plant tulips in clay pots.
Treat burns with cold water.
Thank donors by hand-written card.
Express shares as percentages.
Ship parcels by rail.
Dry herbs in the dark.
Seal jars with wax.
List sources in alphabetical order.
Enter times in 24-hour format.
Close tickets with a short note.
Introduce speakers by first name.
Wash wool in cold water.
Write captions in the present tense.
Gib Temperaturen in Celsius an.
Schreib Rechnungen in Franken.
Unterschreibe Briefe mit 'Herzliche Grüße'.
Beschrifte die Proben mit Datum und Kürzel.
Notiere Gewichte in Gramm.
Lagere Mehl in dichten Behältern.
Sortiere Belege nach Monat.
Écris les factures en francs suisses.
Signe les lettres avec « Cordialement ».
Note les températures en degrés.
Escribe las facturas en euros.
Firma las cartas con 'Un saludo'.
Guarda los cuchillos en fundas.
Scrivi le fatture in franchi.
Etichetta i campioni con data e sigla.
Schrijf facturen in euro's.
""".splitlines()
)
#: What stands there, is got or looked for, or is for somebody.
DONE_ONCE = tuple(
    """\
Send the invoices to Meier.
Water the plants.
Fill the glasses with water.
Book flights to Oslo.
Find hotels in Rome.
Buy apples at the market.
Bring chairs from the hall.
Order pizzas for ten people.
Fix errors in main.py.
Add tests for the parser.
Write tests in test_lock.py.
Make sandwiches for lunch.
Show files in this folder.
Load boxes into the van.
Replace the tabs with spaces.
Update the tests with the new fixture.
Create buttons with rounded corners.
Check emails from Anna.
Compare prices on both sites.
Get tickets for Friday.
Call Anna at 5.
Meet Ines at the station.
Run pytest with coverage.
Commit changes with a short message.
Push everything to main.
Try again with the other key.
Open the blinds in the office.
Set tables for the wedding.
Peel potatoes for tonight.
Take photos of the leak.
Send flowers to my aunt.
Collect signatures from both parties.
Put candles on the cake.
Paint the doors in the hallway.
Clean the windows with vinegar.
Move files to the archive folder.
Search flights with one stop.
Draw sketches for the kitchen.
Prepare slides for tomorrow.
Sort these receipts by date.
Print labels for the boxes.
Deploy staging with the new image.
Pick names for the kittens.
Read chapters three to five.
Explain recursion with an example.
Hand the keys to the tenant.
Translate this letter into French.
Convert the table to CSV.
Pull data from the new API.
Write a letter in German to the landlord.
Draft questions for the interview.
Generate ideas for a logo.
Look at photos from last year.
Give examples with numbers.
List files in src.
Describe colours in the painting.
Reserve seats for the concert.
Install drivers for the printer.
Scan documents from the blue folder.
Cook rice for six.
Join us at the pier.
Carry bricks to the back wall.
Fetch milk from the cellar.
Arrange chairs in a circle.
Feed pigeons with me.
Wash dishes with Tom.
Ask neighbours about the noise.
Invite parents to the play on Friday.
Gib mir Tipps für Rom.
Schick Rechnungen an Meier.
Hol Brot vom Bäcker.
Ruf Anna um fünf an.
Such Hotels in Rom.
Füll die Gläser mit Wasser.
Envoie les factures à Meier.
Achète des pommes au marché.
Remplis les verres avec de l'eau.
Busca hoteles en Roma.
Riempi i bicchieri con acqua.
Koop appels op de markt.
""".splitlines()
)
#: The same, written later.
LASTING_MANNERS_LATER = tuple(
    """\
Steam dumplings in bamboo baskets.
Bind theses in blue cloth.
Send minutes as PDF.
Greet callers by name.
Record tides in metres.
Sharpen chisels at 25 degrees.
Mail certificates in stiff envelopes.
Write headings in bold.
Date entries with day and month.
Quote statutes by section number.
Bottle cider in brown glass.
Sand boards with fine paper.
Store paint in sealed tins.
Draft letters in formal English.
Bake rolls at 220 degrees.
Report fevers in degrees celsius.
Sew buttons with double thread.
Mount prints on acid-free board.
Park bikes behind the shed.
Number the exhibits with roman numerals.
Note deliveries with time and driver.
Roast beans in small batches.
Tie boats with two lines.
Nenne Preise in Euro.
Notiere Zeiten in Minuten.
Zitiere Urteile nach Jahr und Gericht.
Indique les prix en euros.
Anota las dosis en miligramos.
Segna le spese in euro.
Noteer gewichten in gram.
""".splitlines()
)
#: The same, written later.
DONE_ONCE_LATER = tuple(
    """\
Print tickets for the visitors.
Bring blankets to room four.
Mail the certificates to the winners.
Bake cookies with the kids.
Book rooms near the station.
Sand the boards in the hall.
Send photos to Lena.
Ring patients on the list.
Park the bikes behind the shed.
Pack lunches for the trip.
Count the crates in the cellar.
Find typos in chapter two.
Rewrite sections with weak arguments.
Show prices in the menu.
Plot results with matplotlib.
Refactor functions in utils.
Measure curtains in the bedroom.
Mix colours until it looks right.
Sell tickets at the door tonight.
Open windows on the second floor.
Fix bugs in src/auth.
Translate pages 3 to 9.
Record a message with greetings.
Draw circles around the errors.
Hol Stühle aus dem Keller.
Such Fehler in Kapitel zwei.
Apporte des chaises dans la salle.
Compra huevos en el mercado.
Porta sedie in sala.
Zoek hotels in Rome.
""".splitlines()
)
