"""What the Kafka client logs by itself."""

import logging


def silence_client_logs() -> None:
    """Keep aiokafka's own log lines off the terminal: what matters in them is part of our errors."""
    logger = logging.getLogger("aiokafka")
    logger.propagate = False
    logger.addHandler(logging.NullHandler())
