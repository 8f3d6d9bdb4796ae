"""A context is sent only for the conversation that it was made from."""

from collections.abc import Sequence

import pytest

from tailrace.agents.identity.chain import Link, Scope, chain_of, passing_ids
from tailrace.agents.identity.swap import Mismatch, Swapped, swapped
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.records.context import EntryKind, id_hash
from tailrace.schemas.records.context_message import ContextMessage
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import CompactionPart, ReasoningPart, TextPart, ToolCallResponsePart

SCOPE = Scope(tenant="default", key_hash="k", dialect="openai.chat")


def user(text: str) -> Message:
    return read_native(Format.OPENAI_CHAT, {"role": "user", "content": text})


def chain(*messages: Message) -> tuple[Link, ...]:
    return chain_of(SCOPE, messages)


def verbatim(link: Link) -> ContextMessage:
    return ContextMessage(link.id, EntryKind.VERBATIM, link.message)


def summary(text: str = "What was said", sources: tuple[str, ...] = ()) -> ContextMessage:
    message = Message(role="assistant", parts=(CompactionPart(content=text),))
    return ContextMessage("tailrace:summary:1", EntryKind.SUMMARY, message, sources)


def gone(links: Sequence[Link]) -> frozenset[str]:
    return frozenset(id_hash(link.id) for link in links)


def test_a_summary_that_names_nothing_is_sent_for_the_conversation_that_it_was_made_from() -> None:
    links = chain(user("one"), user("two"), user("three"))

    sent = swapped(links, [summary(), verbatim(links[2])], gone(links[:2]))

    assert isinstance(sent, Swapped)
    assert [message.parts[0].content for message in sent.messages] == ["What was said", "three"]
    assert not sent.unchanged


def test_a_summary_of_another_conversation_is_not_sent_though_it_names_none_of_its_messages() -> None:
    links, others = chain(user("two")), chain(user("somebody's secret"))

    sent = swapped(links, [summary("somebody's secret"), verbatim(links[0])], gone(others))

    assert sent is Mismatch.FOREIGN


def test_a_context_that_holds_a_message_of_another_conversation_is_not_sent() -> None:
    links, others = chain(user("one")), chain(user("two"))

    assert swapped(links, [verbatim(others[0]), verbatim(links[0])], frozenset()) is Mismatch.FOREIGN


@pytest.mark.parametrize("departed", [0, 1])
def test_a_context_that_lacks_a_message_of_the_request_is_not_sent(departed: int) -> None:
    links = chain(user("one"), user("refused by the worker"), user("three"))
    context = [*([summary()] if departed else [verbatim(links[0])]), verbatim(links[2])]

    assert swapped(links, context, gone(links[:departed])) is Mismatch.LACKING


def test_what_the_model_is_to_answer_is_never_left_to_a_summary() -> None:
    links = chain(user("one"), user("two"))

    assert swapped(links, [summary()], gone(links)) is Mismatch.LACKING
    assert isinstance(swapped(links, [summary(sources=(links[1].id,))], gone(links)), Swapped)


@pytest.mark.parametrize("has_left", [False, True])
def test_reasoning_that_the_runtime_has_dropped_is_not_foreign(has_left: bool) -> None:  # noqa: FBT001
    thought = Message(role="assistant", parts=(ReasoningPart(content="hm"),))
    said = chain(user("one"), thought, thought, user("two"))
    asked = chain(user("one"), user("two"))
    first = [summary()] if has_left else list(map(verbatim, said[:3]))

    sent = swapped(asked, [*first, verbatim(said[3])], gone(said[:3]) if has_left else frozenset())

    assert isinstance(sent, Swapped)
    assert thought not in sent.messages
    assert list(passing_ids(asked, {link.id for link in said}.__contains__)) == [said[1].id, said[2].id]


def test_a_result_that_came_too_late_stays_the_words_that_the_context_has_for_it() -> None:
    result = Message(role="tool", parts=(ToolCallResponsePart(id="c1", response="42"),))
    links = chain(user("one"), result)
    told = Message(role="user", parts=(TextPart(content="Late result of c1: 42"),))

    sent = swapped(links, [verbatim(links[0]), ContextMessage(links[1].id, EntryKind.VERBATIM, told)], frozenset())

    assert isinstance(sent, Swapped)
    assert sent.messages == (links[0].message, told)
    assert not sent.unchanged


def test_what_stands_word_for_word_in_the_context_is_sent_as_the_request_has_it() -> None:
    published = chain(user("one <system-reminder>monday</system-reminder>"))
    asked = chain(user("one <system-reminder>tuesday</system-reminder>"))

    sent = swapped(asked, [verbatim(published[0])], frozenset())

    assert sent == Swapped((asked[0].message,), unchanged=True)
