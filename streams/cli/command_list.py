"""Every command of `tailrace`: under which heading the help lists it, and the line that it has there.

Each lies in the module of its name, which is not loaded before the command is called or asked for its own help.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tailrace.streams.local_kafka.kafka_jars import KAFKA_VERSION

#: The lines by heading and command, as one needs them. A test holds each line to the first paragraph of the command's
#: own help.
COMMANDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "Run it": {
            "demo": "Start a broker, a worker and the API, play recorded conversations, and show every context live.",
            "broker": f"Run a one-node Apache Kafka {KAFKA_VERSION} on this machine, for development, demos and tests.",
            "topics": "Create the topics, and keep their settings right.",
            "worker": "Read conversations, keep every context under its budget.",
            "api": "Serve everything over HTTP, for agents that know nothing of Kafka, or nothing but a base URL.",
            "gateway": "Serve OpenAI's and Anthropic's APIs: what agents say is published, and what they send fits the "
            "window.",
        },
        "Use it": {
            "publish": "Publish messages to a thread.",
            "context": "Show the context of a thread: what a model would be sent, how full its window is, what it cost "
            "so far.",
            "threads": "List the threads, those first in which something was said last: what was said, and how full "
            "the context is.",
            "watch": "Follow what happens to threads until Ctrl-C: what fired, what was proposed and done, what was "
            "refused, and why.",
            "history": "Show what happened to a thread and why, oldest first.",
            "receipt": "Show the receipt of one compaction: what the context still says, what can be had again and "
            "where, what is lost.",
            "cost": "Show tokens and price of every model call.",
            "recall": "Find passages in all that was said, the best first, also in what has left the contexts.",
            "plan": "Show what a compaction would do, and change nothing.",
            "compact": "Compact a conversation in a file and write it as JSON, ready to send to a model; or compact a "
            "thread.",
            "signal": "Tell a thread what a runtime does.",
            "tools": "Print the tools that a model is given to read back what left its context, as JSON for a request.",
            "mcp": "Serve what left the contexts, and the contexts, to programs that speak MCP.",
        },
        "Look after it": {
            "artifacts": "Look at the artifacts: what left the contexts, kept whole.",
            "dlq": "Look at the dead letters: records that could not be processed, with the reason.",
            "rebuild": "Make the projection again from the topics, or the contexts from the log.",
            "doctor": "Check all that Tailrace needs: Python, packages, distiller, vocabulary, Java, disk, broker, "
            "topics, clock.",
            "config": "Show and check the settings.",
            "policy": "Look at policies, check them and compare them.",
            "version": "Print the versions of Tailrace, Python and the packages that matter: what a report of a defect "
            "should name.",
        },
    }
)
