"""What holds for every test: who takes it, and what ends it."""

import signal
from pathlib import Path
from typing import Final

import pytest
from xdist.scheduler import LoadFileScheduling

TESTS: Final = Path(__file__).resolve().parent
#: Files whose tests use one demo, which takes long to start. One process takes both.
SHARE_A_DEMO: Final = ("tests/kafka/test_demo.py", "tests/kafka/test_readme.py")


def pytest_configure() -> None:
    """Let processes that tests start be interrupted, also where a shell has started the tests in the background.

    Such a shell has them ignore SIGINT, and a process inherits that it is ignored, but no handler.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, _go_on)


def _go_on(*_: object) -> None:
    """Do nothing: the tests themselves still ignore it."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have tests of the whole repository run before unit tests.

    Some are long, and a long one at the end would run alone.
    """
    units = TESTS / "unit"
    items.sort(key=lambda item: units in item.path.parents and item.path.parent != units)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadFileScheduling:
    """A file stays in one of several processes, and so do files that share what is started once."""
    return _Files(config, log)


class _Files(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return SHARE_A_DEMO[0] if file in SHARE_A_DEMO else file
