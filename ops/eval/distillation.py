"""What distilled tool outputs keep of what the rest of the conversation needs, beside what others do with such outputs.

    python -m ops.eval.distillation DATA [--score SCORER] [--every N]

Of every tool output of more than a thousand tokens, the strings are taken that occur in it and again in a later
message: paths, identifiers, numbers, addresses and whole lines that report errors. The share that is still there,
letter by letter, is what is kept, where no way of shortening gets more than a quarter of the output's tokens. Numbers
that a tool wrote before the lines of a file are no strings of that file. With a scorer, its own notion of what a string
is counts in a column of its own.
"""

import argparse
import importlib.util
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from ops.bench.events import Conversation, load
from tailrace.agents.distill.distill import ToolOutput, distill
from tailrace.streams.models.counters import exact_counter

TOKENS_MIN = 1_000
#: The share of an output's tokens that every way gets.
FRACTION = 0.25
TARGET = 0.90
#: Where the characters of a first try don't hold the tokens, so many more are made.
TRIES_MAX = 6

_count = exact_counter("o200k_base").count_text

_ADDRESS = re.compile(r"https?://[^\s\"'<>()\[\]{}`\\|,]+")
_PATH = re.compile(r"(?<![\w/])[\w.@~+-]*(?:/[\w.@~+-]+)+")
_FILE = re.compile(r"\b[\w-]+\.[a-z]{1,5}\b(?![.(\w])")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:]\d+)*(?![\w])")
_WORD = re.compile(r"[A-Za-z_]\w{3,79}")
_MACHINE_MADE = re.compile(r"[a-z][A-Z]|[A-Za-z]_[A-Za-z0-9]|[A-Za-z]\d")
_LINE_NUMBER = re.compile(r"^ *\d+(?:→|\t|[:-](?!\d))", re.MULTILINE)
#: A line reports an error where it begins with one; lines of programs that handle errors don't.
_ERROR_LINE = re.compile(
    r"^[ \t]*(?:\[?(?:ERROR|FATAL|CRITICAL)\b|(?:[\w.]*[a-z])?(?:Error|Exception)\b[:\[]|(?:error|fatal|"
    r"panic)(?:\[\w+\])?:|E   |"
    r"(?:--- )?FAIL(?:ED)?\b|\(fail\)).*$",
    re.MULTILINE,
)
_DIGITS_MIN = 3
_PATH_CHARS_MIN = 6
_ERROR_CHARS = range(16, 201)

Strings = Callable[[str], set[str]]


@dataclass(frozen=True, slots=True)
class Output:
    """A tool output, and which strings of it occur again, by the two notions of a string."""

    text: str
    tokens: int
    tool: str
    told: str
    #: In any later message, and in what the assistant says or calls later.
    again: frozenset[str]
    again_said: frozenset[str]
    again_scored: frozenset[str]


def strings_of(text: str) -> set[str]:
    """Return what of a text is a name, a number or an address."""
    text = _LINE_NUMBER.sub("", text)
    found = {address.rstrip(".,;:") for address in _ADDRESS.findall(text)}
    text = _ADDRESS.sub(" ", text)
    found |= {bare for path in _PATH.findall(text) if len(bare := path.rstrip(".")) >= _PATH_CHARS_MIN}
    found |= {file for file in _FILE.findall(text) if len(file) >= _PATH_CHARS_MIN}
    found |= {number for number in _NUMBER.findall(text) if sum(map(str.isdigit, number)) >= _DIGITS_MIN}
    return found | {word for word in _WORD.findall(text) if _MACHINE_MADE.search(word)}


def error_lines(text: str) -> set[str]:
    """Return the lines of a text that report an error, without the white space around them."""
    return {
        bare for line in _ERROR_LINE.findall(_LINE_NUMBER.sub("", text)) if len(bare := line.strip()) in _ERROR_CHARS
    }


