"""Kafka clients that start and stop within a deadline, log in, tell the cluster's time, and read a topic to its end.

Used by all that talks to a broker; topics and their settings are in streams/topics.
"""
