"""Words: the lists, and what single words give away of a text in any of the languages that we read.

Touches nothing but text. Used by all rooms below it: `cues` (demands, decisions, errors), `rule_words`, `lexicon`, `names`
(what a reader can't invent again), `pieces` (sentences that can be quoted), `word_lists.words` (how a list is written).
"""
