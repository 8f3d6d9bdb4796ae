"""Lifecycle, history and receipts on a screen: all numbers, the lines of a check together, nothing smuggled in."""

import io
from typing import Any

import msgspec
import pytest
from rich.console import Console, RenderableType

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.records.compaction import (
    Action,
    ClassReceipt,
    CompactionRecord,
    LossReceipt,
    Recoverable,
    SpanDecision,
    SpanReference,
    Trigger,
)
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind, StepProposal
from tailrace.streams.cli.audit_lines import LifecycleLines, change_bar, change_text, moment
from tailrace.streams.cli.history import compaction_lines, turns
from tailrace.streams.cli.receipt_lines import counts_table, listed_table, receipt_summary
from tailrace.streams.cli.watch import span_ms
from tailrace.streams.observability.audit_trail import Trail
from tailrace.streams.observability.thread_history import in_order

KIND = LifecycleKind
AT_MS = 1_700_000_000_000


def event(kind: LifecycleKind, **fields: Any) -> LifecycleEvent:
    values = {
        "version": 1,
        "id": f"t1/m1/{kind}",
        "kind": kind,
        "thread": "t1",
        "tenant": "default",
        "trigger": Trigger.BUDGET,
        "event_id": "m1",
        "offset": 7,
        "before_tokens": 9_000,
        "after_tokens": 6_000,
        "limit_tokens": 10_000,
        "policy_version": "0123456789abcdef",
        "rule": "upper mark",
        "condition": "total 9,000 > upper 8,500",
        "at_ms": AT_MS,
    }
    return LifecycleEvent(**{**values, **fields})


CHECK = (
    event(KIND.CHECK_STARTED, after_tokens=9_000),
    event(
        KIND.PROPOSAL_GENERATED,
        proposals=(StepProposal(strategy="truncate", action=Action.DROP, messages=3, freed_tokens=3_000),),
    ),
    event(KIND.DROPPED, message_ids=("a", "b", "c"), compaction_id="feedbeef01"),
    event(KIND.COMPLETED, compaction_id="feedbeef01"),
)


def printed(*events: LifecycleEvent, terminal: bool, thread: str | None = None) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=200, force_terminal=terminal, no_color=True, highlight=False, color_system=None)
    lines = LifecycleLines(console, thread=thread)
    for one in events:
        lines.print(one)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def shown(what: RenderableType) -> str:
    console = Console(width=160, no_color=True)
    with console.capture() as capture:
        console.print(what)
    return capture.get()


def test_in_a_pipe_every_line_says_all() -> None:
    lines = printed(*CHECK, terminal=False)

    assert len(lines) == len(CHECK)
    assert all(line.startswith("2023-11-14 22:13:20Z  t1  ") for line in lines)
    assert all(line.endswith("policy 01234567") for line in lines)
    assert not any("\x1b" in line for line in lines)
    assert "█████████░ 90%  budget upper mark: total 9,000 > upper 8,500" in lines[0]
    assert "truncate: 3 dropped, -3,000  frees 3,000 of 9,000 tokens" in lines[1]
    assert "3 messages" in lines[2]
    assert "██████▒▒▒░  9,000 → 6,000 of 10,000 -33%  receipt feedbeef" in lines[3]


def test_on_a_terminal_the_lines_of_one_check_stand_under_one_title() -> None:
    other = event(KIND.REFUSED, thread="t2", tenant="acme", rule="compact", condition=None, reason="no such thread")
    lines = printed(*CHECK, other, terminal=True)

    assert lines[:2] == ["2023-11-14", "22:13:20  t1  policy 01234567"]
    assert [line.split()[1] for line in lines[2:6]] == ["check", "proposal", "dropped", "completed"]
    assert lines[6] == "22:13:20  acme/t2  policy 01234567"
    assert "budget compact  no such thread" in lines[7]
    assert len(lines) == 8


def test_where_only_one_thread_is_watched_it_is_not_named_again() -> None:
    assert not any("t1" in line for line in printed(*CHECK, terminal=False, thread="t1"))
    assert printed(*CHECK, terminal=True, thread="t1")[1] == "22:13:20  policy 01234567"


