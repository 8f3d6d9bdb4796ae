"""From a document to a policy, and the keys that documents have beside those of a policy."""

from collections.abc import Mapping
from typing import Any

from tailrace.schemas.document import Special, examine_document
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import Policy

ROOT = "policy"
#: Key of a document that names the one it builds on. Whoever reads files puts the two together first.
BASE = "base"

_SPECIAL = Special(other_keys={Policy: (BASE,)}, stand_ins={Policy: {"upper_fraction": 1.0}})


def read_policy(values: Mapping[str, Any]) -> Policy:
    """The policy that a document says. Raises a ConfigError for the first thing that is wrong with it."""
    policy, problems = examine_policy(values)
    if policy is None:
        raise problems[0]
    return policy


def examine_policy(values: Mapping[str, Any]) -> tuple[Policy | None, list[ConfigError]]:
    """The policy that a document says, or None and everything that is wrong with it."""
    return examine_document(values, Policy, ROOT, _SPECIAL)
