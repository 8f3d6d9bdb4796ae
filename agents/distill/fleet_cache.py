"""Distillations that all workers share: of outputs that take longer to distil than to ask the artifact store for.

They are kept in the artifact store, for each tenant its own, under a name made from what they were made from. Whoever
looks one up by the name believes nothing of it: it counts only if it says that it was made of the very text that is to
be distilled, to the very size, by this distiller. So it makes no difference to what is written whether it is there, and
what can't be read is as good as missing.
"""

import hashlib
from dataclasses import dataclass
from typing import Final, Literal

import msgspec
from msgspec import Struct

from tailrace.agents.distill.distill import DISTILLER_VERSION, Distilled, ToolOutput
from tailrace.agents.distill.local_cache import distill_once
from tailrace.agents.messages.envelope import content_hash
from tailrace.schemas.decoder import decoder
from tailrace.schemas.records.artifact import NewArtifact
from tailrace.schemas.records.event import Event, Sensitivity
from tailrace.schemas.records.kafka_records import Stored

SHARED_TYPE: Final = "application/vnd.tailrace.distilled+json"
#: Far more than a distillation has; what is longer was not made here.
SHARED_BYTES_MAX: Final = 1_000_000
#: What comes again mostly comes again soon.
SHARED_SECONDS_MAX: Final = 7 * 86_400


class SharedDistillation(Struct, frozen=True, kw_only=True):
    """A distillation as it is kept, with what it was made from."""

    version: Literal[1]
    distiller_version: int
    #: Of the text that was distilled, its secrets masked.
    content_hash: str
    chars_max: int
    method: str
    text: str

    def is_of(self, output: ToolOutput, chars_max: int) -> bool:
        """Tell whether distilling this output would give it."""
        return (
            self.distiller_version == DISTILLER_VERSION
            and self.chars_max == chars_max
            and self.content_hash == content_hash(output.text)
        )


@dataclass(frozen=True, slots=True)
class SharedWanted:
    """A distillation to look for."""

    #: The call whose result is to be distilled, or the artifact whose content is.
    of: str
    id: str


@dataclass(frozen=True, slots=True)
class SharedFound:
    """The result of looking a shared distillation up.

    `kept` is None where nothing is stored, or nothing that can be read.
    """

    of: str
    id: str
    kept: SharedDistillation | None = None


encode_shared = msgspec.json.Encoder().encode
decode_shared = decoder(SharedDistillation)


def shared_id(whole: str, tool: str, called_with: str, *, policy_version: str, model: str) -> str:
    """The name under which a distillation is kept.

    `whole` stands for the output as it was said: a hash of it, or its artifact.

    The policy and the model are in it because the size goes by them.
    """
    digest = hashlib.blake2b(digest_size=16, person=b"distilled")
    for field in (str(DISTILLER_VERSION), policy_version, model, tool, called_with, whole):
        written = field.encode(errors="surrogatepass")
        # Lengths first, so that no two are written alike.
        digest.update(b"%d:%b" % (len(written), written))
    return f"distilled-{digest.hexdigest()}"


def distill_shared(
    output: ToolOutput, *, chars_max: int, shared: SharedFound | None, event: Event, ttl_seconds: int | None
) -> tuple[Distilled, tuple[Stored, ...]]:
    """Return the distillation of an output, and what has to be stored so that the other workers need not make it again.

    `shared` is what a worker has looked up under the output's name (`shared_id`); None for an output that is not
    shared.
    """
    if shared is None:
        return distill_once(output, chars_max=chars_max), ()
    if shared.kept is not None and shared.kept.is_of(output, chars_max):
        return Distilled(shared.kept.text, shared.kept.method), ()
    made = distill_once(output, chars_max=chars_max)
    kept = SharedDistillation(
        version=1,
        distiller_version=DISTILLER_VERSION,
        content_hash=content_hash(output.text),
        chars_max=chars_max,
        method=made.method,
        text=made.text,
    )
    try:
        content = encode_shared(kept)
    except UnicodeEncodeError:
        return made, ()  # half a character, which JSON can't hold: everybody distils it anew
    artifact = NewArtifact(
        id=shared.id,
        media_type=SHARED_TYPE,
        content=content,
        created_at_ms=event.created_at_ms,
        # Nobody but workers reads it.
        sensitivity=Sensitivity.RESTRICTED,
        thread=event.thread,
        message_id=event.id,
        tool=output.tool,
    )
    seconds = SHARED_SECONDS_MAX if ttl_seconds is None else min(ttl_seconds, SHARED_SECONDS_MAX)
    return made, (Stored(tenant=event.tenant, ttl_seconds=seconds, artifact=artifact),)
