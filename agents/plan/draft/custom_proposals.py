"""What somebody else's strategy asks for, put into terms that records can hold and readers can trust.

A strategy says what is to stand in a context; who says it, whether it is recorded and under which name the whole can be
had is not for it to decide.
"""

import msgspec
from msgspec.structs import replace

from tailrace.agents.plan.draft.draft import Draft, replaced_item
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.decoder import EVENT_DEPTH_MAX, decoder
from tailrace.schemas.errors import Nonsense, PoisonEvent
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart, TextPart

#: What is kept of a reason: it goes into every record and into the audit trail.
REASON_CHARS_MAX = 300
#: What is longer makes no context shorter, and takes long to count.
REPLACEMENT_BYTES_MAX = 1 << 20

_encode = msgspec.json.Encoder().encode
_decode = decoder(Message, depth_max=EVENT_DEPTH_MAX)


def own_message(message: Message) -> Message:
    """The same message, sharing nothing. Raises what msgspec raises for one that was not made from the right types."""
    return _decode(_encode(message))


def in_our_terms(proposal: Proposal, draft: Draft) -> Proposal:
    """The proposal as it may be carried out on the draft as it stands. Raises `Nonsense` where it can't be.

    A replacement of one message keeps its role, one of whole groups has that of summaries: nobody is made to say what
    he did not. Every change is recorded, and the whole of a message has the name that it always has.
    """
    places = draft.find(proposal)
    item = replaced_item(places, proposal)
    message = proposal.replacement
    if message is not None:
        try:
            message = replace(own_message(message), role=draft.summary_role if item is None else item.message.role)
        except PoisonEvent as error:
            raise Nonsense(f"a replacement that can't be read: {error}") from error
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise Nonsense(f"a replacement that can't be written as JSON: {type(error).__name__}") from error
        _check(message)
    named = item is not None and proposal.artifact_id is not None
    return Proposal(
        action=proposal.action,
        ids=proposal.ids,
        reason=readable(proposal.reason),
        replacement=message,
        artifact_id=item.whole_id if item is not None and named else None,
    )


def _check(message: Message) -> None:
    """Refuse a replacement that no context could hold, or that stands for nothing."""
    if len(_encode(message)) > REPLACEMENT_BYTES_MAX:
        raise Nonsense(f"a replacement of more than {REPLACEMENT_BYTES_MAX} bytes")
    if all(isinstance(part, TextPart | CompactionPart) and not (part.content or "").strip() for part in message.parts):
        raise Nonsense("a replacement that says nothing; what is to go is dropped")


def readable(text: str) -> str:
    """A text of somebody else's, not too long and without what UTF-8 can't hold, such as half a surrogate pair."""
    return text[:REASON_CHARS_MAX].encode("utf-8", "replace").decode()


def words_of(error: BaseException) -> str:
    """Class and message of an error; a message that can't be had is left out."""
    name = type(error).__name__
    try:
        message = str(error)
    except Exception:  # noqa: BLE001  it is somebody else's error, and may be as broken as the rest
        message = ""
    return readable(f"{name}: {message}" if message else name)
