"""OpenAI's Responses API: items read, written, asked and checked."""
