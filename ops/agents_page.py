"""Writes docs/agents.md and its picture from what each stream agent says of itself.

An agent is a module with an `AGENT`; nothing has to be listed here. `ops.pages` writes the files.
"""

import importlib
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.stream_agent import StreamAgent

ROOT = Path(__file__).resolve().parent.parent
PAGE, PICTURE = "docs/agents.md", "docs/agents.svg"

#: From what comes in to what goes out, so that most lines run from left to right.
COLUMNS = (
    *(Topic.CONVERSATIONS, Topic.WORK, Topic.SUMMARIES, Topic.DISTILLATIONS),
    *(Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS, Topic.DLQ),
)
#: Measures of the picture, in pixels.
_NAMES, _COLUMN, _ROW, _TOP, _FOOT = 210, 112, 40, 56, 56

_STYLE = """
    text { font: 14px system-ui, sans-serif; fill: #24292f }
    .topic { font-weight: 600; text-anchor: middle }
    .file, .note { font-size: 11px; fill: #6e7781 }
    .lane { stroke: #d0d7de; stroke-width: 1; stroke-dasharray: 2 4 }
    .way { stroke: #57606a; stroke-width: 1.5 }
    .read { fill: #fff; stroke: #0969da; stroke-width: 2.5 }
    .write { fill: #1a7f37 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .file, .note { fill: #8b949e } .lane { stroke: #30363d } .way { stroke: #8b949e }
      .read { fill: #0d1117; stroke: #58a6ff } .write { fill: #3fb950 }
    }
"""


class AgentFile(NamedTuple):
    """An agent and the file that says so."""

    file: str
    agent: StreamAgent


def agents() -> list[AgentFile]:
    """Return every agent, triggers first, those of the role `summarize` last."""
    files = [file.relative_to(ROOT) for folder in ("agents", "streams") for file in (ROOT / folder).rglob("*.py")]
    found = []
    for file in files:
        if "\nAGENT: Final = StreamAgent(" in (ROOT / file).read_text(encoding="utf-8"):
            module = importlib.import_module(".".join(("tailrace", *file.with_suffix("").parts)))
            found.append(AgentFile(file.as_posix(), module.AGENT))
    return sorted(found, key=lambda one: ("/triggers/" not in one.file, one.file.startswith("streams"), one.file))


def page(found: Sequence[AgentFile]) -> str:
    """Return the text of the page."""
    rows = "\n".join(
        (
            f"| {one.agent.name} | {one.agent.does} | {_topics(one.agent.reads)} | {_topics(one.agent.writes)} | "
            f"`{one.file}` |"
        )
        for one in found
    )
    return f"""# Stream agents

Made from the code by `make schemas`: each agent says in its own file which topics it reads and writes. All of them but
the summarizer run in the worker that owns the thread, on [one event after the other](design.md).

![Which agent reads and writes which topic]({Path(PICTURE).name})

| agent | when it acts, and what it does | reads | writes | file |
|---|---|---|---|---|
{rows}
"""


def picture(found: Sequence[AgentFile]) -> str:
    """Return the picture: a lane for each topic, a line for each agent."""
    width, height = _NAMES + _COLUMN * len(COLUMNS), _TOP + _ROW * len(found) + _FOOT
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img">'
        ),
        f"<title>Which agent reads and writes which topic</title><style>{_STYLE}</style>",
        *(_lane(topic, height) for topic in COLUMNS),
        *(_line(one, _TOP + _ROW * number + _ROW // 2) for number, one in enumerate(found)),
        _legend(height),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _lane(topic: Topic, height: int) -> str:
    x = _x(topic)
    lane = f'<line class="lane" x1="{x}" y1="{_TOP - 14}" x2="{x}" y2="{height - _FOOT + 8}"/>'
    return f'{lane}<text class="topic" x="{x}" y="{_TOP - 24}">{topic}</text>'


def _line(one: AgentFile, y: int) -> str:
    agent = one.agent
    places = [_x(topic) for topic in (*agent.reads, *agent.writes)]
    marks = [f'<circle class="write" cx="{_x(topic)}" cy="{y}" r="5"/>' for topic in agent.writes]
    # Around the dot, where an agent reads what it writes.
    marks[:0] = [f'<circle class="read" cx="{_x(topic)}" cy="{y}" r="9"/>' for topic in agent.reads]
    return "".join(
        [
            f'<text x="8" y="{y + 1}">{escape(agent.name)}</text>',
            f'<text class="file" x="8" y="{y + 15}">{escape(one.file)}</text>',
            f'<line class="way" x1="{min(places)}" y1="{y}" x2="{max(places)}" y2="{y}"/>',
            *marks,
        ]
    )


def _legend(height: int) -> str:
    y = height - 18
    return (
        f'<circle class="read" cx="18" cy="{y - 4}" r="9"/><text class="note" x="34" y="{y}">reads</text>'
        f'<circle class="write" cx="90" cy="{y - 4}" r="5"/><text class="note" x="102" y="{y}">writes</text>'
    )


def _x(topic: Topic) -> int:
    return _NAMES + _COLUMN * COLUMNS.index(topic) + _COLUMN // 2


def _topics(topics: Iterable[Topic]) -> str:
    return ", ".join(f"`{topic}`" for topic in topics)


def generate() -> dict[str, str]:
    """Return the text of both files, by their paths in the repository."""
    found = agents()
    return {PAGE: page(found), PICTURE: picture(found)}
