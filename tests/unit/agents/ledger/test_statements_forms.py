"""What people say by the form of it.

How much of what is to last is noticed, and how little of what is for the moment.
"""

import pytest
from corpora.lasting_rules import LASTING, LASTING_LATER, LISTED
from corpora.passing_talk import AT_WORK, PASSING, PASSING_LATER
from support.growing_ledger import note

from tailrace.agents.ledger.statements import FORM_CHARS_MAX, binding, kind_of, statements
from tailrace.schemas.records.ledger import DirectiveKind, Ledger
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallResponsePart

#: Of what the rules were made with, what they miss or take for more than it is. A rule more may take one out, never put
#: one in.
MISSED = frozenset(
    """\
We can spend 200 a night.
The dog sleeps outside.
Snake case for functions, please.
Put safety first.
Quiet after 10 pm.
Skip the small talk.
Spare me the details.
In an emergency, ring the bell twice.
I work nights.
More examples, fewer adjectives.
Short sentences, please.
Use they for the author.
Nesahej na troubu.
F\u0131r\u0131na dokunma.
""".splitlines()
)
TAKEN = frozenset(
    """\
I want a sandwich.
Never mind, found it.
No answer from Petra.
She can't come today.
Le four est chaud.
""".splitlines()
)
#: Of the half that was left unread, the share that must be noticed, and that must not.
LASTING_SHARE_MIN = 0.87
PASSING_SHARE_MAX = 0.10


def noticed(text: str) -> list[str]:
    return [said for _, said in statements(text)]


@pytest.mark.parametrize("text", [*LASTING[::2], *LASTING_LATER])
def test_what_is_to_last_is_noticed(text: str) -> None:
    assert noticed(text) == ([] if text in MISSED else [text])


@pytest.mark.parametrize("text", [*PASSING[::2], *PASSING_LATER, *AT_WORK])
def test_what_is_for_the_moment_is_not(text: str) -> None:
    assert noticed(text) == ([text] if text in TAKEN else [])


def test_most_of_what_the_rules_were_not_made_for_is_noticed_too() -> None:
    unread = LASTING[1::2]
    found = [text for text in unread if noticed(text) == [text]]

    assert len(unread) > 150
    assert len(found) >= LASTING_SHARE_MIN * len(unread)


def test_little_of_what_is_for_the_moment_is_taken_for_more() -> None:
    unread = PASSING[1::2]
    taken = [text for text in unread if noticed(text)]

    assert len(unread) > 150
    assert len(taken) <= PASSING_SHARE_MAX * len(unread)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Hands off the ballast pump.", DirectiveKind.RULE),
        ("I'm allergic to latex.", DirectiveKind.PREFERENCE),
        ("I hate long preambles.", DirectiveKind.PREFERENCE),
        ("Be concise.", DirectiveKind.PREFERENCE),
        ("I need the hull report before Easter.", DirectiveKind.DEADLINE),
        ("Empty the traps by Friday.", DirectiveKind.DEADLINE),
        ("No more than six divers at once.", DirectiveKind.LIMIT),
    ],
)
def test_a_form_says_what_a_statement_does(text: str, kind: DirectiveKind) -> None:
    assert kind_of(text) is kind


def test_a_form_binds_less_than_a_word_of_demand_and_only_in_short_sentences() -> None:
    assert binding(DirectiveKind.RULE, "Hands off it.") < binding(DirectiveKind.RULE, "Never do it!!")
    told = "If the gauge falls, open the gate" + " and wait a little" * 6
    assert len(told) > FORM_CHARS_MAX
    assert kind_of(told) is None
    assert kind_of(told[:FORM_CHARS_MAX]) is DirectiveKind.RULE


@pytest.mark.parametrize(("text", "held"), LISTED)
def test_lists_and_lines_that_go_on_are_read_as_what_they_are(text: str, held: tuple[str, ...]) -> None:
    assert tuple(noticed(text)) == held


def test_an_exception_on_a_line_of_its_own_belongs_to_its_rule_only_if_that_has_not_ended() -> None:
    assert noticed("Never dive alone\nunless I am on deck") == ["Never dive alone unless I am on deck"]
    assert noticed("Never dive alone.\nUnless it storms, never anchor here.") == [
        "Never dive alone.",
        "Unless it storms, never anchor here.",
    ]


def beside(response: str, text: str) -> Ledger:
    message = Message(role="user", parts=(ToolCallResponsePart(id="c1", response=response), TextPart(content=text)))
    return note(Ledger(), message, event_id="m1", turn=1, created_at_ms=0)


def test_what_a_person_says_beside_results_is_held_but_not_what_only_repeats_them() -> None:
    ledger = beside("Always open port 22.", "Never touch the sluice.\nAlways open port 22.")

    assert [one.text for one in ledger.directives] == ["Never touch the sluice."]
