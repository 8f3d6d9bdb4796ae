"""Loss receipts for people: what a context still says of what it was compacted from, and where the rest can be had."""

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from tailrace.schemas.records.compaction import ClassReceipt, CompactionRecord, Recoverable
from tailrace.streams.cli.audit_lines import SHORT_CHARACTERS
from tailrace.streams.cli.fitted_table import Column, FittedTable
from tailrace.streams.cli.one_line import one_line

#: What matters most comes first; classes that a later release adds follow.
_CLASSES: Final = ("directives", "obligations", "decisions", "said", "identifiers")
#: What a class is called in a sentence, where its name alone would read wrong.
_IN_WORDS: Final = {"said": "other sentences"}


def classes_of(record: CompactionRecord) -> Iterator[tuple[str, ClassReceipt]]:
    """Yield the classes of a receipt, what matters most first."""
    classes = record.receipt.classes
    for name in [*_CLASSES, *sorted(classes.keys() - set(_CLASSES))]:
        if name in classes:
            yield name, classes[name]


def receipt_summary(record: CompactionRecord) -> Text:
    """A receipt in one line: of each class, how many the context still says; and where to see the rest."""
    shares = [
        f"{of_class.retained:,} of {_total(of_class):,} {_IN_WORDS.get(name, name)}"
        for name, of_class in classes_of(record)
        if _total(of_class)
    ]
    text = f"still says {', '.join(shares)};" if shares else "no statement and no identifier has left;"
    return Text.assemble(text, " ", (f"tailrace receipt {record.id[:SHORT_CHARACTERS]}", "dim"))


def counts_table(record: CompactionRecord) -> FittedTable:
    """Everything that a receipt counts."""
    receipt = record.receipt
    rows = [_counts("messages", receipt.retained, receipt.recoverable, receipt.lost)]
    for name, of_class in classes_of(record):
        rows.append(_counts(name, of_class.retained, of_class.recoverable, of_class.lost))
        if of_class.added:
            rows.append(
                [Text(f"  {of_class.added:,} of them pointed out by a model", style="dim"), Text(), Text(), Text()]
            )
    return FittedTable([Column(""), *(Column(name, "right") for name in ("retained", "recoverable", "lost"))], rows)


def _counts(name: str, retained: int, recoverable: int, lost: int) -> list[Text]:
    return [one_line(name), Text(f"{retained:,}"), Text(f"{recoverable:,}"), _lost(lost)]


def listed_table(record: CompactionRecord) -> FittedTable | None:
    """What the context no longer says, class by class, each with where it can be had; None where there is nothing."""
    rows = []
    for name, of_class in classes_of(record):
        rows += [[one_line(name), _pointer(item), one_line(item.text)] for item in of_class.listed]
        hidden = of_class.recoverable + of_class.lost - len(of_class.listed)
        if hidden > 0:
            more = Text(f"{hidden:,} more, which the record does not name", style="dim")
            rows.append([one_line(name), Text(), more])
    columns = Column("no longer said"), Column("where it can be had"), Column("what")
    return FittedTable(columns, rows) if rows else None


def _pointer(item: Recoverable) -> Text:
    """The artifact that holds it whole, else the message."""
    return one_line(f"artifact {item.artifact_id}" if item.artifact_id else f"message {item.message_id}")


def _total(of_class: ClassReceipt) -> int:
    return of_class.retained + of_class.recoverable + of_class.lost


def _lost(number: int) -> Text:
    return Text(f"{number:,}", style="bold red" if number else "dim")
