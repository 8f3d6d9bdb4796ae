"""A context as what a provider's call takes: repaired where the API would refuse it, unchanged where it would not.

Every call is answered right behind it, once; what has no call is left out; roles stand as the API wants them; nothing
is empty. Whether a context ends so that there is something to reply to is up to the caller.
"""

from collections.abc import Sequence
from typing import Any

from tailrace.schemas.providers.conversion import carry
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.providers.server_answers import with_whole_server_calls
from tailrace.schemas.records.message import Format, Message, format_named


def request_of(messages: Sequence[Message], message_format: Format | str) -> dict[str, Any]:
    """Return the arguments that carry the messages in a call of that provider.

    | format | arguments |
    |---|---|
    | `openai.chat` | `messages` |
    | `openai.responses` | `input` |
    | `anthropic.messages` | `system` (absent where there is none) and `messages` |
    | `gemini` | `system_instruction` (absent where there is none) and `contents` |
    | `tailrace/1` | `messages`, as they are |

    Of Gemini's two, google-genai's `generate_content` takes `contents` itself and `system_instruction` in its `config`;
    over REST the latter is `systemInstruction`. Nothing is copied that needn't be: read the result, leave it as it is.
    Raises `UnknownVersion` for a format that this release doesn't write.
    """
    provider = PROVIDERS[format_named(message_format)]
    return provider.request(messages if provider.server_calls is None else with_whole_server_calls(messages), carry)
