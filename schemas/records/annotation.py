"""What is known of a message's group and fate.

The form maps one to one onto Microsoft Agent Framework's annotations. There they stand in a message's
`additional_properties`: `_group` holds the group, `_excluded` and `_exclude_reason` say whether the message is left
out, and summaries and their sources name each other.
"""

from typing import Any

import msgspec
from msgspec import Struct

#: Version of the way in which the framework serialises a message for counting; counts with another are computed anew
#: there.
TOKEN_COUNT_BASIS = 2

GROUP_KEY = "_group"


class GroupAnnotation(Struct, frozen=True, kw_only=True):
    """The atomic group of a message. `token_count` is that of the message itself."""

    id: str
    kind: str
    index: int
    has_reasoning: bool
    token_count: int | None = None
    token_count_basis: int | None = None


class Annotation(Struct, frozen=True, kw_only=True):
    """Everything that is annotated about one message."""

    group: GroupAnnotation
    excluded: bool = False
    exclude_reason: str | None = None
    summary_of_message_ids: tuple[str, ...] = ()
    summary_of_group_ids: tuple[str, ...] = ()
    summarized_by_summary_id: str | None = None


def to_agent_framework(annotation: Annotation) -> dict[str, Any]:
    """Return the annotation as additional properties of the framework's message."""
    group = msgspec.structs.asdict(annotation.group)
    for key in ("summary_of_message_ids", "summary_of_group_ids"):
        if ids := getattr(annotation, key):
            group[f"_{key}"] = list(ids)
    if annotation.summarized_by_summary_id is not None:
        group["_summarized_by_summary_id"] = annotation.summarized_by_summary_id
    properties: dict[str, Any] = {GROUP_KEY: group, "_excluded": annotation.excluded}
    if annotation.exclude_reason is not None:
        properties["_exclude_reason"] = annotation.exclude_reason
    return properties


def from_agent_framework(properties: dict[str, Any]) -> Annotation | None:
    """Return the annotation in a message's additional properties; None where the framework has annotated nothing."""
    group = properties.get(GROUP_KEY)
    if not isinstance(group, dict):
        return None
    try:
        return Annotation(
            group=msgspec.convert({key: group.get(key) for key in GroupAnnotation.__struct_fields__}, GroupAnnotation),
            excluded=properties.get("_excluded") is True,
            exclude_reason=properties.get("_exclude_reason"),
            summary_of_message_ids=tuple(group.get("_summary_of_message_ids") or ()),
            summary_of_group_ids=tuple(group.get("_summary_of_group_ids") or ()),
            summarized_by_summary_id=group.get("_summarized_by_summary_id"),
        )
    except msgspec.ValidationError:
        return None
