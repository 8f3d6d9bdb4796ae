"""Every error of Tailrace, split by who must act.

TailraceError
├── PoisonEvent      the record can never be processed: dead letter, then go on
│   ├── Undecodable      bytes that are no JSON object, or not UTF-8
│   ├── Invalid          JSON of the wrong shape
│   │   └── TooLarge         more bytes than a record may have
│   ├── UnknownVersion   a type or version that this release doesn't read
│   └── Misplaced        well-formed, but not here: wrong tenant, result without a call
├── Fatal            the process must stop and let its successor replay
│   └── ArtifactStoreFull  no room for what was to be kept; nothing of the batch was
├── ConfigError      refused at start: names the key, the value and what is allowed
│   ├── ConditionError   a condition that can't be read, or makes no sense: shows the place
│   └── MissingExtra     a package is not installed: names the extra that brings it
├── Conflict         a plan for a thread that has moved on since: plan again
├── Refused          something that was asked of a thread and can't be done: it changes nothing
├── OverBudget       what has to stay costs more than the limit: nothing to send, give it more room
├── Unsendable       a request that its provider would refuse: says where and why
├── Nonsense         a strategy proposed what can't be done: it is skipped
├── InjectionTooLarge  more than its reserve was to be added to a request: shorten it, or raise the reserve
├── ArtifactError    an artifact that can't be stored or shown
│   ├── ArtifactMissing    never stored, deleted, expired or another tenant's: all the same to the caller
│   ├── ArtifactForbidden  above the caller's clearance
│   ├── ArtifactCorrupt    what is kept is not what was stored
│   ├── ArtifactLocked     encrypted with a key that is not at hand
│   ├── ArtifactConflict   the id is taken by other content
│   └── ArtifactRefused    a name or a time that nothing can be kept under
└── Unavailable      asked for something that is not there: broker, topic, thread, deadline passed
"""

from collections.abc import Sequence
from typing import Final
from unicodedata import east_asian_width

#: Places that an error names; of a broken request the first tell enough.
_PLACES_SHOWN: Final = 3


class TailraceError(Exception):
    """Anything Tailrace raises on purpose; never raised itself."""


class PoisonEvent(TailraceError):
    """A record that can never be processed. It goes to the dead letters and the partition moves on."""

    #: Stable name of the kind of failure, used in dead letters and as a metric label.
    code = "poison"


class Undecodable(PoisonEvent):
    """The bytes are no UTF-8 JSON object."""

    code = "undecodable"


class Invalid(PoisonEvent):
    """The JSON has the wrong shape."""

    code = "invalid"


class TooLarge(Invalid):
    """The value is larger than a record may be."""


class UnknownVersion(PoisonEvent):
    """The type or version is not one that this release reads."""

    code = "unknown_version"


class Misplaced(PoisonEvent):
    """The event is well-formed but doesn't belong where it stands."""

    code = "misplaced"

    def __init__(self, what: str, remedy: str = "") -> None:
        """Say what is wrong, and what whoever published the event may do about it."""
        super().__init__(f"{what}; {remedy}" if remedy else what)
        #: What is wrong, for those who have published nothing.
        self.what = what


class Fatal(TailraceError):
    """A failure after which the process must not acknowledge anything more."""


class ArtifactStoreFull(Fatal):
    """The disk or the file has no room for what was to be kept. Nothing of the batch was stored."""

    def __init__(self, where: str, reason: str) -> None:
        """Say where there is no room, and what to do."""
        super().__init__(
            f"{where} has no room for more artifacts ({reason}); nothing of this batch was stored. "
            "Free some space, or remove what has expired, and start again"
        )


class _Missing:
    """What stands for a value that is not there."""

    def __repr__(self) -> str:
        return "missing"


#: The value of a ConfigError about a key that has to be there and isn't.
MISSING: Final = _Missing()


class ConfigError(TailraceError):
    """A setting that can't be used."""

    def __init__(self, key: str, value: object, allowed: str) -> None:
        """Say which setting is wrong, what it holds and what is allowed."""
        what = f"{key} is missing" if value is MISSING else f"{key} = {value!r} can't be used"
        super().__init__(f"{what}. Allowed: {allowed}")
        self.key = key
        self.value = value
        self.allowed = allowed

    def told_of(self, where: str) -> "ConfigError":
        """The same error with the file that it is in, where more than one could be meant."""
        return ConfigError(f"{where}: {self.key}", self.value, self.allowed)


class MissingExtra(ConfigError):
    """Something was asked for that needs a package which is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        """Say what is missing, and what to type."""
        super().__init__(package, MISSING, f"pip install 'tailrace[{extra}]'")
        self.args = (f"this needs the package {package}, which is not installed. Run: pip install 'tailrace[{extra}]'",)
        self.extra = extra


class ConditionError(ConfigError):
    """A condition that can't be read, or that makes no sense.

    What is allowed is followed by the line and a mark below the place.
    """

    def __init__(self, text: str, begin: int, end: int, *, allowed: str, actual: str, key: str = "condition") -> None:
        """Say what is allowed from `begin` to before `end`, and what was found there; both count characters."""
        super().__init__(key, text, f"{allowed}; found: {actual}\n{_marked(text, begin, end)}")
        self.begin = begin
        self.end = end


class Conflict(TailraceError):
    """A plan for a thread that has moved on since: plan again."""


class Refused(TailraceError):
    """Something that was asked of a thread and can't be done; it changes nothing, and the audit says why."""


