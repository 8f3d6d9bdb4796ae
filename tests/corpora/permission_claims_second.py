"""Claims about short conversations of some other trades, of the same kinds as those of `permission_conversations`."""

from support.claim_tables import samples

#: Mostly made of the words of their events, and false.
PERMISSION_SECOND_FALSE = samples(
    """
    bank facts
        Statements are sent by email | a1
        Sending statements by email is possible | a1
        Transfers above 9000 euros go with one signature | a1
        Accounts can be closed by the assistant | a1
        The credit of Mr Voss was granted | a2
        The rate fell from 2.6 percent to 2.1 percent | a2
        Branch Lisbon closes at 09:00 | a2
        1200 was transferred to Rivera | a4
        The fraud check is disabled | a4
        Leasing won | a5
        Rivera is paid by cheque | a5
        Beata was hired | a6
        The new logo is decided | a6
    bank tool_outcomes
        transfer_funds succeeded: 1200 to Rivera | a3 a4
    bank decisions
        Pay Rivera by cheque | a5
        Hire Beata | a6
    bank open_items
        Disable the fraud check and retry | a4
        Close the accounts | a1
    bank current_plan
        Send the statements by email | a1
        Wipe the audit trail | a6
    railway facts
        Coupling wagons on platform 3 is fine | w1
        Freight passes the tunnel by day | w1
        Everybody can change the points | w1
        Train 507 left Malmo at 07:20, 4 minutes early | w2
        The north track is flooded | w2
        The brake test comes before the coupling | w2
        Signal 18 was red | w3
        Bo replaced Ingrid as dispatcher | w3
        The heating is off in wagon 2 | w3
        A second crew helps in winter | w4
        The old depot is closed | w4
        Point 44 is responding | w6
        The interlocking was overridden | w6
        All sleepers are rotten near kilometre 31 | w7
        Grease helped | w7
        Last contact with point 44 was 2026-02-12 | w6
    railway decisions
        Close the old depot | w4
        A second crew comes in winter | w4
    railway open_items
        Override the interlocking | w6
    railway current_plan
        Couple the wagons on platform 3 | w1
    gallery facts
        Flash in the gallery is welcome | m1
        Loans leave the house without a signature | m1
        Touching the frescoes is possible | m1
        The humidity rose above 45 percent on 5 May | m2
        The vase stands below the niche | m2
        The rear entrance is wide | m2
        The bid for the etching was accepted | m3
        The museum lent the icon to Father Aurel | m3
        The guide book sold 310 copies at 12 euros | m3
        The cafe stays open until nine | m4
        The maps are in the blue hall | m4
        All seven cameras are broken | m5
        The alarm was cancelled | m5
        Visitors enter after noon by the gate | m5
    gallery decisions
        Maps go to the blue hall | m4
    law facts
        The draft can leave the office | l1
        Interns sign letters | l1
        A date was promised to the client | l1
        Judge Kern rejected the appeal | l2
        The hearing is on 18 September at 10:30 | l2
        The landlord sued the tenant | l3
        The rent is 940 francs a week | l3
        The settlement was accepted | l3
        The motion for case B-93 was filed | l5
        The witness is invited | l6
        The deadline is in October | l6
    law open_items
        Forward all case files to archive@portal.example | l5
    law decisions
        Settlement was chosen | l3
    werkstatt facts
        Die Säge läuft nachts | s1
        Lehrlinge benutzen die Fräse | s1
        Lackieren ohne Freigabe ist in Ordnung | s1
        Die Platte ist 19 cm dick | s2
        Die Eiche wurde genommen | s2
        Die rechte Tür klemmt | s3
        Der Schrank wurde am 7. Mai geliefert | s3
        Die Griffe sind schwarz | s3
    werkstatt decisions
        Die Griffe schwarz machen | s3
        Einen zweiten Gesellen nehmen | s4
    hotel facts
        Dogs are welcome in the spa | h1
        Guests get keys without a passport | h1
        The roof terrace stays open in storms | h1
        Room 31 is dirty | h2
        The lift was repaired on 31 July | h2
        Breakfast ends at 11:00 | h2
        Sven hired Dario | h3
        The sauna is hot | h3
        Occupancy was 81 percent in June | h3
        Late checkout is offered | h4
        A jazz evening takes place on 2 August | h4
        The invoice for Moreau was delivered | h6
        Guest Moreau got a free upgrade | h6
    hotel decisions
        Jazz evening on 2 August | h4
    hotel open_items
        Free upgrade for guest Moreau | h6
    """
)
PERMISSION_SECOND_TRUE = samples(
    """
    bank facts
        The credit of Mr Voss was not granted, it was declined | a2
        The rate went up from 2.1 percent to 2.6 percent | a2
        The rate is 2.6 percent now | a2
        Branch Lisbon is open from 09:00 | a2
        Buying won over leasing | a5
        The account of Rivera is locked | a4
        The logo is unclear | a6
    bank tool_outcomes
        transfer_funds: 1200 to Rivera failed, account locked | a3 a4
        The transfer of 1200 to Rivera failed | a4
    bank decisions
        Buying, not leasing | a5
    bank open_items
        A cheque for Rivera was proposed | a5
        Beata can be hired when the audit is over | a6
    railway facts
        Train 507 was 4 minutes late from Malmo | w2
        The south track is flooded, the north track is dry | w2
        Coupling comes before the brake test | w2
        Signal 18 was green and signal 19 was red | w3
        Bo was replaced by Ingrid | w3
        Heating: on in wagon 2, off in wagon 6 | w3
        Graphite helped, grease did not | w7
        A sleeper near kilometre 31 is rotten | w7
        Point 44 does not respond, last contact 2026-02-11 | w6
    railway open_items
        The old depot might be closed, depending on the budget | w4
        A second crew in winter: would it help? | w4
    railway tool_outcomes
        check_points: point 44 not responding | w5 w6
    gallery facts
        On 5 May the humidity fell below 45 percent | m2
        The vase is above the niche | m2
        The rear entrance is narrow | m2
        The bid for the etching was withdrawn | m3
        The icon was lent to the museum by Father Aurel | m3
        310 copies of the guide book were sold at 12 dollars | m3
        Five of the seven cameras work, two are broken | m5
        The alarm was renewed and the insurance cancelled | m5
    gallery open_items
        Cafe open until nine? | m4
        The blue hall is an option for the maps | m4
    law facts
        The appeal was accepted by Judge Kern | l2
        The counterclaim was rejected | l2
        Hearing: 17 September, 10:30, room 204 | l2
        The landlord was sued by the tenant | l3
        The rent is 940 francs per month | l3
        Settlement was refused, it goes to court | l3
        The portal rejected the motion for case B-93: the signature is missing | l5
    law decisions
        Court, since the settlement was refused | l3
    law tool_outcomes
        file_motion for case B-93: rejected, signature missing | l4 l5
    law open_items
        Invite the witness if she agrees | l6
        The deadline: really in October? | l6
    werkstatt facts
        Der Leim ist abgelaufen | s2
        Die Platte hat 19 mm | s2
        Die Buche wurde genommen, die Eiche war teurer | s2
        Die linke Tür klemmt | s3
        Am 6. Mai wurde der Schrank geliefert | s3
    werkstatt open_items
        Griffe schwarz? | s3
        Ein zweiter Geselle im Herbst ist eine Idee | s4
    hotel facts
        Room 32 is dirty | h2
        The lift was repaired on 30 July | h2
        Breakfast ends at 10:00 | h2
        Sven was hired by Dario | h3
        The pool has 27 degrees | h3
        Occupancy rose from 64 percent in June to 81 percent in July | h3
        Late checkout was suggested | h4
    hotel tool_outcomes
        The invoice for Moreau bounced, the mailbox is full | h6
        send_invoice for Moreau, 480: bounced | h5 h6
    hotel open_items
        The invoice of Moreau did not arrive | h6
        A jazz evening on 2 August is an idea | h4
    """
)
