"""Where a text that somebody else wrote ends and whoever sends it speaks again.

Most often nothing marks it, so it is told by what only the sender says: a question about the text, a request to work on it, a word about
it from outside, a word of their own where the text has no author who says "I". Where nothing of that is there it reaches to the end of
the message: a rule that nobody gave is worse than one that is asked for again.
"""

import re
from collections.abc import Iterator, Sequence

from tailrace.agents.ledger.introductions import is_authored, is_spoken
from tailrace.agents.ledger.letters import end_of_letter
from tailrace.agents.ledger.sender_remarks import is_senders, speaks_from_outside

#: What a program or a lawyer puts below a mail, in small letters.
_FOOTER = re.compile(
    r"confidential|privileged|unsubscribe|disclaimer|vertraulich|abbestellen|abmelden|désabonner|confidencial|riservat"
)
_FENCED = ("```", ">", "<", "|")
_OPENED = {'"': ('"', '".'), "“": ("”", "”."), "„": ("“", "“.", "”"), "«": ("»", "»."), "»": ("«", "«.")}
_BEHIND_CHARS_MAX = 400
#: A line that nobody writes for its words.
_RULER = re.compile(r"\s*([-=*_~#\u2014\u2500])(?:\s?\1){2,}\s*")
#: A line that says that the text has ended.
_END = re.compile(
    r"\W*(?:end|ende|fin|fine|fim|einde|koniec|конец)(?: (?:of|der|des|vom|de|du|del|della|da|do|van) .{1,40}|\W*(?:quote|mail|text|zitat|citation|cita|citazione))?\W*|\W*(?:unquote|zitat ende|fin de citation|"
    r"(?:so much for|that(?:'s| is| was)(?: all)?|soweit|so weit|das war) (?:the|die|der|das|it|dies\w*)? ?\w{0,20})\W*",
    re.IGNORECASE,
)


def end_of_paste(lines: Sequence[str], intro: int, *, worked: bool = False) -> int:
    """Place of the first line behind a paste that is the sender's own; `intro` is that of the line that introduces it.

    What is to be `worked` on may hold any sentence: only what speaks of it from outside is not a part of it.
    """
    begin = next((at for at in range(intro + 1, len(lines)) if lines[at].strip()), len(lines))
    if begin == len(lines) or lines[begin].lstrip().startswith(_FENCED):
        return begin  # what is fenced says itself where it ends
    paragraphs = [*_paragraphs(lines, begin)]
    if worked:
        own = (first for first, end in paragraphs[1:] if speaks_from_outside(" ".join(lines[first:end])))
        return next(own, len(lines))
    marked = _marked_end(lines, begin)
    if marked >= 0:
        return marked
    if is_spoken(lines[intro]):
        return paragraphs[0][1]
    authored = is_authored(lines[intro])
    for number, (first, end) in enumerate(paragraphs):
        if number and is_senders(" ".join(lines[first:end]), last=number + 1 == len(paragraphs), authored=authored):
            return first
    return len(lines)


def end_of_mail(lines: Sequence[str], head: int) -> int:
    """Place of the first line behind a mail with headers that is its sender's own: only what speaks as one, below the last name that signs it."""
    signed, below = -1, head
    while (below := end_of_letter(lines, below)) >= 0:
        signed = below
    paragraphs = [*_paragraphs(lines, signed)] if signed >= 0 else []
    if not paragraphs:
        return len(lines)
    first, end = paragraphs[0]
    said = " ".join(lines[first:end])
    # Whoever wrote the mail has signed it: "I" is somebody else now.
    own = not _FOOTER.search(said.lower()) and is_senders(said, last=len(paragraphs) == 1, authored=False)
    return first if own else len(lines)


def _marked_end(lines: Sequence[str], begin: int) -> int:
    """Where a mark says that a paste has ended: that of a quotation, a line drawn, a word of the sender's, a signature; -1 where none does."""
    closing = _OPENED.get(lines[begin].lstrip()[0])
    drawn = [at for at in range(begin, len(lines)) if _RULER.fullmatch(lines[at])]
    for at in range(begin, len(lines)):
        if (closing and lines[at].rstrip().endswith(closing)) or _END.fullmatch(lines[at].strip() or "."):
            return at + 1
    if len(drawn) > 1 and drawn[0] == begin:
        return drawn[1] + 1
    # A document may have lines in it; behind the last of them, whoever pasted it says little.
    if drawn and drawn[-1] > begin and sum(map(len, lines[drawn[-1] + 1 :])) <= _BEHIND_CHARS_MAX:
        return drawn[-1] + 1
    return end_of_letter(lines, begin)


def _paragraphs(lines: Sequence[str], begin: int) -> Iterator[tuple[int, int]]:
    first = begin
    for at in range(begin, len(lines) + 1):
        if at == len(lines) or not lines[at].strip():
            if first < at:
                yield first, at
            first = at + 1
