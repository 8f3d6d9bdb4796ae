"""Laws of ledgers, over any messages.

Tools never speak in them, noting is deterministic, what is shown fits and is quoted.
"""

from hypothesis import given
from hypothesis import strategies as st
from support.growing_ledger import note, opened
from support.strategies import patient

from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.list_headings import unfolded
from tailrace.agents.ledger.render import render
from tailrace.schemas.records.ledger import Ledger
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart

_VOCABULARY = (
    "never always pump gate budget is now $300 $400 must not port 8080 9090 please UTC forget about the if deadline "
    "Friday RULE: you may actually use weir_09 不要 niemals ?"
)
_words = st.sampled_from(_VOCABULARY.split())
_texts = st.lists(st.lists(_words, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=4).map("\n".join)


def _said(role: str, text: str) -> Message:
    return Message(role=role, parts=(TextPart(content=text),))


def _tool(text: str) -> Message:
    return Message(role="tool", parts=(ToolCallResponsePart(id="c", response=text),))


def _call(text: str) -> Message:
    return Message(
        role="assistant", parts=(ToolCallPart(id="c", name="edit", arguments={"path": "a.py", "new": text}),)
    )


_messages = st.lists(
    st.one_of(
        st.builds(_said, st.sampled_from(("user", "system", "assistant")), _texts),
        st.builds(_tool, _texts),
        st.builds(_call, _texts),
    ),
    max_size=12,
)


def _noted(messages: list[Message]) -> Ledger:
    ledger = Ledger()
    for place, message in enumerate(messages):
        ledger = note(ledger, message, event_id=f"m{place}", turn=place, created_at_ms=place)
    return ledger


@patient
@given(_messages)
def test_every_directive_stands_in_a_message_of_a_person_or_the_system_prompt(messages: list[Message]) -> None:
    for directive in _noted(messages).directives:
        message = messages[int(directive.source[1:])]
        assert message.role in {"user", "system"}
        lines = [
            " ".join(line.split()) for part in message.parts for line in str(getattr(part, "content", "")).split("\n")
        ]
        assert any(directive.text.rpartition(": ")[2] in line for line in lines)


@patient
@given(_messages)
def test_what_is_owed_and_done_is_the_same_in_one_go_and_read_again_after_every_message(
    messages: list[Message],
) -> None:
    book = Book()
    for place, message in enumerate(messages):
        book.note(message, event_id=f"m{place}", turn=place, created_at_ms=place)
    again = _noted(messages)
    assert book.ledger.obligations == again.obligations
    assert book.ledger.evidence == again.evidence


_long = st.lists(
    st.sampled_from(["pump", "gate ", " ", "Which weir?", "weir_09", "\n", "&&  echo"]), min_size=20, max_size=80
)
_calls = st.builds(
    lambda name, key, words: Message(
        role="assistant", parts=(ToolCallPart(id="c", name=name, arguments={key: " ".join(words)}),)
    ),
    st.sampled_from(("bash", "edit", "ask_user")),
    st.sampled_from(("command", "path", "question")),
    _long,
)
_answers = st.sampled_from(("exit 0", "the east one", "Error: no", '{"answer": "both"}')).map(_tool)


@patient
@given(st.lists(st.one_of(_calls, _answers, _messages.map(lambda some: (some or [_tool("")])[0])), max_size=8))
def test_what_is_long_and_still_open_is_read_from_a_ledger_as_it_was(messages: list[Message]) -> None:
    book = Book()
    for place, message in enumerate(messages):
        book.note(message, event_id=f"m{place}", turn=place, created_at_ms=place)

    assert book.ledger.evidence == _noted(messages).evidence
    assert opened(book.ledger).ledger == book.ledger


@patient
@given(_messages, st.integers(0, 400))
def test_what_is_shown_is_within_its_room_and_directives_go_last(messages: list[Message], tokens_max: int) -> None:
    ledger = _noted(messages)
    text = render(ledger, tokens_max=tokens_max, count_text=len)
    whole = render(ledger, tokens_max=1_000_000, count_text=len)

    assert len(text) <= tokens_max or text == ""
    assert all(one.text in unfolded(whole) for one in ledger.directives)


@patient
@given(_messages)
def test_saying_the_same_again_adds_no_directive(messages: list[Message]) -> None:
    users = [message for message in messages if message.role == "user"]
    again = [one.text for one in _noted([*messages, *users[-1:]]).directives]

    assert len(again) == len(set(again))
