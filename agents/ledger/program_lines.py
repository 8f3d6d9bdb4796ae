"""Lines that were copied from a program, a log, a table or a chat, known by their shape: comments amid code, time stamps, keys, signs.

One line of such a shape may be a person's own; most shapes count where a line next to it has the same.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tailrace.agents.language.cues import holds_any
from tailrace.agents.ledger.assent import is_assent

#: A time before what was logged or said.
_STAMPED = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AaPp][Mm])?\] ?\S|"
    r"\[?\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\]? ?(?:- )?\w[^:\n]{0,30}: |"
    r"\d\d:\d\d:\d\d(?:[.,]\d+)? (?:\[?[A-Z]{4,8}\]?|<?\w+[>:]) |"
    r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S|\[?(?:INFO|DEBUG|TRACE)\]?[ :]|(?:WARN|WARNING|ERROR|FATAL|SEVERE)\s+[\[(]"
)
#: Whoever spoke, before what was said.
_SPEAKER = re.compile(r"([^\W\d_a-z][^\W_]{0,20}(?: [^\W\d_a-z][^\W_]{0,20})?)\s?: ?\S")
#: With these an answer begins.
_AGREEING = frozenset(
    ("ok", "okay", "yes", "yeah", "yep", "sure", "thanks", "ja", "klar", "oui", "sí", "sì", "sim", "да")
)
#: Who said something and when, on a line of its own.
_MARK = re.compile(r"[^\W\d_a-z][^\W_]*(?: [^\W\d_a-z][\w.]*){0,2}[ \t]+(?:at )?\[?\d{1,2}[:.]\d\d(?: ?[AaPp][Mm])?\]?")
#: Without one of these nothing is a remark amid code.
_COMMENTING = ("# ", "//", "* ", "-- ", "% ", "@")
_REMARK = ("//", "/*", "*/", "<!--")
#: How lines of data and remarks of other languages begin; and names that are given a value.
_DATA = re.compile(r"[{\[]\s*[\"'{\[]|\"[^\"]{1,40}\"\s*:\s|\"{3}|;;|REM |\\\w")
_ASSIGNED = re.compile(r"[A-Za-z_][\w.]* ?= ?(?:\".*\"|'.*'|[\d.]+|[Tt]rue|[Ff]alse)[;,]?$")
#: What a program says has gone wrong, or how it is to be called.
_RAISED = re.compile(r"(?:[\w.$]+(?:Error|Exception)|ERROR|Error)(?:\[\w+\])?: |[Uu]sage: ")
_DATA_STARTS = frozenset('{[";R\\')
#: A paragraph of a law or a contract.
_CLAUSE = re.compile(
    r"(?:(?:clause|article|art\.|section|sec\.|artikel|artículo|articolo|artigo|статья) \d[\d.]*[:.)]? |§+ ?\d)",
    re.IGNORECASE,
)
#: One of these is in every such line, but for those in capitals.
_CLAUSE_PARTS = (
    "lause ",
    "rticle ",
    "rt. ",
    "ection ",
    "ec. ",
    "rtikel ",
    "rtículo ",
    "rticolo ",
    "rtigo ",
    "татья ",
    "§",
)
#: Of these, one line is enough.
_PARAGRAPH = "§"
#: Parties of a contract are written with capitals and their article, where not every noun has one.
_PARTIES = {
    "[Tt]he ": (
        "Tenant Landlord Lessee Lessor Supplier Customer Client Contractor Company Buyer Seller Employer Employee Licensee Licensor Borrower Lender "
        "Provider Purchaser Vendor Insured Insurer Party Parties"
    ),
    "[Ll]e ": "Locataire Bailleur Prestataire Client Vendeur Preneur Salarié Fournisseur",
    "[Ll]'": "Acheteur Employeur Assuré",
    "[Ee]l ": "Arrendatario Arrendador Cliente Proveedor Comprador Vendedor Contratista Prestador",
    "[Ii]l ": "Conduttore Locatore Cliente Fornitore Venditore",
}
_PARTY = re.compile("|".join(rf"\b{article}(?:{'|'.join(names.split())})\b" for article, names in _PARTIES.items()))
#: From capital to capital, which costs less than to look for each of the names.
_PARTY_NAME = re.compile("|".join(sorted({name for names in _PARTIES.values() for name in names.split()})))
#: A statement of a program.
_CODE = re.compile(
    r"(?:def|class|for|while|elif|else|try|except|with)\b.*:$|"
    r"(?:def|class|if|for|while|return|import|from|const|let|var|func|fn|public|private|static|int|void|switch|elif|export|function)\b.*[;{()=]|"
    r"[\w.\[\]\"']+ ?(?:[-+*/|&]?=|:=) ?\S|[\w.]+\(.*\)[;:,]?$|.*[)\]\w\"' ]\{?[{}]$|[{}\])]+[;,]?$|#include\b|return \w+$"
)
#: A remark behind a statement of a program.
_REMARKED = re.compile(r";\s+(?:--|//|#) ")
_KEY = re.compile(r"\s*(?:- )?[\"']?[a-z_][\w.-]*[\"']?:(?:\s+\S+){0,3}$")
_CELLS = re.compile(r"[^,\s][^,\n]*(?:,[^\s,][^,\n]*)+$")
_CELL = re.compile(r",[^\s,]")
_SIGNED = re.compile(r"^[ \t]*(?:[-+][^\s\d]|@@ -|diff --git )", re.MULTILINE)
_REMOVED, _ADDED = re.compile(r"-[^\s\d-]"), re.compile(r"\+[^\s\d+]")
_DIFF = ("@@ -", "+++ ", "diff --git ")


def copied_lines(text: str, lines: Sequence[str]) -> frozenset[int]:
    """Places of the lines of a text that nobody typed into it."""
    begun = [line.strip() for line in lines]
    found = {place for place, line in enumerate(begun) if line and _is_copied(line)}
    if _PARTY_NAME.search(text):
        found.update(_contract(begun))
    if len(lines) > 1:
        # One look at all of the text costs less than one at each line.
        if holds_any(text, _COMMENTING):
            found.update(_comments(begun))
        if _CELL.search(text):
            found.update(_table(begun))
        if text.count(":") > 1:
            found.update(_talk(begun))
            found.update(_thread(begun))
        if "\n " in text and ":" in text:
            found.update(_keys(lines))
        if holds_any(text, _CLAUSE_PARTS):
            found.update(_clauses(begun))
        changed = [place for place, line in enumerate(begun) if line.startswith(("-", "+"))]
        if changed and _SIGNED.search(text):
            found.update(_changes(begun, changed))
    return frozenset(found)


def _is_copied(line: str) -> bool:
    first = line[0]
    if first in "/*<":
        return line.startswith(_REMARK)
    if first in _DATA_STARTS:
        return _DATA.match(line) is not None or (first == "[" and _STAMPED.match(line) is not None)
    if ": " in line and _RAISED.match(line):
        return True
    if ("=" in line and _ASSIGNED.match(line)) or (";" in line and _REMARKED.search(line)):
        return True
    return first == _PARAGRAPH or ((first.isdigit() or first.isupper()) and _STAMPED.match(line) is not None)


def _comments(begun: Sequence[str]) -> Iterator[int]:
    """Lines of a program with a remark in them, and lines that are one between those of a program."""
    for place, line in enumerate(begun):
        if line.startswith(("# ", "* ", "-- ", "% ", "@")) or " # " in line or " // " in line:
            beside = [begun[at] for at in (place - 1, place + 1) if 0 <= at < len(begun)]
            if any(_CODE.match(one) for one in beside) or (line.startswith("* ") and any(map(_is_remark, beside))):
                yield place


def _is_remark(line: str) -> bool:
    return line.startswith("/*") or line == "*/"


def _table(begun: Sequence[str]) -> Iterator[int]:
    """Lines with as many cells as the one next to them."""
    cells = [line.count(",") if "," in line and _CELLS.match(line) else 0 for line in begun]
    for place, count in enumerate(cells):
        if count and count in (*cells[max(0, place - 1) : place], *cells[place + 1 : place + 2]):
            yield place


def _talk(begun: Sequence[str]) -> Iterator[int]:
    """Lines of several speakers, of whom one speaks again, or answers another in the next line."""
    speakers = {
        place: spoken
        for place, line in enumerate(begun)
        if ":" in line and not line[0].islower() and (spoken := _SPEAKER.match(line))
    }
    counts = Counter(spoken[1] for spoken in speakers.values()) if len(speakers) > 1 else {}
    if len(counts) < 2:  # noqa: PLR2004  it takes two to talk
        return
    answered = any(place - 1 in speakers and _answers(begun[place], said[1]) for place, said in speakers.items())
    if answered or max(counts.values()) > 1:
        yield from speakers


def _answers(line: str, speaker: str) -> bool:
    said = line[len(speaker) :].strip(" :.!").lower()
    words = said.replace(",", " ").split()
    return said.endswith("?") or is_assent(words) or (len(words) > 1 and words[0] in _AGREEING)


def _thread(begun: Sequence[str]) -> Iterator[int]:
    """Lines under a name and a time of day, where there are several of these: a conversation that was copied with its marks."""
    marks = [place for place, line in enumerate(begun) if line[:1].isupper() and _MARK.fullmatch(line)]
    if len(marks) < 2:  # noqa: PLR2004  one may be a note of the writer's own
        return
    for place in marks:
        yield place
        for at in range(place + 1, len(begun)):
            if not begun[at]:
                break
            yield at


def _clauses(begun: Sequence[str]) -> Iterator[int]:
    """Paragraphs of a law or a contract, where there are several of them."""
    places = [place for place, line in enumerate(begun) if _CLAUSE.match(line)]
    if len(places) > 1:
        yield from places


def _contract(begun: Sequence[str]) -> Iterator[int]:
    """Lines that name the parties of a contract, where these are named more than once."""
    named = {place: len(_PARTY.findall(line)) for place, line in enumerate(begun) if line}
    if sum(named.values()) > 1:
        yield from (place for place, times in named.items() if times)


def _keys(lines: Sequence[str]) -> Iterator[int]:
    """Keys with their values, of which one stands below another."""
    keyed = [":" in line and _KEY.match(line) is not None for line in lines]
    for place in range(1, len(lines)):
        if keyed[place] and keyed[place - 1] and lines[place][:1] == " " and not lines[place].lstrip().startswith("- "):
            yield from (place - 1, place)


def _changes(begun: Sequence[str], changed: Sequence[int]) -> Iterator[int]:
    """What a diff takes out and puts in, of the places of lines that begin with its signs."""
    whole = any(line.startswith(_DIFF) for line in begun)
    for place in changed:
        line = begun[place]
        other = _ADDED if line[0] == "-" else _REMOVED
        beside = [*begun[max(0, place - 1) : place], *begun[place + 1 : place + 2]]
        mine = (_REMOVED if line[0] == "-" else _ADDED).match(line)
        if whole or (mine and any(other.match(one) for one in beside)):
            yield place
