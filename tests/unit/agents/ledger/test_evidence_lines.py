"""Evidence as lines: what items share is said once, and what is whole stays whole."""

from tailrace.agents.ledger.evidence_lines import LINE_CHARS_MAX, EvidenceLines, newest_first
from tailrace.schemas.records.ledger import Evidence, EvidenceKind


def changed(text: str, detail: str = "") -> Evidence:
    return Evidence(kind=EvidenceKind.CHANGED, text=text, source="m1", detail=detail)


def ran(text: str, detail: str = "") -> Evidence:
    return Evidence(kind=EvidenceKind.RAN, text=text, source="m1", detail=detail)


def test_files_of_a_folder_stand_behind_it_in_braces() -> None:
    items = [
        changed("gates/src/sill.py", "Edit"),
        changed("gates/docs/sill.md", "Edit"),
        changed("gates/src/weir.py", "Edit"),
    ]

    assert [*EvidenceLines.of(items)] == ["- changed: gates/src/{sill.py, weir.py} (Edit), gates/docs/sill.md (Edit)"]


def test_calls_of_a_tool_that_name_one_thing_each_share_its_name() -> None:
    items = [changed("write_stdin 4711"), changed("write_stdin 4712"), changed("book_lock 9 tomorrow at ten")]

    assert [*EvidenceLines.of(items)] == ["- changed: write_stdin {4711, 4712}, book_lock 9 tomorrow at ten"]


def test_a_path_that_no_shell_expands_stays_whole() -> None:
    items = [changed(r"D:\gates\src\sill.py", "Edit"), changed(r"D:\gates\src\weir.py", "Edit")]

    assert [*EvidenceLines.of(items)] == [r"- changed: D:\gates\src\sill.py (Edit), D:\gates\src\weir.py (Edit)"]


def test_what_was_done_in_another_way_or_ended_otherwise_stands_apart() -> None:
    items = [changed("gates/sill.py", "Edit"), changed("gates/weir.py", "Write"), ran("make test", "exit 2")]

    assert [*EvidenceLines.of(items)] == [
        "- changed: gates/sill.py (Edit), gates/weir.py (Write)",
        "- ran: make test (exit 2)",
    ]


def test_commands_with_commas_in_them_can_be_told_apart() -> None:
    items = [ran("cut -d, -f1,3 gates.csv"), ran("echo a, b"), ran("make", "exit 2")]

    assert [*EvidenceLines.of(items)] == ["- ran: cut -d, -f1,3 gates.csv · echo a, b · make (exit 2)"]
    assert [*EvidenceLines.of([ran("make"), ran("echo a · b"), ran("ls"), ran("pwd")])] == [
        "- ran: make",
        "- ran: echo a · b",
        "- ran: ls · pwd",
    ]


def test_a_line_that_grows_too_long_begins_anew_with_the_same_word() -> None:
    lines = [*EvidenceLines.of(changed(f"gates/part{n}/a_rather_long_name_of_a_file.py", "Edit") for n in range(12))]

    assert len(lines) > 2
    assert all(line.startswith("- changed: ") and len(line) < 2 * LINE_CHARS_MAX for line in lines)
    assert sum(line.count("a_rather_long_name") for line in lines) == 12


def test_sentences_have_a_line_each() -> None:
    found = [Evidence(kind=EvidenceKind.FIGURE, text=f"The sill leaks {n} kg", source="m1") for n in (3, 4)]

    assert [*EvidenceLines.of(found)] == ["- found: The sill leaks 3 kg", "- found: The sill leaks 4 kg"]


def test_files_come_before_other_changes_and_the_newest_of_each_kind_first() -> None:
    items = [ran("make"), changed("a.py"), changed("write_stdin 4711"), changed("b.py")]

    assert [item.text for item in newest_first(items)] == ["b.py", "a.py", "write_stdin 4711", "make"]


def test_what_an_item_adds_is_about_what_it_takes() -> None:
    lines = EvidenceLines()
    added = ""
    for item in [changed("gates/src/sill.py"), changed("gates/src/weir.py"), changed("gates/lock.py"), ran("make")]:
        added += lines.added_by(item)
        lines.add(item)

    assert abs(len("\n".join(["", *lines])) - len(added)) <= 4
