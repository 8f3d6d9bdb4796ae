"""What people say in a kitchen, a law office, a ward, on a farm, in a school.

Some of it is to last, and some is for the moment. Written before the rules that are judged by it, and put in an order
by lot. Every second sentence was left unread while the rules were made; those under `LATER` were written to find out
what the rules lacked. A sentence stands alone: it is a message of its own.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

#: Rules, limits, wishes, deadlines and conditions. One a line.
LASTING = tuple(
    """\
We plate for the guest's left hand side, always has been.
Latecomers wait in the corridor until the piece is over.
Cutscenes are skippable, all of them.
Geen parfum op de afdeling.
Jede Szene bekommt eine Nummer.
The school is nut free.
From now on call the dungeon "the Hollows".
Feedback on levels goes into the tracker rather than into chat.
No vibrato in the Byrd.
Please refer to patients by their surname.
Keep the collie off the lambing field.
Os turnos não podem passar de oito horas.
Reports are sent home in sealed envelopes.
I will not accept substitutes for saffron.
No cross dissolves, please.
Empty runs must be avoided wherever possible.
We need at least four basses for the Rachmaninov.
Allergen tickets come back to me, nobody else.
Ne donne jamais de lait cru aux enfants.
We're targeting a teen rating.
Nada de cebolla para la mesa cuatro.
Gowns off before you leave the side room.
Nil by mouth from midnight for Mrs. Okonkwo.
Eggs get collected twice a day.
De ahora en adelante, las facturas van a nombre de Lidia.
Page the registrar if the sats drop under 92.
No raw egg in anything for table service.
Marks are given out of 20.
Manifests are due two hours before departure.
Whatever happens, the fryer gets drained on Sundays.
The protagonist is always called Wren in the script.
Bei Fieber über 39 bitte den Arzt rufen.
Hens get layers pellets, not corn.
Abbreviations are not to be used on the drug chart.
Milk yields are reported in litres.
All assets are named in snake_case.
Die Kühlkammer bleibt zu.
Schließ abends das Tor ab, jeden Tag.
Voice lines max out at 12 words.
Crashes go to the top of the list, no exceptions.
The opening stays as is.
Lieferungen nur über das Hoftor.
Sopranos, never above mezzo-forte in the chapel.
I expect a conflict check before any new matter is opened.
Phones stay in the lockers during lessons.
Bill in six-minute increments.
Temp music must be replaced before anyone outside sees it.
No diesel within ten metres of the well.
Non citare mai il nome del paziente.
Two nurses sign for every controlled drug.
You're never to promise a delivery date.
We ship on consoles first, PC second.
Ich esse kein Fleisch.
Le dosi vanno indicate in milligrammi.
Rehearsal starts on the dot.
Shut the gate behind you, every single time.
Please spell it "practise" when it is a verb.
No loot boxes, period.
Visiting ends at eight sharp.
Halte dich an die Reihenfolge der Stationen.
Anyone driving the quad wears a helmet.
合唱团周三不排练。
Calves stay with their mothers for at least six weeks.
When you mark essays, ignore spelling.
Ruf Hannes nie an.
Les notes sont sur vingt.
Placeholder art must be magenta.
Do not grade anything before picture lock.
Nothing gets filed without a second pair of eyes.
Zieh vor dem Stall immer die Stiefel aus.
Two tasting spoons per cook, and they get washed in between.
Frame time has to stay below 16 ms.
Pupils are addressed by their first names.
Use the Oxford comma in pleadings.
Vanaf nu gaat alles via Femke.
Ruf den Richter nicht vor neun an.
I'm deaf in my left ear, so sit on my right.
Hold off on serving the summons until I've spoken with Dr. Reyes.
Wenn du Kollegen schreibst, lass die Grußformel weg.
Client names are to be replaced by initials in every draft.
Fang nie ohne mich an.
The film mustn't be longer than 94 minutes.
Schick der Gegenseite niemals Entwürfe.
Quando escrever aos clientes, use o nome completo.
Zet de koeien niet op het lage land.
Vitals every four hours on bay C.
以后所有发票都交给李娜。
Reefer containers stay at minus 20.
Nimm nie den Lastenaufzug.
My working language is Catalan.
No flowers on the unit.
Massimo due assoli per concerto.
Wirf keine Rechnungen weg.
メールは必ず敬語で書いてください。
The lower meadow isn't to be grazed until July.
Questions should get harder towards the end.
I can't read red on black, so no red on black.
Mr. Petrov must not be given ibuprofen.
Let's keep peanuts out of this kitchen.
Rushes may not leave the building.
If the other side calls, take a message and hang up.
Rotate the paddocks every nine days.
Drivers may not exceed nine hours at the wheel.
Unless QA signs off, nothing is uploaded to the store.
字幕は二行までにしてください。
Ideally nobody speaks to me before the concert.
Auditions are closed to parents.
No lleves nunca carga sin manifiesto.
Please don't put anything fragile on truck 12.
Quando scrivi ai clienti, dai del lei.
患者の名前は出さないでください。
Plates leave the pass hot or not at all.
Il faut deux signatures pour les stupéfiants.
Никаких звонков родителям после восьми.
Our position is that the lease ended in May.
Gate 4 is for returns.
We don't serve veal.
Weights in kilos, lengths in centimetres.
I do not conduct encores.
Субтитры не длиннее двух строк.
Don't touch the netcode branch during certification.
We'd like the hedges left uncut through the nesting season.
Je ne veux pas de musique pendant les interviews.
Going forward, prefabs live in their own folder.
I voti si danno in decimi.
Detentions need my say-so.
Back everything up to both drives.
剪辑里不要用转场特效。
No homework over half-term.
Não misture os lotes.
Cite to the official reporter, not to Westlaw.
We never give an opinion on tax.
It's got to be under 30 minutes.
Lower thirds in Futura, white.
Black folders only.
Maximal vier Sätze pro Antwort.
Bitte keine Anglizismen im Programmheft.
Under no circumstances is the mediator to be copied in.
冷库的门必须随手关上。
Не включай пилу без очков.
每份菜单不超过五道菜。
Cuando escribas a los padres, trátalos de usted.
Quote DDP unless the customer asks for something else.
Pallets no higher than 1.8 metres.
The less pedal the better.
Year 9 isn't ready for fractions in exponents, leave those out.
Label and date everything that goes in the walk-in.
I teach Mondays to Wednesdays only.
Quiero los subtítulos en dos líneas como mucho.
As a matter of principle we don't deliver on Christmas Eve.
Scan first, load second.
Lass die Finger von der Datenbank.
The director hates zooms.
Audio peaks at minus 6.
I want every fillet pin-boned twice.
Дозы указывай только в миллиграммах.
Sprich die Patienten mit Nachnamen an.
We sing Latin with the Italian pronunciation.
On ne coupe pas pendant un dialogue.
À partir de maintenant, tout passe par Solène.
I'd rather lose a bale than bale it wet.
We stopped working with Karlsen Freight, so leave them out of every quote.
Pas de gras dans les titres.
Customs papers ride with the driver, never with the load.
Only book carriers with five stars.
What I can't have is people humming along.
I don't want students near the isolation room.
Anything by Orff is out.
Los camiones no pueden superar los 80 km/h.
Salted butter only.
Ab sofort gehen alle Mahnungen über Frau Krause.
Hazmat travels alone.
Bed 7 is on strict fluid restriction: 1.2 litres a day.
Die Noten werden erst am Freitag verteilt.
Anything older than three days gets binned.
D'ora in poi i verbali li firma la Bianchi.
I like my cuts tight.
The bull is never to be left alone with visitors.
Science labs need goggles on at all times.
Niente dissolvenze, per favore.
When mailing colleagues, use the short signature.
Interviews are never to run longer than 40 seconds.
Proxies only on the laptop.
病人的名字一律用缩写。
Defined terms get capital letters.
Gib den Schülern keine Lösungen.
Programme notes: 150 words a piece, tops.
Don't quote case law older than 2005 without flagging it.
La sala de ordeño se limpia cada noche.
Worksheets are printed single-sided.
Concert dress is black, no jewellery.
The retainer must not drop below 5,000.
Quand tu écris aux parents, reste neutre.
Handover notes stay under half a page.
A partir de agora, quem assina é a Teresa.
We spray after sundown or not at all.
Gebruik in mails aan ouders geen afkortingen.
Nada de flash durante o ensaio.
Altos breathe after bar 12 and nowhere else.
Doses in milligrams, never in millilitres.
Cut on action, not on dialogue.
Please never use the copper pans for tomato.
Отныне все счета идут через Ольгу.
Les plats partent chauds.
Cijfers worden pas op vrijdag gegeven.
Every build gets a changelog.
Im Stall wird nicht geraucht.
Keep privileged documents in the locked cabinet.
When the dishwasher beeps, somebody empties it straight away.
Когда пишешь родителям, обращайся на вы.
The court won't accept anything after 4 pm.
今後、請求書はすべて佐藤さん経由でお願いします。
The reply brief is due on the 18th.
Bel de huisarts nooit na zessen.
Shellfish stays on the bottom shelf.
The reading age of anything you write is eleven.
Letters to opposing counsel go out under my name only.
Garnish goes on last.
I won't have swearing in the script.
When mailing parents, leave out the pupil's marks.
Subtitles sit at the bottom, two lines at most.
牛舎では走らないこと。
Keep every shot of the dog.
Relatives are only told by a doctor.
Infusions above 100 ml/h need a pump.
""".splitlines()
)

#: More of them, from other places.
LASTING_LATER = tuple(
    """\
