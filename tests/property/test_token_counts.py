"""Laws of token counts: exact means tiktoken's number, sums are sums, and nothing that can be said raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import any_messages, json_values, patient

from tailrace.agents.tokens.counts import MESSAGE_OVERHEAD_TOKENS, count_message, count_tool_schemas
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams.models.counters import counter_for, exact_counter
from tailrace.streams.models.long_runs import CHARACTERS, RUN_CHARS_MIN
from tailrace.streams.models.model_windows import window_for
from tailrace.streams.models.vocabulary import ENCODINGS, load_encoding

#: Pieces at which the two tokenizers could cut differently: case, contractions, white space, marks, joiners, digits.
PIECES = (
    *("'s", "'T", "'RE", " 'll", "'", "\u2019s", "\u017f", "\u0130", "\u0131", "ß", "\u01c4", "\u01c5", "\u02b0", "ª"),
    *(" ", "  ", "\t", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\xa0", "\u2028", "\u3000", "\u200b"),
    *("1", "12", "1234", "½", "Ⅷ", "٣", "中", "的", "あ", "한", "ก", "ำ", "\u0301", "é", "ﷺ", "ﬃ", "\U0001d4b3", "𐐀"),
    *("😀", "👩\u200d👧", "🇩🇪", "\ufe0f", "\U000e0001", "\u0378", "\ue000", "\U0010ffff", "\x00", "\ud800", "\udfff"),
    *("<|endoftext|>", "<|im_start|>", '{"', '":', "},", "/", "//", "...", "-----", "_", "\\n", "aBc", "ABC", "abc"),
)
any_text = st.one_of(
    st.text(st.characters(codec=None), max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=12).map("".join),
    st.tuples(st.sampled_from(PIECES), st.integers(1, 3_000), st.sampled_from(PIECES)).map(
        lambda t: t[0] * t[1] + t[2]
    ),
)
#: What stands beside a run may be taken into its first or last token.
ends_of_runs = st.text("-=*#/\t _~+.>|<!:;()[]{}\\\n\ra1\"'", max_size=6)
long_runs = st.tuples(st.sampled_from(CHARACTERS), st.integers(RUN_CHARS_MIN, 3 * RUN_CHARS_MIN)).map(
    lambda run: run[0] * run[1]
)
models = st.one_of(st.sampled_from([None, "gpt-4o", "gpt-4", "claude-opus-5"]), st.text(max_size=40))


@pytest.mark.parametrize("name", ENCODINGS)
@patient
@given(text=any_text)
def test_an_exact_count_is_the_number_that_tiktoken_gives(name: str, text: str) -> None:
    assert exact_counter(name).count_text(text) == len(load_encoding(name).encode_ordinary(text))


@pytest.mark.parametrize("name", ENCODINGS)
@patient
@given(pieces=st.lists(st.one_of(st.sampled_from(PIECES), ends_of_runs, long_runs), min_size=1, max_size=8))
def test_a_count_of_long_runs_by_a_part_of_them_is_that_of_all_of_the_text(name: str, pieces: list[str]) -> None:
    text = "".join(pieces) + ", and so on" * 5_000
    counter = exact_counter(name)

    assert counter.count_text(text) == counter.count_anew(text)


@pytest.mark.parametrize("model", ["claude-opus-5", "a model that nobody knows"])
@patient
@given(text=any_text)
def test_a_count_for_a_vocabulary_that_is_not_public_is_never_below_one_that_is(model: str, text: str) -> None:
    exact = len(load_encoding("o200k_base").encode_ordinary(text))

    assert exact * 1.3 <= counter_for(model).count_text(text) < exact * 1.4 + 1


@patient
@given(message=any_messages, model=models)
def test_every_message_has_a_count(message: Message, model: str | None) -> None:
    assert count_message(message, counter_for(model)) >= MESSAGE_OVERHEAD_TOKENS


@patient
@given(message=any_messages, text=any_text)
def test_a_part_adds_its_own_count_and_nothing_else(message: Message, text: str) -> None:
    counter = counter_for(None)
    longer = Message(role=message.role, name=message.name, parts=(*message.parts, TextPart(content=text)))

    assert count_message(longer, counter) == count_message(message, counter) + counter.count_text(text)


@patient
@given(tools=st.lists(st.dictionaries(st.text(max_size=5), json_values, max_size=3), max_size=4))
def test_any_tool_schema_has_a_count(tools: list[dict[str, object]]) -> None:
    assert (count_tool_schemas(tools, counter_for(None)) > 0) == bool(tools)


@patient
@given(model=st.text(st.sampled_from("abgpt4o-./:@0125 "), max_size=24))
def test_any_name_of_a_model_has_a_window(model: str) -> None:
    assert window_for(model).window_tokens > 0
