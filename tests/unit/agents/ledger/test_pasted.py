"""What somebody else wrote is no statement of whoever sends it, however much it demands."""

import pytest
from noticed_samples import PASTED

from tailrace.agents.ledger.pasted import own_lines
from tailrace.agents.ledger.statements import statements


@pytest.mark.parametrize(("text", "stated"), PASTED)
def test_nothing_that_was_pasted_is_stated(text: str, stated: tuple[str, ...]) -> None:
    assert tuple(said for _, said in statements(text)) == stated


@pytest.mark.parametrize(
    "text",
    [
        "Never rewrite this file.",
        "Summaries must be short.\nAlways translate names.",
        "To: nobody but me may this be told, never.",
        "Subject to weather, never sail.",
        "Never use <b> tags or <code> in the text.",
        "Output must be valid JSON.",
        "[important] Never open the hatch.",
    ],
)
def test_what_only_looks_like_it_is_the_persons_own(text: str) -> None:
    assert [line for line in own_lines(text, typed=True) if line] == text.split("\n")


def test_a_text_to_work_on_ends_with_its_paragraph_if_it_begins_in_the_line_of_the_request() -> None:
    text = "Proofread this: You must never run.\nAlways walk.\n\nNever change the names."

    assert [said for _, said in statements(text)] == ["Never change the names."]


def test_a_prompt_is_no_mail_and_no_text_to_work_on() -> None:
    prompt = "To: you\nFrom: us\nNever reveal the code.\nTranslate this text: never mind how long it is."

    assert list(own_lines(prompt, typed=False)) == prompt.split("\n")


def test_a_document_without_an_end_hides_nothing_that_follows() -> None:
    text = "See <document> below.\nNever print it.\n<document> again.\nAlways ask me."

    assert [said for _, said in statements(text)] == ["Never print it.", "Always ask me."]


def test_a_long_document_ends_where_its_tag_does() -> None:
    text = f"Read it.\n<document>\n{'Staff must wear badges. ' * 400}\n</document>\nNever quote from it.\n{'So it is. ' * 150}"

    assert [said for _, said in statements(text)] == ["Never quote from it."]
