"""Kept messages that don't fit even shortened leave a pointer, and can be had whole."""

import pytest
from support.drafts import assistant, count, system, text, user, words

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import MessageInput, compact
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Format, Message

ENGINE = Engine(Policy(), count)


def pinned(number: int, size: int = 80) -> list[MessageInput]:
    return [user(words(size, f"pin{place}-"), pinned=True) for place in range(number)]


@pytest.mark.parametrize("limit_tokens", range(300, 900, 50))
def test_what_left_is_counted_and_named_in_one_pointer(limit_tokens: int) -> None:
    talk = [system("be brief"), *pinned(30), assistant(20), user("and now?")]

    done = compact(talk, ENGINE, budget_tokens=limit_tokens)

    assert done.tokens <= limit_tokens
    assert done.record is not None
    (decision,) = [one for one in done.record.decisions if one.reason.startswith("even shortened")]
    left = [talk[int(key[1:])].message for key in decision.span.ids]
    assert decision.action is Action.EXTERNALIZE
    assert decision.artifact_ids == tuple(artifact_id(message) for message in left)
    (pointer,) = [one for one in done.messages if f"in {len(left)} messages that did not fit" in str(one.parts)]
    assert f"[Externalized Content - artifact:{decision.artifact_ids[0]}]" in text(pointer)
    assert f'read_artifact("{decision.artifact_ids[0]}")' in text(pointer)
    assert f"{len(left)} messages that are kept did not fit even shortened" in str(done.record.warnings)


def test_one_that_leaves_is_a_pointer_in_its_own_place() -> None:
    talk = [system(30), user(30), assistant(30, pinned=True), user(30), assistant(30)]

    done = compact(talk, ENGINE, budget_tokens=172)

    (cut,) = [one for one in done.messages if "Externalized" in str(one.parts)]
    assert (cut.role, text(cut)) == (
        "user",
        f"[Externalized Content - artifact:{artifact_id(talk[1].message)}] 34 tokens",
    )


@pytest.mark.parametrize("limit_tokens", [45, 80, 150, 333])
@pytest.mark.parametrize("message_format", [one for one in Format if one is not Format.TAILRACE])
def test_every_provider_takes_what_is_left(limit_tokens: int, message_format: Format) -> None:
    talk = [system("be brief"), *pinned(30), assistant(20), user("and now?")]

    done = compact(talk, ENGINE, budget_tokens=limit_tokens)

    assert done.tokens <= limit_tokens
    assert not violations(request_of(done.messages, message_format), message_format)
    assert said_by_user("and now?") in done.messages


def said_by_user(content: str) -> Message:
    return user(content).message
