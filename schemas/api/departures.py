"""What left the contexts, as the API gives it: passages, artifacts, tools."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from tailrace.schemas.records.recall import RecallHit

#: Formats that tools are defined in; `schemas.providers.tools` refuses any other.
ToolFormatName = Literal["openai.chat", "openai.responses", "anthropic.messages", "anthropic", "gemini", "mcp"]


class RecallQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to look for."""

    #: A name, or what the passages are about.
    query: Annotated[str, Meta(min_length=1, max_length=10_000)]
    #: Only in this thread.
    thread: str | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 5
    #: Whose conversations, for callers who act for several.
    tenant: str | None = None


class RecallReply(Struct, frozen=True, kw_only=True):
    """Passages that fit, the best first."""

    hits: tuple[RecallHit, ...]
    #: Parts of what was said that nobody could be asked about.
    missing: tuple[str, ...] = ()


class TenantQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose it is."""

    #: For callers who act for several.
    tenant: str | None = None


class LinesQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which lines of an artifact."""

    #: 200-260, 200- or -50 for the last ones.
    lines: Annotated[str, Meta(max_length=64)] | None = None
    #: The lines with these words, and those around them.
    query: Annotated[str, Meta(max_length=10_000)] | None = None
    tenant: str | None = None


class LinesReply(Struct, frozen=True, kw_only=True):
    """Lines with their numbers, as a model reads them; what is left out is said in them."""

    id: str
    text: str


class Deleted(Struct, frozen=True, kw_only=True):
    """What is gone for good."""

    deleted: str


class ToolsQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For which API."""

    format: ToolFormatName = "openai.chat"


class ToolsReply(Struct, frozen=True, kw_only=True):
    """Tools that a model is given to read back what left its context."""

    format: ToolFormatName
    tools: tuple[dict[str, Any], ...]
