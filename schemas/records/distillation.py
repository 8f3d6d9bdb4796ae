"""Distillation records: which tool output was made smaller as it arrived, how, and where the whole of it is."""

from typing import Literal

from msgspec import Struct

from tailrace.schemas.fields import Whole
from tailrace.schemas.records.envelope import ToolEnvelope


class Distillation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One tool output that stands distilled in its context. The content itself is the entry's, and the artifact's."""

    version: Literal[1]
    #: The same however often it is written.
    id: str
    thread: str
    tenant: str
    event_id: str
    offset: Whole
    #: The call that the output answers, and everything that is known of it.
    envelope: ToolEnvelope
    artifact_id: str
    #: Of the whole output, so that the same content is recognised wherever it is met.
    content_hash: str
    #: How it was distilled: by which kind of content, by which version of the distiller, under which policy.
    method: str
    method_version: Whole
    policy_version: str
    before_chars: Whole
    after_chars: Whole
    before_tokens: Whole
    after_tokens: Whole
    #: What was masked, by kind.
    secrets: tuple[str, ...] = ()
    #: What the distillation says: another thread or runtime that meets the same content can use it.
    text: str
