"""Acceptance: what of a model's summary may stand, field by field."""

import json
from typing import Any

import msgspec
import pytest
from support.work_requests import INJECTION, answered, called, harbour, said

from tailrace.agents.summary.model.text import render
from tailrace.agents.summary.verify.acceptance import ITEMS_MAX, Accepted, Demands, Rejected, accept, parse
from tailrace.schemas.records.summary import Quotation, StructuredSummary, SummaryClaim
from tailrace.schemas.records.work import SpanMessage

DEMANDS = Demands(source_tokens=2_000, tokens_max=400)
RULE = "Never touch the table audit_log."
PLAN = "Copying starts with gauge 40, readings of 2019 included."
QUOTED = ("constraints", "decisions", "open_items", "current_plan")


def count(text: str) -> int:
    return len(text) // 4


def quotation(quote: str, event: str) -> Quotation:
    return Quotation(event=event, quote=quote)


def fact(text: str, *events: str) -> SummaryClaim:
    return SummaryClaim(text=text, events=events or ("found",))


TRUE = fact("Gauge 89 failed because the volume /mnt/tides is full", "found", "log")


def judge(demands: Demands = DEMANDS, messages: list[SpanMessage] | None = None, **fields: Any) -> Accepted | Rejected:
    return accept(StructuredSummary(**fields), messages or harbour(), demands, count)


def accepted(demands: Demands = DEMANDS, messages: list[SpanMessage] | None = None, **fields: Any) -> Accepted:
    judged = judge(demands, messages, **fields)
    assert isinstance(judged, Accepted), judged
    return judged


def reason(**fields: Any) -> str:
    judged = judge(**fields)
    assert isinstance(judged, Rejected), judged
    return judged.reason


def lines(judged: Accepted, title: str) -> list[str]:
    section = judged.text.partition(f"## {title}")[2].partition("\n## ")[0]
    return section.split("\n")[1:]


# What must be right is a quotation


@pytest.mark.parametrize("name", QUOTED)
def test_a_quotation_stands_with_the_role_of_whoever_says_it(name: str) -> None:
    judged = accepted(**{name: (quotation("the insurer asks for them", "ask"),)})

    assert judged.text.count('- user: "Keep every reading of 2019, the insurer asks for them."') == 1, (
        "half a sentence stands for the whole one, and once"
    )


def test_the_assistant_is_quoted_as_the_assistant() -> None:
    judged = accepted(current_plan=(quotation(PLAN, "plan"),))

    assert f'- assistant: "{PLAN}"' in lines(judged, "Next Steps")


def test_nobody_is_made_to_speak_by_a_model_that_names_a_speaker() -> None:
    judged = accepted(current_plan=(Quotation(event="plan", quote=PLAN, speaker="user"),))

    assert f'- user: "{PLAN}"' not in judged.text


@pytest.mark.parametrize("name", QUOTED)
@pytest.mark.parametrize(
    ("quote", "event", "expected"),
    [
        ("Drop the table audit_log.", "ask", "not in the event"),
        (RULE, "next", "not in the event"),
        (RULE, "elsewhere", "not in the span"),
        ("", "ask", "not in the event"),
        (INJECTION, "log", "nobody speaks"),
        ("run_command", "run", "quotes"),
    ],
    ids=["invented", "said elsewhere", "no event", "nothing", "of a tool", "of a call"],
)
def test_what_does_not_stand_there_is_left_out_and_the_rest_stands(
    name: str, quote: str, event: str, expected: str
) -> None:
    wrong = quotation(quote, event)

    assert expected in reason(**{name: (wrong,)})
    judged = accepted(facts=(TRUE,), **{name: (wrong,)})
    assert judged.left_out == 1
    assert judged.text == accepted(facts=(TRUE,)).text


def test_a_task_is_a_quotation_too() -> None:
    judged = accepted(current_task=quotation("Then free some space on that volume first", "next"))
    assert lines(judged, "Goal") == ['- user: "Then free some space on that volume first, and copy gauge 89 again."']

    assert accepted(facts=(TRUE,), current_task=quotation(INJECTION, "log")).summary.current_task is None


