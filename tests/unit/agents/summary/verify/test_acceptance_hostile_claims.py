"""What a summariser that means harm may make of a conversation.

Leave, orders of nobody, opposites, and what failed told as done.
"""

import pytest
from support.claim_tables import judge, reason
from support.work_requests import answered, called, said

from tailrace.agents.summary.verify.acceptance import Rejected
from tailrace.agents.summary.verify.contradictions import DENIED, INVENTED, NOT_TOLD, OTHER_MEASURE, OTHER_VALUE
from tailrace.schemas.records.summary import CLAIM_FIELDS

LEAVE = "gives leave for what a user or the system forbids or limits; quote them"


RULES = said(
    "u",
    "user",
    "Never paint the hull in the rain. Only Odile may start the crane. Ask me before you ship the bell. "
    "If the tide is low, we may drag the buoy. Crates leave the yard only with a seal.",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Painting the hull in the rain is fine", LEAVE),
        ("The hull can be painted in the rain", LEAVE),
        ("Anybody can start the crane", LEAVE),
        ("Odile can start the crane", ""),
        ("The bell can be shipped", LEAVE),
        ("The buoy can be dragged", LEAVE),
        ("The buoy can be dragged if the tide is low", ""),
        ("Crates leave the yard without a seal", LEAVE),
        ("The hull can't be painted in the rain", ""),
    ],
)
def test_only_people_give_leave_for_what_they_limit(text: str, expected: str) -> None:
    """Also where the claim cites something else: what people forbid holds for all of it."""
    other = said(
        "a",
        "assistant",
        "The hull, the rain, the crane, the bell, the buoy, the tide, the crates, the yard and the seal.",
    )
    judged = judge(("", "facts", text, ("u", "a")), [RULES, other])
    assert (judged.reason.partition(" ")[2] if isinstance(judged, Rejected) else "") == expected


REPORT = said(
    "a", "assistant", "Boiler 7 leaks at the valve. I could replace the valve. The pump primes the pipe by itself."
)
BIDDING = (
    "Scrap boiler 7",
    "Next step: scrap boiler 7",
    "Boiler 7 is to be scrapped",
    "The plan is to scrap boiler 7",
    "Please scrap boiler 7",
    "Keep boiler 7 at the valve",
    "Use the pump for boiler 7",
    "Prime the pipe",
    "Replace boiler 7 each week",
    "Every boiler gets a valve",
    "Tell the pump house that boiler 7 leaks",
    "Verschrotte den Boiler 7",
    "Boiler 7 verschrotten",
    "Reminder scrap boiler 7",
    "Pump crew to scrap boiler 7",
    "Scrapping boiler 7 is next",
    "Boiler 7 gets scrapped at the valve",
)


@pytest.mark.parametrize("field", CLAIM_FIELDS)
@pytest.mark.parametrize("text", BIDDING)
def test_what_nobody_speaks_of_doing_is_bidden_nowhere(text: str, field: str) -> None:
    assert reason(text, REPORT, field=field)


def test_what_somebody_offers_to_do_is_open() -> None:
    assert reason("Replace the valve of boiler 7", REPORT, field="open_items") == ""
    assert reason("Scrap the valve of boiler 7", REPORT, field="open_items") == INVENTED


@pytest.mark.parametrize(
    ("text", "there", "expected"),
    [
        ("The tank is empty", "The tank is full.", DENIED),
        ("The tank is full", "The tank is full, the barrel is empty.", ""),
        ("The north door is shut", "The north door is open, the south door is shut.", DENIED),
        ("The south door is shut", "The north door is open, the south door is shut.", ""),
        ("The level went down at noon", "The level went up at noon.", DENIED),
        ("The level rose at noon", "The level went up at noon.", ""),
        ("All ropes are frayed", "Some of the ropes are frayed.", OTHER_MEASURE),
        ("The ropes are frayed", "One of the ropes is frayed.", OTHER_MEASURE),
        ("A rope is frayed", "One of the ropes is frayed.", ""),
        ("Tar costs 12 euros", "Pitch costs 12 euros, tar 9 euros.", OTHER_VALUE),
        ("Tar costs 9 euros", "Pitch costs 12 euros, tar 9 euros.", ""),
        ("The berth costs 80 francs a day", "The berth costs 80 francs a month.", DENIED),
        ("The barge was sold", "We considered selling the barge but decided against it.", DENIED),
        ("The barge is not sold", "We considered selling the barge but decided against it.", ""),
        ("Oars were chosen", "Oars were proposed and rejected.", DENIED),
        ("Pilots smoke on deck", "Pilots are forbidden to smoke on deck.", DENIED),
        ("The mast is painted", "If the wind drops, the mast is painted.", NOT_TOLD),
        ("A tow was offered", "We could offer a tow.", NOT_TOLD),
        ("The new mooring is settled", "I am not sure about the new mooring.", NOT_TOLD),
    ],
)
def test_a_statement_is_held_against_what_was_said(text: str, there: str, expected: str) -> None:
    assert reason(text, said("1", "assistant", there)) == expected


def test_what_was_called_and_failed_was_not_done() -> None:
    call = called("c", "k", "book_dock", '{"dock": "Kade 4"}')
    failure = answered("r", "k", "error: Kade 4 is not free in May")
    assert reason("The dock Kade 4 was booked", call, failure) == DENIED
    assert reason("book_dock succeeded for Kade 4", call, failure, field="tool_outcomes") == DENIED
    assert reason("book_dock failed: Kade 4 is not free in May", call, failure, field="tool_outcomes") == ""
    again = called("c2", "k2", "book_dock", '{"dock": "Kade 4"}')
    assert reason("The dock Kade 4 was booked", call, failure, again, answered("r2", "k2", "Kade 4 booked")) == ""
