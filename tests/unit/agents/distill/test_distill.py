"""Outputs of every kind, distilled: what they are taken for, and what must still be there."""

import json
from collections.abc import Callable

import pytest

from tailrace.agents.distill.distill import ToolOutput, distill

PLAIN = [f"the water stands quietly in basin number {number} and nothing moves" for number in range(200)]


def distilled(lines: list[str] | str, *, tool: str = "", told: str = "", fraction: float = 0.25) -> tuple[str, str]:
    text = lines if isinstance(lines, str) else "\n".join(lines)
    result = distill(ToolOutput(text, tool, told), chars_max=int(len(text) * fraction))
    assert len(result.text) <= int(len(text) * fraction)
    return result.method, result.text


def test_text_that_fits_stays_as_it_is() -> None:
    text = "gate 9 opens\r\n\x1b[31mslowly\x1b[0m\n"

    assert distill(ToolOutput(text), chars_max=len(text)).text == text


def test_json_tells_its_shape_and_lists_like_objects_as_a_table() -> None:
    gates = [{"gate": f"gate_{n}", "level": n / 8, "note": "quiet water all day long"} for n in range(60)]
    gates[41]["note"] = "leaks at sealRing_7"

    method, text = distilled(json.dumps({"basin": "upper_basin_3", "gates": gates}))

    assert method == "json"
    assert "JSON object with 2 keys: basin, gates" in text
    assert "60 objects with gate | level | note" in text
    assert "upper_basin_3" in text
    assert "sealRing_7" in text
    assert text.count("level") < 10


def test_long_lists_of_numbers_become_a_range() -> None:
    method, text = distilled(json.dumps({"readings": [n * 0.25 for n in range(1_000)]}))

    assert method == "json"
    assert "1000 numbers from 0.0 to 249.75" in text


def test_lines_of_json_are_json() -> None:
    method, text = distilled([json.dumps({"event": f"opened_{n}", "by": "operator"}) for n in range(80)])

    assert method == "json"
    assert "80 objects with event | by" in text


def test_broken_json_is_still_distilled() -> None:
    broken = json.dumps([{"gate": f"gate_{n}"} for n in range(100)])[:-20] + "]"

    method, text = distilled(broken)

    assert method != "json"
    assert '{"gate": "gate_1' in text


def test_tables_tell_ranges_and_keep_header_and_extremes() -> None:
    rows = [f"{n},{100 + n % 7},calm weather" for n in range(300)]
    rows[150] = "150,9999,calm weather"

    method, text = distilled(["minute,level,remark", *rows])

    assert method == "table"
    assert "301 rows, 3 columns." in text
    assert "level 100 to 9999" in text
    assert "minute,level,remark" in text
    assert "150,9999,calm weather" in text


def test_logs_fold_repetitions_count_levels_and_keep_the_first_and_last_error() -> None:
    lines = [f"2031-04-05T10:00:{n % 60:02}Z INFO polled sensor {n}" for n in range(200)]
    lines[60] = "2031-04-05T10:01:00Z ERROR gate 4 does not answer: timeout after 30 s"
    lines[190] = "2031-04-05T10:03:10Z ERROR gate 9 is stuck at sill_height 17.25"

    method, text = distilled(lines)

    assert method == "log"
    assert "gate 4 does not answer: timeout after 30 s" in text
    assert "gate 9 is stuck at sill_height 17.25" in text
    assert "ERROR 2" in text
    assert "INFO 198" in text
    assert "more like it)" in text


@pytest.mark.parametrize(
    ("line", "usual", "odd"),
    [
        (lambda number: f"2031-04-05T10:00:{number % 60:02}Z INFO request {number} done status=%s", "200", "503"),
        (lambda number: f"10:00:{number % 60:02} gate-{number % 7} job {number} exited with code %s", "0", "1"),
        (lambda number: f'10.0.0.{number % 250} - - [05/Apr/2031:10:00:01 +0000] "GET /g/{number}" %s 7', "200", "503"),
        (lambda number: f"poll of gate nine took {number % 31} ms and gave %s", "0", "1"),
    ],
    ids=["status", "exit code", "access log", "command"],
)
def test_the_one_line_whose_status_is_another_is_shown(line: Callable[[int], str], usual: str, odd: str) -> None:
    lines = [line(number) % usual for number in range(600)]
    lines[311] = line(311) % odd

    _, text = distilled(lines, tool="bash", fraction=0.1)

    assert lines[311] in text.split("\n")


