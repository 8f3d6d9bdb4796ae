"""The library call: in any format, under any policy, without a broker, and again with the same outcome."""

import doctest
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tailrace.agents.engine import offline
from tailrace.agents.engine.offline import carry_out, conversation, plan_for
from tailrace.schemas.errors import ConfigError, Conflict, InjectionTooLarge, Invalid, OverBudget, Unsendable
from tailrace.schemas.policy.policy import Keep, Policy
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.formats import read_native, write_context
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams import Injection, MessageInput, compact
from tailrace.streams.demo.sample_conversations import Sample, load_samples
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.library import compact as library
from tailrace.streams.policy.files import ready_made_names
from tailrace.streams.settings.settings import load_settings

SAMPLES = {sample.thread: sample for sample in load_samples()}
SUPPORT = SAMPLES["support-de"]
AUDIT = SAMPLES["licence-audit"]
PROVIDERS = [Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI]


pytestmark = pytest.mark.usefixtures("bare_folder")


def test_the_example_of_the_manual_runs() -> None:
    assert doctest.testmod(library, raise_on_error=True).attempted > 0


@pytest.mark.parametrize("policy", ready_made_names())
@pytest.mark.parametrize("sample", [SUPPORT, AUDIT], ids=lambda sample: sample.thread)
def test_the_result_fits_and_comes_back_unchanged_and_is_taken_by_every_api(sample: Sample, policy: str) -> None:
    done = compact(sample.messages, policy, budget_tokens=2_500)
    again = compact(done.messages, policy, budget_tokens=2_500)

    assert done.plan.before_tokens > 2_500 >= done.tokens == done.plan.after_tokens
    assert done.record is not None
    assert (again.messages, again.record) == (done.messages, None)
    assert compact(sample.messages, policy, budget_tokens=2_500).record == done.record
    for target in PROVIDERS:
        assert violations(done.request(target), target) == []


def test_a_message_without_an_id_is_not_taken_for_one_that_a_caller_named_alike() -> None:
    named = [
        MessageInput.of({"role": "user", "content": f"step {name}"}, id=name) for name in ("m1", "m2", "m3", "m3-2")
    ]

    done = compact([*named[:3], {"role": "user", "content": "What is left?"}, named[3]])

    assert done.refused == ()
    assert [message["content"] for message in done.request()["messages"]][3:] == ["What is left?", "step m3-2"]


def test_marks_for_the_cache_survive_where_only_other_messages_show_that_they_are_anthropics() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    talk = [
        {"role": "user", "content": [{"type": "text", "text": "hello", **mark}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "a tree"}]},
    ]

    assert compact(talk).request() == {"messages": talk}
    assert "cache_control" not in str(compact(talk).request("openai.chat"))


def test_what_anthropic_answered_brings_none_of_its_fields_into_a_chat() -> None:
    answered = {
        "id": "msg_2",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [{"type": "text", "text": "done"}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {},
    }

    done = compact([{"role": "user", "content": "hi"}, answered])

    assert done.request("openai.chat")["messages"] == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "done"},
    ]


def test_a_policy_that_asks_for_approval_is_asked_here_too() -> None:
    talk = [{"role": "user" if place % 2 == 0 else "assistant", "content": "word " * 90} for place in range(20)]
    asking = Policy(strategy="checkpoint")

    waits = compact(talk, asking, budget_tokens=2_000)
    wished = compact(talk, asking, budget_tokens=2_000, force=True)
    over = compact([*talk, *talk], asking, budget_tokens=2_000)

    assert waits.plan.budget.upper_tokens < waits.tokens <= 2_000
    assert (waits.record, waits.plan.strategy) == (None, "checkpoint")
    assert "approval" in str(waits.plan.reason)
    assert wished.record is not None
    assert wished.tokens < waits.tokens
    assert over.record is not None
    assert over.tokens <= 2_000


