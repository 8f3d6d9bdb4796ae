"""Files on this machine: made for their owner alone, and looked at for those that others may open."""
