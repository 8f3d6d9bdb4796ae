"""The part of a shell command that does something, and what it printed without the words of its harness."""

import re

#: Before what a command does: where it goes, and what it sets for what follows.
_QUOTED_OR_PLAIN = r"(?:\"[^\"\n]*\"|'[^'\n]*'|\$\([^()\n]*\)|[^\s;&|\"'])++"
_BEFORE = re.compile(
    rf"\s*(?:(?:cd\s+{_QUOTED_OR_PLAIN}|set\s+-\w+|(?:export\s+)?(?:[A-Za-z_]\w*={_QUOTED_OR_PLAIN}"
    rf"\s*?)+)[ \t]*(?:&&|;|\n)|"
    rf"[A-Za-z_]\w*={_QUOTED_OR_PLAIN}\s+(?=\w))\s*"
)
_STEPS_MAX = 4
#: Where git is to work, and how it is to show things.
_GIT_OPTIONS = re.compile(rf"git\s+(?:-[Cc]\s+{_QUOTED_OR_PLAIN}\s+|--no-pager\s+)+")
_PAGED = re.compile(r"(?<!\s)(?:\s*+2>&1)?(?:\s*+\|\s*+(?:head|tail)\b[^|;&\n]*)?\s*+$")
#: What some harnesses put before an output: lines of their own, then a heading.
_HEADER = re.compile(r"(?:[A-Z][^\n]{3,70}\n){1,6}Output:\n")

#: All that is left of an output that was taken out of the context.
_NOTE = re.compile(r"\[[A-Za-z][^\[\]\n]*\]")


def doing(command: str) -> str:
    """The command from where it begins to do something; all of it where it only goes somewhere."""
    begin = 0
    for _ in range(_STEPS_MAX):
        before = _BEFORE.match(command, begin)
        if before is None or before.end() == len(command):
            break
        begin = before.end()
    does = command[begin:]
    return _GIT_OPTIONS.sub("git ", does, count=1) if does.startswith("git -") else does


def unpaged(command: str) -> str:
    """The command in one line, without how much of its output is shown: what is run again is the same command."""
    return " ".join(_PAGED.sub("", command).split())


def printed(text: str) -> str:
    """Return what a program printed, without the header that a harness puts before the output of a finished one.

    The text is returned whole where the header may matter, and empty where only a note stands for the output.
    """
    if text.startswith("[") and _NOTE.fullmatch(text):
        return ""
    header = _HEADER.match(text) if "\nOutput:\n" in text[:400] else None
    if header is None or "running" in header[0] or ("code" in header[0] and "code 0\n" not in header[0]):
        return text
    return text[header.end() :]
