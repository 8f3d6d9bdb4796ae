"""Sentences of an assistant in many trades: what came of its work, and what is only talk around it.

Nothing in them is a rare name. The rules were built on the first of each pair of lists, and tried on the second.
"""

#: What somebody who goes on working must know: causes, failed attempts, results, conclusions.
CONCLUDING = [
    "The cause is a wrong cable in rack 7.",
    "So the dose was off by a factor of ten.",
    "That attempt did not hold: the glue lets go above 60 degrees.",
    "It turns out that the second tenant never signed.",
    "The dough stays flat because the yeast is too old.",
    "Tried the spare key, and it does not turn in the lock.",
    "Die Pumpe läuft nicht an, weil die Sicherung fehlt.",
    "La fuite vient du joint, donc la vanne est bonne.",
    "El motor no arranca con la batería nueva.",
    "Причина в том, что счётчик стоит неправильно.",
    "Okazało się, że klucz nie pasuje do zamka.",
    "原因是电缆接错了。",
    "The two halls together hold 340 guests.",
    "Therefore the warranty has lapsed.",
]
CONCLUDING_UNSEEN = [
    "The reason was a hairline crack in the weld.",
    "We tried a thinner oil, but the bearing still overheats.",
    "Bleaching failed: the stain comes back within a day.",
    "The invoice is short by 12 euros.",
    "Hence the seedlings need no more light.",
    "Nobody at the harbour has seen the barge since spring.",
    "The culprit was the thermostat in the cellar.",
    "Der Antrag wurde abgelehnt, also bleibt nur der Widerspruch.",
    "Le four ne chauffe plus depuis lundi.",
    "La causa era un filtro tapado.",
    "De pomp werkt niet omdat het filter verstopt is.",
    "Il motivo è una guarnizione consumata.",
    "A válvula não fecha, por isso o tanque transborda.",
    "原因はフィルターの詰まりでした。",
    "Motorn startar inte eftersom säkringen är trasig.",
    "Оказалось, что договор никто не подписал.",
]

#: What is so, in words of no form that a list could know.
STATING = [
    "Both valves leak at the stem.",
    "The old chapel has a second door behind the altar.",
    "Unser Lieferant hat den Preis schon bestätigt.",
    "Les deux cousines partagent la chambre du fond.",
    "The choir sings the last verse without the organ.",
]
STATING_UNSEEN = [
    "The lower shelf bends under the jars.",
    "Mrs Ortiz already has a key to the shed.",
    "El capataz guarda las llaves en la oficina.",
    "Der Teig ruht seit gestern im Keller.",
    "The mare prefers the stall by the window.",
]

#: Talk: what is about to be done, questions, thanks, offers.
TALKING = [
    "Let me look at the wiring first.",
    "Now I'll check the other end of the cable.",
    "I'm going to call the landlord about the deposit.",
    "Shall I order the thicker gasket as well?",
    "Great, thanks for the quick answer!",
    "Checking the second pump now.",
    "Ich werde jetzt die Sicherung prüfen.",
    "Je vais regarder la vanne de plus près.",
    "Voy a revisar la batería ahora.",
    "Сейчас я проверю счётчик.",
    "让我先看一下电缆。",
    "I'll find out why the oven failed.",
    "Would you like me to write to the tenant?",
    "Sure, happy to help with that!",
]
TALKING_UNSEEN = [
    "Next, I will weigh the second batch.",
    "Let's see what the surveyor wrote.",
    "Okay, let me compare both recipes.",
    "Reading the lease again.",
    "Do you want the report in German?",
    "You're welcome, glad to be of use!",
    "First I need to open the other ledger.",
    "Zuerst sehe ich mir den Vertrag an.",
    "Lass mich kurz die Liste durchgehen.",
    "Laat me eerst de rekening bekijken.",
    "Vou verificar o segundo tanque.",
    "Adesso controllo la caldaia.",
    "Давайте посмотрим на второй насос.",
    "次にフィルターを確認します。",
]
