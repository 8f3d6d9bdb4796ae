"""Anthropic's models, through its SDK."""

from tailrace.agents.summary.model.prompt import Prompt
from tailrace.streams.extras import missing_extras_named
from tailrace.streams.settings.secret import SecretText
from tailrace.streams.summarizer.provider import Completion, ProviderError, Trouble, status_error


class AnthropicProvider:
    """Anthropic's SDK, without its own retries."""

    def __init__(self, api_key: SecretText, *, base_url: str | None, timeout_seconds: float) -> None:
        """Open a client. Raises MissingExtra where the SDK is not installed."""
        with missing_extras_named():
            import anthropic  # noqa: PLC0415  an extra, and a second to import
        self._errors = anthropic
        self._client = anthropic.AsyncAnthropic(
            api_key=api_key.get_secret_value(),
            # Spelled out, because the SDK would take another address from the environment.
            base_url=base_url or "https://api.anthropic.com",
            timeout=timeout_seconds,
            max_retries=0,
        )

    async def complete(self, model: str, prompt: Prompt, *, output_tokens_max: int) -> Completion:
        """Ask a model once. Raises ProviderError."""
        try:
            answer = await self._client.messages.create(
                model=model,
                max_tokens=output_tokens_max,
                system=prompt.system,
                messages=[{"role": "user", "content": prompt.user}],
            )
        except self._errors.APITimeoutError as error:
            raise ProviderError(Trouble.TIMED_OUT, "no answer in time") from error
        except self._errors.APIStatusError as error:
            raise status_error(error.status_code, str(error), error.response.headers.get("retry-after")) from error
        except (self._errors.AnthropicError, ValueError, RecursionError) as error:
            raise ProviderError(Trouble.UNAVAILABLE, type(error).__name__) from error
        texts = [block.text for block in answer.content or () if block.type == "text"]
        usage = answer.usage
        return Completion(
            text="".join(texts),
            input_tokens=usage.input_tokens if usage else 0,
            output_tokens=usage.output_tokens if usage else 0,
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()
