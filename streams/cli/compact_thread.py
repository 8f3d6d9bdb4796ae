"""A thread that is compacted by its worker because somebody asks for it, and what became of it in one line."""

from collections.abc import Mapping
from typing import Any, Final

import typer

from tailrace.schemas.errors import Refused
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.output import print_json, printable
from tailrace.streams.client.client import Client
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.topic_admin import check_conversations

_VERDICTS: Final = {
    LifecycleKind.COMPLETED: "compacted",
    LifecycleKind.NOOP: "left as it is",
    LifecycleKind.FLAGGED: "not yet",
}


def compact_thread(
    settings: Settings, thread: str, overrides: Mapping[str, Any], *, tenant: str, as_json: bool
) -> None:
    """Ask for it, wait, and print what became of it. Raises Refused where the thread's worker refuses."""
    event = run(_compact(settings, thread, overrides, tenant))
    if event.kind is LifecycleKind.REFUSED and not as_json:
        raise Refused(f"thread {thread}: {event.reason}")
    if as_json:
        print_json(event)
    else:
        tokens = f"{event.before_tokens:,} → {event.after_tokens:,} tokens of {event.limit_tokens:,}"
        why = f"; {event.reason}" if event.reason else ""
        typer.echo(printable(f"{thread}: {_VERDICTS.get(event.kind, event.kind)}, {tokens}{why}"))


async def _compact(settings: Settings, thread: str, overrides: Mapping[str, Any], tenant: str) -> LifecycleEvent:
    await check_conversations(settings)
    async with Client(settings, reads=False) as client:
        return await client.compact(thread, tenant=tenant, **overrides)
