"""What a thread has learned of the windows of its models, from refused requests and from those that were taken since.

A refusal may be wrong, late or exaggerated, so what it shows is bounded: never less than a share of the window that the
model is known to have, and never less than the provider has taken. It wears off: each answer of the model lets the
window grow a little, slowly where the provider named it, faster where it was only told from the size of what was
refused.

What answers show waits until the next head is written, so that between two heads the limit of a thread is the one that
its head says.
"""

from msgspec.structs import replace

from tailrace.agents.tokens.calibration import accepted_by_reports, hidden_tokens
from tailrace.schemas.records.context import RANKS_PER_GROUP, Calibration, Entry, LearnedWindow, Standing

#: By how many percent a learned window grows with each answer.
GROWTH_PERCENT = 5
#: The same where the provider said itself what it can take.
STATED_GROWTH_PERCENT = 1
#: Models whose windows are remembered; of more, the newest.
MODELS_MAX = 8
#: After so many answers the smallest window has grown to any size: a record that names more asks for no more work.
ANSWERS_MAX = 5_000


def learned_tokens(standing: Standing, model: str | None, window_tokens: int) -> int:
    """Return how large a model's window is believed to be, given its nominal size and what refusals have shown."""
    learned = standing.windows.get(model or "")
    return window_tokens if learned is None else min(window_tokens, effective_tokens(learned))


def effective_tokens(learned: LearnedWindow) -> int:
    """The window by our estimate of what the provider counts."""
    return int(learned.window_tokens * learned.counted_fraction)


def accepted_tokens(standing: Standing, calibration: Calibration | None, model: str | None) -> int:
    """The largest request that a provider is known to have taken for this model; 0 where none is."""
    learned = standing.windows.get(model or "")
    return max(accepted_by_reports(calibration, model), learned.accepted_tokens if learned else 0)


def with_learned(standing: Standing, model: str | None, learned: LearnedWindow, context_tokens: int) -> Standing:
    """The standing once a window was learned, while the context has so many tokens."""
    others = {name: other for name, other in standing.windows.items() if name != (model or "")}
    newest = [*others.items(), (model or "", learned)][-MODELS_MAX:]
    return replace(standing, windows=dict(newest), asked_tokens=context_tokens)


def after_answer(
    standing: Standing, entry: Entry, model: str | None, calibration: Calibration | None, context_tokens: int
) -> Standing:
    """The standing once a model has answered; `context_tokens` is our count of the context with the answer.

    Where no usage tells what it took, it took what was said before its last answer at least: what came since may have
    come too late for the request.
    """
    learned = standing.windows.get(model or "")
    if learned is None or entry.role != "assistant":
        return standing
    usage = entry.usage
    reported_tokens = usage.input_tokens if usage is not None else None
    taken_tokens = reported_tokens
    if taken_tokens is None:
        taken_tokens = standing.asked_tokens + hidden_tokens(calibration, standing.asked_tokens, model)
    learned = replace(
        learned,
        accepted_tokens=max(learned.accepted_tokens, taken_tokens),
        # Several messages may be pieces of one answer.
        answers=learned.answers + (entry.rank % RANKS_PER_GROUP == 0),
        counted=learned.counted or reported_tokens is not None,
    )
    return replace(standing, windows={**standing.windows, model or "": learned}, asked_tokens=context_tokens)


def grown(standing: Standing, model: str | None, window_tokens: int) -> Standing:
    """The standing that a new head says, with the learned window of its model grown by the answers since the last one.

    A window that has grown to `window_tokens` or more is forgotten.
    """
    learned = standing.windows.get(model or "")
    if learned is None or not (
        learned.answers or learned.counted or learned.accepted_tokens > effective_tokens(learned)
    ):
        return standing
    percent = STATED_GROWTH_PERCENT if learned.stated else GROWTH_PERCENT
    fraction = 1.0 if learned.counted else learned.counted_fraction
    believed_tokens = _after_answers(learned, percent, window_tokens)
    if int(believed_tokens * fraction) < learned.accepted_tokens:
        believed_tokens, fraction = learned.accepted_tokens, 1.0
    windows = dict(standing.windows)
    if int(believed_tokens * fraction) >= window_tokens:
        del windows[model or ""]
    else:
        windows[model or ""] = replace(
            learned, window_tokens=believed_tokens, counted_fraction=fraction, answers=0, counted=False
        )
    return replace(standing, windows=windows)


def _after_answers(learned: LearnedWindow, percent: int, enough_tokens: int) -> int:
    """The window after each answer has added its part. In whole numbers, so that every machine comes to the same."""
    tokens = learned.window_tokens
    for _ in range(min(learned.answers, ANSWERS_MAX)):
        if tokens * learned.counted_fraction >= enough_tokens:
            break
        tokens += max(1, tokens * percent // 100)
    return tokens
