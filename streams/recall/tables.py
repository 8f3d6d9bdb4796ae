"""The tables of recall: documents, their passages, a full-text index over the passages, and how far the log was read.

The index holds no text of its own: it points at the passages, so a passage is taken out of it by what the passage says.
The column `scope` is what keeps tenants, threads and sensitivities apart inside the index; `hidden` holds terms that
the index would not find in the text by itself.
"""
# ruff: noqa: S608  all names in these statements are of ours; values are always bound

import sqlite_utils

#: In the data folder.
RECALL_FILE = "recall.db"
DOCUMENTS = "recall_documents"
PASSAGES = "recall_passages"
INDEX = "recall_index"
#: How far each partition of a topic was read, and where it ended when that was looked at.
PROGRESS = "recall_progress"
#: What is known of a thread between two reads.
THREADS = "recall_threads"
_TABLES = {
    DOCUMENTS: {
        "number": int,
        "tenant": str,
        "thread": str,
        "kind": str,
        "id": str,
        "role": str,
        "tool": str,
        "turn": int,
        "offset": int,
        "created_at_ms": int,
        "sensitivity": str,
        "digest": bytes,
    },
    PASSAGES: {"number": int, "document": int, "first_char": int, "scope": str, "hidden": str, "text": str},
}
_INDEXES = (
    (DOCUMENTS, ("tenant", "thread", "kind", "id"), True),
    (DOCUMENTS, ("created_at_ms",), False),  # what was said longest ago leaves first
    (PASSAGES, ("document",), False),
)

PROGRESS_COLUMNS = {"topic": str, "partition": int, "next_offset": int, "end_offset": int}
THREAD_COLUMNS = {"thread": str, "partition": int, "state": bytes}

FIND_DOCUMENT = f"SELECT number, digest FROM {DOCUMENTS} WHERE tenant = ? AND thread = ? AND kind = ? AND id = ?"
FIND_ARTIFACT = f"SELECT number FROM {DOCUMENTS} WHERE tenant = ? AND kind = ? AND id = ?"
FIND_PASSAGES = f"SELECT number FROM {PASSAGES} WHERE document = ?"
LAST_NUMBERS = (
    f"SELECT (SELECT coalesce(max(number), 0) FROM {DOCUMENTS}), (SELECT coalesce(max(number), 0) FROM {PASSAGES})"
)
INSERT_DOCUMENT = (
    f"INSERT INTO {DOCUMENTS} (number, tenant, thread, kind, id, role, tool, turn, [offset], created_at_ms, "
    f"sensitivity,"
    " digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_PASSAGE = f"INSERT INTO {PASSAGES} (number, document, first_char, scope, hidden, text) VALUES (?, ?, ?, ?, ?, ?)"
INDEX_PASSAGE = f"INSERT INTO {INDEX} (rowid, scope, hidden, text) VALUES (?, ?, ?, ?)"
UNINDEX_PASSAGES = (
    f"INSERT INTO {INDEX} ({INDEX}, rowid, scope, hidden, text) "
    f"SELECT 'delete', number, scope, hidden, text FROM {PASSAGES} WHERE document = ?"
)
OLDEST_SAID = f"SELECT number FROM {DOCUMENTS} ORDER BY created_at_ms, number LIMIT 1"
OLDEST_WRITTEN = f"SELECT number FROM {DOCUMENTS} WHERE number <= ? ORDER BY number LIMIT 1"
DELETE_PASSAGES = f"DELETE FROM {PASSAGES} WHERE document = ?"
DELETE_DOCUMENT = f"DELETE FROM {DOCUMENTS} WHERE number = ?"
#: Until its segments are merged, the index only notes that something is gone.
MERGE_INDEX = f"INSERT INTO {INDEX} ({INDEX}) VALUES ('optimize')"
#: So many pages of its segments are merged at most, which is what takes out of it what it only notes as gone.
MERGE_SOME = f"INSERT INTO {INDEX} ({INDEX}, rank) VALUES ('merge', ?)"
COUNT = f"SELECT count(*) FROM {INDEX} WHERE {INDEX} MATCH ?"
MATCH = f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH ? ORDER BY rowid DESC LIMIT ?"
READ_PASSAGE = (
    "SELECT p.text, p.first_char, d.tenant, d.thread, d.kind, d.id, d.role, d.tool, d.turn, d.[offset], "
    "d.created_at_ms, "
    f"d.sensitivity FROM {PASSAGES} p JOIN {DOCUMENTS} d ON d.number = p.document WHERE p.number = ?"
)


def create_tables(database: sqlite_utils.Database) -> None:
    """Create what is missing."""
    for name, columns in _TABLES.items():
        database.table(name).create(columns, pk="number", if_not_exists=True)
    for name, columns_of_index, unique in _INDEXES:
        database.table(name).create_index(columns_of_index, unique=unique, if_not_exists=True)
    database.table(PROGRESS).create(PROGRESS_COLUMNS, pk=("topic", "partition"), if_not_exists=True)
    database.table(THREADS).create(THREAD_COLUMNS, pk="thread", if_not_exists=True)
    database.execute(
        f"CREATE VIRTUAL TABLE IF NOT EXISTS {INDEX} USING fts5(scope, hidden, text, content={PASSAGES}, "
        "content_rowid=number, tokenize='unicode61 remove_diacritics 2')"
    )


def are_there(database: sqlite_utils.Database) -> bool:
    """Tell whether a database that may not be written to has the tables."""
    return database.table(INDEX).exists()


READ_DOCUMENT = (
    f"SELECT role, tool, turn, [offset], created_at_ms, sensitivity, {PASSAGES}.text FROM {DOCUMENTS} "
    f"JOIN {PASSAGES} ON {PASSAGES}.document = {DOCUMENTS}.number "
    f"WHERE tenant = ? AND thread = ? AND kind = ? AND id = ? ORDER BY {PASSAGES}.number"
)
