"""What a program sees that is started for one installation: its settings as variables, and none of anybody else's."""

import os

from tailrace.streams.settings.settings import Settings

_PREFIX = "TAILRACE_"


def bare_environment() -> dict[str, str]:
    """Return the environment of this process without Tailrace's variables."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_PREFIX)}


def variables_of(settings: Settings) -> dict[str, str]:
    """Return which installation it is as variables: broker, group, folder and topics. It serves at a free port."""
    return {
        "TAILRACE_BROKER": settings.broker or "",
        "TAILRACE_GROUP": settings.group,
        "TAILRACE_DATA_DIR": str(settings.data_dir),
        "TAILRACE_TOPICS__PREFIX": settings.topics.prefix,
        "TAILRACE_TOPICS__PARTITIONS": str(settings.topics.partitions),
        "TAILRACE_HTTP__PORT": "0",
        "TAILRACE_LOG__FORMAT": "json",
    }
