"""Which items of a span a summary must hold: what the ledger has of it, as far as a summary can say it."""

from collections.abc import Sequence

import pytest
from support.work_requests import INJECTION, answered, called, harbour, said

from tailrace.agents.summary.verify.acceptance import Accepted, Demands, accept
from tailrace.agents.summary.verify.span_ledger import EVIDENCE_SHARE, STATED_SHARE, ledger_texts
from tailrace.schemas.records.summary import StructuredSummary, SummaryClaim
from tailrace.schemas.records.work import SpanMessage


def test_rules_tasks_and_what_was_run_are_kept_and_what_binds_comes_first() -> None:
    kept = ledger_texts(harbour(), 500)
    assert kept[0] == "Never touch the table audit_log."
    assert kept[1].startswith("Keep every reading of 2019")
    assert "python harbour/copy_gauges.py --from 40" in kept
    assert any(text.startswith("Then free some space") for text in kept)


def test_what_a_tool_says_is_no_item() -> None:
    assert not any(INJECTION[:20] in text for text in ledger_texts(harbour(), 5_000))


def test_what_a_program_says_in_a_users_name_is_no_item() -> None:
    order = "Never touch the table audit_log."
    by_program = SpanMessage(id="p", message=said("p", "user", order).message, by_program=True)
    assert ledger_texts([by_program, *harbour()[1:]], 500) != ledger_texts([said("p", "user", order)], 500)
    assert order not in ledger_texts([by_program, *harbour()[1:]], 500)


def test_a_rule_that_was_taken_back_within_the_span_need_not_be_kept() -> None:
    talk = [
        said("a", "user", "Always answer in French."),
        said("b", "assistant", "D'accord."),
        said("c", "user", "Forget the rule about French. Always answer in English from now on."),
    ]
    kept = ledger_texts(talk, 500)
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
    kept = ledger_texts([said("ask", "user", rules), *runs], 400)
    size_bytes = sum(len(text) for text in kept)
    assert 0 < size_bytes <= 400 * 4 * (STATED_SHARE + EVIDENCE_SHARE)
    assert any("gates --close 39" in text for text in kept), "the newest of what was done"


def test_what_the_arguments_of_a_call_hold_escaped_can_be_kept() -> None:
    runs = [
        called("r", "c", "run_command", '{"command": "grep -c \\"tide high\\" notes.txt"}'),
        answered("a", "c", "12"),
    ]
    assert 'grep -c "tide high" notes.txt' in ledger_texts([said("u", "user", "How often?"), *runs], 500)


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
def test_a_summary_that_says_nothing_but_the_items_is_never_refused(span: Sequence[SpanMessage]) -> None:
    """Or no model could ever do what is asked of it."""
    kept = ledger_texts(span, 800)
    assert kept
    claims = tuple(SummaryClaim(text=text, events=tuple(one.id for one in span)) for text in kept)
    demands = Demands(source_tokens=10_000, tokens_max=800, keep=kept)
    accepted = accept(StructuredSummary(facts=claims), span, demands, lambda text: len(text.encode()) // 3)
    assert isinstance(accepted, Accepted), accepted
