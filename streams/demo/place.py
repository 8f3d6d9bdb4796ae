"""Where the demo lives: topics, a consumer group and a folder that are nobody else's, whichever broker it runs on.

A demo compacts with a small window. In the group of other workers it would do that to their threads, and in their
topics and stores it would leave its samples. So all of this is its own, whatever the settings say, and goes when it
ends.
"""

import secrets
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tailrace.schemas.errors import Unavailable
from tailrace.streams.files.private import make_folder, opener
from tailrace.streams.local_kafka.file_lock import exclusive
from tailrace.streams.settings.settings import Settings

#: A window small enough that the samples fill it, and large enough to be worth reading.
DEMO_WINDOW_TOKENS: Final = 16_000

_NAME: Final = "tailrace-demo"
_SUFFIX_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class DemoPlace:
    """The folder of a demo, and the name that its group has and its topics begin with."""

    folder: Path
    name: str

    @property
    def prefix(self) -> str:
        """What the names of its topics begin with."""
        return f"{self.name}."

    @property
    def data_dir(self) -> Path:
        """What its worker writes: anew for each demo."""
        return self.folder / "data"

    @property
    def environment_file(self) -> Path:
        """A file for a shell, after which commands and programs mean this demo."""
        return self.folder / "env"

    def variables(self, settings: Settings, bootstrap_servers: str) -> dict[str, str]:
        """Return the variables that turn anybody's settings into those of the demo.

        What could touch others is replaced.
        """
        variables = {
            "TAILRACE_BROKER": bootstrap_servers,
            "TAILRACE_GROUP": self.name,
            "TAILRACE_TOPICS__PREFIX": self.prefix,
            "TAILRACE_DATA_DIR": str(self.data_dir),
        }
        if settings.artifacts.url is not None:
            variables["TAILRACE_ARTIFACTS__URL"] = (self.data_dir / "artifacts").as_uri()
        if "window_tokens" not in settings.policy:
            variables["TAILRACE_POLICY__WINDOW_TOKENS"] = str(DEMO_WINDOW_TOKENS)
        return variables

    def begin(self, variables: Mapping[str, str]) -> None:
        """Forget what an earlier demo wrote here, and write the file for a shell."""
        shutil.rmtree(self.data_dir, ignore_errors=True)
        make_folder(self.data_dir)
        lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
        commands = shlex.quote(str(Path(sys.executable).absolute().parent))
        self.environment_file.write_text("\n".join([*lines, f'export PATH={commands}:"$PATH"', ""]))

    def end(self) -> None:
        """Take the file for a shell away: it would lead nowhere."""
        self.environment_file.unlink(missing_ok=True)


def place_of(settings: Settings) -> DemoPlace:
    """Return the place of the demo with these settings.

    On the local broker of this machine the name is fixed. On a broker that was set it is another one for each data
    folder: the demo of a colleague may run there.
    """
    folder = settings.data_dir.absolute() / "demo"
    return DemoPlace(folder, _NAME if settings.broker is None else f"{_NAME}-{_suffix(folder)}")


def _suffix(folder: Path) -> str:
    """What was chosen for this folder at first: so the next demo finds what one that was killed has left."""
    file = folder / "name"
    if not file.exists():
        make_folder(folder)
        with open(file, "w", encoding="utf-8", opener=opener) as written:
            written.write(secrets.token_hex(_SUFFIX_BYTES))
    return file.read_text()


@contextmanager
def only_demo(place: DemoPlace) -> Iterator[None]:
    """Hold the place. Raises Unavailable where another demo has it."""
    with exclusive(place.folder / "lock", seconds_max=0, refusal=_refusal(place)):
        yield


def _refusal(place: DemoPlace) -> Unavailable:
    return Unavailable(
        f"a demo runs already with the folder {place.folder}. End it, or set TAILRACE_DATA_DIR to another folder "
        f"for a second one"
    )
