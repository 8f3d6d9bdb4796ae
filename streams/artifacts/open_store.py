"""The artifact store that the settings ask for."""

import time

from tailrace.streams.artifacts.keyring import make_keyring
from tailrace.streams.artifacts.object_artifacts import ObjectArtifacts
from tailrace.streams.artifacts.object_files import connect
from tailrace.streams.artifacts.sqlite_artifacts import SqliteArtifacts
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.settings.settings import Settings

#: In the data folder; workers of one machine share it.
SQLITE_FILE = "artifacts.db"


async def open_store(settings: Settings) -> ArtifactStore:
    """The store, open: at `artifacts.url`, else a SQLite file in the data folder.

    Raises ConfigError for settings that can't be used, and Fatal for a file that can't be.
    """
    keyring = make_keyring(settings.artifacts)
    if settings.artifacts.url is not None:
        objects = connect(settings.artifacts.url, settings.artifacts.options)
        return ObjectArtifacts(objects, keyring=keyring, now_ms=_now_ms)
    store = SqliteArtifacts(settings.data_dir / SQLITE_FILE, keyring=keyring, now_ms=_now_ms)
    await store.open()
    return store


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
