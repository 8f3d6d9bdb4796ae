"""What a model reads in the place of what left its context. The prefixes are stable: readers and tests go by them.

A change of any of these texts is a change of what models see: raise `WORDING_VERSION`, and look at the golden contexts.
"""

import re
from collections.abc import Iterable, Sequence

import msgspec

WORDING_VERSION = 4

SUMMARY_PREFIX = "[Context Summary - Turns {first}-{last}]"
#: Of turns that another summary tells of too.
PARTIAL_SUMMARY_PREFIX = "[Context Summary - Turns {first}-{last}, in part]"
POINTER_PREFIX = "[Externalized Content - artifact:{artifact_id}]"
DISTILLED_PREFIX = "[Distilled tool output - artifact:{artifact_id}]"
REHYDRATED_PREFIX = "[Rehydrated Content - artifact:{artifact_id}]"
LEDGER_PREFIX = "[In force]"
PRUNED_PREFIX = "[Pruned - "
PRUNED_STUB = PRUNED_PREFIX + "{tokens} tokens]"
TOOL_RESULTS_PREFIX = "[Tool results: "
REPEATED_PREFIX = "[Same content as a later tool result - artifact:"
_NO_RESULT = "[No result - "
_LATE = "[Late result of tool call "
_LATE_WRITTEN = f'"{_LATE}'.encode()
_LATE_RESULT = re.compile(rf"^{re.escape(_LATE)}([^\n]+)\]\n", re.MULTILINE)
_SUMMARY = re.compile(r"\[Context Summary - Turns \d+-\d+(?:, in part)?\]\s*")
_DISTILLED = re.compile(r"\[Distilled tool output - artifact:[0-9a-f]+\][^\n]*\n")
_POINTER = re.compile(
    r"\[Externalized Content - artifact:(?P<id>[0-9a-f]+)\] \d+ tokens"
    r'(?:; read_artifact\("(?P=id)"\) returns all of it\.)?'
)
#: Behind the beginning of a result that no call brings again.
WHOLE_NOTE = "(all of it: artifact:{artifact_id})"
#: In the middle of a text that was cut, where the same message says above what is missing and where it is.
CUT_NOTE = "[...]"
ARGUMENT_NOTE = "... [{chars} characters in all]"


def summary_text(body: str, first_turn: int, last_turn: int, *, in_part: bool = False) -> str:
    """Text of a summary of these turns, or of a part of them."""
    prefix = (PARTIAL_SUMMARY_PREFIX if in_part else SUMMARY_PREFIX).format(first=first_turn, last=last_turn)
    return f"{prefix}\n{body}" if body else prefix


def without_summary_prefix(text: str) -> str:
    """What a summary says, without which turns it stands for."""
    return _SUMMARY.sub("", text, count=1)


def pointer_text(artifact_id: str, tokens: int, preview: str = "") -> str:
    """Text of a pointer: where the whole content is, how large it is, how to get it, how it begins."""
    prefix = POINTER_PREFIX.format(artifact_id=artifact_id)
    head = f'{prefix} {tokens} tokens; read_artifact("{artifact_id}") returns all of it.'
    return f"{head}\n{preview}" if preview else head


def brief_pointer_text(artifact_id: str, tokens: int) -> str:
    """Text of a pointer where room is scarce: where the whole content is and how large it is."""
    return f"{POINTER_PREFIX.format(artifact_id=artifact_id)} {tokens} tokens"


def left_messages_text(artifact_ids: Sequence[str], tokens: int, messages: int) -> str:
    """Text of one pointer for several messages that have left: their number, their size, and the ids to read."""
    size = f"{tokens} tokens in {messages} messages that did not fit"
    if not artifact_ids:
        return f"[{size}]"
    first, *others = artifact_ids
    text = f'{POINTER_PREFIX.format(artifact_id=first)} {size}; read_artifact("{first}") returns the first'
    return f"{text}, and so on: {', '.join(others)}" if others else text


def pointed_at(text: str) -> str | None:
    """Id of the artifact that a text points to which begins as a pointer; None for any other."""
    pointer = _POINTER.match(text)
    return pointer["id"] if pointer else None


def stands_for_more(text: str) -> bool:
    """Tell whether a text begins as what we write for a longer one that is kept elsewhere."""
    return pointed_at(text) is not None or _DISTILLED.match(text) is not None