def test_checks_that_meet_keep_their_titles() -> None:
    other = event(KIND.CHECK_STARTED, event_id="m9", offset=9)
    titles = [line for line in printed(CHECK[0], other, CHECK[3], terminal=True) if line.startswith("22:13:20")]

    assert len(titles) == 3


@pytest.mark.parametrize("kind", list(KIND))
def test_every_kind_has_a_line_that_tells_it_apart(kind: LifecycleKind) -> None:
    (line,) = printed(event(kind, reason="because of this", strategy="drop"), terminal=False)
    others = [printed(event(other), terminal=False)[0].split()[4] for other in KIND if other is not kind]

    assert line.split()[4] not in others
    assert "upper mark" in line


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        (KIND.NOOP, {"reason": "too little"}, "too little"),
        (KIND.FAILED, {"strategy": "mine", "reason": "it raised"}, "mine: it raised"),
        (KIND.FLAGGED, {"rule": "tool call k1", "condition": "tool call k1 was due"}, "budget tool call k1 was due"),
        (KIND.REHYDRATED, {"message_ids": ("0123",)}, "artifact 0123"),
        (KIND.REFUSED, {"rule": None, "condition": None, "reason": "no kind"}, "budget  no kind"),
    ],
)
def test_what_is_no_compaction_says_why(kind: LifecycleKind, fields: dict[str, Any], words: str) -> None:
    assert words in printed(event(kind, **fields), terminal=False)[0]


def test_what_others_wrote_is_neither_markup_nor_a_command_to_the_terminal() -> None:
    bad = "[red]x[/red]\x1b[2J\nnext"
    for terminal in (True, False):
        text = "\n".join(printed(event(KIND.REFUSED, thread=bad, reason=bad, rule=bad), terminal=terminal))
        assert "\x1b[2J" not in text
        assert text.count("[red]x[/red]\\x1b[2J next") == 3


def test_the_bar_shows_what_is_left_and_what_was_freed() -> None:
    assert change_bar(90, 60, 100).plain == "██████▒▒▒░"
    assert change_bar(300, 50, 100).plain == "█████▒▒▒▒▒"
    assert change_bar(50, 50, 0).plain == "█" * 10
    assert change_text(90, 90, 100).plain == "90 → 90 of 100"


def test_a_moment_beyond_every_calendar_is_a_number() -> None:
    assert moment(AT_MS) == "2023-11-14 22:13:20Z"
    assert moment(10**20) == f"{10**20} ms"


@pytest.mark.parametrize(("text", "ms"), [("90s", 90_000), ("10m", 600_000), (" 2h ", 7_200_000), ("1d", 86_400_000)])
def test_a_time_is_a_number_with_a_unit(text: str, ms: int) -> None:
    assert span_ms(text) == ms


@pytest.mark.parametrize("text", ["", "10", "m", "-5m", "5x", "1.5h", "\u0661m"])
def test_what_is_no_time_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(ConfigError, match="10m"):
        span_ms(text)


# History and receipts


def decision(action: Action, first: int, last: int, **fields: Any) -> SpanDecision:
    span = SpanReference(ids=(f"m{first}", f"m{last}x"), first_turn=first, last_turn=last)
    return SpanDecision(action=action, span=span, tokens=100, after_tokens=10, **fields)


def record(**fields: Any) -> CompactionRecord:
    classes = {
        "identifiers": ClassReceipt(
            retained=2, recoverable=1, listed=(Recoverable(text="weir_7", message_id="m3", artifact_id="abcd"),)
        ),
        "directives": ClassReceipt(
            retained=1, recoverable=3, listed=(Recoverable(text="Never open \x1b[2J valve 3.", message_id="m1"),)
        ),
        "said": ClassReceipt(
            recoverable=1, listed=(Recoverable(text="Hands off the weir in spring.", message_id="m2"),)
        ),
        "colours": ClassReceipt(lost=1),
    }
    values = {
        "version": 1,
        "id": "feedbeef01",
        "thread": "t1",
        "tenant": "default",
        "epoch": 1,
        "trigger": Trigger.TEMPORAL,
        "strategy": "composed",
        "policy_version": "0123456789abcdef",
        "event_id": "m1",
        "offset": 7,
        "before_tokens": 9_000,
        "after_tokens": 6_000,
        "limit_tokens": 10_000,
        "decisions": (
            decision(Action.SUMMARIZE, 1, 4, strategy="summarize", reason="before the split"),
            decision(Action.CLEAR, 5, 5, strategy="expire", reason="of an earlier turn"),
            decision(Action.CLEAR, 6, 6, strategy="expire", reason="read again later"),
            decision(Action.CLEAR, 9, 9, strategy="expire", reason="of an earlier turn"),
        ),
        "receipt": LossReceipt(retained=12, recoverable=8, lost=0, recover_from="the log", classes=classes),
        "rule": "idle",
        "condition": "idle was due at noon",
        "at_ms": AT_MS,
    }
    return CompactionRecord(**{**values, **fields})


