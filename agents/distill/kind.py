"""Which kind of content an output is, told from a few of its lines.

Each of some lines at the beginning, in the middle and at the end votes for what it looks like; shares of votes decide,
by a table. The name of a file that was read decides where its lines leave it open.
"""

import re
from collections import Counter
from enum import StrEnum
from typing import Final

from tailrace.agents.distill.terminal_text import Reading


class Kind(StrEnum):
    """Kinds of content. Their names are written into records."""

    BINARY = "binary"
    JSON = "json"
    TABLE = "table"
    LOG = "log"
    TEST_RUN = "test_run"
    DIFF = "diff"
    STACK_TRACE = "stack_trace"
    SOURCE = "source"
    LISTING = "listing"
    HTML = "html"
    MARKDOWN = "markdown"
    COMMAND = "command"
    TEXT = "text"


#: A number before a line, as tools that show files write it.
_NUMBERED: Final = re.compile(r"\s*\d{1,7}(?:→|\t|: |\| |[:-](?!\d))")
_NUMBERED_FRACTION: Final = 0.5
#: What a line looks like, in the order in which it is tried.
_LOOKS: Final = re.compile(
    r"(?P<hunk>@@ -\d+|diff --git |\+\+\+ [\w/\"]|--- [\w/\"]+[/.]|index [0-9a-f]{6,}\.\.|Binary files )"
    r"|(?P<match>(?:[\w.@~+-]*+/)*+[\w.@~+ -]*\.\w+[:-]\d+[:-]|(?:[\w.@~+-]++/)++[\w.@+-]+[:-]\d+[:-])"
    r"|(?P<test>\s*+(?:=== (?:RUN|PAUSE|CONT)|--- (?:PASS|FAIL|SKIP)|(?:PASS|FAIL|ok)\b|[✓✔✗✘\u00d7●]|\((?:pass"
    r"|fail|skip)\)"
    r"|test \S+ \.\.\. |\S+ (?:PASSED|FAILED|SKIPPED)|\S+\.py [.FEsx]+|={3,} .*(?:test|passed|failed|FAILURES"
    r"|ERRORS).* ={3,}"
    r"|\d+ (?:passed|failed|pass|fail|passing|failing)\b|(?:Tests|Test Files|Test Suites):? ))"
    r"|(?P<frame>\s++(?:File \"[^\"]+\", line \d+|at .{1,200}[(:]\S*:?\d+|\d+: 0x)|Traceback \(most|goroutine \d+ \[)"
    r"|(?P<log>\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[\d\d/"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|(?:\w+=\S* )?level=\w"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b|npm (?:ERR|WARN))"
    r"|(?P<entry>[-dlbcps][-rwxsStT]{9}|[\s│├└─|`+\\-]*[│├└]|(?:\./)?[\w.@~+%-]*+(?:/[\w.@~+%$\[\]() -]++)++/?$"
    r"|[\w@-][\w@.-]*\.\w{1,5}$"
    r"|[ MADRCU?!]{2} \S+$)"
    r"|(?P<html>\s*+</?[a-zA-Z!][^>]*>)"
    r"|(?P<markdown>#{1,6} \S|\s*+(?:[-*+] \S|\d+[.)] \S)|```|> |\|.*\|$|\*\*|={3,}$|-{3,}$)"
    r"|(?P<code>\s*+(?://|/\*|\*|#include|#!|@\w+|import |from \S+ import|package |use |func |fn |def |class "
    r"|export |const |let "
    r"|var |return\b|if\b.*[:{]$|for\b.*[:{]$|public |private |static |type \w|struct |interface )"
    r"|\s*+[)\]}]+[,;)]*$|\s++\w+\(.*\)$)"
)
#: A line that begins with four plain words is prose, and is not tried any further, unless the first of them is one of a
#: program.
_PROSE: Final = re.compile(
    r"(?!public |private |static |export |import |from |return |type |package |use |test |ok "
    r")[A-Z]?+[a-z']++(?:,?+ [a-z']++){3} "
)
_CODE_ENDS: Final = ("{", "}", ";")
#: Lines looked at: from the beginning, the middle and the end.
_LOOKED_AT: Final = (6, 3, 3)
_LINE_CHARS_MAX: Final = 120
#: From this share of the lines that say something on, it is that kind; the first that holds counts.
_SHARES: tuple[tuple[str, Kind, float], ...] = (
    ("hunk", Kind.DIFF, 0.06),
    ("match", Kind.LISTING, 0.5),
    ("test", Kind.TEST_RUN, 0.2),
    ("frame", Kind.STACK_TRACE, 0.3),
    ("log", Kind.LOG, 0.4),
    ("entry", Kind.LISTING, 0.5),
    ("html", Kind.HTML, 0.4),
    ("code", Kind.SOURCE, 0.4),
    ("markdown", Kind.MARKDOWN, 0.25),
)
#: Paths and matches together make a listing where neither does alone.
_LISTED_FRACTION: Final = 0.6
_SHELLS: Final = re.compile(r"bash|shell|exec|terminal|command|console|powershell|stdin|run", re.IGNORECASE)
_FILE_IN_CALL: Final = re.compile(r"\.(\w{1,8})(?=[\"'\s,;)\]}]|$)")
_MARKDOWN_FILES: Final = frozenset({"md", "mdx", "rst", "markdown", "txt"})
_ENCODED: Final = re.compile(r"[A-Za-z0-9+/=\s_-]+")
_ENCODED_CHARS_MIN: Final = 200
_ENCODED_LINE_CHARS_MIN: Final = 60
#: Different characters in a sample of encoded data.
_ENCODED_LETTERS_MIN: Final = 24
#: Bytes that no text has, and what stands for those that were no text.
_CONTROL: Final = bytes((*range(7), *range(14, 17)))
_UNDECODED: Final = "\ufffd".encode()
_BINARY_FRACTION: Final = 0.1
_SAMPLE_CHARS: Final = 2_000
_SEPARATORS: Final = ("\t", ",", ";", "|")
_TABLE_ROWS_MIN: Final = 4
_TABLE_FRACTION: Final = 0.8


