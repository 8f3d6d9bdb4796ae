"""The role `index`: what was said, made findable beside the workers, from the topics and at a pace of its own."""
