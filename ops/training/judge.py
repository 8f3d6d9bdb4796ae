"""How well the scorers do: what of each kind of sentence is held, and which changes meet what they change."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ops.corpora.reader import BINDING, CHANGING, LOOK_ALIKE, PASSING, TALK, UNDERTAKING, Scenario
from ops.training.examples import ALTERING
from ops.training.link_pairs import later_statements
from ops.training.links import changed_by
from ops.training.scorer import score, weights
from tailrace.agents.ledger.statements import kind_of

#: Chosen by folds of the two thirds (`--choose`).
THRESHOLDS: Final = {"binds_min": 0, "said_min": -600, "changes_min": -1400, "link_min": -400, "revoke_min": 0}
FOLDS: Final = 5
_MEASURES: Final = (
    ("binds: in force", BINDING + CHANGING, "binds_min"),
    ("binds: kept at least as said", BINDING + CHANGING, "said_min"),
    ("small talk, stories: in force", TALK, "binds_min"),
    ("small talk, stories: kept as said", TALK, "said_min"),
    ("look-alikes: in force", LOOK_ALIKE, "binds_min"),
    ("look-alikes: kept as said", LOOK_ALIKE, "said_min"),
    ("for now, promises, reports: in force", PASSING + UNDERTAKING, "binds_min"),
)


def table(scenarios: Sequence[Scenario]) -> str:
    """Return the measures of these scenarios: a row for each, a column for each language."""
    languages = [*sorted({one.language for one in scenarios}), "all"]
    rows = [("", languages)]
    for name, labels, least in _MEASURES:
        at_least = getattr(weights().header, least)
        rows.append((name, [_share(_of(scenarios, language), labels, at_least) for language in languages]))
    for name, labels, _ in _MEASURES[::2]:
        rows.append(
            (f"rules of the ledger: {name}"[:44], [_ruled(_of(scenarios, language), labels) for language in languages])
        )
    rows += _link_rows(scenarios, languages)
    return "\n".join(f"{name:46}" + "".join(f"{cell:>7}" for cell in cells) for name, cells in rows)


def _of(scenarios: Iterable[Scenario], language: str) -> list[Scenario]:
    return [one for one in scenarios if language in (one.language, "all")]


def _share(scenarios: Iterable[Scenario], labels: Sequence[str], at_least: int) -> str:
    sentences = [one for scenario in scenarios for one in scenario.sentences]
    people = [one for one in sentences if one.speaker == "user" and one.label in labels]
    held = [score(one.words).binds >= at_least for one in people]
    return f"{sum(held) / len(held):.3f}" if held else "-"


def _ruled(scenarios: Iterable[Scenario], labels: Sequence[str]) -> str:
    """The share that the rules of the ledger hold as they are now."""
    sentences = [one for scenario in scenarios for one in scenario.sentences]
    held = [kind_of(one.words) is not None for one in sentences if one.speaker == "user" and one.label in labels]
    return f"{sum(held) / len(held):.3f}" if held else "-"


def _link_rows(scenarios: Iterable[Scenario], languages: Sequence[str]) -> list[tuple[str, list[str]]]:
    names = (
        "changes that meet what they change",
        "  the right one first of all before it",
        "others that meet anything",
    )
    cells: list[list[str]] = [[], [], []]
    for language in languages:
        met, first, changes, false, others = 0, 0, 0, 0, 0
        for later in later_statements(_of(scenarios, language)):
            place, strong = changed_by(later.sentence.words, later.earlier)
            linked = strong >= weights().header.link_min
            if later.sentence.effect in ALTERING and later.target >= 0:
                changes, met, first = (
                    changes + 1,
                    met + (linked and place == later.target),
                    first + (place == later.target),
                )
            else:
                others, false = others + 1, false + linked
        for cell, count, total in zip(cells, (met, first, false), (changes, changes, others), strict=True):
            cell.append(f"{count / total:.3f}" if total else "-")
    return [*zip(names, cells, strict=True)]


def by_folds(scenarios: Sequence[Scenario], target: Path, write: Callable[[Path, Sequence[Scenario]], None]) -> str:
    """Return what sentences of each kind score where others have taught, and how strong their links are, by shares."""
    kinds = {"binds": BINDING + CHANGING, "talk": TALK, "alike": LOOK_ALIKE, "now": PASSING + UNDERTAKING}
    scores: dict[str, list[int]] = {kind: [] for kind in kinds}
    changes: dict[bool, list[int]] = {True: [], False: []}
    links: dict[str, list[int]] = {"right": [], "wrong one": [], "none": []}
    folds = np.arange(len(scenarios)) % FOLDS
    for fold in range(FOLDS):
        write(target, [one for one, number in zip(scenarios, folds, strict=True) if number != fold])
        judged = [one for one, number in zip(scenarios, folds, strict=True) if number == fold]
        for one in (sentence for scenario in judged for sentence in scenario.sentences if sentence.speaker == "user"):
            for kind, labels in kinds.items():
                if one.label in labels:
                    scores[kind].append(score(one.words).binds)
        for later in later_statements(judged):
            place, strong = changed_by(later.sentence.words, later.earlier)
            altering = later.sentence.effect in ALTERING and later.target >= 0
            changes[altering].append(score(later.sentence.words).changes)
            links["none" if not altering else "right" if place == later.target else "wrong one"].append(strong)
    steps = range(-2000, 1001, 100)
    lines = [f"{'binds from':12}" + "".join(f"{kind:>8}" for kind in kinds)]
    lines += [_share_row(least, scores.values()) for least in steps]
    altered = len(links["right"]) + len(links["wrong one"])
    lines += ["", f"{'changes from':12}{'change':>8}{'others':>8}"]
    lines += [_share_row(least, changes.values()) for least in steps]
    lines += ["", f"{'link from':12}{'right':>8}{'wrong':>8}{'false':>8}"]
    for least in steps:
        right, wrong, false = (int(np.sum(np.array(links[kind]) >= least)) for kind in links)
        lines.append(f"{least:12}{right / altered:8.3f}{wrong / altered:8.3f}{false / len(links['none']):8.3f}")
    return "\n".join(lines)


def _share_row(least: int, kinds: Iterable[list[int]]) -> str:
    return f"{least:12}" + "".join(f"{np.mean(np.array(sums) >= least):8.3f}" for sums in kinds)
