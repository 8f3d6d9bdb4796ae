"""Ways to make a context smaller, one file each: a step of the policy and a draft in, proposals out."""
