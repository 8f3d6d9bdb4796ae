"""Input that is compressed is read as what it holds, and refused with the name of its compression where it can't be."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from typer.testing import CliRunner

from tailrace.schemas.errors import Invalid
from tailrace.streams.cli import app, packed_input
from tailrace.streams.cli.packed_input import unpacked

TEXT = b"".join(json.dumps({"role": "user", "content": f"Trout {number}."}).encode() + b"\n" for number in range(2_000))


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_content_size=False, write_checksum=True).compress(data)


PACKED = pytest.mark.parametrize(("name", "pack"), [("zstd", zstd), ("gzip", gzip.compress)], ids=["zstd", "gzip"])
Pack = Callable[[bytes], bytes]


@PACKED
def test_what_is_packed_comes_out_whole(name: str, pack: Pack) -> None:
    assert unpacked(pack(TEXT)) == TEXT
    assert unpacked(pack(b"")) == b""


@PACKED
def test_several_packed_pieces_are_one_text(name: str, pack: Pack) -> None:
    assert unpacked(pack(TEXT) + pack(b"") + pack(b"end")) == TEXT + b"end"


@pytest.mark.parametrize("data", [TEXT, b"", b"\x1f", b"\x28\xb5"])
def test_other_bytes_stay_as_they_are(data: bytes) -> None:
    assert unpacked(data) == data


@PACKED
def test_what_is_cut_off_or_damaged_is_refused_by_the_name_of_its_packing(name: str, pack: Pack) -> None:
    packed = pack(TEXT)
    with pytest.raises(Invalid, match=f"packed with {name} and ends in the middle"):
        unpacked(packed[: len(packed) // 2])
    middle = len(packed) // 2
    for damaged in (packed[:middle] + bytes(64) + packed[middle + 64 :], packed + b"more"):
        with pytest.raises(Invalid, match=f"packed with {name} and damaged: "):
            unpacked(damaged)


@PACKED
def test_no_more_is_unpacked_than_the_limit(name: str, pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_input, "UNPACKED_BYTES_MAX", 3 << 20)
    assert unpacked(pack(bytes(3 << 20))) == bytes(3 << 20)
    with pytest.raises(Invalid, match=f"more than 3 MiB are packed in it with {name}: unpack it before"):
        unpacked(pack(bytes(64 << 20)))


@PACKED
def test_packed_conversations_are_planned_for_out_of_files_and_pipes(
    name: str, pack: Pack, monkeypatch: pytest.MonkeyPatch, bare_folder: Path
) -> None:
    monkeypatch.setenv("TAILRACE_DATA_DIR", str(bare_folder / "data"))
    packed = pack(b"".join(TEXT.splitlines(keepends=True)[:20]))
    Path("talk.packed").write_bytes(packed)
    Path("cut.packed").write_bytes(packed[:-9])
    runner = CliRunner()

    from_file = runner.invoke(app, ["plan", "talk.packed", "--json"])
    from_pipe = runner.invoke(app, ["plan", "-", "--json"], input=packed)
    assert json.loads(from_file.stdout)["plans"][0]["messages_before"] == 20
    assert json.loads(from_pipe.stdout)["plans"][0]["messages_before"] == 20
    cut = runner.invoke(app, ["plan", "cut.packed"])
    assert (cut.exit_code, cut.stdout) == (1, "")
    assert cut.stderr.startswith(f"error: cut.packed: it is packed with {name} and ")
