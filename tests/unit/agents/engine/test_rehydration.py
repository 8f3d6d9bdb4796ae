"""Artifacts that come back because they are named.

For one turn, at the very end, within their caps, and never too secret.
"""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drafts import AROUND
from support.fresh_secrets import SECRETS
from support.tool_thread import POLICY, Talk, at_once, changes, lines, of_type, own_entry, rules, shown_text

from tailrace.agents.engine.compaction_context import COOLING_MAX, cooling_down
from tailrace.agents.engine.partition import RecordOutcome
from tailrace.agents.engine.rehydration import _ID, WantedArtifact, _may_hold_id, wanted
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy.policy import Keep, Policy
from tailrace.schemas.policy.tools import Rehydrate
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.context import REHYDRATED_RANK, Entry, EntryKind, Head
from tailrace.schemas.records.event import Event, Sensitivity
from tailrace.schemas.records.kafka_records import Tombstone
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import Format
from tailrace.schemas.transcripts.transcript import PROGRAM_SOURCE

IDS = [f"{number:016x}" for number in range(0xA0, 0xB0)]
FORMATS = (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI)


def talk(*, texts: dict[str, str] | None = None, policy: Policy = POLICY, **rehydrate: Any) -> Talk:
    """A thread in its first turn, with artifacts."""
    one = Talk(rules(msgspec.structs.replace(policy, rehydrate=Rehydrate(**rehydrate))))
    for name, text in (texts or dict.fromkeys(IDS, "forty two")).items():
        put(one, name, text)
    one.say("user", "begin")
    return one


def put(one: Talk, name: str, text: str, *, tenant: str = "default", **fields: Any) -> None:
    new = NewArtifact(id=name, media_type="text/plain", content=text.encode(), created_at_ms=1, **fields)
    at_once(one.artifacts.store(SecurityContext(tenant=tenant), [new]))


def brought(outcome: RecordOutcome) -> list[Entry]:
    return [one for one in of_type(outcome, Entry) if one.kind is EntryKind.REHYDRATED]


def ids(outcome: RecordOutcome) -> list[str | None]:
    return [entry.artifact_id for entry in brought(outcome)]


def audit(outcome: RecordOutcome) -> list[tuple[LifecycleKind, tuple[str, ...]]]:
    return [(one.kind, one.message_ids) for one in of_type(outcome, LifecycleEvent)]


def test_an_artifact_that_is_named_stands_at_the_very_end_for_its_turn() -> None:
    one = talk()
    before = [bytes(entry.message) for entry in one.view.live()]
    outcome = one.say("user", f"what was in artifact:{IDS[0]}?")

    (entry,) = brought(outcome)
    assert shown_text(entry).startswith(f"[Rehydrated Content - artifact:{IDS[0]}]")
    assert shown_text(entry).endswith("\nforty two")
    assert one.view.live()[-1] == entry
    assert [bytes(entry.message) for entry in one.view.live()][: len(before)] == before
    assert audit(outcome) == [(LifecycleKind.REHYDRATED, (IDS[0],))]
    assert own_entry(outcome).brought_back == (IDS[0],)


def test_it_stays_behind_what_comes_in_its_turn_and_is_gone_with_the_next() -> None:
    one = talk()
    (entry,) = brought(one.say("user", f"look at {IDS[0]}"))
    one.say("assistant", "I see")
    one.use("a result")
    assert one.view.live()[-1] == entry
    tokens = one.view.tokens

    outcome = one.say("user", "go on")

    assert not one.view.rehydrated
    assert of_type(outcome, Tombstone) == [Tombstone(thread="thread", message_id=entry.id)]
    assert one.view.tokens == tokens + own_entry(outcome).tokens


def test_it_is_never_counted() -> None:
    one = talk(texts={IDS[0]: lines(20)})
    before = one.view.tokens
    outcome = one.say("user", f"look at {IDS[0]}")

    assert one.view.rehydrated
    assert one.view.tokens == before + own_entry(outcome).tokens
    assert one.view.tokens == sum(entry.tokens for entry in one.view.entries.values())
    assert one.view.totals.messages == 2


@pytest.mark.parametrize(
    "text",
    [
        f"{IDS[0]}",
        f"({IDS[0]}),",
        f'read_artifact("{IDS[0]}")',
        f"see artifact:{IDS[0]}.",
        f"{'x ' * 40_000}{IDS[0]}",
        f"{IDS[0]} {'x ' * 40_000}",
    ],
)
def test_an_id_is_recognised_as_a_word_of_its_own(text: str) -> None:
    assert ids(talk().say("user", text)) == [IDS[0]]


