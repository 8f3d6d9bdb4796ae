"""Laws of the distiller, for any text.

It fits, it never raises, it is the same every time, and what fits stays as it is.
"""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tailrace.agents.distill.distill import ToolOutput, distill
from tailrace.agents.distill.kind import Kind

#: Pieces that outputs of every kind are made of, and what breaks readers of them.
PIECES = (
    *("\n", "\r", "\r\n", "\t", " ", "\x00", "\x1b[31m", "\x1b]0;", "\ud800", "\u2028", "\ufeff", "水", "…", "→"),
    *('{"a": ', "[", "]", "}", '"', "\\", ",", "|", "<p>", "<script>", "</a", "<!--", "&amp;", "&#xffffffff;"),
    *(
        "diff --git a/b c/d",
        "@@ -1 +1 @@",
        "+x",
        "-y",
        "12→",
        "   7\t",
        "a/b.py:3:",
        "a/b.py-4-",
        "./x/y.go",
        "C:\\x:1:",
    ),
    *(
        "ERROR",
        "2031-01-01T00:00:00Z",
        "FAILED",
        "1 failed",
        "Traceback (most recent call last):",
        '  File "x", line 1',
    ),
    *(
        "# Head",
        "- item",
        "def f():",
        "class X:",
        "    ",
        "gate_9",
        "readLevel",
        "17.25",
        "1e400",
        "-",
        "https://a.example/?q=1",
    ),
)
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=120).map("".join),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map(lambda pieces: "".join(pieces) * 200),
    st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), max_size=60).map("\n".join),
    st.text(st.characters(exclude_categories=()), max_size=400),
)


@settings(max_examples=500, deadline=None)
@given(texts, st.integers(-1, 3_000), st.sampled_from(["", "bash", "Read"]), st.sampled_from(["", "a.md", "x.py"]))
@example("", 0, "", "")
@example("[" * 100_000 + "]" * 100_000, 500, "", "")
@example("x" * 500_000, 500, "", "")
@example("\n" * 200_000, 500, "", "")
@example("\r" * 20_000 + "x", 500, "", "")
@example("a\r" * 20_000 + "x", 500, "", "")
@example("<script" * 20_000, 500, "", "")
@example("\x00" * 5_000, 500, "", "")
@example("水" * 50_000, 500, "", "")
@example("\ud800\n" * 5_000, 500, "", "")
@example("a,1e999\n" * 100 + "a,nan\n", 100, "", "")
def test_every_text_is_distilled_into_its_room_and_the_same_every_time(
    text: str, chars_max: int, tool: str, told: str
) -> None:
    output = ToolOutput(text, tool, told)

    result = distill(output, chars_max=chars_max)

    assert len(result.text) <= max(0, chars_max)
    assert result == distill(output, chars_max=chars_max)
    assert result.method in set(Kind)
    if len(text) <= chars_max and result.method != Kind.BINARY:
        assert result.text == text


@settings(max_examples=100, deadline=None)
@given(texts, texts)
def test_what_was_distilled_before_changes_nothing(text: str, other: str) -> None:
    first = distill(ToolOutput(text), chars_max=300)
    distill(ToolOutput(other), chars_max=300)

    assert distill(ToolOutput(text), chars_max=300) == first
