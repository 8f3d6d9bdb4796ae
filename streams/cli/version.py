"""`tailrace version`."""

import typer

from tailrace.streams.cli.output import Json, print_json
from tailrace.streams.installation.releases import versions


def version(*, as_json: Json = False) -> None:
    """Print the versions of Tailrace, Python and the packages that matter: what a report of a defect should name."""
    numbers = versions()
    if as_json:
        print_json(numbers)
        return
    for name, number in numbers.items():
        typer.echo(f"{name:<18} {number}")
