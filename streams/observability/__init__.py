"""What is seen of a running system: metrics, logs, the audit trail, spend.

Reads what others did and changes nothing.
"""