Returned books go through quarantine for a day.
Reference works stay in the building.
We lend to residents only.
Fines start at ten cents a day.
Shelve by author, then by year.
Every donation gets a receipt.
No pencils in the rare book room, graphite only on request.
Reading room is silent.
Readers over 65 don't pay.
Sourdough proves overnight.
Croissants come out at six on the dot.
Never open the oven in the first ten minutes.
I only work with rye from Havel.
Loaves under 480 grams get sold as seconds.
Weigh, don't scoop.
Sugar is always caster.
The mixer may be used by trained staff only.
Guests in the annex get breakfast until eleven.
Room service stops at midnight.
Rooms get inspected before check-in.
Nobody gives out room numbers over the phone.
VIPs are met at the door.
Complaints land on my desk the same day.
It's cash or card, no cheques.
Late check-out costs 30 euros.
Under 18s can't book.
You shouldn't upgrade anyone without asking me.
I'd rather you didn't use the word cheap.
I'd be happier without the jingle.
Cats before dogs in the morning surgery.
Anaesthetic is logged in ink.
Muzzle first, needle second.
No treats before surgery.
Rabbits get a quiet room.
Owners wait outside during X-rays.
Don't ever leave a scalpel on the tray.
The house opens thirty minutes before curtain.
Actors are off book by week three.
Cues get called by number, never by name.
No whistling backstage.
Nobody says the name of the Scottish play.
Props go back on the table they came from.
We run two intervals, fifteen minutes each.
Smoke effects need a week's notice.
Mash at 66 degrees.
Hops go in at the boil, not before.
All tanks get sanitised between batches.
Bottles below 6 percent only.
Batch numbers follow the pattern yymmdd.
Taste before you dump.
Wort must not stand for more than an hour.
Hard hats on deck.
Hot work requires a permit.
Two people on every crane lift.
Welds are inspected by an outsider.
Drawings are in millimetres.
Paint nothing before the surveyor has seen it.
Keep slipway 2 clear at all times.
Works on paper never see daylight.
Loans are capped at 90 days.
Labels: 60 words, no jargon.
Touching is allowed in the children's wing only.
Handle ceramics with both hands.
Crates stay sealed until a conservator is present.
Donors are thanked by name in every press release.
I want captions in Welsh and English, in that order.
Juniors train on the small pitch.
Shin pads or no match.
Away kit is white.
Parents keep off the touchline.
Minibuses leave when the coach says so.
No player plays more than 60 minutes.
Substitutions go through the physio.
The captain talks to the referee, nobody else does.
Lilies are out: the cat next door.
Funeral work takes precedence.
Stems get cut under water.
No plastic wrap, ever.
Orders after 3 pm go out the next day.
Let the phone ring twice before you pick up.
Anything with pollen stays outside.
Cash up before you leave.
It must all be back in the van by nightfall.
Tuesdays we're closed.
Friday is stocktake.
Prices include VAT.
Your emails to suppliers should be in Dutch.
In emails to suppliers, skip the pleasantries.
For weddings we ask for half up front.
With minors, always have a second adult in the room.
Outside office hours, route calls to the porter.
Whenever the alarm goes, everybody out.
If unsure, leave it out.
Should the boiler trip, call Jonas.
As soon as the tide turns, haul the nets in.
Provided nobody objects, the minutes count as approved after a week.
Without a permit nobody dives.
Until the audit is over, nothing gets shredded.
Die Ausleihe endet um 18 Uhr.
Bücher werden nur gegen Ausweis verliehen.
Rückgaben bitte immer über den Automaten.
Das Brot kommt zuletzt in die Auslage.
Fass die Exponate nur mit Handschuhen an.
Räum nach der Probe die Bühne auf, jedes Mal.
Gäste unter 18 nehmen wir nicht auf.
Vor der Operation gibt es nichts zu fressen.
Les livres rares ne sortent pas.
Personne ne parle à la presse.
Le four se préchauffe à 220.
Tout colis se pèse avant l'envoi.
Los libros raros no salen de la sala.
Nadie habla con la prensa.
Se prohíbe silbar entre bastidores.
El pan se vende por unidades.
I libri rari non escono.
Nessuno parla con la stampa.
Si entra solo con il casco.
Zeldzame boeken blijven binnen.
Niemand praat met de pers.
Zonder helm kom je er niet in.
Ninguém fala com a imprensa.
Os livros raros não saem da sala.
Редкие книги не выдаём на дом.
Никто не говорит с прессой.
Без каски не входить.
珍本书不外借。
没有我的同意谁也不许签字。
閲覧室では私語厳禁です。
許可なく撮影しないこと。
""".splitlines()
)

#: Requests, questions, reports, hearsay and tales. One a line.
PASSING = tuple(
    """\
