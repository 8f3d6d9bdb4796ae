"""Endpoints about dead letters. A letter is a tenant's where its record says so.

One that says nothing is for callers who see all.
"""

import base64
from contextlib import aclosing
from typing import Final

from msgspec import Struct

from tailrace.schemas.api import problem
from tailrace.schemas.api.care import (
    BytesReply,
    LetterHeader,
    LetterPlace,
    LetterReply,
    LettersReply,
    OpenLetterReply,
    ReplayReply,
)
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import ConfigError, PoisonEvent, Unavailable
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.services import Services
from tailrace.streams.dead_letters.letters import Letter, OpenLetter, newest_letters, open_letter, parse_id
from tailrace.streams.dead_letters.replay import replay_letters


class _Owner(Struct):
    tenant: str = DEFAULT_TENANT


_decode_owner: Final = decoder(_Owner)


async def list_letters(services: Services, call: ApiCall) -> LettersReply:
    """The newest dead letters, newest first."""
    caller = call.caller
    wanted = None if caller.tenant is None else lambda opened: _is_seen(opened, caller)
    letters = await newest_letters(services.settings, limit=call.query.limit, wanted=wanted)
    return LettersReply(letters=tuple(_letter(letter) for letter in letters))


async def show_letter(services: Services, call: ApiCall) -> OpenLetterReply:
    """One dead letter, whole."""
    opened = await _opened(services, call)
    return OpenLetterReply(
        letter=_letter(opened.letter),
        stacktrace=opened.letter.stacktrace,
        headers=tuple(LetterHeader(name=name, value=_bytes(value)) for name, value in opened.letter.headers),
        value=_bytes(opened.value),
    )


async def replay_letter(services: Services, call: ApiCall) -> ReplayReply:
    """Send the original of a letter to its topic again."""
    opened = await _opened(services, call)
    actor = call.caller.actor(call.caller.tenant or _owner(opened) or DEFAULT_TENANT)
    replaying = replay_letters(services.settings, [opened.letter.id], dry_run=call.query.dry_run, actor=actor)
    async with aclosing(replaying) as replays:
        async for done in replays:
            return ReplayReply(
                id=done.letter.id,
                topic=done.topic,
                partition=done.partition,
                offset=done.offset,
                skipped=done.skipped,
            )
    raise Unavailable(f"the broker has not handed out dead letter {opened.letter.id}")


async def _opened(services: Services, call: ApiCall) -> OpenLetter:
    """The letter of the path. Raises the same problem for one that is missing and one that is another tenant's."""
    letter_id = call.path["letter"]
    try:
        partition, offset = parse_id(letter_id)
        is_place = max(partition, offset) < 1 << 62
        opened = await open_letter(services.settings, letter_id) if is_place else None
    except (ConfigError, Unavailable) as error:
        if isinstance(error, Unavailable) and services.feed.problem is not None:
            raise
        opened = None
    if opened is None or not _is_seen(opened, call.caller):
        raise ProblemError(
            problem.NOT_FOUND,
            f"there is no dead letter {letter_id[:64]}",
            "GET /v1/dead-letters lists those there are",
            where="letter",
        )
    return opened


def _is_seen(opened: OpenLetter, caller: ApiCaller) -> bool:
    if caller.tenant is None:
        return True
    owner = _owner(opened)
    return owner is not None and caller.sees(owner)


def _owner(opened: OpenLetter) -> str | None:
    """The tenant that the record names; None where it says nothing that can be read."""
    try:
        return _decode_owner(opened.value or b"").tenant
    except PoisonEvent:
        return None


def _letter(letter: Letter) -> LetterReply:
    source = letter.source
    return LetterReply(
        id=letter.id,
        timestamp_ms=letter.timestamp_ms,
        key=_bytes(letter.key),
        code=letter.code,
        error=letter.error,
        message=letter.message,
        source=None
        if source is None
        else LetterPlace(topic=source.topic, partition=source.partition, offset=source.offset),
        value_bytes=letter.value_bytes,
    )


def _bytes(value: bytes | None) -> BytesReply | None:
    if value is None:
        return None
    try:
        return BytesReply(text=value.decode())
    except UnicodeDecodeError:
        return BytesReply(base64=base64.b64encode(value).decode())
