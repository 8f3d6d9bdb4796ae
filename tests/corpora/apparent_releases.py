"""Pairs of a rule and what might be taken for its lifting or change.

That is a condition, another's word, another's name, a limit or a part. Written before the rules that are judged by
them; of each list the first came from people who tried the ledger for the first time.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

#: The second lifts the first only once something has happened: both stand.
CONDITIONAL = (
    ("Never call Ines.", "As soon as she signs, you can call Ines again."),
    ("Never call Ines.", "When she has moved, forget the rule about Ines."),
    ("Never call Ines.", "Unless I say otherwise, ignore the rule about Ines."),
    ("Ruf Ines nie an.", "Wenn sie umgezogen ist, vergiss die Regel mit Ines."),
    ("No garlic in anything for table four.", "If the guest cancels, forget what I said about garlic."),
    ("Never open the sluice.", "Provided the river is low, the ban on opening the sluice is lifted."),
    ("Do not paint the hull.", "In case the surveyor agrees, painting the hull is allowed again."),
    ("Never dub the trailer.", "After the premiere, forget the rule about the trailer."),
    ("Do not sell the mare.", "Should Lukas decline, you may sell the mare."),
    ("Do not sell the mare.", "The rule about the mare is void once Lukas has paid."),
    ("Never prune the vines.", "By the time the frost is over, you can prune the vines again."),
    ("Never call Ines.", "With her consent, you can call Ines again."),
    ("Do not paint the hull.", "In dry weather, painting the hull is allowed again."),
    ("Never open the sluice.", "From the day the dam is repaired, you can open the sluice again."),
    ("N'appelle pas le notaire.", "En cas d'urgence, tu peux appeler le notaire maintenant."),
    ("Never call Ines.", "You can call Ines again, with her consent."),
    ("Do not sell the mare.", "Forget the rule about the mare, as soon as Lukas has paid."),
    ("Never dub the trailer.", "Next week, you can dub the trailer again."),
    ("Do not paint the hull.", "The surveyor comes on Monday. Then forget the rule about the hull."),
    ("Verkauf die Stute nicht.", "Vergiss die Regel mit der Stute, nachdem Lukas bezahlt hat."),
    ("No vendas la yegua.", "Olvida la regla de la yegua, en cuanto pague Lucas."),
    ("Betritt nie den Keller.", "Solange der Statiker da ist, darfst du den Keller wieder betreten."),
    ("Verkauf die Stute nicht.", "Sobald Lukas absagt, vergiss die Regel mit der Stute."),
    ("N'appelle pas le notaire.", "Dès que l'acte est signé, tu peux appeler le notaire maintenant."),
    ("Ne taille jamais la vigne.", "Si le gel est fini, oublie la règle sur la vigne."),
    ("No abras la bodega.", "En cuanto llegue Marta, ya puedes abrir la bodega."),
    ("No vendas la yegua.", "Cuando Lucas pague, olvida la regla de la yegua."),
    ("Não abra a adega.", "Assim que a Marta chegar, já pode abrir a adega."),
    ("Non aprire mai la cantina.", "Appena arriva Marta, puoi di nuovo aprire la cantina."),
    ("Bel de notaris niet.", "Zodra de akte getekend is, mag je de notaris weer bellen."),
    ("Nie otwieraj okna.", "Gdy przestanie padać, teraz możesz otwierać okno."),
    ("Не открывай окно.", "Как только дождь кончится, уже можно открывать окно."),
)

#: Somebody else says that the first is lifted: it holds.
REPORTED = (
    ("No garlic in anything for table four.", "My cook says: forget the rule about garlic. I disagree."),
    ("Never prune the vines.", "My neighbour said you can prune the vines now, but he is wrong."),
    ("Do not sell the mare.", "According to Lukas the rule about the mare is void."),
    ("Do not paint the hull.", "The surveyor thinks the ban on painting the hull is lifted."),
    ("Never open the sluice.", "He told me: you may open the sluice now."),
    ("Never call Ines.", "Tom: forget the rule about Ines."),
    ("Ruf Ines nie an.", "Vergiss die Regel mit Ines nicht."),
    ("Bel Ines nooit.", "Vergeet niet de regel over Ines."),
    ("Ruf Ines nie an.", "Mein Bruder meint: vergiss die Regel mit Ines."),
    ("Ne taille jamais la vigne.", "Mon voisin dit : oublie la règle sur la vigne."),
    ("No vendas la yegua.", "Lucas dice: olvida la regla de la yegua."),
)

#: The second speaks of somebody whose name looks like the one in the first: that holds.
OTHER_NAMES = (
    ("No llames a Pedro.", "Ya puedes llamar a Pedrosa."),
    ("No llames a Martín.", "Ya puedes llamar a Martina."),
    ("N'appelle pas Simon.", "Tu peux appeler Simone maintenant."),
    ("Ruf Karl nicht an.", "Du darfst Karla jetzt anrufen."),
    ("Non chiamare Paolo.", "Adesso puoi chiamare Paola."),
    ("Schreib Hannes nicht.", "Vergiss die Regel mit Hanne."),
)

#: The second lifts the first, and sets a limit in the same breath: that is kept.
LIMITED = (
    ("Do not water the orchids.", "You can water the orchids again, at most 50 ml a week."),
    ("Never use the lift.", "The lift ban is over, but only for two people at a time."),
    ("Do not heat the kiln.", "You may heat the kiln again, up to 900 degrees."),
    ("Never feed the carp.", "The ban on feeding the carp is lifted, but no more than 30 g a day."),
    ("Do not lend the van.", "You can lend the van again, for two days at the most."),
    ("Never open the sluice.", "You can open the sluice again, just not all the way."),
    ("Benutze nie den Kran.", "Der Kran darf jetzt benutzt werden, höchstens 2 Tonnen."),
    ("N'appelle pas le notaire.", "Tu peux appeler le notaire maintenant, au plus 20 minutes."),
    ("No uses el horno grande.", "Ya se puede usar el horno grande, como máximo 3 horas."),
)

#: The second speaks of a day, a person, a number or a part that the first doesn't speak of: both stand.
NARROWER = (
    ("Don't delete invoices from 2024.", "You can delete invoices from 2023."),
    ("No calls after 20:00.", "No calls after 18:00 on Sundays."),
    ("Pay invoices within 14 days.", "Pay Larsen's invoices within 7 days."),
    ("Nobody enters the vault.", "Marta may no longer enter the vault."),
    ("Do not sell tickets for row 12.", "You can sell tickets for row 15."),
    ("Do not open crates from batch 12.", "You may open crates from batch 15."),
    ("Pay invoices within 14 days.", "Pay invoices over 1000 euros within 7 days."),
    ("Serve dinner at 19:00.", "Serve dinner at 17:30 on Fridays."),
    ("Always water the beds for 20 minutes.", "Always water the northern beds for 35 minutes."),
    ("Never share files from 2021.", "Sharing files from 2020 is fine now."),
    ("Nobody drives the tractor.", "Olav may no longer drive the tractor."),
    ("Keep the sauna under 80 degrees.", "Keep the sauna under 60 degrees for children."),
    ("Answer tickets within 8 hours.", "Answer Brenner's tickets within 2 hours."),
    ("Niemand betritt den Tresor.", "Marta darf den Tresor nicht mehr betreten."),
    ("Personne n'entre dans la cave.", "Marta ne peut plus entrer dans la cave."),
    ("Nadie entra en la bodega.", "Marta ya no puede entrar en la bodega."),
    ("Keine Anrufe nach 20:00.", "Keine Anrufe nach 18:00 am Sonntag."),
    ("Lösche keine Rechnungen von 2024.", "Du darfst Rechnungen von 2023 löschen."),
    ("Pas d'appels après 20:00.", "Pas d'appels après 18:00 le dimanche."),
    ("Ne supprime pas les factures de 2024.", "Tu peux supprimer les factures de 2023 maintenant."),
    ("No borres las facturas de 2024.", "Ya puedes borrar las facturas de 2023."),
    ("Nada de llamadas después de las 20:00.", "Nada de llamadas después de las 18:00 el domingo."),
)

#: The second says in a form of its own that the first is different: it is noticed, and both stand.
SPOKEN_OF = (
    ("Always copy Hannes on the delivery mails.", "Hannes has left the company, stop copying him."),
    ("Do not delete any backups.", "Backups older than a year may be deleted."),
    ("Never merge without two reviews.", "One review will do for docs-only changes."),
    ("The cat gets 40 g of dry food.", "Vet says 30 g of dry food is enough for the cat."),
    ("You can spend up to 50 dollars without asking.", "I take that back: ask me about every purchase."),
    ("Always send Ruth the minutes.", "Ruth has retired, leave her out of the minutes."),
    ("Do not lend any instruments.", "Instruments without a case may be lent."),
    ("Never sail without three hands.", "Two hands are enough in the harbour."),
    ("The cat gets 40 g of dry food.", "Vet says 30 g."),
    ("The mare gets 3 kg of oats.", "The farrier recommends 2 kg of oats for the mare."),
    ("Prune the roses without asking.", "I take it back, ask me about the roses first."),
    ("Schick Ruth immer das Protokoll.", "Ruth ist in Rente, schick ihr das Protokoll nicht mehr."),
    ("Verleih keine Instrumente.", "Instrumente ohne Koffer dürfen verliehen werden."),
    ("Ne supprime aucune sauvegarde.", "Les sauvegardes de plus d'un an peuvent être supprimées."),
    ("No borres ninguna copia.", "Las copias de hace un año se pueden borrar."),
    ("Du kannst bis 50 Euro ohne Rückfrage ausgeben.", "Ich nehme das zurück: frag mich vor jedem Kauf."),
)
