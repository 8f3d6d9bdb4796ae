"""Compaction as a plain call: for runtimes that keep their messages themselves, before they are written or sent.

    from tailrace.streams import compact

    done = compact(messages, model="gpt-4o")
    answer = openai.chat.completions.create(model="gpt-4o", **done.request())

No broker is needed. Nothing is kept between two calls but what the caller hands on: the last result, which the next one
goes on from.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from tailrace.agents.engine import offline
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import Conversation, MessageInput, RefusedMessage
from tailrace.agents.engine.request import Injection, render
from tailrace.agents.plan.plan import Plan
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Invalid, Unsendable
from tailrace.schemas.half_characters import whole_characters
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.check import check_fits
from tailrace.schemas.providers.formats import PLAINEST, SHOWING_NOTHING, read_among, shown_format
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.plain_values import plain_value
from tailrace.streams.library.plans import Limits, budget_in, engine_of
from tailrace.streams.settings.settings import load_settings

#: What a message can be known by besides what it says.
_NAMES: Final = ("id", "model", "agent", "source")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """Messages that fit, with the decision that made them.

    What was already small enough is unchanged, and has no record.
    """

    messages: list[Message]
    #: What the messages cost, with the start of the reply.
    tokens: int
    #: What was done and why, message by message; `plan.reason` says why nothing was, or why it is not enough. Where one
    #: record could not name all that had to go, this and the record are the last of several.
    plan: Plan
    #: As it would stand in the compactions topic; None where nothing was done.
    record: CompactionRecord | None
    #: Messages that no provider would take, such as a tool result without its call: they are left out.
    refused: tuple[RefusedMessage, ...]
    #: The format in which most of the messages came, and in which `request` writes by default.
    format: Format
    model: str | None
    #: What was decided by: the policy, and how tokens are counted.
    engine: Engine
    #: What is left for injections: the policy's reserve, or less where a budget was given that has no more.
    injection_reserve_tokens: int = 0
    #: What was given, and how the conversation stands now: what the next call goes on from.
    inputs: tuple[MessageInput, ...] = field(default=(), repr=False)
    conversation: Conversation = field(default_factory=lambda: Conversation(ThreadView()), repr=False)

    def request(
        self,
        format: Format | str | None = None,  # noqa: A002  the name that the records have for it
        *,
        inject: Sequence[Injection] = (),
        check: bool = True,
    ) -> dict[str, Any]:
        """Return the keyword arguments that carry the messages in a provider's call; see `Context.request`.

        Raises as that does: `OverBudget` where the messages could not be made to fit (`plan.reason` says why),
        `Unsendable` where the provider would refuse them. `check=False` gives them all the same.
        """
        if check:
            check_fits("this context", tokens=self.tokens, limit_tokens=self.plan.budget.limit_tokens)
        try:
            return render(
                self.messages,
                format or self.format,
                injections=inject,
                injection_reserve_tokens=self.injection_reserve_tokens,
                count=lambda message: self.engine.count_tokens(message, self.model),
                check=check,
            )
        except Unsendable as error:
            if not self.plan.changes or self.plan.reason is None:
                raise
            raise Unsendable(error.format, error.places, lacks_room=self.plan.reason) from error


def compact(
    messages: Sequence[Message | MessageInput | Mapping[str, Any]],
    policy: Policy | str | Path | None = None,
    model: str | None = None,
    budget_tokens: int | None = None,
    *,
    after: Compacted | None = None,
    force: bool = False,
) -> Compacted:
    """Return the messages as they fit the model's window, or `budget_tokens`.

    Messages are `Message`s, or dicts in the form of any provider, mixed or not; `MessageInput` where one is pinned, or
    has a source that the policy has a rule for. Give the whole conversation, because rules look at all of it. `policy`
    is a Policy, the name of a ready-made one, or a file; None is the policy of the settings. Messages below the upper
    mark of the policy stay as they are; above it they are brought down to the lower mark. A budget is filled, without
    `after` and `force`, up to what a compaction must free. The same messages give the same bytes. The result of one
    call, given in again, comes back as it is, unless the budget was too small for the system prompt: that is then
    shortened, which lowers the marks.

    Hand the last result on as `after` if you call this before every request: what was sent stays as it was until the
    next compaction, and only what is new is counted. Messages that don't begin with those of that call, or are for
    another model, are planned for anew.

    `force` compacts below the upper mark too, and approves where the policy asks for that (strategy `checkpoint`):
    without it such a policy waits until the messages are above the limit, and `plan.reason` says so.

    The first call takes about a second, for the vocabulary and the catalogue of models. What JSON can't hold is not
    kept: half a character (a lone surrogate, where a text was cut in the middle of an emoji) becomes U+FFFD, and NaN or
    an infinite number null. Raises `Invalid` for what is no message or can't be written as JSON at all, and
    `ConfigError` for a policy or budget that can't be used.

    >>> from tailrace.streams import compact
    >>> messages = [{"role": "system", "content": "Be brief."}]
    >>> for number in range(40):
    ...     messages.append({"role": "user", "content": f"How deep is pool {number} below the dam?"})
    ...     messages.append({"role": "assistant", "content": f"Pool {number} is {number + 3} metres deep."})
    >>> done = compact(messages, budget_tokens=600)
    >>> done.plan.before_tokens > 600 >= done.tokens
    True
    >>> len(done.request()["messages"]) < len(messages)
    True
    >>> compact(done.messages, budget_tokens=600).messages == done.messages
    True
    >>> messages.append({"role": "user", "content": "And pool 40?"})
    >>> compact(messages, budget_tokens=600, after=done).messages[:-1] == done.messages
    True
    """
    read = _read_all(messages)
    before = after if _goes_on(read, model, after) else None
    # Whoever goes on comes again with more: there, room is left for it.
    limits = Limits(budget_tokens=budget_tokens, model=model, fills=before is None and not force)
    engine = engine_of(load_settings(), policy)
    talk = _conversation(read, engine, model, before)
    done = offline.bring_down(talk, engine, budget_in(talk, engine, limits), forced=force)
    reserve_tokens = engine.policy.injection_reserve_tokens
    if budget_tokens is not None:
        reserve_tokens = max(0, min(reserve_tokens, budget_tokens - done.tokens))
    return Compacted(
        messages=done.messages,
        tokens=done.tokens,
        plan=done.plan,
        record=done.record,
        refused=talk.refused,
        format=format_of([message.message for message in read]),
        model=model,
        engine=engine,
        injection_reserve_tokens=reserve_tokens,
        inputs=tuple(read),
        conversation=replace(talk, view=done.view),
    )


def _goes_on(read: Sequence[MessageInput], model: str | None, after: Compacted | None) -> bool:
    """Whether these messages go on with what the last result was made from."""
    if after is not None and not isinstance(after, Compacted):
        raise Invalid(f"after must be what an earlier call returned, got {type(after).__name__}")
    if after is None or after.model != model or not _begins_with(read, after.inputs):
        return False
    knows = after.conversation.view.knows
    # One that is known is perhaps one that an earlier message got, because nobody had chosen it then.
    return not any(message.id is not None and knows(message.id) for message in read[len(after.inputs) :])


def _begins_with(read: Sequence[MessageInput], before: Sequence[MessageInput]) -> bool:
    """Whether the first of these messages are those."""
    if len(read) < len(before):
        return False
    # A plain text is read as the others show: once one of them shows another format, those before it have that too, and
    # say the same.
    return all(
        now == then or replace(now, message=msgspec.structs.replace(now.message, format=then.message.format)) == then
        for now, then in zip(read, before, strict=False)
    )


def _conversation(
    read: Sequence[MessageInput], engine: Engine, model: str | None, before: Compacted | None
) -> Conversation:
    """The conversation that these messages are; behind the last result where they go on with it."""
    if before is None:
        return offline.conversation(read, engine, model=model)
    place = len(before.inputs)
    return offline.go_on(before.conversation, read[place:], engine, place=place)


def _read_all(messages: Iterable[Message | MessageInput | Mapping[str, Any]]) -> list[MessageInput]:
    if isinstance(messages, str | bytes | Mapping | Message | MessageInput) or not isinstance(messages, Iterable):
        raise Invalid(f"messages must be a list of messages, got {type(messages).__name__}")
    items = list(messages)
    shown = shown_format(message for message in items if isinstance(message, Mapping))
    return [_read(message, place, shown) for place, message in enumerate(items)]


def _read(data: Message | MessageInput | Mapping[str, Any], place: int, shown: Format | None) -> MessageInput:
    if not isinstance(data, MessageInput | Message | Mapping):
        raise Invalid(f"messages[{place}] must be a Message or a dict as providers have it, got {type(data).__name__}")
    try:
        try:
            return _writable(_input_of(data, shown))
        except Invalid:
            # Nobody else pays for those whose texts are subclasses of str.
            plain = _plain(data)
            if plain is data:
                raise
            return _writable(_input_of(plain, shown))
    except Invalid as error:
        raise Invalid(f"messages[{place}]: {error}") from error


def _input_of(data: Message | MessageInput | Mapping[str, Any], shown: Format | None) -> MessageInput:
    if isinstance(data, MessageInput):
        return data
    return MessageInput(data if isinstance(data, Message) else read_among(data, shown))


def _plain(data: Message | MessageInput | Mapping[str, Any]) -> Message | MessageInput | Mapping[str, Any]:
    if not isinstance(data, MessageInput):
        plain: Message | Mapping[str, Any] = plain_value(data)
        return plain
    message = plain_value(data.message)
    return data if message is data.message else replace(data, message=message)


def _writable(message: MessageInput) -> MessageInput:
    """The same, if it can be written as JSON; with half characters replaced where only they are in the way."""
    names = {key: getattr(message, key) for key in _NAMES}
    for key, name in names.items():
        if name is not None and not isinstance(name, str):
            raise Invalid(f"{key} must be text, got {type(name).__name__}")
    message = replace(message, **whole_characters(names)) if any(names.values()) else message  # plain text by that, too
    try:
        try:
            msgspec.json.encode(message.message)
        except UnicodeEncodeError:
            values = whole_characters(msgspec.to_builtins(message.message))
            return replace(message, message=msgspec.convert(values, Message))
    except (TypeError, OverflowError, RecursionError) as error:
        raise Invalid(f"it can't be written as JSON: {error}") from error
    return message


def format_of(messages: Sequence[Message]) -> Format:
    """The provider's format that the messages are in; OpenAI's chat where they are in several, or in none.

    A message that is nothing but a role and a text looks like OpenAI's chat, whoever it was for: others decide.
    """
    formats = {message.format for message in messages} - SHOWING_NOTHING
    return formats.pop() if len(formats) == 1 else PLAINEST
