"""Compaction as a plain call, and plans outside of the stream: for messages, a file, or a thread as it stands.

Used from outside: `compact.compact`, which the package `tailrace.streams` offers.
"""
