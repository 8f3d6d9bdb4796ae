"""Parameters that requests take behind the question mark: of each its type, what it means, and an example of it."""

from typing import Annotated, Final

from msgspec import Meta

from tailrace.schemas.records.message import Format

#: Longest time that a request may wait for a worker.
WAIT_MS_MAX: Final = 60_000
#: JavaScript counts no further.
_MOMENT_MS_END: Final = 2**53
#: Threads that one stream may name.
_THREADS_MAX: Final = 1_000
#: Longest text that is looked for.
_WORDS_CHARACTERS_MAX: Final = 10_000

ThreadName = Annotated[str, Meta(description="Id of a thread.", examples=["t1"])]
ThreadNames = Annotated[
    tuple[str, ...],
    Meta(description="Ids of threads; the parameter once for each.", max_length=_THREADS_MAX, examples=[["t1", "t2"]]),
]
TenantName = Annotated[
    str,
    Meta(
        description="The tenant that the request is about, for callers who see several.",
        examples=["default"],
    ),
]
ModelName = Annotated[str, Meta(description="Name of a model, as its provider has it.", examples=["gpt-4o"])]
MessageFormat = Annotated[Format, Meta(description="Format of messages.", examples=[str(Format.OPENAI_CHAT)])]
MessageId = Annotated[
    str,
    Meta(
        description="Id of a message that has to be in the context, or to be refused, before the answer comes.",
        examples=["0199-m1"],
    ),
]
WaitMs = Annotated[
    int,
    Meta(
        description="How long to wait for a worker, in milliseconds; by default as the settings of `client` say.",
        ge=0,
        le=WAIT_MS_MAX,
        examples=[2_000],
    ),
]
SinceMs = Annotated[
    int,
    Meta(
        description="Only what happened since this moment: milliseconds since 1970, by the broker's clock.",
        ge=0,
        lt=_MOMENT_MS_END,
        examples=[1_760_000_000_000],
    ),
]
PolicyName = Annotated[str, Meta(description="Name of a ready-made policy.", examples=["codex"])]
WindowTokens = Annotated[
    int,
    Meta(description="The window to explain the policy for, in tokens.", ge=1, le=1_000_000_000, examples=[128_000]),
]
Words = Annotated[str, Meta(description="Words to look for.", max_length=_WORDS_CHARACTERS_MAX, examples=["bridge"])]
OnlyHere = Annotated[
    bool,
    Meta(
        description="Ask only what the process that answers has itself, and none of the others that it knows.",
        examples=[False],
    ),
]
Lines = Annotated[
    str,
    Meta(description="Lines of a text: 200-260, 200- or -50 for the last ones.", max_length=64, examples=["1-40"]),
]