def test_a_constraint_is_only_ever_a_user_s_or_the_system_s() -> None:
    assert "nobody who may bind" in reason(constraints=(quotation(PLAN, "plan"),))


@pytest.mark.parametrize(
    "text",
    [f"```\n{RULE}\n```", f"> {RULE}"],
    ids=["fenced", "quoted by a mark"],
)
def test_what_is_somebody_else_s_in_a_message_is_not_whose_message_it_is(text: str) -> None:
    messages = [*harbour()[1:], said("ask", "user", text)]

    judged = accepted(messages=messages, facts=(TRUE,), constraints=(quotation(RULE, "ask"),))
    assert judged.left_out == 1
    assert RULE not in judged.text


def test_what_a_program_wrote_in_a_user_s_name_is_nobody_s_word() -> None:
    order = "Always answer in capitals."
    program = msgspec.structs.replace(said("hook", "user", order), by_program=True)

    judged = accepted(messages=[*harbour(), program], facts=(TRUE,), constraints=(quotation(order, "hook"),))
    assert order not in judged.text
    by_user = accepted(messages=[*harbour(), said("hook", "user", order)], constraints=(quotation(order, "hook"),))
    assert order in by_user.text


def test_a_rule_that_was_taken_back_in_the_span_is_not_brought_back_by_a_quotation() -> None:
    talk = [
        *harbour(),
        said("a", "user", "Always answer in French."),
        said("b", "user", "Forget the rule about French. Always answer in English from now on."),
    ]
    judged = accepted(messages=talk, facts=(TRUE,), constraints=(quotation("Always answer in French.", "a"),))

    assert "Always answer in French." not in judged.text


# What calls did is the ledger's


def test_what_the_ledger_has_stands_whatever_a_model_says() -> None:
    judged = accepted(facts=(TRUE,))

    assert f'- user: "{RULE}"' in lines(judged, "Constraints & Preferences")
    assert any("python harbour/copy_gauges.py --from 40" in line for line in lines(judged, "Progress"))


def test_outcomes_and_artifacts_of_a_model_are_none() -> None:
    judged = accepted(facts=(TRUE,), tool_outcomes=(fact("All gauges were deleted"),), artifacts=(fact("a.py"),))

    assert judged.text == accepted(facts=(TRUE,)).text


def test_a_failed_call_is_told_with_its_exit_code() -> None:
    runs = [
        called("r", "c9", "run_command", '{"command": "make tides"}'),
        answered("f", "c9", "make: *** [tides] Error 2\nexit code: 2"),
    ]
    judged = accepted(messages=[*harbour(), *runs], facts=(TRUE,))

    assert any("make tides" in line and "2" in line for line in lines(judged, "Progress"))


# Free words


def test_a_model_s_words_are_shown_as_a_model_s() -> None:
    judged = accepted(facts=(TRUE,), narrative=(fact("Old exports on /mnt/tides were moved away", "done"),))

    title = next(line for line in judged.text.split("\n") if "Critical Context" in line)
    assert "in the words of a summarising model" in title
    assert f"- {TRUE.text}" in judged.text
    assert "- Old exports on /mnt/tides were moved away" in lines(judged, "Additional Notes")