def test_a_blank_message_at_the_end_leaves_something_to_send() -> None:
    talk = [
        {"role": "system", "content": "be nice " * 30},
        {"role": "user", "content": "x " * 300},
        {"role": "assistant", "content": "y " * 300},
        {"role": "user", "content": " "},
    ]

    done = compact(talk, budget_tokens=60)

    assert done.tokens <= 60
    for target in PROVIDERS:
        assert violations(done.request(target), target) == []


def test_what_is_refused_is_told_in_words_for_a_list() -> None:
    stray = {"role": "tool", "tool_call_id": "a", "content": "1"}

    (refused,) = compact([{"role": "user", "content": "hi"}, stray]).refused

    assert refused.reason == "tool result for call 'a', which is not open in this thread"


@pytest.mark.parametrize("budget_tokens", [60, 65, 250, 600])
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=lambda sample: sample.thread)
def test_what_comes_out_comes_back_unless_the_system_prompt_was_too_large(sample: Sample, budget_tokens: int) -> None:
    talk = sample.messages[:40]
    prompts = [message for message in talk if message["role"] == "system"]
    done = compact(talk, budget_tokens=budget_tokens)
    again = compact(done.messages, budget_tokens=budget_tokens)

    kept = [message for message in done.request("openai.chat")["messages"] if message["role"] == "system"]
    assert again.messages == done.messages or kept != prompts
    assert again.plan.budget.upper_tokens == done.plan.budget.upper_tokens or kept != prompts


def test_what_fits_is_not_touched_and_the_plan_says_why() -> None:
    done = compact(SUPPORT.messages, model="gpt-4o")

    assert done.request() == {"messages": list(SUPPORT.messages)}
    assert done.record is None
    assert "below the upper mark" in (done.plan.reason or "")


def test_the_budget_is_that_of_the_model_under_the_policy() -> None:
    small, large = (
        compact(SUPPORT.messages, model=model).plan.budget.limit_tokens for model in ("gpt-4-32k", "gpt-4o")
    )
    reserved = 4_096 + 500 + 2_000
    assert (small, large) == (32_000 - reserved, 128_000 - reserved)


def test_the_windows_and_the_policy_of_the_settings_hold_where_nothing_else_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TAILRACE_MODELS", '{"mine": 9000}')
    monkeypatch.setenv("TAILRACE_POLICY__SAFETY_TOKENS", "0")
    assert compact(SUPPORT.messages, model="mine").plan.budget.limit_tokens == 9_000 - 4_096 - 2_000


def test_a_policy_is_one_that_is_there_or_a_name_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "codex"
    file.write_text('name = "mine"\nupper_fraction = 0.5\nlower_fraction = 0.4\n')
    policies: list[Any] = [Policy(name="own", upper_fraction=0.5, lower_fraction=0.4), file, "codex"]
    marks = [compact(SUPPORT.messages, policy, budget_tokens=5_000).plan.budget.upper_tokens for policy in policies]
    assert marks[0] == marks[1] < marks[2] == 4_500
    with pytest.raises(ConfigError, match="codecs"):
        compact(SUPPORT.messages, "codecs")


@pytest.mark.parametrize("budget_tokens", [0, -1])
def test_a_budget_that_makes_no_sense_is_refused(budget_tokens: int) -> None:
    with pytest.raises(ConfigError, match="budget_tokens"):
        compact(SUPPORT.messages, budget_tokens=budget_tokens)


