"""OpenAI's chat completions: messages read, written, asked and checked."""
