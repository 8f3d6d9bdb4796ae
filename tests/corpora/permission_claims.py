"""Claims about short conversations of some trades.

Leave made of a prohibition, opposites, orders of nobody, and what went wrong told as right.
"""

from support.claim_tables import samples

#: Mostly made of the words of their events, and false.
PERMISSION_FALSE = samples(
    """
    release facts
        Deploying on Friday is allowed | r1
        Deploying on Friday is fine with the owner | r1
        Merging into main is possible without a question | r1
        Jonas may rotate the keys | r1
        Everybody can rotate the keys | r1
        The canary of build 411 failed with 7 errors | r2
        A rollback to 411 was chosen | r2
        The smoke suite passed with exit code 1 | r4
        All 64 smoke tests passed | r4
        61 failed, 3 passed in the smoke suite | r4
        The tag v9 was pushed | r4
        Caching is in use because it was faster | r5
        The timeout was raised from 10 s to 30 s | r5
        The timeout was lowered to 10 ms | r5
        The limit was raised to 500 requests | r6
        The cache is warmed before the queue drains | r7
        Latency is high inside the cluster | r7
    release decisions
        Deploy on Friday | r1
        Roll back to 411 | r2
        Move to Frankfurt | r6
        Caching was chosen | r5
    release open_items
        Push the tag v9 | r4
        Deploy build 412 on Friday | r1 r2
        Close all tickets | r4
    release current_plan
        Merge into main and deploy on Friday | r1
        Delete the backups of last year | r5
    release current_task
        Rotate the keys of all customers | r1
    release artifacts
        Agents push to main directly | r1
    kitchen facts
        Nuts are served to table 5 | k1
        Marco may order fish | k1
        The soup does not stay vegetarian | k1
        The right tray burned | k2
        The dough rested for 45 seconds | k2
        The salmon was taken | k3
        The freezer is empty and the pantry is full | k3
        A second baker was hired in May | k4
        All knives are blunt | k4
        Tomas trained Elena on the grill | k5
        The delivery of 12 crates came on 15 March | k5
        The eggs were raw outside | k5
    kitchen decisions
        The duck is offered on Sunday | k2
        Hire a second baker in May | k4
    kitchen open_items
        Order fish with Marco | k1
    clinic facts
        The dose can be changed without Dr. Adler | c1
        Children under 6 get the syrup | c1
        Visitors are welcome after 20:00 | c1
        The dose was increased from 20 mg to 40 mg on 3 June | c2
        The fever went down after the second dose | c2
        The fever went up before the second dose | c2
        The patient in room 8 is asleep | c2
        Sample A-77 was accepted | c4
        Potassium is 139 mmol | c4
        The four pumps are defective | c5
        Petra relieved Ilse at noon | c5
        The allergy is confirmed | c5
        She goes home on Tuesday | c6
        The infusion was stopped | c6
    clinic open_items
        Discharge the patient today | c4
    clinic current_plan
        Discharge the patient | c4
    stage facts
        Photographs during the show are welcome | t1
        Real candles are used on stage | t1
        The understudy can skip rehearsals | t1
        The red curtain was chosen by the director | t2
        The trapdoor closes from above | t2
        Act two is longer than act one | t2
        Tickets cost 18 euros in the stalls | t3
        All 150 seats are sold for 9 October | t3
        132 of 150 seats are sold for 8 October | t3
        The choir enters from the left | t4
        A fog machine was rented | t4
        The hall Orpheum is booked for 2026-10-09 | t6
        All costumes are torn | t7
    stage tool_outcomes
        book_hall booked the hall Orpheum | t5 t6
    stage decisions
        Rent a fog machine | t4
    boat facts
        Sailing beyond the breakwater is possible | b1
        The engine runs in the harbour | b1
        The wind is strong in the morning | b2
        The tank is nearly full | b2
        Lars towed Kofi to the pier | b3
        We left Anholt at 05:15 and arrived at Skagen at 11:40 | b3
        The hull is blue | b4
        The insurer pays for the rigging | b5
        The new compass was kept | b5
    boat current_plan
        Sail beyond the breakwater | b1
    farm facts
        Sprays are in use on the east field | f1
        Cows are moved at night | f1
        The red cabinet is open to all | f1
        Milk yield rose by 8 percent in April | f2
        The calf was born on 20 April | f2
        The barn door was closed | f2
        The tractor is sold | f3
        Straw costs 90 euros per ton | f3
        Nadia has taken over the bees | f4
        The sensor of the east field works | f6
    farm decisions
        Sell the tractor | f3
    farm open_items
        Irrigate all fields | f6
    """
)
#: What the same conversations say.
PERMISSION_TRUE = samples(
    """
    release facts
        Build 411 was fine, the canary of build 412 failed with 7 errors | r2
        The canary of build 412 failed | r2
        The timeout is 10 s now, it was 30 s | r5
        The timeout was lowered to 10 s | r5
        Caching was dropped because it leaked memory | r5
        Latency is high outside of the cluster | r7
        The queue drains first, then the cache is warmed | r7
        The limit may go up to 500 requests if the load test passes | r6
        A move to Frankfurt is possible later, not decided | r6
    release tool_outcomes
        run_tests of the smoke suite: 3 failed, 61 passed, exit code 1 | r3 r4
        The smoke tests failed, 3 of them | r4
    release open_items
        Open: roll back to 411 or wait for the fix of Jonas | r2
        Whether to move to Frankfurt | r6
    release current_task
        Get build 412 out: its canary failed | r2
    release decisions
        No caching, since it leaked memory | r5
    kitchen facts
        The oven is set to 180 degrees | k2
        The left tray burned | k2
        The trout was taken, the salmon was too expensive | k3
        The pantry is empty | k3
        The freezer is full | k3
        A knife is blunt | k4
        Elena trained Tomas | k5
        Tomas was trained on the grill by Elena | k5
        12 crates were delivered on 14 March | k5
        A second baker in May is an idea | k4
    kitchen decisions
        Trout instead of salmon | k3
        The trout was chosen over the salmon | k3
    kitchen open_items
        Duck on Sunday? | k2
        A second baker, perhaps in May | k4
        One knife is to be sharpened | k4
    clinic facts
        The dose is 20 mg since 3 June | c2
        The dose went from 40 mg to 20 mg on 3 June | c2
        The fever rose after the second dose | c2
        Sample A-77 was rejected because the tube clotted | c4
        One pump of four is defective | c5
        Ilse relieved Petra at noon | c5
        It is open whether the allergy is confirmed | c5
        Room 8: the patient is awake | c2
    clinic tool_outcomes
        Lab: potassium 4.1 mmol, sodium 139 mmol | c4
        query_lab rejected sample A-77 | c3 c4
    clinic open_items
        She may go home on Tuesday unless the cough gets worse | c6
        Stop of the infusion tomorrow, if at all | c6
    stage facts
        The director rejected the red curtain | t2
        A grey curtain was suggested | t2
        Act one is longer than act two | t2
        18 seats are not sold: 132 of 150 are | t3
        Stalls 24 euros, balcony 18 euros | t3
        Two of the torn costumes are being mended | t7
        The hall Orpheum is not available on 2026-10-09 | t6
    stage tool_outcomes
        book_hall failed: Orpheum is not available on 2026-10-09 | t5 t6
    stage open_items
        Fog machine: to rent or not | t4
        The hall is not booked | t7
        The choir might enter from the left | t4
    boat facts
        The wind is weak in the morning | b2
        The tank is nearly empty | b2
        Kofi towed Lars | b3
        From Skagen to Anholt: 05:15 to 11:40 | b3
        The bilge pump stopped twice | b3
        The rigging is not insured | b5
        The old compass stays, the new one went back | b5
    boat open_items
        Blue paint for the hull? | b4
        An offer for new sails | b4
    farm facts
        In April the milk yield fell by 8 percent | f2
        The barn door stood open | f2
        A calf was born on 21 April | f2
        The tractor is not sold | f3
        Hay: 90 euros per ton | f3
        The sensor of the east field has given no data since 04:00 | f6
    farm decisions
        The tractor is kept: they decided against selling it | f3
    farm open_items
        A permit for the pond: needed? | f4
        Nadia might take over the bees | f4
    farm tool_outcomes
        read_sensor: status timeout on the east field, moisture 12 % | f5 f6
    """
)
