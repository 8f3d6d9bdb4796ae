"""Intervals of numbers: all that a value can be, as far as that is known. An end that is open is not part of it."""

from dataclasses import dataclass
from math import ceil, floor, inf, isfinite


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers from `low` to `high`."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    @property
    def empty(self) -> bool:
        """Tell whether no number lies in it."""
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def has(self, number: float) -> bool:
        """Tell whether the number lies in it."""
        above = number > self.low or (number == self.low and not self.low_open)
        return above and (number < self.high or (number == self.high and not self.high_open))

    def is_only(self, number: float) -> bool:
        """Tell whether nothing but this number lies in it."""
        return self.low == self.high == number

    def meet(self, other: "Interval") -> "Interval":
        """What lies in both."""
        low, low_open = max((self.low, self.low_open), (other.low, other.low_open))
        high, high_closed = min((self.high, not self.high_open), (other.high, not other.high_open))
        return Interval(low, high, low_open=low_open, high_open=not high_closed)

    def join(self, other: "Interval") -> "Interval":
        """What lies in one of them, or between them."""
        low, low_open = min((self.low, self.low_open), (other.low, other.low_open))
        high, high_closed = max((self.high, not self.high_open), (other.high, not other.high_open))
        return Interval(low, high, low_open=low_open, high_open=not high_closed)

    def whole(self) -> "Interval":
        """The same where only whole numbers count: both ends are whole, and part of it."""
        low, high = self.low, self.high
        if isfinite(low):
            low = floor(low) + 1 if self.low_open else ceil(low)
        if isfinite(high):
            high = ceil(high) - 1 if self.high_open else floor(high)
        return Interval(low, high)

    def __add__(self, other: "Interval") -> "Interval":
        """Sums of a number of each."""
        return Interval(
            self.low + other.low,
            self.high + other.high,
            low_open=self.low_open or other.low_open,
            high_open=self.high_open or other.high_open,
        )

    def __mul__(self, other: "Interval") -> "Interval":
        """Products of a number of each, and no less than these: open ends become closed."""
        products = [_product(left, right) for left in (self.low, self.high) for right in (other.low, other.high)]
        return Interval(min(products), max(products))

    def scaled(self, factor: float) -> "Interval":
        """Products of its numbers and a factor that is not 0."""
        low, high = _product(self.low, factor), _product(self.high, factor)
        if factor > 0:
            return Interval(low, high, low_open=self.low_open, high_open=self.high_open)
        return Interval(high, low, low_open=self.high_open, high_open=self.low_open)

    def inverse(self) -> "Interval":
        """One by each of its numbers, of which none is 0; open ends become closed."""
        return Interval(1 / self.high, 1 / self.low)


EVERYTHING = Interval(-inf, inf)


def _product(left: float, right: float) -> float:
    # 0 times what has no bound: the bound is no number that a value ever is.
    return 0 if left == 0 or right == 0 else left * right
