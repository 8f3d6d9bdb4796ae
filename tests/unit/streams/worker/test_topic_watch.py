"""What a running worker makes of topics that change under it."""

import pytest

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics.topic_plan import ExistingTopic
from tailrace.streams.worker.topic_watch import change_of


@pytest.fixture
def settings() -> Settings:
    return load_settings(topics={"prefix": "p.", "partitions": 4})


def topics(settings: Settings, *, gone: tuple[Topic, ...] = (), **partitions: int) -> dict[str, ExistingTopic]:
    return {
        settings.topic(topic): ExistingTopic(
            name=settings.topic(topic),
            partitions=partitions.get(topic, partitions.get("rest", 4)),
            replication=1,
            configs={},
            overrides={},
        )
        for topic in Topic
        if topic not in gone
    }


def test_topics_that_stay_as_they_are_change_nothing(settings: Settings) -> None:
    assert change_of(topics(settings), settings, 4) is None
    # The settings may say something else: what counts is what the worker began with.
    assert change_of(topics(settings, rest=6), settings, 6) is None


@pytest.mark.parametrize("topic", list(Topic))
def test_a_topic_that_is_gone_is_named_with_what_to_do(settings: Settings, topic: Topic) -> None:
    change = change_of(topics(settings, gone=(topic,)), settings, 4)
    assert change is not None
    assert settings.topic(topic) in change.what
    assert not change.start_again
    remedy = {Topic.CONVERSATIONS: "Restore", Topic.CONTEXTS: "tailrace rebuild contexts"}.get(topic, "topics apply")
    assert remedy in change.fix


def test_without_any_topic_all_are_named(settings: Settings) -> None:
    change = change_of({}, settings, 4)
    assert change is not None
    assert all(settings.topic(topic) in change.what for topic in Topic)


def test_partitions_that_one_topic_got_are_for_somebody_to_give_to_all(settings: Settings) -> None:
    change = change_of(topics(settings, conversations=6), settings, 4)
    assert change is not None
    assert "p.conversations has 6" in change.what
    assert "TAILRACE_TOPICS__PARTITIONS=6 tailrace topics apply --add-partitions" in change.fix
    assert "moves threads" in change.fix
    assert not change.start_again


def test_partitions_that_all_topics_got_need_only_a_new_start(settings: Settings) -> None:
    change = change_of(topics(settings, rest=6), settings, 4)
    assert change is not None
    assert change.start_again
    assert "6 partitions" in change.what


def test_a_topic_that_was_made_anew_with_fewer_partitions_is_not_one_to_start_again_on(settings: Settings) -> None:
    for fewer in (topics(settings, conversations=1), topics(settings, rest=1)):
        change = change_of(fewer, settings, 4)
        assert change is not None
        assert "p.conversations" in change.what
        assert change.fix.startswith("Restore")
        assert not change.start_again