def split_at_pointer(text: str, artifact_id: str) -> tuple[str, str, str] | None:
    """What stands before the pointer in a text that was cut before, the pointer, and what stands behind it.

    None where there is none: a pointer to anything else than `artifact_id` counts only where it is all that the text
    says, for a text may quote pointers.
    """
    for pointer in _POINTER.finditer(text):
        before, after = text[: pointer.start()].rstrip("\n"), text[pointer.end() :].lstrip("\n")
        if pointer["id"] == artifact_id or not (before or after):
            return before, pointer[0], after
    return None


def distilled_text(artifact_id: str, tokens: int, tool: str, method: str, body: str) -> str:
    """Text of a distilled tool output: what it is, how long the original is, how to get it back, and what it holds."""
    prefix = DISTILLED_PREFIX.format(artifact_id=artifact_id)
    of_tool = f" of {tool}" if tool else ""
    return (
        f'{prefix} {tokens} tokens{of_tool}, distilled as {method}; read_artifact("{artifact_id}") returns all '
        f"of it.\n{body}"
    )


def without_distilled_prefix(text: str) -> str:
    """What is left of a tool output that was distilled, without what we say of that; any other text as it is."""
    prefix = _DISTILLED.match(text)
    return text[prefix.end() :] if prefix else text


def rehydrated_text(artifact_id: str, body: str, *, cut: bool) -> str:
    """Text of an artifact that was brought back for one turn."""
    prefix = REHYDRATED_PREFIX.format(artifact_id=artifact_id)
    rest = f'; the beginning of it, read_artifact("{artifact_id}", range) returns more' if cut else ""
    return f"{prefix} brought back because it was named; it leaves again with this turn{rest}.\n{body}"


def gone_text(artifact_id: str, reason: str) -> str:
    """Text in the place of an artifact that can't be brought back."""
    return f"{REHYDRATED_PREFIX.format(artifact_id=artifact_id)} {reason}"


def repeated_text(artifact_id: str) -> str:
    """Text in the place of a result that comes again later. That one may leave too, so the note says where both are."""
    return f'{REPEATED_PREFIX}{artifact_id}; read_artifact("{artifact_id}") returns it]'


def stand_in_text(waited_ms: int) -> str:
    """Text in the place of a result that did not come."""
    return (
        f"{_NO_RESULT}the tool did not answer within {waited_ms / 1000:g} s; a result that comes later follows "
        f"as a message]"
    )


def is_stand_in(text: str) -> bool:
    """Tell whether a text stands in the place of a result that did not come."""
    return text.startswith(_NO_RESULT)


def late_result_text(call_id: str, text: str) -> str:
    """Text of a result that came after its call was given up."""
    return f"{_LATE}{call_id}]\n{text}"


def tells_late(written: msgspec.Raw) -> bool:
    """Tell whether a message's JSON holds a late result.

    Only looks at the bytes, so that callers can ask it of every message.
    """
    return _LATE_WRITTEN in bytes(memoryview(written))


def late_results_in(text: str) -> list[tuple[str, str]]:
    """Ids of calls whose results came late in this text, with how each begins."""
    return [(result[1], text[result.end() :]) for result in _LATE_RESULT.finditer(text)]


def late_result_in(text: str) -> tuple[str, str] | None:
    """Id of the call whose late result a text is, and what it says; None for any other text."""
    late = _LATE_RESULT.match(text) if text.startswith(_LATE) else None
    return (late[1], text[late.end() :]) if late else None


def left_out_text(messages: int, tools: Iterable[str]) -> str:
    """Text of a summary that quotes nothing: how much is missing, and which tools were at work."""
    names = ", ".join(tools)
    many = "1 message" if messages == 1 else f"{messages} messages"
    return f"{many} left out; tools used: {names}" if names else f"{many} left out"


def earlier_calls_text(calls: int, tools: Iterable[str]) -> str:
    """Text in front of calls that are told one by one, where those before them are not."""
    return f"{calls} earlier {'call' if calls == 1 else 'calls'} of {', '.join(tools)}"


def tool_results_text(outcomes: Iterable[tuple[str, str, str]], earlier: str = "") -> str:
    """Text that stands for calls and their results: name, arguments and result of each, all of them short."""
    calls = [f"{name}({arguments}) -> {result}" for name, arguments, result in outcomes]
    return f"{TOOL_RESULTS_PREFIX}{'; '.join([earlier, *calls] if earlier else calls)}]"


def shorter_value(value: str, chars_max: int) -> str:
    """Return the beginning of an argument's value and a note of its length, in `chars_max` characters together."""
    note = ARGUMENT_NOTE.format(chars=len(value))
    return value[: chars_max - len(note)] + note if len(note) < chars_max else value[:chars_max]