def outputs(conversation: Conversation, scored: Strings) -> Iterator[Output]:
    """Yield the large tool outputs of a conversation with what of them occurs again."""
    texts = [_text(message) for message in conversation.messages]
    calls = {
        call["id"]: call["function"]
        for message in conversation.messages
        for call in message.get("tool_calls") or ()
        if "function" in call
    }
    later: set[str] = set()
    later_said: set[str] = set()
    later_scored: set[str] = set()
    later_texts: list[str] = []
    found = []
    for message, text in zip(reversed(conversation.messages), reversed(texts), strict=True):
        own, own_scored = strings_of(text), scored(text)
        if message["role"] == "tool" and len(text) > TOKENS_MIN and (tokens := _count(text)) > TOKENS_MIN:
            errors = {line for line in error_lines(text) if any(line in other for other in later_texts)}
            call = calls.get(message.get("tool_call_id"), {})
            found.append(
                Output(
                    text=text,
                    tokens=tokens,
                    tool=call.get("name", ""),
                    told=call.get("arguments", ""),
                    again=frozenset(own & later | errors),
                    again_said=frozenset(own & later_said),
                    again_scored=frozenset(own_scored & later_scored),
                )
            )
        later |= own
        later_scored |= own_scored
        later_texts.append(text)
        if message["role"] == "assistant":
            later_said |= own
    yield from reversed(found)


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "\n".join(part.get("text", "") for part in content if isinstance(part, dict))
    called = [_call_text(call["function"]) for call in message.get("tool_calls") or () if "function" in call]
    return "\n".join([content, *called])


def _call_text(function: dict[str, Any]) -> str:
    """Return what a call says: its arguments as text, not as JSON, which would escape them."""
    try:
        arguments = "\n".join(_leaves(json.loads(function["arguments"])))
    except ValueError:
        arguments = function["arguments"]
    return f"{function['name']}\n{arguments}"


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    elif value is not None:
        yield str(value)


# Ways of shortening, each to at most so many tokens


