"""Ways to make a context smaller, one file each: a step of the policy and a draft in, proposals out.

A step looks at the draft and changes nothing. Used from outside: `registry.ANALYZE` (which function does a step) and
`registry.resolve` (which steps a named strategy stands for).
"""
