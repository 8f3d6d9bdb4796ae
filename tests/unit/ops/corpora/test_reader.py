"""The corpus is well formed, and the reader says where it is not."""

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from ops.corpora.__main__ import table
from ops.corpora.reader import FOLDER, HEADER, LABELS, CorpusError, Scenario, Turn, corpus, scenarios

HEAD = f"{HEADER}kitchens, in English. Written by hand for Tailrace, 1 scenario; an example.\n\n"
README = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
WALKS = re.findall(r"\w+", README.partition("The walks of life:")[2])
FILES = sorted(FOLDER.glob("*/*.txt"))


def written(folder: Path, text: str, *, head: str = HEAD) -> Path:
    file = folder / "en" / "kitchen.txt"
    file.parent.mkdir(exist_ok=True)
    file.write_text(head + text, encoding="utf-8")
    return file


def test_a_sentence_has_its_label_speaker_context_and_what_it_changes(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "= a wedding\na> Any allergies?\nfact #nuts: two of them can't: walnuts\nreport @a: Noted.\n"
        "change #nuts narrows: walnuts only\nrule #salt beside #nuts: go easy on salt\nchange: no cake then\n",
    )

    (scenario,) = scenarios(file)
    nuts, report, change, salt, bare = scenario.sentences

    assert (scenario.language, scenario.walk, scenario.title, scenario.line) == ("en", "kitchen", "a wedding", 3)
    assert (nuts.label, nuts.words, nuts.speaker, nuts.name) == ("fact", "two of them can't: walnuts", "user", "nuts")
    assert nuts.before == (Turn("assistant", "Any allergies?"),)
    assert (report.speaker, report.before) == ("assistant", ())
    assert (change.name, change.effect, change.target) == ("", "narrows", "nuts")
    assert (salt.name, salt.effect, salt.target) == ("salt", "beside", "nuts")
    assert (bare.name, bare.effect, bare.target, bare.line) == ("", "", "", 9)


def test_a_sentence_is_read_as_it_is_typed_in_any_language(tmp_path: Path) -> None:
    words = ("Ça, c'est « non »\u00a0: jamais\u202f!", "şimdi İzmir'de yok", "¿y la 7?", "źle, #pilne", "हिंदी में लिखो")
    file = written(tmp_path, "= Où l'on s'arrête à 18\u00a0h\n" + "".join(f"rule: {text}\n" for text in words))

    (scenario,) = scenarios(file)

    assert scenario.title == "Où l'on s'arrête à 18\u00a0h"
    assert tuple(sentence.words for sentence in scenario.sentences) == words


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("rule: no title yet", 3, "begin a scenario"),
        ("= empty", 3, "write sentences"),
        ("= a\nno label here", 4, "<label>"),
        ("= a\nwish: a pony", 4, "'wish' is no label"),
        ("= a\nfact #a: x\nchange #a shrinks: y", 5, "'shrinks' is no effect"),
        ("= a\nchange lifts: y", 4, "name the statement"),
        ("= a\nfact #a: x\n= b\nchange #a lifts: y", 6, "is named #a"),
        ("= a\nfact #a: x\nfact #a: y", 5, "#a is the name of an earlier"),
        ("= a\nfact: x\na> And?", 5, "a sentence follows"),
        ("= a\nfact: pas de cafe\u0301", 4, "NFC"),
    ],
)
def test_a_line_that_is_wrong_is_named(tmp_path: Path, text: str, line: int, problem: str) -> None:
    file = written(tmp_path, text)

    with pytest.raises(CorpusError) as error:
        list(scenarios(file))

    assert str(error.value).startswith(f"{file}:{line}: ")
    assert problem in str(error.value)


def test_a_file_without_a_header_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="begin the file"):
        list(scenarios(written(tmp_path, "= a\nrule: x", head="")))


def test_words_may_be_of_any_script(tmp_path: Path) -> None:
    words = (
        "刺身は当日だけ。",
        "「だめ」は一つ: 火",
        "«ممنوع» رمز التحقق؟",
        "मेरा नियम: no cash",
        "một\u2028hai\u3000はい",
    )
    text = "".join(f"fact #né{number}: {line}\n" for number, line in enumerate(words))
    file = written(tmp_path, f"= 厨房\na> 何種類?\n{text}")

    (scenario,) = scenarios(file)

    assert scenario.title == "厨房"
    assert tuple(sentence.words for sentence in scenario.sentences) == words
    assert [sentence.line for sentence in scenario.sentences] == [5, 6, 7, 8, 9]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_file_is_well_formed(file: Path) -> None:
    head = file.read_text(encoding="utf-8").partition("\n=")[0]
    titles = Counter(scenario.title for scenario in scenarios(file))

    assert "Written by hand for Tailrace" in head, "the header says how the file was written"
    assert file.stem in WALKS
    assert titles, "a file has scenarios"
    assert [title for title, count in titles.items() if count > 1] == []
    assert {sentence.label for scenario in scenarios(file) for sentence in scenario.sentences} <= set(LABELS)


def plain(words: str) -> str:
    """Return the words without case and accents: `Été`, `ÉTÉ` and `ete` are one sentence."""
    letters = unicodedata.normalize("NFKD", words.casefold().replace("\u0131", "i"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@pytest.mark.parametrize(
    "words",
    [("ISITMA", "\u0131s\u0131tma"), ("İyi", "iyi"), ("Ça va", "ca va"), ("Straße", "STRASSE"), ("Mañana", "manana")],
)
def test_sentences_that_differ_by_case_or_accent_alone_are_the_same(words: tuple[str, str]) -> None:
    assert plain(words[0]) == plain(words[1])


def test_no_sentence_stands_twice_in_a_language() -> None:
    places: dict[tuple[str, str], list[str]] = {}
    for scenario in corpus():
        for sentence in scenario.sentences:
            key = scenario.language, plain(sentence.words)
            places.setdefault(key, []).append(f"{scenario.file.name}:{sentence.line}")

    assert {words: lines for words, lines in places.items() if len(lines) > 1} == {}


def test_about_a_third_of_scenarios_is_set_aside_by_language_walk_and_title() -> None:
    made = [Scenario("en", "farm", f"field {number}", (), Path("farm.txt"), 1) for number in range(300)]

    assert 80 < sum(scenario.set_aside for scenario in made) < 120
    assert [scenario.set_aside for scenario in made] != [s._replace(walk="garden").set_aside for s in made]
    assert all(s._replace(file=Path("moved.txt"), line=9).set_aside == s.set_aside for s in made)


def test_the_table_counts_every_sentence(tmp_path: Path) -> None:
    written(tmp_path, "= a\nrule #r: x\nchange #r lifts: y\nrule: z")

    rows = {" ".join(row.split()[:-1]): row.split()[-1] for row in table(corpus(tmp_path)).splitlines()}

    assert (rows["rule"], rows["change"], rows["(lifts)"], rows["sentences"], rows["scenarios"]) == (
        *("2", "1", "1"),
        *("3", "1"),
    )
