"""What people say for the moment, in many trades and languages: requests, reports, thanks, talk.

No ledger is to hold any of it.
"""

#: Requests for the moment, thanks, questions, reports and tales. One a line.
PASSING = tuple(
    """\
Run the tests.
Can you open the file?
Thanks, looks good.
Boil two eggs for me.
Please pass the salt.
Call the plumber.
Read me the last page.
Book a table for tonight.
Write a poem about the sea.
Translate the menu for me.
Send the letter to the court.
Draft a reply to Mrs. Hahn.
Find a cheap flight.
Look up the tide table.
Print the label and bring it here.
Open the window for a moment.
Show me what you have so far.
Give me three ideas for the window.
Tell me a story about a fox.
Summarize the meeting.
Compare the two offers.
Add a chapter on bees.
Remove the last slide.
Rename the second boat.
Fix the typo in the title.
Undo that.
Try again.
Try it with the other key.
Go on.
Continue with the next patient.
Go ahead and plant them.
Start with the easy ones.
Let's begin.
Let's look at the second draft.
Let me see.
Let me think about it for a minute.
Next, the dessert.
And now the sauce.
Now the other one.
Yes, that one.
Yes please.
No, thanks.
No problem.
No worries!
No idea.
No luck so far.
No change since yesterday.
No, the left one.
Not yet.
Not bad at all.
Nothing happened.
Nothing new from the harbour.
Nobody was there.
Never heard of it.
None of them fit.
Great, that helped.
Perfect, thank you so much!
Good morning, everyone.
Hello there.
See you tomorrow.
Well done.
I see.
I think that's it.
I guess so.
I wonder what it costs.
I'm back.
I'm done for today.
I'm looking for my glasses.
I'm at the station.
I'm tired.
I was at the dentist's this morning.
I went to the market and bought apples.
I tried the key, and it broke.
I found a note under the door.
I got an error when I opened the gate.
I ran the script and the screen went black.
I love it!
I like it.
I hate it when that happens.
I need a minute.
I need help with the oven.
I need you to look at this rash.
I need a new battery for the radio.
I want to see the second act.
I want a sandwich.
I'd like to book a room.
I would like to know more about tides.
I have a question.
I have attached the plan.
I have no idea.
I had two coffees.
I can't find the switch.
I can't open the lid.
I don't know.
I don't understand this part.
I don't think so.
I don't remember the name.
I didn't see him.
I haven't tried that yet.
It doesn't work.
It didn't help.
It isn't there.
It won't start.
It's raining.
It's fine.
It's not my day.
It was a long winter.
It seems the pump has failed.
It broke when I pulled the lever.
It only happens at night.
It always crashes when I save.
There was no milk left.
There is a hole in the bucket.
There's something wrong with the lamp.
The cake burned.
The ship arrived late.
The pupils laughed and went home.
The judge asked for a recess.
The nurse brought the wrong chart.
The build is broken.
The build failed again.
The tests are green now.
The lamp flickers when I touch it.
The page doesn't load.
The button does nothing.
That was not what I meant.
That didn't work either.
That's not right.
That's what I thought.
That makes sense.
This one looks better.
This is not a test, is it?
We lost the game.
We were stuck in traffic for an hour.
We talked about it last week.
We had no wind at all.
He never came back.
She always smiled when she saw the dog.
They didn't tell us.
They said it would rain.
My brother never liked the house.
My phone died on the way.
The old man had never seen the sea.
When I came home, the door was open.
When he arrived, the train had left.
When I click the button, the page goes blank.
If I press the pedal, it squeaks.
If I remember correctly, it was on a Tuesday.
If that helps, great.
If you like, we can stop here.
If you have time, read the second letter.
If it works, great.
Before we sailed, we checked the ropes.
Before the war there was a mill here.
After the show we went for a drink.
After dinner he told us a story.
Every morning she walked to the well.
Every time I try, it fails.
On Friday we went to the lake.
On Sundays my grandfather used to fish.
Once upon a time there was a miller.
Last week nobody came.
Yesterday the pump stopped working.
Wait a second.
Wait, what?
Hold on.
Stop.
Stop the music.
Stop it!
Stop here for today.
Leave it.
Leave a message for Anna.
Leave some cake for Tim.
Keep going.
Keep it up!
Keep the change.
Ask Anna what she thinks.
Ask the waiter for the bill.
Check the oven.
Check whether the door is closed.
Check if the pump still runs.
Treat yourself to a coffee.
Handle the next ticket.
Use the attached picture for the poster.
Use it.
Speak up, please.
Call me.
Call me back in ten minutes.
Make a list of all guests.
Make a cake.
Make the button blue.
Put the kettle on.
Remember me?
Remember when we got lost in Porto?
Do it again.
Do you know the way?
Could you water the plants while I'm away?
Would you mind closing the door?
Will it rain on Sunday?
Should I bring a coat?
Must we really go?
Don't you think it's too loud?
Isn't there a rule about that?
Why can't I open it?
What does "never" mean in this contract?
What happens if nobody signs?
How do I stop the alarm?
How often should I water it?
Is it allowed to park here?
Are there any vegetarian dishes?
Are dogs allowed?
When is the deadline?
Where do we keep the salt?
Who must sign?
Any news?
Anything else?
Ready?
Really?
OK.
Okay, sounds good.
Sure, go ahead.
Sure.
Of course.
Got it.
Never mind, found it.
Sorry, my mistake.
Hm, odd.
Wow.
Haha, good one.
Lass uns anfangen.
Mach das Fenster auf.
Danke, das passt.
Das hat nicht geklappt.
Ich war gestern nicht da.
Es regnet schon wieder.
Kannst du das Licht ausmachen?
Ich habe keine Ahnung.
Kein Problem!
Keine Ahnung.
Zeig mir den Plan.
Lies mir den Brief vor.
Als ich ankam, war die Tür offen.
Wenn ich drücke, piept es.
Ouvre la fenêtre.
Merci, c'est parfait.
Ça ne marche pas.
Je ne sais pas.
Pas mal du tout.
Pas encore.
Pas de problème.
Montre-moi le plan.
Quand je suis arrivé, la porte était ouverte.
Où est la clé ?
Abre la ventana.
Gracias, perfecto.
No funciona.
No sé.
No hay problema.
Nada nuevo.
Muéstrame el plano.
Cuando llegué, la puerta estaba abierta.
¿Dónde está la llave?
Apri la finestra.
Grazie, perfetto.
Non funziona.
Non lo so.
Niente di nuovo.
Mostrami la pianta.
Abra a janela.
Não sei.
Não funcionou.
Obrigada, ficou ótimo.
Open het raam.
Geen idee.
Dank je, ziet er goed uit.
Otwórz okno.
Nie wiem.
Dzięki, wygląda dobrze.
Открой окно.
\u041d\u0435 знаю.
Спасибо, отлично.
Когда я пришёл, дверь была открыта.
Öppna fönstret.
Tack, det ser bra ut.
Jag vet inte.
Avaa ikkuna.
Kiitos, hyvä näin.
Otevři okno.
Nevím.
Відкрий вікно.
Pencereyi aç.
Teşekkürler, güzel oldu.
Mở cửa sổ ra.
Cảm ơn nhé.
פתח את החלון.
תודה רבה.
افتح النافذة.
شكرا جزيلا.
打开窗户。
谢谢,很好。
我不知道。
窓を開けて。
ありがとう、助かりました。
창문 열어.
고마워요.
เปิดหน้าต่าง
""".splitlines()
)

