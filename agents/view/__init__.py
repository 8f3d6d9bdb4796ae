"""The live context of a thread, built from the records of the contexts topic.

The one place where records are applied; it decides nothing. Used from outside: `thread_view.ThreadView`,
`trigger_memory` (what triggers remember of a thread).
"""
