"""Large tool outputs are distilled as they arrive; small ones stay; the whole is kept, and nothing secret is told."""

import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from support.drafts import AROUND_RESULT, count
from support.fresh_secrets import SECRETS
from support.tool_thread import POLICY, Talk, lines, of_type, own_entry, shown_text, tool_engine

from tailrace.agents.artifacts.names import PARTS_TYPE, TEXT_TYPE, content_id
from tailrace.agents.engine.partition import RecordOutcome
from tailrace.agents.messages.envelope import content_hash
from tailrace.schemas.policy.policy import Keep
from tailrace.schemas.policy.tools import Distill, ToolRule
from tailrace.schemas.records.context import Entry, EntryKind
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.envelope import Determinism, Durability
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.kafka_records import Stored
from tailrace.schemas.records.message import Message

LARGE = lines(200)
SMALL = lines(3)


def talk(**policy: Any) -> Talk:
    return Talk(tool_engine(msgspec.structs.replace(POLICY, **policy)))


def distillation(outcome: RecordOutcome) -> Distillation:
    (found,) = of_type(outcome, Distillation)
    return found


def stored(outcome: RecordOutcome) -> Stored:
    (found,) = of_type(outcome, Stored)
    return found


def test_a_large_output_is_distilled_in_the_step_in_which_it_arrives() -> None:
    one = talk()
    outcome = one.use(LARGE, tool="read_levels")

    entry, record, kept = own_entry(outcome), distillation(outcome), stored(outcome)
    name = content_id(TEXT_TYPE, LARGE.encode())
    whole_tokens = 6 * 200 + AROUND_RESULT
    assert (entry.kind, entry.artifact_id, entry.whole_tokens) == (EntryKind.DISTILLED, name, whole_tokens)
    text = shown_text(entry)
    assert text.startswith(
        f"[Distilled tool output - artifact:{name}] {whole_tokens} tokens of read_levels, distilled as "
    )
    assert f'read_artifact("{name}")' in text
    assert entry.tokens < whole_tokens / 2
    assert (kept.artifact.id, kept.artifact.content, kept.artifact.media_type) == (name, LARGE.encode(), TEXT_TYPE)
    assert (kept.artifact.thread, kept.artifact.message_id, kept.artifact.tool) == ("thread", entry.id, "read_levels")
    assert (record.text, record.artifact_id, record.content_hash) == (text, name, content_hash(LARGE))
    assert (record.before_tokens, record.after_tokens) == (whole_tokens, entry.tokens)
    assert (record.before_chars, record.after_chars) == (len(LARGE), len(text))
    assert record.policy_version == one.engine.policy.hash
    assert record.envelope.determinism == Determinism(content_hash=content_hash(LARGE))


def test_it_is_stored_and_described_before_anything_names_it() -> None:
    kinds = [type(emission) for emission in talk().use(LARGE).emissions]

    assert kinds.index(Stored) < kinds.index(Distillation) < kinds.index(Entry)


@pytest.mark.parametrize("text", ["", " ", SMALL, "\x00 \r\n", "no {json", lines(13)])
def test_a_small_output_is_untouched(text: str) -> None:
    one = talk()
    outcome = one.use(text)

    assert shown_text(own_entry(outcome)) == text
    assert own_entry(outcome).kind is EntryKind.VERBATIM
    assert not of_type(outcome, Stored)
    assert not of_type(outcome, Distillation)


def test_what_a_large_window_has_room_for_is_left_alone() -> None:
    roomy = talk(distill=Distill(tokens_min=100, fraction_min=0.2))

    assert own_entry(roomy.use(LARGE)).kind is EntryKind.VERBATIM
    assert own_entry(talk(distill=Distill(tokens_min=100, fraction_min=0.1)).use(LARGE)).kind is EntryKind.DISTILLED


def test_what_was_said_counts_whole_and_what_came_into_the_context_as_it_came() -> None:
    one = talk()
    one.use(SMALL)
    before = one.view.totals
    entry = own_entry(one.use(LARGE, tool="read_levels"))
    calls_tokens = one.view.totals.entered_tokens - before.entered_tokens - entry.tokens
    assert 0 < entry.tokens < entry.whole_tokens
    assert one.view.totals.tokens - before.tokens == calls_tokens + entry.whole_tokens


