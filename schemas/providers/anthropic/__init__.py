"""Anthropic's Messages API: read, written, asked and checked."""
