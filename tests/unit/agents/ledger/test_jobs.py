"""What goes on after its call has a result, in the ways of several runtimes, and what says that it has ended."""

import pytest
from support.obligation_thread import answered, called, ledger_of, owed, user

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.jobs import ends_by_word
from tailrace.agents.ledger.obligations import JOBS_MAX
from tailrace.agents.ledger.render import render
from tailrace.schemas.records.ledger import JOB_KINDS, ObligationKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import Json, ToolCallPart

SERVE = {"command": "npm run dev", "run_in_background": True}
IN_BACKGROUND = "Command running in background with ID: bash_1"
SESSION = "Chunk ID: 5f2b1c\nWall time: 10.0 seconds\nProcess running with session ID 48213\nOutput:\nstarting"


def running(*messages: Message) -> list[str]:
    return owed([user("Run it."), *messages], *JOB_KINDS)


def began(tool: str, arguments: Json, result: Json) -> tuple[Message, Message]:
    return called(tool, arguments), answered(result)


@pytest.mark.parametrize(
    ("tool", "arguments", "result", "told"),
    [
        ("Bash", SERVE, IN_BACKGROUND, "Bash npm run dev [bash_1]"),
        ("exec_command", '{"cmd":"make dance"}', SESSION, "exec_command make dance [48213]"),
        (
            "Task",
            {"description": "Audit the gauges", "prompt": "Look.", "run_in_background": True},
            [{"type": "text", "text": "Async agent launched successfully.\nagentId: a1b2c3d\nIt works on by itself."}],
            "Task Audit the gauges [a1b2c3d]",
        ),
        (
            "spawn_agent",
            '{"message":"Compare three carriers"}',
            '{"agent_id":"019a-77b2"}',
            "spawn_agent Compare three carriers [019a-77b2]",
        ),
        ("bash", {"command": "nohup ./serve.sh > log 2>&1 &\necho $!"}, "4711", None),
        ("bash", {"command": "python serve.py --port 80 &"}, "", "bash python serve.py --port 80"),
        (
            "bash",
            {"command": "# the gauges\nnode gauges.js &>/tmp/gauges.log &\nsleep 2; echo started"},
            "started",
            "bash node gauges.js",
        ),
        ("shell", {"command": ["sh", "-c", "docker run -d --name web nginx"]}, "3f2a91cc0d", None),
        ("shell", {"command": "sbatch train.sh"}, "Submitted batch job 4711", "shell sbatch train.sh [4711]"),
        ("start_export", {"table": "gates"}, '{"job_id": "exp-17", "status": "queued"}', "start_export gates [exp-17]"),
        ("trigger_deploy", {"env": "staging"}, {"deployment_id": "d7", "state": "in_progress"}, None),
        ("start_program", {"device": "washer"}, {"state": "running", "program_id": "eco-3"}, None),
        (
            "execute_command",
            {"command": "npm start"},
            "Command is still running in the user's terminal.\nHere's the output so far: listening",
            "execute_command npm start",
        ),
    ],
)
def test_what_goes_on_after_its_result_is_open(tool: str, arguments: Json, result: Json, told: str | None) -> None:
    (text,) = owed([user("Run it."), *began(tool, arguments, result)], ObligationKind.BACKGROUND)

    assert told is None or text == told


