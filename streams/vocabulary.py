"""tiktoken's encodings from the vocabularies that the bpe-openai wheel carries: nothing is ever downloaded.

tiktoken's own loader fetches a vocabulary over the network unless a cache folder holds it. Here its definition of an
encoding (pattern, special tokens, expected hash) is run with another loader, which reads the wheel. So there is no
folder to fill, to share or to find read-only, no environment variable, and no way to the network.
"""

import base64
import gzip
import hashlib
import importlib
import importlib.util
import types
from functools import cache
from pathlib import Path, PurePosixPath

import tiktoken

from tailrace.schemas.errors import Unavailable

#: The encodings whose vocabularies the wheel carries.
ENCODINGS = ("o200k_base", "cl100k_base")


@cache
def load_encoding(name: str) -> tiktoken.Encoding:
    """Return tiktoken's encoding of that name, one of `ENCODINGS`; half a second and 80 MB the first time.

    Raises `Unavailable` where the wheel has no such vocabulary, or not the one that tiktoken expects.
    """
    if name not in ENCODINGS:
        raise Unavailable(f"There is no vocabulary for {name!r} here, only for {' and '.join(ENCODINGS)}.")
    definitions = importlib.import_module("tiktoken_ext.openai_public")
    # A copy of tiktoken's function that sees our loader in the place of its own; tiktoken itself stays as it is.
    define = types.FunctionType(
        getattr(definitions, name).__code__, {**vars(definitions), "load_tiktoken_bpe": _ranks_from_wheel}
    )
    return tiktoken.Encoding(**define())


def _ranks_from_wheel(address: str, expected_hash: str) -> dict[bytes, int]:
    path = _wheel_folder() / f"{PurePosixPath(address).name}.gz"
    try:
        vocabulary = gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as error:
        raise Unavailable(f"Can't read the vocabulary {path}: {error}. {_REINSTALL}") from error
    found_hash = hashlib.sha256(vocabulary).hexdigest()
    if found_hash != expected_hash:
        raise Unavailable(
            f"{path} is not the vocabulary that tiktoken expects: SHA-256 {found_hash}, not {expected_hash}. {_REINSTALL}"
        )
    ranks = {}
    for line in vocabulary.splitlines():
        token, rank = line.split()
        ranks[base64.b64decode(token)] = int(rank)
    return ranks


def _wheel_folder() -> Path:
    # Found without importing the package: that would load its own tokenizer of 70 MB.
    spec = importlib.util.find_spec("bpe_openai")
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable(f"The package bpe-openai, which carries the vocabularies, is not installed. {_REINSTALL}")
    return Path(spec.submodule_search_locations[0]) / "data"


_REINSTALL = "Install bpe-openai again in the version that requirements/ pins."
