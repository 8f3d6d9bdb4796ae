"""What a summary may quote: pieces of text, who said each, and where it comes from."""

from enum import IntEnum

from msgspec import Struct

from tailrace.agents.summary.extract.bullets import Section
from tailrace.agents.summary.extract.informativeness import Tells


class Speaker(IntEnum):
    """Who said a piece: it decides what the names in it are worth."""

    USER = 0
    #: How a user's message begins: mostly with what it asks for.
    REQUEST = 1
    SYSTEM = 2
    ASSISTANT = 3
    #: What the assistant says at the end of its turn, or about a decision.
    REPORT = 4
    CALL = 5
    TOOL = 6
    #: An earlier summary.
    EARLIER = 7
    #: What the assistant reported after its last change: what the user has read, and what the next request will speak
    #: of.
    OUTCOME = 8
    #: A tool whose result came after its call was given up.
    LATE = 9
    #: What a call changes, behind how it begins.
    DETAIL = 10


class QuotationSource(Struct, eq=False, gc=False):
    """Where pieces come from: a message, or all calls of a tool with the same subject."""

    section: Section
    tool: str = ""
    #: What the tool was called for: a path, or the beginning of what it was told.
    subject: str = ""
    #: Place of the piece that begins with the subject; -1 if no piece does.
    opening: int = -1
    times: int = 1
    #: Whether what failed was done later.
    worked: bool = False
    #: The whole of what the subject is the beginning of, as it was done last.
    aim: str = ""

    @property
    def label(self) -> str:
        """Tool and subject."""
        return f"{self.tool} {self.subject}" if self.subject else self.tool


class Piece(Struct, eq=False):
    """A piece of text that a summary may quote.

    It is a Struct because there are many, and making one takes a third of the time of a dataclass.
    """

    text: str
    #: Position among all pieces; those that stood next to each other have consecutive ones.
    place: int
    #: Number of its message in the span.
    message: int
    speaker: Speaker
    source: QuotationSource
    #: Names and cues in it.
    names: list[str]
    #: What it tells whatever names it holds; nothing is known of what is no prose of the assistant.
    tells: Tells = Tells.NOTHING