def test_the_request_is_by_default_in_the_format_of_the_messages() -> None:
    blocks: list[Any] = [
        {"role": "user", "content": "Where?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "here"}]},
    ]
    assert compact(blocks).request() == {"messages": blocks}
    assert compact(blocks).format is Format.ANTHROPIC_MESSAGES
    contents: list[Any] = [{"role": "user", "parts": [{"text": "Where?"}]}]
    assert compact(contents).request() == {"contents": contents}
    assert compact([*blocks, *contents]).format is Format.OPENAI_CHAT
    assert compact([Message(role="user")]).format is Format.OPENAI_CHAT


def test_messages_that_no_provider_would_take_are_left_out_and_named() -> None:
    done = compact([{"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": "none", "content": "x"}])
    assert done.request() == {"messages": [{"role": "user", "content": "hi"}]}
    assert [refused.place for refused in done.refused] == [1]


def test_what_is_no_message_is_refused() -> None:
    with pytest.raises(Invalid):
        compact([{"content": "who says this?"}])


@pytest.mark.parametrize("thing", [None, "x", 7, ["role", "user"]])
def test_what_is_not_even_a_dict_is_refused_with_its_place(thing: Any) -> None:
    with pytest.raises(Invalid, match=r"messages\[1\] must be a Message or a dict"):
        compact([{"role": "user", "content": "hi"}, thing])


def test_a_budget_holds_for_the_messages_and_what_is_injected_together() -> None:
    policy = Policy(injection_reserve_tokens=500)
    messages = [{"role": "user", "content": f"{number} " + "word " * 50} for number in range(40)]
    done = compact(messages, policy, budget_tokens=1_000)
    count = done.engine.count_tokens
    fits, too_large = (Injection.of_text("rag", "word " * number) for number in (400, 600))

    assert done.tokens <= 500
    assert done.tokens + count(fits.message, None) <= 1_000
    assert len(done.request(inject=[fits])["messages"]) == len(done.messages) + 1
    with pytest.raises(InjectionTooLarge):
        done.request(inject=[too_large])


def test_a_reserve_that_the_budget_does_not_have_is_not_granted() -> None:
    done = compact(SUPPORT.messages, Policy(injection_reserve_tokens=5_000), budget_tokens=1_000)

    assert done.injection_reserve_tokens == 1_000 - done.tokens


def test_nothing_gives_nothing() -> None:
    assert compact([]).request() == {"messages": []}


def test_an_injection_is_held_to_the_reserve_of_the_policy() -> None:
    date = Injection.of_text("date", "Today is Monday.")
    policy = Policy(injection_reserve_tokens=20)
    assert compact(SUPPORT.messages, policy).request(inject=[date])["messages"][-1]["content"] == "Today is Monday."
    with pytest.raises(InjectionTooLarge, match="date"):
        compact(SUPPORT.messages).request(inject=[date])


def test_a_plan_is_carried_out_on_what_it_was_made_for_and_nothing_else() -> None:
    engine = make_engine(load_settings())
    messages = [read_native("openai.chat", message) for message in SUPPORT.messages]
    talk, longer = (conversation(chosen, engine) for chosen in (messages, [*messages, messages[1]]))
    plan = plan_for(talk, engine, offline.budget_of(2_000, engine, talk.view))

    assert carry_out(talk, plan, engine).tokens == plan.after_tokens
    with pytest.raises(Conflict, match="plan again"):
        carry_out(longer, plan, engine)


def test_equal_input_gives_equal_bytes() -> None:
    written = [json.dumps(compact(AUDIT.messages, budget_tokens=3_000).request("gemini")) for _ in range(2)]
    assert written[0] == written[1]


def test_what_is_pinned_or_protected_by_its_source_stays() -> None:
    talk = [
        {"role": "user", "content": f"Pool {number} is {number + 3} metres deep, near the mill."}
        for number in range(60)
    ]
    policy = Policy(keep=Keep(sources={"rag": "protect"}))
    said = [
        MessageInput.of(one, pinned=number == 5, source="rag" if number == 7 else None)
        for number, one in enumerate(talk)
    ]

    done = compact(said, policy, budget_tokens=600)
    plain = compact(talk, policy, budget_tokens=600)

    kept = [talk[5], talk[7]]
    assert all(one in done.request()["messages"] for one in kept)
    assert not any(one in plain.request()["messages"] for one in kept)


def test_a_message_that_is_none_is_named_by_its_place() -> None:
    with pytest.raises(Invalid, match=r"messages\[1\]: "):
        compact([{"role": "user", "content": "hello"}, {"role": "nobody", "content": "?"}])


@pytest.mark.parametrize("open_calls", [1, 40])
def test_what_a_request_says_for_missing_results_fits_too(open_calls: int) -> None:
    functions = [
        {"id": f"c{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        for number in range(open_calls)
    ]
    talk: list[dict[str, Any]] = [{"role": "user", "content": f"Pool {number}: {'deep ' * 50}"} for number in range(40)]
    talk += [{"role": "assistant", "content": None, "tool_calls": functions}, {"role": "user", "content": "And now?"}]

    for budget_tokens in (1_400, 1_700, 2_000):
        done = compact(talk, budget_tokens=budget_tokens)
        sent = [read_native(Format.OPENAI_CHAT, message) for message in done.request()["messages"]]

        assert sum(message.answered_ids != () for message in sent) == open_calls
        assert sum(done.engine.count_tokens(message, None) for message in sent) <= done.tokens <= budget_tokens


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"policy": 5}, "policy"),
        ({"budget_tokens": "many"}, "budget_tokens"),
        ({"budget_tokens": True}, "budget_tokens"),
        ({"model": 3}, "model"),
    ],
)
def test_what_can_not_be_meant_is_refused_by_name(given: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError, match=f"^{key} = "):
        compact([{"role": "user", "content": "hi"}], **given)


