"""Whether a source of settings, such as a file or the environment, is where a setting comes from."""

from collections.abc import Mapping, Sequence


def holds(values: object, path: Sequence[str]) -> bool:
    """Tell whether nested values have something at a path.

    Of a list, or of what should have been a table, all is theirs.
    """
    for step in path:
        if not isinstance(values, Mapping):
            break
        if step not in values:
            return False
        values = values[step]
    return True
