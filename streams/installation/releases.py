"""Versions of Tailrace and of what it stands on: what a report of a defect should name."""

import platform
from importlib.metadata import version as version_of
from typing import Final

_PACKAGES: Final = ("faust-streaming", "aiokafka", "tiktoken", "sqlite-utils", "prometheus-client")


def versions() -> dict[str, str]:
    """Return the versions of Tailrace, of Python and of the packages that matter."""
    return {
        "tailrace": version_of("tailrace"),
        "python": platform.python_version(),
        **{package: version_of(package) for package in _PACKAGES},
    }