#: Requests, reports and messages of programs as people who work with agents write them, in the forms that rules have.
#: One a line.
AT_WORK = tuple(
    """\
Read every file in src and list the unused ones.
Rename every occurrence of foo to bar.
Convert each sheet to JSON.
Replace everything in the second paragraph.
Now do the same for every other file.
And then rename each one.
Let me know if it works.
Put the first slide at the end.
No module named numpy
No tests ran
No space left on device
Without the flag it crashes.
Without it I can see nothing.
If you look at line 40, you'll see the typo.
When I open the page, Chrome crashes.
If I change the port, everything breaks.
Default values are wrong here.
Love the new design!
Liebe Grüße, Anna
That's not right.
It's not there any more?
I have no access to the folder.
Everything works now.
All tests pass.
Each test took an hour.
Tell me everything about it.
So what happens before the build starts?
""".splitlines()
)

PASSING_LATER = tuple(
    """\
No. No idea.
no, no problem
we ran, so no more than five minutes late
Put the boxes in the van.
Ring the bell.
Fill in form 7 for Mr. Lau.
What's the deadline?
I was afraid of the dog.
I worked all night.
We closed at nine yesterday.
The swans were fed.
He skipped the small talk.
Please call Petra.
Turn the sign.
Note the time.
I left the key with Tom.
Is the gallery open on Tuesdays?
The lamps are off.
Could you switch off the mains?
Include VAT in this one.
We ran out of gloves.
Tell Petra I'm late.
No answer from Petra.
Nobody picked up.
No one knows.
I never got your mail.
It never rains here.
She can't come today.
He doesn't know yet.
I didn't touch anything.
Who left the light on?
The oven is hot.
Ruf Petra an.
Das Licht ist aus.
Ich habe es nicht gesehen.
Appelle Petra.
Le four est chaud.
Llama a Petra.
El horno está caliente.
Chiama Petra.
Bel Petra.
Zadzwoń do Petry.
Позвони Петре.
Ring Petra.
烤箱很热。
オーブンは熱い。
Sort the photos by date.
Count the chairs in the hall.
Draft the contract and send it to me.
Look at this before it's gone.
Make it shorter.
Let's do the second one first.
Do the dishes first.
""".splitlines()
)
