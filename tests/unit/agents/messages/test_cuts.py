"""Legal cuts: no rule is torn, and the borders of groups obey them all."""

from hypothesis import given
from support.conversations import IN_PIECES, Move, laws, moves, play, small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.messages.cuts import RULES, legal_cuts
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry

conversations = (moves() | moves(IN_PIECES)).map(play)


def live(published: list) -> list[Entry]:
    """Entries of a thread in which nothing is ever compacted."""
    partition = PartitionView()
    endless = small_engine(Policy(window_tokens=10**9))
    for offset, record in enumerate(published):
        process(partition, record.at(offset), endless)
    view = partition.threads.get("thread")
    return view.live() if view is not None else []


@laws
@given(conversations)
def test_a_cut_is_legal_where_no_rule_holds_two_messages_together(published: list) -> None:
    entries = live(published)
    legal = set(legal_cuts(entries))
    assert {0, len(entries)} <= legal
    for place in range(1, len(entries)):
        torn = [name for name, rule in RULES.items() if any(first < place <= last for first, last in rule(entries))]
        assert (place in legal) == (not torn)


@laws
@given(conversations)
def test_every_border_between_groups_is_a_legal_cut(published: list) -> None:
    entries = live(published)
    legal = set(legal_cuts(entries))
    for place in range(1, len(entries)):
        if entries[place - 1].rank // RANKS_PER_GROUP != entries[place].rank // RANKS_PER_GROUP:
            assert place in legal


def test_calls_of_one_response_and_their_reasoning_are_cut_nowhere() -> None:
    entries = live(play([Move("user"), Move("response_items", 3, 2), Move("user"), Move("split_calls"), Move("user")]))
    assert legal_cuts(entries) == [0, 1, 5, 6, 8, 9]
    assert list(RULES["parallel calls whole"](entries)) == [(1, 2), (2, 3), (3, 4), (6, 7)]


def test_the_steps_of_a_chain_may_be_parted() -> None:
    assert legal_cuts(live(play([Move("calls"), Move("answer"), Move("calls"), Move("answer")]))) == [0, 2, 4]


def test_a_message_that_came_before_a_piece_that_was_put_in_front_of_it_may_be_parted_from_it() -> None:
    entries = live(play([Move("paused"), Move("assistant"), Move("program")]))
    assert [entry.id for entry in entries] == ["thread-1", "thread-3", "thread-2"]
    assert 2 in legal_cuts(entries)
