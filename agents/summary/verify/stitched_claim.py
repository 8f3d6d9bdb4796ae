"""Whether a claim is put together from words that stand far apart: each of them is said somewhere, and nowhere what they say together.

Only what people and the assistant said is looked at: what tools give is often one word in each line.
"""

from collections import Counter
from collections.abc import Sequence

from tailrace.agents.language.word_lists import words
from tailrace.agents.summary.verify.cited_sentences import Spoken, weight_of
from tailrace.agents.summary.verify.clauses import Clause, ClauseSentence
from tailrace.agents.summary.verify.verb_forms import verb_forms

#: A claim of less than this says too little to be taken apart.
_WEIGHT_MIN = 3
#: So much of a claim must be there at all: what says it in other words is no patchwork.
_THERE_MIN = 0.95
#: And no two sentences that belong together hold more than this of it.
_TOGETHER_MAX = 0.5
#: Languages that write every noun with a capital: no name can be told by it.
_NOUNS_CAPITAL = words("der die das den dem ein eine und ist wurde")


def is_scattered(claim: ClauseSentence, clause: Clause, cited: Sequence[Spoken]) -> bool:
    """Tell whether no event that is cited says the words of a statement together, or somebody else did what it tells of a person."""
    if not cited or any(not spoken.said.spoken or spoken.said.calls for spoken in cited):
        return False
    if weight_of(clause.about, clause) < _WEIGHT_MIN or clause.denied:
        return False
    names = _names(claim, clause, cited)
    done = verb_forms(claim.text).done
    if len(claim.clauses) > 1:
        done &= clause.words
    return bool(names and done) and (_is_patchwork(clause, cited) or _did_another(names, done, cited))


def _names(claim: ClauseSentence, clause: Clause, cited: Sequence[Spoken]) -> set[str]:
    """The people and places of a statement that the events know, as far as capitals tell."""
    if not _NOUNS_CAPITAL.isdisjoint(claim.text.lower().split()):
        return set()
    names = {name for name in clause.names if not any(name in spoken.small for spoken in cited)}
    return {name for name in names if any(spoken.places(name) for spoken in cited)}


def _is_patchwork(clause: Clause, cited: Sequence[Spoken]) -> bool:
    there = {key for key in clause.about if any(spoken.places(key) for spoken in cited)}
    weight = weight_of(there, clause)
    if weight < _THERE_MIN * weight_of(clause.about, clause):
        return False
    most = 0
    for spoken in cited:
        together: Counter[int] = Counter()
        for key in there:
            for run in {spoken.runs[place] for place in spoken.places(key)}:
                together[run] += weight_of({key}, clause)
        most = max(most, *together.values(), 0)
    return most <= _TOGETHER_MAX * weight


def _did_another(names: set[str], done: frozenset[str], cited: Sequence[Spoken]) -> bool:
    """Whether all that is told of a verb is told of other people."""
    for verb in done:
        did = [(one, spoken) for spoken in cited for one in spoken.telling(verb)]
        if did and all(names.isdisjoint(one.words) and one.names - spoken.small - {verb} for one, spoken in did):
            return True
    return False
