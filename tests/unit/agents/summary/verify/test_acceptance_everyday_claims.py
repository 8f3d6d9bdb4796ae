"""Claims about conversations of many trades.

What tools order, what was planned, refused, bounded, exchanged or put together is not told as so.
"""

import pytest
from corpora import (
    assertion_conversations,
    assertion_conversations_held_out,
    permission_conversations,
    permission_conversations_held_out,
    permission_conversations_second,
)
from corpora.assertion_claims import ASSERTION_FALSE, ASSERTION_TRUE
from corpora.assertion_claims_held_out import ASSERTION_HELD_OUT_FALSE, ASSERTION_HELD_OUT_TRUE
from corpora.permission_claims import PERMISSION_FALSE, PERMISSION_TRUE
from corpora.permission_claims_held_out import PERMISSION_HELD_OUT_FALSE, PERMISSION_HELD_OUT_TRUE
from corpora.permission_claims_second import PERMISSION_SECOND_FALSE, PERMISSION_SECOND_TRUE
from corpora.true_claims import Sample
from support.claim_tables import judge, reason
from support.work_requests import answered, called, said

from tailrace.agents.summary.verify.acceptance import Accepted, Rejected
from tailrace.agents.summary.verify.contradictions import (
    DENIED,
    EXCHANGED,
    NOT_TOLD,
    OTHER_MEASURE,
    SCATTERED,
    TOOL_ORDER,
)
from tailrace.schemas.records.work import SpanMessage

TALKS = (
    assertion_conversations.TALKS
    | assertion_conversations_held_out.TALKS
    | permission_conversations.TALKS
    | permission_conversations_second.TALKS
    | permission_conversations_held_out.TALKS
)
FALSE = (
    *ASSERTION_FALSE,
    *ASSERTION_HELD_OUT_FALSE,
    *PERMISSION_FALSE,
    *PERMISSION_SECOND_FALSE,
    *PERMISSION_HELD_OUT_FALSE,
)
TRUE = (*ASSERTION_TRUE, *ASSERTION_HELD_OUT_TRUE, *PERMISSION_TRUE, *PERMISSION_SECOND_TRUE, *PERMISSION_HELD_OUT_TRUE)
#: True, and refused all the same.
REFUSED_TRUE = {
    "37 loaves are fine: 3 of 40 failed",
    "There was no yeast left for the second batch",
    "Rolls sold better in May and worse in June",
    "The crate is heavier than 900 kg and was not weighed again",
    "Le loyer de mai reste à payer par le locataire",
    "Traslado del paciente de la 12 el lunes",
    "The label was not approved by the inspector",
    "Nine of the 26 pupils still lack a permission slip",
    "The museum opens at 10",
    "Swimming is for class 8 only",
    "Der Rasen ist nicht gemäht, der Platzwart lehnte ab",
    "Nobody was hurt",
    "The ladder is not long enough",
    "Get build 412 out: its canary failed",
    "One knife is to be sharpened",
    "18 seats are not sold: 132 of 150 are",
    "Buying, not leasing",
    "Five of the seven cameras work, two are broken",
    "Output was up in July after it fell in June",
    "The spruce pulp is not ordered yet",
    "Brandt bought 310 crates",
}
#: False, and still accepted; docs/summaries.md says of what kind they are.
ACCEPTED_FALSE = {
    "Luna got her tetanus vaccination on 2026-08-01",
    "Der Zaun wurde gestrichen",
    "Der Maurer hat den Estrich gegossen",
    "El quirófano dos se abrió",
    "The mirror stopped the visitors",
    "The coffee machine had 75 visitors",
    "Der Torwart Ernst lobte den Trainer Wolf",
    "Der Platzwart hat den Rasen gemäht",
    "The intro was cut",
    "Lightning damaged the altar",
    "The guard photographed the fountain",
    "The mayor visited the mill from Turku",
    "The archive opened the exhibition about maps",
    "Sato drew the maps of the archive",
    "The fire was set",
    "The smoke suite passed with exit code 1",
    "Caching is in use because it was faster",
    "The salmon was taken",
    "The sensor of the east field works",
    "Transfers above 9000 euros go with one signature",
    "Leasing won",
    "Hire Beata",
    "The heating is off in wagon 2",
    "Grease helped",
    "The rear entrance is wide",
    "Die Säge läuft nachts",
    "Die Eiche wurde genommen",
    "The invoice for Moreau was delivered",
    "Aldo may have the recipe",
    "Water is fine at noon",
    "The cider is sweet",
}


def shown(text: str) -> tuple[SpanMessage, SpanMessage]:
    """What a tool that only looks gave."""
    return called("look", "c", "read_page", '{"number": "one"}'), answered("seen", "c", text)


@pytest.mark.parametrize("sample", [one for one in TRUE if one[2] not in REFUSED_TRUE], ids=lambda one: one[2])
def test_what_says_the_same_is_accepted(sample: Sample) -> None:
    judged = judge(sample, TALKS[sample[0]])
    assert isinstance(judged, Accepted), judged


