"""Annotations go to Microsoft Agent Framework's form and back without a loss."""

from hypothesis import given
from hypothesis import strategies as st

from tailrace.schemas.records.annotation import Annotation, GroupAnnotation, from_agent_framework, to_agent_framework

ids = st.text(max_size=8)
groups = st.builds(
    GroupAnnotation,
    id=ids,
    kind=st.sampled_from(["system", "user", "assistant_text", "tool_call"]),
    index=st.integers(0, 100),
    has_reasoning=st.booleans(),
    token_count=st.none() | st.integers(0, 1000),
    token_count_basis=st.none() | st.just(2),
)
annotations = st.builds(
    Annotation,
    group=groups,
    excluded=st.booleans(),
    exclude_reason=st.none() | ids,
    summary_of_message_ids=st.lists(ids, max_size=3).map(tuple),
    summary_of_group_ids=st.lists(ids, max_size=3).map(tuple),
    summarized_by_summary_id=st.none() | ids,
)


@given(annotations)
def test_an_annotation_comes_back_as_it_was(annotation: Annotation) -> None:
    assert from_agent_framework(to_agent_framework(annotation)) == annotation


def test_the_properties_are_those_of_the_framework() -> None:
    group = GroupAnnotation(
        id="group_a", kind="tool_call", index=3, has_reasoning=True, token_count=7, token_count_basis=2
    )
    annotation = Annotation(group=group, excluded=True, exclude_reason="old", summarized_by_summary_id="s")
    assert to_agent_framework(annotation) == {
        "_group": {
            "id": "group_a",
            "kind": "tool_call",
            "index": 3,
            "has_reasoning": True,
            "token_count": 7,
            "token_count_basis": 2,
            "_summarized_by_summary_id": "s",
        },
        "_excluded": True,
        "_exclude_reason": "old",
    }


def test_a_message_that_was_never_annotated_has_none() -> None:
    assert from_agent_framework({"anything": 1}) is None
    assert from_agent_framework({"_group": {"id": 7}}) is None
