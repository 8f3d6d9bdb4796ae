"""Strategies of the operator's own: from a real distribution, through the engine. Whatever they do, the run goes on."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import invalidate_caches
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec
import pytest
from support.estimate import EstimatingCounter

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import CompactedConversation, compact
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.steps.registry import Strategies, Strategy
from tailrace.agents.plan.steps.strategy_names import named_strategies
from tailrace.agents.tokens.counts import count_message
from tailrace.schemas.errors import ConfigError, Nonsense, Unavailable
from tailrace.schemas.policy.document import read_policy
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams.installation.doctor import State, check_strategies
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.strategies.bounded_strategy import PAUSE_SECONDS, BoundedStrategy
from tailrace.streams.strategies.custom_strategies import installed_names, strategies_for

#: Long enough for any strategy here that means to answer.
PATIENT_SECONDS = 30.0
#: Short, because only strategies that never answer are called with it.
SHORT_SECONDS = 0.05

MODULE = """
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.records.compaction import Action

class DropShort:
    def analyze(self, draft, options):
        for group in draft.free():
            if group.tokens < options["tokens_min"]:
                yield Proposal(Action.DROP, group.ids, "too short to matter")

class NeedsArguments:
    def __init__(self, what): ...
    def analyze(self, draft, options): return []

class Hangs:
    def analyze(self, draft, options):
        while True:
            pass

drop_short = DropShort()
not_one = 5
"""
ENTRY_POINTS = """
[tailrace.strategies]
drop-short = short_strategies:DropShort
an-object = short_strategies:drop_short
hangs = short_strategies:Hangs
not-there = short_strategies:Missing
no-module = there_is_no_such_module:X
needs-arguments = short_strategies:NeedsArguments
not-one = short_strategies:not_one
"""


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a distribution with entry points, as pip would leave it."""
    site = tmp_path / "site"
    info = site / "short_strategies-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: short-strategies\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (site / "short_strategies.py").write_text(dedent(MODULE))
    monkeypatch.syspath_prepend(str(site))
    invalidate_caches()
    yield
    sys.modules.pop("short_strategies", None)


def policy(*names: str, **options: Any) -> Policy:
    return read_policy({"steps": [{"use": "custom", "name": name, "options": options} for name in names]})


def count(message: Message, _model: str | None = None) -> int:
    return count_message(message, EstimatingCounter())


def run(custom: Strategies, *names: str, **options: Any) -> CompactedConversation:
    """Compact a conversation of long questions and short answers by these strategies."""
    messages = [
        Message(role=role, parts=(TextPart(content=f"{role} {number} " + "word " * words),))
        for number in range(30)
        for role, words in (("user", 100), ("assistant", 3))
    ]
    return compact(messages, Engine(policy(*names, **options), count, custom=custom), budget_tokens=3_000)


def bounded(strategy: Strategy, timeout_seconds: float = PATIENT_SECONDS) -> dict[str, BoundedStrategy]:
    return {"mine": BoundedStrategy("mine", strategy, timeout_seconds=timeout_seconds)}


def assert_skipped(done: CompactedConversation, reason: str) -> None:
    """The step is skipped, the audit trail says why, and the context fits all the same."""
    assert [skipped.strategy for skipped in done.plan.skipped] == ["mine"]
    assert reason in done.plan.skipped[0].reason
    failed = [event for event in done.lifecycle if event.kind is LifecycleKind.FAILED]
    assert [event.strategy for event in failed] == ["mine"]
    assert reason in (failed[0].reason or "")
    assert done.tokens <= done.plan.budget.lower_tokens
    assert done.messages[-1].role == "assistant"


# Loading


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize("name", ["drop-short", "an-object"])
def test_a_strategy_of_an_installed_distribution_is_called_by_its_name(name: str) -> None:
    custom = strategies_for(policy(name), timeout_seconds=PATIENT_SECONDS)
    done = run(custom, name, tokens_min=50)
    dropped = {change.strategy for change in done.plan.changes if change.reason == "too short to matter"}
    assert dropped == {name}
    assert done.plan.skipped == ()


