"""Models behind an OpenAI-compatible API: OpenAI itself, or any server that speaks its chat protocol."""

from typing import Any

from tailrace.agents.summary.model.prompt import Prompt
from tailrace.streams.extras import missing_extras_named
from tailrace.streams.settings.secret import SecretText
from tailrace.streams.summarizer.provider import Completion, ProviderError, Trouble, status_error


class OpenAIProvider:
    """OpenAI's SDK, without its own retries."""

    def __init__(self, api_key: SecretText, *, base_url: str | None, timeout_seconds: float) -> None:
        """Open a client. Raises MissingExtra where the SDK is not installed."""
        with missing_extras_named():
            import openai  # noqa: PLC0415  an extra, and a second to import
        self._errors = openai
        self._is_openai = base_url is None
        self._client = openai.AsyncOpenAI(
            api_key=api_key.get_secret_value(),
            # Spelled out, because the SDK would take another address from the environment.
            base_url=base_url or "https://api.openai.com/v1",
            timeout=timeout_seconds,
            max_retries=0,
        )

    async def complete(self, model: str, prompt: Prompt, *, output_tokens_max: int) -> Completion:
        """Ask a model once. Raises ProviderError."""
        # OpenAI's newer models know only the second name of the limit, most other servers only the first.
        options: dict[str, Any] = (
            {"max_completion_tokens": output_tokens_max, "response_format": {"type": "json_object"}}
            if self._is_openai
            else {"max_tokens": output_tokens_max}
        )
        try:
            answer = await self._client.chat.completions.create(
                model=model,
                messages=[{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
                stream=False,
                **options,
            )
        except self._errors.APITimeoutError as error:
            raise ProviderError(Trouble.TIMED_OUT, "no answer in time") from error
        except self._errors.APIStatusError as error:
            raise status_error(error.status_code, str(error), error.response.headers.get("retry-after")) from error
        except (self._errors.OpenAIError, ValueError, RecursionError) as error:
            raise ProviderError(Trouble.UNAVAILABLE, type(error).__name__) from error
        return _completion(answer)

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()


def _completion(answer: Any) -> Completion:
    """What is in an answer. Servers differ in what they leave out."""
    choices = getattr(answer, "choices", None) or []
    message = getattr(choices[0], "message", None) if choices else None
    usage = getattr(answer, "usage", None)
    text = getattr(message, "content", None)
    return Completion(
        text=text if isinstance(text, str) else "",
        input_tokens=getattr(usage, "prompt_tokens", None) or 0,
        output_tokens=getattr(usage, "completion_tokens", None) or 0,
    )
