"""Laws of summaries without a model, over messages as odd as they may come."""

import re
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from support.estimate import EstimatingCounter
from support.strategies import any_messages, patient

from tailrace.agents.summary.extract.bullets import read
from tailrace.agents.summary.extract.extraction import extract_summary
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

counters = st.sampled_from(
    [len, lambda text: len(text) // 4, lambda text: 7 + len(text) ** 2 // 50, EstimatingCounter().count_text]
)
sentences = st.text(st.sampled_from("abc ÄZ_9.!\n[]-…"), max_size=120) | st.sampled_from(
    [
        "You must not.",
        "Never gate_9.",
        "What was changed:\n- [Edit x_1.py, 2 times] a_1 … b_2",
        "GateError: weir_9 failed",
    ]
)
spoken = st.builds(
    lambda role, text: Message(role=role, parts=(TextPart(content=text),)),
    st.sampled_from(["user", "assistant", "system"]),
    sentences,
)


@patient
@given(st.lists(any_messages | spoken, max_size=8), st.integers(-5, 400), counters, sentences)
def test_a_summary_fits_or_is_empty(
    messages: list[Message], budget_tokens: int, count_text: Callable[[str], int], known: str
) -> None:
    text = extract_summary(messages, budget_tokens=budget_tokens, count_text=count_text, staying_text=known)

    assert not text or count_text(text) <= budget_tokens


@patient
@given(st.lists(spoken, max_size=8))
def test_everything_quoted_was_said(messages: list[Message]) -> None:
    whole = _squeezed(
        "\n".join(part.content for message in messages for part in message.parts if isinstance(part, TextPart))
    )

    text = extract_summary(messages, budget_tokens=2_000, count_text=len)

    assert all(_squeezed(piece) in whole for bullet in read(text) for piece in bullet.pieces)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)
