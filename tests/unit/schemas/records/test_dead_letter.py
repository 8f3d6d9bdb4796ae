"""Dead letters: the bytes untouched, the reason in six headers."""

from tailrace.schemas.records.dead_letter import (
    ERROR_HEADERS,
    REASON_CHARACTERS_MAX,
    DeadLetter,
    Headers,
    original_headers,
)
from tailrace.schemas.records.kafka_records import Topic, encode

OWN: Headers = (("ce_id", b"1"), ("trace", b"\xff\x00"), ("trace", b"twice"), ("empty", None))


def letter(
    headers: Headers = OWN,
    message: str = "the value is empty",
    value: bytes | None = b"\xff{",
    key: bytes | None = b"t",
) -> DeadLetter:
    return DeadLetter(
        key=key,
        value=value,
        headers=headers,
        topic="tailrace.conversations",
        partition=3,
        offset=2**40,
        code="invalid",
        error="tailrace.schemas.errors.Invalid",
        message=message,
        stacktrace="ingest.py:7 in decode_event",
    )


def test_key_and_value_are_written_as_they_came() -> None:
    record = encode(letter(), term=9)
    assert (record.topic, record.key, record.value) == (Topic.DLQ, b"t", b"\xff{")


def test_a_record_without_key_or_value_stays_without() -> None:
    record = encode(letter(key=None, value=None), term=9)
    assert (record.key, record.value) == (None, None)


def test_there_are_exactly_six_headers_about_the_error_behind_the_own_ones() -> None:
    headers = letter().to_headers()
    assert headers[: len(OWN)] == OWN
    assert [name for name, _ in headers[len(OWN) :]] == list(ERROR_HEADERS)
    assert len(ERROR_HEADERS) == 6
    assert all(name.startswith("__streams.errors.") for name in ERROR_HEADERS)


def test_the_headers_say_what_and_where() -> None:
    headers = dict(letter().to_headers())
    assert headers["__streams.errors.exception"] == b"tailrace.schemas.errors.Invalid"
    assert headers["__streams.errors.message"] == b"the value is empty"
    assert headers["__streams.errors.stacktrace"] == b"ingest.py:7 in decode_event"
    assert headers["__streams.errors.topic"] == b"tailrace.conversations"
    assert headers["__streams.errors.partition"] == b"3"
    assert headers["__streams.errors.offset"] == b"1099511627776"


def test_the_original_headers_can_be_had_back_for_a_replay() -> None:
    assert original_headers(letter().to_headers()) == OWN


def test_a_letter_that_is_refused_again_has_one_reason_the_new_one() -> None:
    again = letter(headers=letter(message="first").to_headers(), message="second")
    assert [value for name, value in again.to_headers() if name == "__streams.errors.message"] == [b"second"]


def test_a_long_reason_is_cut_and_half_a_character_is_no_error() -> None:
    header = dict(letter(message="\ud800" + "x" * 1_000_000).to_headers())["__streams.errors.message"]
    assert header is not None
    assert len(header) <= REASON_CHARACTERS_MAX * 4
