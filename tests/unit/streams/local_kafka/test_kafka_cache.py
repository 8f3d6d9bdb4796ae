import functools
import hashlib
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tailrace.schemas.errors import Unavailable
from tailrace.streams.local_kafka import kafka_cache
from tailrace.streams.local_kafka.kafka_cache import DownloadProgress, classpath, jars_dir, missing_jars
from tailrace.streams.local_kafka.kafka_jars import JARS, KAFKA_VERSION, ROOTS, Jar

CONTENTS = {"org.one:first:1.0": b"1" * 50_000, "org.two:second:2.0": b"2" * 70_000}


def test_every_root_is_pinned() -> None:
    assert set(ROOTS) <= {jar.coordinate for jar in JARS}


def test_no_two_jars_share_a_file_name() -> None:
    assert len({jar.file_name for jar in JARS}) == len(JARS)


def test_the_parts_of_kafka_are_all_of_one_version() -> None:
    versions = {jar.coordinate.split(":")[2] for jar in JARS if jar.coordinate.startswith("org.apache.kafka:")}

    assert versions == {KAFKA_VERSION}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name in the base class
        pass


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the folder of a Maven repository on loopback that jgo is pointed to, holding two jars that are pinned."""
    folder = tmp_path / "repository"
    for coordinate, content in CONTENTS.items():
        file_of(folder, coordinate).parent.mkdir(parents=True)
        file_of(folder, coordinate).write_bytes(content)
    pinned = tuple(Jar(name, len(body), hashlib.sha256(body).hexdigest()) for name, body in CONTENTS.items())
    monkeypatch.setattr(kafka_cache, "JARS", pinned)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    settings = tmp_path / "jgo.conf"
    settings.write_text(f"[repositories]\ncentral = http://127.0.0.1:{server.server_port}\n")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(settings))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield folder
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def file_of(repository: Path, coordinate: str) -> Path:
    group, name, version = coordinate.split(":")
    return repository.joinpath(*group.split("."), name, version, f"{name}-{version}.jar")


def test_missing_jars_are_downloaded_once(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    seen: list[DownloadProgress] = []

    first = classpath(cache, on_download=seen.append)
    for coordinate in CONTENTS:
        file_of(repository, coordinate).unlink()
    second = classpath(cache)

    assert first == second
    assert [path.read_bytes() for path in first] == list(CONTENTS.values())
    assert seen[-1] == DownloadProgress(files_done=2, files_total=2, bytes_done=120_000, bytes_total=120_000)
    assert not (jars_dir(cache) / "incoming").exists()


def test_a_changed_jar_is_refused_and_the_right_ones_are_kept(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    file_of(repository, "org.two:second:2.0").write_bytes(b"3" * 70_000)

    with pytest.raises(Unavailable, match=r"org\.two:second:2\.0 .* SHA-256"):
        classpath(cache)

    assert [jar.coordinate for jar in missing_jars(cache)] == ["org.two:second:2.0"]


def test_half_a_file_counts_as_missing_and_is_fetched_again(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first, _ = classpath(cache)
    first.write_bytes(b"1" * 100)

    assert len(missing_jars(cache)) == 1
    assert classpath(cache)[0].read_bytes() == CONTENTS["org.one:first:1.0"]


def test_a_download_that_was_interrupted_goes_on(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    left_over = file_of(jars_dir(cache) / "incoming", "org.one:first:1.0")
    left_over.parent.mkdir(parents=True)
    left_over.write_bytes(b"1" * 100)

    assert [path.read_bytes() for path in classpath(cache)] == list(CONTENTS.values())


def test_an_unreachable_jar_is_named_with_what_to_do(repository: Path, tmp_path: Path) -> None:
    file_of(repository, "org.one:first:1.0").unlink()

    with pytest.raises(Unavailable, match=r"org\.one:first:1\.0 .*TAILRACE_BROKER"):
        classpath(tmp_path / "cache")
