"""Every error of Tailrace, split by who must act.

TailraceError
├── PoisonEvent      the record can never be processed: dead letter, then go on
│   ├── Undecodable      bytes that are no JSON object, or not UTF-8
│   ├── Invalid          JSON of the wrong shape
│   ├── UnknownVersion   a type or version that this release doesn't read
│   └── Misplaced        well-formed, but not here: wrong tenant, result without a call
├── Fatal            the process must stop and let its successor replay
├── ConfigError      refused at start: names the key, the value and what is allowed
├── Conflict         a plan for a thread that has moved on since: plan again
├── Nonsense         a strategy proposed what can't be done: it is skipped
├── InjectionTooLarge  more than its reserve was to be added to a request: shorten it, or raise the reserve
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


class Conflict(TailraceError):
    """A plan for a thread that has moved on since: plan again."""


class Nonsense(TailraceError):
    """A proposal that can't be carried out: unknown ids, a torn group, a replacement that breaks a pair."""


class InjectionTooLarge(TailraceError):
    """What was to be injected into a request costs more than the reserve for it has left."""

    def __init__(self, name: str, *, tokens: int, left_tokens: int) -> None:
        """Say which injection is too large, by how much, and which key holds the reserve."""
        super().__init__(
            f"injection {name!r} costs {tokens} tokens, and policy.injection_reserve_tokens has {left_tokens} left for it. "
            "Shorten the injection or raise the reserve"
        )
        self.name = name
        self.tokens = tokens
        self.left_tokens = left_tokens


class Unavailable(TailraceError):
    """Something outside this process is missing or did not answer in time."""
