"""The role `requests`: the whole request of each thread as one record, for readers that want nothing but that."""
