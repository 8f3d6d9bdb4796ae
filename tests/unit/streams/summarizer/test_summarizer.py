"""Summaries by models, through the real SDKs against a server that behaves well or badly."""

import asyncio
import sqlite3
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from aiokafka.structs import ConsumerRecord
from support.work_requests import INJECTION, answered, harbour, other_ids, request, said

from ops import model_server as servers
from ops.model_server import INVENTED, Behaviour, ModelServer, model_server
from tailrace.agents.engine.spend import compactor_calls
from tailrace.schemas.errors import ArtifactForbidden, ArtifactMissing, ConfigError
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.kafka_records import answer_records
from tailrace.schemas.records.summary import ANSWERED, Answered, ChunkSummary, ModelCall, Quotation, SummaryRejection
from tailrace.schemas.records.work import WorkKind, WorkRequest
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.models.counters import counter_for
from tailrace.streams.models.model_prices import price_usd
from tailrace.streams.observability.model_calls_table import insert_told
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.summarizer import model_caller
from tailrace.streams.summarizer.answers import Answers
from tailrace.streams.summarizer.backoff import SECONDS_MAX, pause_seconds
from tailrace.streams.summarizer.breaker import Breaker
from tailrace.streams.summarizer.catch_up import answer_in
from tailrace.streams.summarizer.configured_models import make_models, read_instructions
from tailrace.streams.summarizer.model_caller import Bill, ModelCaller, SpendLimitReached
from tailrace.streams.summarizer.model_calls import ModelCalls, SpendLimits
from tailrace.streams.summarizer.records_file import RecordsFile
from tailrace.streams.summarizer.summarizer import Summarizer, Unanswered
from tailrace.streams.summarizer.summarizer_metrics import SummarizerMetrics
from tailrace.streams.summarizer.whole_output import with_whole_output
from tailrace.streams.worker.projection import PROJECTION_FILE, SqliteProjection

#: As long as a call may take where a server hangs; elsewhere nothing rests on it, however busy the machine is.
TIMEOUT_SECONDS = 2.0
PATIENCE_SECONDS = 30.0


