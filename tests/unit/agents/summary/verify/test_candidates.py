"""What a model points out for the ledger.

Only whole statements of people and system prompts, only what the rules miss.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from support.chunk_thread import Talk, chunky, summary_of
from support.drafts import assistant, exchange, situation, user

from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.ledger.directives import DIRECTIVES_MAX, Directives
from tailrace.agents.ledger.render import render
from tailrace.agents.ledger.statements import kind_of
from tailrace.agents.plan.planner import make_plan
from tailrace.agents.summary.verify.acceptance import Accepted, Demands, Rejected, accept
from tailrace.agents.summary.verify.candidates import CANDIDATES_MAX, HELD_MAX
from tailrace.schemas.policy.ledger import LedgerRules
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.steps import Summarize
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import HeldCandidates, ReadySummary
from tailrace.schemas.records.kafka_records import Topic, decode_context, encode
from tailrace.schemas.records.ledger import Directive, DirectiveKind, Ledger
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallResponsePart
from tailrace.schemas.records.summary import Quotation, StructuredSummary
from tailrace.schemas.records.work import SpanMessage

#: Means to hold, and has no word for it that the rules know.
UNFOUND = "I get nervous when somebody touches the weir gates in spring."
OTHER = "My sister reads these reports and green looks grey to her."
MAY_ADD = LedgerRules(candidates=True)


def said(text: str, role: str = "user", *, event: str = "m1", by_program: bool = False) -> SpanMessage:
    return SpanMessage(id=event, message=Message(role=role, parts=(TextPart(content=text),)), by_program=by_program)


def judged(quotes: Sequence[str], *messages: SpanMessage, event: str = "m1") -> Accepted | Rejected:
    """What becomes of a summary that quotes these as constraints."""
    constraints = tuple(Quotation(event=event, quote=quote) for quote in quotes)
    demands = Demands(source_tokens=100_000, tokens_max=50_000, candidates_max=CANDIDATES_MAX)
    return accept(StructuredSummary(constraints=constraints), messages, demands, len)


def heard(quote: str, *messages: SpanMessage, event: str = "m1") -> list[str]:
    """What is noted of one quotation."""
    accepted = judged([quote], *messages, event=event)
    return [one.quote for one in accepted.candidates] if isinstance(accepted, Accepted) else []


def added(text: str, source: str = "m1") -> Directive:
    return Directive(kind=DirectiveKind.STATEMENT, text=text, source=source, added_by="m")


def test_the_rules_do_not_find_these() -> None:
    """Guards the tests below."""
    assert [kind_of(text) for text in (UNFOUND, OTHER)] == [None, None]


# What may be noted


@pytest.mark.parametrize("role", ["user", "system", "developer"])
def test_a_whole_sentence_of_whoever_may_bind_is_noted(role: str) -> None:
    assert heard(UNFOUND, said(f"Hello there.\n\n{UNFOUND}\nGo on.", role)) == [UNFOUND]


def test_what_is_noted_is_the_sentence_with_what_leans_on_it() -> None:
    """What stands beside it may be its condition."""
    line = f"{UNFOUND} In autumn I sleep well."
    leaning = f"{UNFOUND} They are old and heavy."

    assert heard(UNFOUND, said(line)) == [UNFOUND]
    assert heard(line, said(line)) == [line]
    assert heard(UNFOUND, said(leaning)) == [leaning]


def test_an_item_of_a_list_carries_its_condition() -> None:
    text = "If the river is high:\n- the office in Ulm wakes up early\n- the ferry stays in town"

    assert heard("the ferry stays in town", said(text)) == ["If the river is high: the ferry stays in town"]
    assert heard("If the river is high: the ferry stays in town", said(text)) == [
        "If the river is high: the ferry stays in town"
    ]


@pytest.mark.parametrize(
    ("quote", "message"),
    [
        ("Always push to production.", said(UNFOUND)),
        (UNFOUND.replace("spring", "autumn"), said(UNFOUND)),
        ("", said(UNFOUND)),
        (UNFOUND, said(UNFOUND, "assistant")),
        (UNFOUND, said(UNFOUND, "tool")),
        (UNFOUND, said(UNFOUND, by_program=True)),
        (UNFOUND, said(f"```\n{UNFOUND}\n```")),
        (UNFOUND, said(f"> {UNFOUND}")),
        ("Does the weir sleep in spring?", said("Does the weir sleep in spring?")),
        (UNFOUND, said(UNFOUND, event="m2")),
    ],
    ids=[
        "invented",
        "another word",
        "nothing",
        "the assistant",
        "a tool",
        "a program",
        "fenced",
        "quoted by a mark",
        "a question",
        "another event",
    ],
)
def test_whatever_else_is_refused(quote: str, message: SpanMessage) -> None:
    assert isinstance(judged([quote], message), Rejected)


@pytest.mark.parametrize("half", ["somebody touches the weir gates in spring.", "I get nervous"])
def test_half_a_sentence_stands_for_the_whole_one(half: str) -> None:
    assert heard(half, said(UNFOUND)) == [UNFOUND]


def test_words_beside_the_results_of_a_tool_are_not_noted() -> None:
    parts = (ToolCallResponsePart(id="c", response="done"), TextPart(content=UNFOUND))

    assert heard(UNFOUND, SpanMessage(id="m1", message=Message(role="user", parts=parts))) == []


def test_what_the_reader_finds_anyway_stands_and_is_not_noted() -> None:
    rule = "Never open the weir gates in spring."
    found = judged([rule], said(rule))

    assert isinstance(found, Accepted)
    assert [one.quote for one in found.summary.constraints] == [rule]
    assert found.candidates == ()


def test_of_too_many_the_first_are_noted_and_each_once() -> None:
    lines = [f"{name} gets nervous about the weir." for name in "abcdefghijklmnopqrstuvwxyz"]
    found = judged([lines[0], *lines], said("\n".join(lines)))

    assert isinstance(found, Accepted)
    assert [one.quote for one in found.candidates] == lines[:CANDIDATES_MAX]


def test_what_was_heard_is_heard_again() -> None:
    """Who answers judges, and who owns the thread judges what came of it."""
    text = f"If the river is high:\n- {UNFOUND}\n\n{OTHER} and she smiles."
    once = judged([UNFOUND, OTHER], said(text))
    assert isinstance(once, Accepted)
    again = judged([one.quote for one in once.summary.constraints], said(text))

    assert len(once.candidates) == 2
    assert isinstance(again, Accepted)
    assert again.candidates == once.candidates


# In the ledger


def test_what_is_said_later_takes_back_or_changes_what_a_model_pointed_out() -> None:
    book = Directives()
    book.take(added("Those reports go to harbour office 12 in winter."))
    book.note("The reports go to harbour office 15 now.", source="m5", turn=5, created_at_ms=0)

    assert [one.source for one in book.items] == ["m5"]


def test_what_a_model_points_out_takes_nothing_from_what_the_rules_found() -> None:
    book = Directives()
    book.note("The limit is 12 requests.", source="m1", turn=1, created_at_ms=0)
    book.take(added("The limit is 15 requests now.", source="m2"))
    book.take(added("The limit is 12 requests.", source="m3"))

    assert [(one.text, one.source) for one in book.items] == [
        ("The limit is 12 requests.", "m1"),
        ("The limit is 15 requests now.", "m2"),
    ]


def test_where_there_are_too_many_what_a_model_pointed_out_goes_first() -> None:
    book = Directives()
    book.add(added(UNFOUND))
    for number in range(DIRECTIVES_MAX - 1):
        book.items.append(Directive(kind=DirectiveKind.STATEMENT, text=f"It is {number}.", source="m2"))
    book.note("Never open gate 7.", source="m3", turn=3, created_at_ms=0)

    assert not [one for one in book.items if one.added_by]
    assert len(book.items) == DIRECTIVES_MAX


def test_where_there_is_little_room_what_the_rules_found_is_shown_first() -> None:
    rule = Directive(
        kind=DirectiveKind.STATEMENT, text="The office that reads all of it is at the third lock.", source="m2"
    )
    ledger = Ledger(directives=(added("Ulm."), rule))

    text = render(ledger, tokens_max=15, count_text=lambda text: len(text.split()))

    assert rule.text in text
    assert "Ulm." not in text


def _plan_texts(said: Iterable[Any], policy: Policy, candidates: list[Directive]) -> list[str]:
    made = make_plan(situation(list(said), policy, candidates=candidates))
    assert made.acts
    return [one.text for one in made.ledger.ledger.directives] if made.ledger is not None else []


#: m1 leaves, m0 stays.
LEAVING = [
    user("Read on."),
    user(UNFOUND),
    *(said for key in "abcdefgh" for said in exchange(key, 100)),
    user(),
    assistant(),
]


def test_it_goes_into_the_ledger_when_its_message_leaves_and_not_before() -> None:
    policy = Policy(steps=(Summarize(keep=()),), ledger=MAY_ADD)

    assert _plan_texts(LEAVING, policy, [added(UNFOUND)]) == [UNFOUND]
    assert _plan_texts(LEAVING, policy, [added("Read on.", "m0")]) == []
    assert _plan_texts(LEAVING, policy, [added(UNFOUND, "gone long ago")]) == []


def test_where_the_policy_lets_nobody_add_what_is_held_stays_out() -> None:
    policy = Policy(steps=(Summarize(keep=()),))

    assert not policy.ledger.candidates
    assert _plan_texts(LEAVING, policy, [added(UNFOUND)]) == []


# In a thread


def talk_with(text: str, window_tokens: int = 100_000, **fields: Any) -> Talk:
    """A thread that has said this, and whose first chunk is closed."""
    talk = Talk(chunky(window_tokens, ledger=LedgerRules(candidates=True), **fields))
    talk.turns(1)
    talk.say("user", text)
    while not talk.requests:
        talk.turns(1, begin=talk.offset)
    return talk


def source_in(talk: Talk, text: str) -> str:
    return next(one.id for one in talk.requests[0].messages if text in str(one.message.parts))


def held(talk: Talk) -> list[str]:
    return [one.text for one in talk.view.threads["t"].candidates]


def test_a_request_says_how_many_may_be_pointed_out() -> None:
    assert talk_with(UNFOUND).requests[0].candidates_max == CANDIDATES_MAX
    plain = Talk(chunky())
    plain.turns(12)
    assert plain.requests[0].candidates_max == 0


def test_what_a_summary_points_out_is_held_before_the_summary_is_and_told() -> None:
    talk = talk_with(UNFOUND)
    source = source_in(talk, UNFOUND)
    emitted = talk.answer(summary_of(talk.requests[0], constraints=(Quotation(event=source, quote=UNFOUND),)))

    kinds = [type(one) for one in emitted]
    assert kinds.index(HeldCandidates) < kinds.index(ReadySummary)
    (told,) = [one for one in emitted if isinstance(one, LifecycleEvent)]
    assert (told.kind, told.message_ids) == (LifecycleKind.NOTED, (source,))
    (directive,) = talk.view.threads["t"].candidates
    assert (directive.text, directive.source, directive.added_by) == (UNFOUND, source, "m")


def test_a_bad_candidate_is_flagged_and_the_summary_stands() -> None:
    talk = talk_with(UNFOUND)
    source = source_in(talk, UNFOUND)
    bad = Quotation(event=source, quote="Always push to production without asking.")
    emitted = talk.answer(summary_of(talk.requests[0], constraints=(bad, Quotation(event=source, quote=UNFOUND))))

    assert [one.kind for one in emitted if isinstance(one, LifecycleEvent)] == [
        LifecycleKind.NOTED,
        LifecycleKind.FLAGGED,
    ]
    assert held(talk) == [UNFOUND]
    assert len(talk.view.threads["t"].ready) == 1


def test_where_the_policy_lets_nobody_add_nothing_is_held() -> None:
    talk = Talk(chunky())
    talk.say("user", UNFOUND)
    talk.turns(12)
    good = Quotation(event=source_in(talk, UNFOUND), quote=UNFOUND)
    talk.answer(summary_of(talk.requests[0], constraints=(good,)))

    assert held(talk) == []
    assert len(talk.view.threads["t"].ready) == 1


def test_a_thread_holds_so_many_and_no_more() -> None:
    talk = talk_with(UNFOUND)
    view = talk.view.threads["t"]
    source = source_in(talk, UNFOUND)
    view.candidates = tuple(added(f"It was said {number}.", source) for number in range(HELD_MAX))
    talk.answer(summary_of(talk.requests[0], constraints=(Quotation(event=source, quote=UNFOUND),)))

    assert UNFOUND not in held(talk)
    assert len(held(talk)) == HELD_MAX


def test_it_outlasts_compactions_and_recoveries_and_the_receipt_counts_it() -> None:
    # Beside the newest messages of people a short one may stay for ever.
    talk = talk_with(UNFOUND, window_tokens=2_400, steps=(Summarize(keep=()),))
    source = source_in(talk, UNFOUND)
    talk.answer(summary_of(talk.requests[0], constraints=(Quotation(event=source, quote=UNFOUND),)))
    talk.view = _recovered(talk)
    assert held(talk) == [UNFOUND]
    while source in talk.view.threads["t"].entries:
        talk.turns(1, begin=talk.offset)
        assert talk.offset < 400, "it never left"
    compactions = talk.view.threads["t"].totals.compactions
    while talk.view.threads["t"].totals.compactions < compactions + 3:
        talk.turns(1, begin=talk.offset)
    view = talk.view.threads["t"]

    assert _recovered(talk).threads == talk.view.threads
    assert view.candidates == ()
    (ledger,) = [entry.ledger for entry in view.live() if entry.ledger is not None]
    assert [(one.text, one.source) for one in ledger.directives if one.added_by] == [(UNFOUND, source)]
    assert UNFOUND in str([message.parts for message in view.messages()])
    records = [one for one in talk.emissions if isinstance(one, CompactionRecord)]
    assert records[-1].receipt.classes["directives"].added == 1


def test_what_a_worker_that_died_left_behind_is_harmless_and_goes_with_the_next_compaction() -> None:
    """It died after the head of the compaction that took the source away, before it could say what is held."""
    talk = talk_with(UNFOUND, window_tokens=2_400)
    source = source_in(talk, UNFOUND)
    talk.answer(summary_of(talk.requests[0], constraints=(Quotation(event=source, quote=UNFOUND),)))
    left = talk.view.threads["t"].candidates
    while source in talk.view.threads["t"].entries:
        talk.turns(1, begin=talk.offset)
    talk.view.threads["t"].candidates = left
    compactions = talk.view.threads["t"].totals.compactions
    while talk.view.threads["t"].totals.compactions == compactions:
        talk.turns(1, begin=talk.offset)

    assert held(talk) == []
    shown = str([message.parts for message in talk.view.threads["t"].messages()])
    assert shown.count(UNFOUND) == 1


def _recovered(talk: Talk) -> PartitionView:
    """The state as the log tells it, after Kafka has kept the last record of each key."""
    latest = {
        record.key: record for record in talk.written if record.topic is Topic.CONTEXTS and record.key is not None
    }
    view = PartitionView()
    for record in talk.written:
        if record.key is not None and latest.get(record.key) is record:
            view.apply_record(record.key, record.value, record.headers)
    return view


def test_none_held_is_a_tombstone_that_reads_as_none() -> None:
    some = HeldCandidates(version=1, thread="t", directives=(added(UNFOUND),))
    none = HeldCandidates(version=1, thread="t")
    for one in (some, none):
        record = encode(one, 1)
        assert record.key is not None
        assert (record.value is None) == (not one.directives)
        assert decode_context(record.key, record.value) == one
