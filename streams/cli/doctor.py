"""`tailrace doctor`: what is not right, and what to do."""

from contextlib import aclosing
from typing import Final

import typer

from tailrace.streams.cli.errors import EXIT_ERROR
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.installation.doctor import Finding, State, examine
from tailrace.streams.settings.settings import Settings, load_settings

_COLOURS: Final = {State.OK: "green", State.WARN: "yellow", State.FAIL: "red", State.SKIP: "bright_black"}


def doctor(*, as_json: Json = False) -> None:
    """Check all that Tailrace needs: Python, packages, distiller, vocabulary, Java, disk, broker, topics, clock.

    Each line says ok, warn, fail or skip, what was found and what to do. The exit code is 1 if anything fails. Changes
    nothing.
    """
    findings = run(_examine(load_settings(), show=not as_json))
    healthy = all(finding.state is not State.FAIL for finding in findings)
    if as_json:
        print_json({"ok": healthy, "checks": findings})
    if not healthy:
        raise typer.Exit(EXIT_ERROR)


async def _examine(settings: Settings, *, show: bool) -> list[Finding]:
    findings = []
    async with aclosing(examine(settings)) as examination:
        async for finding in examination:
            findings.append(finding)
            if show:
                _print(finding)
    return findings


def _print(finding: Finding) -> None:
    state = typer.style(f"{finding.state:<4}", fg=_COLOURS[finding.state])
    typer.echo(f"{state}  {finding.check:<10}  {printable(finding.what)}")
    if finding.fix:
        typer.echo(f"{'':<18}→ {finding.fix}")
