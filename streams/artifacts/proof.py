"""Parts of what is not encrypted, in a store that has keys, held to the hash of the whole.

The tag of an encrypted chunk proves it by itself. A chunk that says it is not encrypted proves nothing: whoever can
write into the store could have put it there, and taken the name of the key away. So the whole is read once, and the
chunks are remembered as they were then: parts of the same artifact that are read next need not read the whole again.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tailrace.schemas.records.artifact import Artifact

if TYPE_CHECKING:
    from tailrace.streams.artifacts.chunks import Sealer


class Proof:
    """The chunks of one artifact, as they were when all of them together had its hash."""

    def __init__(self, sealer: "Sealer", artifact: Artifact) -> None:
        """Begin with nothing; `take` each chunk in its order, then `end`."""
        self.artifact = artifact
        self._open: Callable[[Artifact, int, bytes | None], bytes] = sealer.open
        self._corrupt = sealer.corrupt
        self._whole = hashlib.sha256()
        self._chunks: list[bytes] = []

    def take(self, stored: bytes | None) -> bytes:
        """Look at the next chunk; returns its content. Raises ArtifactCorrupt or ArtifactLocked."""
        content = self._open(self.artifact, len(self._chunks), stored)
        self._whole.update(content)
        self._chunks.append(hashlib.sha256(stored or b"").digest())
        return content

    def end(self) -> None:
        """Raise ArtifactCorrupt unless the whole is what was stored."""
        if self._whole.hexdigest() != self.artifact.sha256:
            raise self._corrupt(self.artifact, "its content has another sha256")

    def holds(self, numbers: range, stored: Sequence[bytes | None]) -> bool:
        """Tell whether these are the chunks that were looked at."""
        digests = [hashlib.sha256(chunk or b"").digest() for chunk in stored]
        return digests == self._chunks[numbers.start : numbers.stop]