def test_what_was_said_counts_the_same_where_its_arrival_begins_a_head_or_a_compaction() -> None:
    one = talk(default_window_tokens=1_200)
    one.say("user", "How high is it?")
    assert one.view.totals.entered_tokens == one.view.totals.tokens > 0
    totals = [one.view.totals]
    for _ in range(8):
        one.use(LARGE, tool="read_levels")
        totals.append(one.view.totals)
    added = {later.tokens - earlier.tokens for earlier, later in pairwise(totals)}
    assert totals[-1].compactions > 2
    assert len(added) == 1, "each use says as much"
    assert min(added) > 6 * 200
    assert all(earlier.entered_tokens < later.entered_tokens for earlier, later in pairwise(totals))


def test_messages_that_answer_nothing_are_never_distilled() -> None:
    outcome = talk().say("user", LARGE)

    assert own_entry(outcome).kind is EntryKind.VERBATIM


def test_it_can_be_switched_off_and_on_for_a_tool() -> None:
    off = talk(distill=Distill(enabled=False, tokens_min=100, fraction_min=0.001), tools={"l*": ToolRule(distill=True)})
    on = talk(tools={"l*": ToolRule(distill=False)})

    assert [own_entry(off.use(LARGE, tool=tool)).kind for tool in ("look", "read")] == ["distilled", "verbatim"]
    assert [own_entry(on.use(LARGE, tool=tool)).kind for tool in ("look", "read")] == ["verbatim", "distilled"]


def test_a_tool_may_have_a_threshold_of_its_own_whatever_the_window() -> None:
    one = talk(distill=Distill(tokens_min=5_000, fraction_min=0.9), tools={"look": ToolRule(tokens_min=100)})

    assert own_entry(one.use(LARGE)).kind is EntryKind.DISTILLED
    assert own_entry(one.use(SMALL)).kind is EntryKind.VERBATIM
    assert own_entry(one.use(LARGE, tool="read")).kind is EntryKind.VERBATIM


def test_what_would_save_too_little_stays_whole() -> None:
    one = talk(distill=Distill(tokens_min=100, fraction_min=0.001, ratio=0.95, tokens_max=4_000))

    assert own_entry(one.use(LARGE)).kind is EntryKind.VERBATIM


def test_pinned_messages_and_sources_that_are_kept_stay_as_they_are() -> None:
    one = talk(keep=Keep(sources={"spec*": "protect", "notes": "drop"}))

    assert own_entry(one.use(LARGE, pinned=True)).kind is EntryKind.VERBATIM
    assert own_entry(one.use(LARGE, source="specification")).kind is EntryKind.VERBATIM
    assert own_entry(one.use(LARGE, source="notes")).kind is EntryKind.DISTILLED


def test_what_everything_rests_on_is_not_distilled() -> None:
    outcome = talk().use(LARGE, tools=[{"durability": "anchoring"}])

    assert own_entry(outcome).durability is Durability.ANCHORING
    assert shown_text(own_entry(outcome)) == LARGE


def responses(entry: Entry) -> dict[str, Any]:
    return {part["id"]: part["response"] for part in msgspec.json.decode(entry.message)["parts"]}


def test_of_several_outputs_only_the_large_ones_change() -> None:
    one = talk()
    one.call("a", "b", "c")
    outcome = one.answer({"a": SMALL, "b": LARGE, "c": [{"type": "text", "text": LARGE}]})

    entry = own_entry(outcome)
    shown = responses(entry)
    assert shown["a"] == SMALL
    assert shown["b"].startswith("[Distilled tool output")
    assert shown["c"].startswith("[Distilled tool output")
    kept = stored(outcome).artifact
    assert kept.media_type == PARTS_TYPE
    assert isinstance(kept.content, bytes)
    assert [part["response"] for part in json.loads(kept.content)] == [SMALL, LARGE, [{"type": "text", "text": LARGE}]]
    records = of_type(outcome, Distillation)
    assert [record.envelope.call_id for record in records] == ["b", "c"]
    assert len({record.id for record in records}) == 2
    assert [record.text for record in records] == [shown["b"], shown["c"]]
    assert all(6 * 200 < record.before_tokens < 6 * 200 + 2 * AROUND_RESULT for record in records)


