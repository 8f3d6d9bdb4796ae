"""Prints how many sentences the corpus holds, by language and label: `python -m ops.corpora`."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ops.corpora.reader import GROUPS, LABELS, Scenario, corpus


def table(scenarios: Iterable[Scenario]) -> str:
    """Return the counts: a row for each label, a column for each language."""
    counts: Counter[tuple[str, str]] = Counter()
    parts: Counter[tuple[str, bool]] = Counter()
    for scenario in scenarios:
        parts[scenario.language, scenario.set_aside] += 1
        for sentence in scenario.sentences:
            counts[scenario.language, sentence.label] += 1
            counts[scenario.language, f"({sentence.effect})"] += bool(sentence.effect)
    languages = sorted({language for language, _ in counts})
    effects = sorted({key for _, key in counts if key.startswith("(") and key != "()"})
    rows: list[tuple[str, Sequence[str | int]]] = [("", languages)]
    rows += [(label, [counts[language, label] for language in languages]) for label in LABELS]
    rows += [("sentences", [sum(counts[language, label] for label in LABELS) for language in languages])]
    for group in GROUPS:
        share = [sum(counts[language, label] for label in group) for language in languages]
        rows.append((f"{group[0]} … {group[-1]}", share))
    rows += [(effect, [counts[language, effect] for language in languages]) for effect in effects]
    rows += [("scenarios", [parts[language, False] + parts[language, True] for language in languages])]
    rows += [("set aside", [parts[language, True] for language in languages])]
    return "\n".join(f"{name:24}" + "".join(f"{cell:>8}" for cell in cells) for name, cells in rows)


if __name__ == "__main__":
    print(table(corpus()))
