"""Each message of a request, named by everything that stands before it.

A name is a hash over the caller's scope, the name before it and what the message says. So two messages have one name
only where the same caller has said the same from the first word on: equal beginnings of two callers share no name, and
an edited turn changes the name of everything behind it.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from tailrace.agents.identity.fingerprint import fingerprint, harness_text
from tailrace.schemas.records.message import Message

_DIGEST_BYTES = 16


class Scope(Struct, frozen=True, kw_only=True):
    """Who calls: conversations of two scopes never share a thread."""

    tenant: str
    #: Hash of the provider's key; the key itself is nowhere kept.
    key_hash: str
    #: API that the request is for.
    dialect: str
    #: Thread that the caller names, if it names one.
    thread: str = ""


class Link(Struct, frozen=True):
    """One message with its name, which is the id that it is published under."""

    id: str
    message: Message
    #: Whether the message takes part in the names behind it. Reasoning does not: runtimes may drop it.
    counts: bool = True
    #: Hash of all that the harness put around what was said, up to here. It takes no part in names.
    harness: str = ""


def chain_of(scope: Scope, messages: Sequence[Message]) -> tuple[Link, ...]:
    """Return the messages with their names, in their order."""
    return _extended(_digest(b"scope", *(part.encode() for part in _fields(scope))), "", messages)


def continued(last: Link, messages: Sequence[Message]) -> tuple[Link, ...]:
    """Return the names of messages that follow behind a message that counts, such as a model's answer."""
    return _extended(bytes.fromhex(last.id), last.harness, messages)


def head_of(links: Sequence[Link]) -> Link | None:
    """Return the last link that counts: what the conversation ends with."""
    return next((link for link in reversed(links) if link.counts), None)


def passing_ids(links: Sequence[Link], is_known: Callable[[str], bool]) -> Iterator[str]:
    """Yield the known names of messages that stood in this conversation and that its runtime may have dropped since.

    They are numbered behind the message that counts before them, so behind one that is not known there is none.
    """
    for link in links:
        number = 1
        while link.counts and is_known(name := _passing(bytes.fromhex(link.id), number)):
            yield name
            number += 1


def _extended(name: bytes, harness: str, messages: Sequence[Message]) -> tuple[Link, ...]:
    links: list[Link] = []
    number = 0
    for message in messages:
        if text := harness_text(message):
            harness = _digest(harness.encode(), text.encode()).hex()
        content = fingerprint(message)
        if content is None:
            number += 1
            links.append(Link(_passing(name, number), message, counts=False, harness=harness))
            continue
        number = 0
        name = _digest(b"link", name, content)
        links.append(Link(name.hex(), message, harness=harness))
    return tuple(links)


def _passing(name: bytes, number: int) -> str:
    return _digest(b"passing", name, str(number).encode()).hex()


def _fields(scope: Scope) -> tuple[str, str, str, str]:
    return scope.tenant, scope.key_hash, scope.dialect, scope.thread


def _digest(*pieces: bytes) -> bytes:
    whole = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for piece in pieces:
        whole.update(len(piece).to_bytes(8, "big"))
        whole.update(piece)
    return whole.digest()
