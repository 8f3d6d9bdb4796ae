"""The HTTP API: a process that serves any number of workers, from a file of its own that it keeps up to date."""
