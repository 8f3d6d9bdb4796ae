"""A run of the fuzzer that did not come to its end says why."""

import importlib
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
fuzz = importlib.import_module("ops.fuzz")
sys.path.pop(0)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (1, "a law is broken"),
        (-signal.SIGKILL, "ended by SIGKILL, and no law is known to be broken"),
        (3, "ended with 3 before they were through"),
    ],
)
def test_an_end_is_told_from_a_broken_law(
    code: int, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=code, stdout="", stderr=""))
    monkeypatch.setattr(sys, "argv", ["fuzz", "--what", "records", "--cases", "20", "--first", "7"])

    assert fuzz.main() == 1
    assert words in capsys.readouterr().err
