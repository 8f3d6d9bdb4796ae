"""Names of strategies: what a policy may call a way to compact, and a signal may ask for."""

from typing import Literal

StrategyName = Literal["composed", "drop", "summarize", "delegate", "checkpoint"]