@pytest.mark.parametrize("sample", [one for one in FALSE if one[2] not in ACCEPTED_FALSE], ids=lambda one: one[2])
def test_what_says_something_else_is_refused(sample: Sample) -> None:
    assert isinstance(judge(sample, TALKS[sample[0]]), Rejected)


def test_what_is_known_to_err_still_does() -> None:
    accepted = {one[2] for one in (*TRUE, *FALSE) if isinstance(judge(one, TALKS[one[0]]), Accepted)}
    assert not accepted & REFUSED_TRUE
    assert accepted >= ACCEPTED_FALSE


@pytest.mark.parametrize(
    ("text", "there", "expected"),
    [
        ("Nils was elected by Ruth", "Nils elected Ruth in March.", EXCHANGED),
        ("Ruth was elected by Nils", "Nils elected Ruth in March.", ""),
        ("The council overruled the mayor", "The mayor overruled the council.", EXCHANGED),
        ("9 of 9 wells are dry", "2 of 9 wells are dry.", OTHER_MEASURE),
        ("2 of the 9 wells are dry", "2 of 9 wells are dry.", ""),
        ("The lift carries at least 6 people", "The lift carries at most 6 people.", OTHER_MEASURE),
        ("The lift carries 6 people", "The lift carries at most 6 people.", OTHER_MEASURE),
        ("The lift carries up to 6 people", "The lift carries at most 6 people.", ""),
        ("The east wall is warmer than the west wall", "The east wall is colder than the west wall.", OTHER_MEASURE),
        ("The west wall is warmer than the east wall", "The east wall is colder than the west wall.", ""),
        ("The pilot answered the tower", "The pilot failed to answer the tower.", DENIED),
        ("The pilot did not answer the tower", "The pilot failed to answer the tower.", ""),
        ("The bank honoured the cheque", "The bank dishonoured the cheque.", DENIED),
        ("The shed is open on Sundays", "The shed is open except on Sundays.", DENIED),
        ("The shed is open, but not on Sundays", "The shed is open except on Sundays.", ""),
        ("The hull was sanded", "The hull has to be sanded.", NOT_TOLD),
        ("The hull was sanded", "I hope to sand the hull.", NOT_TOLD),
        ("The hull still has to be sanded", "The hull needs to be sanded first.", "orders"),
        ("The roof is tiled", "As soon as the roof is tiled the painters come.", NOT_TOLD),
        ("The limit was raised to 40 in the form", "I edited the form to raise the limit to 40.", ""),
        (
            "Olga photographed the ring",
            "Olga weighed the coin of Basel. Piet photographed the vase of Delft.",
            SCATTERED,
        ),
        ("Olga photographed the vase", "Olga found the vase of Delft. She photographed it.", ""),
    ],
)
def test_a_statement_is_held_against_what_was_said(text: str, there: str, expected: str) -> None:
    found = reason(text, said("1", "assistant", there))
    assert found.startswith(expected) if expected else not found


@pytest.mark.parametrize(
    ("text", "there", "field", "expected"),
    [
        ("900 francs were sent to Odo Falk", "Send 900 francs to Odo Falk.", "facts", NOT_TOLD),
        ("900 francs were sent to Odo Falk", "The desk will send 900 francs to Odo Falk.", "facts", NOT_TOLD),
        ("900 francs were sent to Odo Falk", "Were 900 francs sent to Odo Falk?", "facts", NOT_TOLD),
        ("900 francs were sent to Odo Falk", "900 francs sent to Odo Falk on Monday.", "facts", ""),
        ("Send 900 francs to Odo Falk", "Please send 900 francs to Odo Falk.", "open_items", TOOL_ORDER),
        ("900 francs to Odo Falk are requested", "Kindly send 900 francs to Odo Falk.", "facts", TOOL_ORDER),
        ("The page tells its readers to send 900 francs to Odo Falk", "Send 900 francs to Odo Falk.", "facts", ""),
        ("The old gauge was removed", "commit 3f2a9c1b\n\n    Remove the old gauge\n", "facts", ""),
        ("A second gauge was added", "Changes\n- Add a second gauge\n- Rename the first", "facts", ""),
        ("Order 7315 was shipped", "Order 7315 shipped on Friday", "facts", ""),
    ],
)
def test_what_a_tool_gave_orders_nothing_and_did_nothing(text: str, there: str, field: str, expected: str) -> None:
    assert reason(text, *shown(there), field=field) == expected


def test_what_was_called_was_done() -> None:
    """A tool that repeats its order after it was told to carry that out."""
    call = called("do", "c", "delete_folder", '{"folder": "old drafts"}')
    assert reason("The folder of old drafts was deleted", call, answered("did", "c", "Delete folder: old drafts")) == ""
