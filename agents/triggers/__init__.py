"""Triggers: each looks at a thread and an event and says whether, and why, the thread is to be compacted now.

They fire and plan nothing. Used from outside: `firing_rule.FiringRule`, `facts.ThreadFacts` (answers to conditions),
`temporal.next_timer`, `problems` (what can't be used of a policy's triggers).
"""
