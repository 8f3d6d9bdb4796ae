"""Plans: from a context that is too large to one that fits, as data.

Changes a draft and no record. Used from outside: `planner`, `plan.Plan`, `derived_entries`, `policy_warnings`; the
drafts are in `draft`, the steps of a policy in `steps`.
"""
