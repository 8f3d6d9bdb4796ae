"""Messages: what one message says, which of them belong together, and the words that stand in their place.

Knows messages and entries, and no thread. Used from outside: `part_text` and `call_text` (a part or a call as text),
`envelope` (what is known of a tool result), `groups` (what stays, goes or is summarised together), `wording`.
"""
