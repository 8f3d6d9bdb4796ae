"""Gigatoken's counter: the numbers of the others, and a memory that stays within bounds."""

import importlib.util

import pytest

from tailrace.streams.models import word_caching_count
from tailrace.streams.models.counters import exact_counter
from tailrace.streams.models.vocabulary import ENCODINGS, load_count, load_encoding
from tailrace.streams.models.word_caching_count import (
    GROWTH_BYTES_MAX,
    LOOK_CHARS,
    WordCachingCount,
    load_fast_count,
)


@pytest.mark.parametrize("name", ENCODINGS)
def test_it_counts_as_the_others_do(name: str) -> None:
    count, texts = load_fast_count(name), ("", "tiktoken is great!", "<|endoftext|>", "的" * 500, "  \n\t a" * 300)

    assert count is not None
    for text in texts:
        assert count(text) == load_count(name)(text) == len(load_encoding(name).encode_ordinary(text))


def test_what_is_long_is_counted_steadily() -> None:
    counter = exact_counter("o200k_base")

    assert counter.count_fast is load_fast_count("o200k_base")
    assert counter.count_steadily is load_count("o200k_base")
    assert counter.count_text(" word" * 20_000) == 20_000


def test_without_the_package_the_other_counter_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)

    assert word_caching_count._native_module() is None


class Encoders:
    """Encoders that are told apart by how many were loaded, and a memory that the test sets."""

    def __init__(self) -> None:
        self.loaded = 0
        self.resident_bytes: int | None = 1_000

    def load(self) -> word_caching_count.Encode:
        self.loaded += 1
        return str.split


def counted(encoders: Encoders) -> WordCachingCount:
    return WordCachingCount(encoders.load, lambda: encoders.resident_bytes)


def test_words_are_forgotten_once_the_memory_of_the_process_has_grown() -> None:
    encoders = Encoders()
    count = counted(encoders)
    text = "a " * (LOOK_CHARS // 2)
    assert count(text) == LOOK_CHARS // 2
    encoders.resident_bytes = 1_000 + GROWTH_BYTES_MAX
    count(text)
    assert encoders.loaded == 1, "no more than it may"
    encoders.resident_bytes += 1
    count("a")
    assert encoders.loaded == 1, "it is not looked at after every text"
    count(text)
    assert encoders.loaded == 2
    count(text)
    count(text)
    assert encoders.loaded == 2, "what the process has now is where it begins"


def test_where_the_memory_is_not_told_words_are_forgotten_by_the_length_of_what_was_counted() -> None:
    encoders = Encoders()
    encoders.resident_bytes = None
    count = counted(encoders)
    count("a " * LOOK_CHARS)

    assert encoders.loaded == 2
