"""Jobs of a shell that a later command ends: `kill %1`, `wait`, `fg`, what stops a port or a set of containers; and what a shell says of its own.

A shell counts its jobs by itself and tells nobody who is who: a number is taken in the order in which those began that are still open.
Ids and names that a command gives are looked at elsewhere.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tailrace.agents.language import cues
from tailrace.agents.messages.outcome import failed
from tailrace.schemas.records.ledger import Obligation, ObligationKind

#: One of these is in every command or result that ends one, and looking for them is much faster.
_SIGNS = ("kill", "wait", "fg", "fuser", "Stop-", "Remove-Job", "compose", "]+", "]-", "] ")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'")
#: Where a command begins, behind what it is joined to.
_BEGIN = r"(?:^|[;&|(\n]|\bsudo|\bthen|\bdo)\s*"
#: One job, by its number or as the last that was begun; all of them; those behind a port.
_ONE = re.compile(
    _BEGIN + r"(?:kill(?:\s+-\w+)*|wait|fg|bg\s*;\s*fg)\s+(?:%(?P<number>\d+)|(?P<last>%[%+]?(?!\w)|\$!|\"\$!\"|%-))"
)
_LAST = re.compile(_BEGIN + r"fg\s*(?=$|[;&|)\n])")
_ALL = re.compile(
    _BEGIN
    + r"(?:wait\s*(?=$|[;&|)\n])|kill(?:\s+-\w+)*\s+\$\(jobs -p\w*\)|kill(?:\s+-\w+)*\s+`jobs -p\w*`|Get-Job\s*\|\s*(?:Stop|Remove|Wait)-Job)"
    r"|jobs -p\w*\s*\|\s*xargs\s+(?:-\w+\s+)*kill"
)
_WAITED_ID = re.compile(
    _BEGIN
    + r"(?:wait|fg|(?:Wait|Stop|Remove)-Job|Stop-Process)\s+(?:-\w+\s+)*(?P<id>\d+)|\btail\s+--pid[= ](?P<pid>\d+)"
)
_PORT = re.compile(r"\b(?:fuser\s+-\w*k\w*\s+(?:-\w+\s+)*|kill-port\s+|lsof\b[^|;)\n]*:)(?P<port>\d+)")
#: A command that sends work to the background itself speaks of its own.
_SENDS = re.compile(r"(?<![&>|\\])&(?![&>\d])")
_COMPOSE = re.compile(r"\b(?:docker|podman)[ -]compose\b[^;&|\n]*\b(?:down|stop|kill|rm)\b")
_COMPOSED = re.compile(r"\b(?:docker|podman)[ -]compose\b.*\bup\b")
#: `[1]+  Done    python serve.py`, at the beginning of a line.
_TOLD = re.compile(
    r"^\[\d+\][+-]?\s+(?:\d+\s+)?(?:Done|Exit \d+|Terminated(?:: \d+)?|Killed(?:: \d+)?|Hangup|Interrupt|Aborted|Segmentation fault|done|terminated|killed|exit \d+)(?:\s+\(core dumped\))?\s+(?P<command>\S.*)$",
    re.MULTILINE,
)


def ended_in_shell(jobs: Mapping[str, Obligation], told: str, text: str, *, refused: bool) -> list[str]:
    """Keys of the jobs that a call ends by what its command says, or that its result says have ended; `told` is how the call is told."""
    tool, _, command = told.partition(" ")
    if not cues.tool_runs(tool) or not (cues.holds_any(command, _SIGNS) or "[" in text):
        return []
    own = [one for one in jobs.values() if one.kind is ObligationKind.BACKGROUND and one.text.partition(" ")[0] == tool]
    ended = [*_told(own, text)]
    if own and not refused and not failed(text):
        ended += _ordered(own, _QUOTED.sub(_unquoted, command))
    return [*dict.fromkeys(ended)]


def _unquoted(quoted: re.Match[str]) -> str:
    """What is only printed or searched for is no command; what stands for a job may be in quotes."""
    return quoted[0] if "$!" in quoted[0] else "_"


def _ordered(own: Sequence[Obligation], command: str) -> Iterator[str]:
    """Keys of the jobs that a command ends."""
    if not _SENDS.search(command):
        yield from _counted(own, command)
    waited = {found["id"] or found["pid"] for found in _WAITED_ID.finditer(command)}
    ports = frozenset(_PORT.findall(command)) if "kill" in command or "fuser" in command else frozenset()
    composed = _COMPOSE.search(command) is not None
    for one in own:
        numbers = frozenset(re.findall(r"\d+", one.text)) if ports else frozenset()
        if one.key in waited or not ports.isdisjoint(numbers) or (composed and _COMPOSED.search(one.text)):
            yield one.key


def _counted(own: Sequence[Obligation], command: str) -> Iterator[str]:
    """Keys of the jobs that a command counts off, or means without a name."""
    if _ALL.search(command):
        yield from (one.key for one in own)
    for found in _ONE.finditer(command):
        number = int(found["number"] or 0)
        if len(own) == 1 or not number:
            yield own[-1].key
        elif number <= len(own):
            yield own[number - 1].key
    if _LAST.search(command):
        yield own[-1].key


def _told(own: Iterable[Obligation], text: str) -> Iterator[str]:
    """Keys of the jobs of which a shell says, beside the command, that they have ended."""
    commands = (
        [" ".join(found["command"].rstrip("& ").split()) for found in _TOLD.finditer(text)] if "[" in text else []
    )
    for one in own if commands else ():
        command = one.text.partition(" ")[2].removesuffix(f" [{one.key}]").removesuffix(" …")
        if any(told.startswith(command) or command.startswith(told) for told in commands if told and command):
            yield one.key
