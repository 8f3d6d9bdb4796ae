"""What a policy may say of triggers, and what is refused at load."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.triggers import Governor, Timers, TriggerRule, Triggers
from tailrace.streams.policy.files import open_policy


def test_a_policy_that_says_nothing_has_no_timers_and_no_rules() -> None:
    triggers = Policy().triggers
    assert not triggers.timers.any
    assert triggers.rules == ()


@pytest.mark.parametrize(
    "timers",
    [
        {"idle_ms": 1},
        {"every_ms": 1},
        {"cron": "* * * * *"},
        {"before_cache_expiry_ms": 1},
        {"call_deadline_ms": 1},
        {"chunk_ms": 1},
    ],
    ids=str,
)
def test_each_timer_is_one(timers: dict[str, Any]) -> None:
    assert Timers(**timers).any


@pytest.mark.parametrize(
    ("make", "fields", "said"),
    [
        (Timers, {"idle_ms": 0}, "idle_ms"),
        (Timers, {"every_ms": -1}, "every_ms"),
        (Timers, {"call_deadline_ms": 0}, "call_deadline_ms"),
        (Timers, {"chunk_ms": 0}, "chunk_ms"),
        (Timers, {"cache_ttl_ms": 0}, "cache_ttl_ms"),
        (Timers, {"before_cache_expiry_ms": 300_000}, "less than cache_ttl_ms (300000)"),
        (Governor, {"cooldown_ms": -1}, "cooldown_ms"),
        (Governor, {"failures_max": 0}, "failures_max"),
        (Governor, {"breaker_ms": -1}, "breaker_ms"),
        (Triggers, {"call_ms_max": 0}, "call_ms_max"),
        (Triggers, {"rules": (TriggerRule(name="", when="turns > 1"),)}, "a name for each rule"),
        (Triggers, {"rules": (TriggerRule(name="a", when="turns > 1"),) * 2}, "none of them twice"),
    ],
    ids=str,
)
def test_numbers_that_make_no_sense_are_refused_with_what_is_allowed(
    make: type, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        make(**fields)
    assert said in str(caught.value)


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="idle_seconds"):
        msgspec.convert({"timers": {"idle_seconds": 3}}, Triggers)


def test_triggers_are_part_of_the_version_of_a_policy() -> None:
    assert Policy().hash != Policy(triggers=Triggers(timers=Timers(idle_ms=5))).hash


@pytest.mark.parametrize(
    ("triggers", "said"),
    [
        ('[[triggers.rules]]\nname = "a"\nwhen = "moons > 3"', "moons"),
        ('[[triggers.rules]]\nname = "a"\nwhen = "turns < 0"', "turns < 0"),
        ('[triggers]\nhold = "turns >"', "turns >"),
        ('[triggers.timers]\ncron = "61 * * * *"', "61 * * * *"),
        ("[triggers.timers]\nidle_seconds = 4", "idle_seconds"),
        ("[triggers.timers]\nidle_ms = 0", "idle_ms"),
        ('[triggers.timers]\nidle_ms = "soon"', "idle_ms"),
    ],
    ids=str,
)
def test_a_policy_file_with_triggers_that_can_not_work_is_refused(tmp_path: Path, triggers: str, said: str) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(f"version = 1\n{triggers}\n")
    with pytest.raises(ConfigError) as caught:
        open_policy(str(file), tmp_path)
    assert said in str(caught.value)


def test_a_policy_file_with_triggers_is_read(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(
        'version = 1\n[triggers]\nhold = "cache_hot"\n[triggers.timers]\nidle_ms = 5000\n'
        '[[triggers.rules]]\nname = "a"\nwhen = "turns > 3"\n'
    )
    triggers = open_policy(str(file), tmp_path).triggers
    assert triggers.hold == "cache_hot"
    assert triggers.timers.idle_ms == 5_000
    assert triggers.rules == (TriggerRule(name="a", when="turns > 3"),)
