"""What values in conditions count: the types of the language."""

from enum import StrEnum


class Unit(StrEnum):
    """What a value counts. Values of different units are neither compared nor added."""

    TOKENS = "tokens"
    MS = "ms"
    COUNT = "count"
    RATIO = "ratio"
    #: A number without a unit: it takes the unit of what stands beside it.
    NUMBER = "number"
    TEXT = "text"
    #: Yes or no: holds by itself, and is not compared.
    FLAG = "flag"