def test_each_rare_number_is_shown_once_and_measures_are_folded() -> None:
    lines = [f"10:00:{number % 60:02} INFO done in {number * 7 % 211} ms status=200" for number in range(600)]
    for place in range(40, 60):
        lines[place] = lines[place].replace("status=200", "status=404")
    lines[70] = "10:00:10 INFO done in  ms status=200"

    _, text = distilled(lines, fraction=0.1)

    rows = text.split("\n")
    assert [row for row in rows if "status=404" in row] == [lines[40]]
    assert lines[70] in rows
    assert len(rows) < 10


def test_test_runs_keep_failures_their_messages_and_the_summary() -> None:
    lines = [f"tests/test_gates.py::test_gate_{n} PASSED" for n in range(150)]
    lines[70] = "tests/test_gates.py::test_spillway_overflows FAILED"
    lines += ["E   AssertionError: expected level 17.5, got 18.25", "1 failed, 149 passed in 3.21s"]

    method, text = distilled(lines, tool="bash", told="pytest")

    assert method == "test_run"
    assert "test_spillway_overflows FAILED" in text
    assert "AssertionError: expected level 17.5, got 18.25" in text
    assert "1 failed, 149 passed in 3.21s" in text


def test_diffs_keep_files_and_changes_before_context() -> None:
    lines = [
        "diff --git a/weir/gate.py b/weir/gate.py",
        "--- a/weir/gate.py",
        "+++ b/weir/gate.py",
        "@@ -10,40 +10,41 @@",
    ]
    lines += [f"     context that stays the same on line {n}" for n in range(80)]
    lines.insert(40, "-    return sill_height")
    lines.insert(41, "+    return sill_height + freeboard_m")

    method, text = distilled(lines)

    assert method == "diff"
    assert "+++ b/weir/gate.py" in text
    assert "@@ -10,40 +10,41 @@" in text
    assert "-    return sill_height" in text
    assert "+    return sill_height + freeboard_m" in text


def test_source_is_an_outline_with_the_tools_own_line_numbers() -> None:
    lines = ["import weir", "", "class Gate:", "    def opens(self) -> bool:"]
    lines += [f"        quietly = quietly and calm and still  # {n}" for n in range(120)]
    lines += ["    def closes(self) -> bool:", "        return not self.opens()"]

    method, text = distilled([f"{n:>6}→{line}" for n, line in enumerate(lines, start=301)], tool="Read", told="gate.py")

    assert method == "source"
    for line in (
        "301 import weir",
        "303 class Gate:",
        "304 \tdef opens(self) -> bool:",
        "425 \tdef closes(self) -> bool:",
    ):
        assert line in text
    assert "lines …" in text


def test_listings_gather_paths_by_folder() -> None:
    method, text = distilled([f"weirs/upper/basin/gates/gate_{n:02}.py" for n in range(80)], fraction=0.5)

    assert method == "listing"
    assert "weirs/upper/basin/gates/: gate_00.py gate_01.py" in text
    assert "gate_79.py" in text


def test_how_a_listing_ended_is_said_however_many_paths_were_gathered() -> None:
    paths = [f"src/gates/area_{number // 40}/gate_{number}.py" for number in range(800)]
    method, text = distilled([*paths, "exit code: 23"], tool="bash", told="find src -type f")
    assert method == "listing"
    assert "exit code: 23" in text


def test_search_results_gather_matches_by_file() -> None:
    lines = [f"weirs/upper/gate_{n // 20}.py:{n}:    level = read_level({n})" for n in range(100)]
    lines.insert(30, "weirs/upper/gate_1.py-29-    # beside a match")

    method, text = distilled(lines, tool="grep")

    assert method == "listing"
    assert "of 5 files" in text
    assert all(text.count(f"weirs/upper/gate_{n}.py") == 1 for n in range(5))


