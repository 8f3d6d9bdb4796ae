"""A throw-away copy of the repository in which the commands of a sample conversation really run.

What they print is kept, less what belongs to the machine: its paths, its user and its name. A copy, because a
conversation edits files, makes branches and commits.
"""

import getpass
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Where the repository lies in every sample.
SHOWN_ROOT = "/srv/tailrace"

COMMAND_SECONDS_MAX = 180

#: Samples that quote themselves would grow with every recording.
_LEFT_OUT = (
    "streams/demo/samples/",
    "ops/samples/",
    "tests/data/",
    "tests/unit/streams/demo/test_sample_conversations.py",
)
#: What the copy is committed as, so that history has more than one line: subject and paths.
_COMMITS = (
    (
        "Set up packaging and pinned requirements",
        (".gitignore", "LICENSE", "Makefile", "pyproject.toml", "requirements"),
    ),
    ("Add the schemas of all that travels", ("schemas",)),
    ("Add the pure agents", ("agents",)),
    ("Add the streams", ("streams",)),
    ("Add tests, operations and documents", (".",)),
)
_AUTHOR = ("Dana Reyes", "dana@example.org")
#: Long enough not to be a word of its own in some output.
_HOST_CHARS_MIN = 5
_LISTING_OWNER = re.compile(r"(?<![\w-])([-dl][-rwxsStT]{9}[.+]?\s+\d+ )(\S+ +\S+)( )")
_ADDRESS = re.compile(r"0x[0-9a-f]{9,}")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command printed, neutralised, and how it ended."""

    text: str
    exit_code: int


class Sandbox:
    """The copy. Everything runs in it with an environment that holds nothing of the recording person's."""

    def __init__(self, folder: Path) -> None:
        """Copy the repository into `folder` and commit it there."""
        self.root = folder / "tailrace"
        self._home = folder / "home"
        self._home.mkdir()
        self.root.mkdir()
        self._copy_files()
        self._link_packages()
        self._commit()

    def run(self, command: str, *, stdin: str = "") -> Outcome:
        """Run a shell command at the top of the copy; standard output and errors come as one text, in their order."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env=self._environment(),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=COMMAND_SECONDS_MAX,
            check=False,
        )
        return Outcome(self.neutral(done.stdout), done.returncode)

    def neutral(self, text: str) -> str:
        """Return the text without what it says of this machine."""
        for path, shown in self._shown_paths():
            text = text.replace(path, shown)
        text = _LISTING_OWNER.sub(r"\1dev dev\3", _ANSI.sub("", text))
        host = socket.gethostname()
        if len(host) >= _HOST_CHARS_MIN and host != "localhost":
            text = re.sub(rf"\b{re.escape(host)}\b", "worker-1", text)
        user = getpass.getuser()
        if user != "root":
            text = re.sub(rf"\b{re.escape(user)}\b", "dev", text)
        return _ADDRESS.sub("0x7f0000000000", text)

    def _shown_paths(self) -> list[tuple[str, str]]:
        shown = {
            self.root: SHOWN_ROOT,
            self._home: "/srv/dev",
            self.root.parent: "/tmp/samples",  # noqa: S108  a name in a text, not a file
            ROOT: SHOWN_ROOT,
            Path(sys.prefix): f"{SHOWN_ROOT}/.venv",
            Path(sys.base_prefix): "/usr/local",
            Path.home(): "/srv/dev",
        }
        # Longest first: one may lie in another.
        pairs = sorted(((str(path), name) for path, name in shown.items()), key=lambda pair: -len(pair[0]))
        return [(path, name) for path, name in pairs if path != "/"]

    def _environment(self) -> dict[str, str]:
        name, mail = _AUTHOR
        return {
            "PATH": f"{Path(sys.prefix) / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self._home),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "NO_COLOR": "1",
            "COLUMNS": "110",
            "PYTHONPATH": str(self.root / "build/links"),
            "MYPYPATH": str(self.root / "build/links"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": mail,
            "GIT_COMMITTER_NAME": name,
            "GIT_COMMITTER_EMAIL": mail,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_PAGER": "cat",
        }

    def _copy_files(self) -> None:
        listed = _git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        for name in filter(None, listed.split("\0")):
            source = ROOT / name
            if name.startswith(_LEFT_OUT) or not source.is_file():
                continue
            target = self.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)

    def _link_packages(self) -> None:
        # The editable install points at the repository; the copy must import itself.
        links = self.root / "build/links/tailrace"
        links.mkdir(parents=True)
        for name in ("schemas", "agents", "streams"):
            (links / name).symlink_to(os.path.relpath(self.root / name, links))

    def _commit(self) -> None:
        self._must("git init --quiet --initial-branch main")
        for subject, paths in _COMMITS:
            there = " ".join(path for path in paths if (self.root / path).exists())
            self._must(f"git add {there} && {{ git diff --cached --quiet || git commit --quiet -m '{subject}'; }}")

    def _must(self, command: str) -> None:
        outcome = self.run(command)
        if outcome.exit_code:
            raise SystemExit(f"{command} failed in the copy of the repository:\n{outcome.text}")


@contextmanager
def fresh_sandbox() -> Iterator[Sandbox]:
    """Yield a new copy that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tailrace-samples-") as folder:
        yield Sandbox(Path(folder).resolve())


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout
