"""Which words answer a question that offers several things or asks for one, and which only follow it."""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import pytest

from tailrace.agents.ledger.questions import leaves_open

WOOD = "Do you want oak or pine?"
DATE = "Which date do you want, 3 May or 10 May?"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (WOOD, "Oak."),
        (WOOD, "pine please"),
        (WOOD, "The second one."),
        (WOOD, "I would take the first."),
        (WOOD, "both"),
        (WOOD, "Neither of them."),
        (WOOD, "Either is fine."),
        (WOOD, "Whatever you like."),
        (WOOD, "Up to you."),
        (WOOD, "b"),
        (DATE, "3 May"),
        (DATE, "The 10th suits us better, because the hall is free."),
        ("Which cabin, 1 or 2?", "2"),
        ("Soll ich die Akten vernichten oder behalten?", "Behalte sie."),
        ("Soll ich die Akten vernichten oder behalten?", "Egal."),
        ("Eiche oder Kiefer?", "Die zweite."),
        ("Préférez-vous le chêne ou le pin ?", "Le pin."),
        ("Préférez-vous le chêne ou le pin ?", "Le premier."),
        ("¿Roble o pino?", "Pino."),
        ("Wil je eik of grenen?", "Grenen."),
        ("要橡木还是松木？", "松木"),
        ("要橡木还是松木？", "随便"),
        ("What colour should the door have?", "Grey."),
        ("What colour should the door have?", "Dark grey."),
        ("Who pays the painter?", "Ingrid Holm"),
        ("When shall I call?", "At nine on Monday."),
        ("How many chairs?", "About 40."),
        ("Which cabin should I book?", "Business"),
        ("Was möchtest du trinken?", "Ein Glas Milch."),
    ],
)
def test_who_picks_or_tells_what_is_asked_for_answers(question: str, said: str) -> None:
    assert not leaves_open(said, question)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Shall I delete the only copy of the archive?", "Explain mitosis."),
        ("Should I wipe the disk of node wh-3?", "The weather is lovely."),
        ("May I sell the organ of the chapel?", "Ingrid has a cold."),
        ("Shall I delete the copy when the backup is through?", "Explain mitosis."),
        ("Shall I burn what is left?", "Thunder."),
        ("要我删除旧档案吗？", "我去吃饭。"),
        ("你要哪个？", "我去吃饭。"),
        ("Soll ich die Akten vernichten oder behalten?", "Es regnet."),
        ("Devo apagar o arquivo?", "Chove muito."),
        ("Was möchtest du trinken?", "Mein Hund bellt."),
        (WOOD, "Nobody answers the phone."),
        (WOOD, "No one answers the phone."),
        (WOOD, "I want a coffee."),
        (WOOD, "Tell me about the second law of thermodynamics."),
        (WOOD, "The second floor is flooded."),
        (DATE, "Tell me something about how ropes are twisted."),
        (DATE, "It is late."),
        ("Which one?", "My tooth hurts."),
        ("What colour should the door have?", "Explain mitosis."),
        ("What colour should the door have?", "Read the manual."),
        ("What colour should the door have?", "The weather is lovely."),
    ],
)
def test_who_speaks_of_something_else_leaves_the_question_open(question: str, said: str) -> None:
    assert leaves_open(said, question)


@pytest.mark.parametrize(
    "said",
    [
        "Surtout pas !",
        "Bloß nicht!",
        "Better not.",
        "Mejor no.",
        "Auf keinen Fall!",
        "En aucun cas.",
        "Liever niet.",
        "不要",
    ],
)
def test_a_word_or_two_that_end_in_a_denial_answer(said: str) -> None:
    assert not leaves_open(said, "Dois-je supprimer les 41 lignes ?")


@pytest.mark.parametrize("said", ["Ich schlafe noch nicht.", "The pump does not.", "Il ne pleut pas."])
def test_a_sentence_that_denies_something_else_answers_nothing(said: str) -> None:
    assert leaves_open(said, "Dois-je supprimer les 41 lignes ?")
