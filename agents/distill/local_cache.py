"""Distillations that were made lately, by what they were made from: agents look at the same output again and again.

Distilling is a pure function, so it makes no difference whether it is remembered. It is remembered by each worker for
itself: asking a store that all share takes longer than distilling nearly every output anew (docs/benchmarks.md has the
numbers). Only the largest are worth it: see `shared`.
"""

from collections import OrderedDict
from typing import Final

from tailrace.agents.distill.distill import Distilled, ToolOutput, distill
from tailrace.agents.messages.envelope import content_hash

#: Each holds a distillation, a few thousand tokens at most, and nothing of the output.
REMEMBERED: Final = 512

_made: OrderedDict[tuple[str, str, str, int], Distilled] = OrderedDict()


def distill_once(output: ToolOutput, *, chars_max: int) -> Distilled:
    """What `distill` gives, which is asked only for what was not distilled lately."""
    key = content_hash(output.text), output.tool, output.called_with, chars_max
    distilled = _made.pop(key, None) or distill(output, chars_max=chars_max)
    _made[key] = distilled
    if len(_made) > REMEMBERED:
        _made.popitem(last=False)
    return distilled