@pytest.mark.parametrize("wrap", [dict, MessageInput.of, lambda data: read_native("openai.chat", data)])
def test_half_a_character_costs_that_character_and_not_the_message(wrap: Any) -> None:
    cut = {"role": "user", "content": "a \ud83d b", "own": {"\ud83d": ["\ud83d\ude00"]}}
    whole = {"role": "user", "content": "a \ufffd b", "own": {"\ufffd": ["\U0001f600"]}}
    done = compact([wrap(cut)])

    assert done.refused == ()
    assert write_context(done.messages, "openai.chat") == [whole]
    assert done.request() == {"messages": [{"role": "user", "content": "a \ufffd b"}]}


@pytest.mark.parametrize("given", [None, 7, "hello", {"role": "user", "content": "hi"}, Message(role="user")])
def test_what_is_no_list_of_messages_is_refused(given: Any) -> None:
    with pytest.raises(Invalid, match="messages must be a list of messages, got "):
        compact(given)


def test_any_iterable_of_messages_will_do() -> None:
    messages = [{"role": "user", "content": "hi"}]
    given: Any = iter(messages)
    assert compact(given).request() == {"messages": messages}


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("own", [object(), nested(5_000), ["\ud83d", nested(900)]], ids=["object", "deep", "deep half"])
def test_a_value_that_json_has_not_is_refused_with_the_place_of_its_message(own: Any) -> None:
    with pytest.raises(Invalid, match=r"messages\[0\]: it can't be written as JSON: "):
        compact([{"role": "user", "content": "hi", "own": own}])


def test_numbers_that_json_has_not_become_null() -> None:
    message = {"role": "user", "content": "hi", "score": float("nan"), "most": float("inf")}
    written = write_context(compact([message]).messages, "openai.chat")
    assert written == [{"role": "user", "content": "hi", "score": None, "most": None}]


def test_items_of_one_response_stay_or_go_together_with_their_reasoning() -> None:
    items: list[dict[str, Any]] = [{"type": "message", "role": "user", "content": "Look at all pools."}]
    for step in range(12):
        calls = [f"c_{step}_{number}" for number in range(3)]
        items.append({"type": "reasoning", "id": f"rs_{step}", "summary": [], "encrypted_content": "e" * 40})
        items += [
            {"type": "function_call", "id": f"f{call}", "call_id": call, "name": "look", "arguments": "{}"}
            for call in calls
        ]
        items += [
            {"type": "function_call_output", "call_id": call, "output": f"{call} {'trout ' * 300}"} for call in calls
        ]

    kept_steps = []
    for budget_tokens in (4_000, 6_000, 9_000):
        sent = compact(items, budget_tokens=budget_tokens).request(Format.OPENAI_RESPONSES)
        kept = [item["id"] for item in sent["input"] if item.get("type") in ("reasoning", "function_call")]
        steps = [item_id.removeprefix("rs_") for item_id in kept if item_id.startswith("rs_")]
        assert kept == [
            one for step in steps for one in (f"rs_{step}", *(f"fc_{step}_{number}" for number in range(3)))
        ]
        assert violations(sent, Format.OPENAI_RESPONSES) == []
        kept_steps.append(len(steps))

    assert 0 < kept_steps[0] < kept_steps[-1] < 12


