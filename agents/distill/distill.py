"""A large tool output as a short text: the same text for the same output, everywhere and at any time.

The output is cleaned, its kind is recognised, the kind makes rows of it and says which of them matter, and of these as
many are chosen as fit (`selection`). No model, nothing of the conversation: what one thread has distilled, a whole
fleet can use.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tailrace.agents.distill.binary import sketch_binary
from tailrace.agents.distill.diff import sketch_diff
from tailrace.agents.distill.json_values import read_json, sketch_json
from tailrace.agents.distill.kind import Kind, is_binary, recognise
from tailrace.agents.distill.listing import sketch_listing
from tailrace.agents.distill.log import sketch_log
from tailrace.agents.distill.markup import sketch_html
from tailrace.agents.distill.prose import sketch_markdown, sketch_text
from tailrace.agents.distill.selection import Sketch, compose
from tailrace.agents.distill.source import sketch_source
from tailrace.agents.distill.stack_trace import sketch_stack_trace
from tailrace.agents.distill.table import sketch_table
from tailrace.agents.distill.terminal_text import Reading, read
from tailrace.agents.distill.test_run import sketch_test_run
from tailrace.agents.distill.trouble import with_ending

#: Goes up whenever the same output may be distilled differently.
DISTILLER_VERSION: Final = 5

_SKETCH: dict[Kind, Callable[[Reading], Sketch]] = {
    Kind.TABLE: sketch_table,
    Kind.LOG: sketch_log,
    Kind.TEST_RUN: sketch_test_run,
    Kind.DIFF: sketch_diff,
    Kind.STACK_TRACE: sketch_stack_trace,
    Kind.SOURCE: sketch_source,
    Kind.LISTING: sketch_listing,
    Kind.HTML: sketch_html,
    Kind.MARKDOWN: sketch_markdown,
    Kind.COMMAND: sketch_text,
    Kind.TEXT: sketch_text,
}
#: What programs show of something else; the other kinds look for errors by themselves.
_SHOWN: Final = frozenset({Kind.TABLE, Kind.DIFF, Kind.SOURCE, Kind.LISTING, Kind.HTML, Kind.MARKDOWN})


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool answered, and what is known of the call."""

    text: str
    tool: str = ""
    #: Path, command or other arguments of the call, as text.
    called_with: str = ""


@dataclass(frozen=True, slots=True)
class Distilled:
    """A distilled output, without the header line that the caller writes, and how it was distilled."""

    text: str
    method: str


def distill(output: ToolOutput, *, chars_max: int) -> Distilled:
    """Return the output in at most `chars_max` characters; as it is where it fits. Takes any text, raises for none."""
    if is_binary(output.text):
        kind, sketch = Kind.BINARY, sketch_binary(output.text)
        return Distilled(compose(sketch, chars_max), kind.value)
    reading = read(output.text, output.tool, output.called_with)
    json_output = read_json(reading)
    kind = recognise(reading) if json_output is None else Kind.JSON
    if len(output.text) <= chars_max:
        return Distilled(output.text, kind.value)
    sketch = _SKETCH[kind](reading) if json_output is None else sketch_json(json_output)
    if kind in _SHOWN:
        sketch = with_ending(sketch)
    return Distilled(compose(sketch, chars_max), kind.value)
