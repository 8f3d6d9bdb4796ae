"""A client over HTTP, sync and async: for agents that have no Kafka and want none.

Imports httpx2 and the schemas, nothing else.
"""
