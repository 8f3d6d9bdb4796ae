"""Last lines of a message that states rules: they void all of it, bound all of it, or say something of their own."""

#: Nothing above holds, or nobody demands it.
VOIDING = tuple(
    """\
Do not do any of this.
None of this applies.
Ignore all of the above.
These are just examples.
That is just what the old manual says.
That's only how the previous tenant did it.
Just kidding.
All of this is from the old contract.
This was last year's policy.
Don't follow any of the above.
Nichts davon gilt.
Mach nichts davon.
Das steht nur in der alten Anleitung.
Ne fais rien de tout cela.
No hagas nada de esto.
Please disregard everything above.
The above was only a joke.
None of the above holds any longer.
That was the rule under the former owner.
These rules are obsolete.
None of it is binding.
That's merely how my grandfather did it.
Don't do all of that.
It's all from an outdated brochure.
Those were last season's terms.
Forget the above.
Das waren nur Beispiele.
Rien de tout cela ne compte.
Niente di questo vale.
I was only joking.
""".splitlines()
)
#: It holds for some, somewhere, for a while, or under a condition.
BOUNDING = tuple(
    """\
(This holds for tourists only.)
Everything above only applies on weekdays.
All of this is for the night shift only.
These rules apply only in winter.
This applies to apprentices.
Only until Friday.
But only in winter.
Except on Sundays.
This is valid until March.
All that only if the client agrees.
Das gilt nur für Gäste.
Alles oben gilt nur sonntags.
Cela ne vaut que pour les stagiaires.
Esto solo vale en verano.
The above counts for the east wing.
Unless the doctor says otherwise.
That goes for weekdays, not for weekends.
Not on public holidays, though.
Vale solo per gli ospiti.
The rules above hold as long as the crane is here.
These points hold for new hires.
That only matters on race days.
All this from Monday on.
This is for Hall B only.
Unless I say otherwise.
Only during the harvest.
This applies as long as the roof is open.
Diese Regeln gelten nur im Winter.
Sauf le dimanche.
Solo en verano.
Those rules go for the pool, not the sauna.
The instructions above are only for beginners.
""".splitlines()
)
#: Neither, though they begin so.
OF_ITS_OWN = tuple(
    """\
This is important.
That's all.
These are my rules.
Do not do this at night.
That applies to everyone.
Everything above the sink is fragile.
That is what I want.
None of the guests eats pork.
Do not do any of the drilling before eight.
Only Anna may open the gate.
This is for my school project.
Not a problem for anybody, I hope.
Das ist wichtig.
All of this is very kind of you.
These apply at once.
Ignore the noise above the ceiling.
That holds the door open.
Except for the cook, everybody is new.
The above-ground pool opens in May.
Just so you know, I am away tomorrow.
This goes to print tomorrow.
That counts as a win.
This applies paint evenly.
These hold about two litres.
Not in the mood today, sorry.
Only five chairs are left.
That was fun.
Everything here smells of fish.
Das ist alles.
This was fast.
Do all of this by Friday.
Those are nice.
Except that the boat leaks, all is well.
Not for me to decide, really.
All of these are in the cellar.
This is just what I needed.
That's only fair.
These are just for you.
""".splitlines()
)