@pytest.mark.parametrize(
    ("tool", "arguments", "result", "told"),
    [
        (
            "set_reminder",
            {"text": "Call the mason", "time": "18:00"},
            "Reminder set for 18:00 (id rem_4)",
            "set_reminder Call the mason 18:00 [rem_4]",
        ),
        ("set_reminder", {"text": "Call the mason"}, {"reminder_id": "rem_4"}, "set_reminder Call the mason [rem_4]"),
        ("start_timer", {"minutes": 10}, "Timer started: 10 minutes", "start_timer 10"),
        (
            "create_cron",
            {"cron": "0 3 * * *", "prompt": "Check backups"},
            "Scheduled recurring job c41f (0 3 * * *)",
            "create_cron Check backups 0 3 * * * [c41f]",
        ),
        ("schedule_visit", {"room": 7}, {"status": "scheduled", "at": "2031-05-02T09:00"}, "schedule_visit"),
        ("erinnerung_setzen", {"text": "Müll"}, "Erinnerung gesetzt für 19:30", "erinnerung_setzen Müll"),
    ],
)
def test_what_comes_up_at_its_time_is_open(tool: str, arguments: Json, result: Json, told: str) -> None:
    assert owed([user("Plan it."), *began(tool, arguments, result)], ObligationKind.SCHEDULED) == [told]


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        ("get_order_details", {"order_id": "#W123"}, '{"order_id":"#W123","status":"pending"}'),
        ("modify_pending_order", {"order_id": "#W123"}, '{"order_id":"#W123","status":"pending (modified)"}'),
        ("get_flight_status", {"flight": "KL1"}, '{"flight_id":"KL1","status":"scheduled","departure":"10:30"}'),
        ("book_reservation", {"flight": "KL1"}, '{"reservation_id":"ABC123","status":"confirmed"}'),
        ("send_email", {"to": "mara"}, '{"message_id":"m-1","status":"queued"}'),
        ("create_pull_request", {"title": "Weirs"}, '{"id":77,"state":"open","number":5}'),
        ("read_file", {"path": "jobs.json"}, '{"job_id":"j1","status":"running"}'),
        ("turn_on_light", {"room": "kitchen"}, '{"status":"on","device_id":"l1"}'),
        ("bash", {"command": "pytest"}, "Test run started at 10:00, run id 5\n" + "ok\n" * 300 + "5 passed"),
        ("bash", {"command": "cd x && make 2>&1 | tail; echo 'a & b'"}, "ok"),
        ("bash", {"command": "curl 'http://weirs.example/?a=1&b=2'"}, "ok"),
        ("bash", {"command": "python serve.py & sleep 1; curl localhost; kill %1"}, "ok"),
        ("bash", {"command": "cat > a.go << 'EOF'\nx := &Gate{}\ny = a & b\nEOF"}, ""),
        ("exec_command", '{"cmd":"ls"}', "Chunk ID: 5f2b1c\nProcess exited with code 0\nOutput:\na b"),
        ("set_reminder", {"text": "Call"}, "Error: the time 18:00 is in the past"),
        ("Bash", {"command": "npm test", "run_in_background": False}, "3 passed"),
    ],
)
def test_what_has_ended_or_only_tells_of_others_is_not_open(tool: str, arguments: Json, result: Json) -> None:
    assert running(*began(tool, arguments, result)) == []


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        ("BashOutput", {"bash_id": "bash_1"}, "<status>completed</status>\n<exit_code>0</exit_code>"),
        ("KillShell", {"shell_id": "bash_1"}, "Successfully killed shell: bash_1 (npm run dev)"),
        ("TaskOutput", {"task_id": "bash_1"}, "No task found with ID: bash_1"),
        ("list_jobs", {}, '[{"id":"bash_1","status":"failed"},{"id":"bash_2","status":"running"}]'),
        ("bash", {"command": "pkill -f 'npm run dev'; kill bash_1"}, ""),
    ],
)
def test_it_is_open_until_a_result_says_that_it_has_ended(tool: str, arguments: Json, result: Json) -> None:
    assert running(*began("Bash", SERVE, IN_BACKGROUND), called(tool, arguments, "c2"), answered(result, "c2")) == []


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        ("BashOutput", {"bash_id": "bash_1"}, "<status>running</status>\n<stdout>3 tests completed</stdout>"),
        ("BashOutput", {"bash_id": "bash_12"}, "<status>completed</status>"),
        ("KillShell", {"shell_id": "bash_1"}, "Error: permission denied"),
        ("KillShell", {"shell_id": "bash_2"}, "Successfully killed shell: bash_2"),
        ("list_jobs", {}, '[{"id":"bash_2","status":"completed"},{"id":"bash_1","status":"running"}]'),
        ("read_file", {"path": "a.log"}, "The job was completed."),
        ("bash", {"command": "pkill -f serve.py"}, ""),
    ],
)
def test_it_stays_open_where_nothing_says_that_it_has_ended(tool: str, arguments: Json, result: Json) -> None:
    begun = began("Bash", SERVE, IN_BACKGROUND)

    assert running(*begun, called(tool, arguments, "c2"), answered(result, "c2")) == ["Bash npm run dev [bash_1]"]


def test_sessions_of_a_terminal_end_with_their_process() -> None:
    begun = began("exec_command", '{"cmd":"make dance"}', SESSION)
    poll = called("write_stdin", '{"session_id":48213,"chars":""}', "c2")
    still = "Chunk ID: 99aa\nProcess running with session ID 48213\nOutput:\ncompleted 3 of 9"

    assert running(*begun, poll, answered(still, "c2")) == ["exec_command make dance [48213]"]
    assert running(*begun, poll, answered("Chunk ID: 99aa\nProcess exited with code 0\nOutput:\nok", "c2")) == []


def test_a_notification_ends_what_it_names() -> None:
    book = Book()
    for place, message in enumerate(began("Bash", SERVE, IN_BACKGROUND)):
        book.note(message, event_id=f"m{place}", turn=1, created_at_ms=0)
    book.obligations.notified("<note><task-id>bash_7</task-id>\n<status>completed</status></note>")
    assert [one.key for one in book.obligations] == ["bash_1"]
    book.obligations.notified("<note><task-id>bash_1</task-id>\n<status>completed</status></note>")
    assert [*book.obligations] == []