@pytest.mark.parametrize("arguments", ['{"pool": "nine"}', f'{{"pool": "{"trout " * 900}"}}'], ids=["short", "long"])
def test_a_call_whose_reasoning_was_cut_is_not_known_by_its_id_any_more(arguments: str) -> None:
    items: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": "Look at all pools."},
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": "thinking " * 400}],
            "encrypted_content": "e" * 4_000,
        },
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "look", "arguments": arguments},
    ]

    found = set()
    for budget_tokens in (200, 400, 900, 1_500, 4_000):
        sent = compact(items, budget_tokens=budget_tokens).request(Format.OPENAI_RESPONSES)
        ids = tuple(item.get("id") for item in sent["input"] if item.get("type") in ("reasoning", "function_call"))
        assert violations(sent, Format.OPENAI_RESPONSES) == []
        found.add(ids)

    assert found == {("rs_1", "fc_1"), (None,)}


def test_one_message_answers_the_calls_of_assistant_messages_in_a_row_and_keeps_its_words() -> None:
    calls = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": call, "name": "look", "input": {}}]}
        for call in "ab"
    ]
    results = [{"type": "tool_result", "tool_use_id": call, "content": f"pool {call}"} for call in "ab"]
    words = {"type": "text", "text": "and stop after this"}
    said = [{"role": "user", "content": "Look."}, *calls, {"role": "user", "content": [*results, words]}]
    done = compact(said, budget_tokens=4_000)

    assert done.refused == ()
    assert done.request(Format.ANTHROPIC_MESSAGES)["messages"][-1] == said[-1]


def _asked_of_locks(count: int) -> list[dict[str, Any]]:
    talk: list[dict[str, Any]] = [{"role": "system", "content": "You watch the locks of a canal."}]
    for number in range(count):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "level", "arguments": "{}"}}
        talk += [
            {"role": "user", "content": f"How high does the water stand in lock {number}?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"lock {number}: " + "gauge reads well; " * 40},
            {"role": "assistant", "content": f"It stands {number} cm above the mark."},
        ]
    return talk


def test_what_was_sent_stays_as_it_was_between_two_compactions_where_the_last_result_is_handed_on() -> None:
    talk = _asked_of_locks(40)
    done = None
    compactions = 0

    for end in range(5, len(talk) + 1, 4):
        before = done
        done = compact(talk[:end], budget_tokens=3_000, after=before)
        assert done.tokens <= 3_000
        assert violations(done.request(), done.format) == []
        compactions += done.record is not None
        if before is not None and done.record is None:
            assert done.messages[: len(before.messages)] == before.messages

    # Each makes room for several turns; planning anew, every turn above the mark would be one.
    assert 2 <= compactions <= 12


def test_only_what_is_new_is_counted_behind_the_last_result() -> None:
    talk = _asked_of_locks(40)
    done = compact(talk[:-4], budget_tokens=3_000)

    again = compact(talk, budget_tokens=3_000, after=done)

    assert again.inputs == compact(talk, budget_tokens=3_000).inputs
    assert again.plan.before_tokens == done.tokens + sum(
        again.engine.count_tokens(said.message, None) for said in again.inputs[-4:]
    )


@pytest.mark.parametrize(
    ("edit", "model"), [(lambda talk: talk[2:], None), (lambda talk: talk, "gpt-4o")], ids=["edited", "another model"]
)
def test_what_does_not_go_on_with_the_last_result_is_planned_anew(edit: Any, model: str | None) -> None:
    talk = _asked_of_locks(30)
    done = compact(talk, budget_tokens=3_000)

    again = compact(edit(talk), model=model, budget_tokens=3_000, after=done)

    assert again.messages == compact(edit(talk), model=model, budget_tokens=3_000).messages


@pytest.mark.parametrize(
    "shows",
    [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "level", "input": {}}]},
        {"type": "function_call", "call_id": "a", "name": "level", "arguments": "{}"},
        {"role": "model", "parts": [{"functionCall": {"id": "a", "name": "level", "args": {}}}]},
    ],
    ids=["anthropic", "responses", "gemini"],
)
def test_what_was_sent_stays_as_it_was_when_the_first_call_shows_whose_messages_they_are(shows: dict[str, Any]) -> None:
    roles = ("user", "assistant")
    talk: list[dict[str, Any]] = [
        {"role": roles[number % 2], "content": f"Lock {number} holds. " * 20} for number in range(61)
    ]
    done = compact(talk, budget_tokens=3_000)
    assert done.record is not None

    again = compact([*talk, shows], budget_tokens=3_000, after=done)

    assert again.messages[:-1] == done.messages
    assert again.format != done.format
    assert violations(again.request(), again.format) == []


