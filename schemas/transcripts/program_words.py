"""What programs write in their user's name: where they run, which of their own commands were used, what those printed.

Such a message has the role of the user and nothing that a person said. It is recognised by what it is made of: blocks
in the tags of those programs, or a note that they were stopped, and nothing beside them.
"""

import re

from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.schemas.tagged_blocks import TaggedBlocks

#: Tags of blocks in which programs hand on the standing instructions of a project.
_INSTRUCTION_TAGS = ("INSTRUCTIONS", "user_instructions")
#: Tags of blocks that programs write. What a person typed behind a command is in a block of its own, and not among
#: them.
_TAGS = (
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "command-message",
    "command-name",
    "environment_context",
    "local-command-caveat",
    "local-command-stdout",
    "local-command-stderr",
    "system-reminder",
    "task-notification",
    "turn_aborted",
    "user_shell_command",
    *_INSTRUCTION_TAGS,
)
_BLOCKS = TaggedBlocks("|".join(_TAGS))
_INSTRUCTIONS = re.compile(rf"<({'|'.join(_INSTRUCTION_TAGS)})>")
#: Stands above instructions, and says which file they are from.
_HEADING = re.compile(r"^# \S+ instructions for [^\n]*$", re.MULTILINE)
#: Stands alone in a message where a person has stopped the agent, in the place of what they did not say.
_INTERRUPTED = re.compile(r"\[Request interrupted by user(?: for tool use)?\]")
_NO_ARGUMENTS = re.compile(r"<command-args>\s*</command-args>")


def written_by_program(message: Message) -> bool:
    """Tell whether a user message holds what a program wrote and nothing else."""
    if message.role != "user" or not message.parts:
        return False
    texts = [part.content for part in message.parts if isinstance(part, TextPart)]
    return len(texts) == len(message.parts) and all(_is_program_text(text) for text in texts)


def holds_instructions(message: Message) -> bool:
    """Tell whether what a program wrote are the standing instructions of a project.

    Nobody's turn, but to be kept as a system prompt is.
    """
    return any(isinstance(part, TextPart) and _INSTRUCTIONS.search(part.content) for part in message.parts)


def _is_program_text(text: str) -> bool:
    left = _INTERRUPTED.sub("", _NO_ARGUMENTS.sub("", _BLOCKS.removed_from(text)))
    if _INSTRUCTIONS.search(text):
        left = _HEADING.sub("", left)
    return not left.strip()