def test_a_history_tells_each_compaction_once_and_all_that_was_none() -> None:
    stuck = event(KIND.FAILED, compaction_id="feedbeef01", reason="it does not fit", offset=7)
    noop = event(KIND.NOOP, offset=9, reason="too little")
    refused = event(KIND.REFUSED, offset=3, reason="no")
    began = event(KIND.CHECK_STARTED, offset=9)
    happened = list(in_order(Trail([record()], [refused, *CHECK, stuck, began, noop])))

    assert [one.what for one in happened] == [refused, record(), noop]
    assert [one.reason for one in happened] == [None, "it does not fit", None]


def test_a_compaction_says_what_became_of_which_turns() -> None:
    lines = [" ".join(line.split()) for line in shown(compaction_lines(record(), "it does not fit")).splitlines()]

    assert lines == [
        "2023-11-14 22:13:20Z ● completed ██████▒▒▒░ 9,000 → 6,000 of 10,000 -33%",
        "because temporal idle was due at noon",
        "summarized turns 1 to 4 2 messages, 100 → 10 tokens by summarize: before the split",
        "cleared turns 5 to 6, 9 6 messages, 300 → 30 tokens by expire: of an earlier turn and 1 other reason",
        "failed it does not fit",
        (
            "receipt still says 1 of 4 directives, 0 of 1 other sentences, 2 of 3 identifiers, "
            "0 of 1 colours; tailrace receipt feedbeef"
        ),
        "decided by composed, policy 01234567, at m1",
    ]


def test_a_first_ledger_is_told_with_its_price() -> None:
    span = SpanReference(ids=(), first_turn=2, last_turn=2)
    ledger = SpanDecision(
        action=Action.INCLUDE, span=span, tokens=0, after_tokens=120, strategy="ledger", reason="told on"
    )
    text = shown(compaction_lines(msgspec.structs.replace(record(), decisions=(ledger,)), None))

    assert "noted turn 2 0 → 120 tokens by ledger: told on" in " ".join(text.split())


def test_turns_that_follow_each_other_are_one_range() -> None:
    assert turns([decision(Action.DROP, 3, 3)]) == "turn 3"
    assert turns([decision(Action.DROP, 8, 9), decision(Action.DROP, 1, 2), decision(Action.DROP, 2, 4)]) == (
        "turns 1 to 4, 8 to 9"
    )


def test_a_receipt_counts_every_class_and_names_where_the_rest_is() -> None:
    counts = [line.split() for line in shown(counts_table(record())).splitlines()]
    listed = listed_table(record())
    assert listed is not None
    names = [" ".join(line.split()) for line in shown(listed).splitlines()]

    assert counts == [
        ["retained", "recoverable", "lost"],
        ["messages", "12", "8", "0"],
        ["directives", "1", "3", "0"],
        ["said", "0", "1", "0"],
        ["identifiers", "2", "1", "0"],
        ["colours", "0", "0", "1"],
    ]
    assert names[1:] == [
        "directives message m1 Never open \\x1b[2J valve 3.",
        "directives 2 more, which the record does not name",
        "said message m2 Hands off the weir in spring.",
        "identifiers artifact abcd weir_7",
        "colours 1 more, which the record does not name",
    ]


def test_a_receipt_without_anything_to_list_says_so() -> None:
    empty = LossReceipt(retained=3, recoverable=1, lost=0, recover_from="the log")
    quiet = msgspec.structs.replace(record(), receipt=empty)

    assert listed_table(quiet) is None
    assert receipt_summary(quiet).plain == "no statement and no identifier has left; tailrace receipt feedbeef"