def test_a_small_output_beside_something_expensive_is_still_small() -> None:
    """Neither an image nor a long text beside it makes an output large."""
    picture = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}}]
    one = talk(distill=Distill(tokens_min=500, fraction_min=0.001))
    one.call("a", "b")
    medium = lines(60)
    outcome = one.answer({"a": picture, "b": medium})
    assert responses(own_entry(outcome)) == {"a": picture, "b": medium}

    one.call("c")
    answer = {"type": "tool_call_response", "id": "c", "response": medium}
    beside = {"type": "text", "content": lines(100)}
    outcome = one.tell({"role": "user", "parts": [answer, beside]})
    assert own_entry(outcome).kind is EntryKind.VERBATIM


def test_a_large_output_is_distilled_beside_a_larger_one_that_has_to_stay() -> None:
    one = talk()
    one.call("a", "b")
    outcome = one.answer({"a": lines(1_000), "b": LARGE}, tools=[{"durability": "anchoring"}])

    shown = responses(own_entry(outcome))
    assert shown["a"] == lines(1_000)
    assert shown["b"].startswith("[Distilled tool output")


def test_media_is_never_lost_in_a_distillation() -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}}
    response = [{"type": "text", "text": LARGE}, picture]

    assert responses(own_entry(talk().use(response))) == {"call-0": response}


@pytest.mark.parametrize(
    ("durabilities", "expected"),
    [
        (("ephemeral", "ephemeral"), "ephemeral"),
        (("ephemeral", "replayable"), "replayable"),
        (("ephemeral", None), None),
        (("replayable", None), None),
        (("non_replayable", None), "non_replayable"),
        (("anchoring", None), "anchoring"),
        (("anchoring", "non_replayable"), "anchoring"),
    ],
)
def test_a_message_is_as_durable_as_the_result_that_must_stay_the_longest(
    durabilities: tuple[str, str | None], expected: str | None
) -> None:
    one = talk()
    one.call("a", "b", tool="anything")
    envelopes = [
        {"call_id": key, "durability": one} if one else {"call_id": key}
        for key, one in zip("ab", durabilities, strict=True)
    ]
    outcome = one.answer({"a": "x", "b": "y"}, tools=envelopes)

    assert own_entry(outcome).durability == expected


def test_how_durable_a_small_output_is_follows_from_its_call_where_the_policy_has_rules_for_tools() -> None:
    asked = talk(tools={"another": ToolRule(ttl_seconds=60)})

    assert own_entry(asked.use(SMALL, tool="write_file")).durability is Durability.NON_REPLAYABLE
    assert own_entry(talk().use(SMALL, tool="write_file")).durability is None


def test_the_policy_overrules_the_producer() -> None:
    one = talk(tools={"look": ToolRule(durability=Durability.REPLAYABLE)})

    assert own_entry(one.use(SMALL, tools=[{"durability": "anchoring"}])).durability is Durability.REPLAYABLE
    assert own_entry(one.use(SMALL, tool="any", tools=[{"durability": "anchoring"}])).durability is Durability.ANCHORING


@pytest.mark.parametrize("kind", SECRETS)
def test_secrets_are_only_in_the_artifact_which_is_restricted(kind: str) -> None:
    secret = SECRETS[kind]
    text = f"{lines(60)}\nerror: setting {secret}\n{lines(60)}"
    one = talk()
    outcome = one.use(text)

    kept = stored(outcome).artifact
    assert kept.content == text.encode()
    assert kept.sensitivity is Sensitivity.RESTRICTED
    record = distillation(outcome)
    assert record.secrets
    for line in secret.split("\n")[1:-1] or [secret]:
        for written in (record, own_entry(outcome), *one.documents()[-1]):
            assert line.encode() not in msgspec.json.encode(written)


def test_a_secret_in_a_key_field_does_not_leave_with_the_envelope() -> None:
    """Not even the beginning of one, where the field is cut."""
    token = SECRETS["token"]
    fields = {"message": "m" * 100 + " " + token, "url": f"https://ana:{token}@host.example", "rows": LARGE}
    outcome = talk().use(json.dumps(fields), tools=[{"name": "x"}])

    written = msgspec.json.encode(distillation(outcome)).decode()
    assert token[:12] not in written
    given = talk().use(LARGE, tools=[{"key_fields": {"note": token}}])
    assert token not in msgspec.json.encode(distillation(given)).decode()


