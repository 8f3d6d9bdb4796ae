"""Which errors of libraries are none, and that all others stay what they are."""

import importlib
import inspect
import logging
import ssl
from functools import reduce

import pytest
from aiokafka.errors import (
    AuthenticationFailedError,
    GroupAuthorizationFailedError,
    GroupCoordinatorNotAvailableError,
    IllegalGenerationError,
    KafkaConnectionError,
    TopicAuthorizationFailedError,
)

from tailrace.streams.observability.false_alarms import FALSE_ALARMS, AlarmFilter, FalseAlarm

GROUP = "aiokafka.consumer.group_coordinator"


def record(logger: str, message: str, *args: object) -> logging.LogRecord:
    return logging.LogRecord(logger, logging.ERROR, __file__, 1, message, args, None)


def logged_at(made: logging.LogRecord) -> int:
    """Level that a record leaves the filter with."""
    assert AlarmFilter().filter(made)
    return made.levelno


@pytest.mark.parametrize("alarm", FALSE_ALARMS, ids=lambda alarm: alarm.place)
def test_each_place_upstream_still_says_so_as_an_error(alarm: FalseAlarm) -> None:
    module, _, name = alarm.place.partition(":")
    function = reduce(getattr, name.split("."), importlib.import_module(module))
    source = inspect.getsource(function)

    before = source.partition(alarm.says)[0]

    assert before != source, "it no longer says so: take the line out of the table"
    assert before.rindex("log.error(") > before.rfind("log.warning("), "it is no error any more"


@pytest.mark.parametrize("error", [GroupCoordinatorNotAvailableError(), KafkaConnectionError("closed"), OSError(111)])
def test_what_passes_is_a_warning(error: Exception) -> None:
    assert logged_at(record(GROUP, "Group Coordinator Request failed: %s", error)) == logging.WARNING
    assert logged_at(record("aiokafka", "Unable connect to node with id %s: %s", 1, error)) == logging.WARNING


@pytest.mark.parametrize(
    "made",
    [
        record(GROUP, "Group Coordinator Request failed: %s", GroupAuthorizationFailedError("g")),
        record("aiokafka", "Unable connect to node with id %s: %s", 1, AuthenticationFailedError("no")),
        record("aiokafka", "Unable connect to node with id %s: %s", 1, ssl.SSLCertVerificationError("expired")),
        record("aiokafka.cluster", "Error fetching metadata for topic %s: %s", "t", TopicAuthorizationFailedError),
        record("aiokafka.cluster", "Topic %s not found in cluster metadata", "t"),
        record(GROUP, "Unexpected error in join group '%s' response: %s", "g", KafkaConnectionError()),
        record("aiokafka.other", "Group Coordinator Request failed: %s", GroupCoordinatorNotAvailableError()),
        record("tailrace.worker", "batch.failed"),
        record("faust.app.base", "Crashed reason=%r", KafkaConnectionError()),
    ],
    ids=lambda made: made.msg,
)
def test_what_somebody_has_to_act_on_stays_an_error(made: logging.LogRecord) -> None:
    assert logged_at(made) == logging.ERROR


def test_a_commit_that_a_rebalance_overtook_is_a_warning_though_it_must_not_be_repeated() -> None:
    overtaken = "OffsetCommit failed for group %s due to group error (%s), will rejoin"

    assert logged_at(record(GROUP, overtaken, "g", IllegalGenerationError("g"))) == logging.WARNING


def test_where_only_errors_are_wanted_it_is_not_logged() -> None:
    root = logging.getLogger()
    before = root.level
    root.setLevel(logging.ERROR)
    try:
        assert not AlarmFilter().filter(record(GROUP, "Heartbeat session expired - marking coordinator dead"))
    finally:
        root.setLevel(before)