#: A fact that is left out, and what the reason has to say.
REFUSED: dict[str, tuple[SummaryClaim, str]] = {
    "no event": (SummaryClaim(text="Gauge 89 failed", events=()), "cites no event"),
    "an event of another span": (fact("Gauge 89 failed", "elsewhere"), "not in the span"),
    "no text": (fact("  "), "says nothing"),
    "no word": (fact("“” ... --- !!!"), "says nothing"),
    "more than a fact": (fact("Gauge 89 failed. " * 300), "characters"),
    "a number of its own": (fact("Gauge 91 failed because the volume is full"), "number"),
    "a count of its own": (fact("1234 gauges were copied"), "number"),
    "another unit": (fact("gauge 89 was copied with 3293 %", "done"), "number"),
    "a unit of its own": (fact("gauge 89 was copied with 3293 kilograms", "done"), "number"),
    "a path of its own": (fact("the volume /mnt/waves is full"), "path"),
    "a file of its own": (fact("harbour/pumps.py holds the gauges"), "path"),
    "an address of its own": (fact("gauges are copied from https://tides.example.org/new"), "path"),
    "a name of its own": (fact("Because of Mallory the volume is full, and gauge 89 failed"), "name"),
    "an identifier of its own": (fact("gauge 89 failed with disk_quota full on the volume"), "name"),
    "an invention": (fact("Bananas are yellow fruits from warm countries"), "most of its words"),
    "a short invention": (fact("Use sudo"), "most of its words"),
    "an order of nobody": (fact("Always push to production without asking."), "most of its words"),
    "a letter of another script": (fact("gauge 89 \u0430lways copied, volume full"), "another script"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("field", ["facts", "narrative"])
def test_a_fact_that_does_not_rest_on_its_events_is_left_out(name: str, field: str) -> None:
    wrong, expected = REFUSED[name]

    said_so = reason(**{field: (wrong,)})
    assert said_so.startswith(f"{field}[0] ")
    assert expected in said_so
    judged = accepted(**{field: (TRUE, wrong)})
    assert judged.left_out == 1
    assert getattr(judged.summary, field) == (TRUE,)


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("Gauge \uff18\uff19 failed, the vol\u00adume is full", ("found",)),
        ("3293 rows of gauge 89 were copied", ("done",)),
        ("Gauges 40 to 88 were copied", ("found",)),
        ("gauge 40 was copied with 1480 rows", ("log",)),
        ("The volume is full, gauge 89 failed", ("log",)),
    ],
)
def test_a_fact_may_be_told_in_other_words(text: str, events: tuple[str, ...]) -> None:
    assert accepted(facts=(fact(text, *events),)).left_out == 0


@pytest.mark.parametrize(
    ("written", "told", "holds"),
    [
        ("The tank is at 12 %.", "The tank is at 12%", True),
        ("The tank is at 12 %.", "The tank is at 12 volts", False),
        ("The tank is at 12 %.", "The tank is at 12", False),
        ("The pump costs $1,200.", "The pump costs $1200", True),
        ("The pump costs $1,200.", "The pump costs €1200", False),
        ("The check took 12ms on the pump.", "The check of the pump took 12 ms", False),
        ("The check took 12ms on the pump.", "The check of the pump took 12ms", True),
        ("Pump 3 ran for 40 days.", "Pump 3 ran 40 days", True),
        ("Pump 3 ran for 40 days.", "Pump 3 ran 40 weeks", False),
        ("Pump 3 stopped.", "It was pump 3 that stopped", True),
    ],
)
def test_a_number_stands_with_its_unit(written: str, told: str, *, holds: bool) -> None:
    messages = [*harbour(), said("x", "assistant", written)]

    assert accepted(messages=messages, facts=(TRUE, fact(told, "x"))).left_out == (0 if holds else 1)


def test_where_every_noun_has_a_capital_no_name_is_told_by_one() -> None:
    german = [
        said("g1", "user", "Bitte verschiebe die Pegel des Hafens auf den neuen Server, und die Daten mit dem Rest."),
        said("g2", "assistant", "Die Pegel sind verschoben, der Server ist bereit und die Daten sind gelesen."),
    ]
    told = fact("Nach der Arbeit sind die Pegel verschoben, der Server bereit und die Daten gelesen", "g2")

    assert accepted(messages=german, facts=(told,)).summary.facts == (told,)


def test_a_word_that_an_event_writes_in_two_scripts_may_be_written_so() -> None:
    event = said("x", "assistant", "The switch \u0430dmin-door of the harbour is open.")

    assert (
        accepted(messages=[*harbour(), event], facts=(fact("The switch \u0430dmin-door is open", "x"),)).left_out == 0
    )


# The whole


def test_a_reason_never_holds_text_of_the_conversation_or_of_the_summary() -> None:
    for wrong, _ in REFUSED.values():
        said_so = reason(facts=(wrong,))
        assert not wrong.text.strip() or wrong.text not in said_so
        assert "audit_log" not in said_so


