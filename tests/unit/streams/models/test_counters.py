"""Which counter a model gets, and that no text can hurt it."""

import math
import time

import pytest

from tailrace.agents.tokens.counts import NO_RESULT_TOKENS, count_message
from tailrace.schemas.providers.call_answers import NO_RESULT
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallResponsePart
from tailrace.streams.models.counters import (
    DEFAULT_ENCODING,
    ExactCounter,
    ScaledCounter,
    counter_for,
    exact_counter,
)


@pytest.mark.parametrize("model", [None, "gpt-4", "claude-opus-4-8", "gemini-3-pro", "a model that nobody knows"])
def test_no_counter_finds_more_in_a_missing_result_than_is_set_aside_for_it(model: str | None) -> None:
    missing = Message(role="tool", parts=(ToolCallResponsePart(id="call_0a1b2c", response=NO_RESULT),))

    assert count_message(missing, counter_for(model)) <= NO_RESULT_TOKENS


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        (None, DEFAULT_ENCODING),
        ("gpt-4o", "o200k_base"),
        ("GPT-4o", "o200k_base"),
        ("gpt-4o-2024-08-06", "o200k_base"),
        ("openai/gpt-4o-mini", "o200k_base"),
        ("openai:gpt-5.2", "o200k_base"),
        ("azure/gpt-5-mini", "o200k_base"),
        ("openrouter/openai/gpt-4.1", "o200k_base"),
        ("ft:gpt-4o-mini-2024-07-18:team::abc", "o200k_base"),
        ("gpt-5-codex", "o200k_base"),
        ("gpt-6-turbo", "o200k_base"),
        ("gpt-oss-120b", "o200k_base"),
        ("o1", "o200k_base"),
        ("o3-mini-2025-01-31", "o200k_base"),
        ("o4-mini", "o200k_base"),
        ("chatgpt-4o-latest", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-0613", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
    ],
)
def test_models_of_openai_are_counted_exactly(model: str | None, encoding: str) -> None:
    counter = counter_for(model)

    assert isinstance(counter, ExactCounter)
    assert counter.encoding == encoding


@pytest.mark.parametrize(
    "model",
    ["gemini-2.5-pro", "llama3.3:70b", "qwen/qwen3-coder", "omni-1", "text-davinci-003", "", " ", "x" * 100_000],
)
def test_other_models_are_counted_by_a_public_vocabulary_and_a_factor(model: str) -> None:
    counter = counter_for(model)

    assert isinstance(counter, ScaledCounter)
    assert counter.exact is counter_for(None)
    assert counter.encoding == "o200k_base x 1.3"
    assert counter.count_text("") == 0
    assert counter.count_text("a word " * 100) == math.ceil(counter.exact.count_text("a word " * 100) * 1.3)


@pytest.mark.parametrize(
    "model",
    ["claude-sonnet-4-5", "anthropic:claude-opus-5", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"],
)
def test_claude_has_a_factor_of_its_own(model: str) -> None:
    counter, other = counter_for(model), counter_for("a model that nobody knows")

    assert isinstance(counter, ScaledCounter)
    assert isinstance(other, ScaledCounter)
    assert counter.factor > other.factor


def test_a_counter_is_loaded_once() -> None:
    assert counter_for("gpt-4o").count_text is not None
    assert counter_for("gpt-4o") is counter_for(None) is exact_counter("o200k_base")


def test_marks_of_the_chat_format_are_text() -> None:
    assert counter_for(None).count_text("<|endoftext|>") == 7
    assert counter_for("gpt-4").count_text("<|im_start|>user") > 2


def test_half_a_surrogate_pair_counts_as_the_replacement_character() -> None:
    counter = exact_counter("o200k_base")

    assert counter.count_text("a\ud83db") == counter.count_text("a\ufffdb")
    assert counter.count_text("\ud83d\ude00") == counter.count_text("😀")


@pytest.mark.parametrize("unit", ["a", " ", "的", "😀", "\n", ".", "1", "!a"], ids=ascii)
def test_a_megabyte_of_one_thing_is_counted_in_bounded_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit.encode())) + "x"

    started = time.process_time()
    tokens = exact_counter("o200k_base").count_text(text)

    assert tokens > 1_000
    assert time.process_time() - started < 5
