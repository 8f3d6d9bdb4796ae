"""What a client's installation brings, and what it says about what it lacks.

It fits beside the runtimes of agents, too.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tailrace.schemas.errors import MissingExtra
from tailrace.streams.extras import EXTRA_OF, missing_extras_named

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
#: Where a distribution is not named as what it is imported as.
IMPORTED_AS = {
    "faust-streaming": "faust",
    "pyjwt": "jwt",
    "sqlite-utils": "sqlite_utils",
    "sqlite-vec": "sqlite_vec",
}
#: Comes with faust-streaming, and is imported by itself.
COMES_ALONG = {"mode"}

#: Installed beside a client by those who use them.
PEERS = (
    "langchain",
    "langgraph",
    "crewai",
    "openai-agents",
    "pydantic-ai",
    "anthropic",
    "agent-framework",
    "google-adk",
    "llama-index-core",
    "smolagents",
    "strands-agents",
    "agno",
)
RESOLUTIONS_AT_ONCE = 6
#: Refuses what an installation without extras lacks, as an import of it would.
WITHOUT_EXTRAS = f"""
import sys
from importlib.abc import MetaPathFinder
class Missing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {set(EXTRA_OF)}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
"""


def distribution(requirement: str) -> str:
    return re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]


def without_extras(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_EXTRAS + script, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_every_package_of_an_extra_is_known_by_an_extra_that_brings_it() -> None:
    brought = {
        IMPORTED_AS.get(name, name)
        for requirements in EXTRAS.values()
        for requirement in requirements
        if (name := distribution(requirement)) != "tailrace"
    }

    assert brought | COMES_ALONG == set(EXTRA_OF)
    for package, extra in EXTRA_OF.items():
        names = {IMPORTED_AS.get(distribution(one), distribution(one)) for one in EXTRAS[extra]}
        assert package in names | COMES_ALONG, f"{extra} does not bring {package}"


def test_the_extra_with_everything_names_every_other_but_a_java() -> None:
    def reached(extra: str) -> Iterator[str]:
        for requirement in EXTRAS[extra]:
            if distribution(requirement) == "tailrace":
                for name in requirement.partition("[")[2].rstrip("]").split(","):
                    yield name
                    yield from reached(name)

    assert set(reached("all")) == EXTRAS.keys() - {"all", "java"}


def test_a_missing_package_of_ours_is_named_and_any_other_failure_stays_as_it_is() -> None:
    with pytest.raises(MissingExtra, match=re.escape("pip install 'tailrace[stores]'")), missing_extras_named():
        raise ModuleNotFoundError("No module named 'zstandard'", name="zstandard.backend")
    with pytest.raises(ModuleNotFoundError, match="somebody"), missing_extras_named():
        raise ModuleNotFoundError("No module named 'somebody'", name="somebody")


def test_a_client_and_the_library_need_no_extra() -> None:
    script = """
from prometheus_client import CollectorRegistry
from tailrace.streams import Client, compact
from tailrace.streams.settings.settings import load_settings
Client(load_settings(), registry=CollectorRegistry())
messages = [{"role": "user", "content": text} for text in ("The gate at weir 4 opens at noon. " * 400, "When?")]
print(compact(messages, model="gpt-4o", budget_tokens=600).tokens)
"""
    done = without_extras(script)

    assert done.returncode == 0, done.stderr
    assert 0 < int(done.stdout) <= 600


@pytest.mark.parametrize("words", [["--help"], ["worker"], ["publish", "--thread", "t1"]])
def test_the_command_says_in_one_line_how_to_get_it(words: list[str]) -> None:
    done = without_extras("from tailrace.streams.command import main; main()", *words)

    assert done.returncode == 2
    assert re.fullmatch(r"error: .* is not installed\. Run: pip install 'tailrace\[cli\]'\n", done.stderr)


def resolved(requirements: str, folder: Path, *more: str) -> dict[str, str]:
    """Return the versions that an installer would choose. Skips the test where the package index can't be reached."""
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))
    assert uv, "uv is missing; run `make setup`"
    options = ["--quiet", "--no-header", "--no-annotate", "--python-version", "3.11"]
    done = subprocess.run(
        [uv, "pip", "compile", *options, *more, "-"],
        input=requirements,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if re.search(r"error sending request|dns error|Could not connect|timed out|network", done.stderr, re.IGNORECASE):
        pytest.skip(f"the package index can't be reached: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return dict(line.split(" ")[0].split("==") for line in done.stdout.splitlines() if "==" in line)


def test_the_client_and_the_command_take_no_version_away_from_a_runtime(tmp_path: Path) -> None:
    def resolved_beside(peer: str) -> dict[str, str]:
        return resolved(f"{peer}\ntailrace[cli] @ {ROOT.as_uri()}", tmp_path)

    # What takes time is the package index, which answers several at once.
    with ThreadPoolExecutor(RESOLUTIONS_AT_ONCE) as pool:
        alone = dict(zip(PEERS, pool.map(lambda peer: resolved(peer, tmp_path), PEERS), strict=True))
        beside = dict(zip(PEERS, pool.map(resolved_beside, PEERS), strict=True))

    kept = {peer: {name: beside[peer].get(name) for name in versions} for peer, versions in alone.items()}
    assert kept == alone


def test_the_lowest_versions_that_are_allowed_can_be_had_together(tmp_path: Path) -> None:
    requirements = [*PROJECT["dependencies"], *(one for extra in EXTRAS.values() for one in extra)]
    text = "\n".join(one for one in requirements if distribution(one) != "tailrace")

    lowest = resolved(text, tmp_path, "--resolution", "lowest-direct")

    for one in PROJECT["dependencies"]:
        bound = re.search(r">=([0-9.]+)", one)
        assert bound, f"{one} has no lower bound"
        release = lowest[distribution(one)].split(".")
        assert [int(part) for part in release][: bound[1].count(".") + 1] >= [int(part) for part in bound[1].split(".")]
