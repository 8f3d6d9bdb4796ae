"""The policy: one document that decides when a context is compacted, how far and by which steps.

Data and its check. `policy.Policy` is the whole, `document` reads it with every problem named, `steps` has what can be
done.
"""
