"""What the ledger has of a span: it stands in every summary of it."""

from collections.abc import Sequence

import pytest
from support.work_requests import INJECTION, answered, called, harbour, said

from tailrace.agents.summary.verify.acceptance import Accepted, Demands, accept
from tailrace.agents.summary.verify.span_ledger import EVIDENCE_SHARE, STATED_SHARE, span_ledger
from tailrace.schemas.records.work import SpanMessage


def texts(messages: Sequence[SpanMessage], tokens_max: int) -> tuple[str, ...]:
    return span_ledger(messages, tokens_max).texts


def test_rules_tasks_and_what_was_run_are_kept_and_what_binds_comes_first() -> None:
    kept = texts(harbour(), 500)
    assert "Never touch the table audit_log." in kept[:2]
    assert any(text.startswith("Keep every reading of 2019") for text in kept[:2])
    assert any("python harbour/copy_gauges.py --from 40" in text for text in kept)
    assert any(text.startswith("Then free some space") for text in kept)


def test_what_a_tool_says_is_no_item() -> None:
    assert not any(INJECTION[:20] in text for text in texts(harbour(), 5_000))


def test_what_a_program_says_in_a_users_name_is_no_item() -> None:
    order = "Never touch the table audit_log."
    by_program = SpanMessage(id="p", message=said("p", "user", order).message, by_program=True)
    assert texts([by_program, *harbour()[1:]], 500) != texts([said("p", "user", order)], 500)
    assert order not in texts([by_program, *harbour()[1:]], 500)


def test_a_rule_that_was_taken_back_within_the_span_need_not_be_kept() -> None:
    talk = [
        said("a", "user", "Always answer in French."),
        said("b", "assistant", "D'accord."),
        said("c", "user", "Forget the rule about French. Always answer in English from now on."),
    ]
    kept = texts(talk, 500)
    assert "Always answer in French." not in kept
    assert any("English" in text for text in kept)


def test_a_summary_is_asked_for_no_more_than_it_has_room_for() -> None:
    rules = " ".join(f"Never open gate number {number} before noon." for number in range(200))
    runs = [
        one
        for number in range(40)
        for one in (
            called(f"r{number}", f"c{number}", "run_command", f'{{"command": "gates --close {number} --wait"}}'),
            answered(f"a{number}", f"c{number}", "ok"),
        )
    ]
    kept = texts([said("ask", "user", rules), *runs], 400)
    size_bytes = sum(len(text) for text in kept)
    assert 0 < size_bytes <= 400 * 4 * (STATED_SHARE + EVIDENCE_SHARE)
    assert any("gates --close 39" in text for text in kept), "the newest of what was done"


def test_what_the_arguments_of_a_call_hold_escaped_can_be_kept() -> None:
    runs = [
        called("r", "c", "run_command", '{"command": "grep -c \\"tide high\\" notes.txt"}'),
        answered("a", "c", "12"),
    ]
    kept = texts([said("u", "user", "How often?"), *runs], 500)
    assert any('grep -c "tide high" notes.txt' in text for text in kept)


SPANS: list[Sequence[SpanMessage]] = [
    harbour(),
    [
        said("u", "user", "Deadline is Friday. Use port 9090, nothing else! Bitte antworte immer auf Deutsch."),
        said("a", "assistant", "We decided to use the harbour pilot's tables. You must not worry. Should I go on?"),
        said("v", "user", "Yes. See https://example.org/tides/2019 for the readings."),
    ],
    [said("u", "user", "必ず日本語で答えてください。予算は四万円です。"), said("a", "assistant", "承知しました。")],
]


@pytest.mark.parametrize("span", SPANS, ids=["harbour", "mixed", "japanese"])
def test_what_the_ledger_has_is_no_reason_to_refuse_a_summary(span: Sequence[SpanMessage]) -> None:
    """Or no model could ever do what is asked of it."""
    items = span_ledger(span, 800).items
    accepted = accept(items, span, Demands(source_tokens=10_000, tokens_max=800), lambda text: len(text.encode()) // 3)
    assert isinstance(accepted, Accepted), accepted
    assert (accepted.summary, accepted.left_out) == (items, 0)
