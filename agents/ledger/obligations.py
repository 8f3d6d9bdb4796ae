"""What is still owed in a thread: the task and the plan, questions that wait for an answer, promises, open calls, and what goes on by itself."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from tailrace.agents.language.cues import tool_changes
from tailrace.agents.ledger.assent import asks_nothing, is_assent, only_thanks
from tailrace.agents.ledger.call_obligations import open_call
from tailrace.agents.ledger.endings import ending_in
from tailrace.agents.ledger.jobs import ends_by_result, ends_by_word, is_same_command, may_start, only_looks, started_by
from tailrace.agents.ledger.moment import Moment
from tailrace.agents.ledger.plan_calls import PLAN_JOINT, joined
from tailrace.agents.ledger.plans import left_of, plan_in
from tailrace.agents.ledger.promises import calls_off, covers, keeps, promises_in, settles, speaks_of, stems_of
from tailrace.agents.ledger.questions import PAIR_CHARS_MAX, answer_in, answers, offer_in, question_in, with_answer
from tailrace.agents.ledger.requests import asked_in, clip, goes_on, short_words
from tailrace.agents.ledger.shell_jobs import ended_in_shell
from tailrace.agents.ledger.timers import ended_by_call, ended_by_word, reminds
from tailrace.agents.messages.outcome import failed
from tailrace.schemas.records.ledger import CALL_KINDS, JOB_KINDS, Obligation, ObligationKind
from tailrace.schemas.records.parts import ToolCallPart

#: More calls than this are not open at once; the oldest have been given up.
OPEN_MAX = 20
JOBS_MAX = 10
#: What people said on the way of one task, the newest of it.
ADDED_MAX = 2
#: A question with its answer is not longer: half of an answer may say the opposite.
ADDED_CHARS_MAX = PAIR_CHARS_MAX
PROMISES_MAX = 4
#: For so many turns a promise is remembered that waits for something, and one that was to come next. A task is, too, that nobody ends.
WAITING_TURNS_MAX, NEXT_TURNS_MAX, TASK_TURNS_MAX = 30, 5, 30
#: So often somebody may speak of something else before a question has lapsed: whoever asked has gone on without an answer.
QUESTION_TURNS_MAX = 3
#: As much of each argument is looked at for what was promised.
TOLD_CHARS = 400
_MARKS = ("?", "\uff1f")

_TASK, _ADDED, _PLAN = ObligationKind.TASK, ObligationKind.ADDED, ObligationKind.PLAN
_QUESTION, _PROMISE, _SCHEDULED = ObligationKind.CONFIRMATION, ObligationKind.NEXT_STEP, ObligationKind.SCHEDULED

#: A call that is open, with the message that made it.
_Made = tuple[ToolCallPart, Moment]


@dataclass(slots=True)
class Obligations:
    """Obligations by what ends them."""

    #: By kind, where there is only one at a time: the task, the plan, the question.
    items: dict[str, Obligation] = field(default_factory=dict)
    #: By the message that says it.
    added: dict[str, Obligation] = field(default_factory=dict)
    #: By their words.
    promises: dict[str, Obligation] = field(default_factory=dict)
    #: By their ids.
    jobs: dict[str, Obligation] = field(default_factory=dict)
    #: By their ids. Most calls are answered at once: what is to be said of one is made up when somebody asks.
    calls: dict[str, Obligation | _Made] = field(default_factory=dict)

    @classmethod
    def of(cls, obligations: Iterable[Obligation]) -> "Obligations":
        """Return what is owed in these."""
        owed = cls()
        for one in obligations:
            owed._put(one)
        return owed

    def _put(self, one: Obligation) -> None:
        kind = one.kind
        if kind in CALL_KINDS:
            self.calls[one.key] = one
        elif kind in JOB_KINDS:
            self.jobs[one.key] = one
        elif kind is _ADDED:
            self.added[one.source] = one
        elif kind is _PROMISE:
            self.promises[one.text] = one
        else:
            self.items.pop(kind, None)
            self.items[kind] = one

    def __iter__(self) -> Iterator[Obligation]:
        """Yield what is owed, open calls last."""
        yield from self.items.values()
        yield from self.added.values()
        yield from self.promises.values()
        yield from self.jobs.values()
        for one in self.calls.values():
            yield one if isinstance(one, Obligation) else open_call(*one)

    def call(self, call: ToolCallPart, at: Moment) -> None:
        """A call was made: it is open until its result comes."""
        self.calls[call.id] = call, at
        if len(self.calls) > OPEN_MAX:
            del self.calls[next(iter(self.calls))]

    def closes(self, call_id: str) -> bool:
        """Close a call whose result, whatever it says, does no more than that: most only look at something. False where it has to be read."""
        made = self.calls[call_id]
        if self.jobs or self.promises or not isinstance(made, tuple) or not only_looks(made[0]):
            return False
        del self.calls[call_id]
        return True

    def result(self, call_id: str, text: str, *, refused: bool = False) -> None:
        """A call has its result: its plan holds, what it began goes on, what it asked after may have ended. Not where it failed."""
        made = self.calls.pop(call_id, None)
        if made is None:
            return
        if isinstance(made, tuple):
            call = made[0]
            if not self.jobs and not may_start(call, text) and not (self.promises and self._may_keep(call)):
                return
            made = open_call(*made)
        self._met(made, text, refused=refused)

    def _met(self, made: Obligation, text: str, *, refused: bool) -> None:
        for job_id, job in [*self.jobs.items()]:
            if ends_by_result(job, made.text, text, refused=refused):
                del self.jobs[job_id]
        for job_id in ended_in_shell(self.jobs, made.text, text, refused=refused) if self.jobs else ():
            self.jobs.pop(job_id)
        if refused or failed(text):
            return
        if self.jobs:
            self._drop(ended_by_call(self._scheduled(), made.text))
            self._drop(ended_by_word(self._scheduled(), text))
        if made.plan is not None:
            self._plan(made.plan, Moment(made.source, made.since_ms, made.turn))
        self._keep(made.text)
        started = started_by(made, text)
        if started is not None and (started.id or made.key) not in self.jobs:
            self._begin(started.job(made, text))

    def _begin(self, job: Obligation) -> None:
        """Note work that goes on, in the place of the same command that was run before: nobody runs one twice at once."""
        for key in [key for key, one in self.jobs.items() if is_same_command(one, job)]:
            del self.jobs[key]
        self.jobs[job.key] = job
        if len(self.jobs) > JOBS_MAX:
            del self.jobs[next(iter(self.jobs))]

    def pass_time(self, now_ms: int, turn: int) -> None:
        """It is later now: what was due by then no longer waits, and what is long past is given up."""
        for key, one in [*self.jobs.items()]:
            if one.due_ms and one.waits and one.due_ms <= now_ms:
                self.jobs[key] = msgspec.structs.replace(one, waits=False)
            elif one.due_ms and not one.waits and turn - one.turn > WAITING_TURNS_MAX:
                del self.jobs[key]

    def _scheduled(self) -> list[Obligation]:
        return [one for one in self.jobs.values() if one.kind is _SCHEDULED]

    def _drop(self, keys: Iterable[str]) -> None:
        for key in keys:
            self.jobs.pop(key, None)

    def notified(self, text: str) -> None:
        """Somebody tells, without being asked, what has become of work that goes on."""
        for owed in (self.jobs, self.calls):
            for key in [key for key in owed if key in text and ends_by_word(key, text)]:
                del owed[key]
        self._drop(ended_by_word(self._scheduled(), text))

    def _may_keep(self, call: ToolCallPart) -> bool:
        """Tell at little cost whether a call may be what was promised."""
        if not tool_changes(call.name):
            return False
        arguments = call.arguments
        values = arguments.values() if isinstance(arguments, dict) else (arguments,)
        told = " ".join([call.name, *(value[:TOLD_CHARS] for value in values if type(value) is str)]).lower()
        return any(speaks_of(told, stems_of(text)) for text in self.promises)

    def _keep(self, done: str) -> None:
        """Something was changed: that keeps a promise that speaks of it."""
        if not self.promises or not tool_changes(done.partition(" ")[0]):
            return
        small = done.lower()
        for text in [text for text in self.promises if covers(small, stems_of(text))]:
            del self.promises[text]

    def asked(self, text: str, at: Moment) -> str:
        """A person spoke: return the question that they answer, if any; one that they leave open still waits.

        Whoever only agrees wants what they were asked, or told that it comes next, or what they had asked for before.
        """
        self._forget_old(at.turn)
        if self.jobs or self.calls:
            self.notified(text)
        question = self.items.get(_QUESTION)
        ending = ending_in(text)
        if ending is not None and not (ending.of_last and question is not None):
            self._end()
            if not asks_nothing(short_words(ending.rest)):
                self._request(asked_in(ending.rest), at)
            return question.text if question is not None else ""
        answered = question is not None and (ending is not None or answers(text, question, at.turn))
        if answered:
            del self.items[_QUESTION]
        for promise in [one for one in self.promises if calls_off(text, stems_of(one))]:
            del self.promises[promise]
        asked = asked_in(text)
        said = short_words(text)
        agrees = is_assent(said)
        if question is not None and answered:
            answer = answer_in(text, question.text)
            self._request(clip(with_answer(question.text, answer)) if answer else asked, at, new=False)
            return question.text
        if not asks_nothing(said):
            self._request(asked, at, new=not goes_on(text))
        elif not agrees or only_thanks(said):
            return ""
        elif (step := self._next_step()) is not None:
            del self.promises[step]
            self._request(clip(with_answer(step, asked)), at, new=False)
        else:
            self._take_up()
        return ""

    def _take_up(self) -> None:
        """Somebody wants more of a task that was reported on."""
        task = self.items.get(_TASK)
        if task is not None and task.reported:
            self.items[_TASK] = msgspec.structs.replace(task, reported=False)

    def _next_step(self) -> str | None:
        """What was to come next, where it waits for nothing; what comes after it is still owed."""
        return next((text for text, one in self.promises.items() if not one.waits), None)

    def _request(self, text: str, at: Moment, *, new: bool = True) -> None:
        """Note what a person wants: it is the task, or belongs to one that is not over."""
        if not text:
            return
        task = self.items.get(_TASK)
        if task is None or (new and task.reported):
            self.added.clear()
            self._put(_of(_TASK, text, at))
            return
        self._take_up()
        self.added.pop(at.source, None)
        self.added[at.source] = _of(_ADDED, clip(text, ADDED_CHARS_MAX), at)
        if len(self.added) > ADDED_MAX:
            del self.added[next(iter(self.added))]

    def _end(self) -> None:
        """Nothing of what was asked for, planned or promised is wanted any more. What runs still runs."""
        self.items.clear()
        self.added.clear()
        self.promises.clear()

    def _forget_old(self, turn: int) -> None:
        """Give up what nobody has spoken of for many turns, and what nobody answers."""
        question = self.items.get(_QUESTION)
        if question is not None and turn - question.turn > QUESTION_TURNS_MAX:
            del self.items[_QUESTION]
        for text, one in [*self.promises.items()]:
            if turn - one.turn > (WAITING_TURNS_MAX if one.waits else NEXT_TURNS_MAX):
                del self.promises[text]
        task = self.items.get(_TASK)
        if task is not None and self.added and turn - task.turn > TASK_TURNS_MAX:
            first = self.added.pop(next(iter(self.added)))
            self._put(msgspec.structs.replace(first, kind=_TASK))

    def planned(self, text: str, at: Moment, *, ends: bool) -> None:
        """The assistant may have written a plan, or that some of it is done; `ends` where it ended its turn with that."""
        plan = plan_in(text) if "\n" in text else None
        if plan is None:
            self.struck(text, in_words=ends)
        else:
            self._plan(joined(plan), at)

    def _plan(self, plan: str, at: Moment) -> None:
        self.items.pop(_PLAN, None)
        if plan:
            self.items[_PLAN] = _of(_PLAN, plan, at)

    def struck(self, text: str, *, in_words: bool) -> None:
        """A report may say that steps of the plan are done; none is open where all are."""
        plan = self.items.get(_PLAN)
        # What is said between calls is much and short, and tells what comes next: only numbers are looked for there.
        if plan is None or not (in_words or plan.text[:1].isdigit()):
            return
        steps = plan.text.split(PLAN_JOINT)
        left = left_of(steps, text, in_words=in_words)
        if not left:
            del self.items[_PLAN]
        elif left != steps:
            self.items[_PLAN] = msgspec.structs.replace(plan, text=PLAN_JOINT.join(left))

    def said_beside_calls(self, text: str, at: Moment) -> None:
        """The assistant said something before it worked on."""
        self.planned(text, at, ends=False)
        self._settle(text, ends=False)
        if self.jobs:
            self._drop([key for key in self.jobs if key in text and ends_by_word(key, text)])
            self._drop(ended_by_word(self._scheduled(), text))
        self.ask_beside_calls(text, at)

    def ask_beside_calls(self, text: str, at: Moment) -> None:
        """Note a question of who works on: only what plainly asks a person is one."""
        if "?" in text and (question := question_in(text, only_to_somebody=True)):
            self._put(_of(_QUESTION, question, at))

    def ask(self, said: str, at: Moment) -> bool:
        """Note the question that a report leaves open; tell whether there is one."""
        question = question_in(said)
        former = self.items.get(_QUESTION)
        # Who then says yes says it to the offer.
        if wanted := question or (offer_in(said, former.text) if former is not None else ""):
            self._put(_of(_QUESTION, wanted, at))
        return bool(question)

    def reported(self, text: str, at: Moment) -> None:
        """The assistant ended its turn: a question at the end waits for an answer, a promise for being kept."""
        self.planned(text, at, ends=True)
        self._settle(text, ends=True)
        if self.jobs:
            self._drop([key for key in self.jobs if key in text and ends_by_word(key, text)])
            self._drop(ended_by_word(self._scheduled(), text))
        said = text.rstrip()
        goes_on = self.ask(said, at)
        for promise, waits in promises_in(said):
            goes_on = True
            self._promise(clip(promise), at, waits=waits)
        self._told(goes_on=goes_on)

    def _told(self, *, goes_on: bool) -> None:
        """A report answers what was asked beside the task, or tells of the task itself."""
        newest = next(reversed(self.added.values()), None)
        if newest is not None and newest.text.endswith(_MARKS) and not goes_on:
            del self.added[newest.source]
            return
        task = self.items.get(_TASK)
        over = not goes_on and _PLAN not in self.items
        if task is not None and over != task.reported:
            self.items[_TASK] = msgspec.structs.replace(task, reported=over)

    def _promise(self, text: str, at: Moment, *, waits: bool) -> None:
        """Note a promise in the place of what it says anew: the step that was to come next, or a promise of the same."""
        stems = stems_of(text)
        for former, one in [*self.promises.items()]:
            same = covers(former.lower(), stems) and covers(text.lower(), stems_of(former))
            # One report may tell of several steps.
            if former == text or same or not (one.waits or waits or one.source == at.source):
                del self.promises[former]
        self.promises[text] = msgspec.structs.replace(_of(_PROMISE, text, at), waits=waits)
        if len(self.promises) > PROMISES_MAX:
            del self.promises[next(iter(self.promises))]

    def _settle(self, text: str, *, ends: bool) -> None:
        """Strike the promises that a report says were kept, or will not be; other words than its own count where the turn ends."""
        if not self.promises:
            return
        alone = len(self.promises) == 1
        for promise in [*self.promises]:
            kept = keeps(text, promise, alone=alone) if ends else settles(text, stems_of(promise))
            if kept or reminds(text, promise):
                del self.promises[promise]


def _of(kind: ObligationKind, text: str, at: Moment) -> Obligation:
    return Obligation(kind=kind, text=text, source=at.source, since_ms=at.at_ms, turn=at.turn)
