"""Tool results that no call brings again.

Whatever becomes of them in a context, all of their text stays in the artifact store.
"""

import msgspec
import pytest
from support.tool_thread import POLICY, Talk, at_once, of_type, rules

from tailrace.agents.artifacts.names import artifact_id
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.steps import (
    AnyStep,
    CollapseToolCalls,
    PruneToolResults,
    RemoveToolCalls,
    SlidingWindow,
    Summarize,
    Truncate,
)
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.kafka_records import Stored, decode_message

#: Two tools: what one of them did can't be done again, what the other one saw can be seen again.
TOOLS = {
    "send": ToolRule(durability=Durability.NON_REPLAYABLE),
    "look": ToolRule(durability=Durability.REPLAYABLE),
}
STEPS: tuple[AnyStep, ...] = (
    PruneToolResults(protect_tokens=0, savings_tokens_min=0),
    CollapseToolCalls(keep_last=1),
    RemoveToolCalls(tools=("*",), keep_last=1),
    SlidingWindow(groups=3),
    Summarize(keep=(), whole=True),
    Truncate(),
)


def small_policy(step: AnyStep) -> Policy:
    return msgspec.structs.replace(POLICY, steps=(step,), tools=TOOLS, default_window_tokens=800)


def compacted(policy: Policy, said: str = "") -> tuple[Talk, dict[str, list[Entry]]]:
    """A thread in which most results have left the context, and their entries as they came, by tool."""
    talk = Talk(rules(policy))
    talk.say("user", "begin")
    entries: dict[str, list[Entry]] = {"send": [], "look": []}
    for number in range(30):
        for tool, of_tool in entries.items():
            text = f"{tool} {number} {said} " + " ".join(f"{word * number}" for word in range(15))
            written = of_type(talk.use(text, tool=tool), Entry)
            of_tool.extend(entry for entry in written if entry.id == f"m{len(talk.published) - 1}")
    assert talk.view.epoch > 1
    return talk, entries


@pytest.mark.parametrize("step", STEPS, ids=lambda step: type(step).__name__)
def test_all_of_their_text_is_kept_whatever_takes_them_away(step: AnyStep) -> None:
    talk, entries = compacted(small_policy(step))

    gone = [entry for entry in entries["send"] if entry.id not in talk.view.entries]
    assert len(gone) > 10
    for entry in gone:
        message = decode_message(entry.message)
        content = at_once(talk.artifacts.retrieve(SecurityContext(tenant="default"), artifact_id(message)))
        assert content.decode() == message.parts[0].response  # type: ignore[union-attr]


def test_each_is_stored_once_and_what_can_be_had_again_is_not_stored() -> None:
    talk, _ = compacted(small_policy(Truncate()))

    stored = [one.artifact.message_id for outcome in talk.outcomes for one in of_type(outcome, Stored)]
    assert len(stored) == len(set(stored))
    assert {decode_message(entry.message).parts[0].response.split()[0] for entry in _entries(talk, stored)} == {"send"}  # type: ignore[union-attr]


def _entries(talk: Talk, ids: list[str]) -> list[Entry]:
    return [entry for outcome in talk.outcomes for entry in of_type(outcome, Entry) if entry.id in ids]


def test_what_holds_a_secret_is_stored_under_restricted() -> None:
    talk, entries = compacted(small_policy(Truncate()), said="password=hunter2trombone9")

    name = artifact_id(decode_message(entries["send"][0].message))
    kept, _ = talk.artifacts.kept["default", name]
    assert kept.sensitivity is Sensitivity.RESTRICTED


def test_they_are_kept_for_as_long_as_the_rule_of_their_tool_says() -> None:
    rule = ToolRule(durability=Durability.NON_REPLAYABLE, ttl_seconds=60)
    policy = msgspec.structs.replace(small_policy(Truncate()), tools={"send": rule}, artifact_ttl_seconds=900)
    talk, _ = compacted(policy)

    stored = [one for outcome in talk.outcomes for one in of_type(outcome, Stored)]
    assert {one.ttl_seconds for one in stored} == {60}
