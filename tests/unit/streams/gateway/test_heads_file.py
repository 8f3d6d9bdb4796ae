"""Which thread ends with which message: what gateways that share a file know of each other, and what a death leaves."""

import sqlite3
from pathlib import Path

import pytest

from tailrace.agents.identity.chain import Link, Scope, chain_of
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.records.message import Format
from tailrace.streams.gateway.heads_file import HeadsFile

SCOPE = Scope(tenant="default", key_hash="k", dialect="openai.chat")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "gateway.db"


def links(*texts: str) -> tuple[Link, ...]:
    return chain_of(SCOPE, [read_native(Format.OPENAI_CHAT, {"role": "user", "content": text}) for text in texts])


FIRST, SECOND = links("Hello", "And then?")


def threads(heads: HeadsFile, link: Link) -> list[str]:
    return [head.thread for head in heads.heads_at([link.id]).get(link.id, [])]


def test_what_the_log_has_is_gone_on_with_by_everybody_who_shares_the_file(file: Path) -> None:
    ours, theirs = HeadsFile(file), HeadsFile(file)
    ours.begin("t1", FIRST)
    ours.settle("t1", FIRST)

    assert threads(theirs, FIRST) == ["t1"]
    assert theirs.move("t1", FIRST, SECOND)
    assert not ours.move("t1", FIRST, SECOND)


def test_what_is_still_on_its_way_is_gone_on_with_only_by_who_sent_it(file: Path) -> None:
    ours, theirs = HeadsFile(file), HeadsFile(file)
    ours.begin("t1", FIRST)

    assert threads(theirs, FIRST) == []
    assert not theirs.move("t1", FIRST, SECOND)
    assert threads(ours, FIRST) == ["t1"]
    assert ours.move("t1", FIRST, SECOND)


def test_a_gateway_that_begins_takes_nothing_from_one_that_lives(file: Path) -> None:
    ours = HeadsFile(file)
    ours.begin("t1", FIRST)

    HeadsFile(file).close()
    HeadsFile(file)

    assert ours.move("t1", FIRST, SECOND)


def test_what_one_that_died_had_not_brought_to_the_log_is_forgotten(file: Path) -> None:
    dead = HeadsFile(file)
    dead.begin("unsettled", FIRST)
    dead.begin("settled", SECOND)
    dead.settle("settled", SECOND)
    # Its locks end with its process; the file stays.
    dead._held.close()

    heads = HeadsFile(file)

    assert threads(heads, FIRST) == []
    assert not heads.knows("unsettled")
    assert threads(heads, SECOND) == ["settled"]
    assert len(list(file.parent.glob("*.alive"))) == 1


def test_a_gateway_that_ends_leaves_no_sign_of_life(file: Path) -> None:
    HeadsFile(file).close()

    assert list(file.parent.glob("*.alive")) == []


def test_a_file_of_an_earlier_form_is_begun_anew(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("create table thread_heads (link text primary key, settled integer)")

    heads = HeadsFile(file)
    heads.begin("t1", FIRST)

    assert heads.knows("t1")