@pytest.mark.usefixtures("_installed")
def test_only_the_strategies_that_the_policy_names_are_loaded() -> None:
    assert set(installed_names()) >= {"drop-short", "not-there"}
    assert strategies_for(Policy(), timeout_seconds=1) == {}
    assert "short_strategies" not in sys.modules


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("not-there", "AttributeError"),
        ("no-module", "ModuleNotFoundError"),
        ("needs-arguments", "TypeError"),
        ("not-one", "no method analyze"),
        ("unheard-of", "drop-short"),
    ],
)
def test_a_policy_that_names_an_absent_strategy_is_refused_at_start(
    name: str, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings(policy={"steps": [{"use": "truncate"}, {"use": "custom", "name": name}]})
    with pytest.raises(ConfigError) as refused:
        make_engine(settings)
    assert (refused.value.key, refused.value.value) == ("policy.steps[1].name", name)
    assert reason in refused.value.allowed
    assert check_strategies(settings).state is State.FAIL


@pytest.mark.usefixtures("_installed")
def test_rules_hold_the_strategies_and_doctor_tells_of_broken_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings(policy={"strategy": "delegate", "compactor": "drop-short"})
    assert list(make_engine(settings).custom) == ["drop-short"]
    finding = check_strategies(settings)
    assert finding.state is State.WARN
    assert "no-module: ModuleNotFoundError" in finding.what


def test_two_distributions_with_a_strategy_of_one_name_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[tailrace.strategies]\nboth = {name}:X\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match="several distributions have it: one:X, two:X"):
        strategies_for(policy("both"), timeout_seconds=1)


def test_every_place_that_names_a_strategy_is_known() -> None:
    custom = {"use": "custom", "name": "a"}
    values = {
        "steps": [custom],
        "compactor": "b",
        "agents": {"x": {"steps": [{"use": "truncate"}, {**custom, "name": "c"}], "compactor": "d"}},
    }
    assert named_strategies(read_policy(values)) == {
        "policy.steps[0].name": "a",
        "policy.compactor": "b",
        "policy.agents.x.steps[1].name": "c",
        "policy.agents.x.compactor": "d",
    }


# Misbehaviour


class Raises:
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
        raise self.error


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("boom"), "strategy 'mine' raised ValueError: boom"),
        (SystemExit(1), "raised SystemExit"),
        (KeyboardInterrupt(), "raised KeyboardInterrupt"),
        (Unspeakable(), "raised Unspeakable"),
        (RuntimeError("x" * 10_000), "xxx"),
        (OSError("no file b\udcff"), "raised OSError: no file b?"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_strategy_that_raises_is_skipped(error: BaseException, reason: str) -> None:
    done = run(bounded(Raises(error)), "mine")
    assert_skipped(done, reason)
    assert len(done.plan.skipped[0].reason) < 1_000
    assert msgspec.json.encode(done.lifecycle)


class Returns:
    def __init__(self, *answers: Any) -> None:
        self.answers = answers

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> Any:
        return self.answers[0] if len(self.answers) == 1 else iter(self.answers)


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def nonsense(**fields: Any) -> Proposal:
    return Proposal(**{"action": Action.DROP, "ids": ("m4",), "reason": "", **fields})


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "returned NoneType instead of proposals"),
        (7, "returned int instead of proposals"),
        (["m1"], "returned str instead of proposals"),
        ([nonsense(action="explode")], "can't be read"),
        ([nonsense(ids="m4")], "no list of texts"),
        ([nonsense(ids=(4,))], "no list of texts"),
        ([nonsense(ids=("nobody",))], "not in the context"),
        ([nonsense(replacement="text")], "can't be read"),
        ([nonsense(replacement=Message(role=5))], "can't be read"),  # type: ignore[arg-type]
        ([nonsense(replacement=Message(role="user", extra={"a": object()}))], "can't be read"),
        ([nonsense(ids=("m58",))], "is kept"),
        ([nonsense(ids=("\udcff",))], "UnicodeEncodeError"),
        (
            [nonsense(action=Action.CLEAR, replacement=Message(role="user", parts=(TextPart(content=" "),)))],
            "says nothing",
        ),
        ([nonsense(action=Action.CLEAR, replacement=Message(role="user"))], "says nothing"),
        (
            [nonsense(action=Action.CLEAR, replacement=Message(role="user", extra=nested(300)))],
            "nested more than 200 levels deep",
        ),
        (
            [nonsense(action=Action.CLEAR, replacement=Message(role="user", extra={"a": "x" * (1 << 20)}))],
            "more than 1048576 bytes",
        ),
    ],
)
def test_a_strategy_that_returns_nonsense_is_skipped(answer: Any, reason: str) -> None:
    assert_skipped(run(bounded(Returns(answer)), "mine"), reason)


