"""What a policy says of a tool's outputs holds for recall as for artifacts.

Who may not read the one doesn't find the other.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import sqlite_utils
from support.tool_thread import POLICY, Talk, lines, of_type, tool_engine

from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.kafka_records import Stored
from tailrace.schemas.records.recall import RecallDocument
from tailrace.streams.recall.index import RecallIndex

TOOLS = {"vault": ToolRule(sensitivity=Sensitivity.RESTRICTED)}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[RecallIndex]:
    connection = sqlite3.connect(tmp_path / "projection.db", isolation_level=None)
    yield RecallIndex(sqlite_utils.Database(connection))
    connection.close()


def talk() -> Talk:
    """A thread in which a tool shows what few may see, small and large, and another one what all may see."""
    one = Talk(tool_engine(msgspec.structs.replace(POLICY, tools=TOOLS)))
    one.say("user", "begin")
    one.use("the heron opens gate seven", tool="vault")
    one.use(lines(60, "heron"), tool="vault")
    one.use("the heron is a bird", tool="look")
    one.call("a", "b", tool="vault")
    one.answer({"b": "heron eight"})
    one.answer({"a": "heron nine"})
    return one


def grown(one: Talk) -> list[RecallDocument]:
    return [document for documents in one.documents() for document in documents]


def test_an_output_that_few_may_see_is_found_by_few(index: RecallIndex) -> None:
    one = talk()
    index.add(grown(one))

    def found(clearance: Sensitivity) -> set[str]:
        return {hit.id for hit in index.search("heron", tenant="default", clearance=clearance, limit=20)}

    assert found(Sensitivity.INTERNAL) == found(Sensitivity.CONFIDENTIAL) == {"m6"}
    assert found(Sensitivity.RESTRICTED) == {"m2", "m4", "m6", "m8", "m9"}


def test_a_document_is_no_less_sensitive_than_the_artifact_of_its_message() -> None:
    one = talk()
    sensitivities = {document.id: document.sensitivity for document in grown(one)}

    stored = [emission.artifact for outcome in one.outcomes for emission in of_type(outcome, Stored)]
    assert stored
    assert {artifact.sensitivity for artifact in stored} == {sensitivities[one.message_id] for one in stored}
