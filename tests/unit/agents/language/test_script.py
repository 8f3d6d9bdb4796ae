"""Scripts and languages, as far as letters and common words tell."""

from pathlib import Path

import pytest

from tailrace.agents.language.script import differs, language_of, script_of, spoken_language

PROSE = Path(__file__).resolve().parents[3] / "data" / "prose"
SCRIPTS = {
    "arabic": "arabic",
    "chinese": "han",
    "english": "latin",
    "german": "latin",
    "hindi": "devanagari",
    "japanese": "kana",
    "korean": "hangul",
    "russian": "cyrillic",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_prose_is_in_its_own_script(name: str) -> None:
    assert script_of((PROSE / f"{name}.txt").read_text(encoding="utf-8")) == SCRIPTS[name]


@pytest.mark.parametrize(("name", "language"), [("english", "en"), ("german", "de")])
def test_prose_in_latin_letters_tells_its_language(name: str, language: str) -> None:
    assert language_of((PROSE / f"{name}.txt").read_text(encoding="utf-8")) == language


@pytest.mark.parametrize(
    ("name", "language"),
    [("english", "en"), ("german", "de"), ("japanese", "ja"), ("chinese", "zh"), ("korean", "ko"), ("russian", None)],
)
def test_a_language_is_named_where_letters_and_words_tell_which(name: str, language: str | None) -> None:
    assert spoken_language((PROSE / f"{name}.txt").read_text(encoding="utf-8")) == language


@pytest.mark.parametrize("one", SCRIPTS)
@pytest.mark.parametrize("other", SCRIPTS)
def test_two_texts_differ_if_their_languages_do(one: str, other: str) -> None:
    texts = [(PROSE / f"{name}.txt").read_text(encoding="utf-8") for name in (one, other)]
    assert (differs(*texts) is None) == (one == other)


def test_names_and_code_do_not_change_the_language() -> None:
    text = "サーバーを再起動しました。ログは /var/log/nginx/error.log にあります。設定は変更していません。"
    assert script_of(text) == "kana"


@pytest.mark.parametrize("text", ["", "ok", "12 34 56", "x = y + z", "a.py b.py c.py"])
def test_a_text_that_says_too_little_has_no_language(text: str) -> None:
    assert script_of(text) is None
    assert language_of(text) is None
    assert differs(text, (PROSE / "russian.txt").read_text(encoding="utf-8")) is None
