"""What recall looks for: words, whole names and their parts, in any script."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailrace.agents.recall.embedding import DIMENSIONS, embedding
from tailrace.agents.recall.passages import PASSAGE_CHARS_MAX, passages
from tailrace.agents.recall.ranking import RankedPassage, best_candidates, fuse, rank, term_weights
from tailrace.agents.recall.terms import (
    _SPACED_BYTES,
    _UNSPACED,
    SearchTerm,
    _camel_names,
    hidden_terms,
    one_name,
    query_terms,
    words_of,
)
from tailrace.agents.summary.extract.name_value import worth_of_names
from tailrace.agents.summary.extract.span import span_of
from tailrace.agents.summary.extract.span_document import KEYWORDS_MAX, keywords, span_document
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart
from tailrace.schemas.records.recall import RecallKind


def phrases(query: str) -> set[str]:
    return {term.phrase for term in query_terms(query)}


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("load_config", {"load config", "load", "config"}),
        ("loadConfig", {"loadconfig", "load", "config"}),
        ("HTTPServerError2", {"httpservererror2", "http", "server", "error", "2"}),
        ("src/net/retry_policy.rs", {"src net retry policy rs", "retry policy rs", "retry"}),
        ("1,204.50", {"204 50", "1"}),
        ("at 10:42:07", {"10 42 07"}),
        ("https://example.org/a/b?id=7", {"https example org a b", "id", "7"}),
        ("Zoë's café", {"zoe", "cafe"}),
        ("東京都の天気", {"東京", "京都", "天気"}),
        ("ราคา", {"รา", "าค", "คา"}),
    ],
)
def test_a_query_asks_for_whole_names_and_for_their_parts(query: str, wanted: set[str]) -> None:
    assert wanted <= phrases(query)


@pytest.mark.parametrize("query", ["", " \n\t", "?!… --- \"'*()", "\0\0", "_" * 50, "🙂🙂"])
def test_what_has_no_letters_asks_for_nothing(query: str) -> None:
    assert query_terms(query) == []


def test_a_term_is_asked_for_once_however_often_it_is_said() -> None:
    terms = query_terms("retry the retry of RetryPolicy, retry!")
    assert len(terms) == len(set(terms))
    assert SearchTerm(("retry",)) in terms


def test_encoded_data_is_not_taken_apart() -> None:
    assert query_terms("aGVsbG8" * 200) == []
    assert hidden_terms("aGVsbG8" * 200) == ""


def test_only_what_the_index_can_not_see_is_added_to_it() -> None:
    assert hidden_terms("plain words, snake_case and CAPS") == ""
    assert hidden_terms("maxRetries, then maxRetries again") == "max retries"


@given(st.text(max_size=300))
def test_terms_hold_nothing_that_an_index_could_read_as_an_operator(query: str) -> None:
    assert all(re.fullmatch(r"[^\W_]+( [^\W_]+)*", term.phrase) for term in query_terms(query))


def test_one_name_is_a_query_without_spaces() -> None:
    assert one_name("  src/a.py ") == "src/a.py"
    assert one_name("two words") == ""
    assert one_name("") == ""


# Passages


@given(st.text(alphabet="ab \n.,", max_size=5_000))
def test_passages_are_the_whole_text_in_pieces_of_bounded_length(text: str) -> None:
    found = passages(text)
    if not text.strip():
        assert found == []
        return
    assert "".join(one.text for one in found) == text
    assert all(0 < len(one.text) <= PASSAGE_CHARS_MAX for one in found)
    assert all(text.startswith(one.text, one.first_char) for one in found)


def test_a_passage_ends_with_a_line_if_it_can() -> None:
    line = "x" * 79 + "\n"
    assert all(one.text.endswith("\n") for one in passages(line * 100))


def test_no_name_is_cut_in_two_where_there_are_spaces() -> None:
    names = [f"name_{number:04}" for number in range(1_000)]
    assert [word for one in passages(" ".join(names)) for word in one.text.split()] == names


# Ranking


def ranked(query: str, texts: list[str], limit: int = 5) -> list[int]:
    terms = query_terms(query)
    spoken = [f" {' '.join(words_of(text))} {hidden_terms(text)} " for text in texts]
    postings = {term: [at for at, text in enumerate(spoken) if f" {term.phrase} " in text] for term in terms}
    weights = term_weights(postings, len(texts), common_from=1_000)
    read = [
        RankedPassage(number=number, text=texts[number], said_at_ms=number, offset=number)
        for number in best_candidates(postings, weights)
    ]
    return [one.number for one in rank(read, postings, weights, literal=one_name(query), limit=limit)]


FILLER = [f"note {number} about the weather and the harvest of field {number}" for number in range(20)]


def test_a_whole_name_wins_over_many_of_its_parts() -> None:
    texts = [*FILLER, "user user name name user get get name", "we call get_user_name once"]
    assert ranked("get_user_name", texts)[0] == len(texts) - 1


def test_the_very_characters_win_over_the_same_words() -> None:
    texts = [*FILLER, "call Get-User here", "call get_user here", "call get.user here"]
    assert ranked("get_user", texts)[0] == len(FILLER) + 1


def test_rare_words_of_a_long_question_count_most() -> None:
    texts = [*FILLER, "the turbine"]
    question = "what was it that we said about the weather and the harvest when somebody asked for the turbine"
    assert len(FILLER) in ranked(question, texts)


def test_passages_that_say_the_same_are_shown_once_and_the_newest_of_them() -> None:
    texts = ["the turbine spins", *FILLER, "the turbine spins"]
    found = ranked("turbine", texts)
    assert found == [len(texts) - 1]


def test_what_a_better_passage_said_already_makes_room_for_something_else() -> None:
    alike = [f"turbine blade cracked, turbine blade cracked {word}" for word in ("a1", "b2", "c3", "d4", "e5", "f6")]
    texts = [*FILLER, *alike, "the gearbox is at depot 7"]
    assert len(texts) - 1 in ranked("turbine blade cracked gearbox", texts)


def test_terms_that_are_everywhere_count_only_where_there_is_nothing_else() -> None:
    common, rare = SearchTerm(("the",)), SearchTerm(("turbine",))
    assert set(term_weights({common: [1, 2, 3], rare: [2]}, 9, common_from=3)) == {rare}
    assert set(term_weights({common: [1, 2, 3], rare: []}, 9, common_from=3)) == {common}


def test_a_passage_that_two_rankings_name_comes_first() -> None:
    assert [one.number for one in fuse([[1, 2, 3], [4, 3, 5]], 2)] == [3, 4]


# Vectors


def test_texts_that_share_parts_of_words_are_nearer_than_those_that_share_none() -> None:
    def near(one: str, other: str) -> float:
        vectors = [memoryview(embedding(text)).cast("f") for text in (one, other)]
        assert [len(vector) for vector in vectors] == [DIMENSIONS, DIMENSIONS]
        return sum(left * right for left, right in zip(*vectors, strict=True))

    assert near("compaction of threads", "compacting threads") > near("compaction of threads", "a sunny morning") + 0.2
    assert near("compaction", "compaction") == pytest.approx(1.0, abs=1e-5)


# Spans


def span() -> list[Message]:
    call = ToolCallPart(id="c1", name="read_file", arguments={"path": "plant/turbine_map.py"})
    answer = ToolCallResponsePart(id="c1", response="def blade_angle(): return 17.25")
    return [
        Message(role="user", parts=(TextPart(content="Why is turbine_map.py slow? Never touch the licence."),)),
        Message(role="assistant", parts=(call,)),
        Message(role="tool", parts=(answer,)),
        Message(role="assistant", parts=(TextPart(content="turbine_map.py computes blade_angle anew each time."),)),
    ]


def test_a_dropped_span_is_found_by_its_names_its_tools_and_its_demands() -> None:
    document = span_document(span(), thread="t", id="span-1", turn=3)
    assert (document.kind, document.id, document.turn) == (RecallKind.SPAN, "span-1", 3)
    for wanted in ("turbine_map.py", "blade_angle", "read_file", "Never touch the licence", "4 messages"):
        assert wanted in document.text


def keywords_of(messages: list[Message]) -> list[str]:
    read = span_of(messages)
    return keywords(read, worth_of_names(read, ""))


def test_the_names_that_were_used_most_are_the_first_keywords() -> None:
    found = keywords_of(span())
    assert set(found[:2]) == {"turbine_map.py", "blade_angle"}
    many = [Message(role="assistant", parts=(TextPart(content=" ".join(f"name_{n}" for n in range(300))),))]
    assert len(keywords_of(many)) == KEYWORDS_MAX


def test_a_span_without_anything_to_say_still_has_an_entry() -> None:
    assert span_document([], thread="t", id="span-1").text == "0 messages"


#: The rule for camelCase names in one pattern: a run of letters and digits in which a capital follows something else.
CAMEL_NAME = re.compile(r"(?<![A-Za-z0-9])[A-Z]*[a-z0-9]+[A-Z][A-Za-z0-9]*")


@given(st.text(alphabet="aZ09 _-.éß→漢\ud800\x00", max_size=40) | st.text(max_size=40))
def test_names_are_those_of_the_pattern(text: str) -> None:
    assert list(_camel_names(text)) == CAMEL_NAME.findall(text)


def test_whatever_is_written_without_spaces_is_looked_at() -> None:
    for number in range(0x80, 0x11_0000):
        if _UNSPACED.match(chr(number)):
            assert chr(number).encode("utf-8", "replace").translate(None, _SPACED_BYTES), hex(number)
