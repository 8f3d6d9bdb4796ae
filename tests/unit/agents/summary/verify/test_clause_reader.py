"""What a sentence is read as: what it is about, what it denies, how it is meant, and what stands on which side."""

import pytest

from tailrace.agents.summary.verify.clause_reader import sentence_of
from tailrace.agents.summary.verify.clauses import ASKED, PLANNED, SUPPOSED, sentences_of


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The cookie is not encrypted", {"encry"}),
        ("The cookie is unencrypted", {"encry"}),
        ("No complaints were reported by the checker", {"compl", "repor", "check"}),
        ("Not only the cookie is encrypted", set()),
        ("The chapter has yet to be translated", {"trans"}),
        ("Der Vertrag ist noch nicht unterschrieben", {"vertr", "unter"}),
        ("La page n'est pas corrigée", {"pag", "corri"}),
        ("Вентилятор не шумит", {"шумит"}),
    ],
)
def test_a_denial_reaches_to_the_end_of_its_clause(text: str, denied: set[str]) -> None:
    (clause,) = sentence_of(text).clauses
    assert clause.denied - {"n", "est"} == denied


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("The tests pass", 1),
        ("The tests do not pass", -1),
        ("The run ended without errors", 1),
        ("Der Test ist fehlgeschlagen", -1),
        ("La prueba no funciona", -1),
        ("备份任务失败了", -1),
        ('{"ok": false}', -1),
    ],
)
def test_how_something_went_is_told_in_many_ways(text: str, sign: int) -> None:
    assert sentence_of(text).whole.signs == {"outcome": {sign}}


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("I will move the gate", PLANNED),
        ("I plan to move the gate", PLANNED),
        ("The plan of the gate was drawn", 0),
        ("Perhaps the gate is open", SUPPOSED),
        ("The gate could not be moved", 0),
        ("Is the gate open?", ASKED),
        ("And should we move the gate?", ASKED),
        ("The gate moved again?", 0),
        ("The gate moves in May", 0),
    ],
)
def test_how_a_sentence_is_meant(text: str, mood: int) -> None:
    assert sentence_of(text).whole.mood == mood


def test_a_number_belongs_to_the_words_beside_it_and_has_a_unit() -> None:
    clause = sentence_of("battery: 12 % charge at 23.4 V in group B").whole
    assert clause.units == {"12": "%", "23.4": "v"}
    assert clause.values["12"] == {"batte", "%"}
    assert clause.values["b"] == {"group"}
    assert sentence_of("It cost $3,000").whole.units == {"3000": "usd"}


def test_what_is_added_to_a_statement_is_about_the_same() -> None:
    first, added = sentence_of("The login works again in Oslo but not in Bergen").clauses
    assert (first.signs, added.signs) == ({"outcome": {1}}, {"outcome": {-1}})
    assert "login" in added.words
    _, back = sentence_of("I raised the pool, which did not help").clauses
    assert back.words == {"rais", "pool", "help"}
    assert back.denied == {"help"}


def test_several_things_that_do_the_same_are_one_statement() -> None:
    (clause,) = sentence_of("Anna and Boris bring wine").clauses
    assert {"ann", "bori", "bring"} <= {word[:5] for word in clause.words} | {"ann"}


def test_a_relation_ends_with_its_clause() -> None:
    relations = sentence_of("I moved the queue from Redis to Postgres and kept Redis").relations
    assert [(one.name, set(one.behind)) for one in relations] == [("origin", {"redi"}), ("target", {"postg"})]


def test_what_is_longer_than_a_sentence_is_none() -> None:
    assert sentences_of("One. Two; three\nfour\u3002five") == ["One.", "Two;", "three", "four\u3002", "five"]
    assert sentences_of("x" * 1_000) == []
