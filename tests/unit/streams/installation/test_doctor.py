from pathlib import Path
from types import SimpleNamespace

import pytest

from tailrace.streams.installation import doctor
from tailrace.streams.installation.doctor import (
    State,
    check_disk,
    check_distiller,
    check_java,
    check_packages,
    check_python,
)
from tailrace.streams.settings.settings import load_settings


def test_this_installation_is_healthy() -> None:
    assert [check().state for check in (check_python, check_packages, check_distiller)] == [State.OK] * 3


def test_a_distiller_that_is_not_compiled_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.literals, "__spec__", SimpleNamespace(loader=None))

    finding = check_distiller()

    assert finding.state is State.WARN
    assert "C compiler" in (finding.fix or "")


@pytest.mark.parametrize(
    ("requirement", "state", "what"),
    [
        ("msgspec>=0.1", State.OK, "all 1 there"),
        ("msgspec>=99", State.FAIL, "not >=99"),
        ("msgspec<0.1,>=0.0", State.FAIL, "not <0.1,>=0.0"),
        ("there-is-no-such-package>=1", State.FAIL, "is not installed"),
        ('there-is-no-such-package>=1; extra == "java"', State.OK, "all 0 there"),
        ("aiokafka[lz4,zstd]<0.1,>=0.0", State.FAIL, "aiokafka is "),
    ],
)
def test_packages_are_held_against_what_the_metadata_asks_for(
    monkeypatch: pytest.MonkeyPatch, requirement: str, state: State, what: str
) -> None:
    monkeypatch.setattr(doctor.importlib.metadata, "requires", lambda _: [requirement])
    finding = check_packages()
    assert finding.state is state
    assert what in finding.what


@pytest.mark.parametrize(("free_mb", "state"), [(5_000, State.OK), (500, State.WARN), (50, State.FAIL)])
def test_a_disk_that_fills_up_is_told_in_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free_mb: int, state: State
) -> None:
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: SimpleNamespace(free=free_mb * 1_000_000))
    finding = check_disk(load_settings(data_dir=tmp_path / "not" / "yet" / "there"))
    assert finding.state is state
    assert (finding.fix is None) == (state is State.OK)


def test_java_is_only_needed_for_the_local_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_java", lambda _: pytest.fail("not to be asked"))
    assert check_java(load_settings(broker="kafka.example:9092")).state is State.SKIP
