"""Looks at everything that Tailrace needs and says what to do about what is not right."""

import asyncio
import importlib.metadata
import os
import platform
import re
import shlex
import shutil
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from enum import StrEnum
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from typing import Final

from msgspec import Struct

from tailrace.agents.distill import literals
from tailrace.agents.plan.steps.strategy_names import named_strategies
from tailrace.schemas.errors import TailraceError
from tailrace.streams.files.exposure import exposed_data, exposed_keys
from tailrace.streams.kafka.broker_clock import measure_skew
from tailrace.streams.kafka.clients import admin, bootstrap_servers, local_broker_of
from tailrace.streams.local_kafka.java import find_java
from tailrace.streams.models.counters import exact_counter
from tailrace.streams.models.vocabulary import ENCODINGS, load_encoding
from tailrace.streams.settings.settings import Settings
from tailrace.streams.strategies.custom_strategies import installed_names, load_strategies, missing_strategies
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.topics import topic_specs

_PYTHONS: Final = ((3, 11), (3, 14))
_SAMPLE: Final = "Tailrace keeps every conversation inside its window. 流水不腐。"
#: Clocks that differ by more than this make times in contexts and logs misleading.
_SKEW_MS_MAX: Final = 2_000
_MB: Final = 1_000_000
#: Kafka stops when its disk is full, and then loses nothing but takes nothing either.
_FREE_MB_FAIL: Final = 200
_FREE_MB_WARN: Final = 2_000

_REQUIREMENT: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*([^;]*)(;.*)?$")
_BOUND: Final = re.compile(r"(>=|<)\s*([0-9][0-9.]*)")


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    SKIP = "skip"


class Finding(Struct, frozen=True, kw_only=True):
    """What one check found, and what to do about it."""

    check: str
    state: State
    what: str
    fix: str | None = None


async def examine(settings: Settings) -> AsyncGenerator[Finding, None]:
    """Yield a finding for each check, as soon as it is made. Nothing is written anywhere."""
    for check in (check_python, check_packages, check_distiller, check_vocabulary):
        yield check()
    yield check_strategies(settings)
    yield check_java(settings)
    yield check_disk(settings)
    yield check_files(settings)
    async for finding in _check_broker(settings):
        yield finding


def check_python() -> Finding:
    """Tell whether this Python is one that Tailrace is made for."""
    low, high = _PYTHONS
    what = f"{platform.python_version()} at {sys.executable}"
    if low <= sys.version_info[:2] < high:
        return _ok("python", what)
    return _warn("python", what, "Tailrace is made for Python 3.11 to 3.13")


def check_packages() -> Finding:
    """Tell whether all packages that Tailrace requires are installed, in versions that it can use."""
    wrong, count = [], 0
    for requirement in importlib.metadata.requires("tailrace") or ():
        match = _REQUIREMENT.match(requirement)
        # A condition means an extra: optional.
        if match is None or match[3]:
            continue
        count += 1
        try:
            version = importlib.metadata.version(match[1])
        except importlib.metadata.PackageNotFoundError:
            wrong.append(f"{match[1]} is not installed")
            continue
        if not _within(version, match[2]):
            wrong.append(f"{match[1]} is {version}, not {match[2].strip()}")
    if wrong:
        return _fail(
            "packages", "; ".join(wrong), "Install Tailrace again: make setup, or pip install --upgrade tailrace"
        )
    return _ok("packages", f"all {count} there, in versions that fit")


def _within(version: str, specifier: str) -> bool:
    """Tell whether a version is within bounds as our own metadata writes them: >= and < only."""
    numbers = _numbers(version)
    return all(
        (numbers >= _numbers(bound)) if operator == ">=" else (numbers < _numbers(bound))
        for operator, bound in _BOUND.findall(specifier)
    )


def _numbers(version: str) -> tuple[int, ...]:
    release = re.match(r"[0-9.]*", version)
    return tuple(int(part) for part in (release[0] if release else "").split(".") if part)


def check_distiller() -> Finding:
    """Tell whether what walks over every byte of a tool output was compiled when Tailrace was installed."""
    spec = literals.__spec__
    if spec is not None and isinstance(spec.loader, ExtensionFileLoader):
        return _ok("distiller", "compiled")
    return _warn(
        "distiller",
        "interpreted: distilling a tool output takes several times as long",
        "Install a C compiler and the headers of Python (on Debian: gcc python3-dev), then Tailrace again",
    )


def check_vocabulary() -> Finding:
    """Tell whether tokens can be counted exactly without the network."""
    try:
        for name in ENCODINGS:
            expected = len(load_encoding(name).encode_ordinary(_SAMPLE))
            counted = exact_counter(name).count_text(_SAMPLE)
            if counted != expected:
                return _fail(
                    "vocabulary", f"{name}: {counted} tokens, tiktoken counts {expected}", "Install bpe-openai again"
                )
    except TailraceError as error:
        return _fail("vocabulary", str(error))
    return _ok("vocabulary", f"{' and '.join(ENCODINGS)} count as tiktoken does")


