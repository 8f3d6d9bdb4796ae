"""The worker: Faust, the commit protocol, and what watches over it."""
