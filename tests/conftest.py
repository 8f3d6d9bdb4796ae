"""What holds for every test."""

import signal


def pytest_configure() -> None:
    """Let processes that tests start be interrupted, also where a shell has started the tests in the background.

    Such a shell has them ignore SIGINT, and a process inherits that it is ignored, but no handler.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, _go_on)


def _go_on(*_: object) -> None:
    """Do nothing: the tests themselves still ignore it."""
