"""Calls and answers brought together, as every API wants them: after calls come their answers, all of them, first.

Consecutive assistant messages from the first one with calls on are one exchange, because some formats have a message
for each call. An answer goes to the newest exchange that still waits for its id, wherever it stood; one that nothing
waits for is left out; a call without an answer gets one that says so. Ids are made unique and such as the API takes.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tailrace.schemas.providers.call_forms import CallForm, fitting_id, fitting_name, numbered_id
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import AnyPart, CompactionPart, ToolCallPart, ToolCallResponsePart

#: What stands for the answer of a call that has none. Always the same, so that a prefix stays a prefix.
NO_RESULT = "[no result yet]"

#: What a user is made to say where the assistant spoke first.
BEGINNING = "[The conversation begins with the assistant.]"

_ANSWERING_ROLES = frozenset({"tool", "function"})


class Made(Struct, frozen=True, kw_only=True):
    """A call, and the format in which it came."""

    call: ToolCallPart
    format: Format


def _same_call(made: Made) -> ToolCallPart:
    return made.call


def _same_answer(answer: Message, _: Made) -> Message | None:
    return answer


def _always(_: Made) -> bool:
    return True


class Fitting(Struct, frozen=True, kw_only=True):
    """What one API asks of calls and answers, beside standing together.

    `call` returns a call as the API takes it, `answer` an answer as its call asks for it, or None where it can't be
    one; `can_stand_in` tells whether `NO_RESULT` can answer a call: one that it can't is left out while it has no
    answer.
    """

    format: Format
    form: CallForm
    #: The role of messages that answer, where they came in that format.
    answering_role: str = "tool"
    call: Callable[[Made], ToolCallPart] = _same_call
    answer: Callable[[Message, Made], Message | None] = _same_answer
    can_stand_in: Callable[[Made], bool] = _always
    in_call_order: bool = False


def paired(messages: Sequence[Message], fitting: Fitting) -> list[Message]:
    """Return the messages with every call answered once, right behind it; messages without either stay as they are."""
    thread = _Thread(fitting)
    for message in messages:
        thread.add(message)
    return thread.messages()


def begun_by_user(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with a summary at their beginning as a user's: some APIs let no assistant speak first."""
    for index, message in enumerate(messages):
        if message.role in ("system", "developer"):
            continue
        if message.role == "assistant" and message.parts and all(map(_is_summary, message.parts)):
            return [*messages[:index], replace(message, role="user"), *messages[index + 1 :]]
        break
    return list(messages)


def _is_summary(part: AnyPart) -> bool:
    return isinstance(part, CompactionPart) and "type" not in part.extra  # with a type it is a provider's own


class _Exchange:
    def __init__(self) -> None:
        self.callers: list[Message] = []
        self.made: dict[str, Made] = {}
        self.waiting: dict[str, list[str]] = {}
        self.answers: dict[str, Message] = {}


class _Thread:
    def __init__(self, fitting: Fitting) -> None:
        self._fitting = fitting
        self._blocks: list[Message | _Exchange] = []
        self._waiting: dict[str, list[_Exchange]] = {}
        self._used: set[str] = set()

    def add(self, message: Message) -> None:
        answers = [part for part in message.parts if isinstance(part, ToolCallResponsePart)]
        if not answers:
            self._speak(message)
            return
        # A message may answer earlier calls and make new ones, or even answer its own.
        late = [answer for answer in answers if not self._answer(answer, message)]
        spoken = tuple(part for part in message.parts if not isinstance(part, ToolCallResponsePart))
        if spoken:
            role = "user" if message.role in _ANSWERING_ROLES else message.role
            self._speak(replace(message, role=role, parts=spoken))
        for answer in late:
            self._answer(answer, message)

    def messages(self) -> list[Message]:
        finished: list[Message] = []
        for block in self._blocks:
            finished += self._finished(block) if isinstance(block, _Exchange) else [block]
        return finished

    def _speak(self, message: Message) -> None:
        last = self._blocks[-1] if self._blocks else None
        joined = last if isinstance(last, _Exchange) and not last.answers else None
        if any(isinstance(part, ToolCallPart) for part in message.parts):
            if joined is None:
                joined = _Exchange()
                self._blocks.append(joined)
            parts = tuple([self._call(part, message.format, joined) for part in message.parts])
            joined.callers.append(replace(message, role="assistant", parts=parts))
        elif joined is not None and message.role == "assistant":
            joined.callers.append(message)
        else:
            self._blocks.append(message)

    def _call(self, part: AnyPart, source: Format, exchange: _Exchange) -> AnyPart:
        if not isinstance(part, ToolCallPart):
            return part
        form = self._fitting.form
        call_id = base = fitting_id(part.id, form)
        number = 1
        while call_id in self._used:
            number += 1
            call_id = numbered_id(base, number, form)
        self._used.add(call_id)
        made = Made(call=replace(part, id=call_id, name=fitting_name(part.name, form)), format=source)
        made = replace(made, call=self._fitting.call(made))
        exchange.made[call_id] = made
        exchange.waiting.setdefault(part.id, []).append(call_id)
        self._waiting.setdefault(part.id, []).append(exchange)
        return made.call

    def _answer(self, part: ToolCallResponsePart, message: Message) -> bool:
        exchanges = self._waiting.get(part.id)
        if not exchanges:
            return False
        exchange = exchanges[-1]
        call_id = exchange.waiting[part.id][0]
        role = self._fitting.answering_role if message.format == self._fitting.format else "tool"
        answer = replace(message, role=role, parts=(replace(part, id=call_id),))
        fitted = self._fitting.answer(answer, exchange.made[call_id])
        if fitted is None:
            return False
        exchange.answers[call_id] = fitted
        exchange.waiting[part.id].pop(0)
        exchanges.pop()
        return True

    def _finished(self, exchange: _Exchange) -> list[Message]:
        answers = dict(exchange.answers)
        left_out: set[str] = set()
        for call_id, made in exchange.made.items():
            if call_id in answers:
                continue
            if self._fitting.can_stand_in(made):
                answers[call_id] = _stand_in(call_id)
            else:
                left_out.add(call_id)
        order = exchange.made if self._fitting.in_call_order else answers
        callers = [_without(caller, left_out) for caller in exchange.callers]
        kept = [
            caller for caller, before in zip(callers, exchange.callers, strict=True) if caller.parts or caller is before
        ]
        return [*kept, *(answers[call_id] for call_id in order if call_id in answers)]


def _stand_in(call_id: str) -> Message:
    return Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response=NO_RESULT),))


def _without(caller: Message, left_out: set[str]) -> Message:
    if not left_out.intersection(caller.call_ids):
        return caller
    parts: list[Any] = [part for part in caller.parts if not isinstance(part, ToolCallPart) or part.id not in left_out]
    return replace(caller, parts=tuple(parts))
