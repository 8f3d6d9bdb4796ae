"""The demo.

Topics, a group and a folder of its own, a worker, and sample conversations that play at a pace to follow.
"""
