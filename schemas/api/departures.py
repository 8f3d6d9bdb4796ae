"""What left the contexts, as the API gives it: passages, artifacts, tools."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from tailrace.schemas.api.parameters import Lines, OnlyHere, TenantName, ThreadName, Words
from tailrace.schemas.records.recall import RecallHit

#: Formats that tools are defined in; `schemas.providers.tools` refuses any other.
ToolFormatName = Literal["openai.chat", "openai.responses", "anthropic.messages", "anthropic", "gemini", "mcp"]


class RecallQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to look for."""

    #: A name, or what the passages are about.
    query: Annotated[Words, Meta(min_length=1)]
    #: Only in this thread.
    thread: ThreadName | None = None
    limit: Annotated[int, Meta(description="So many passages at most.", ge=1, le=100, examples=[5])] = 5
    tenant: TenantName | None = None
    here: OnlyHere = False


class RecallReply(Struct, frozen=True, kw_only=True):
    """Passages that fit, the best first."""

    hits: tuple[RecallHit, ...]
    #: Parts of what was said that nobody could be asked about.
    missing: tuple[str, ...] = ()
    #: So many records of the conversations can't be found yet.
    lag_records: int = 0


class TenantQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose it is."""

    tenant: TenantName | None = None


class LinesQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which lines of an artifact."""

    lines: Lines | None = None
    #: The lines with these words, and those around them.
    query: Words | None = None
    tenant: TenantName | None = None


class LinesReply(Struct, frozen=True, kw_only=True):
    """Lines with their numbers, as a model reads them; what is left out is said in them."""

    id: str
    text: str


class Deleted(Struct, frozen=True, kw_only=True):
    """What is gone for good."""

    deleted: str


class ToolsQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For which API."""

    format: Annotated[
        ToolFormatName, Meta(description="Form of the definitions of tools.", examples=["anthropic.messages"])
    ] = "openai.chat"


class ToolsReply(Struct, frozen=True, kw_only=True):
    """Tools that a model is given to read back what left its context."""

    format: ToolFormatName
    tools: tuple[dict[str, Any], ...]
