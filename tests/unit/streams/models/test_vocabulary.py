"""The vocabularies come from an installed package, are the right ones, and the network is never asked."""

import gzip
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import tiktoken

from tailrace.schemas.errors import Unavailable
from tailrace.streams.models import vocabulary
from tailrace.streams.models.counters import exact_counter
from tailrace.streams.models.vocabulary import ENCODINGS, load_count, load_encoding

#: Counts where any call into the network ends the process.
OFFLINE = """
import sys

ASKING = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg"}

def refuse(event, args):
    if event in ASKING:
        raise SystemExit(f"the network was asked: {event} {args}")

sys.addaudithook(refuse)
from tailrace.streams.models.counters import counter_for
from tailrace.streams.models.model_windows import window_for
from tailrace.streams.models.vocabulary import ENCODINGS, load_encoding

for name in ENCODINGS:
    assert len(load_encoding(name).encode_ordinary("tiktoken is great!")) == 6, name
assert counter_for(None).count_text("tiktoken is great!") == 6
assert counter_for("gpt-4").count_text("tiktoken is great!") == 6
assert counter_for("claude-sonnet-4-5").count_text("tiktoken is great!") >= 6
assert window_for("gpt-4o").window_tokens == 128_000
assert window_for("no-such-model").source == "default"
"""


def test_counting_needs_no_network_and_no_cache_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    environment = {
        "HOME": str(home),
        "TMPDIR": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PATH": "/usr/bin:/bin",
    }

    run = subprocess.run(
        [sys.executable, "-c", OFFLINE], env=environment, capture_output=True, text=True, check=False, timeout=300
    )

    assert run.returncode == 0, run.stderr
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_encoding_is_the_one_that_tiktoken_defines(name: str) -> None:
    encoding = load_encoding(name)

    assert encoding.name == name
    assert encoding.decode(encoding.encode_ordinary("naïve 日本語 🚀")) == "naïve 日本語 🚀"
    assert "<|endoftext|>" in encoding.special_tokens_set
    assert len(encoding.encode_ordinary("<|endoftext|>")) > 1


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_counter_and_tiktoken_have_the_same_vocabulary(name: str) -> None:
    tokens = [
        token.decode() for token in load_encoding(name).token_byte_values()[::97] if token.isascii() and token.isalnum()
    ]

    assert len(tokens) > 100
    assert [exact_counter(name).count_text(token) for token in tokens] == [
        len(load_encoding(name).encode_ordinary(token)) for token in tokens
    ]


@pytest.mark.parametrize("name", ["r50k_base", "o200k_harmony", "", "../o200k_base"])
def test_an_encoding_that_we_have_no_vocabulary_for_is_refused(name: str) -> None:
    with pytest.raises(Unavailable, match="only for"):
        load_encoding(name)
    with pytest.raises(Unavailable, match="only for"):
        exact_counter(name)


@pytest.fixture
def wheel_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in the place of the wheel's, and nothing loaded before."""
    (tmp_path / "data").mkdir()
    monkeypatch.setattr(vocabulary, "_wheel_folder", lambda: tmp_path)
    monkeypatch.setattr(vocabulary, "load_encoding", load_encoding.__wrapped__)
    return tmp_path


def test_a_vocabulary_with_another_hash_is_refused(wheel_folder: Path) -> None:
    (wheel_folder / "data" / "o200k_base.tiktoken.gz").write_bytes(gzip.compress(b"IQ== 0\n", mtime=0))

    with pytest.raises(Unavailable, match=r"not the vocabulary that tiktoken expects.*Install bpe-openai again"):
        vocabulary.load_encoding("o200k_base")


@pytest.mark.parametrize("content", [None, b"", b"not gzip", gzip.compress(b"x" * 1_000, mtime=0)[:-9]])
def test_a_vocabulary_that_is_missing_or_broken_says_what_to_do(wheel_folder: Path, content: bytes | None) -> None:
    if content is not None:
        (wheel_folder / "data" / "o200k_base.tiktoken.gz").write_bytes(content)

    with pytest.raises(Unavailable, match="Install bpe-openai again"):
        vocabulary.load_encoding("o200k_base")


def test_a_missing_package_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    with pytest.raises(Unavailable, match="is not installed"):
        load_encoding.__wrapped__("o200k_base")


def test_a_package_without_a_tokenizer_for_this_machine_says_what_to_do(
    wheel_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "bpe_openai._bindings", raising=False)

    with pytest.raises(Unavailable, match="no tokenizer for this machine"):
        load_count.__wrapped__("o200k_base")


def test_counting_loads_neither_tiktoken_nor_the_dictionaries_of_the_wheel() -> None:
    script = (
        "import sys; from tailrace.streams.models.counters import counter_for; counter_for(None).count_text('x'); "
        "print({'tiktoken', 'bpe_openai'} & set(sys.modules))"
    )

    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)

    assert run.stdout.strip() == "set()"


def test_tiktoken_stays_as_it_was() -> None:
    load_encoding("o200k_base")

    assert "o200k_base" not in tiktoken.registry.ENCODINGS