We had three falls this week, which is a lot.
My neighbour never closes his gates.
She no longer sings with us, sadly.
Mach die Szene etwas kürzer.
We didn't get the manifest in time.
Check the vitals in bay C, would you.
Which key is the Fauré in?
It always freezes on the loading screen.
他说他从来没有签过字。
The new pump doesn't fit the stand.
I think it's cheaper through Antwerp.
Thanks, file it.
De dierenarts is niet gekomen.
Last year we had no apples at all.
Half the class didn't hand it in.
The contract says the tenant shall not sublet.
Ela nunca gostou do hino.
The bell doesn't ring on the second floor.
Give Mr. Petrov his tablets now.
Write me a short bark for the blacksmith.
Add a second ladder on the left.
Do pupils have to wear a tie?
Could you write up the handover for bay A?
Who's on call tonight?
Where did you put the proxies?
Grandad used to say never trust a quiet bull.
Nice, the ladder works now.
El camión nunca llegó.
The sous chef quit last night.
Gib mir mal den Topf.
The forwarder says only pallets under 1.8 metres are accepted.
把第三场剪短一点。
The driver got stuck at the border.
The poster says no latecomers, is that new?
Reset the save and try again.
The strike is over, thank goodness.
The recipe only mentions butter once.
I lost the hearing, but it wasn't your fault.
Он так и не позвонил.
Read out the register for me.
There was not a dry eye in the room.
The review said the game should never have shipped.
Trim two seconds off the opening shot.
Please summarise the deposition of Ms. Crane.
That cut is perfect, leave it for now.
Frau Krause meinte, man dürfe dort nicht parken.
Bed 9 was discharged this morning.
Heute war niemand im Stall.
The consultant was not amused.
Is there any rule that a witness can't be recalled?
I always burn my fingers on that handle.
Mi abuela siempre cantaba en la cocina.
The judge didn't buy our argument.
Rename the cave to cave_02.
Karlsen Freight raised its prices again.
The leaflet says you must not drive after taking it.
Go through every exhibit and number them.
The dissolve in scene 4 looks odd.
Ich habe Hannes nie angerufen.
My own teacher never let us talk.
Why does the shader only break on Linux?
Dr. Sorensen told me the drip should come out.
Taglia la prima scena.
Chop two onions for the stock.
The inspector said our displays should be tidier.
Mrs. Okonkwo slept badly and refused breakfast.
The bishop told us not to clap.
Play me the take with the dog.
Transpose the second hymn down a tone.
We served 140 covers on Saturday.
How many millilitres should I draw up?
I don't remember which reel it was.
Put together a shopping list for tomorrow's brunch.
Export a still of the last frame.
昨天司机没有来。
The producer always falls asleep in screenings.
I played it for an hour and never found the key.
Sort the essays by length.
When does barley need spraying?
Hannes ist immer zu spät gekommen.
When I was a boy, we always sang in Latin.
Plate up table six, they've been waiting.
How much does a reefer cost per day?
Year 8 had no questions today.
Сколько таблеток ему дать?
The critic wrote that the film must be seen twice.
ここにサインが必要ですか?
We never got past the Kyrie.
¿Hay que firmar aquí?
It's too slow, take it from the top.
Weigh the lambs and write it down.
The ewe in pen 3 had twins!
The cows only come when Marta calls.
Mark Amir's essay first.
Le juge a dit qu'il ne fallait pas insister.
We must have left the gate open.
Der Richter hat nicht angerufen.
The build from last night doesn't boot.
Make the jump a little higher.
Вчера на ферме никого не было.
Spawn ten enemies in the cave and see if it crashes.
Can hazmat go by rail?
The tenors came in late at bar 40.
Scene 9 doesn't match scene 8.
Wann kommt der Tierarzt?
The publisher wants more trailers.
Find me three cases on adverse possession.
He said he would never cook with margarine.
O caminhão não chegou.
We could always go to the museum instead.
I can't reach the far trough.
Players said the boss was too hard.
Find out where container 77 is.
Die Suppe war nie heiß genug.
If the basses are flat, it sounds awful.
Sube el volumen un poco.
Prepare a quiz about volcanoes.
Snijd de uien voor de soep.
There's no sound in the menu.
Draft a motion to dismiss for the Halvorsen matter.
Coupe deux secondes au début.
Send the pickup address to Ola.
Je n'ai pas trouvé la partition.
Ruf Hannes an.
Last night's concert was not our best.
Explain photosynthesis in two sentences.
Corta a primeira cena.
Render it and put it on the drive.
It rained so hard that the ditch overflowed.
That risotto was never going to work.
Combien de plats faut-il prévoir ?
Only six people came to the rehearsal.
Get the feed in before it rains.
Load the van and text me.
Appelle le greffe, s'il te plaît.
The customer never replied.
Hum me the first line.
I need the score of the Byrd right now.
Позови ветеринара.
The statute of limitations ran out in March.
Schick mir das Foto noch mal.
Opposing counsel claims we must produce the emails.
Le vétérinaire n'est jamais venu.
Was the fire drill on Tuesday or Wednesday?
Fass die Akte kurz zusammen.
Our client insists he never signed it.
Move the herd to the top field.
Dove devo firmare?
Mend the fence by the brook, please.
Non trovo lo spartito.
Il medico non è passato.
Lass uns das Tor anschauen.
Nobody answered the bell in bay B.
Could the altos be any flatter?
Try the sauce and tell me what's missing.
Ik kon de sleutel niet vinden.
Which pupils are not in the choir?
My paralegal thinks we should settle.
We ran out of saffron before the second sitting.
The monitor keeps beeping and I don't know why.
このシーンを短くして。
She's not eating, any idea why?
Someone forgot the salt again.
Truck 12 lost a wheel near Metz.
What's the limit for small claims in Ohio?
Can you see whether the rye has risen?
No encuentro la llave del almacén.
Book the 6 am slot for Friday.
Print twelve copies of page 3.
昨日は誰も来ませんでした。
The organist is ill today.
The tractor won't start.
The vet came and found nothing.
""".splitlines()
)

#: More of these.
PASSING_LATER = tuple(
    """\
