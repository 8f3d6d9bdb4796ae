"""What a provider's own counts say about ours.

A usage report counts what we can't see: tool definitions, chat templates, hidden reasoning, another vocabulary. The last
report is the anchor; what came after it is our count times a ratio. The ratio is learned from how both counts grew between
two reports, so that a constant overhead doesn't distort it, and it is bounded: one odd report must not move the marks far.
"""

from tailrace.schemas.context import Calibration, Entry

RATIO_MIN = 0.5
RATIO_MAX = 2.0
#: How much a new observation counts against what was learned before.
LEARNING_RATE = 0.2
#: Growth below this says little about a ratio.
GROWTH_TOKENS_MIN = 200


def calibrated(known: Calibration | None, entry: Entry, counted_tokens: int, model: str | None) -> Calibration | None:
    """Calibration after an entry that carries a usage report. `counted_tokens` is our count of the context with the entry."""
    usage = entry.usage
    if usage is None or usage.input_tokens is None or usage.input_tokens <= 0:
        return known
    output_tokens = usage.output_tokens if usage.output_tokens is not None else entry.tokens
    reported_tokens = usage.input_tokens + max(0, output_tokens)
    ratio = 1.0
    if known is not None and known.model == model:
        ratio = _learned(known, reported_tokens - known.reported_tokens, counted_tokens - known.counted_tokens)
    return Calibration(model=model, reported_tokens=reported_tokens, counted_tokens=counted_tokens, ratio=ratio)


def _learned(known: Calibration, reported_growth: int, counted_growth: int) -> float:
    # Both must have grown: a compaction in between shrinks a context by an unknown ratio.
    if counted_growth < GROWTH_TOKENS_MIN or reported_growth <= 0:
        return known.ratio
    observed = min(RATIO_MAX, max(RATIO_MIN, reported_growth / counted_growth))
    return round(known.ratio + LEARNING_RATE * (observed - known.ratio), 4)


def hidden_tokens(known: Calibration | None, counted_tokens: int, model: str | None) -> int:
    """Tokens that a provider would count beyond ours for a context that we count as `counted_tokens`; never negative."""
    if known is None or known.model != model:
        return 0
    estimate = known.reported_tokens + known.ratio * (counted_tokens - known.counted_tokens)
    return min(max(0, round(estimate) - counted_tokens), counted_tokens + known.reported_tokens)
