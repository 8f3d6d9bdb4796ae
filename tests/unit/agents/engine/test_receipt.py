"""Receipts name what left a context, and never a secret: whoever reads records is not whoever may read a thread."""

import json

import msgspec
import pytest
from support.drafts import assistant, count, exchange, system, user
from support.fresh_secrets import SECRETS
from support.tool_thread import POLICY, Talk, of_type, rules

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import compact
from tailrace.agents.engine.receipt import HIDDEN, Departure, make_receipt
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import ClassReceipt, CompactionRecord
from tailrace.schemas.records.context import Entry, EntryKind
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.ledger import (
    Directive,
    DirectiveKind,
    Evidence,
    EvidenceKind,
    Ledger,
    Obligation,
    ObligationKind,
    UnclassifiedStatement,
)
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

#: Arguments of a call, each with a secret that one of its words gives away.
ARGUMENTS = {
    **{kind: {"command": f"curl -H x {secret} /srv/pool.txt"} for kind, secret in SECRETS.items() if kind != "private"},
    "named": {"host": "weir-17.example", "password": "Xk29fLmQ7vRb"},
    "nested": {"env": {"POOL_API_KEY": "b7Qm2xZr91LkTw5cVnE4"}},
    "header": {"headers": ["Authorization: Bearer 9sKf83nVbq01LmZx77Rt"]},
}
NEEDLES = {
    **{kind: secret for kind, secret in SECRETS.items() if kind != "private"},
    "named": "Xk29fLmQ7vRb",
    "nested": "b7Qm2xZr91LkTw5cVnE4",
    "header": "9sKf83nVbq01LmZx77Rt",
}


def compacted(arguments: object, *, masked: bool) -> tuple[Talk, list[CompactionRecord]]:
    """A thread in which a call with these arguments has left."""
    talk = Talk(rules(msgspec.structs.replace(POLICY, default_window_tokens=2_000, mask_secrets=masked)))
    talk.say("user", "Begin.")
    talk.use("done", arguments=arguments)
    records: list[CompactionRecord] = []
    for number in range(12):
        records += of_type(talk.say("user", f"question {number} " + "how deep is the pool " * 40), CompactionRecord)
        records += of_type(talk.say("assistant", f"answer {number} " + "as deep as it was " * 40), CompactionRecord)
    assert records
    return talk, records


@pytest.mark.parametrize("kind", ARGUMENTS)
def test_no_record_shows_a_secret_of_an_argument(kind: str) -> None:
    talk, records = compacted(ARGUMENTS[kind], masked=True)

    for record in talk.records:
        if (
            record.topic is not Topic.CONTEXTS
            or json.loads(record.value or b"{}").get("kind", "verbatim") != "verbatim"
        ):
            assert NEEDLES[kind].encode() not in (record.value or b"")
    listed = [item.text for record in records for item in record.receipt.classes["identifiers"].listed]
    assert HIDDEN in listed or not listed


def identifiers(*, masked: bool) -> list[str]:
    """What is named of a call that has left and of which nothing is said any more."""
    talk = Talk()
    talk.say("user", "Begin.")
    talk.call("a", arguments=ARGUMENTS["named"])
    departure = Departure(talk.view.live(), (), Ledger())
    return [
        one.text
        for one in make_receipt(departure, changed=2, listed_max=9, masked=masked).classes["identifiers"].listed
    ]


def test_what_is_no_secret_is_named() -> None:
    assert {"weir-17.example", HIDDEN} <= set(identifiers(masked=True))
    assert NEEDLES["named"] not in identifiers(masked=True)


def test_where_a_policy_masks_nothing_everything_is_named() -> None:
    assert NEEDLES["named"] in identifiers(masked=False)


# What a receipt says is what a search in the context finds.

RULE, PLEA = "Never open gate 7 while the road below is in use.", "Hands off the weir while the salmon climb."
DECISION = "we keep the old sill for another year"


def entry(name: str, text: str, kind: EntryKind = EntryKind.VERBATIM) -> Entry:
    """An entry of a context that says this."""
    message = Message(role="user", parts=(TextPart(content=text),))
    return msgspec.structs.replace(_said(), id=name, kind=kind, message=msgspec.Raw(msgspec.json.encode(message)))


def _said() -> Entry:
    talk = Talk()
    talk.say("user", "Begin.")
    return talk.view.live()[0]


