"""What people say in places that have nothing to do with each other, and mean to last.

What is for the moment is in `passing_talk`. Written before the rules that are judged by it. Every second sentence of
each list was left unread while the rules were made, so the rates over those tell how the rules do with what they were
not made for. A sentence stands alone: it is a message of its own.
"""

#: Rules, prohibitions, limits, wishes, deadlines, conditions and dispositions. One a line.
LASTING = tuple(
    """\
Under no circumstances lend the cellar key to anybody.
On no account wake the patients in room 12.
At no time may the galley be left alone with the stove on.
In no case hand out the marks before the conference.
On Sundays, no calls to clients.
On Mondays the library stays shut.
In the evenings, no visitors on the ward.
During Lent, no meat on the menu.
At night, no lights on the quay.
Stop ending your mails with a joke.
Quit adding smileys to the minutes.
Stop calling me Mister President.
Cease all shipments to the old depot.
Hands off the mixing desk.
Keep your hands off the incubator.
Fingers off the thermostat, please.
Keep out of the archive room.
Stay out of the payroll folder.
Steer clear of puns in the headlines.
Stay away from the reactor settings.
If the kettle boils over, call me.
If a guest complains, offer a free dessert.
When the bell rings, close the gates.
Whenever a parent phones, write it down.
If anything breaks, stop and tell me.
In case of fog, wait at the pier.
If in doubt, ask the head nurse.
When you are unsure, ask.
Once the dough has risen, lower the heat.
If the court replies, forward it to my assistant at once.
Wash the knives after each use.
Weigh the parcels before every dispatch.
Rinse the filter before each brew.
Taste the soup before it leaves the kitchen.
Update the log whenever the wind turns.
Count the swabs after every operation.
Back up the score each evening.
Feed the cat every morning.
Water the ferns every second day.
Send me a summary every Friday.
Report to me once a week.
Check the bilge hourly.
Save your work after every chapter.
Get my signature before filing anything.
Ask the bosun before you touch the sails.
Check with the registrar first.
Ask me first.
Confirm with Lena before booking.
Talk to legal before you sign.
Wait for my go-ahead.
Wait until I confirm.
Hold back the draft until the judge has ruled.
Show me the draft before you send it.
Treat the guest list as confidential.
Treat every dog as if it bites.
Treat the old maps as read-only.
Consider the attic off-limits.
Regard the diary as private.
Handle the vase with gloves.
Leave the piano where it is.
Leave my desk alone.
Leave the third paragraph untouched.
Leave the default settings as they are.
Let the apprentice do the talking.
No perfume in the clinic.
No flash photography, please.
No abbreviations in the contract.
No more than three adjectives per sentence.
No exclamation marks.
No swearing on air.
No shoes on the deck!
Not a word to the press.
Not before noon.
Nothing fried for table nine.
Nothing may leave the lab.
Nobody enters the vault alone.
None of the recipes may be posted online.
Neither the budget nor the salaries go into the newsletter.
Do it without the crane.
Cook without garlic.
Work without a net connection.
Refrain from comments on religion.
Please abstain from voting for me.
Desist from renaming the boats.
Avoid the passive voice.
Beware of the second step: skip it.
I'm allergic to penicillin.
I am a vegan.
My daughter is lactose intolerant.
I don't eat pork.
I don't drink coffee after four.
I'm colour-blind, so mark things with shapes.
I'm left-handed.
I hate surprises.
I can't stand lavender.
I love short answers.
I dislike small print.
I detest jargon.
I'd appreciate a bit more formality.
I'd prefer a window seat.
I would rather travel by train.
I only have a carry-on.
We only take cash.
I have a nut allergy.
I have no car.
I can't fly.
We cannot ship to islands.
I need the translation by Thursday.
I need this on my desk before Easter.
We need the slides no later than noon on Monday.
The manuscript has to be at the printer's by 1 March.
Finish the inventory by the end of the month.
Have the minibus back by six.
We open the shop at nine.
We close the harbour on 12 October.
School starts on 3 September.
The lease ends in June.
It's important that the doors stay shut.
It is crucial that nobody sees the list.
It is essential to label the samples.
It's vital that we stay under the weight.
What matters to me is that the tone stays warm.
Make sure the children wear helmets.
Be careful with the crystal glasses.
Be brief.
Be polite to the neighbours at all times.
Be sure to lock up.
Remember to feed the meter.
Remember that the lift is broken.
Bear in mind that half the guests are deaf.
Keep in mind that my mother reads this too.
Don't forget the sunscreen.
Do not forget that Aunt Vera is diabetic.
Speak slowly with the pensioners.
Speak French with the crew.
Talk to me in plain words.
Answer in one sentence.
Write in the first person.
Write the figures out in words.
Use metric.
Use oat milk in everything.
Use the side entrance.
Address the judge as Your Honour.
Call me Skip.
Call the ship by its old name.
Round all amounts up.
Sign every letter with my full name.
Put the date at the top of every page.
Put safety first.
Give prices in pounds.
Keep it under two pages.
Keep it simple.
Keep the volume low.
At most four people in the lift.
Two pages at most.
Maximum ten guests per table.
Minimum age is sixteen.
Up to 30 euros per gift.
Not more than one dessert each.
Fewer than five words per line.
Under a thousand crowns, please.
Our limit is forty kilos.
We can spend 200 a night.
Only the captain may fire the flare.
Only use dry wood.
Pupils may only leave with a note.
Visitors should sign in at the desk.
Guests are expected to bring a gift.
The crew is supposed to rest eight hours.
Smoking is prohibited on the quay.
Dogs aren't allowed in the hall.
Phones are banned from the exam.
Photos are off limits.
You're not to speak to reporters.
You are to report to the chief.
You may not open the crates.
From now on, knock before you enter.
From today, all mail goes through Ines.
As a rule, answer within a day.
As long as I'm away, Tom decides.
Until further notice, the pool is closed.
Unless I object, proceed on Monday as planned.
Everything goes through me.
Every invoice needs two signatures.
Each child gets one apple.
All visitors sign in at the desk.
Both doors stay locked.
The blue cups are for staff.
The dog sleeps outside.
My office is the last one on the left.
Our house style is the Oxford comma.
Think of the budget.
Think before you answer.
Explain it as you would to a child.
Assume that the readers know no Latin.
Assume metric units throughout.
Prefer trains to planes.
Default to the cheaper option.
Give priority to emergencies.
Log everything in local time.
Document each step.
Double-check all the dosages.
Always salt the water.
Never salt the beans.
Don't run on the deck.
Do not mention the divorce.
You must wear a mask.
The tests must pass before anything is merged.
Squash the commits before merging.
Rebase instead of merging.
Run the formatter before every push.
Tabs, not spaces.
Snake case for functions, please.
Tests go into their own folder.
Stop using global variables.
Leave the lock file alone.
No new dependencies.
No force pushes, ever.
Nothing goes to production without a review.
Ask before you install anything.
If a migration fails, roll back and ping me.
Treat warnings as errors.
Hands off the main branch.
Do it without root.
Kein Salz in die Suppe.
Keine Anrufe nach 20 Uhr.
Finger weg vom Archiv.
Lass die Finger vom Tresor.
Unter keinen Umständen die Tür öffnen.
Wenn das Kind Fieber hat, ruf mich an.
Falls der Zug ausfällt, nimm ein Taxi.
Frag mich, bevor du etwas bestellst.
Vor jedem Versand die Pakete wiegen.
Ich bin Vegetarierin.
Ich bin allergisch gegen Katzen.
Ich mag keine langen Mails.
Hör auf, mich zu duzen.
Bitte auf Floskeln verzichten.
Höchstens zwei Seiten.
Antworte bitte auf Deutsch.
Jeden Freitag ein kurzer Bericht.
Sonntags keine Lieferungen.
Lass die Kopfzeile so, wie sie ist.
Behandle die Liste vertraulich.
Pas de sel dans la soupe.
Pas d'appels après vingt heures.
Aucune photo pendant la messe.
En aucun cas il ne faut ouvrir le coffre.
Si un client se plaint, préviens-moi.
Demande-moi avant de commander.
Je suis allergique aux noix.
Je suis végétarienne.
Je déteste les longues réunions.
Arrête de me tutoyer.
Réponds toujours en français.
Au maximum trois pages.
Chaque vendredi, envoie-moi un résumé.
Évite les anglicismes.
Laisse le titre tel quel.
Traite ce dossier comme confidentiel.
Nada de sal en la sopa.
Sin llamadas después de las ocho.
En ningún caso abras la caja.
Si un huésped se queja, avísame.
Pregúntame antes de pedir nada.
Soy alérgica al marisco.
Soy vegano.
Odio las reuniones largas.
Deja de tutearme.
Responde siempre en español.
Como máximo tres páginas.
Cada viernes mándame un resumen.
Evita los extranjerismos.
Deja el título como está.
Niente sale nella zuppa.
Non aprire mai la cassaforte.
Se un ospite si lamenta, avvisami.
Chiedimi prima di ordinare.
Sono allergico alle noci.
Smettila di darmi del tu.
Rispondi sempre in italiano.
Al massimo tre pagine.
Evita gli anglicismi.
Nada de sal na sopa.
Nunca abra o cofre.
Se um hóspede reclamar, avise-me.
Pergunte-me antes de encomendar.
Sou alérgico a camarão.
No máximo três páginas.
Responda sempre em português.
Geen zout in de soep.
Open de kluis nooit.
Als een gast klaagt, bel mij.
Vraag het mij voordat je iets bestelt.
Ik ben allergisch voor noten.
Hoogstens drie bladzijden.
Antwoord altijd in het Nederlands.
Nigdy nie otwieraj sejfu.
Jeśli gość się skarży, zadzwoń do mnie.
Zapytaj mnie, zanim coś zamówisz.
Jestem uczulona na orzechy.
Najwyżej trzy strony.
Odpowiadaj zawsze po polsku.
Никогда не открывай сейф.
Если гость жалуется, позвони мне.
Спроси меня, прежде чем заказывать.
\u0423 меня аллергия на орехи.
\u041d\u0435 больше трёх страниц.
Отвечай всегда по-русски.
Без соли, пожалуйста.
Öppna aldrig kassaskåpet.
Om en gäst klagar, ring mig.
Fråga mig innan du beställer något.
Jag är allergisk mot nötter.
Högst tre sidor.
Svara alltid på svenska.
Åpne aldri safen.
Spør meg før du bestiller noe.
Åbn aldrig pengeskabet.
Svar altid på dansk.
Älä koskaan avaa kassakaappia.
Kysy minulta ennen kuin tilaat mitään.
Vastaa aina suomeksi.
Nikdy neotvírej sejf.
Zeptej se mě, než něco objednáš.
Odpovídej vždy česky.
Soha ne nyisd ki a széfet.
Mindig magyarul válaszolj.
Nu deschide niciodată seiful.
Răspunde mereu în română.
Ніколи не відкривай сейф.
Завжди відповідай українською.
Kasay\u0131 asla açma.
Bir şey sipariş etmeden önce bana sor.
Her zaman Türkçe cevap ver.
Không bao giờ mở két sắt.
Luôn trả lời bằng tiếng Việt.
Jangan pernah membuka brankas.
Selalu jawab dalam bahasa Indonesia.
Ποτέ μην ανοίγεις το χρηματοκιβώτιο.
Απάντα πάντα στα ελληνικά.
לעולם אל תפתח את הכספת.
תמיד תענה בעברית.
لا تفتح الخزنة أبدا.
أجب دائما بالعربية.
कभी भी तिजोरी मत खोलना।
हमेशा हिंदी में जवाब दो।
永远不要打开保险箱。
请始终用简体中文写报告。
订货之前先问我。
每页最多三张图。
我对坚果过敏。
注文する前に必ず私に聞いてください。
金庫は絶対に開けないで。
私はナッツアレルギーです。
금고는 절대 열지 마세요.
주문하기 전에 먼저 물어봐 주세요.
ห้ามเปิดตู้เซฟ
""".splitlines()
)

