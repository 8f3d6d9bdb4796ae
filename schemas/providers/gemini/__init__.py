"""The Gemini API: contents read, written, asked and checked."""