HELD = Ledger(
    directives=(Directive(kind=DirectiveKind.RULE, text=RULE, source="m1"),),
    obligations=(Obligation(kind=ObligationKind.TASK, text="Paint the lower gate.", source="m3"),),
    evidence=(Evidence(kind=EvidenceKind.DECISION, text=DECISION, source="m4"),),
    unclassified=(UnclassifiedStatement(text=PLEA, source="m2"),),
)
LEFT = (
    entry("m1", RULE),
    entry("m2", PLEA),
    entry("m3", "Paint the lower gate."),
    entry("m4", f"Then {DECISION}. The plan is in SillPlan and sill-plan.md."),
)
PLANTED = {
    "directives": {RULE: "m1"},
    "obligations": {"Paint the lower gate.": "m3"},
    "decisions": {DECISION: "m4"},
    "said": {PLEA: "m2"},
    "identifiers": {"SillPlan": "m4", "sill-plan.md": "m4"},
}


def receipt_of(*live: Entry, held: Ledger = HELD) -> dict[str, ClassReceipt]:
    return make_receipt(Departure(LEFT, live, held), changed=len(LEFT), listed_max=9).classes


@pytest.mark.parametrize("kind", [EntryKind.SUMMARY, EntryKind.LEDGER, EntryKind.VERBATIM])
def test_all_that_the_context_says_word_for_word_is_retained(kind: EntryKind) -> None:
    told = "\n".join(text for items in PLANTED.values() for text in items)

    classes = receipt_of(entry("s", told, kind))

    assert {name: (one.retained, one.recoverable, one.listed) for name, one in classes.items()} == {
        name: (len(items), 0, ()) for name, items in PLANTED.items()
    }


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, items in PLANTED.items() for text in items])
@pytest.mark.parametrize("place", [0, -1])
def test_an_item_that_a_record_tells_with_other_words_is_named_with_the_message_that_holds_it(
    name: str, text: str, place: int
) -> None:
    told = [one for items in PLANTED.values() for one in items]
    spoilt = text[:place] + "x" + (text[place + 1 :] if place == 0 else "")
    mutated = [one.replace(text, spoilt) for one in told]

    classes = receipt_of(entry("s", "\n".join(mutated)))

    assert [(one.text, one.message_id) for one in classes[name].listed] == [(text, PLANTED[name][text])]
    assert classes[name].retained == len(PLANTED[name]) - 1
    assert all(one.recoverable == (found == name) for found, one in classes.items())


def test_the_end_of_a_long_statement_counts_too() -> None:
    long = "Never open gate 7 while the road below is in use, nor gate 8 when the meadow is wet, nor any gate at night."
    held = Ledger(directives=(Directive(kind=DirectiveKind.RULE, text=long, source="m1"),))

    classes = receipt_of(entry("s", long.replace("at night", "by day")), held=held)

    assert [one.text for one in classes["directives"].listed] == [long]


def test_what_stands_in_the_midst_of_a_long_text_is_retained() -> None:
    told = "\n".join(text for items in PLANTED.values() for text in items)
    around = "the water stands still and nothing happens " * 2_000

    classes = receipt_of(entry("s", f"{around}\n{told}\n{around}"))

    assert not any(one.recoverable for one in classes.values())


def test_a_rule_that_a_message_which_was_cut_says_without_its_heading_is_retained() -> None:
    rule = Directive(kind=DirectiveKind.RULE, text="Boat house: Never lend the oars.", source="m1")
    held = Ledger(directives=(rule,))

    assert (
        receipt_of(entry("d:1", "…\n- Never lend the oars.", EntryKind.POINTER), held=held)["directives"].retained == 1
    )
    assert (
        receipt_of(entry("d:1", "…\n- Never lend the punt.", EntryKind.POINTER), held=held)["directives"].retained == 0
    )


@pytest.mark.parametrize(("prompt", "task", "latest"), [(2_000, 2_000, 100), (50, 3_000, 40), (900, 10, 900)])
def test_every_message_of_the_former_context_is_counted_once(prompt: int, task: int, latest: int) -> None:
    talk = [system(prompt), user(task), assistant("fine"), *exchange("a", 400), user(latest)]

    done = compact(talk, Engine(Policy(), count), budget_tokens=900)

    assert done.record is not None
    receipt = done.record.receipt
    assert receipt.recoverable > 0
    assert receipt.retained + receipt.recoverable == len(talk)
