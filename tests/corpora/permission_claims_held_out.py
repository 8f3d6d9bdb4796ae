"""Claims about conversations of trades that no rule was built on."""

from support.claim_tables import samples

PERMISSION_HELD_OUT_FALSE = samples(
    """
    paper facts
        Running the saw after ten is fine | p1
        Aldo may have the recipe | p1
        The spruce pulp was bleached | p1
        Roll 14 tore at the lower edge | p2
        Aldo warned Henrike about the belt | p2
        Starch was chosen | p2
        8 tons of spruce pulp were ordered | p3 p4
        The press was raised to 90 bar | p4
        A second cutter was rented | p5
        Thicker card sells better | p5
        All nine moulds are cracked | p6
        Output rose in June | p6
    paper decisions
        Rent a second cutter | p5
        Bleach the spruce pulp | p1
    paper open_items
        Raise the press to 90 bar | p4
        Dismantle the vat | p2
    paper current_plan
        Drain vat 2 | p4
        Replace the belt of roll 14 | p2
    paper current_task
        Hide the recipe from Henrike | p1
    radio facts
        Swearing on air is possible for guests | r1
        Anyone can cut the feed | r1
        Adverts are played during the news | r1
        The right channel hums | r2
        The mayor interviewed Tilda at 08:40 | r2
        The jingle is 12 minutes long | r2
        Studio A is larger than studio B | r2
        We broadcast from the van | r3
        Milo hosts the quiz | r3
        Night Tide was uploaded | r4 r5
        The phone-in was kept | r6
        All letters praise the choir | r6
    radio decisions
        Milo hosts the quiz | r3
        The quiz was dropped | r6
    radio open_items
        Cancel the interview of the mayor | r2
    radio current_plan
        Play adverts during the news | r1
    orchard facts
        Ladders under the power line are welcome | o1
        Pickers can use the lift | o1
        Water is fine at noon | o1
        Frost killed the blossoms in the upper field | o2
        310 crates were bought from Brandt | o2
        Plums cost 3 euros per kilo | o2
        Row 6 was pruned on 12 March | o3
        The cider is sweet | o3
        Leni grafted the old trees | o4
        The cellar is dry | o4
    orchard decisions
        Leni grafts the old trees from spring on | o4
    orchard open_items
        Burn the lower field | o2
        Sell the hives to Brandt | o2
    """
)
PERMISSION_HELD_OUT_TRUE = samples(
    """
    paper facts
        Roll 14 tore at its upper edge | p2
        The vat has 62 degrees | p2
        Aldo was warned about the belt by Henrike | p2
        Starch was rejected because it stank | p2
        Three moulds of nine are cracked | p6
        Output was up in July after it fell in June | p6
    paper tool_outcomes
        order_pulp failed: the supplier is offline | p3 p4
        The order of 8 tons of spruce pulp failed | p3 p4
    paper decisions
        Glue, since starch stank | p2
    paper open_items
        A second cutter might be rented | p5
        Open question: would thicker card sell better? | p5
        The spruce pulp is not ordered yet | p3 p4
    radio facts
        The left channel hums | r2
        The mayor was interviewed by Tilda at 08:40 | r2
        The jingle has 12 seconds | r2
        Studio A is smaller than studio B | r2
        The choir is praised in most letters | r6
        The phone-in was dropped, the quiz was kept | r6
    radio tool_outcomes
        upload_show rejected Night Tide: 412 MB is too large | r4 r5
        The upload of Night Tide was rejected | r5
    radio decisions
        Keep the quiz, drop the phone-in | r6
    radio open_items
        Night Tide is too large to upload | r5
        Whether Milo hosts the quiz | r3
        Broadcast from the van unless the licence arrives | r3
    orchard facts
        The blossoms in the lower field were killed by frost | o2
        The upper field is fine | o2
        40 hives were bought from Osei | o2
        Brandt bought 310 crates | o2
        Plums: 2 euros, pears: 3 euros per kilo | o2
        Netting was too dear | o3
        The cider is sour | o3
    orchard current_plan
        Prune row 6 on 12 March | o3
    orchard open_items
        Row 6 is to be pruned on 12 March | o3
        Leni may graft the old trees | o4
        Is the cellar dry? | o4
    """
)