Where are the returned books?
Two readers complained about the noise.
Find the book on lighthouses for Mr. Adeyemi.
Someone never returned the atlas.
The scanner at the desk is broken again.
Order twelve copies of the new novel.
I'm not sure who has the key.
The dough didn't rise.
Bake a test loaf and tell me how it went.
The flour mill was closed all week.
We sold out by noon.
Only one croissant left, do you want it?
Could you move the trays over there?
That loaf looks better than yesterday's.
Check room 12 and make the bed.
The guest in 9 wants a quieter room.
A guest asked whether dogs are allowed.
The lift has been stuck since Tuesday.
They booked two nights and stayed three.
The night porter never sleeps, apparently.
Call a taxi for the lady in the lobby.
The cat in cage 2 won't eat.
Weigh the beagle, please.
His owner said he has never bitten anyone.
Mr. Tibbs had his stitches out.
The X-ray shows nothing unusual.
Read me the lab report.
The actors were late again.
We rehearsed the storm scene for two hours.
The critic from the Herald never showed up.
Dim the lights a bit.
The curtain got stuck halfway.
Try the fanfare once more.
The last batch tasted of cardboard.
Tank 4 is leaking.
How long should the mash rest?
Pump it over to tank 5.
The hops arrived today.
We didn't pass the inspection.
The crane operator called in sick.
I couldn't find drawing 17.
Sand the rudder down and paint it.
The surveyor thinks the keel is fine.
The museum in Bergen lent us two paintings.
Put the crate by the door.
Visitors loved the new wing.
A child touched the vase and it fell.
Why is the label in Latin?
We lost three nil.
The referee gave us nothing.
Pick a squad for Saturday.
The under-12s always win at home.
The bus broke down on the way.
Make two bouquets for the station.
The roses came in half frozen.
She ordered tulips but wanted daffodils.
Wrap these and put them in the fridge.
I have to go, see you at three.
We might need more vases.
The supplier wrote that prices must go up.
Hat der Automat das Buch genommen?
Der Ofen ist schon wieder kalt.
Bring die Kiste bitte nach oben.
Die Gäste waren nicht zufrieden.
Niemand hat den Schlüssel gesehen.
Le four n'a pas chauffé.
Mets la caisse près de la porte.
Nadie vino a la función.
Pon la caja al lado de la puerta.
Nessuno è venuto alla prova.
Niemand heeft gebeld.
Ninguém apareceu ontem.
Никто не пришёл.
Поставь ящик у двери.
没有人来。
昨日の公演は満席でした。
""".splitlines()
)