def test_the_last_result_is_not_changed_by_going_on_from_it() -> None:
    talk = _asked_of_locks(30)
    done = compact(talk[:-4], budget_tokens=3_000)
    messages, tokens = done.messages, done.tokens

    first = compact(talk, budget_tokens=3_000, after=done)

    assert (done.messages, done.tokens) == (messages, tokens)
    assert compact(talk, budget_tokens=3_000, after=done).messages == first.messages


def test_names_of_messages_are_whole_text() -> None:
    said = {"role": "user", "content": "How high does the water stand? " * 20}
    done = compact([MessageInput.of(said, id="\ud83d", source="lock \ud83d"), MessageInput.of(said)], budget_tokens=100)

    assert done.inputs[0].id == "\ufffd"
    assert done.inputs[0].source == "lock \ufffd"
    with pytest.raises(Invalid, match=r"messages\[0\]: id must be text, got int"):
        compact([MessageInput.of(said, id=3)])


def test_going_on_from_something_else_is_refused() -> None:
    with pytest.raises(Invalid, match="after must be what an earlier call returned, got list"):
        compact([], after=[])  # type: ignore[arg-type]


def test_what_a_program_writes_is_no_demand_of_the_user_in_a_summary() -> None:
    talk: list[Any] = [{"role": "user", "content": "Count the sheep."}]
    for number in range(30):
        note = {"role": "user", "content": f"Pen {number} is shut. You must not open pen {number}."}
        talk.append(MessageInput.of(note, source="program"))
        talk.append({"role": "assistant", "content": f"Pen {number} holds {number + 3} sheep. " + "They graze. " * 20})
        talk.append({"role": "user", "content": f"And pen {number + 1}?"})

    for policy in ("default", "codex"):
        text = json.dumps(compact(talk, policy, budget_tokens=900).request())
        asked = text.partition("What the user asked for and demands:")[2].partition("What was")[0]
        assert "Context Summary" in text
        assert "must not open" not in asked.partition('"}')[0]


@pytest.mark.parametrize("target", [Format.ANTHROPIC_MESSAGES, Format.GEMINI])
@pytest.mark.parametrize("said", [("system", "Be brief."), ("user", "  ")])
def test_a_request_that_its_provider_would_refuse_is_an_error_that_says_where(
    target: Format, said: tuple[str, str]
) -> None:
    done = compact([{"role": said[0], "content": said[1]}])

    with pytest.raises(
        Unsendable, match=f"^{target} would refuse this request: (messages|contents) must hold at least one"
    ):
        done.request(target)
    assert violations(done.request(target, check=False), target)
    # What a runtime adds to it is part of the request.
    reserved = compact([{"role": said[0], "content": said[1]}], Policy(injection_reserve_tokens=50))
    assert violations(reserved.request(target, inject=[Injection.of_text("date", "Monday")]), target) == []


