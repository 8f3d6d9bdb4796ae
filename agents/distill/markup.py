"""Web pages: headings, links and text, without tags, scripts and styles."""

import html
import re
from typing import Final

from tailrace.agents.distill.prose import sketch_text
from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.terminal_text import Reading

#: Parts that nobody reads.
_HIDDEN: Final = ("script", "style", "svg", "noscript", "head")
#: What follows the name of a tag: a header is no head.
_ENDS_NAME: Final = frozenset(" \t\n\f/>")
#: No tag has another one in it: so a tag that is never closed ends the look at it, and a page of such tags costs no
#: more.
_TITLE: Final = re.compile(r"<title[^<>]{0,200}>([^<]{0,300})", re.IGNORECASE)
_HEADING: Final = re.compile(r"<h([1-6])\b[^<>]{0,500}>", re.IGNORECASE)
_LINK: Final = re.compile(r"<a\s([^<>]{0,2000})>", re.IGNORECASE)
_TARGET: Final = re.compile(r"href\s{0,3}=\s{0,3}[\"']?([^\"'\s>]{1,500})", re.IGNORECASE)
_BLOCK: Final = re.compile(
    r"</?(?:p|div|li|tr|br|ul|ol|table|section|article|header|footer|h[1-6]|pre|td|th)\b[^<>]{0,500}>", re.IGNORECASE
)
#: Where less than one part in so many is text, what matters stands in the tags: settings, reports, routes.
_TEXT_PART: Final = 10
_TAG: Final = re.compile(r"<[/!?a-zA-Z][^<>]{0,2000}>")


def sketch_html(reading: Reading) -> Sketch:
    """Return the text of a page, its headings first."""
    title = _TITLE.search(reading.text)
    text = _without_hidden(reading.text)
    text = _HEADING.sub(lambda match: "\n" + "#" * int(match[1]) + " ", text)
    text = _LINK.sub(_link_text, text)
    text = _TAG.sub("", _BLOCK.sub("\n", text))
    rows = [row for line in html.unescape(text).split("\n") if (row := " ".join(line.split()))]
    if sum(map(len, rows)) * _TEXT_PART < len(reading.text):
        return sketch_text(reading)
    headings = [place for place, row in enumerate(rows) if row[0] == "#"]
    head = f"Title: {html.unescape(title[1]).strip()}" if title else ""
    return Sketch(rows, head=head.replace("\n", " "), first=headings)


def _link_text(link: re.Match[str]) -> str:
    target = _TARGET.search(link[1])
    return f" ({target[1]}) " if target else " "


def _without_hidden(text: str) -> str:
    """Return a page without its hidden parts; one that is never closed ends where the next part begins."""
    lower = _lower(text)
    for name in _HIDDEN:
        opening, closing = f"<{name}", f"</{name}>"
        if closing not in lower:
            continue
        kept: list[str] = []
        at = 0
        begin = lower.find(opening)
        while begin >= 0:
            behind = begin + len(opening)
            if lower[behind : behind + 1] in _ENDS_NAME:
                end = lower.find(closing, begin)
                if end < 0:
                    break
                kept.append(text[at:begin])
                at = behind = end + len(closing)
            begin = lower.find(opening, behind)
        kept.append(text[at:])
        text = "".join(kept)
        lower = _lower(text)
    return text


def _lower(text: str) -> str:
    """Return a text in small letters, unless they would take other places than the capitals did."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text