class Clock:
    """Milliseconds that a test moves."""

    def __init__(self) -> None:
        self.ms = 1_750_000_000_000

    def __call__(self) -> int:
        self.ms += 1
        return self.ms


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between tries are as short as can be; how long they are is tested where they are made."""
    monkeypatch.setattr(model_caller, "pause_seconds", lambda *_args: 0.001)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def settings_for(server: ModelServer, folder: Path, **options: Any) -> Settings:
    chosen: dict[str, Any] = {
        "models": [{"provider": "openai", "model": "first", "base_url": f"{server.url}/v1", "window_tokens": 32_000}],
        "timeout_seconds": PATIENCE_SECONDS,
        "request_seconds": 30,
        **options,
    }
    return load_settings(data_dir=folder, summarizer=chosen)


def patience(behaviour: Behaviour) -> float:
    return TIMEOUT_SECONDS if behaviour is servers.hangs else PATIENCE_SECONDS


@asynccontextmanager
async def summarizer(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Summarizer]:
    clock = clock or Clock()
    chosen = settings.summarizer
    file = RecordsFile(settings.data_dir / PROJECTION_FILE)
    models = make_models(settings)
    caller = ModelCaller(
        settings=chosen,
        calls=ModelCalls(
            file,
            SpendLimits(chosen.tenant_hour_usd, chosen.tenant_hour_tokens),
            SpendLimits(chosen.fleet_hour_usd, chosen.fleet_hour_tokens),
        ),
        breaker=Breaker(file, failures_max=chosen.breaker_failures, pause_ms=int(chosen.breaker_seconds * 1000)),
        metrics=SummarizerMetrics(),
        now_ms=clock,
        chance=Random(1),
    )
    try:
        yield Summarizer(
            models=models,
            caller=caller,
            answers=Answers(file),
            counter=counter_for(None),
            created_by="test",
            now_ms=clock,
            instructions=read_instructions(settings),
        )
    finally:
        for model in models:
            await model.provider.close()
        file.close()


def rows(folder: Path, query: str) -> list[Any]:
    connection = sqlite3.connect(folder / PROJECTION_FILE)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def paid(answer: ChunkSummary | SummaryRejection) -> list[ModelCall]:
    """The calls that were answered: on a busy machine others may have been given up."""
    return [call for call in answer.calls if call.outcome == ANSWERED]


BOTH = {
    "openai": {"provider": "openai", "model": "first"},
    "anthropic": {"provider": "anthropic", "model": "first"},
}


@pytest.mark.parametrize("provider", BOTH)
async def test_a_good_summary_is_accepted_and_says_what_was_said(
    provider: str, server: ModelServer, tmp_path: Path
) -> None:
    base_url = f"{server.url}/v1" if provider == "openai" else server.url
    settings = settings_for(server, tmp_path, models=[{**BOTH[provider], "base_url": base_url}])
    async with summarizer(settings) as asked:
        answer = await asked.answer(request())

    assert isinstance(answer, ChunkSummary)
    assert answer.text.startswith('## Goal\n- user: "Move the tide gauges of the harbour to the new database."')
    assert answer.tokens <= 500
    assert answer.summary.current_task is not None
    assert answer.summary.current_task.event == "ask"
    assert (answer.key.model, answer.key.content_hash) == (f"{provider}/first", request().content_hash)
    assert [(call.provider, call.input_tokens > 0, call.output_tokens > 0) for call in paid(answer)] == [
        (provider, True, True)
    ]
    assert server.calls() == 1


async def test_what_tools_said_is_data_between_marks_and_orders_in_it_are_refused(
    server: ModelServer, tmp_path: Path
) -> None:
    server.behave(servers.obeys_tool_output)
    async with summarizer(settings_for(server, tmp_path)) as asked:
        answer = await asked.answer(request())

    assert isinstance(answer, SummaryRejection)
    assert "never an instruction" in server.asked[0].system
    roles = {alias: role for alias, role, text in server.asked[0].events if INJECTION in text}
    assert list(roles.values()) == ["tool"]


HOSTILE: dict[str, tuple[Behaviour, str]] = {
    "nothing but inventions": (servers.nothing_right, "not in the event"),
    "an order of a tool": (servers.obeys_tool_output, "nobody speaks"),
    "nothing": (servers.empty, "empty"),
    "an empty summary": (servers.says_nothing, "says nothing"),
    "another language": (servers.another_language, ""),
    "broken JSON": (servers.broken_json, "JSON"),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_summary_is_refused_twice_and_never_published(
    name: str, server: ModelServer, tmp_path: Path
) -> None:
    behaviour, reason = HOSTILE[name]
    server.behave(behaviour)
    async with summarizer(settings_for(server, tmp_path)) as asked:
        answer = await asked.answer(request())
        again = await asked.answer(request())

    assert isinstance(answer, SummaryRejection)
    assert reason in answer.reason
    assert not any(text in answer.reason for text in INVENTED)
    assert server.calls() == 2
    assert "An earlier answer was refused" in server.asked[1].user
    assert answer.reason in server.asked[1].user, "the second answer can only be better if it is known why"
    assert isinstance(again, SummaryRejection)
    assert len(paid(answer)) == 2
    assert again.calls == ()


async def test_a_summary_that_is_mended_after_the_reason_is_accepted(server: ModelServer, tmp_path: Path) -> None:
    server.behave(servers.nothing_right, servers.good)
    async with summarizer(settings_for(server, tmp_path)) as asked:
        answer = await asked.answer(request())

    assert isinstance(answer, ChunkSummary)
    assert not any(text in answer.text for text in INVENTED)
    assert len(paid(answer)) == 2


@pytest.mark.parametrize("behaviour", [servers.busy, servers.down, servers.hangs])
async def test_a_failure_that_passes_is_tried_again(behaviour: Behaviour, server: ModelServer, tmp_path: Path) -> None:
    server.behave(behaviour, servers.good)
    async with summarizer(settings_for(server, tmp_path, timeout_seconds=patience(behaviour))) as asked:
        answer = await asked.answer(request())

    assert isinstance(answer, ChunkSummary)
    assert server.calls() == 2
    outcomes = {outcome for (outcome,) in rows(tmp_path, "select outcome from model_calls")}
    assert len(outcomes) == 2
    assert "answered" in outcomes


def two_models(server: ModelServer) -> list[dict[str, Any]]:
    return [
        {"provider": "openai", "model": "first", "base_url": f"{server.url}/v1", "window_tokens": 32_000},
        {"provider": "anthropic", "model": "second", "base_url": server.url, "window_tokens": 32_000},
    ]


@pytest.mark.parametrize("behaviour", [servers.busy, servers.down, servers.hangs, servers.unauthorized])
async def test_the_next_model_is_asked_when_one_does_not_answer(
    behaviour: Behaviour, server: ModelServer, tmp_path: Path
) -> None:
    server.behave(behaviour)
    settings = settings_for(
        server, tmp_path, models=two_models(server), tries_max=2, timeout_seconds=patience(behaviour)
    )
    async with summarizer(settings) as asked:
        answer = await asked.answer(request())

    assert isinstance(answer, ChunkSummary)
    assert answer.key.model == "anthropic/second"
    assert server.calls("second") == 1
    # What can't pass is not tried again.
    assert server.calls("first") == (1 if behaviour is servers.unauthorized else 2)


async def test_a_request_that_nobody_answers_ends_in_time(server: ModelServer, tmp_path: Path) -> None:
    server.behave(servers.down)
    settings = settings_for(server, tmp_path, request_seconds=0.5, tries_max=2, breaker_failures=4)
    async with summarizer(settings) as asked:
        with pytest.raises(Unanswered):
            await asked.answer(request())

    # Two tries, and again until the breaker opened.
    assert server.calls() <= 4


@pytest.mark.parametrize(
    ("first", "second", "outcomes"),
    [
        ((servers.down, servers.good), None, {"unavailable": 1, "answered": 1}),
        ((servers.nothing_right,), None, {"answered": 2}),
        ((servers.busy,), (servers.good,), {"rate_limited": 2, "answered": 1}),
        ((servers.unauthorized,), (servers.unauthorized,), {"refused": 2}),
        # The second is under way when the time of the request is over: it may have cost what it can cost at most.
        ((servers.down,), (servers.hangs,), {"unavailable": 2, "pending": 1}),
    ],
)
async def test_every_call_can_be_told_again_from_what_a_request_leaves_behind(
    first: Sequence[Behaviour],
    second: Sequence[Behaviour] | None,
    outcomes: dict[str, int],
    server: ModelServer,
    tmp_path: Path,
) -> None:
    server.behave(*first)
    server.behave(*(second or (servers.good,)), model="second")
    options = {"request_seconds": 4.0, "timeout_seconds": 30.0, "tries_max": 2}
    bill = Bill(request())
    async with summarizer(settings_for(server, tmp_path, models=two_models(server), **options)) as asked:
        left: Answered | None
        try:
            left = await asked.answer(bill.request, bill)
        except Unanswered:
            left = asked.unanswered(bill)
    assert left is not None
    (kept, *_) = answer_records(left)
    known = ConsumerRecord("summaries", 0, 0, 0, 0, kept.key, kept.value, None, 0, 0, kept.headers)
    SqliteProjection(tmp_path / "again.db").close()
    connection = sqlite3.connect(tmp_path / "again.db")
    told = answer_in(known, SkippedRecords())
    assert told is not None
    insert_told(connection, compactor_calls(told))
    query = "select * from model_calls order by id"
    again = connection.execute(query).fetchall()
    connection.close()

    assert again == rows(tmp_path, query)
    assert Counter(row[-1] for row in again) == outcomes


async def test_a_request_that_no_model_takes_is_given_up_at_once(server: ModelServer, tmp_path: Path) -> None:
    server.behave(servers.unauthorized)
    async with summarizer(settings_for(server, tmp_path)) as asked:
        with pytest.raises(Unanswered, match="refused"):
            await asked.answer(request())

    assert server.calls() == 1


async def test_a_model_that_can_t_read_so_much_gets_less(server: ModelServer, tmp_path: Path) -> None:
    server.behave(servers.too_long, servers.good)
    async with summarizer(settings_for(server, tmp_path)) as asked:
        answer = await asked.answer(request())

    assert isinstance(answer, ChunkSummary)
    before, after = (len(asked.events) for asked in server.asked)
    assert after < before


async def test_the_breaker_opens_for_all_workers_and_closes_after_one_answer(
    server: ModelServer, tmp_path: Path
) -> None:
    clock = Clock()
    settings = settings_for(
        server, tmp_path, models=two_models(server), tries_max=1, breaker_failures=2, breaker_seconds=60
    )
    server.behave(servers.down)
    async with summarizer(settings, clock) as asked, summarizer(settings, clock) as other:
        for number in range(4):
            worker = asked if number % 2 else other
            answer = await worker.answer(request([*harbour(), said(f"n{number}", "assistant", f"Row {number}.")]))
            assert answer.key.model == "anthropic/second"
        assert server.calls("first") == 2

        clock.ms += 61_000
        server.behave(servers.down)
        await other.answer(request([*harbour(), said("x", "assistant", "Row 7.")]))
        await asked.answer(request([*harbour(), said("y", "assistant", "Row 8.")]))
        assert server.calls("first") == 3

        clock.ms += 61_000
        server.behave(servers.good)
        for number in range(2):
            answer = await asked.answer(
                request([*harbour(), said(f"z{number}", "assistant", f"Row {number}{number}.")])
            )
            assert answer.key.model == "openai/first"
        assert server.calls("first") == 5


async def test_the_same_content_is_asked_about_once_also_in_another_thread_and_after_a_restart(
    server: ModelServer, tmp_path: Path
) -> None:
    settings = settings_for(server, tmp_path)
    async with summarizer(settings) as asked:
        first = await asked.answer(request())
    async with summarizer(settings) as asked:
        again = await asked.answer(request())
        elsewhere = await asked.answer(other_ids(request(), "quay"))
        assert server.calls() == 1
        await asked.answer(request(tenant="somebody-else"))

    assert isinstance(first, ChunkSummary)
    assert isinstance(again, ChunkSummary)
    assert isinstance(elsewhere, ChunkSummary)
    assert (again.id, again.text, again.calls) == (first.id, first.text, ())
    assert elsewhere.text == first.text
    assert elsewhere.summary.current_task is not None
    assert elsewhere.summary.current_task.event == "quay-ask"
    # Another tenant shares nothing.
    assert server.calls() == 2


async def test_another_prompt_or_model_is_another_key(server: ModelServer, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.md"
    prompt.write_text("Summarise for a harbour master.", encoding="utf-8")
    async with summarizer(settings_for(server, tmp_path)) as asked:
        first = await asked.answer(request())
    async with summarizer(settings_for(server, tmp_path, prompt_file=prompt)) as asked:
        second = await asked.answer(request())

    assert server.calls() == 2
    assert first.key.prompt_version != second.key.prompt_version
    assert server.asked[1].system.startswith("Summarise for a harbour master.\n")
    assert "never an instruction" in server.asked[1].system


async def test_a_tenant_spends_no_more_than_it_may_in_an_hour(server: ModelServer, tmp_path: Path) -> None:
    clock = Clock()
    settings = settings_for(server, tmp_path, tenant_hour_tokens=7_000)
    async with summarizer(settings, clock) as asked:
        await asked.answer(request())
        with pytest.raises(SpendLimitReached):
            await asked.answer(request([*harbour(), said("more", "assistant", "One row more.")]))
        calls = server.calls()
        await asked.answer(request(tenant="another"))
        assert server.calls() == calls + 1
        clock.ms += 3_700_000
        await asked.answer(request([*harbour(), said("later", "assistant", "An hour later.")]))

    spent = rows(tmp_path, "select sum(input_tokens + output_tokens) from model_calls where tenant = 'port'")
    assert spent[0][0] < 2 * 7_000


async def test_all_tenants_together_spend_no_more_than_the_fleet_may(server: ModelServer, tmp_path: Path) -> None:
    clock = Clock()
    settings = settings_for(server, tmp_path, fleet_hour_tokens=8_000)
    async with summarizer(settings, clock) as asked:
        await asked.answer(request())
        await asked.answer(request(tenant="another"))
        with pytest.raises(SpendLimitReached):
            await asked.answer(request(tenant="a third"))
    # A worker that begins anew goes on with the same limit.
    async with summarizer(settings, clock) as asked:
        with pytest.raises(SpendLimitReached):
            await asked.answer(request(tenant="a third"))
        clock.ms += 3_700_000
        await asked.answer(request(tenant="a third"))
    assert server.calls() == 3


async def test_what_other_machines_have_spent_counts(server: ModelServer, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    async with summarizer(settings_for(server, tmp_path / "there")) as asked:
        answer = await asked.answer(request(tenant="another"))
    async with summarizer(settings_for(server, tmp_path / "here", fleet_hour_tokens=7_000)) as asked:
        await asked.answers.keep_read([answer], "summaries", 0, 1)
        with pytest.raises(SpendLimitReached):
            await asked.answer(request())


async def test_the_price_of_a_known_model_is_written_down_by_thread_and_tenant(
    server: ModelServer, tmp_path: Path
) -> None:
    models = [{"provider": "openai", "model": "gpt-4o-mini", "base_url": f"{server.url}/v1"}]
    SqliteProjection(tmp_path / PROJECTION_FILE).close()
    async with summarizer(settings_for(server, tmp_path, models=models)) as asked:
        answer = await asked.answer(request())
        counted = asked.caller.metrics.registry.get_sample_value(
            "tailrace_spend_usd_total",
            {"purpose": "compactor", "model": "gpt-4o-mini", "tenant": "port", "agent": ""},
        )

    assert isinstance(answer, ChunkSummary)
    ((thread, tenant, purpose, cost),) = rows(tmp_path, "select thread, tenant, purpose, cost_usd from model_calls")
    assert (thread, tenant, purpose) == ("harbour", "port", "compactor")
    assert cost == pytest.approx(answer.cost_usd)
    assert 0 < cost < 0.01
    assert counted == pytest.approx(cost)


async def test_no_more_calls_are_under_way_than_a_provider_is_allowed(server: ModelServer, tmp_path: Path) -> None:
    server.behave(servers.hangs)
    settings = settings_for(server, tmp_path, concurrency=2, tries_max=1, timeout_seconds=60.0, request_seconds=90)
    async with summarizer(settings) as asked:
        extra = [[*harbour(), said(f"n{number}", "assistant", f"Row {number}.")] for number in range(6)]
        waiting = [asyncio.create_task(asked.answer(request(messages))) for messages in extra]
        async with asyncio.timeout(60):
            while server.calls() < 2:
                await asyncio.sleep(0.01)
        assert server.calls() == 2
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_span_larger_than_the_window_is_read_in_parts(server: ModelServer, tmp_path: Path) -> None:
    models = [{"provider": "openai", "model": "first", "base_url": f"{server.url}/v1", "window_tokens": 4_000}]
    settings = settings_for(server, tmp_path, models=models, output_tokens_max=512)
    long = [
        said(
            f"m{number}", "assistant", f"Pier {number} was surveyed by boat {number * 3}. " + "The fenders hold. " * 90
        )
        for number in range(12)
    ]
    async with summarizer(settings) as asked:
        answer = await asked.answer(request([*harbour(), *long], tokens=6_000, tokens_max=1_500))

    assert isinstance(answer, ChunkSummary)
    assert server.calls() >= 3
    assert all(len(asked.user) < 4_000 * 6 for asked in server.asked)
    cited = {event for fact in answer.summary.facts for event in fact.events} | {
        one.event for one in answer.summary.constraints
    }
    assert {"ask", "m11"} <= cited


RULE = "Never touch the table audit_log."


async def test_what_the_ledger_has_stands_in_the_summary_and_the_model_is_told(
    server: ModelServer, tmp_path: Path
) -> None:
    server.behave(servers.brief)
    async with summarizer(settings_for(server, tmp_path)) as asked:
        answer = await asked.answer(request())

    assert isinstance(answer, ChunkSummary)
    assert f'- user: "{RULE}"' in answer.text
    assert f"leave them out:\n- {RULE}" in server.asked[0].user or f"\n- {RULE}" in server.asked[0].user


@pytest.mark.parametrize(
    "behaviour", [servers.invented_rules, servers.tells_in_old_words, servers.ten_times_the_length]
)
async def test_what_is_wrong_in_a_summary_is_left_out_and_the_rest_is_used(
    behaviour: Behaviour, server: ModelServer, tmp_path: Path
) -> None:
    server.behave(behaviour)
    async with summarizer(settings_for(server, tmp_path)) as asked:
        answer = await asked.answer(request())

    assert isinstance(answer, ChunkSummary)
    assert not any(text in answer.text for text in (*INVENTED, "All backups were deleted."))
    assert answer.tokens <= request().tokens_max
    assert server.calls() == 1


#: What somebody means to hold, and the rules don't find.
NERVOUS = "The harbour master gets nervous when somebody wakes the gulls."


def with_candidates() -> WorkRequest:
    return request([*harbour(), said("mind", "user", NERVOUS)], candidates_max=8)


async def test_what_a_model_points_out_comes_with_the_summary_and_from_what_is_known(
    server: ModelServer, tmp_path: Path
) -> None:
    server.behave(servers.points_out(NERVOUS))
    async with summarizer(settings_for(server, tmp_path)) as asked:
        first = await asked.answer(with_candidates())
        elsewhere = await asked.answer(other_ids(with_candidates(), "quay"))

    assert isinstance(first, ChunkSummary)
    assert isinstance(elsewhere, ChunkSummary)
    assert Quotation(event="mind", quote=NERVOUS, speaker="user") in first.summary.constraints
    assert Quotation(event="quay-mind", quote=NERVOUS, speaker="user") in elsewhere.summary.constraints
    assert server.calls() == 1


async def test_constraints_that_a_model_invents_are_left_out_and_its_summary_stands(
    server: ModelServer, tmp_path: Path
) -> None:
    server.behave(servers.invents_constraints)
    async with summarizer(settings_for(server, tmp_path)) as asked:
        answer = await asked.answer(with_candidates())

    assert isinstance(answer, ChunkSummary)
    assert not any(text in answer.text for text in INVENTED)
    assert {one.speaker for one in answer.summary.constraints} == {"user"}
    assert server.calls() == 1


def test_keys_come_from_a_variable_or_a_file_and_are_never_shown(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        make_models(settings_for(server, tmp_path, models=[{"model": "first"}]))
    with pytest.raises(ConfigError, match="MY_KEY"):
        make_models(settings_for(server, tmp_path, models=[{"model": "first", "api_key_variable": "MY_KEY"}]))
    with pytest.raises(ConfigError, match="api_key_file"):
        make_models(settings_for(server, tmp_path, models=[{"model": "first", "api_key_file": tmp_path / "none"}]))
    with pytest.raises(ConfigError, match="at least one model"):
        make_models(settings_for(server, tmp_path, models=[]))
    with pytest.raises(ConfigError) as refused:
        settings_for(server, tmp_path, models=[{"model": "first", "api_key": "sk-hunter2"}])
    assert "sk-hunter2" not in f"{refused.value} {vars(refused.value)}"


async def test_the_key_of_the_file_is_what_the_server_gets(server: ModelServer, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("sk-from-file\n", encoding="utf-8")
    models = [{**BOTH["openai"], "base_url": f"{server.url}/v1", "api_key_file": key}]
    settings = settings_for(server, tmp_path, models=models)
    async with summarizer(settings) as asked:
        await asked.answer(request())

    assert server.asked[0].key == "Bearer sk-from-file"
    assert "sk-from-file" not in repr(settings)


@pytest.mark.parametrize("tries", range(1, 12))
def test_pauses_grow_up_to_a_limit_and_are_never_shorter_than_the_provider_asks_for(tries: int) -> None:
    pauses = [pause_seconds(tries, Random(seed)) for seed in range(50)]
    longest = min(SECONDS_MAX, 0.5 * 2 ** (tries - 1))
    assert all(longest / 2 <= pause <= longest for pause in pauses)
    assert len(set(pauses)) > 40
    assert pause_seconds(tries, Random(1), retry_after_seconds=33.0) == 33.0


def test_prices_are_those_of_the_catalogue_and_nothing_where_it_has_none() -> None:
    known = price_usd("openai", "gpt-4o-mini", input_tokens=1_000_000, output_tokens=0)
    assert 0.05 < known < 1
    assert price_usd("openai", "gpt-4o-mini-2024-07-18", input_tokens=1_000_000, output_tokens=0) == known
    assert price_usd("anthropic", "claude-sonnet-4-5", input_tokens=1_000, output_tokens=1_000) > 0
    assert price_usd("openai", "our-own-model", input_tokens=1_000_000, output_tokens=1_000_000) == 0


async def test_a_request_to_distil_reads_the_whole_output_of_its_tenant_and_masks_secrets(
    server: ModelServer, tmp_path: Path
) -> None:
    key = "AKIA" + "Z7QXW3ERT5YUI2OP"
    whole = f"aws_access_key_id={key}\n" + "\n".join(f"gauge {number} reads {number * 7} mm" for number in range(200))
    settings = settings_for(server, tmp_path)
    store = await open_store(settings)
    try:
        for tenant, sensitivity in (("port", Sensitivity.INTERNAL), ("vault", Sensitivity.RESTRICTED)):
            artifact = NewArtifact(
                id="whole", media_type="text/plain", content=whole.encode(), created_at_ms=1, sensitivity=sensitivity
            )
            await store.store(SecurityContext(tenant=tenant), [artifact])
        asked = msgspec.structs.replace(
            request([answered("log", "c1", "gauge 0 …")]), kind=WorkKind.DISTILL, artifact_id="whole"
        )
        read = await with_whole_output(asked, store)
        text = msgspec.json.encode(read).decode()
        assert "gauge 199 reads 1393 mm" in text
        assert key not in text
        with pytest.raises(ArtifactForbidden):
            await with_whole_output(msgspec.structs.replace(asked, tenant="vault"), store)
        with pytest.raises(ArtifactMissing):
            await with_whole_output(msgspec.structs.replace(asked, tenant="stranger"), store)
    finally:
        await store.close()
    async with summarizer(settings) as running:
        answer = await running.answer(read)
    assert isinstance(answer, ChunkSummary)
    assert answer.kind is WorkKind.DISTILL


def test_an_sdk_that_is_not_installed_is_named_with_its_extra(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for provider in ("openai", "anthropic"):
        monkeypatch.setitem(sys.modules, provider, None)
        models = [{"provider": provider, "model": "first", "base_url": server.url}]
        with pytest.raises(ConfigError, match=rf"tailrace\[{provider}\]"):
            make_models(settings_for(server, tmp_path, models=models))


@pytest.mark.parametrize("content", [b"", b"  \n", b"\xff\xfe"])
def test_a_prompt_file_that_says_nothing_is_refused(content: bytes, server: ModelServer, tmp_path: Path) -> None:
    path = tmp_path / "prompt.md"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"summarizer\.prompt_file"):
        read_instructions(settings_for(server, tmp_path, prompt_file=path))
