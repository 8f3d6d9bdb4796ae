"""How a tool's work ended, told from what it printed."""

import json

import pytest

from tailrace.agents.messages.exit_codes import exit_code
from tailrace.agents.messages.outcome import COMPLAINT_CHARS_MAX, failed


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("2 problems\nexit code 2", 2),
        ("Exit code: 1\nno such table", 1),
        ("Process exited with code 3", 3),
        ("make: *** [all] Error 2\nexit status 1", 1),
        ("Process finished with exit code -9", -9),
        ("Return code: 4", 4),
        ('{"exit_code": 2, "output": ""}', 2),
        ('{"stdout": "", "exitCode":127}', 127),
        ('{"returncode": 1}', 1),
        ('{"return_code": 0}', 0),
        ('{"stdout": "", "stderr": "gone", "code": 1}', 1),
        (json.dumps({"output": json.dumps({"exit_code": 5})}), 5),
        (json.dumps(json.dumps({"output": json.dumps({"returncode": 6})})), 6),
        ("<output>gone</output>\n<exit_code>1</exit_code>", 1),
        ("<returncode>0</returncode>", 0),
        ("step one: exit code 0\nstep two: exit code 7", 7),
        ('[{"exit_code": 0}, {"exit_code": 3}]', 3),
    ],
)
def test_the_last_exit_code_counts_however_it_is_written(text: str, code: int) -> None:
    assert exit_code(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("exit code: 2\ncat stop.sh\ntrap - EXIT\nexit 0", 2),
        ("Process exited with code 0\nOutput:\nthe last deploy ended with exit code 9", 0),
    ],
)
def test_the_word_of_the_tool_counts_more_than_what_a_program_printed(text: str, code: int) -> None:
    assert exit_code(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "all good",
        '{"exit_code": null}',
        '{"code": 404, "body": "x"}',
        "exit codes are listed below",
        "see exit 12b",
    ],
)
def test_what_names_no_exit_code_has_none(text: str) -> None:
    assert exit_code(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Error: String to replace not found in file.",
        "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
        "No replacement was performed, old_str `x = 1` did not appear verbatim in weirs/north.py.",
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        "FileNotFoundError: [Errno 2] No such file or directory: 'north.cfg'",
        "north.cfg: Permission denied",
        "Failed to apply patch: hunk 2 did not match",
        "EACCES: permission denied, open '/etc/north.cfg'",
        '{"success": false, "message": "locked by another clerk"}',
        '{"ok":false}',
        '{"status": "error", "detail": "seat taken"}',
        '{"error": "patient 4711 unknown"}',
        '{"error": {"code": 409}}',
        '{"status": "declined", "card": "4471"}',
        '{"id": 7, "state": "bounced"}',
        '{"status": "rolled_back", "reason": "health check failed"}',
        '{"fehler": "Lieferant nicht erreichbar"}',
        '{"erreur": "échéance légale"}',
        '{"errors": [{"field": "date"}]}',
        '{"isError": true, "content": []}',
        json.dumps({"result": json.dumps({"success": False})}),
    ],
)
def test_a_change_that_was_refused_has_failed(text: str) -> None:
    assert failed(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ok",
        "The file weirs/north.py has been updated.\n12: raise ValueError('not found')",
        "File created successfully at: errors/not_found.py",
        '{"success": true, "errors": []}',
        '{"error": null, "order": "A-4711"}',
        '{"error": "", "ok": true}',
        '{"fehler": null, "nr": "A-901"}',
        '{"status": "cancelled", "booking": "B-12"}',
        '{"status": "rolled_back", "to": "1.4.1"}',
        '{"status": "processing", "reason": "declined once before"}',
        "Done. 0 errors, 0 failed.",
        "Replaced 3 occurrences of 'error' in weirs/log.py",
    ],
)
def test_a_change_that_was_made_has_not_failed(text: str) -> None:
    assert not failed(text)


@pytest.mark.parametrize(
    "text",
    [
        "Error: no such file",
        "File does not exist.",
        "cat: north.cfg: No such file or directory",
        '{"error": "ENOENT"}',
        "<tool_use_error>File does not exist.</tool_use_error>",
    ],
)
def test_a_read_that_found_nothing_has_failed(text: str) -> None:
    assert failed(text)
    assert len(text) <= COMPLAINT_CHARS_MAX


@pytest.mark.parametrize(
    "text",
    [
        "Error handling\n==============\n" + "Every gate reports its own. " * 40,
        '{"status": "failed", "runs": [' + '{"id": 1}, ' * 60 + "{}]}",
        "     1\tclass NotFound(Exception):\n     2\t    pass",
        "# Not found\n" + "This page is shown where there is none. " * 20,
    ],
)
def test_a_file_about_errors_was_read_all_the_same(text: str) -> None:
    assert len(text) > COMPLAINT_CHARS_MAX or not failed(text)
