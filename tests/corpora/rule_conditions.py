"""Sentences that begin with when something holds, or carry it.

Rules with their condition, and what only tells something.
"""

#: Rules, read while the forms were written.
RULES_READ = tuple(
    """\
Until the new boiler is in, keep the radiators at 2.
until the vet has been here keep the sheep out of the lower meadow
till the paint is dry nobody touches the door
until they have paid no keys for the tenants
While the crane is moving, stay behind the yellow line.
In case of fire, use the stairs.
As long as the dam leaks, log the level every hour.
Once the dough has risen, knock it back.
Whenever a guest arrives, offer tea.
During rehearsals, phones are off.
Before any blasting, sound the horn.
After each shift, wipe down the benches.
Except on Sundays, open the chapel at eight.
Until further notice, visitors wear masks.
Until Friday, send drafts to Ruth instead of me.
Keep the radiators at 2 until the new boiler is in.
Stay behind the yellow line while the crane is moving.
Use the stairs in case of fire.
Log the level every hour as long as the dam leaks.
Offer tea whenever a guest arrives.
Switch phones off during rehearsals.
Open the chapel at eight except on Sundays.
Turn on the fans once it gets above 30 degrees.
In the event of a leak, close valve 4.
Should the alarm ring, leave the building.
Provided the client agrees, use the cheaper stone.
On rainy days, dry the laundry in the attic.
Bis der neue Kessel da ist, heize nur zwei Zimmer.
Solange der Damm undicht ist, miss den Pegel stündlich.
Während der Proben bleiben die Handys aus.
Im Brandfall die Treppe benutzen.
Bei Regen die Dachfenster schließen.
Sobald der Teig aufgegangen ist, knete ihn noch einmal.
Außer sonntags öffne die Kapelle um acht.
Vor jeder Sprengung das Horn blasen.
Nach jeder Schicht die Bänke abwischen.
Tant que la digue fuit, note le niveau toutes les heures.
En cas d'incendie, prenez l'escalier.
Pendant les répétitions, coupez les téléphones.
Jusqu'à nouvel ordre, portez un masque.
Dès que la pâte a levé, pétris-la encore une fois.
Avant chaque tir, sonne la corne.
Sauf le dimanche, ouvre la chapelle à huit heures.
Mientras la grúa se mueva, quédate detrás de la línea.
En caso de incendio, usa las escaleras.
Hasta nuevo aviso, lleva mascarilla.
Durante los ensayos, apaga el móvil.
Antes de cada voladura, toca la bocina.
Después de cada turno, limpia los bancos.
Excepto los domingos, abre la capilla a las ocho.
En cuanto suba la masa, amásala otra vez.
""".splitlines()
)
#: Rules, set aside.
RULES_UNREAD = tuple(
    """\
while the bees swarm leave the lower hives alone
until the boat has been weighed use the old trailer
solange der Lack nass ist niemand in die Halle
until the bread has cooled stay out of the bakery
Until the bridge is repaired, send trucks through Lindau.
While I'm on leave, forward invoices to Petra.
In case of frost, cover the lemon trees.
As long as the patient has a fever, measure every two hours.
Once the paint is dry, sand it lightly.
Whenever the price changes, tell the shop.
During exams, keep the corridor quiet.
Before every flight, check the oil.
After every session, rinse the instruments.
Except in August, post the newsletter on the first.
Until we have a signature, treat the deal as secret.
Until Monday, leave the stage lights on.
Send trucks through Lindau until the bridge is repaired.
Forward invoices to Petra while I'm on leave.
Cover the lemon trees in case of frost.
Measure every two hours as long as the patient has a fever.
Tell the shop whenever the price changes.
Keep the corridor quiet during exams.
Post the newsletter on the first except in August.
Lower the sails once the wind passes 25 knots.
In the event of a power cut, start the generator.
Should a parent call, put them through to me.
Provided the glue holds, leave out the screws.
On market days, open at six.
Bis die Brücke repariert ist, schick die Laster über Lindau.
Solange ich im Urlaub bin, leite Rechnungen an Petra weiter.
Während der Prüfungen bleibt der Flur leer.
Im Notfall die Leitstelle anrufen.
Bei Frost die Zitronenbäume abdecken.
Sobald die Farbe trocken ist, schleife sie an.
Außer im August verschicke den Rundbrief am Ersten.
Vor jedem Flug das Öl prüfen.
Nach jeder Sitzung die Instrumente spülen.
Tant que je suis en congé, transmets les factures à Petra.
En cas de gel, couvre les citronniers.
Pendant les examens, gardez le couloir libre.
Jusqu'à lundi, laisse les projecteurs allumés.
Dès que la peinture est sèche, ponce-la.
Avant chaque vol, vérifie l'huile.
Sauf en août, envoie la lettre le premier.
Mientras esté de vacaciones, reenvía las facturas a Petra.
En caso de helada, cubre los limoneros.
Hasta el lunes, deja los focos encendidos.
Durante los exámenes, mantén libre el pasillo.
Antes de cada vuelo, revisa el aceite.
Después de cada sesión, enjuaga los instrumentos.
Excepto en agosto, envía el boletín el día uno.
En cuanto se seque la pintura, líjala.
""".splitlines()
)
#: They only tell something; read.
TOLD_READ = tuple(
    """\
until last week we had no heating
until noon there was nothing to do
while I was away they had to leave the house
until then he used to keep bees
While I was walking the dog I fell.
Until last year we used carbon paper.
Once I saw a heron eat a rat.
During the war my grandfather kept bees.
Before we moved here, I worked in Trieste.
After the storm, three beams were broken.
As long as I can remember, the mill has been empty.
In case you wonder, the roof is from 1910.
Whenever I hear that song, I think of Lisbon.
Until yesterday, I thought it was a heron.
While the tea brews, I read the paper.
Once the guests had left, we cleaned up.
During the night it snowed.
After lunch I usually sleep.
Before I forget, the plumber called.
Except for the cellar, everything is dry.
While we're at it, how old is the boiler?
Once upon a time there was a miller.
Bis gestern war alles in Ordnung.
Während ich den Hund ausführte, fiel ich hin.
Solange ich denken kann, steht die Mühle leer.
Bei Regen war die Straße immer glatt.
Nach dem Sturm fehlten drei Balken.
Pendant la guerre, mon grand-père avait des abeilles.
Tant que j'étais petit, nous vivions à Nantes.
Avant de partir, il a fermé la porte.
Mientras paseaba al perro, me caí.
Hasta el año pasado usábamos papel carbón.
Durante la noche nevó.
Después de la tormenta faltaban tres vigas.
""".splitlines()
)
#: The same, set aside.
TOLD_UNREAD = tuple(
    """\
While she was painting the fence, it began to rain.
Until 2019 the ferry ran twice a day.
Once we got lost in the fog.
During my studies I lived in a convent.
Before the renovation, the hall had two stoves.
After the match, everybody went home.
As long as I lived there, nobody complained.
In case you missed it, the mayor resigned.
Whenever he visits, the cat hides.
Until the accident, she sang in the choir.
While the bread bakes, the whole street smells of it.
Once the ice had melted, the boats came back.
During the break somebody took my chair.
After the holidays I feel tired.
Before long the river was frozen.
Except for two chairs, the furniture is sold.
While I have you here, is the invoice paid?
Once in a while the fuse blows.
Bis letzte Woche hatten wir zwei Köche.
Während sie malte, begann es zu regnen.
Solange ich dort wohnte, beschwerte sich niemand.
Bei Nebel verirrten wir uns einmal.
Nach dem Spiel gingen alle nach Hause.
Pendant mes études, j'habitais dans un couvent.
Tant qu'il vivait, personne ne se plaignait.
Avant les travaux, la salle avait deux poêles.
Mientras pintaba la valla, empezó a llover.
Hasta el accidente cantaba en el coro.
Durante la pausa alguien se llevó mi silla.
Después del partido todos se fueron a casa.
""".splitlines()
)
