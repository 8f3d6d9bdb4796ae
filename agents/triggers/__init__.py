"""Triggers: each looks at a thread and an event and says whether, and why, the thread is to be compacted now."""
