"""Who sent a record, written to its headers and read from them."""

import pytest

from tailrace.schemas.records.actor import ACTOR_HEADER, TENANT_HEADER, Actor, actor_of, signed
from tailrace.schemas.records.dead_letter import Headers

OTHERS: Headers = (("ce_id", b"m1"), ("of-a-user", None))


@pytest.mark.parametrize("actor", [Actor(name="bot", tenant="acme"), Actor(name="bött", tenant="a/b", letter="3-17")])
def test_whoever_signs_is_who_is_read(actor: Actor) -> None:
    assert actor_of(signed(OTHERS, actor)) == actor


def test_who_signs_last_is_the_only_one() -> None:
    first = signed(OTHERS, Actor(name="first", tenant="acme", letter="0-1"))
    forged = (*first, ("CE_Actor", b"forged"))

    assert actor_of(signed(forged, Actor(name="second", tenant="other"))) == Actor(name="second", tenant="other")
    assert signed(forged, None) == OTHERS


@pytest.mark.parametrize(
    "headers", [(), OTHERS, ((ACTOR_HEADER, b"bot"),), ((ACTOR_HEADER, None), (TENANT_HEADER, b"t"))]
)
def test_a_record_without_both_names_is_nobodys(headers: Headers) -> None:
    assert actor_of(headers) is None