def recognise(reading: Reading) -> Kind:
    """Return the kind of an output that is neither binary nor JSON."""
    lines = _sample(reading.text)
    if sum(1 for line in lines if _NUMBERED.match(line)) >= len(lines) * _NUMBERED_FRACTION:
        return _by_file(reading, Kind.SOURCE)
    votes = Counter(map(_look, lines))
    saying = max(1, len(lines) - votes["blank"])
    if votes["entry"] + votes["match"] >= saying * _LISTED_FRACTION and not votes["hunk"]:
        return Kind.LISTING
    for look, kind, share in _SHARES:
        if votes[look] >= saying * share:
            return _by_file(reading, kind) if kind is Kind.SOURCE else kind
    if separator_of(lines):
        return Kind.TABLE
    return Kind.COMMAND if _SHELLS.search(reading.tool) else Kind.TEXT


def _look(line: str) -> str:
    if not line or line.isspace():
        return "blank"
    match = None if _PROSE.match(line) else _LOOKS.match(line)
    if match and match.lastgroup:
        return match.lastgroup
    return "code" if line.rstrip().endswith(_CODE_ENDS) else ""


def is_binary(text: str) -> bool:
    """Tell whether a text is bytes in disguise: control characters, or one long run of base64."""
    head = text[:_SAMPLE_CHARS]
    data = head.encode("utf-8", "surrogatepass")
    strange = len(data) - len(data.translate(None, _CONTROL)) + data.count(_UNDECODED)
    if strange > len(head) * _BINARY_FRACTION:
        return True
    if len(text) < _ENCODED_CHARS_MIN or " " in head[:_ENCODED_CHARS_MIN]:
        return False
    body = head.removeprefix("data:").partition(";base64,")[2] or head
    if _is_list(body):
        return False
    return (
        _ENCODED.fullmatch(body) is not None
        and max(map(len, body.split("\n"))) >= _ENCODED_LINE_CHARS_MIN
        and _mixed(body)
    )


def _is_list(body: str) -> bool:
    """Tell whether a text that might be encoded data is a list of names.

    No alphabet of base64 has hyphens or underscores beside plus signs or slashes, and encoded lines have one length.
    """
    if ("-" in body or "_" in body) and ("+" in body or "/" in body):
        return True
    lengths = [len(line) for line in body.split("\n")[:-1]]
    return bool(lengths) and min(lengths) != max(lengths)


def separator_of(lines: list[str]) -> str:
    """Return the character that separates the columns of a table; empty if none does.

    It stands in nearly every line equally often, at least once.
    """
    filled = [line for line in lines if line.strip()]
    if len(filled) < _TABLE_ROWS_MIN:
        return ""
    for separator in _SEPARATORS:
        counts = [line.count(separator) for line in filled]
        # Where nearly all lines have as many, the one in the middle has.
        often = sorted(counts)[len(counts) // 2]
        if often >= 1 and counts.count(often) >= _TABLE_FRACTION * len(counts):
            return separator
    return ""


def _mixed(body: str) -> bool:
    """Tell whether letters and digits change as in encoded data, and not as in a word that is repeated."""
    return len(set(body)) >= _ENCODED_LETTERS_MIN


def _sample(text: str) -> list[str]:
    """Return lines of a text, cut where they are long, without a look at the others."""
    begin, middle, end = _LOOKED_AT
    rows = text.split("\n", begin + middle + end)
    if len(rows) > begin + middle + end:
        half = text[text.find("\n", len(text) // 2) + 1 :]
        rows = [*rows[:begin], *half.split("\n", middle)[:middle], *text.rsplit("\n", end)[1:]]
    return [row[:_LINE_CHARS_MAX] for row in rows]


def _by_file(reading: Reading, kind: Kind) -> Kind:
    extensions = _FILE_IN_CALL.findall(reading.called_with[:500])
    return Kind.MARKDOWN if extensions and extensions[0].lower() in _MARKDOWN_FILES else kind
