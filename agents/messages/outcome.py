"""How a tool's work ended: read from its exit code, a stack trace at its end, or words that refuse.

Looked at are the beginning and the end, where outcomes stand. Text may be JSON inside JSON: quotes may have backslashes
before them.
"""

import re

from tailrace.agents.messages.last_trace import ends_with_trace
from tailrace.schemas.records.envelope import Outcome
from tailrace.schemas.records.parts import ToolCallResponsePart

#: How much is read at both ends.
READ_CHARS = 200
#: A result that only says what went wrong is not longer than this; a file that was read mostly is.
COMPLAINT_CHARS_MAX = 400

_BROKEN = re.compile(r"(?:Error|Exception|Traceback|fatal|panic|FAILED)\b")
_REFUSED_FIELD = re.compile(
    r"\"(?:is_?error\\*\": ?true|(?:success|succeeded|ok|applied)\\*\": ?false|"
    r"(?:status|outcome|result|state)\\*\": ?\\*\"(?:error|fail|reject|denied|refused|declined|bounced|timed? ?out)|"
    r"(?:error|fehler|erreur|errore|erro|fout|błąd|blad|ошибка)\\*\": ?(?:\\*\"[^\"\\]|\{|true)|errors\\*\": ?\[[^\]]|"
    r"(?:status|outcome|result|state)\\*\": ?\\*\"rolled[ _]?back\\*\"[^{}]{0,200}\"(?:reason|error|cause)\\*\": "
    r"?\\*\"\w)"
)
#: How a complaint begins.
_COMPLAINT = re.compile(
    r"[\W_]{0,4}(?:\w*error\b[>:\]]|error\b(?! ?handl)|\w*(?:error|exception)\b|traceback|fatal\b|panic\b"
    r"|fail(?:ed|ure)\b|"
    r"e(?:noent|acces|perm|exist|isdir)\b|(?:permission|access) denied|not found|no such|cannot |can't |could(?: "
    r"not|n't) |"
    r"unable to |invalid |no replacement|no match|unauthorized|forbidden|timed? ?out|aborted|refused|rejected|declined|"
    r"(?:fehler|erreur|errore|erro|fout|błąd|ошибка)\b|zugriff verweigert|"
    r"the user (?:doesn't want|does not want|rejected|denied|declined|refused))"
)
#: One of these words stands in the first line of every complaint that begins with a word; looking for them is much
#: faster.
_WORDS = (
    "error exception traceback fatal panic failed failure enoent eacces eperm eexist eisdir denied no not cannot "
    "can't could couldn't "
    "unable invalid unauthorized forbidden timeout timed time aborted refused rejected declined doesn't didn't "
    "directory read-only exists "
    "fehler erreur errore erro fout błąd ошибка verweigert"
)
_COMPLAINING = frozenset(
    f"{form}{end}"
    for word in _WORDS.split()
    for form in (word, word.capitalize(), word.upper())
    for end in ("", ".", ",", ":", ";")
)
#: What stands in the first line of one.
_COMPLAINED = re.compile(
    r"not found\b|no such |(?:does not|doesn't) exist|did(?: not|n't) (?:match|appear|apply|change)|not unique|"
    r"(?:has|have) not been |(?:was|were) not |permission denied|access denied|(?:was|were|been) (?:rejected"
    r"|denied|refused)|"
    r"is a directory|read-only|already exists|not (?:permitted|allowed)|(?:rejected|denied|declined|refused) by "
    r"(?:the )?user"
)
#: What Claude Code says for a call that a person stopped.
_INTERRUPTED = "[request interrupted by user"


def ends_of(text: str) -> str:
    """Beginning and end of a text."""
    return text if len(text) <= 2 * READ_CHARS else f"{text[:READ_CHARS]}\n{text[-READ_CHARS:]}"


def outcome_of(text: str, exit_code: int | None, *, only_looked: bool) -> Outcome:
    """The outcome. What a tool that only looked has shown may end with an error of somebody else."""
    if exit_code is not None:
        return Outcome.OK if exit_code == 0 else Outcome.ERROR
    failed = _BROKEN.match(text) is not None or (not only_looked and ends_with_trace(text))
    return Outcome.ERROR if failed else Outcome.UNKNOWN


def failed(text: str) -> bool:
    """Tell whether a tool that was to change something says that it did not."""
    begin = text[:READ_CHARS]
    # So most editors end, and nothing else is looked at then.
    if "successfully" in begin and " not " not in begin:
        return False
    words = begin.partition("\n")[0].split()
    if words and words[0].isalpha() and _COMPLAINING.isdisjoint(words):
        return False
    begin = begin.lstrip().lower()
    if begin.startswith(_INTERRUPTED):
        return True
    if begin.startswith(("{", "[", '"')):
        return _REFUSED_FIELD.search(ends_of(text).lower()) is not None
    return _COMPLAINT.match(begin) is not None or _COMPLAINED.search(begin.partition("\n")[0]) is not None


def is_refusal(result: ToolCallResponsePart) -> bool:
    """Tell whether the producer of a result marks it as a failure, as Anthropic, LangChain or Gemini do."""
    extra, response = result.extra, result.response
    if extra and (extra.get("is_error") is True or extra.get("status") == "error"):
        return True
    return isinstance(response, dict) and response.keys() == {"error"}
