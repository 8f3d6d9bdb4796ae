"""Artifacts: what is kept whole outside of a context, under which name, and what stands in its place.

Makes names and texts, and stores nothing. Used from outside: `names.artifact_id`, `shorten.shorten`, `stand_ins`;
`excerpt` and `pieces` are what a model gets to see when it reads one.
"""
