"""Hypothesis strategies for policies with every kind of step, split and rule in them."""

from typing import Any

from hypothesis import strategies as st

from tailrace.schemas.policy.policy import AgentPolicy, Keep, KeepRule, ModelLimit, Policy, Tiers
from tailrace.schemas.policy.steps import (
    AnySplit,
    AnyStep,
    CollapseRepeats,
    CollapseToolCalls,
    Custom,
    ExpireToolResults,
    Externalize,
    PruneToolResults,
    RecentFraction,
    RecentTurns,
    ReferenceMedia,
    RemoveToolCalls,
    ShortenArguments,
    SlidingWindow,
    Summarize,
    TailTokens,
    ToolRetention,
    Truncate,
    UserMessages,
)

#: Text as JSON and TOML can hold it, with quotes, control characters and line separators in it.
texts = st.text(st.characters(codec="utf-8") | st.sampled_from('\n"\\\x7f\x85\u2028.#'), max_size=8)
names = texts.filter(bool)
sizes = st.integers(1, 2**53 - 1)
counts = st.integers(0, 1_000)
fractions = st.floats(0.001, 1)


def _maybe(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | inner


def _tuples(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3).map(tuple)


splits: st.SearchStrategy[AnySplit] = st.one_of(
    st.builds(UserMessages, tokens=sizes, fraction_max=fractions),
    st.builds(RecentFraction, fraction=fractions),
    st.builds(RecentTurns, turns=st.integers(1, 99), fraction=fractions, turn_tokens_max=st.integers(2_000, 99_999)),
    st.builds(TailTokens, tokens=sizes, fraction_max=fractions),
)
_retentions = st.builds(ToolRetention, keep_turns=_maybe(counts), keep_last=_maybe(counts))
_json = st.recursive(
    st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)

steps: st.SearchStrategy[AnyStep] = st.one_of(
    st.builds(CollapseRepeats, tokens_min=sizes),
    st.builds(ReferenceMedia, keep_turns=counts),
    st.builds(PruneToolResults, protect_tokens=sizes, savings_tokens_min=counts, protected_tools=_tuples(texts)),
    st.builds(
        ExpireToolResults,
        default=_retentions,
        tools=st.dictionaries(texts, _retentions, max_size=2),
        never_evict=_tuples(texts),
        stub=texts,
        preview_chars=counts,
    ),
    st.builds(ShortenArguments, keep_turns=counts, value_chars_max=sizes),
    st.builds(Externalize, tokens_min=sizes, preview_tokens=counts, keep=_tuples(splits)),
    st.builds(Summarize, keep=_tuples(splits), whole=st.booleans(), ratio=fractions, tokens_max=sizes),
    st.builds(CollapseToolCalls, keep_last=counts, result_chars_max=sizes),
    st.builds(RemoveToolCalls, keep_last=counts, tools=_tuples(texts)),
    st.builds(SlidingWindow, turns=_maybe(sizes), groups=_maybe(sizes), tokens=sizes),
    st.just(Truncate()),
    st.builds(Custom, name=texts, options=st.dictionaries(texts, _json, max_size=3)),
)

policies: st.SearchStrategy[Policy] = st.builds(
    Policy,
    name=texts,
    upper_fraction=st.floats(0.7, 1),
    lower_fraction=st.floats(0.1, 0.6),
    scope=st.sampled_from(["growth", "total"]),
    headroom_tokens=st.sampled_from([None, "auto", 0, 20_000]),
    window_tokens=_maybe(sizes),
    cap_tokens=_maybe(sizes),
    usage_anchor=st.booleans(),
    tiers=st.builds(Tiers, tool_results_fraction=_maybe(fractions), user_fraction=_maybe(fractions)),
    models=st.dictionaries(texts, st.builds(ModelLimit, cap_tokens=_maybe(sizes)), max_size=2),
    keep=st.builds(
        Keep,
        system=st.booleans(),
        sources=st.dictionaries(texts, st.sampled_from(["keep", "protect", "drop"]), max_size=2),
        rules=_tuples(st.builds(KeepRule, role=texts, tool=_maybe(texts), contains=_maybe(texts))),
    ),
    steps=st.lists(steps, max_size=5).map(tuple),
    agents=st.dictionaries(
        texts, st.builds(AgentPolicy, steps=_maybe(_tuples(steps)), compactor=_maybe(texts)), max_size=2
    ),
    summarizer=st.sampled_from([None, "extractive"]),
    compactor=_maybe(names),
)
