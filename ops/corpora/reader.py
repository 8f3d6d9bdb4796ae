"""Reads the corpus: sentences that people and models say, in scenarios, each with what it is and what it changes.

`ops/corpora/README.md` says how the files are written. Nothing here judges a sentence: it only parses.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).resolve().parent / "sentences"
#: Samples of plain speech, in many languages in one file: beside the walks of life, for plain cases.
PLAIN: Final = FOLDER.with_name("plain")

#: What a sentence can be: what binds, what changes it, what passes, what the assistant takes on, what looks alike.
BINDING: Final = ("rule", "prohibition", "limit", "preference", "fact", "deadline", "condition")
CHANGING: Final = ("change", "release", "correction")
PASSING: Final = ("request", "question", "answer", "agreement", "refusal", "choice")
UNDERTAKING: Final = ("promise", "report", "decision")
TALK: Final = ("narrative", "smalltalk")
LOOK_ALIKE: Final = ("quoted", "reported", "pasted", "sarcastic", "hypothetical")
GROUPS: Final = (BINDING, CHANGING, PASSING, UNDERTAKING, TALK, LOOK_ALIKE)
LABELS: Final = tuple(label for group in GROUPS for label in group)

#: What a sentence does to an earlier statement of its scenario; `beside` says that both hold.
EFFECTS: Final = ("replaces", "narrows", "widens", "lifts", "corrects", "repeats", "beside")
SPEAKERS: Final = {"a": "assistant", "u": "user"}

HEADER: Final = "# Sentences of "
_NAME = r"#(?P<{}>[\w-]+)"
_SENTENCE = re.compile(
    rf"(?P<label>[a-z]+)(?: @(?P<speaker>[au]))?(?: {_NAME.format('name')})?"
    rf"(?: (?P<effect>[a-z]+)(?: {_NAME.format('target')})?)?: +(?P<words>\S.*)"
)
_TURN = re.compile(r"(?P<speaker>[au])> +(?P<words>\S.*)")


class CorpusError(ValueError):
    """A line of the corpus is not as the README says."""

    def __init__(self, file: Path, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}")


class Turn(NamedTuple):
    """What was said just before a sentence."""

    speaker: str
    words: str


class Sentence(NamedTuple):
    """A labelled sentence. `effect` says what it does to the statement `target`; both are empty or `effect` stands."""

    label: str
    words: str
    speaker: str
    before: tuple[Turn, ...]
    name: str
    effect: str
    target: str
    line: int


class Scenario(NamedTuple):
    """One situation: the unit by which the corpus is split."""

    language: str
    walk: str
    title: str
    sentences: tuple[Sentence, ...]
    file: Path
    line: int

    @property
    def set_aside(self) -> bool:
        """Tell whether only the final numbers may look at it."""
        key = f"{self.language}/{self.walk}/{self.title}"
        return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 3 == 0


def corpus(folder: Path = FOLDER) -> Iterator[Scenario]:
    """Yield every scenario, by language and walk of life."""
    for file in sorted(folder.glob("*/*.txt")):
        yield from scenarios(file)


def scenarios(file: Path) -> Iterator[Scenario]:
    """Yield the scenarios of one file."""
    # Not `splitlines`: it also breaks at U+2028 and U+0085, which pasted words hold and editors do not count.
    lines = file.read_text(encoding="utf-8").split("\n")
    if not lines[0].startswith(HEADER):
        raise CorpusError(file, 1, f"begin the file with a line '{HEADER}<walk>, in <language>. …'")
    # A title decides the split by its bytes, and equal words are to be equal.
    for index, line in enumerate(lines):
        if not unicodedata.is_normalized("NFC", line):
            raise CorpusError(file, index + 1, "write a letter and its accent as one character (NFC)")
    starts = [index for index, line in enumerate(lines) if line.startswith("= ")]
    for index, line in enumerate(lines[: starts[0] if starts else None]):
        if line.strip() and not line.startswith("#"):
            raise CorpusError(file, index + 1, "begin a scenario with '= <title>' before the first sentence")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        sentences = tuple(_sentences(file, lines, start + 1, end))
        if not sentences:
            raise CorpusError(file, start + 1, "write sentences under this title")
        yield Scenario(file.parent.name, file.stem, lines[start][2:].strip(), sentences, file, start + 1)


def _sentences(file: Path, lines: list[str], start: int, end: int) -> Iterator[Sentence]:
    names: set[str] = set()
    before: list[Turn] = []
    for number, text in enumerate(lines[start:end], start + 1):
        if not text.strip() or text.startswith("# "):
            continue
        if turn := _TURN.fullmatch(text.rstrip()):
            before.append(Turn(SPEAKERS[turn["speaker"]], turn["words"]))
            continue
        sentence = _sentence(file, number, text.strip(), tuple(before))
        if sentence.target and sentence.target not in names:
            raise CorpusError(file, number, f"no statement before it in this scenario is named #{sentence.target}")
        if sentence.name in names:
            raise CorpusError(file, number, f"#{sentence.name} is the name of an earlier statement of this scenario")
        names |= {sentence.name} - {""}
        before.clear()
        yield sentence
    if before:
        raise CorpusError(file, end, "a sentence follows what was said before it")


def _sentence(file: Path, line: int, text: str, before: tuple[Turn, ...]) -> Sentence:
    parts = _SENTENCE.fullmatch(text)
    if parts is None:
        raise CorpusError(file, line, "write '<label> [@a] [#name] [<effect> [#name]]: <sentence>'")
    if parts["label"] not in LABELS:
        raise CorpusError(file, line, f"{parts['label']!r} is no label; there are: {', '.join(LABELS)}")
    name, effect, target = parts["name"] or "", parts["effect"] or "", parts["target"] or ""
    if effect and effect not in EFFECTS:
        raise CorpusError(file, line, f"{effect!r} is no effect; there are: {', '.join(EFFECTS)}")
    if effect and not target:
        # `change #nuts narrows` has no name of its own: the name is that of what it changes.
        name, target = "", name
    if effect and not target:
        raise CorpusError(file, line, f"name the statement that it {effect}: '#name {effect}'")
    speaker = SPEAKERS[parts["speaker"] or "u"]
    return Sentence(parts["label"], parts["words"], speaker, before, name, effect, target, line)