@pytest.mark.parametrize(
    "text", [f"{IDS[0]}0", f"0{IDS[0]}", f"x{IDS[0]}", f"{IDS[0]}-1", f"_{IDS[0]}", IDS[0].upper(), ""]
)
def test_what_only_looks_like_one_is_not(text: str) -> None:
    assert ids(talk().say("user", text)) == []


def test_arguments_and_hints_name_artifacts_and_results_do_not() -> None:
    one = talk()

    assert ids(one.call("a", arguments={"compare_with": IDS[0]})) == [IDS[0]]
    assert ids(one.answer({"a": f"artifact:{IDS[1]}"})) == []
    assert ids(one.say("assistant", f"artifact:{IDS[2]}")) == []
    assert ids(one.say("assistant", "hm", hints=[IDS[3], "no id"])) == [IDS[3]]


@pytest.mark.parametrize("tool", ["read_artifact", "recall", "mcp__tailrace__read_artifact", "tailrace.recall"])
def test_who_asks_by_the_tool_gets_the_answer_of_the_tool(tool: str) -> None:
    one = talk()

    assert ids(one.call("a", tool=tool, arguments={"id": IDS[0]})) == []


def test_at_most_three_come_and_those_named_as_artifacts_first() -> None:
    one = talk()
    outcome = one.say("user", f"spans {' '.join(IDS[:5])}, and artifact:{IDS[6]}")

    assert ids(outcome) == [IDS[6], IDS[0], IDS[1]]
    assert ids(one.call("a", arguments={"more": IDS[7]})) == []
    assert ids(one.say("user", IDS[7])) == [IDS[7]]


def test_each_and_all_are_cut_to_their_caps_and_say_so() -> None:
    one = talk(texts=dict.fromkeys(IDS, lines(100)), artifact_tokens_max=100, tokens_max=250)
    entries = brought(one.say("user", " ".join(IDS)))

    assert len(entries) == 3
    assert all(50 < entry.tokens <= 100 for entry in entries[:2])
    assert sum(entry.tokens for entry in entries) <= 250
    assert all("the beginning of it" in shown_text(entry) for entry in entries)
    assert all(shown_text(entry).split("\n", 1)[1] in lines(100) for entry in entries)


def test_there_is_room_for_the_reserve_and_for_what_is_free() -> None:
    """Of 1,000 tokens 200 are the reserve; the system prompt takes nearly all of the rest."""
    policy = msgspec.structs.replace(POLICY, default_window_tokens=1_000)
    one = talk(texts=dict.fromkeys(IDS, lines(100)), policy=policy)
    one.say("system", lines(110))
    outcome = one.say("user", f"{IDS[0]} {IDS[1]}")

    free_tokens = 800 - one.view.request_tokens
    assert 0 < free_tokens < 150
    entries = brought(outcome)
    assert 0.8 * (200 + free_tokens) < sum(entry.tokens for entry in entries) <= 200 + free_tokens


def test_what_finds_no_room_is_audited_and_may_come_in_the_next_turn() -> None:
    policy = msgspec.structs.replace(POLICY, rehydration_reserve_tokens=0, default_window_tokens=400)
    one = talk(texts={IDS[0]: lines(40)}, policy=policy)
    outcome = one.say("user", f"{IDS[0]} " + "word " * 375)

    assert (LifecycleKind.NOOP, (IDS[0],)) in audit(outcome)
    assert not brought(outcome)
    assert own_entry(outcome).brought_back == ()
    assert not one.view.brought_back


def test_the_context_does_not_grow_into_what_was_brought_back() -> None:
    """It took what was free of the limit.

    What comes in the same turn must make room elsewhere, not push the whole over it.
    """
    policy = msgspec.structs.replace(POLICY, default_window_tokens=2_000)
    one = talk(texts={IDS[0]: lines(400)}, policy=policy)
    one.say("user", f"look at artifact:{IDS[0]}")
    held_tokens = sum(entry.tokens for entry in one.view.rehydrated.values())
    assert held_tokens > 1_000

    for number in range(60):
        one.use(lines(10, f"river{number}"))
        whole_tokens = one.view.request_tokens + held_tokens
        assert whole_tokens <= 1_800 + 200
    assert one.view.totals.compactions
    assert sum(entry.tokens for entry in one.view.rehydrated.values()) == held_tokens