def test_what_a_strategy_says_about_its_proposals_can_be_written() -> None:
    broken = nonsense(ids=("m4", "m5"), reason="\ud800" * 9_999, artifact_id="\udcff", recorded=False)
    done = run(bounded(Returns([broken])), "mine")
    assert done.record is not None
    (decision, _) = [one for one in done.record.decisions if one.strategy == "mine"]
    assert decision.reason == "?" * 300
    assert msgspec.json.encode([done.record, done.lifecycle])


class Endless:
    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> Iterator[Proposal]:
        while True:
            yield Proposal(Action.DROP, ("m4",), "again")


def test_a_strategy_that_never_stops_proposing_is_skipped() -> None:
    assert_skipped(run(bounded(Endless()), "mine"), "more than 100000 proposals")


class Vandal:
    """Changes everything that it can reach."""

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
        for group in draft.groups:
            group.kept = None
            for item in group.items:
                item.tokens = 0
                item.ids = ()
                item.action = Action.DROP
            group.items.clear()
        draft.groups.clear()
        draft.tokens = draft.target_tokens = 0
        if isinstance(options, dict):
            options["words"].append("x")
        return []


def test_a_strategy_that_changes_the_draft_changes_nothing() -> None:
    plain = run(bounded(Returns([])), "mine", words=["a"])
    vandalised = run(bounded(Vandal()), "mine", words=["a"])
    assert vandalised.plan == plain.plan
    assert vandalised.messages == plain.messages
    assert vandalised.plan.skipped == ()


class Hangs:
    """Loops for ever in Python."""

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
        while True:
            with suppress(BaseException):  # what careless code does
                len(draft.groups)


class Backtracks:
    """Holds the interpreter within one call of C, where no thread of its process goes on."""

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
        re.match(r"(a+)+$", "a" * 60 + "b")
        return []


class Waits:
    """Waits for what never comes, and has blocked every signal that can be."""

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        threading.Event().wait()
        return []


