"""The pages and pictures of docs/ that are made from the code are up to date."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
MADE = ("docs/agents.md", "docs/agents.svg", "docs/policy_reference.md", "docs/rooms.svg")


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    """Return the module; `ops` is no package of ours and is found from the root alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        return importlib.import_module("ops.pages")


def test_every_file_that_is_made_is_known(pages: ModuleType) -> None:
    assert tuple(sorted(pages.generate())) == MADE


@pytest.mark.parametrize("path", MADE)
def test_what_is_made_is_that_of_the_code(pages: ModuleType, path: str) -> None:
    written = (ROOT / path).read_text(encoding="utf-8")

    assert written == pages.generate()[path], "run `make schemas` and commit the result"
