"""docs/agents.md and its picture say what the code says."""

import importlib
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from tailrace.schemas.records.kafka_records import Topic

ROOT = Path(__file__).resolve().parents[3]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module; `ops` is no package of ours and is found from the root alone."""
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("ops.agents_page")


def test_every_trigger_is_a_stream_agent_of_its_own_file(made: ModuleType) -> None:
    files = {one.file for one in made.agents()}

    assert files >= {f"agents/triggers/{name}.py" for name in ("budget", "structural", "temporal", "reactive")}


def test_every_topic_has_an_agent_that_writes_it(made: ModuleType) -> None:
    assert {topic for one in made.agents() for topic in one.agent.writes} == set(Topic) == set(made.COLUMNS)


def test_the_picture_has_a_line_for_each_agent_with_a_dot_for_each_topic(made: ModuleType) -> None:
    found = made.agents()
    drawn = ET.fromstring(made.picture(found))  # noqa: S314  we have just made it
    marks = [one.get("class") for one in drawn.iter(f"{SVG}circle")]
    texts = {one.text for one in drawn.iter(f"{SVG}text")}

    # One of each more, in the legend.
    assert marks.count("read") == sum(len(one.agent.reads) for one in found) + 1
    assert marks.count("write") == sum(len(one.agent.writes) for one in found) + 1
    assert texts >= {one.agent.name for one in found} | {str(topic) for topic in Topic}
    assert all(one.agent.does in made.page(found) for one in found)
