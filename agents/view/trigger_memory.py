"""What triggers remember of a thread, kept up by what is said in it."""

from msgspec.structs import replace

from tailrace.schemas.records.context import CallInFlight, Entry, EntryKind, Standing, Totals

#: Signals that are recognised when they come twice.
SEEN_MAX = 32
_STAND_IN = EntryKind.STAND_IN


def after_entry(standing: Standing, entry: Entry) -> Standing:
    """The standing once something more was said."""
    if entry.kind is _STAND_IN:
        return standing  # nobody said it
    at_ms = entry.logged_at_ms
    if entry.quiet_tokens:
        standing = replace(standing, failures=standing.failures + 1, failed_at_ms=at_ms)
    if entry.role == "assistant":
        # A model has spoken: its call is over, and whatever was refused or announced before it.
        return replace(
            standing,
            began_at_ms=standing.began_at_ms or at_ms,
            said_at_ms=at_ms,
            called_at_ms=at_ms,
            in_flight=None,
            owed=None,
            announced_tokens=0,
            overflows=0,
        )
    return replace(standing, began_at_ms=standing.began_at_ms or at_ms, said_at_ms=at_ms, announced_tokens=0)


def after_compaction(standing: Standing, totals: Totals, at_ms: int, *, stuck: bool, ask_rules: bool) -> Standing:
    """The standing once the thread was compacted; `ask_rules` says that rules want to be asked about it."""
    return replace(
        standing,
        compacted_at_ms=at_ms,
        compacted=totals,
        completed_at_ms=at_ms if ask_rules else 0,
        failures=0,
        failed_at_ms=0,
        stuck=stuck,
        owed=None,
        announced_tokens=0,
    )


def after_failure(standing: Standing, at_ms: int) -> Standing:
    """The standing once a compaction was tried in vain."""
    return replace(standing, failures=standing.failures + 1, failed_at_ms=at_ms, owed=None)


def in_flight(standing: Standing, at_ms: int) -> CallInFlight | None:
    """The call that is under way; None once its time is over."""
    call = standing.in_flight
    return call if call is not None and at_ms < call.until_ms else None
