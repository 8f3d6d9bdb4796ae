"""Every error of Tailrace, split by who must act.

TailraceError
├── PoisonEvent      the record can never be processed: dead letter, then go on
│   ├── Undecodable      bytes that are no JSON object, or not UTF-8
│   ├── Invalid          JSON of the wrong shape
│   ├── UnknownVersion   a type or version that this release doesn't read
│   └── Misplaced        well-formed, but not here: wrong tenant, result without a call
├── Fatal            the process must stop and let its successor replay
├── ConfigError      refused at start: names the key, the value and what is allowed
└── Unavailable      asked for something that is not there: broker, topic, thread, deadline passed
"""


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


class UnknownVersion(PoisonEvent):
    """The type or version is not one that this release reads."""

    code = "unknown_version"


class Misplaced(PoisonEvent):
    """The event is well-formed but doesn't belong where it stands."""

    code = "misplaced"


class Fatal(TailraceError):
    """A failure after which the process must not acknowledge anything more."""


class ConfigError(TailraceError):
    """A setting that can't be used."""

    def __init__(self, key: str, value: object, allowed: str) -> None:
        """Say which setting is wrong, what it holds and what is allowed."""
        super().__init__(f"{key} = {value!r} can't be used. Allowed: {allowed}")
        self.key = key
        self.value = value
        self.allowed = allowed


class Unavailable(TailraceError):
    """Something outside this process is missing or did not answer in time."""
