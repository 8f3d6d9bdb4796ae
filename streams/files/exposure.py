"""Files with words of conversations, and files with keys, that others than their owner may open."""

import shlex
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import structlog

from tailrace.schemas.decoder import decode_toml
from tailrace.streams.artifacts.object_files import local_folder
from tailrace.streams.artifacts.open_store import SQLITE_FILE
from tailrace.streams.demo.process import DEMO_PARTS
from tailrace.streams.files.private import GROUP_AND_OTHERS, is_ours, with_beside
from tailrace.streams.kafka.clients import local_broker_of
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.settings.places import holds
from tailrace.streams.settings.settings import Settings, config_file
from tailrace.streams.worker.projection import PROJECTION_FILE

log = structlog.get_logger("tailrace.files")

#: Settings that are secrets themselves.
_SECRETS = (["artifacts", "keys"], ["security", "sasl_password"], ["security", "ssl_key_password"])


@dataclass(frozen=True, slots=True)
class Exposed:
    """A file or folder that others than its owner may open, and who they are, as permissions in octal."""

    path: Path
    mode: int

    def __str__(self) -> str:
        """Say it as `ls` and `chmod` would."""
        return f"{self.path} ({stat.filemode(self.mode)})"


def exposed_data(settings: Settings) -> list[Exposed]:
    """What of the data on this machine others than its owner may open."""
    return [exposed for path in _data(settings) if (exposed := _exposed(path, GROUP_AND_OTHERS)) is not None]


def _data(settings: Settings) -> Iterator[Path]:
    yield settings.data_dir
    for name in (SQLITE_FILE, PROJECTION_FILE, RECALL_FILE):
        yield from with_beside(settings.data_dir / name)
    yield from (settings.data_dir / part.log_name for part in DEMO_PARTS)
    yield local_broker_of(settings).data_dir
    folder = local_folder(settings.artifacts.url or "")
    if folder is not None:
        yield folder


def exposed_keys(settings: Settings) -> list[Exposed]:
    """Files with keys that others than their owner may read.

    One that belongs to somebody else was put there by a machine, as secrets are mounted: then its group is ours.
    """
    files = [settings.artifacts.keys_file, settings.security.ssl_key_file, _config_with_secrets()]
    files += [model.api_key_file for model in settings.summarizer.models]
    return [exposed for path in files if path is not None and (exposed := _exposed_key(path)) is not None]


def warn_of_exposed_keys(settings: Settings) -> None:
    """Say in the log whose keys others may read: the worker can do without, so it goes on."""
    for exposed in exposed_keys(settings):
        log.warning("keys.exposed", file=str(exposed), do=f"chmod go= {shlex.quote(str(exposed.path))}")


def _config_with_secrets() -> Path | None:
    """The file with the settings, if there is one and a secret stands in it."""
    file = config_file()
    if file is None:
        return None
    values = decode_toml(file.read_text(encoding="utf-8"))
    return file if any(holds(values, place) for place in _SECRETS) else None


def _exposed_key(path: Path) -> Exposed | None:
    try:
        closed_to = GROUP_AND_OTHERS if is_ours(path.stat()) else stat.S_IRWXO
    except OSError:
        return None  # whoever reads it says what is wrong
    return _exposed(path, closed_to)


def _exposed(path: Path, closed_to: int) -> Exposed | None:
    try:
        mode = path.stat().st_mode
    except OSError:
        return None
    return Exposed(path, mode) if mode & closed_to else None
