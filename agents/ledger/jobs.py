"""What goes on after a call has its result: commands in the background, agents, jobs, timers, reminders; and what says that one has ended.

Told by the form of arguments and results, whichever runtime wrote them: a switch or a command that sends work to the background, an id or a
time beside a word such as running or scheduled. What a tool that only looks says about somebody's job begins nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import msgspec

from tailrace.agents.language import cues
from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.due_times import due_in
from tailrace.agents.ledger.job_words import is_doubted, tells_end
from tailrace.agents.ledger.plan_calls import writes_plans
from tailrace.agents.messages.call_text import call_target
from tailrace.agents.messages.exit_codes import exit_code
from tailrace.agents.messages.outcome import COMPLAINT_CHARS_MAX, failed
from tailrace.schemas.records.ledger import Obligation, ObligationKind
from tailrace.schemas.records.parts import Json, ToolCallPart

#: What a tool says of its work stands at the beginning; of a job in a list, near its id.
_READ_CHARS, _NEAR_CHARS = 300, 120
ID_CHARS_MAX, COMMAND_CHARS_MAX = 64, 80
#: A tool that has begun something says no more than this; one that has shown something often does.
TOLD_CHARS_MAX = 1_000
_NAME_CHARS_MIN = 3

_SWITCH = re.compile(r"background|detach|daemon|async|no_?wait|nowait|non_?blocking", re.IGNORECASE)
#: One of these is in arguments that send work to the background, and looking for them is much faster.
_SWITCHES = ("ackground", "detach", "aemon", "sync", "no_wait", "nowait", "locking")
#: A command that goes on when its shell is back: `&` at its end or before the next one, and programs made for it.
_LEAVES_RUNNING = re.compile(
    r"[\w)\"'/*%+-]\s*(?<![&>|\\])&(?=\s|$|\))|\bdisown\b|\b(?:docker|podman)(?:\s+compose)?\s+(?:run|up)\b[^\n;|&]*\s-d\b|"
    r"\btmux\s+new(?:-session)?\b[^\n;|&]*\s-d\b|\bscreen\s+-\w*d\w*m|\bsystemd-run\b|\bpm2\s+start\b|\bat\s+(?:now|\d)|\bsbatch\b"
)
_LEAVING = (" -d ", "sbatch", "screen -", "systemd-run", "pm2 ")
_AMPERSAND = re.compile(r"(?<![&>|\\])&(?![&>\d\w])")
#: Whoever runs commands says that one goes on, at the beginning of a line of its own.
_HARNESS = re.compile(
    r"^\W*(?:the |your |this )?(?:process|command|shell|session|terminal)\b[^\n]{0,60}\brunning\b|^\W*<?status\W+running\b",
    re.MULTILINE,
)
#: A command is a text, or a list of words.
_COMMANDS = (str, list)
_REDIRECTED = re.compile(r"\s*(?:\d?>&\d|&?\d?>>?\s*(?:\"[^\"]*\"|[^\s&|;]+))|\bnohup\s+")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'")
#: Behind it, in the same command, the shell waits for what it started, or ends it.
_WAITED = re.compile(r"&.*(?:\bwait\b|\bkill\b)", re.DOTALL)

_JOB = (
    r"(?:job|task|run|process|session|shell|bash|agent|subagent|timer|reminder|alarm|execution|build|deployment|operation|schedule|cron|"
    r"workflow|pipeline|export|import|backup|batch|crawl|scan|monitor|watch|worker|terminal)"
)
#: What is made only to come up later, or to work on its own: it goes on wherever one was made.
_LATER = r"(?:timer|reminder|alarm|cron|schedule|job|agent|subagent|monitor|watch)"
_VALUE = r"[\"'`\s]*[:=#]?[\"'`\s]*(?P<{}>(?=[\w.:-]*\d|[\w-]*_)[A-Za-z0-9][\w.:-]*[\w]|\d+)"
#: `job_id: x`, `"sessionId": 7`, `background with ID: b1`, `pid 4711`, `[1] 4711`.
_ID = re.compile(
    rf"(?P<noun>{_JOB})s?(?:[ _-]?(?:id|ID|Id|number|no\.?))?{_VALUE.format('of_noun')}|(?<![a-z])(?:id|ID|Id|pid|PID){_VALUE.format('of_id')}|"
    r"^\[\d+\] (?P<of_shell>\d+)\s*$|^(?P<alone>\d{2,7})\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_STATUS = re.compile(
    r"\b(?:status|state|phase)[\\\"'>]*\s*[:=>]?\s*[\\\"']*(?P<word>[a-z]+(?:[ _-][a-z]+)?)", re.IGNORECASE
)
_GOES_ON = words(
    "running started starting launched spawned scheduled queued enqueued submitted pending accepted processing initiated dispatched active armed waiting "
    "working in_progress ongoing created building deploying"
)
#: In words, in small letters. A word of these alone may stand in any output.
_STARTED = re.compile(
    r"\b(?:(?:still |now |is |are )?running|started|launched|spawned|queued|enqueued|submitted|dispatched|initiated|triggered|kicked off|moved to the background|"
    r"in (?:the )?background|in progress|gestartet|läuft|démarré|lancé|iniciado|en curso|已启动|正在运行|已提交|運行中|実行中)\b"
)
_SCHEDULED = re.compile(
    r"\b(?:scheduled|rescheduled|(?:reminder|timer|alarm|alert|wake-?up)(?: \w+)? (?:is |was |has been )?(?:set|created|added|started|armed)|set (?:a |the )?(?:reminder|timer|alarm)|"
    r"will (?:fire|run|ring|remind|trigger|start)|next run|fires? (?:at|in)|geplant|erinnerung (?:\w+ )?(?:gesetzt|erstellt)|programmé|programad[oa]|recordatorio \w+|rappel \w+|已设置|已安排|提醒已)"
)
#: A point in time, or how long until one.
_TIME = re.compile(
    r"\b\d{1,2}[:h.]\d{2}\b|\b\d{4}-\d{2}-\d{2}|\b(?:in|for|every|nach|dans|en|alle) (?:\d+|an?|one|ein\w*|une?) ?(?:s|sec|min|h|m|hour|day|week|stund|minut|tag|heure|jour|hora|día)\w*\b|"
    r"\b\d+ ?(?:seconds?|minutes?|hours?|days?|minuten|stunden|minutos|am|pm|uhr|点|分钟|小时)\b|(?:[\d*/,-]+ ){4}[\d*/,-]+|\b(?:tomorrow|tonight|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|morgen|demain|mañana)\b|明天",
    re.IGNORECASE,
)
_ENDED_WORDS = (
    "finished exited killed completed complete terminated cancelled canceled stopped succeeded success successful failed failure error done deleted removed fired dismissed "
    "expired closed aborted interrupted ended shutdown timed_out not_found"
)
_ENDED_STATUS = words(_ENDED_WORDS)
#: In the answer to whoever asks after one that is not there any more.
_GONE = re.compile(
    r"\bno (?:such |running )?(?:\w+ )?(?:job|task|process|session|shell|agent|timer|reminder)\b.*\b(?:found|exists?|id)\b|\bnot found\b|\bunknown\b|\bdoes(?:n't| not) exist\b"
)
_ENDING_VERBS = words(
    "kill stop cancel terminate delete remove abort close clear unschedule dismiss interrupt end shutdown"
)
_EDITING_VERBS = words("edit multiedit write patch replace insert todo todos plan think question answer reply comment")
_STARTING_VERBS = words(
    "start spawn launch schedule submit dispatch delegate trigger remind reminder timer alarm cron enqueue queue set run exec execute create add watch monitor task agent subagent"
)
#: Of these, what sets work going that a result calls no job.
_SETS_GOING = words("start spawn launch dispatch delegate trigger enqueue begin")
#: Ends the name of a state that leads to another.
_ON_THE_WAY = ("ing", "requested", "accepted")
_KILL = re.compile(
    r"\b(?:kill|pkill|killall|taskkill|(?:docker|podman)(?: compose)? (?:stop|kill|rm|down)|systemctl stop|tmux kill-session|pm2 (?:stop|delete)|scancel|atrm)\b"
)
#: One of these is in what tools say of work that goes on, and looking for them is much faster.
_STARTING_PARTS = (
    *words("running start launch queue submit accept background progress pending schedul remind timer alarm _id id:"),
    *words("läuft geplant erinnerung lancé program recordatorio rappel 已 実行"),
    "id ",
)
#: In what programs and those who run them say of it.
_RUNNING_PARTS = ("running", "submitted", "queued", "started", "scheduled", "background")
_WORD_OF_TOOL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_decoded = str.maketrans("\\", " ")


@dataclass(frozen=True, slots=True)
class Started:
    """Work that goes on, by the id that its tool gave it; empty where it gave none."""

    id: str
    #: Comes up at its time, and does nothing until then.
    scheduled: bool = False

    def job(self, call: Obligation, text: str) -> Obligation:
        """The work as what is owed, told as the call that began it, with the id by which one asks after it; `text` is the result."""
        told = _shortened(call.text) if cues.tool_runs(call.text.partition(" ")[0]) else call.text
        due_ms = (call.due_ms or due_in(text, call.since_ms, alone=True)) if self.scheduled else 0
        return msgspec.structs.replace(
            call,
            kind=ObligationKind.SCHEDULED if self.scheduled else ObligationKind.BACKGROUND,
            text=f"{told} [{self.id}]" if self.id and self.id not in told else told,
            key=self.id or call.key,
            due_ms=due_ms,
            waits=bool(due_ms),
            plan=None,
        )


def _shortened(told: str) -> str:
    """A command without where its output goes, and without what its shell did afterwards."""
    told = _REDIRECTED.sub("", told)
    end = _AMPERSAND.search(told)
    told = told[: end.start()].rstrip() if end and end.start() > _NAME_CHARS_MIN else told
    return told if len(told) <= COMMAND_CHARS_MAX else told[: COMMAND_CHARS_MAX - 2].rstrip() + " …"


@lru_cache(maxsize=1024)
def _verbs_of(tool: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD_OF_TOOL.findall(tool))


class _Tool(Enum):
    """What is to be looked for in the result of a tool, by its name."""

    #: It only looks, or works on files and lists: it leaves nothing running.
    NOTHING = 0
    PLANS = 1
    RUNS = 2
    OTHER = 3


_NOTHING, _PLANS, _RUNS = _Tool.NOTHING, _Tool.PLANS, _Tool.RUNS


@lru_cache(maxsize=1024)
def _kind_of(tool: str) -> _Tool:
    if cues.tool_looks(tool) or not _verbs_of(tool).isdisjoint(_EDITING_VERBS):
        return _PLANS if writes_plans(tool) else _NOTHING
    return _RUNS if cues.tool_runs(tool) else _PLANS if writes_plans(tool) else _Tool.OTHER


def sends_away(call: ToolCallPart) -> bool:
    """Tell whether a call asks for work that goes on by itself: a switch says so, or the command."""
    kind = _kind_of(call.name)
    if kind is _NOTHING or not _may_send_away(call.arguments, runs=kind is _RUNS):
        return False
    _, command, _, arguments = call_target(call)
    return (bool(command) and _leaves_running(command)) or _switched(arguments)


def _may_send_away(arguments: Json, *, runs: bool) -> bool:
    if isinstance(arguments, str):
        return ("true" in arguments and cues.holds_any(arguments, _SWITCHES)) or (runs and _may_leave(arguments))
    if not isinstance(arguments, dict):
        return False
    for key, value in arguments.items():
        if value is True:
            if _SWITCH.search(key):
                return True
        elif (
            runs and type(value) in _COMMANDS and _may_leave(value if type(value) is str else " ".join(map(str, value)))
        ):
            return True
    return False


def _may_leave(command: str) -> bool:
    if "&" in command and "&" in command.replace("&&", "").replace(">&", "").replace("&>", ""):
        return True
    return command.endswith(" -d") or cues.holds_any(command, _LEAVING)


def only_looks(call: ToolCallPart) -> bool:
    """Tell whether nothing goes on, or holds, after a call, whatever its result says."""
    return _kind_of(call.name) is _NOTHING


def may_start(call: ToolCallPart, text: str) -> bool:
    """Tell at little cost whether something may go on, or hold, after a call has its result; most leave nothing."""
    if (kind := _kind_of(call.name)) is _NOTHING:
        return False
    return kind is _PLANS or _may_send_away(call.arguments, runs=kind is _RUNS) or _may_tell(kind, text)


def _may_tell(kind: _Tool, text: str) -> bool:
    """Whether a result may tell of work that goes on: it is short then, but for what a command has printed already."""
    if kind is _RUNS:
        if len(text) > COMPLAINT_CHARS_MAX:
            return "unning" in text[:_READ_CHARS]
        return cues.holds_any(text.lower(), _RUNNING_PARTS)
    return len(text) <= TOLD_CHARS_MAX and cues.holds_any(text[:_READ_CHARS].lower(), _STARTING_PARTS)


def started_by(call: Obligation, text: str) -> Started | None:
    """What a call that did not fail has left running, by its arguments and by what its result says; None where nothing."""
    tool = call.text.partition(" ")[0]
    head = text[:_READ_CHARS].translate(_decoded)
    small = head.lower()
    if call.waits:
        # The shell that started something has ended, and says so.
        return None if _status(small) in _ENDED_STATUS or (exit_code(small) or 0) else Started(_id_in(head, bare=True))
    kind = _kind_of(tool)
    if kind is _NOTHING or not _may_tell(kind, text) or _says_ended(small):
        return None
    if kind is _RUNS:
        if _of_harness(small):
            return Started(_id_in(head))
        if len(text) > COMPLAINT_CHARS_MAX:
            return None  # what a program prints may tell of anything that was started
    return _told(tool, head, timed=bool(call.due_ms))


def _told(tool: str, head: str, *, timed: bool) -> Started | None:
    """What a result says was begun: an id or a time beside a word that says so; the time may be one that the call was told."""
    small = head.lower()
    status = _status(small)
    found = _ID.search(head)
    noun = (found["noun"] or "").lower() if found else ""
    if _SCHEDULED.search(small) or status in {"scheduled", "armed"}:
        if found or timed or _TIME.search(head):
            return Started(_id_in(head), scheduled=True)
    elif status in _GOES_ON or _STARTED.search(small):
        strong = status in {"running", "started", "in_progress", "in progress"} or "running" in small
        strong = strong or bool(status and _verbs_of(tool) & _SETS_GOING)
        if (noun or (found and strong)) and (status or _near(small, found)):
            return Started(_id_in(head), scheduled=False)
    elif re.fullmatch(_LATER, noun) and _verbs_of(tool) & _STARTING_VERBS and len(head) < _READ_CHARS and not status:
        return Started(_id_in(head), scheduled=noun in {"timer", "reminder", "alarm", "cron", "schedule"})
    return None


def _near(small: str, found: re.Match[str] | None) -> bool:
    """Whether what was begun and its id are told in one breath."""
    return found is not None and any(
        abs(one.start() - found.start()) <= _NEAR_CHARS for one in _STARTED.finditer(small)
    )


def _of_harness(small: str) -> bool:
    """Whether whoever runs commands says, before the output, that one goes on."""
    return _HARNESS.search(small) is not None


def _leaves_running(command: str) -> bool:
    if not _may_leave(command):
        return False
    # What a command is given to read is no command.
    bare = _QUOTED.sub("_", command.partition("<<")[0])
    return _LEAVES_RUNNING.search(bare) is not None and _WAITED.search(bare) is None


def _switched(arguments: Mapping[str, Json]) -> bool:
    return any(value is True and _SWITCH.search(key) for key, value in arguments.items())


def _id_in(head: str, *, bare: bool = False) -> str:
    """The id that a result names first, that of a job before others; a number that stands alone only where a shell prints it."""
    found = [*_ID.finditer(head)]
    for group in ("of_noun", "of_id", "of_shell", *(("alone",) if bare else ())):
        for one in found:
            if one[group] and len(one[group]) <= ID_CHARS_MAX:
                return str(one[group])
    return ""


def _status(small: str) -> str:
    found = _STATUS.search(small)
    if not found:
        return ""
    word = found["word"].strip()
    return word if word in _GOES_ON or word in _ENDED_STATUS else re.split(r"[ -]", word)[0]


def _says_ended(small: str) -> bool:
    status = _status(small)
    if status in _GOES_ON:
        return False
    return status in _ENDED_STATUS or re.search(r"\bexited with (?:code|status)\b|\bexit[ _]code\b", small) is not None


def is_same_command(one: Obligation, other: Obligation) -> bool:
    """Tell whether two jobs are the same command, whatever ids they have."""
    tool = one.text.partition(" ")[0]
    return cues.tool_runs(tool) and one.text.removesuffix(f" [{one.key}]") == other.text.removesuffix(f" [{other.key}]")


def ends_by_result(job: Obligation, told: str, text: str, *, refused: bool) -> bool:
    """Tell whether the result of a call says that a job has ended: the call asks after it, ends it, or lists it among others.

    `told` is how the call is told.
    """
    job_id = job.key
    tool, _, target = told.partition(" ")
    head = text[:_READ_CHARS].translate(_decoded).lower()
    ends = bool(_verbs_of(tool) & _ENDING_VERBS)
    if not ends and cues.tool_runs(tool) and _KILL.search(target):
        return not refused and not failed(text) and (_names(job_id, target) or _speaks_of(target, job.text))
    if not _names(job_id, target):
        return job_id in text and ends_by_word(job_id, text)
    gone = _GONE.search(head) is not None
    if ends:
        return gone or not (refused or failed(text) or _status(head).endswith(_ON_THE_WAY))
    return _says_ended(head) or (not _status(head) and (gone or ends_by_word(job_id, text)))


def ends_by_word(job_id: str, text: str) -> bool:
    """Tell whether a text says, right beside the id of a job, that it has ended."""
    place = text.find(job_id) if job_id else -1
    while place >= 0:
        if _names(job_id, text[max(0, place - 1) : place + len(job_id) + 1]):
            line_end = text.find("\n", place)
            beside = text[
                max(0, text.rfind("\n", 0, place), place - _NEAR_CHARS // 2) : line_end if line_end >= 0 else None
            ][: 2 * _NEAR_CHARS].lower()
            behind = text[place : place + 2 * _NEAR_CHARS].translate(_decoded).lower()
            status = _status(behind)
            if tells_end(beside) if not status else status in _ENDED_STATUS and not _doubts_status(text, place):
                return True
        place = text.find(job_id, place + 1)
    return False


def _doubts_status(text: str, place: int) -> bool:
    """Whether a state that stands behind a place is only waited for, or asked after."""
    found = _STATUS.search(text, place)
    return found is not None and is_doubted(text[max(0, place - _NEAR_CHARS) : found.start()].lower())


def _names(job_id: str, text: str) -> bool:
    """Whether a text names an id, and not a longer one that it is a part of."""
    place = text.find(job_id)
    while place >= 0:
        before, behind = text[place - 1 : place] if place else "", text[place + len(job_id) : place + len(job_id) + 1]
        if not (before.isalnum() or before == "_") and not (behind.isalnum() or behind == "_"):
            return True
        place = text.find(job_id, place + 1)
    return False


def _speaks_of(command: str, told: str) -> bool:
    """Whether a command that ends programs by their names names one of what is remembered."""
    found = re.search(
        r"\b(?:pkill|killall|docker stop|docker rm|systemctl stop|pm2 (?:stop|delete)|tmux kill-session)\b(?P<what>[^;&|\n]*)",
        command,
    )
    names = [word.strip("\"'") for word in found["what"].split() if not word.startswith("-")] if found else []
    return any(len(name) >= _NAME_CHARS_MIN and name in told for name in names)
