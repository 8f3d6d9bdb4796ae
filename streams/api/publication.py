"""The endpoint that publishes: one message or many, in the log when the answer comes."""

from typing import Any, cast

from tailrace.schemas.api import problem
from tailrace.schemas.api.publication import PublishedMessage, PublishReply
from tailrace.schemas.errors import Invalid, PoisonEvent, Unavailable
from tailrace.schemas.ingest import check_id
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.services import Services
from tailrace.streams.client.message_envelope import BadInput, InputMessage, read_message
from tailrace.streams.client.publication import PublishOptions, new_id


async def publish(services: Services, call: ApiCall) -> PublishReply:
    """Publish to the thread of the path. Nothing is sent where one of the messages can't be read."""
    values = call.body if isinstance(call.body, list) else [call.body]
    if not values:
        raise ProblemError(problem.INVALID, "the list of messages is empty", "send at least one", where="body")
    messages = [_read(value, place, call) for place, value in enumerate(values)]
    ids = tuple(str(options["id"]) for _, options in messages)
    try:
        actor = call.caller.actor(str(messages[0][1]["tenant"]))
        begun = await services.client.begin_publishing(call.thread, messages, actor=actor)
        published = await services.client.delivered(begun)
    except Unavailable as error:
        raise ProblemError(
            problem.UNAVAILABLE,
            str(error),
            "publish again under the same ids: what has arrived meanwhile is not taken twice",
            ids=ids,
            headers={"Retry-After": "1"},
        ) from error
    for done, (_, options) in zip(published, messages, strict=True):
        services.places.add(done, str(options["tenant"]))
    return PublishReply(
        published=tuple(
            PublishedMessage(id=done.event_id, thread=done.thread, partition=done.partition, offset=done.offset)
            for done in published
        )
    )


def _read(value: dict[str, Any], place: int, call: ApiCall) -> tuple[Any, PublishOptions]:
    where = f"body[{place}]" if isinstance(call.body, list) else "body"
    read = read_message(value, where)
    if isinstance(read, BadInput):
        raise ProblemError(problem.INVALID, read.reason, "correct the message", where=where)
    try:
        return read.message, _options(read, call)
    except PoisonEvent as error:
        raise ProblemError(problem.INVALID, str(error), "correct the message", where=where) from error


def _options(read: InputMessage, call: ApiCall) -> PublishOptions:
    if read.thread is not None and read.thread != call.thread:
        raise Invalid(f"the envelope names another thread than the path, {str(read.thread)[:64]!r}; leave it out")
    own = {name: value for name, value in read.options.items() if value is not None}
    asked = own.get("tenant", call.query.tenant)
    if asked is not None:
        check_id(asked, "tenant")
    defaults = {"model": call.query.model, "format": call.query.format}
    options = {**defaults, **own, "tenant": call.caller.acting_for(cast("str | None", asked))}
    # Chosen here, so that whoever gets no answer can publish the same message again.
    options.setdefault("id", new_id())
    return cast("PublishOptions", options)