def distilled(output: Output, tokens_max: int) -> str:
    """Return our distillation, in as many characters as hold the tokens."""
    chars = int(len(output.text) * FRACTION)
    best = ""
    for _ in range(TRIES_MAX):
        text = distill(ToolOutput(output.text, output.tool, output.told), chars_max=chars).text
        tokens = _count(text)
        if tokens > tokens_max:
            chars = int(chars * tokens_max / tokens * 0.985)
            continue
        if len(text) >= len(best):
            best = text
        if tokens > 0.95 * tokens_max or chars >= len(output.text) // 2:
            break
        chars = min(int(chars * tokens_max / max(1, tokens) * 0.99), len(output.text) // 2)
    return best


def head_and_tail(output: Output, tokens_max: int) -> str:
    """Return beginning and end, two thirds and one third."""
    chars = int(len(output.text) * FRACTION)
    while True:
        text = output.text[: chars * 2 // 3] + "\n…\n" + output.text[len(output.text) - chars // 3 :]
        if (tokens := _count(text)) <= tokens_max:
            return text
        chars = int(chars * tokens_max / tokens * 0.985)


def cleared(_output: Output, _tokens_max: int) -> str:
    """Return what LangChain's ContextEditingMiddleware leaves of an old tool result."""
    return "[cleared]"


def cut_at_characters(output: Output, tokens_max: int) -> str:
    """Return the first 2,000 characters, as deepagents, opencode, pi and Cline cut texts of tools."""
    return _within(output.text[:2_000], tokens_max)


def middle_out(_output: Output, _tokens_max: int) -> str:
    """Return what Goose leaves of a tool response that it drops: nothing."""
    return ""


def masked(output: Output, _tokens_max: int) -> str:
    """Return a stub that says how long the output was, as observation masking does."""
    return f"[tool output of {len(output.text)} characters hidden; call the tool again if needed]"


def _within(text: str, tokens_max: int) -> str:
    while (tokens := _count(text)) > tokens_max:
        text = text[: int(len(text) * tokens_max / tokens * 0.985)]
    return text


WAYS: dict[str, Callable[[Output, int], str]] = {
    "Tailrace": distilled,
    "head and tail": head_and_tail,
    "first 2,000 characters": cut_at_characters,
    "LangChain, cleared": cleared,
    "Goose, dropped": middle_out,
    "masked": masked,
}


@dataclass(frozen=True, slots=True)
class Kept:
    """What of one output is left."""

    kind: str
    tokens_fraction: float
    kept: int
    wanted: int
    said_fraction: float | None
    scored_fraction: float | None
    scored_kept: int
    scored_wanted: int


def measure(output: Output, way: Callable[[Output, int], str], kind: str) -> Kept:
    """Return what is left of an output when it was shortened in this way."""
    text = way(output, int(output.tokens * FRACTION))

    def kept(strings: frozenset[str]) -> int:
        return sum(string in text for string in strings)

    def fraction(strings: frozenset[str]) -> float | None:
        return kept(strings) / len(strings) if strings else None

    return Kept(
        kind=kind,
        tokens_fraction=_count(text) / output.tokens,
        kept=kept(output.again),
        wanted=len(output.again),
        said_fraction=fraction(output.again_said),
        scored_fraction=fraction(output.again_scored),
        scored_kept=kept(output.again_scored),
        scored_wanted=len(output.again_scored),
    )


def _mean(values: Sequence[float | None]) -> float:
    there = [value for value in values if value is not None]
    return mean(there) if there else 0.0


def _line(name: str, kept: Sequence[Kept], *, scored: bool) -> str:
    by_output = _mean([one.kept / one.wanted if one.wanted else None for one in kept])
    micro = sum(one.kept for one in kept) / max(1, sum(one.wanted for one in kept))
    said = _mean([one.said_fraction for one in kept])
    largest = max(one.tokens_fraction for one in kept)
    line = f"{name:<26}{len(kept):>8}{largest:>8.3f}{by_output:>8.3f}{micro:>8.3f}{said:>8.3f}"
    if scored:
        scored_micro = sum(one.scored_kept for one in kept) / max(1, sum(one.scored_wanted for one in kept))
        line += f"{_mean([one.scored_fraction for one in kept]):>10.3f}{scored_micro:>8.3f}"
    return line


def _scorer(path: Path) -> Strings:
    """Return the scorer's own function from a text to its strings."""
    spec = importlib.util.spec_from_file_location("scorer", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} is no Python script")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    atoms: Strings = module.atoms
    return atoms


def main() -> int:
    """Print one line for each way, and for each kind of output.

    Exit code 1 where ours keeps too little, or is too long.
    """
    parser = argparse.ArgumentParser(prog="python -m ops.eval.distillation", description=__doc__)
    parser.add_argument("data", type=Path, help="conversations as JSON lines, .zst or not")
    parser.add_argument("--score", type=Path, help="a script with a function `atoms(text)`, for a second opinion")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="take only every Nth output, for a quick look"
    )
    arguments = parser.parse_args()
    scored = _scorer(arguments.score) if arguments.score else lambda _: set()
    taken = [one for talk in load(arguments.data).conversations for one in outputs(talk, scored)][:: arguments.every]
    if not taken:
        sys.exit(f"{arguments.data} has no tool outputs of more than {TOKENS_MIN} tokens")
    kinds = [distill(ToolOutput(one.text, one.tool, one.told), chars_max=len(one.text) // 4).method for one in taken]
    print(
        f"{len(taken)} tool outputs of more than {TOKENS_MIN:,} tokens, {sum(one.tokens for one in taken):,} tokens "
        "in all, each to a quarter: the share of strings that later messages hold again and that are still there"
    )
    header = f"{'':<26}{'outputs':>8}{'tokens':>8}{'mean':>8}{'micro':>8}{'said':>8}"
    print(header + (f"{'scorer':>10}{'micro':>8}" if arguments.score else ""), flush=True)
    results: dict[str, list[Kept]] = {}
    for name, way in WAYS.items():
        results[name] = [measure(one, way, kind) for one, kind in zip(taken, kinds, strict=True)]
        print(_line(name, results[name], scored=bool(arguments.score)), flush=True)
    print("Tailrace, by kind")
    by_kind: dict[str, list[Kept]] = defaultdict(list)
    for one in results["Tailrace"]:
        by_kind[one.kind].append(one)
    for kind, kept in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        print(_line(f"  {kind}", kept, scored=bool(arguments.score)))
    ours = results["Tailrace"]
    reached = _mean([one.kept / one.wanted if one.wanted else None for one in ours]) >= TARGET
    return not (reached and all(one.tokens_fraction <= FRACTION for one in ours))


if __name__ == "__main__":
    sys.exit(main())
