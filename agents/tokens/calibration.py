"""What a provider's own counts say about ours.

A usage report counts what we can't see: tool definitions, chat templates, hidden reasoning, another vocabulary. The
last report is the anchor; what came after it is our count times a ratio. The ratio is learned from how both counts grew
between two reports, so that a constant overhead doesn't distort it, and it is bounded: one odd report must not move the
marks far. Each model has an anchor and a ratio of its own, for threads whose turns go to one model and to another.
"""

from msgspec.structs import replace

from tailrace.schemas.records.context import Calibration, Entry

RATIO_MIN = 0.5
RATIO_MAX = 2.0
#: How much a new observation counts against what was learned before.
LEARNING_RATE = 0.2
#: Growth below this says little about a ratio.
GROWTH_TOKENS_MIN = 200
#: Models that a thread is known to be sent to, beside the last one.
OTHERS_MAX = 3


def calibrated(
    calibration: Calibration | None, entry: Entry, counted_tokens: int, model: str | None
) -> Calibration | None:
    """Calibration after an entry that carries a usage report.

    `counted_tokens` is our count of the context with the entry.
    """
    usage = entry.usage
    if usage is None or usage.input_tokens is None or usage.input_tokens <= 0:
        return calibration
    output_tokens = usage.output_tokens if usage.output_tokens is not None else entry.tokens
    reported_tokens = usage.input_tokens + max(0, output_tokens)
    before = _of_model(calibration, model)
    ratio = 1.0
    if before is not None:
        ratio = _learned(before, reported_tokens - before.reported_tokens, counted_tokens - before.counted_tokens)
    return Calibration(
        model=model,
        reported_tokens=reported_tokens,
        counted_tokens=counted_tokens,
        ratio=ratio,
        accepted_tokens=max(usage.input_tokens, before.accepted_tokens if before is not None else 0),
        others=_others(calibration, model),
    )


def accepted_by_reports(calibration: Calibration | None, model: str | None) -> int:
    """The largest request that a provider has counted for this model; 0 where it has reported none."""
    of_model = _of_model(calibration, model)
    return of_model.accepted_tokens if of_model is not None else 0


def _of_model(calibration: Calibration | None, model: str | None) -> Calibration | None:
    if calibration is None or calibration.model == model:
        return calibration
    return next((other for other in calibration.others if other.model == model), None)


def _others(calibration: Calibration | None, model: str | None) -> tuple[Calibration, ...]:
    if calibration is None or calibration.model == model:
        return calibration.others if calibration is not None else ()
    others = [other for other in calibration.others if other.model != model]
    return (replace(calibration, others=()), *others)[:OTHERS_MAX]


def _learned(calibration: Calibration, reported_growth: int, counted_growth: int) -> float:
    # Both must have grown: a compaction in between shrinks a context by an unknown ratio.
    if counted_growth < GROWTH_TOKENS_MIN or reported_growth <= 0:
        return calibration.ratio
    observed = min(RATIO_MAX, max(RATIO_MIN, reported_growth / counted_growth))
    return round(calibration.ratio + LEARNING_RATE * (observed - calibration.ratio), 4)


def hidden_tokens(calibration: Calibration | None, counted_tokens: int, model: str | None) -> int:
    """Tokens that a provider would count beyond our own `counted_tokens` for a context; never negative."""
    of_model = _of_model(calibration, model)
    if of_model is None:
        return 0
    estimate = of_model.reported_tokens + of_model.ratio * (counted_tokens - of_model.counted_tokens)
    return min(max(0, round(estimate) - counted_tokens), counted_tokens + of_model.reported_tokens)