@pytest.mark.parametrize("strategy", [Hangs(), Backtracks(), Waits()], ids=lambda one: type(one).__name__)
def test_a_strategy_that_hangs_is_skipped_and_its_process_is_gone(
    strategy: Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    forked: list[int] = []
    fork = os.fork

    def noting_fork() -> int:
        forked.append(fork())
        return forked[-1]

    monkeypatch.setattr(os, "fork", noting_fork)

    assert_skipped(run(bounded(strategy, SHORT_SECONDS), "mine"), "gave no answer within 0.05 s")

    (process,) = forked
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.usefixtures("_installed")
def test_a_strategy_that_hung_is_left_out_by_all_that_are_made_later_in_the_process() -> None:
    named = policy("hangs")
    reasons = [
        run(strategies_for(named, timeout_seconds=SHORT_SECONDS), "hangs").plan.skipped[0].reason for _ in range(3)
    ]

    assert "gave no answer" in reasons[0]
    assert all("is left out" in reason for reason in reasons[1:])


def test_a_strategy_that_hung_is_left_out_for_a_while_and_then_called_again() -> None:
    clock = [100.0]
    wrapper = BoundedStrategy("mine", Hangs(), timeout_seconds=SHORT_SECONDS, now=lambda: clock[0])
    assert_skipped(run({"mine": wrapper}, "mine"), "gave no answer")
    clock[0] += PAUSE_SECONDS - 1
    assert_skipped(run({"mine": wrapper}, "mine"), "left out for 1 s more")
    clock[0] += 2
    assert_skipped(run({"mine": wrapper}, "mine"), "gave no answer")


class Dies:
    """Does something, mostly its last."""

    def __init__(self, how: Callable[[], object]) -> None:
        self.how = how

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
        self.how()
        return []


def _eat_memory() -> None:
    held = [bytearray(64 << 20) for _ in range(1 << 10)]
    assert held


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (lambda: os._exit(0), "ended its process without an answer"),
        (lambda: os.kill(os.getpid(), signal.SIGUSR1), "its process was ended by SIGUSR1"),
        (lambda: os.kill(os.getpid(), 40), "its process was ended by signal 40"),
        pytest.param(
            lambda: (subprocess.Popen(["sleep", "10"], start_new_session=True, close_fds=False), os._exit(0)),
            "ended its process without an answer",
            marks=pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells of the end of a process"),
        ),
        pytest.param(
            _eat_memory,
            "raised MemoryError",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process has"),
        ),
    ],
    ids=["exits", "is ended", "is ended in real time", "leaves another behind", "eats memory"],
)
def test_a_strategy_that_ends_its_process_ends_nothing_else(how: Callable[[], object], reason: str) -> None:
    assert_skipped(run(bounded(Dies(how)), "mine"), reason)


def test_a_strategy_prints_to_standard_error_and_has_nothing_to_read(capfd: pytest.CaptureFixture[str]) -> None:
    done = run(bounded(Dies(lambda: print("to read:", os.read(0, 1)))), "mine")  # noqa: T201
    assert done.plan.skipped == ()
    assert capfd.readouterr() == ("", "to read: b''\n")


class Remembers:
    """Is called with what earlier calls have left behind."""

    def __init__(self) -> None:
        self.calls = 0

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> list[Proposal]:
        self.calls += 1
        return [Proposal(Action.DROP, ("m4", "m5"), f"call {self.calls}")]


def test_no_call_of_a_strategy_leaves_anything_to_the_next() -> None:
    custom = bounded(Remembers())
    reasons = [{change.reason for change in run(custom, "mine").plan.changes} for _ in range(3)]
    assert all("call 1" in found for found in reasons)


def test_the_handlers_of_a_worker_don_t_run_in_the_process_of_a_strategy(tmp_path: Path) -> None:
    handled = tmp_path / "handled"
    former = signal.signal(signal.SIGTERM, lambda *_: handled.touch())
    try:
        done = run(bounded(Dies(lambda: os.kill(os.getpid(), signal.SIGTERM))), "mine")
    finally:
        signal.signal(signal.SIGTERM, former)
    assert_skipped(done, "its process was ended by SIGTERM")
    assert not handled.exists()


def test_the_wrapper_raises_only_what_the_tree_of_errors_knows() -> None:
    draft = Draft([], budget=run({}).plan.budget, target_tokens=0, count=count)
    with pytest.raises(Nonsense):
        BoundedStrategy("mine", Raises(KeyboardInterrupt()), timeout_seconds=PATIENT_SECONDS).analyze(draft, {})
    with pytest.raises(Unavailable):
        BoundedStrategy("mine", Hangs(), timeout_seconds=SHORT_SECONDS).analyze(draft, {})
