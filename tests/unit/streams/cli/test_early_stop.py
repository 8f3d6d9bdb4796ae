"""Signals are listened to before anything large is loaded."""

import subprocess
import sys

LARGE = ("aiokafka", "faust", "msgspec", "pydantic", "rich", "sqlite_utils", "structlog", "typer")


def test_nothing_large_is_loaded_before_signals_are_listened_to() -> None:
    looked = f"import sys, tailrace.streams.cli; print([name for name in {LARGE} if name in sys.modules])"

    loaded = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)

    assert loaded.stdout.strip() == "[]"


def test_a_command_that_ends_by_itself_is_ended_by_a_signal_as_any_other() -> None:
    looked = (
        "import signal\n"
        "from tailrace.streams.cli.early_stop import end_when_told\n"
        "end_when_told(['context', 'worker'])\n"
        "print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)\n"
        "end_when_told(['worker'])\n"
        "print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)\n"
    )

    shown = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)

    assert shown.stdout.split() == ["True", "False"]
