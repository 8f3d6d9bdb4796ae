"""Tables of the file that the API reads from: a copy of topics, compacted by key as the broker does it.

`records` has what the contexts topic holds of each thread, `threads` what can be listed without looking at those
records, `trail` the compactions and the audit, `places` how far each partition was read and under which term. All of it
can be made again from the topics at any time.
"""

import sqlite3
from typing import Final

import sqlite_utils

#: A file of another form is thrown away and made again.
FORM: Final = 1

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS places (
    topic TEXT NOT NULL, partition INTEGER NOT NULL, offset INTEGER NOT NULL, term INTEGER NOT NULL,
    PRIMARY KEY (topic, partition)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS records (
    thread TEXT NOT NULL, partition INTEGER NOT NULL, name TEXT NOT NULL,
    offset INTEGER NOT NULL, mark INTEGER NOT NULL, value BLOB NOT NULL,
    PRIMARY KEY (thread, partition, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS threads (
    thread TEXT NOT NULL, partition INTEGER NOT NULL, tenant TEXT NOT NULL, offset INTEGER NOT NULL, mark INTEGER NOT
    NULL, said_at_ms INTEGER NOT NULL, agent TEXT, model TEXT, PRIMARY KEY (thread, partition)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS threads_newest ON threads (said_at_ms, thread);
CREATE INDEX IF NOT EXISTS threads_newest_of_tenant ON threads (tenant, said_at_ms, thread);
CREATE INDEX IF NOT EXISTS threads_changed ON threads (partition, offset);
CREATE TABLE IF NOT EXISTS trail (
    topic TEXT NOT NULL, id TEXT NOT NULL, thread TEXT NOT NULL, partition INTEGER NOT NULL, offset INTEGER NOT NULL,
    event_id TEXT NOT NULL, at_ms INTEGER NOT NULL, value BLOB NOT NULL,
    PRIMARY KEY (topic, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS trail_of_thread ON trail (thread, topic, offset);
CREATE INDEX IF NOT EXISTS trail_in_order ON trail (topic, partition, offset);
CREATE INDEX IF NOT EXISTS trail_of_event ON trail (event_id);
CREATE INDEX IF NOT EXISTS trail_by_age ON trail (topic, at_ms);
"""


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the tables that are missing."""
    sqlite_utils.Database(connection).enable_wal()
    # A power cut may take the last transactions along; the offsets of what was read are in the same ones.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.executescript(_TABLES)


def empty_tables(connection: sqlite3.Connection) -> None:
    """Forget everything."""
    for table in sqlite_utils.Database(connection).table_names():
        connection.execute(f"DELETE FROM {table}")  # noqa: S608  names of ours
