"""Tokenizers from the vocabularies that the bpe-openai wheel carries: nothing is ever downloaded.

Two of them for each encoding: the wheel's own, which only counts, and tiktoken's, the reference. tiktoken's loader
fetches a vocabulary over the network unless a cache folder holds it; here tiktoken's definition of an encoding (its
pattern, special tokens, expected hash) is run with another loader, which reads the wheel. So there is no folder to
fill, to share or to find read-only, no environment variable, and no way to the network.
"""

import base64
import gzip
import hashlib
import importlib
import importlib.util
import sys
import types
from collections.abc import Callable
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from tailrace.schemas.errors import Unavailable

if TYPE_CHECKING:
    import tiktoken

#: The encodings whose vocabularies the wheel carries.
ENCODINGS = ("o200k_base", "cl100k_base")

_NATIVE = "bpe_openai._bindings"
_REINSTALL = "Install bpe-openai again in the version that requirements/ pins."


@cache
def load_count(name: str) -> Callable[[str], int]:
    """Return the wheel's counter of tokens for an encoding of `ENCODINGS`: 0.2 seconds and 70 MB the first time.

    Raises `Unavailable` where the wheel or the encoding is missing. The counter takes no lone surrogates.
    """
    _check(name)
    count: Callable[[str], int] = _native_module().tokenizer_for_encoding(name).count
    return count


@cache
def load_encoding(name: str) -> "tiktoken.Encoding":
    """Return tiktoken's encoding of that name, one of `ENCODINGS`: half a second and 80 MB the first time.

    Raises `Unavailable` where the wheel has no such vocabulary, or not the one that tiktoken expects.
    """
    _check(name)
    # Imported here because counting does without it, and it brings `regex` and `requests` along.
    import tiktoken  # noqa: PLC0415

    definitions = importlib.import_module("tiktoken_ext.openai_public")
    # A copy of tiktoken's function that sees our loader in the place of its own; tiktoken itself stays as it is.
    names = {**vars(definitions), "load_tiktoken_bpe": _ranks_from_wheel}
    define = types.FunctionType(getattr(definitions, name).__code__, names)
    return tiktoken.Encoding(**define())


def _check(name: str) -> None:
    if name not in ENCODINGS:
        raise Unavailable(f"There is no vocabulary for {name!r} here, only for {' and '.join(ENCODINGS)}.")


def _native_module() -> Any:
    if _NATIVE in sys.modules:
        return sys.modules[_NATIVE]
    # Loaded past its package, whose import unpacks three vocabularies as dictionaries: 0.6 seconds and 70 MB for
    # nothing.
    spec = PathFinder.find_spec(_NATIVE, [str(_wheel_folder())])
    if spec is None or spec.loader is None:
        raise Unavailable(f"The package bpe-openai has no tokenizer for this machine. {_REINSTALL}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _ranks_from_wheel(address: str, expected_hash: str) -> dict[bytes, int]:
    path = vocabulary_file(PurePosixPath(address).stem)
    try:
        vocabulary = gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as error:
        raise Unavailable(f"Can't read the vocabulary {path}: {error}. {_REINSTALL}") from error
    found_hash = hashlib.sha256(vocabulary).hexdigest()
    if found_hash != expected_hash:
        raise Unavailable(
            f"{path} is not the vocabulary that tiktoken expects: SHA-256 {found_hash}, not {expected_hash}. "
            f"{_REINSTALL}"
        )
    ranks = {}
    for line in vocabulary.splitlines():
        token, rank = line.split()
        ranks[base64.b64decode(token)] = int(rank)
    return ranks


def vocabulary_file(name: str) -> Path:
    """Where the wheel has the vocabulary of an encoding, packed by gzip."""
    return _wheel_folder() / "data" / f"{name}.tiktoken.gz"


def _wheel_folder() -> Path:
    spec = importlib.util.find_spec("bpe_openai")
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable(f"The package bpe-openai, which carries the vocabularies, is not installed. {_REINSTALL}")
    return Path(spec.submodule_search_locations[0])