def test_pages_lose_their_tags_and_scripts() -> None:
    page = ["<html><head><title>Weir 9</title><style>p {color: red}</style></head><body>", "<h1>Gates</h1>"]
    page += ["<script>track('visitor_id_77')</script>"]
    page += [f'<p class="calm">Water <a href="/gate/{n}">stands</a> still.</p>' for n in range(80)]

    method, text = distilled(page)

    assert method == "html"
    assert "Title: Weir 9" in text
    assert "# Gates" in text
    assert "Water (/gate/10) stands still." in text
    assert "visitor_id_77" not in text
    assert "<p" not in text


def test_a_header_of_a_page_is_no_head() -> None:
    page = (
        "<html><head><title>Weirs</title><meta name=x></head><body><header class=top><p>Closed on Mondays</p></header>"
    )
    page += "<heading>Basin of Marta</heading>"
    text = page + "<p>the water stands quietly and nothing moves</p>\n" * 60 + "</body></html>"

    method, shown = distilled(text)

    assert method == "html"
    assert "Closed on Mondays" in shown
    assert "Basin of Marta" in shown
    assert "meta" not in shown


def test_markdown_keeps_its_headings() -> None:
    lines = []
    for n in range(12):
        lines += [f"## Gate {n} of the upper basin", *(f"- calm water and a quiet day, part {m}" for m in range(12))]

    method, text = distilled(lines, tool="Read", told="docs/gates.md")

    assert method == "markdown"
    assert all(f"## Gate {n} of the upper basin" in text for n in range(12))


def test_commands_keep_errors_and_the_exit_code_out_of_much_else() -> None:
    lines = [*PLAIN, "make: *** [Makefile:12: spillway] Error 2", *PLAIN, "Process exited with code 2"]

    method, text = distilled(lines, tool="bash")

    assert method == "command"
    assert "make: *** [Makefile:12: spillway] Error 2" in text
    assert "Process exited with code 2" in text


def test_stack_traces_keep_the_error_and_ones_own_frames() -> None:
    lines = ["Traceback (most recent call last):", '  File "weirs/control.py", line 12, in main', "    run()"]
    for n in range(60):
        lines += [f'  File "/usr/lib/python3/site-packages/lib/part{n}.py", line {n}, in call', "    return call()"]
    lines += [
        '  File "weirs/gate.py", line 88, in open',
        "    raise GateStuck(9)",
        "weirs.errors.GateStuckError: gate 9 is stuck",
    ]

    method, text = distilled(lines, fraction=0.15)

    assert method == "stack_trace"
    assert "weirs.errors.GateStuckError: gate 9 is stuck" in text
    assert '"weirs/control.py", line 12' in text
    assert '"weirs/gate.py", line 88' in text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("iVBORw0KGgoAAAANSUhEUgAA" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU2Nzg5" * 40, "a PNG image"),
        ("\x7fELF\x02\x01\x01\x00\x00" + "\x00\x01\x02\x03weir" * 400, "an ELF program"),
    ],
    ids=["base64", "bytes"],
)
def test_binary_data_is_named_and_never_shown(text: str, what: str) -> None:
    method, shown = distilled(text)

    assert method == "binary"
    assert what in shown
    assert text[100:140] not in shown


def test_prose_says_how_much_is_left_out_and_lists_the_names_in_it() -> None:
    lines = list(PLAIN)
    lines[3] = "Operator: gateValve_12 and the note in weirs/notes/upper.md"

    method, text = distilled(lines, fraction=0.1)

    assert method == "text"
    assert "lines …" in text
    assert "gateValve_12" in text
    assert "weirs/notes/upper.md" in text


def test_names_of_what_is_left_out_are_said_to_be_that() -> None:
    calm = "hums, and nobody minds that at all today or on any other calm day"
    lines = [f"the pump named pump_{n:04}_of_the_upper_basin {calm}" for n in range(60)]

    _, text = distilled(lines, fraction=0.5)
    rows, _, names = text.partition("Named only in what is left out: ")

    assert sum("hums" in row for row in rows.split("\n")) >= 5
    assert all(f"pump_{n:04}_of_the_upper_basin" in text for n in range(60))
    assert names
    assert not any(name in rows for name in names.split())


