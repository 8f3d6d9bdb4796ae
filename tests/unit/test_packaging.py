"""The wheel is whole.

Every package named, every file in it, every import declared, and it runs outside the repository.
"""

import ast
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("schemas", "agents", "streams")
#: What setup.py makes of some sources, beside them and in the wheel.
COMPILED = ".so"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]

#: Import names whose distribution always comes with another that is declared, which is the one to pin.
COMES_WITH = {"mode": "faust-streaming"}


def package_files() -> list[Path]:
    """Return every file of the three packages, relative to the repository."""
    found = (file.relative_to(ROOT) for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file())
    return sorted(file for file in found if "__pycache__" not in file.parts and file.suffix != COMPILED)


def run(*command: str | Path, cwd: Path) -> str:
    # Nothing of the environment that runs the tests may help the installed package.
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "TAILRACE_", "VIRTUAL_"))
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A copy, because setuptools leaves its traces beside the sources and would take stale ones into the wheel.
    source = tmp_path_factory.mktemp("source")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", f"*{COMPILED}"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", source / "dist", source, cwd=source)
    (built,) = (source / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new environment with the wheel in it.

    Its dependencies are those of the environment that runs the tests.
    """
    environment = tmp_path_factory.mktemp("fresh") / "venv"
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert uv, "uv is missing; run `make setup`"
    cwd = environment.parent
    run(uv, "venv", "--quiet", "--offline", "--python", sys.executable, environment, cwd=cwd)
    run(uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", environment, wheel, cwd=cwd)
    (site_packages,) = environment.glob("lib/python*/site-packages")
    # A folder that a .pth names has its own .pth files left alone: the editable install stays invisible.
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site_packages / "dependencies.pth").write_text("\n".join(sorted(folders)) + "\n", encoding="utf-8")
    return environment


def test_every_folder_with_an_init_is_named_as_a_package() -> None:
    folders = sorted(file.parent.as_posix() for file in package_files() if file.name == "__init__.py")
    packages = {f"tailrace.{folder.replace('/', '.')}": folder for folder in folders}

    assert sorted(SETUPTOOLS["packages"]) == sorted(packages), (
        "name the packages in [tool.setuptools] of pyproject.toml"
    )
    assert SETUPTOOLS["package-dir"] == packages, "name the folders in [tool.setuptools.package-dir] of pyproject.toml"


def test_every_module_lies_in_a_package() -> None:
    for file in package_files():
        if file.suffix == ".py":
            assert (ROOT / file).with_name("__init__.py").is_file(), f"{file.parent} needs an __init__.py"


def test_every_top_package_is_marked_as_typed() -> None:
    for folder in FOLDERS:
        assert (ROOT / folder / "py.typed").is_file(), (
            f"{folder}/py.typed tells type checkers that the annotations count"
        )


def test_the_wheel_holds_every_file_of_the_packages_and_no_other(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name and not name.endswith(COMPILED)}
    expected = {f"tailrace/{file.as_posix()}" for file in package_files()}

    assert expected - held == set(), "missing in the wheel: add them to [tool.setuptools.package-data]"
    assert held - expected == set(), "in the wheel, but not in the folders"


def test_the_wheel_brings_the_distiller_compiled(fresh: Path, tmp_path: Path) -> None:
    code = "from tailrace.agents.distill import distill; print(distill.__spec__.origin)"
    where = Path(run(fresh / "bin" / "python", "-c", code, cwd=tmp_path).strip())

    assert where.is_relative_to(fresh)
    assert where.suffix == COMPILED


def test_the_wheel_brings_the_licence_and_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        texts = {name.partition(".dist-info/")[2]: name for name in archive.namelist() if ".dist-info/" in name}
        commands = archive.read(texts["entry_points.txt"]).decode()

    assert "licenses/LICENSE" in texts
    assert "tailrace = tailrace.streams.command:main" in commands


def test_the_installed_command_runs_outside_the_repository(fresh: Path, tmp_path: Path) -> None:
    assert "broker" in run(fresh / "bin" / "tailrace", "--help", cwd=tmp_path)
    assert PYPROJECT["project"]["version"] in run(fresh / "bin" / "tailrace", "version", cwd=tmp_path)


def test_the_installed_client_is_imported_from_the_wheel(fresh: Path, tmp_path: Path) -> None:
    code = "import sys; from tailrace.streams import Client; print(sys.modules[Client.__module__].__file__)"
    where = run(fresh / "bin" / "python", "-c", code, cwd=tmp_path)

    assert Path(where.strip()).is_relative_to(fresh)


def test_the_installed_schemas_are_those_of_the_installed_code(fresh: Path, tmp_path: Path) -> None:
    run(fresh / "bin" / "python", "-m", "tailrace.schemas.generation.generate", "--check", cwd=tmp_path)


# The environment above has the tools of developers too, so an undeclared dependency would not be missed there.


def distribution_name(text: str) -> str:
    """Return the normalised name at the start of a requirement."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\s<>=!~\[;]", text, maxsplit=1)[0]).lower()


def at_run_time(tree: ast.Module) -> ast.Module:
    """Return a module without what only type checkers read."""

    def is_for_types(node: ast.stmt) -> bool:
        return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"

    return ast.Module([node for node in tree.body if not is_for_types(node)], [])


def imported_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_every_import_of_the_packages_is_a_declared_dependency() -> None:
    project = PYPROJECT["project"]
    extras = [requirement for requirements in project["optional-dependencies"].values() for requirement in requirements]
    declared = {distribution_name(requirement) for requirement in [*project["dependencies"], *extras]}
    distributions = importlib.metadata.packages_distributions()
    undeclared = set()
    for file in package_files():
        if file.suffix != ".py":
            continue
        for name in imported_names(at_run_time(ast.parse((ROOT / file).read_text(encoding="utf-8")))):
            providers = {distribution_name(provider) for provider in distributions.get(name, [name])}
            known = name == "tailrace" or name in sys.stdlib_module_names or COMES_WITH.get(name) in declared
            if not known and not providers & declared:
                undeclared.add(f"{file}: {name}")

    assert sorted(undeclared) == [], "add them to the dependencies in pyproject.toml, then `make requirements`"