#: More of both, written when the rules were made, to see what they lacked; some were mended by it.
LASTING_LATER = tuple(
    """\
no!! no welding next to the tanks
nope, never on market days
Nein, keine Anrufe vor acht.
our sponsor pulled out, so no more ads between the songs
der Hof ist gesperrt, also keine Anlieferung mehr über den Hof
le four est cassé, donc plus de pain au levain
Tools go back in the van at the end of each shift.
Keep receipts for anything over 20 euros.
Nobody but me talks to the landlord.
Don't bother me before ten.
My son can't have gluten.
I'd rather not sit near the kitchen.
Reports are due on the 5th of each month.
When quoting prices, include VAT.
Before touching the boiler, switch off the mains.
Until the paint is dry, stay off the stairs.
Only ever use the freight lift.
The gallery is closed on Tuesdays.
Deliveries through the back door only.
Quiet after 10 pm.
English only, please.
Cash only.
Go easy on the salt.
Skip the small talk.
Spare me the details.
Keep me posted on any delays.
Let me know before you change the itinerary.
Let nobody into the server room.
Make sure nobody feeds the swans.
See to it that the lamps are off at night.
You need my approval for anything above 500.
Anything above 500 needs my approval.
Anyone without a badge stays outside.
Whoever leaves last locks up.
If you can't reach me, call Petra.
In an emergency, ring the bell twice.
In case of doubt, don't.
For every pallet, fill in form 7.
For each patient, note the time.
Each time you leave, turn the sign.
Wear gloves at all times.
Gloves on whenever you handle the prints.
I'm not to be disturbed between two and three.
We don't do refunds.
We never lend the projector.
I can only travel on weekends.
I travel with a wheelchair.
I'm on a low-salt diet.
I'm afraid of heights.
I work nights.
I live in Lisbon.
My budget is tight: 80 euros a night at most.
The deadline is Friday noon.
It has to be ready by the 14th.
Everything must fit into one suitcase.
It's essential that the seal stays intact.
It would be best to avoid the motorway.
Better safe than sorry: test every rope.
Not on Sundays.
Never on Sundays.
Less jargon, please.
More examples, fewer adjectives.
Short sentences, please.
Bullet points, not paragraphs.
Use they for the author.
Refer to the defendant as Mr. B.
Spell my name with two n's.
Capitalise job titles.
Write dates as day, month, year.
Mach nie das Licht aus.
Bitte immer zuerst anrufen.
Ohne Termin kein Einlass.
Nur mit Handschuhen anfassen.
Ruf mich an, wenn etwas schiefgeht.
Préviens-moi si quelque chose casse.
Ne touche pas au four.
N'ouvre jamais la cave.
Avísame si algo se rompe.
No toques el horno.
Avvisami se qualcosa si rompe.
Non toccare il forno.
Não toque no forno.
Avise-me se algo quebrar.
Bel me als er iets misgaat.
Raak de oven niet aan.
Nie dotykaj pieca.
Zadzwoń, jeśli coś się zepsuje.
\u041d\u0435 трогай печь.
Позвони, если что-то сломается.
Rör inte ugnen.
Rør ikke ovnen.
Älä koske uuniin.
Nesahej na troubu.
F\u0131r\u0131na dokunma.
Đừng chạm vào lò.
Μην αγγίζεις τον φούρνο.
אל תיגע בתנור.
لا تلمس الفرن.
不要碰烤箱。
オーブンに触らないでください。
오븐을 만지지 마세요.
""".splitlines()
)

#: Messages of several lines, and what is held of each.
LISTED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Never sail on Fridays\nunless I say so.", ("Never sail on Fridays unless I say so.",)),
    ("Always knock\nexcept in an emergency", ("Always knock except in an emergency",)),
    ("Do not open the vat,\neven if it whistles.", ("Do not open the vat, even if it whistles.",)),
    (
        "House rules:\n1. Never smoke inside.\n2. Boots in the hall\n3. Dogs must be brushed.",
        ("Never smoke inside.", "Boots in the hall", "Dogs must be brushed."),
    ),
    (
        "- always salt the water\n- log everything in UTC\n- no garlic\n",
        ("always salt the water", "log everything in UTC", "no garlic"),
    ),
    ("If it rains: 1. close the gate 2. wake me", ("If it rains: close the gate", "If it rains: wake me")),
    ("Wenn es brennt:\n- Tür zu\n- 112 anrufen", ("Wenn es brennt: Tür zu", "Wenn es brennt: 112 anrufen")),
    ("- buy milk\n- call Anna\n- fix the lamp", ()),
    ("1. open the first file\n2. read it to me\n3. close it", ()),
)