def test_agents_that_run_at_once_are_told_apart_and_end_one_by_one() -> None:
    names = ("gauges", "pumps", "gates")
    calls = tuple(ToolCallPart(id=one, name="Task", arguments={"description": f"Audit the {one}"}) for one in names)
    talk = [user("Audit all."), Message(role="assistant", parts=calls), answered("fine", "pumps")]
    ledger = ledger_of(talk)

    agents = [one for one in ledger.obligations if one.kind is ObligationKind.SUBAGENT]
    assert [(one.text, one.since_ms) for one in agents] == [
        ("Task Audit the gauges", 1_000),
        ("Task Audit the gates", 1_000),
    ]
    assert owed([*talk, answered("rusty", "gates")], ObligationKind.SUBAGENT) == ["Task Audit the gauges"]


def test_as_many_jobs_as_there_is_room_for_are_remembered_with_their_clock() -> None:
    talk = [user("Export all.")]
    for number in range(JOBS_MAX + 2):
        call_id = f"c{number}"
        talk += [called("start_export", {"table": f"t{number}"}, call_id)]
        talk += [answered({"job_id": f"exp-{number}", "status": "queued"}, call_id)]
    ledger = ledger_of(talk)

    jobs = [one for one in ledger.obligations if one.kind in JOB_KINDS]
    assert [one.key for one in jobs] == [f"exp-{number}" for number in range(2, JOBS_MAX + 2)]
    assert jobs[0].since_ms == 5_000
    assert "- still running: start_export t2 [exp-2] (since 1970-01-01 00:00 UTC)" in render(
        ledger, tokens_max=5_000, count_text=len
    )


def test_the_same_begun_again_is_told_once() -> None:
    serve = {"command": "python serve.py &"}
    talk = [*began("bash", serve, ""), called("bash", serve, "c2"), answered("", "c2")]

    assert running(*talk) == ["bash python serve.py"]


def test_an_id_is_no_part_of_another() -> None:
    assert ends_by_word("exp-1", "job exp-1 finished")
    assert not ends_by_word("exp-1", "job exp-17 finished")
    assert not ends_by_word("", "finished")


@pytest.mark.parametrize(
    "text",
    [
        "Is etl-5 completed?",
        "Has job etl-5 finished yet?",
        "Tell me when etl-5 is done.",
        "Once etl-5 has finished, mail Ingrid.",
        "If etl-5 has failed by noon, start it again.",
        "When etl-5 is finished, archive its log.",
        "After etl-5 has ended, mail Ingrid.",
        "etl-5: not completed, 40%",
        "etl-5 has not finished.",
        "etl-5 isn't done yet.",
        "etl-5 will be stopped at noon.",
        "etl-5 should be done by noon.",
        "Wait until etl-5 is done.",
        "Sag mir, wenn etl-5 beendet ist.",
        "etl-5 ist noch nicht beendet.",
        "Ist etl-5 fertig?",
        "Dès que etl-5 est terminé, préviens Inès.",
        "etl-5 n'est pas terminé.",
        "Cuando etl-5 esté terminado, avisa a Inés.",
        "etl-5 未已完成",
        '{"id":"etl-5","state":"cancelling"}',
    ],
)
def test_a_word_that_asks_waits_or_denies_ends_nothing(text: str) -> None:
    assert not ends_by_word("etl-5", text)


@pytest.mark.parametrize(
    "text",
    [
        "etl-5 is done.",
        "Job etl-5 finished at 12:40, no errors.",
        "Good news: etl-5 has finished. What comes next?",
        "etl-5 failed: disk not mounted",
        "The runner says that etl-5 was cancelled.",
        "etl-5 is not running any more.",
        "etl-5 is no longer running.",
        "Do not wait: etl-5 is done.",
        "etl-5 ist beendet.",
        "etl-5 已完成",
        '{"id":"etl-5","state":"done"}',
        "etl-5 exited with code 0 when the disk was full",
    ],
)
def test_a_word_that_tells_of_an_end_ends_it(text: str) -> None:
    assert ends_by_word("etl-5", text)


@pytest.mark.parametrize("state", ["queued", "pending", "submitted", "accepted"])
def test_what_a_tool_that_starts_something_has_taken_up_is_open(state: str) -> None:
    assert running(*began("start_etl", {"table": "gates"}, f'{{"id":"etl-5","state":"{state}"}}')) == [
        "start_etl gates [etl-5]"
    ]
    assert running(*began("create_order", {"item": "sill"}, f'{{"id":"A-5","state":"{state}"}}')) == []


def test_what_is_only_asked_to_stop_goes_on() -> None:
    begun = began("start_etl", {"table": "gates"}, '{"id":"etl-5","state":"running"}')
    cancel = called("cancel_job", {"id": "etl-5"}, "c2")

    assert running(*begun, cancel, answered('{"id":"etl-5","state":"cancelling"}', "c2")) != []
    assert running(*begun, cancel, answered('{"id":"etl-5","status":"stopping"}', "c2")) != []
    assert running(*begun, cancel, answered('{"id":"etl-5","state":"cancelled"}', "c2")) == []
    assert running(*begun, cancel, answered("ok", "c2")) == []
