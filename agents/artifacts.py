"""Names for contents that are kept whole outside of a context.

An artifact is the message as it was said: the conversations topic keeps it, the compaction record names it. Its id is a hash
of the content, so that the same content has the same name wherever it is met.
"""

import hashlib

import msgspec

from tailrace.schemas.message import Message

_encode_json = msgspec.json.Encoder(order="deterministic").encode


def artifact_id(message: Message) -> str:
    """Name of a message's content: 16 hexadecimal digits that stand for its parts, whoever said it and when."""
    return hashlib.blake2b(_encode_json(message.parts), digest_size=8).hexdigest()
