"""`tailrace version`."""

import platform
from importlib.metadata import version as version_of
from typing import Final

import typer

from tailrace.streams.cli.output import Json, print_json

#: What a report of a defect should name.
PACKAGES: Final = ("faust-streaming", "aiokafka", "tiktoken", "sqlite-utils", "prometheus-client")


def versions() -> dict[str, str]:
    """Return the versions of Tailrace, of Python and of what it stands on."""
    return {
        "tailrace": version_of("tailrace"),
        "python": platform.python_version(),
        **{package: version_of(package) for package in PACKAGES},
    }


def version(*, as_json: Json = False) -> None:
    """Print the versions of Tailrace, Python and the packages that matter: what a report of a defect should name."""
    numbers = versions()
    if as_json:
        print_json(numbers)
        return
    for name, number in numbers.items():
        typer.echo(f"{name:<18} {number}")