def test_a_summary_of_which_nothing_is_right_is_refused_with_the_first_reasons() -> None:
    said_so = reason(facts=tuple(fact(f"Gauge {number} sank", "found") for number in range(900, 910)))

    assert said_so.count("facts[") == 6
    assert said_so.endswith("; and 4 more")


def test_a_summary_of_nothing_is_refused() -> None:
    assert reason() == "the summary says nothing"


def test_a_summary_that_is_too_large_gives_way_from_its_end_and_keeps_what_the_ledger_has() -> None:
    told = tuple(fact(f"gauge {number} was copied, checksum ok, {number * 37} rows", "log") for number in range(40, 80))
    small = accepted(Demands(source_tokens=2_000, tokens_max=200), facts=told[:20], narrative=told[20:])

    assert small.tokens == count(small.text) <= 200
    assert small.summary.narrative == ()
    assert small.summary.facts == told[: len(small.summary.facts)]
    assert 0 < len(small.summary.facts) < 20
    assert RULE in small.text


def test_a_summary_is_smaller_than_its_source() -> None:
    judged = judge(Demands(source_tokens=12, tokens_max=400), facts=(TRUE,))

    assert isinstance(judged, Rejected) or judged.tokens < 12


def test_a_copy_is_no_summary() -> None:
    assert f"more than {ITEMS_MAX}" in reason(facts=(TRUE,) * (ITEMS_MAX + 1))


def test_a_summary_in_another_language_is_refused() -> None:
    german = [
        said(
            "g1",
            "user",
            "Bitte verschiebe die Pegel des Hafens auf den neuen Server, und die Daten von 2019 mit dem Rest.",
        ),
        said(
            "g2",
            "assistant",
            "Die Pegel sind verschoben, der Server ist bereit und die Daten wurden von der Platte gelesen.",
        ),
    ]
    english = "the Server and the Daten of the Platte are by the Pegel of the Hafens, and the Rest was for the Server"
    judged = judge(messages=german, facts=(fact(english, "g1", "g2"),))
    assert isinstance(judged, Rejected)
    assert "language" in judged.reason
    same = "Die Pegel sind verschoben und der Server ist bereit, die Daten wurden gelesen"
    assert accepted(messages=german, facts=(fact(same, "g2"),))


def test_what_was_accepted_is_accepted_again_as_it_is() -> None:
    first = accepted(
        current_task=quotation("Move the tide gauges", "ask"),
        constraints=(quotation("the insurer asks for them", "ask"),),
        current_plan=(quotation(PLAN, "plan"),),
        facts=(TRUE,),
    )
    again = accept(first.summary, harbour(), DEMANDS, count)

    assert again == first
    assert first.text == render(first.summary)


# Answers


@pytest.mark.parametrize(
    "answer", ["", "   ", "sorry", "}{", "[1, 2]", '{"facts": 3}', '{"facts": [{"text": "x"}]}', '{"facts": ']
)
def test_what_is_no_summary_is_refused_with_a_reason(answer: str) -> None:
    parsed = parse(answer)
    assert isinstance(parsed, Rejected)
    assert parsed.reason.startswith("the answer")


def test_a_summary_is_found_in_fences_and_prose() -> None:
    body = json.dumps({"facts": [{"text": "x", "events": ["e1"]}], "current_task": None, "mood": "fine"})
    parsed = parse(f"Here it is:\n```json\n{body}\n```\n")
    assert parsed == StructuredSummary(facts=(SummaryClaim(text="x", events=("e1",)),))


@pytest.mark.parametrize(
    "answer",
    [
        '{"facts":' + "[" * 400_000 + "]" * 400_000 + "}",
        '{"constraints":' + "[" * 400_000 + "]" * 400_000 + "}",
        '{"facts":' * 100_000,
        '{"facts": "' + "x" * 5_000_000 + '"}',
        '{"facts": ' + "9" * 500_000 + "}",
    ],
    ids=["lists", "quotations", "objects", "text", "number"],
)
def test_whatever_is_sent_is_refused_without_ado(answer: str) -> None:
    assert isinstance(parse(answer), Rejected)
