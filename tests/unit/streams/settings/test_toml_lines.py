"""The line of a key in a TOML file."""

import pytest

from tailrace.streams.settings.toml_lines import TomlLines

TEXT = """# a comment
group = "mine"

[worker]
# another
speed = 5
[policy]
steps = [
  {use = "truncate"},
  {use = "nope"},
]
keep.system = false

[[summarizer.models]]
model = "a"
[[summarizer.models]]
model = ""
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("group", 2),
        ("worker", 4),
        ("worker/speed", 6),
        ("policy/steps/1/use", 8),
        ("policy/keep/system", 12),
        ("summarizer/models/0/model", 15),
        ("summarizer/models/1/model", 17),
        ("worker/missing", 4),
        ("nowhere", None),
    ],
)
def test_a_key_is_in_the_line_in_which_it_begins(path: str, line: int | None) -> None:
    assert TomlLines(TEXT).line_of(path.split("/")) == line


def test_a_document_that_is_empty_has_no_keys() -> None:
    assert TomlLines("").line_of(["group"]) is None