def check_strategies(settings: Settings) -> Finding:
    """Tell whether the strategies that are installed can be loaded, and those that the policy names are among them."""
    policy = settings.compaction_policy
    installed = installed_names()
    named = set(named_strategies(policy).values())
    loaded = load_strategies({*installed, *named}, timeout_seconds=settings.strategies.timeout_seconds)
    what = f"policy {policy.name} {policy.hash}; {', '.join(installed) or 'none of your own'} installed"
    missing = missing_strategies(policy, loaded)
    if missing:
        return _fail("strategies", f"{what}; {missing[0]}", "Install what brings it, or take it out of the policy")
    if loaded.failures:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in loaded.failures.items())
        return _warn("strategies", f"{what}; not loaded: {reasons}", "The policy doesn't use it; correct or remove it")
    return _ok("strategies", what)


def check_java(settings: Settings) -> Finding:
    """Tell whether there is a Java for the local broker, if one is needed."""
    if settings.broker:
        return Finding(check="java", state=State.SKIP, what="not needed: the broker is elsewhere")
    try:
        java = find_java(os.environ)
    except TailraceError as error:
        return _fail("java", str(error))
    return _ok("java", f"{java.version} at {java.path} ({java.source})")


def check_disk(settings: Settings) -> Finding:
    """Tell whether there is room where the local broker and the worker's projection are."""
    folder = settings.data_dir.absolute()
    while not folder.exists() and folder != Path(folder.anchor):
        folder = folder.parent
    free_mb = shutil.disk_usage(folder).free // _MB
    what = f"{free_mb / 1000:.1f} GB free for {settings.data_dir}"
    if free_mb >= _FREE_MB_WARN:
        return _ok("disk", what)
    make: Callable[..., Finding] = _fail if free_mb < _FREE_MB_FAIL else _warn
    return make("disk", what, "Free some space, or set TAILRACE_DATA_DIR to a folder on another disk")


def check_files(settings: Settings) -> Finding:
    """Tell whether what holds words of conversations, or keys, is for its owner alone."""
    data, keys = exposed_data(settings), exposed_keys(settings)
    if not data and not keys:
        return _ok("files", f"data and keys are for their owner alone; data in {settings.data_dir}")
    what = f"open to others than their owner: {', '.join(map(str, [*data, *keys]))}"
    paths = " ".join(shlex.quote(str(exposed.path)) for exposed in (*data, *keys))
    return _warn("files", what, f"chmod go= {paths}")


async def _check_broker(settings: Settings) -> AsyncIterator[Finding]:
    try:
        servers = await asyncio.to_thread(bootstrap_servers, settings)
        async with admin(settings) as client:
            brokers = len((await client.describe_cluster())["brokers"])
            skew = await measure_skew(client)
    except TailraceError as error:
        yield _fail("broker", str(error))
        for name in ("topics", "clock"):
            yield Finding(check=name, state=State.SKIP, what="no broker to ask")
        return
    where = "" if settings.broker else f", local, data in {local_broker_of(settings).data_dir}"
    yield _ok("broker", f"{servers} answers; {brokers} in the cluster{where}")
    yield await _check_topics(settings)
    if skew is None:
        yield Finding(
            check="clock", state=State.SKIP, what="the cluster doesn't tell its time: no KRaft, or no permission"
        )
    elif abs(skew.ahead_ms) > _SKEW_MS_MAX + skew.error_ms:
        behind = "behind" if skew.ahead_ms > 0 else "ahead of"
        what = f"this machine is {abs(skew.ahead_ms) / 1000:.1f} s {behind} the cluster"
        yield _warn("clock", what, "Let NTP set the clocks of both")
    else:
        yield _ok("clock", f"{abs(skew.ahead_ms)} ms from the cluster's (±{skew.error_ms} ms)")


async def _check_topics(settings: Settings) -> Finding:
    try:
        problems = await topic_admin.check(settings)
    except TailraceError as error:
        return _fail("topics", str(error))
    if not problems:
        return _ok("topics", f"all {len(topic_specs(settings))} can be worked with")
    topics: dict[str, list[str]] = {}
    for problem in problems:
        topics.setdefault(problem.what, []).append(problem.topic)
    what = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in topics.items())
    return _fail("topics", what, "; ".join(dict.fromkeys(problem.fix for problem in problems)))


def _ok(check: str, what: str) -> Finding:
    return Finding(check=check, state=State.OK, what=what)


def _warn(check: str, what: str, fix: str | None = None) -> Finding:
    return Finding(check=check, state=State.WARN, what=what, fix=fix)


def _fail(check: str, what: str, fix: str | None = None) -> Finding:
    return Finding(check=check, state=State.FAIL, what=what, fix=fix)