def test_what_is_cut_ends_with_a_whole_line() -> None:
    lines = [line for n in range(90) for line in (f"readLevel_{n}(gate)", *PLAIN[:25])]

    for percent in range(10, 40):
        _, text = distilled(lines, fraction=percent / 100)

        last = text.rpartition("\n")[2]
        assert last in lines or last.startswith("Named only") or last.endswith("lines …")


def test_a_mixture_keeps_what_each_part_is_about() -> None:
    lines = [*PLAIN[:60], "ERROR: spillway_7 overflowed at 17:45:02"]
    lines += [
        "diff --git a/weirs/spillway.py b/weirs/spillway.py",
        "@@ -1,2 +1,2 @@",
        "-crest = 4",
        "+crest = crest_height_m",
    ]
    lines += PLAIN[60:120]

    _, text = distilled(lines, tool="bash")

    assert "ERROR: spillway_7 overflowed at 17:45:02" in text
    assert "weirs/spillway.py" in text
    assert "crest_height_m" in text


def test_what_is_no_number_in_a_column_of_numbers_is_no_reason_to_fail() -> None:
    method, text = distilled(["second,level", *(f"{n},{'-nan' if n % 2 else '+nan'}" for n in range(300))])

    assert method == "table"
    assert "second 0 to 299" in text


def test_tags_are_shown_where_they_say_all_there_is() -> None:
    packages = [f'  <PackageReference Include="Weir.Lib{n}" Version="{n}.4.1" />' for n in range(200)]
    failure = '<failure message="AssertionError: 3 != 4 in weirs/gate.py:44"/>'

    _, text = distilled(["<Project>", *packages, failure, "</Project>"])

    assert "Weir.Lib7" in text
    assert "AssertionError: 3 != 4" in text


def test_a_table_of_empty_cells_has_no_ranges() -> None:
    method, text = distilled(",,\n" * 2_000)

    assert method == "table"
    assert text.startswith("2000 rows, 3 columns.\n")


def test_extremes_are_the_first_rows_that_have_them() -> None:
    rows = [f"gate nine,{number % 5},n/a" for number in range(200)]
    rows[60] = rows[61] = "gate nine,-7.5,n/a"
    rows[90] = "gate ten,1e400,3"

    _, text = distilled(["name,level,note", *rows])

    assert "level -7.5 to inf" in text
    assert "note" not in text.split("\n")[0]
    assert "gate ten,1e400,3" in text


def test_lines_may_end_with_carriage_returns_alone() -> None:
    lines = [*(f"step {n} at weirs/gate_{n}.py" for n in range(100)), "ERROR: gate 9 is stuck", "exit code: 3", "bye"]

    _, text = distilled("\r".join(lines))

    assert "ERROR: gate 9 is stuck\nexit code: 3" in text


def test_a_list_of_long_names_is_no_encoded_data() -> None:
    names = [f"origin/feature/GATE-{n}-Quick-water-runs-over-the-lazy-weir-again-wvz" for n in range(100)]

    method, text = distilled([*names, "fatal: the remote end hung up", "exit code: 128"], tool="bash")

    assert method != "binary"
    assert "fatal: the remote end hung up\nexit code: 128" in text


@pytest.mark.parametrize(
    "line",
    [
        lambda n: f"- opened gate number {n} of the upper weir",
        lambda n: f"weirs/gate_{n}.py:{n}: level = read({n})",
        lambda n: f"def gate_{n}(level): return level",
        lambda n: f"@@ -{n} +{n} @@" if n % 9 == 0 else f"+ level = {n}",
    ],
    ids=["markdown", "matches", "source", "diff"],
)
@pytest.mark.parametrize("code", ["7", "-1073741819", "3221225477", "0xC0000005"])
def test_how_a_program_ended_is_told_whatever_it_printed(line: Callable[[int], str], code: str) -> None:
    _, text = distilled([*map(line, range(400)), "Error: the weir did not answer", f"exit code: {code}"])

    assert "Error: the weir did not answer" in text
    assert f"exit code: {code}" in text