def test_a_request_that_a_small_budget_has_emptied_says_so() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{bad"}}
    talk: list[dict[str, Any]] = [
        {"role": "system", "content": ""},
        {"role": "assistant", "content": "must", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": ""},
    ]
    with pytest.raises(Unsendable, match=r"The reason is its budget: .* Give it more room"):
        compact(talk, budget_tokens=20).request()


def test_a_context_over_its_limit_is_not_handed_over() -> None:
    done = compact(
        [{"role": "system", "content": "Rule. " * 500}, {"role": "user", "content": "Why?"}], budget_tokens=5
    )

    with pytest.raises(OverBudget, match=f"can't be brought under 5 tokens: {done.tokens} have to stay"):
        done.request()
    assert done.request(check=False)["messages"]


def _call(call_id: str) -> dict[str, Any]:
    function = {"name": "look", "arguments": "{}"}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


_LONG = "\n".join(f"żółw-{number:x} größe {number * 7919}" for number in range(900))


@pytest.mark.parametrize(
    ("messages", "policy"),
    [
        (
            [_call("x"), {"role": "tool", "tool_call_id": "x", "content": _LONG}],
            Policy(tools={"look": ToolRule(tokens_min=100)}),
        ),
        (
            [
                _call("x"),
                {"role": "tool", "tool_call_id": "x", "content": "first"},
                {"role": "assistant", "content": "ok"},
                {"role": "tool", "tool_call_id": "x", "content": _LONG[:3_000]},
            ],
            None,
        ),
    ],
    ids=["distilled", "late"],
)
def test_what_is_made_of_a_message_is_counted_for_its_model_and_stays_as_it_is(
    messages: list[dict[str, Any]], policy: Policy | None
) -> None:
    model = "claude-sonnet-4-5"
    talk = [{"role": "user", "content": "hi"}, *messages, {"role": "user", "content": "go"}]

    done = compact(talk, policy, model=model, budget_tokens=3_000)

    assert done.tokens == sum(done.engine.count_tokens(message, model) for message in done.messages) + 3
    assert compact(done.messages, policy, model=model, budget_tokens=3_000).messages == done.messages


def test_the_system_prompt_stays_whoever_wrote_it() -> None:
    prompt = {"role": "system", "content": "You keep the weir."}
    talk = [{"role": "user" if number % 2 else "assistant", "content": "water " * 80} for number in range(40)]

    done = compact(
        [MessageInput.of(prompt, source="program"), *map(MessageInput.of, talk)], model="gpt-4o", budget_tokens=1_000
    )

    assert done.request()["messages"][0] == prompt


def test_what_a_request_says_for_calls_under_one_id_fits_too() -> None:
    calls = [call for _ in range(10) for call in _call("x")["tool_calls"]]
    talk = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": None, "tool_calls": calls}]

    done = compact(talk, model="gpt-4o", budget_tokens=2_000)
    sent = compact(done.request()["messages"], model="gpt-4o", budget_tokens=2_000)

    assert sent.tokens <= done.tokens


class RuntimesText(str):
    """What LangChain's `message.text` is: a subclass of str."""

    __slots__ = ()


def test_text_of_a_runtimes_own_kind_is_compacted_as_any_text() -> None:
    plain = [{"role": "user", "content": f"Look at gauge {number}. " * 20} for number in range(30)]
    own = [{"role": RuntimesText(one["role"]), "content": RuntimesText(one["content"])} for one in plain]

    done = compact(own, model=RuntimesText("gpt-4o"), budget_tokens=800)

    assert done.request() == compact(plain, model="gpt-4o", budget_tokens=800).request()
    assert msgspec.json.encode(done.request()["messages"])


def test_a_message_that_holds_text_of_a_runtimes_own_kind_is_compacted() -> None:
    message = Message(role="user", parts=(TextPart(content=RuntimesText("Look at gauge 4.")),))

    for given in (message, MessageInput(message, id=RuntimesText("m1"))):
        assert compact([given]).request()["messages"] == [{"role": "user", "content": "Look at gauge 4."}]