def test_a_secret_beside_the_large_output_makes_the_artifact_restricted() -> None:
    one = talk()
    one.call("a", "b")
    outcome = one.answer({"a": f"TOKEN={SECRETS['token']}", "b": LARGE})

    assert stored(outcome).artifact.sensitivity is Sensitivity.RESTRICTED
    hidden = talk().use([{"type": "text", "text": LARGE, "annotations": [SECRETS["token"]]}])
    assert stored(hidden).artifact.sensitivity is Sensitivity.RESTRICTED


def test_masking_can_be_switched_off() -> None:
    text = f"error: setting {SECRETS['token']}\n{LARGE}"
    one = talk(mask_secrets=False)
    outcome = one.use(text)

    assert stored(outcome).artifact.sensitivity is Sensitivity.INTERNAL
    assert distillation(outcome).secrets == ()
    assert SECRETS["token"] in one.documents()[-1][0].text


def test_the_artifact_is_as_sensitive_as_event_and_tool_say_and_lives_as_long() -> None:
    rule = ToolRule(sensitivity=Sensitivity.CONFIDENTIAL, ttl_seconds=60)
    one = talk(tools={"vault": rule, "open": ToolRule(sensitivity=Sensitivity.PUBLIC)}, artifact_ttl_seconds=600)

    kept = [stored(one.use(LARGE, tool="vault")), stored(one.use(LARGE)), stored(one.use(LARGE, tool="open"))]

    assert [one.artifact.sensitivity for one in kept] == ["confidential", "internal", "internal"]
    assert [one.ttl_seconds for one in kept] == [60, 600, 600]
    assert stored(one.use(LARGE, sensitivity="restricted")).artifact.sensitivity is Sensitivity.RESTRICTED


def test_an_output_of_a_confidential_tool_is_confidential_even_where_it_stays() -> None:
    """It may become an artifact later, in a compaction."""
    one = talk(tools={"vault": ToolRule(sensitivity=Sensitivity.CONFIDENTIAL)})

    assert own_entry(one.use(SMALL, tool="vault")).sensitivity is Sensitivity.CONFIDENTIAL
    assert own_entry(one.use(SMALL)).sensitivity is Sensitivity.INTERNAL


def test_the_same_output_is_distilled_the_same_in_every_thread() -> None:
    one, other = talk(), talk()
    for _ in range(5):
        other.say("user", "something before")

    assert distillation(one.use(LARGE)).text == distillation(other.use(LARGE)).text


def test_a_late_result_is_told_by_the_call_that_is_open_where_ids_come_again() -> None:
    one = talk()
    one.call("call_0", tool="first")
    one.answer({"call_0": SMALL})
    one.call("call_0", tool="second")
    # A compaction that shortens the older call puts what stands for it behind everything else.
    one.view.entries["m0"] = one.view.entries.pop("m0")

    assert distillation(one.answer({"call_0": LARGE})).envelope.name == "second"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\x00\x01\x02" * 3_000, id="binary"),
        pytest.param("QUJD" * 9_000, id="base64"),
        pytest.param("[" * 150 + "1 " * 9_000 + "]" * 150, id="deep"),
        pytest.param(" \n" * 9_000, id="blank"),
        pytest.param("水 " * 9_000, id="wide"),
    ],
)
def test_any_output_arrives(text: str) -> None:
    outcome = talk(distill=Distill(tokens_min=1, fraction_min=0.001)).use(text)

    assert outcome.result == "appended"
    entry = own_entry(outcome)
    assert entry.tokens == count(msgspec.json.decode(entry.message, type=Message))


@pytest.mark.parametrize(
    "around", [("\x1b[33m", "\x1b[0m"), ("\0DB_PASS\x1b[01;31mWORD\x1b[m=", "\0")], ids=["coloured", "environ"]
)
def test_what_a_terminal_shows_beside_a_secret_does_not_uncover_it(around: tuple[str, str]) -> None:
    secret = SECRETS["token"]
    outcome = talk().use(f"{LARGE}\ntoken {around[0]}{secret}{around[1]}\n{LARGE}")

    assert secret not in distillation(outcome).text
    assert secret not in shown_text(own_entry(outcome))
    assert stored(outcome).artifact.sensitivity is Sensitivity.RESTRICTED
