"""Whether a call that was to change something says that it did not.

A command of several steps may fail after it has changed something: it counts as not done only where its one change is
what failed.
"""

import re

from tailrace.agents.language.cues import command_changes, holds_any
from tailrace.agents.messages.call_text import result_text
from tailrace.agents.messages.exit_codes import exit_code
from tailrace.agents.messages.outcome import ends_of, failed, is_refusal
from tailrace.schemas.records.parts import ToolCallResponsePart

#: How much of a command is looked at.
_READ_CHARS = 2_000
#: What is no command, though it stands in one: texts in quotation marks, and those that follow a command up to a mark.
_QUOTED = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?.*?(?:\n\s*\1\b|\Z)|\"[^\"]*\"|'[^']*'", re.DOTALL)
_STEP_END = re.compile(r"&&|\|\||[;\n]")
#: What git says where there was nothing to do.
_NOTHING = ("nothing to commit", "nothing added to commit", "no changes added to commit")
#: What shows what is there, by its program; to go somewhere first, or to pick some of it, changes nothing of that.
_LOOKING = re.compile(
    r"\s*(awk|cat|cd|column|cut|echo|find|grep|head|jq|less|ls|nl|printf|pwd|rg|sed(?!\s+(?:-\w+\s+)*-i)|sort"
    r"|tail|tr|tree|uniq|wc|"
    r"gh\s+\w+\s+(?:diff|list|view)|"
    r"git\s+(?:-[Cc]\s+\S+\s+|--\S+\s+)*(?:blame|diff|grep|log|show|status))(?:\s|$)"
)
_PROGRAM_END = re.compile(r"&&|[;\n|]+")
#: How a harness begins that says itself how a command ended.
_WRAPPED = ("Exit code", "Chunk ID", "Process exited", "{")
#: How programs complain in whose place nobody else does.
_COMPLAINTS = ("fatal:", "error:")
_COMPLAINT_CHARS_MAX = 60


def shows_errors_of_others(command: str, text: str) -> bool:
    """Tell whether errors in a command's output are not its own.

    They are not where it only showed something, such as a log, and does not itself complain.
    """
    programs = []
    for step in _PROGRAM_END.split(_QUOTED.sub('""', command[:_READ_CHARS])):
        looking = _LOOKING.match(step)
        if looking:
            programs.append(looking[1].split()[0])
        elif step.strip():
            return False
    if text.startswith(_WRAPPED):
        code = exit_code(ends_of(text))
        return bool(programs) and (code == 0 or (code is None and not failed(text)))
    begin = text[:_COMPLAINT_CHARS_MAX].partition("\n")[0]
    return bool(programs) and not (
        begin.startswith(_COMPLAINTS) or holds_any(begin, [f"{program}:" for program in programs])
    )


def ended_badly(text: str) -> bool:
    """Tell whether a command says that it ended with another code than 0."""
    return exit_code(ends_of(text)) not in (None, 0)


def says_failure(result: ToolCallResponsePart) -> bool:
    """Tell whether a result may say of any call that it was not done."""
    text = result_text(result)
    return _refused(result, text) or ended_badly(text)


def not_done(result: ToolCallResponsePart, text: str, command: str) -> bool:
    """Tell whether a result, which says `text`, says that what its call was to change is not changed."""
    if not command:
        return _refused(result, text) or _program_failed(text)
    code = exit_code(ends_of(text))
    if code == 0:
        return False
    refused = _refused(result, text)
    if code is None and not refused:
        return False
    steps = [step for step in _STEP_END.split(_QUOTED.sub('""', command[:_READ_CHARS])) if step.strip()]
    changing = [place for place, step in enumerate(steps) if command_changes(step.strip())]
    if len(changing) > 1:
        return False
    return refused or not changing or changing[0] == len(steps) - 1


def _refused(result: ToolCallResponsePart, text: str) -> bool:
    return is_refusal(result) or failed(text) or holds_any(ends_of(text), _NOTHING)


def _program_failed(text: str) -> bool:
    """Tell whether a tool that reports on a program says that the program failed.

    Only such a report counts: an editor may show a file that names any exit code.
    """
    code = exit_code(ends_of(text)) if text.startswith(("{", "Exit code")) else None
    return code is not None and code != 0
