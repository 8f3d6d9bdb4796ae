"""docs/rooms.svg shows every room of agents/, and lines that say all that is imported and nothing else."""

import importlib
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parents[3]
SVG = "{http://www.w3.org/2000/svg}"

#: A roof on a wall on a floor; the roof also looks at the floor, and a shed stands on the floor.
HOUSE = {
    "floor": frozenset[str](),
    "wall": frozenset({"floor"}),
    "roof": frozenset({"wall", "floor"}),
    "shed": frozenset({"floor"}),
}


@pytest.fixture(scope="module")
def rooms() -> ModuleType:
    """Return the module; `ops` is no package of ours and is found from the root alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        return importlib.import_module("ops.rooms_picture")


def test_a_line_is_left_out_where_two_others_say_it(rooms: ModuleType) -> None:
    assert rooms.lines_of(HOUSE) == [("roof", "wall"), ("shed", "floor"), ("wall", "floor")]


def test_rooms_stand_below_all_that_they_import(rooms: ModuleType) -> None:
    assert rooms.rows_of(HOUSE) == [["floor"], ["shed", "wall"], ["roof"]]


def test_a_room_is_read_from_the_imports_of_its_files(rooms: ModuleType) -> None:
    imports = rooms.imports_of("agents")

    assert "agents/plan/draft" in imports["agents/plan/steps"]
    assert "agents/engine" not in frozenset().union(*imports.values())
    assert not any(room in others for room, others in imports.items())


def test_the_picture_has_a_box_for_each_room_and_a_line_for_each_import_that_counts(rooms: ModuleType) -> None:
    drawn = ET.fromstring(rooms.picture())  # noqa: S314  we have just made it
    imports = rooms.imports_of("agents")
    classes = [one.get("class") for one in drawn.iter()]
    texts = {one.text for one in drawn.iter(f"{SVG}text")}

    assert classes.count("box") == len(imports) == len(rooms.rooms_of("agents"))
    assert classes.count("way") == len(rooms.lines_of(imports))
    assert texts >= {room.removeprefix("agents/") for room in imports}
