"""A context as what a provider's call takes: repaired where the API would refuse it, unchanged where it would not.

Every call is answered right behind it, once; what has no call is left out; roles stand as the API wants them; nothing
is empty. Whether a context ends so that there is something to reply to is up to the caller.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tailrace.schemas.providers.anthropic import request as anthropic_request
from tailrace.schemas.providers.formats import write_context
from tailrace.schemas.providers.gemini import request as gemini_request
from tailrace.schemas.providers.openai_chat import request as openai_chat_request
from tailrace.schemas.providers.openai_responses import request as openai_responses_request
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
    return _BUILDERS[format_named(message_format)](messages)


def _plain(messages: Sequence[Message]) -> dict[str, Any]:
    return {"messages": write_context(messages, Format.TAILRACE)}


_BUILDERS: dict[str, Callable[[Sequence[Message]], dict[str, Any]]] = {
    Format.TAILRACE: _plain,
    Format.OPENAI_CHAT: openai_chat_request.request,
    Format.OPENAI_RESPONSES: openai_responses_request.request,
    Format.ANTHROPIC_MESSAGES: anthropic_request.request,
    Format.GEMINI: gemini_request.request,
}
