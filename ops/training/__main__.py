"""Trains the scorers of sentences, and prints how well they do on the third of the corpus that is set aside.

python -m ops.training            # write build/training/weights.bin, then judge it beside the rules of the ledger
python -m ops.training --judge    # judge the weights that are there
python -m ops.training --choose   # try thresholds by folds of the two thirds; looks at nothing that is set aside
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ops.corpora.reader import PLAIN, Scenario, corpus
from ops.training import fit, judge
from ops.training.examples import examples
from ops.training.link_pairs import later_statements, learn_links
from ops.training.links import content_of
from ops.training.scorer import FILE, LinkWeights, weights

_NO_LINKS: Final = LinkWeights((), 0)


def write(target: Path, scenarios: Sequence[Scenario]) -> None:
    """Learn from these, and write the weights."""
    learned = examples(scenarios)
    table = fit.learn(learned)
    rarities = fit.rarity(sentence.words for sentence in learned.sentences)
    # How pairs count is learned with what the table says of each of them.
    target.write_bytes(fit.packed(table, rarities, fit.header_of(table, _NO_LINKS, judge.THRESHOLDS)))
    forget()
    links = learn_links(later_statements(scenarios))
    target.write_bytes(fit.packed(table, rarities, fit.header_of(table, links, judge.THRESHOLDS)))
    forget()


def forget() -> None:
    """Let go of what former weights said."""
    weights.cache_clear()
    content_of.cache_clear()


def main() -> None:
    """Train, judge or choose, as was asked."""
    parser = argparse.ArgumentParser(prog="python -m ops.training", description=__doc__)
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--choose", action="store_true")
    arguments = parser.parse_args()
    everything = [*corpus(), *corpus(PLAIN)]
    learned = [one for one in everything if not one.set_aside]
    FILE.parent.mkdir(parents=True, exist_ok=True)
    if arguments.choose:
        print(judge.by_folds(learned, FILE, write))
        write(FILE, learned)
        return
    if not arguments.judge:
        write(FILE, learned)
        print(f"weights {weights().header.version}, {FILE.stat().st_size:,} bytes")
    print(judge.table([one for one in everything if one.set_aside]))


if __name__ == "__main__":
    main()
