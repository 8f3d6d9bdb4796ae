"""Objects in S3, GCS, Azure or plain files through obstore, with its errors told in our words.

obstore is an extra and imported only here, when a URL is set.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from tailrace.schemas.errors import ArtifactStoreFull, ConfigError, Unavailable
from tailrace.streams.extras import missing_extras_named
from tailrace.streams.files.private import make_folder

if TYPE_CHECKING:
    from obstore.store import ObjectStore

#: obstore takes what concerns HTTP by itself, and ends the process where it finds it among the rest.
_HTTP_OPTIONS: Final = frozenset(
    {
        *("allow_http", "allow_invalid_certificates", "connect_timeout", "default_content_type", "http1_only"),
        *("http2_keep_alive_interval", "http2_keep_alive_timeout", "http2_keep_alive_while_idle", "http2_only"),
        *("pool_idle_timeout", "pool_max_idle_per_host", "proxy_url", "proxy_ca_certificate", "proxy_excludes"),
        *("root_certificate", "randomize_addresses", "read_timeout", "timeout", "user_agent"),
    }
)
#: Then it is the caller's turn: a worker stops and replays, and must not hang for obstore's three minutes.
_RETRY_SECONDS_MAX: Final = 20
_RETRIES_MAX: Final = 4
#: What is longer is sent in parts. S3 wants at least 5 MiB for each.
PART_BYTES: Final = 5 * 1024 * 1024
#: Parts of one object on their way at once: each of them is in memory.
_PARTS_MAX: Final = 2
#: How a full disk shows in obstore's errors about files.
_NO_ROOM: Final = ("os error 28", "os error 122")


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object, and what tells this version of it from others."""

    content: bytes
    version: dict[str, str]


class ObjectFiles:
    """Objects under one URL."""

    def __init__(self, store: "ObjectStore", url: str) -> None:
        """Take what `connect` has opened."""
        import obstore  # noqa: PLC0415  an extra

        self._obstore = obstore
        self._store = store
        self.url = url

    async def get(self, path: str) -> StoredObject | None:
        """An object, or None."""
        with self._store_errors():
            try:
                response = await self._obstore.get_async(self._store, path)
            except FileNotFoundError:
                return None
            version = {name: tag for name in ("e_tag", "version") if isinstance(tag := response.meta.get(name), str)}
            return StoredObject(bytes(await response.bytes_async()), version)

    async def get_piece(self, path: str, first: int, length: int) -> bytes | None:
        """A piece of an object; less where it ends before, None where it begins behind the end or is missing."""
        with self._store_errors():
            try:
                return bytes(await self._obstore.get_range_async(self._store, path, start=first, length=length))
            except FileNotFoundError:
                return None
            except self._obstore.exceptions.GenericError as error:
                # No backend has an error of its own for it.
                if "416" in str(error) or "range was invalid" in str(error):
                    return None
                raise

    async def put(self, path: str, content: bytes | Iterator[bytes]) -> None:
        """Write an object, whole or not at all; an iterator is sent in parts."""
        with self._store_errors():
            await self._obstore.put_async(self._store, path, content, chunk_size=PART_BYTES, max_concurrency=_PARTS_MAX)

    async def create(self, path: str, content: bytes) -> bool:
        """Write an object unless there is one, and tell whether it was written."""
        with self._store_errors():
            try:
                await self._obstore.put_async(self._store, path, content, mode="create")
            except self._obstore.exceptions.AlreadyExistsError:
                return False
            return True

    async def replace(self, path: str, content: bytes, seen: StoredObject) -> bool:
        """Write an object if it is still the one that was found, and tell whether it was."""
        with self._store_errors():
            try:
                await self._obstore.put_async(self._store, path, content, mode=seen.version)  # type: ignore[arg-type]
            except self._obstore.exceptions.PreconditionError:
                return False
            except NotImplementedError:
                # Plain files can't compare: the last one wins.
                await self._obstore.put_async(self._store, path, content)
            return True

    async def delete(self, path: str) -> None:
        """Remove an object, if it is there."""
        with self._store_errors():
            try:
                await self._obstore.delete_async(self._store, path)
            except FileNotFoundError:
                return

    async def below(self, prefix: str) -> AsyncIterator[str]:
        """Yield the paths of all objects below a prefix, in any order."""
        with self._store_errors():
            async for batch in self._obstore.list(self._store, prefix, chunk_size=1000):
                for listed in batch:
                    yield listed["path"]

    async def folders(self, prefix: str) -> Sequence[str]:
        """The names one step below a prefix that have objects below them."""
        with self._store_errors():
            listing = await self._obstore.list_with_delimiter_async(self._store, prefix)
            return [path.rpartition("/")[2] for path in listing["common_prefixes"]]

    @contextmanager
    def _store_errors(self) -> Iterator[None]:
        try:
            yield
        except (self._obstore.exceptions.BaseError, OSError) as error:
            # What follows the first line is for those who wrote the library.
            reason = str(error).partition("\n")[0]
            if any(sign in reason for sign in _NO_ROOM):
                raise ArtifactStoreFull(self.url, reason) from error
            raise Unavailable(
                f"{self.url} can't be used: {reason}. Look at artifacts.url, artifacts.options and the "
                f"provider's credentials"
            ) from error


def connect(url: str, options: Mapping[str, str]) -> ObjectFiles:
    """Objects at a URL. Nothing is sent yet.

    Raises MissingExtra without obstore, ConfigError where it refuses the settings.
    """
    with missing_extras_named():
        from obstore import exceptions  # noqa: PLC0415  an extra
        from obstore.store import from_url  # noqa: PLC0415  an extra
    folder = local_folder(url)
    if folder is not None:
        special: dict[str, Any] = {"automatic_cleanup": True}
    else:
        http = {name: _truth(value) for name, value in options.items() if name in _HTTP_OPTIONS}
        special = {
            "config": {name: value for name, value in options.items() if name not in _HTTP_OPTIONS},
            "client_options": http,
            "retry_config": {"max_retries": _RETRIES_MAX, "retry_timeout": timedelta(seconds=_RETRY_SECONDS_MAX)},
        }
    try:
        if folder is not None:
            make_folder(folder)
        return ObjectFiles(from_url(url, **special), url)
    except (exceptions.BaseError, ValueError, TypeError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise ConfigError(
            "artifacts.url", url, f"what obstore can open with artifacts.options; it says: {reason}"
        ) from error


def local_folder(url: str) -> Path | None:
    """Return the folder that a URL of plain files names; None for any other."""
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def _truth(value: str) -> str | bool:
    """Options are texts; some of HTTP's are yes or no."""
    return {"true": True, "false": False}.get(value.lower(), value)
