"""What has room together is shown together, though its lines would cost a little more one by one."""

import pytest

from tailrace.agents.ledger.render import LedgerRoom, Rendering
from tailrace.schemas.records.ledger import Directive, DirectiveKind, Ledger

RULES = (
    "Never feed the gulls.",
    "The east door stays shut.",
    "Answer in one sentence.",
    "At most 40 guests in the hall.",
    "Invoices go to Marit only.",
)


@pytest.mark.parametrize("chars", [3, 4, 5, 7])
def test_all_rules_are_shown_where_all_of_them_fit(chars: int) -> None:
    stated = tuple(Directive(kind=DirectiveKind.RULE, text=text, source=text, turn=1) for text in RULES)

    def count(text: str) -> int:
        return -(-len(text) // chars)

    def shown(tokens: int) -> str:
        return Rendering(Ledger(directives=stated), LedgerRoom(tokens, tokens, tokens, 0), count).text

    heading, rules = shown(10_000).split("\n", 1)
    enough = count(heading) + count(f"\n{rules}")

    assert all(text in shown(enough) for text in RULES)
    assert not all(text in shown(enough - 1) for text in RULES)
