"""Compiles the distiller, which walks over every byte of a tool output.

mypyc makes C of the same files that are read otherwise, so there is one source. Where no compiler is found the package
is installed without what it would have made: everything works, and distilling takes several times as long. All else
about the package is in pyproject.toml.
"""

import os
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from mypyc.build import mypycify
from setuptools import Extension, setup

_SOURCES = Path("agents/distill")
#: What walks over texts. Records of msgspec can't be compiled, and it is not there where packages are built.
_COMPILED = (
    *(
        "binary",
        "diff",
        "distill",
        "kind",
        "listing",
        "log",
        "markup",
        "line_numbers",
        "odd_rows",
        "prose",
        "terminal_text",
        "selection",
        "source",
    ),
    *("literals", "stack_trace", "table", "test_run", "trouble"),
)
#: The folders at the top are packages of a namespace, which mypyc has to see as such.
_STAGE = Path("build/staged")


def _compiled() -> list[Extension]:
    shutil.rmtree(_STAGE, ignore_errors=True)
    staged = _STAGE / "tailrace" / _SOURCES
    shutil.copytree(_SOURCES, staged, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    os.environ["MYPYPATH"] = str(_STAGE)
    files = [staged / f"{name}.py" for name in _COMPILED]
    # All else is only called, so nothing needs to be known of it: types are checked elsewhere.
    options = ("--config-file=", "--explicit-package-bases", "--follow-imports=skip", "--ignore-missing-imports")
    extensions: list[Extension] = mypycify(
        [*options, *map(str, files)], group_name="tailrace_distill", target_dir=str(_STAGE / "c")
    )
    return extensions


def _can_compile() -> bool:
    """Tell whether there are a compiler and what it needs to know of Python."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    with TemporaryDirectory() as folder:
        probe = Path(folder, "probe.c")
        probe.write_text("#include <Python.h>\n", encoding="utf-8")
        command = [*compiler, "-I", sysconfig.get_path("include"), "-c", str(probe), "-o", str(probe.with_suffix(".o"))]
        try:
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


setup(ext_modules=_compiled() if _can_compile() else [])
