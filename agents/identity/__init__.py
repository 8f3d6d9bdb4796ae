"""Whose conversation a request continues, told by what was said in it. Imports schemas alone.

`chain_of` names each message of a request by all that stands before it; `Heads` knows which thread ends with which
name.
"""
