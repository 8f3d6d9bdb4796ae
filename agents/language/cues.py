"""What single words give away: a demand, a decision, an error, a tool or a command that changes the world.

Word lists, not understanding: they err, and cost next to nothing. Demands are known in a dozen languages (`rule_words`), because losing
one is the worst that a summary can do.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from tailrace.agents.language.conclusion_words import CONCLUSIONS, UNSPACED_CONCLUSIONS
from tailrace.agents.language.rule_words import DEMANDS, UNSPACED_DEMAND, WISHES

#: What a word gives away. No name of anything looks like these.
DEMAND = "!!"
#: Advice, or a word that often stands in a demand.
WISH = "!?"
DECISION = "=>"
#: A reason, a denial, or how something went.
CONCLUSION = "=!"

_WORDS = {
    DEMAND: DEMANDS,
    WISH: WISHES,
    DECISION: "decided decide decision because cause turns instead found confirmed confirms concluded conclusion agreed chose "
    "chosen fixed works passes passing remaining remains still next summary result results root reason issue problem "
    "weil deshalb entschieden parce décidé porque decidido perché deciso",
    CONCLUSION: " ".join(sorted(CONCLUSIONS)),
}
_SETS = {cue: frozenset(words.split()) for cue, words in _WORDS.items()}
#: By word, in small letters.
CUES: dict[str, tuple[str, ...]] = {
    word: tuple(cue for cue, words in _SETS.items() if word in words)
    for word in dict.fromkeys(" ".join(_WORDS.values()).split())
}

_WORD = re.compile("[^\\W_][\\w'\u2019]*")
_DEMANDS, _WISHES = frozenset(DEMANDS.split()), frozenset(WISHES.split())

_ERROR = re.compile(
    r"(?:Error|Exception)\b|(?:error|ERROR)(?:\[\w+\])?:|\bERROR\b|FAIL(?!\w*\s*[:=]\s*0\b)|(?<!\b0 )\b[Ff]ailed\b(?!\s*[:=]\s*0\b)|fatal:|panic:|Traceback|[Dd]enied|"
    r"[Nn]o such|[Nn]ot found|[Tt]imed out|[Ee]xit(?:ed with)?(?: code| status)?:? [1-9]"
)
#: Every error has one of these in it, and looking for them is much faster.
_ERROR_PARTS = (
    *("rror", "ERROR", "xception", "FAIL", "ailed", "fatal", "panic", "Traceback", "enied", "o such", "ot found"),
    *("imed out", "xit"),
)

#: Verbs in names of tools that change something; and of those that only look, or keep an agent's own list.
_CHANGING_VERBS = (
    "accept activate add append apply approve archive assign book buy cancel close comment commit copy cp create deactivate "
    "delete deploy deposit disable edit enable exchange fill follow forward grant import insert install invite lock make "
    "merge mkdir modify move multiedit mv order overwrite patch pay place post publish purchase push put refund register "
    "reject release remove rename reopen replace reply reserve reset resolve restart restore return revert revoke rm rmdir "
    "rotate save schedule sell send set share sign start stop submit subscribe swap tag touch transfer trigger tweet undo "
    "uninstall unlock unsubscribe update upload upsert withdraw write"
)
_LOOKING_VERBS = (
    "browse calculate cat check count describe fetch find get glob grep head id inspect list load look lookup ls open output "
    "plan print query read retrieve scan search show status tail think todo todos view wait"
)
_CHANGING, _LOOKING = frozenset(_CHANGING_VERBS.split()), frozenset(_LOOKING_VERBS.split())
#: What only tries something, in names of operations.
_TRYING = frozenset(("check", "diff", "dry", "preview", "simulate", "validate", "verify"))
#: In names of tools that run programs.
_RUNNING_WORDS = "bash cmd command console exec execute powershell pwsh run sh shell terminal zsh"
_RUNNING = frozenset(_RUNNING_WORDS.split())
#: In names of tools that keep an agent's own list, whatever they do to it.
_OWN_WORDS = frozenset(("plan", "think", "todo", "todos"))
#: Tools of coding agents that keep the agent's own list under names that say otherwise.
_OWN_LISTS = frozenset({"taskcreate", "taskupdate", "taskstop"})
#: In names of tools that write something as a whole; and of those behind which another agent works.
_OVERWRITING = frozenset(("create", "overwrite", "save", "write"))
_DELEGATING = frozenset(("agent", "delegate", "subagent", "task"))
_VERBS = _CHANGING | _LOOKING | _TRYING
_WORD_OF_TOOL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

#: As many as there are, they mean no more than the first: each rule below would go over all of them from each of them.
_BLANKS = re.compile(r"\s{2,}")
#: At the start of a command: programs that change something, and a redirection into a file.
_CHANGING_COMMAND = re.compile(
    r"(?:^|[;&|(]\s*|\n\s*|\bsudo\s+|(?:^|\s)[A-Z]\w*=\S*\s+)(?:"
    r"git\s+(?:-[Cc]\s+\S+\s+|--no-pager\s+){0,8}(?:add|am|apply|checkout|cherry-pick|clone|commit|init|merge|mv|pull|push|rebase|reset|"
    r"restore|revert|rm|stash(?!\s+(?:list|show))|switch|worktree\s+(?!list)|(?:branch|tag)\s+(?:-[A-Zacdfms]+\s+)?[A-Za-z]\w*)|"
    r"mv|cp|rm|mkdir|rmdir|touch|ln|chmod|chown|tee|patch|truncate|kill|sed\s+(?:-\w+\s+){0,8}-i|edit|create|"
    r"(?:npm|pnpm|yarn|bun|pip|uv|cargo|go|apt|apt-get|brew|gem)\s+(?:pip\s+)?"
    r"(?:add|get|i|install|publish|remove|uninstall|update|upgrade)|"
    r"gh\s+\w+\s+(?:close|comment|create|delete|edit|merge|reopen)|"
    r"(?:kubectl|helm|terraform|docker|systemctl)\s+"
    r"(?:apply|build|create|delete|destroy|install|restart|rm|run|scale|start|stop|upgrade)"
    r")\b|(?<![0-9&>-])>>?\s*[\w./~$\"]"
)


def cues_of(word: str) -> tuple[str, ...]:
    """Return what the word gives away, in whatever case it is written."""
    return CUES.get(word.lower(), ())


def cue_words(cue: str) -> frozenset[str]:
    """Return the words, in small letters, that give this away."""
    return _SETS[cue]


def is_unspaced_demand(text: str) -> bool:
    """Tell whether text in a script without spaces asks for something to be done, or not to be done."""
    return not text.isascii() and UNSPACED_DEMAND.search(text) is not None


def demand_of(sentence: str) -> str | None:
    """Return whether a sentence demands something, or wishes for it: `DEMAND`, `WISH` or None."""
    words = {word.lower().replace("\u2019", "'") for word in _WORD.findall(sentence)}
    if words & _DEMANDS or is_unspaced_demand(sentence):
        return DEMAND
    return WISH if words & _WISHES else None


def is_unspaced_conclusion(text: str) -> bool:
    """Tell whether text in a script without spaces gives a reason, denies something, or tells how it went."""
    return not text.isascii() and holds_any(text, UNSPACED_CONCLUSIONS)


def holds_any(text: str, parts: Iterable[str]) -> bool:
    """Tell whether one of these stands in the text."""
    # Asked of every statement and every result: `any` takes twice as long.
    for part in parts:  # noqa: SIM110
        if part in text:
            return True
    return False


def may_hold_errors(text: str) -> bool:
    """Tell whether it is worth looking for errors in the text, or in its lines."""
    return holds_any(text, _ERROR_PARTS)


def has_error(text: str, begin: int, end: int) -> bool:
    """Tell whether that part of a text reports that something went wrong."""
    return _ERROR.search(text, max(0, begin), end) is not None


def is_error(line: str) -> bool:
    """Tell whether the line reports that something went wrong."""
    return may_hold_errors(line) and _ERROR.search(line) is not None


@lru_cache(maxsize=1024)
def tool_changes(tool: str) -> bool:
    """Tell whether a tool of this name changes something outside of the conversation."""
    words = _words_of(tool)
    return bool(words & _CHANGING) and not words & _LOOKING and tool.lower() not in _OWN_LISTS


@lru_cache(maxsize=1024)
def call_changes(tool: str, operation: str) -> bool:
    """Tell whether a tool changes something when it is told to do this; its name tells where it is told nothing."""
    words = _words_of(operation)
    if not is_verb(operation) or _words_of(tool) & _OWN_WORDS:
        return tool_changes(tool)
    return bool(words & _CHANGING) and not words & _TRYING


@lru_cache(maxsize=1024)
def is_verb(operation: str) -> bool:
    """Tell whether a word is known for something that tools do."""
    return not _words_of(operation).isdisjoint(_VERBS)


@lru_cache(maxsize=1024)
def tool_runs(tool: str) -> bool:
    """Tell whether a tool of this name runs programs."""
    return not _words_of(tool).isdisjoint(_RUNNING)


@lru_cache(maxsize=1024)
def tool_looks(tool: str) -> bool:
    """Tell whether a tool of this name only shows what is there."""
    return bool(_words_of(tool) & _LOOKING)


@lru_cache(maxsize=1024)
def tool_overwrites(tool: str) -> bool:
    """Tell whether a tool of this name writes something anew, as a whole."""
    return not _words_of(tool).isdisjoint(_OVERWRITING)


@lru_cache(maxsize=1024)
def tool_delegates(tool: str) -> bool:
    """Tell whether another agent does what a tool of this name is told."""
    return not _words_of(tool).isdisjoint(_DELEGATING) and tool.lower() not in _OWN_LISTS


def command_changes(command: str) -> bool:
    """Tell whether a shell command changes something."""
    return _CHANGING_COMMAND.search(_BLANKS.sub(_shortest, command)) is not None


def _shortest(blanks: re.Match[str]) -> str:
    return "\n" if "\n" in blanks[0] else " "


def _words_of(tool: str) -> set[str]:
    return {word.lower() for word in _WORD_OF_TOOL.findall(tool)}
