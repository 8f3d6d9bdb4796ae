"""Tables of claims: the conversation and the field in a line, and below it each claim with the events that it cites."""

from true_claims import Sample


def samples(table: str) -> tuple[Sample, ...]:
    """The claims of a table."""
    found: list[Sample] = []
    talk = field = ""
    for line in table.splitlines():
        text, bar, events = line.partition(" | ")
        if bar:
            found.append((talk, field, text.strip(), tuple(events.split())))
        elif line.strip():
            talk, field = line.split()
    return tuple(found)
