"""The topics as Strimzi's KafkaTopic resources, for clusters where an operator owns the topics.

Written by hand: the form is small and fixed, and a YAML library would be one more thing to install at run time.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Final

from tailrace.streams.topics.topics import TopicSpec

#: What Kubernetes takes as the name of an object.
_LABEL: Final = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_NAME: Final = re.compile(rf"{_LABEL}(\.{_LABEL})*")
_NAME_CHARACTERS_MAX: Final = 253


def strimzi_yaml(specs: Iterable[TopicSpec], *, cluster: str) -> str:
    """Return one KafkaTopic for each topic, as a stream of YAML documents.

    `cluster` is the name of the Kafka resource.
    """
    return "".join(_document(spec, cluster) for spec in specs)


def resource_name(topic: str) -> str:
    """Return a name that Kubernetes accepts: the topic's own if it can be, else one that no other topic gets."""
    if len(topic) <= _NAME_CHARACTERS_MAX and _NAME.fullmatch(topic):
        return topic
    labels = (re.sub(r"[^a-z0-9]+", "-", label).strip("-") for label in topic.lower().split("."))
    readable = ".".join(label for label in labels if label)
    digest = hashlib.sha256(topic.encode()).hexdigest()[:8]
    return f"{readable[: _NAME_CHARACTERS_MAX - len(digest) - 1].rstrip('-.')}-{digest}".lstrip("-")


def _document(spec: TopicSpec, cluster: str) -> str:
    # JSON strings are YAML strings, whatever is in them.
    configs = "".join(f"    {key}: {json.dumps(value)}\n" for key, value in spec.configs.items())
    return (
        "---\n"
        "apiVersion: kafka.strimzi.io/v1\n"
        "kind: KafkaTopic\n"
        "metadata:\n"
        f"  name: {json.dumps(resource_name(spec.name))}\n"
        "  labels:\n"
        f"    strimzi.io/cluster: {json.dumps(cluster)}\n"
        "spec:\n"
        f"  topicName: {json.dumps(spec.name)}\n"
        f"  partitions: {spec.partitions}\n"
        f"  replicas: {spec.replication}\n"
        "  config:\n" + configs
    )
