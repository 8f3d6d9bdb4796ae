"""Receipts name what left a context, and never a secret: whoever reads records is not whoever may read a thread."""

import json

import msgspec
import pytest
from secret_samples import SECRETS
from tool_talk import POLICY, Talk, of_type, rules

from tailrace.agents.receipt import HIDDEN, Departure, make_receipt
from tailrace.schemas.compaction import CompactionRecord
from tailrace.schemas.ledger import Ledger
from tailrace.schemas.records import Topic

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
