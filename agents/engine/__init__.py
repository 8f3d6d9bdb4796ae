"""The engine: one input record in, the records that have to be written out.

May use every room above it; no clock, no random, no I/O. Used from outside: `partition.process`, `engine.Engine`,
`lookups` (what the shell has to look up first), `offline` (the engine on a list of messages), `request` (a context as a
request).
"""
