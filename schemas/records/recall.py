"""What recall keeps and finds: documents that may leave a context, and passages of them that answer a question."""

from enum import StrEnum

from msgspec import Struct

from tailrace.schemas.records.event import Sensitivity


class RecallKind(StrEnum):
    """What a document is."""

    MESSAGE = "message"
    ARTIFACT = "artifact"
    #: An entry of the index of dropped spans: keywords and a short summary of messages that left a context together.
    SPAN = "span"


class RecallDocument(Struct, frozen=True, kw_only=True):
    """A text that can be found again. The same tenant, thread, kind and id are the same document."""

    tenant: str
    thread: str
    id: str
    kind: RecallKind
    text: str
    role: str = ""
    tool: str = ""
    turn: int = 0
    offset: int = 0
    created_at_ms: int = 0
    sensitivity: Sensitivity = Sensitivity.INTERNAL


class RecallHit(Struct, frozen=True, kw_only=True):
    """A passage that fits a query, and the document that it stands in. Scores compare hits of one search only."""

    id: str
    kind: RecallKind
    thread: str
    turn: int
    role: str
    tool: str
    score: float
    snippet: str
    #: Where the snippet begins in the text of its document.
    first_char: int
    sensitivity: Sensitivity