class OverBudget(TailraceError):
    """A conversation that can't be brought under its limit. There is nothing to send: a model would refuse it."""

    def __init__(self, title: str, *, tokens: int, limit_tokens: int) -> None:
        """Say what it still costs, and what to do."""
        super().__init__(
            f"{title} can't be brought under {limit_tokens:,} tokens: {tokens:,} have to stay. There is nothing "
            "to send; give it more room"
        )
        self.tokens = tokens
        self.limit_tokens = limit_tokens


class Unsendable(TailraceError):
    """A context that can be written in a format, and not be sent in it: the provider would refuse the request."""

    def __init__(self, message_format: str, places: Sequence[str], *, lacks_room: str = "") -> None:
        """Say which places of the request it would refuse, and why, as its validator does.

        `lacks_room` where that comes of a small budget.
        """
        shown = "; ".join(places[:_PLACES_SHOWN])
        more = f"; and {len(places) - _PLACES_SHOWN} more" if len(places) > _PLACES_SHOWN else ""
        remedy = (
            f"The reason is its budget: {lacks_room}. Give it more room"
            if lacks_room
            else "Mend the messages that are wrong, or say what is missing"
        )
        super().__init__(f"{message_format} would refuse this request: {shown}{more}. {remedy}")
        self.format = message_format
        self.places = tuple(places)


class Nonsense(TailraceError):
    """A proposal that can't be carried out: unknown ids, a torn group, a replacement that breaks a pair."""


class InjectionTooLarge(TailraceError):
    """What was to be injected into a request costs more than the reserve for it has left."""

    def __init__(self, name: str, *, tokens: int, left_tokens: int) -> None:
        """Say which injection is too large, by how much, and which key holds the reserve."""
        super().__init__(
            f"injection {name!r} costs {tokens} tokens, and policy.injection_reserve_tokens has {left_tokens} left "
            "for it. Shorten the injection or raise the reserve"
        )
        self.name = name
        self.tokens = tokens
        self.left_tokens = left_tokens


class ArtifactError(TailraceError):
    """An artifact that can't be stored or shown; never raised itself."""


class ArtifactMissing(ArtifactError):
    """There is no such artifact for the caller's tenant."""

    def __init__(self, artifact_id: str) -> None:
        """Say the same for an id that never was, that has expired or that is another tenant's."""
        super().__init__(
            f"There is no artifact {artifact_id!r}. It was never stored for this tenant, or was deleted, or has expired"
        )
        self.artifact_id = artifact_id


class ArtifactForbidden(ArtifactError):
    """The artifact is more sensitive than the caller may see."""

    def __init__(self, artifact_id: str, *, sensitivity: str, clearance: str) -> None:
        """Say what it is and what the caller may see."""
        super().__init__(
            f"Artifact {artifact_id!r} is {sensitivity}, and the caller may see {clearance} at most. "
            "Ask with a higher clearance"
        )
        self.artifact_id = artifact_id


class ArtifactCorrupt(ArtifactError):
    """What is kept is not what was stored."""

    def __init__(self, artifact_id: str, *, where: str, reason: str) -> None:
        """Say which artifact is damaged, where it lies and how that shows."""
        super().__init__(
            f"Artifact {artifact_id!r} in {where} is damaged: {reason}. "
            "Delete it and store it again from the conversations topic, or restore it from a backup"
        )
        self.artifact_id = artifact_id


class ArtifactLocked(ArtifactError):
    """The artifact is encrypted with a key that this process doesn't have."""

    def __init__(self, artifact_id: str, key_id: str) -> None:
        """Say which key is missing; keys themselves are never shown."""
        super().__init__(
            f"Artifact {artifact_id!r} is encrypted with key {key_id!r}, which artifacts.keys doesn't hold. Add that "
            "key; older keys must stay until everything is encrypted with the present one"
        )
        self.artifact_id = artifact_id
        self.key_id = key_id


class ArtifactConflict(ArtifactError):
    """The id is taken by other content. Nothing was overwritten, and nothing of the batch was stored."""

    def __init__(self, artifact_id: str, *, stored_sha256: str, given_sha256: str) -> None:
        """Say which id it is, and how the two contents can be told apart."""
        super().__init__(
            f"Artifact {artifact_id!r} is already stored with other content (sha256 {stored_sha256[:12]}…, not "
            f"{given_sha256[:12]}…); nothing was overwritten. Make the id a hash of the content, or delete the one "
            "that is there"
        )
        self.artifact_id = artifact_id


class ArtifactRefused(ArtifactError):
    """A name or a time that nothing can be kept under. Nothing of the batch was stored."""


class Unavailable(TailraceError):
    """Something outside this process is missing or did not answer in time."""


def _marked(text: str, begin: int, end: int) -> str:
    """The line of the text that holds the place, and below it a mark as wide as the place."""
    first = text.rfind("\n", 0, begin) + 1
    line = "".join(sign if sign.isprintable() else " " for sign in text[first:].partition("\n")[0])
    before, within = line[: begin - first], line[begin - first : end - first]
    return f"    {line}\n    {' ' * _columns(before)}{'^' * max(1, _columns(within))}"


def _columns(text: str) -> int:
    """How wide a terminal shows the text."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
