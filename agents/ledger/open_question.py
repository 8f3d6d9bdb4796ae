"""The question that waits for an answer, of all that is owed: who wants to know what was decided needs nothing else."""

from tailrace.agents.ledger.endings import ending_in
from tailrace.agents.ledger.moment import Moment
from tailrace.agents.ledger.obligations import Obligations
from tailrace.agents.ledger.questions import answers
from tailrace.schemas.records.ledger import ObligationKind
from tailrace.schemas.records.parts import ToolCallPart

_QUESTION = ObligationKind.CONFIRMATION


class OpenQuestion(Obligations):
    """Notes the same questions and answers as all obligations do, at a third of the cost."""

    __slots__ = ()

    def call(self, call: ToolCallPart, at: Moment) -> None:
        """A call asks nobody."""

    def asked(self, text: str, at: Moment) -> str:
        """A person spoke: return the question that they answer, or do without, if any."""
        self._forget_old(at.turn)
        question = self.items.get(_QUESTION)
        if question is None or (ending_in(text) is None and not answers(text, question, at.turn)):
            return ""
        del self.items[_QUESTION]
        return question.text

    def said_beside_calls(self, text: str, at: Moment) -> None:
        """The assistant said something before it worked on."""
        self.ask_beside_calls(text, at)

    def reported(self, text: str, at: Moment) -> None:
        """The assistant ended its turn."""
        self.ask(text.rstrip(), at)