def test_where_more_is_there_than_is_allowed_by_now_nothing_comes_however_long_it_is() -> None:
    """The worker was started again with a policy that allows less."""
    one = talk(texts={IDS[0]: lines(200), IDS[1]: lines(2_000)})
    one.say("user", f"look at {IDS[0]}")
    one.rules = rules(msgspec.structs.replace(POLICY, rehydrate=Rehydrate(tokens_max=50)))
    outcome = one.call("z", arguments={"compare": IDS[1]})

    assert ids(outcome) == []
    assert audit(outcome) == [(LifecycleKind.NOOP, (IDS[1],))]


def test_it_is_not_brought_back_again_in_its_turn_and_in_the_two_after_it() -> None:
    one = talk()
    turns = [ids(one.say("user", f"and {IDS[0]}")) for _ in range(5)]

    assert turns == [[IDS[0]], [], [], [IDS[0]], []]


def test_the_cooldown_outlasts_the_message_that_asked() -> None:
    """A compaction takes the message away; the head remembers, for a successor as well, and forgets in time."""
    policy = msgspec.structs.replace(POLICY, strategy="drop", default_window_tokens=600, keep=Keep(first_user=False))
    one = talk(policy=policy)
    asked = own_entry(one.say("user", IDS[0]))
    one.say("user", "go on")
    for number in range(20):
        one.use(lines(10, f"river{number}"))
    assert asked.id not in one.view.entries
    assert one.view.head is not None
    assert one.view.head.brought_back == {IDS[0]: asked.turn}

    for worker in (one, one.fork()):
        assert [ids(worker.say("user", IDS[0])) for _ in range(3)] == [[], [IDS[0]], []]


def test_a_duplicate_does_not_make_a_thread_forget_what_was_brought_back() -> None:
    one = talk()
    one.say("user", IDS[0])
    one.take(one.published[0])

    assert one.view.brought_back == {IDS[0]: 2} == one.recovered().threads["thread"].brought_back
    assert ids(one.say("user", IDS[0])) == []


