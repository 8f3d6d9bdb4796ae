"""A statement of a claim as it is held against what events say, and how near those have to be to be about the same."""

from typing import NamedTuple

from tailrace.agents.summary.verify.clauses import Clause, ClauseSentence
from tailrace.agents.summary.verify.verb_forms import verb_forms

#: Share of a statement that another must hold to be about the same.
NEAR_MIN = 0.66
#: What is going to be done needs no word that orders it to be an order.
INTENT_FIELDS = frozenset(("current_task", "decisions", "open_items", "current_plan"))
#: Where a name or a word stands for another, all else has to be the same.
ALL = 1.0


class Told(NamedTuple):
    """A statement of a claim: its sentence, the clause that is looked at, and the field that the claim stands in."""

    sentence: ClauseSentence
    clause: Clause
    name: str
    #: It is a few words of a claim that says more.
    is_part: bool
    #: Among the events that the claim cites somebody says yes to something; or something is done.
    agreed: bool
    acted: bool
    #: Words of what was called.
    called: frozenset[str] = frozenset()
    #: Words of what was called and failed.
    vain: frozenset[str] = frozenset()

    @property
    def done(self) -> frozenset[str]:
        """Verbs that it tells as done."""
        done = verb_forms(self.sentence.text).done
        if self.sentence.whole.denies or len(self.sentence.clauses) > 1:
            return (done & self.clause.words) - self.clause.denied
        return done
