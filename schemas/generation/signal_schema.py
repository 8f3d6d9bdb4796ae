"""What the value of a signal may look like, as JSON Schema: its Structs as they travel, with `kind` for their tag."""

from typing import Any, Final, get_args

from tailrace.schemas.generation.event_schema import id_schema
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.signal import AnySignal

Schema = dict[str, Any]

SIGNALS: Final = get_args(AnySignal)
#: Name of the tag of a Struct in the schemas that msgspec makes.
_TAG: Final = "type"


def signal_components(schemas: dict[str, Schema], ref_template: str) -> dict[str, Schema]:
    """Return the schemas of all signals, made from those of their Structs, and `Signal`, which is any of them."""
    signals = {f"{struct.__name__}Signal": _signal(schemas[struct.__name__]) for struct in SIGNALS}
    return {
        "Signal": {
            "title": "Signal",
            "description": "Changes a thread without being said in it. What it is, `kind` says.",
            "anyOf": [{"$ref": ref_template.format(name=name)} for name in signals],
        },
        **signals,
    }


def _signal(struct: Schema) -> Schema:
    fields = {name: schema for name, schema in struct["properties"].items() if name != _TAG}
    return {
        **struct,
        "title": f"{struct['title']}Signal",
        "properties": {
            "kind": struct["properties"][_TAG],
            "tenant": {**id_schema("Whose thread it is."), "default": DEFAULT_TENANT},
            "id": id_schema(
                "Id of the signal, where no ce_id header holds it. Without either, partition and offset are its id."
            ),
            **fields,
        },
        "required": ["kind", *(name for name in struct["required"] if name != _TAG)],
    }