def test_a_head_remembers_no_more_than_it_must() -> None:
    brought_back = {f"{number}": number // 10 for number in range(2_000)}

    assert cooling_down(brought_back, 199, 1) == {f"{number}": number // 10 for number in range(1_980, 2_000)}
    assert list(cooling_down(brought_back, 199, 50)) == [f"{number}" for number in range(2_000 - COOLING_MAX, 2_000)]


def test_within_a_turn_it_comes_once() -> None:
    one = talk(cooldown_turns=0)
    assert ids(one.say("user", IDS[0])) == [IDS[0]]

    assert ids(one.call("a", arguments={"x": IDS[0]})) == []
    assert ids(one.say("user", IDS[0])) == [IDS[0]]


@pytest.mark.parametrize("sensitivity", [Sensitivity.CONFIDENTIAL, Sensitivity.RESTRICTED])
def test_what_is_too_sensitive_is_kept_back_with_a_note(sensitivity: Sensitivity) -> None:
    one = talk()
    put(one, "f" * 16, "the plans", sensitivity=sensitivity)
    outcome = one.say("user", f"artifact:{'f' * 16}")

    (entry,) = brought(outcome)
    assert "is kept back" in shown_text(entry)
    assert "plans" not in str(outcome.emissions)
    assert audit(outcome) == [(LifecycleKind.FLAGGED, ("f" * 16,))]
    assert own_entry(outcome).brought_back == ()


def test_a_policy_may_allow_only_what_is_public() -> None:
    one = talk(sensitivity_max="public")
    put(one, "e" * 16, "open to all", sensitivity=Sensitivity.PUBLIC)

    entries = brought(one.say("user", f"{IDS[0]} and {'e' * 16}"))

    assert ["is kept back" in shown_text(entry) for entry in entries] == [True, False]
    assert entries[1].sensitivity is Sensitivity.PUBLIC


def test_what_is_gone_is_a_note_where_it_was_named_and_nothing_where_it_may_be_anything() -> None:
    one = talk()
    put(one, "d" * 16, "theirs", tenant="somebody else")

    named = one.say("user", f"artifact:{'d' * 16} artifact:{'c' * 16}")
    unnamed = one.say("user", f"{'d' * 16} {'c' * 16}")

    notes = [shown_text(entry).partition("]")[2] for entry in brought(named)]
    assert len(notes) == 2
    assert len(set(notes)) == 1
    assert "is not there any more" in notes[0]
    assert [kind for kind, _ in audit(named)] == [LifecycleKind.FLAGGED] * 2
    assert not brought(unnamed)
    assert not audit(unnamed)


def test_an_expired_artifact_is_a_note() -> None:
    one = talk()
    put(one, "b" * 16, "short lived", expires_at_ms=2_000)
    one.artifacts.now_ms = 2_000

    (entry,) = brought(one.say("user", f"artifact:{'b' * 16}"))

    assert "is not there any more" in shown_text(entry)


def test_it_can_be_switched_off() -> None:
    assert ids(talk(enabled=False).say("user", f"artifact:{IDS[0]}")) == []


def test_a_secret_output_does_not_come_back_by_itself() -> None:
    one = talk()
    name = own_entry(one.use(f"{lines(100)}\nTOKEN={SECRETS['token']}")).artifact_id
    outcome = one.say("user", f"show me artifact:{name}")

    assert "is kept back" in shown_text(brought(outcome)[0])
    assert SECRETS["token"] not in str([bytes(entry.message) for entry in one.view.live()])


def test_ranks_are_unique_and_in_the_order_of_arrival() -> None:
    one = talk(texts={IDS[0]: lines(300), IDS[1]: "short", IDS[2]: "also"}, tokens_max=100, artifact_tokens_max=25)
    first = brought(one.say("user", f"{IDS[0]} {IDS[1]}"))
    second = brought(one.call("a", arguments={"x": IDS[2]}))

    ranks = [entry.rank for entry in [*first, *second]]
    assert ranks == list(range(REHYDRATED_RANK, REHYDRATED_RANK + len(ranks)))


def test_what_a_dead_worker_brought_back_is_not_left_behind_where_the_store_has_lost_it() -> None:
    one = talk()
    died = one.fork()
    died.take(event_naming(IDS[0], IDS[1]))
    (first, second) = brought(died.outcomes[-1])
    for entry in (first, second):
        one.partition.apply(entry)
    at_once(one.artifacts.delete(SecurityContext(tenant="default"), IDS[0]))

    outcome = one.take(event_naming(IDS[0], IDS[1]))

    assert [entry.artifact_id for entry in one.view.rehydrated.values()] == [IDS[1]]
    assert ids(outcome) == [IDS[1]]


def event_naming(*names: str) -> Any:
    one = Talk()
    one.say("user", f"look at {' '.join(names)}", id="again")
    return one.published[0]


def test_what_a_program_writes_in_a_users_name_is_no_new_turn() -> None:
    one = talk()
    one.say("user", f"look at {IDS[0]}")
    outcome = one.say("user", f"status of {IDS[1]}: open", source=PROGRAM_SOURCE)

    assert ids(outcome) == []
    assert [entry.artifact_id for entry in one.view.rehydrated.values()] == [IDS[0]]


@pytest.mark.parametrize("message_format", FORMATS)
def test_a_context_with_what_was_brought_back_is_valid_for_every_provider(message_format: Format) -> None:
    one = talk()
    for step in (
        lambda: one.say("user", f"look at artifact:{IDS[0]}"),
        lambda: one.say("assistant", "I see"),
        lambda: one.call("a", "b", arguments={"compare": IDS[1]}),
        lambda: one.answer({"a": "x"}),
        lambda: one.answer({"b": "y"}),
        lambda: one.say("assistant", "done"),
        lambda: one.say("user", f"and artifact:{'9' * 16}"),
    ):
        step()
        if not one.view.open_calls:
            assert violations(request_of(one.view.messages(), message_format), message_format) == []


def test_a_message_that_is_refused_brings_nothing_back() -> None:
    one = talk()
    outcome = one.answer({"nobody": "asked"}, hints=[IDS[0]])

    assert outcome.result == "dead_letter"
    assert [type(change) for change in changes(outcome)] == [Head]


def test_wanting_changes_nothing() -> None:
    one = talk()
    before = one.view.copy()
    published = event_naming(IDS[0])
    event: Event = decode_event(published.at(1), value_bytes_max=10_000)

    assert wanted(one.view, event, 1, one.rules.policy) == (WantedArtifact(IDS[0], named=False),)
    assert one.view == before
    assert one.view.tokens == 1 + AROUND


@given(
    st.lists(
        st.sampled_from(["0123456789abcdef", "0123456789abcde", "f", " ", "-", "_", "A", "é", "漢", "\ud800", "\n"])
    )
)
def test_no_text_with_an_id_is_passed_over(pieces: list[str]) -> None:
    text = "".join(pieces)

    assert _may_hold_id(text) or not _ID.search(text)
