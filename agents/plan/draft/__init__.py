"""A context while it is being planned: what each live message is to become.

Refuses what tears a group. Used from outside: `draft.Draft`, `item` (messages and groups of a draft), `proposal`,
`keep` (what stays whatever the steps propose), `splits`.
"""
