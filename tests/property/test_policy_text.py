"""Whatever a policy holds: its text reads back as the same policy, and two differ exactly where their texts do."""

import tomllib

import msgspec
from hypothesis import given, settings
from support.policies import policies

from tailrace.schemas.policy.document import read_policy
from tailrace.schemas.policy.policy import Policy
from tailrace.streams.policy.text import differences, policy_toml


@given(policies)
@settings(deadline=None)
def test_what_is_shown_reads_back_as_the_same_policy(policy: Policy) -> None:
    again = read_policy(tomllib.loads(policy_toml(policy)))
    assert again == policy
    assert again.hash == policy.hash


@given(policies)
@settings(deadline=None)
def test_json_reads_back_as_the_same_policy(policy: Policy) -> None:
    again = read_policy(msgspec.json.decode(msgspec.json.encode(policy)))
    assert again.hash == policy.hash


@given(policies, policies)
@settings(deadline=None)
def test_policies_differ_in_some_key_or_are_equal(one: Policy, other: Policy) -> None:
    assert differences(one, one) == []
    assert (differences(one, other) == []) == (one == other)
    mirrored = [(key, theirs, ours) for key, ours, theirs in differences(other, one)]
    assert differences(one, other) == mirrored
