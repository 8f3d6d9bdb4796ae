"""Laws of injections.

Whatever a context holds, they come at its end, change nothing before them, and the API takes them.
"""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.gemini_strategies import gemini_turns
from support.responses_strategies import responses_turns
from support.strategies import anthropic_turns, any_messages, openai_turns, patient

from tailrace.agents.engine.request import Injection, render
from tailrace.schemas.errors import Invalid, PoisonEvent
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.records.message import Format, Message

_TURNS = {
    Format.OPENAI_CHAT: openai_turns,
    Format.OPENAI_RESPONSES: responses_turns,
    Format.ANTHROPIC_MESSAGES: anthropic_turns,
    Format.GEMINI: gemini_turns,
}
_few_ids = st.lists(st.sampled_from(["a", "b", "call_1"]), min_size=1, max_size=2, unique=True)


@st.composite
def contexts(draw: st.DrawFn) -> list[Message]:
    """Turns of any provider, cut off anywhere, so that a context ends in all the ways there are."""
    messages: list[Message] = []
    for _ in range(draw(st.integers(0, 2))):
        source = draw(st.sampled_from(list(_TURNS)))
        for data in draw(_TURNS[source](draw(_few_ids))):
            try:
                messages.append(read_native(source, data))
            except PoisonEvent:
                continue
    return messages[: draw(st.integers(0, len(messages)))]


def injected(message: Message) -> Injection | None:
    try:
        return Injection("any", message)
    except Invalid:
        return None


said = st.builds(
    Injection.of_text, st.just("said"), st.text(min_size=1, max_size=20).filter(lambda text: text.strip() != "")
)
injections = st.lists(said | any_messages.map(injected).filter(bool), min_size=1, max_size=3)


def rendered(messages: list[Message], target: Format, added: list[Injection]) -> dict[str, Any]:
    # Unchecked: these laws hold for what no provider takes, too.
    return render(messages, target, injections=added, injection_reserve_tokens=1_000, count=lambda _: 1, check=False)


def as_bytes(request: dict[str, Any]) -> bytes:
    return json.dumps(request).encode()


@patient
@given(contexts(), injections, st.sampled_from(Format))
def test_an_injection_changes_no_byte_of_what_comes_before_it(
    messages: list[Message], added: list[Injection], target: Format
) -> None:
    without, with_them = (rendered(messages, target, chosen) for chosen in ([], added))

    assert as_bytes(with_them).startswith(as_bytes(without).rstrip(b"]}"))
    assert without.keys() == with_them.keys()
    key = PROVIDERS[target].list_key
    whole = len(without[key]) - (target is Format.GEMINI)
    assert with_them[key][: max(0, whole)] == without[key][: max(0, whole)]


@patient
@given(contexts(), injections, said, st.sampled_from(list(_TURNS)))
def test_a_request_with_injections_is_one_that_the_api_takes_and_ends_with_the_last(
    messages: list[Message], added: list[Injection], last: Injection, target: Format
) -> None:
    request = rendered(messages, target, [*added, last])

    assert violations(request, target) == []
    assert last.message.parts[0].content in _texts(request[PROVIDERS[target].list_key][-1])


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [value] if isinstance(value, str) else []
