"""The recall index: everything that was said, cut into passages that are found by name or by what they are about.

A search has two halves. SQLite's full-text index says which passages of the tenant hold which terms of the query; then
the best of these are read and ranked by `agents/recall/ranking.py`. Counting happens inside of what the caller may see:
neither hits nor scores tell anything about other tenants or about what is too sensitive.
"""

from collections.abc import Sequence
from hashlib import blake2b

import msgspec
import sqlite_utils

from tailrace.agents.recall.passages import passages
from tailrace.agents.recall.ranking import Ranked, RankedPassage, best_candidates, fuse, rank, term_weights
from tailrace.agents.recall.terms import SearchTerm, hidden_terms, one_name, query_terms
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.recall import RecallDocument, RecallHit, RecallKind
from tailrace.streams.recall import tables
from tailrace.streams.recall.scope import level, scope_query, scope_terms
from tailrace.streams.recall.vectors import VectorIndex

#: How much of a query is read: a question, or a whole message.
QUERY_CHARS_MAX = 4_000
#: A term that more passages hold says too little to look at them all.
POSTINGS_MAX = 2_000
#: How many of the best by terms and by vectors are put together.
FUSED_MAX = 30

_encode = msgspec.msgpack.Encoder().encode


class RecallIndex:
    """The index in a database that its caller owns: connection, journal and transactions are the caller's."""

    def __init__(self, database: sqlite_utils.Database, *, vectors: bool = False) -> None:
        """Create the tables if they are missing. With `vectors`, what is added from now on gets a vector too."""
        self._connection = database.conn
        tables.create_tables(database)
        self._vectors = VectorIndex(self._connection) if vectors else None

    def add(self, documents: Sequence[RecallDocument]) -> None:
        """Add documents, inside of the caller's transaction.

        One that is there already is replaced if it has changed.
        """
        latest = {
            (document.tenant, document.thread, document.kind, document.id): document
            for document in map(_storable, documents)
        }
        outdated: list[int] = []
        changed: list[tuple[RecallDocument, bytes]] = []
        for key, document in latest.items():
            digest = blake2b(_encode(document), digest_size=16).digest()
            row = self._connection.execute(tables.FIND_DOCUMENT, key).fetchone()
            if row is not None and row[1] == digest:
                continue
            if row is not None:
                outdated.append(row[0])
            changed.append((document, digest))
        self._delete(outdated)
        if changed:
            self._insert(changed)

    def remove(self, tenant: str, thread: str, ids: Sequence[str]) -> None:
        """Remove documents of all kinds with these ids, inside of the caller's transaction.

        Nothing of them is left in the database, which takes a merge of the whole index: this is for what must be
        forgotten.
        """
        numbers: list[int] = []
        for kind in RecallKind:
            for message_id in ids:
                rows = self._connection.execute(tables.FIND_DOCUMENT, (tenant, thread, kind, message_id))
                numbers += (number for number, _ in rows)
        self._forget(numbers)

    def remove_artifact(self, tenant: str, artifact_id: str) -> None:
        """Remove what is known of an artifact in all threads of a tenant, as `remove` does."""
        rows = self._connection.execute(tables.FIND_ARTIFACT, (tenant, str(RecallKind.ARTIFACT), artifact_id))
        self._forget([number for (number,) in rows])

    def remove_oldest_said(self) -> bool:
        """Remove the document that was said longest ago, inside of the caller's transaction.

        False where there is none.
        """
        return self._remove_found(tables.OLDEST_SAID)

    def remove_oldest_written(self, up_to: int) -> bool:
        """Remove the first of the documents up to this number, inside of the caller's transaction.

        False where there is none.
        """
        return self._remove_found(tables.OLDEST_WRITTEN, up_to)

    def _remove_found(self, query: str, *values: int) -> bool:
        row = self._connection.execute(query, values).fetchone()
        if row is not None:
            self._delete(row)
        return row is not None

    def begin_merge(self, pages: int) -> None:
        """Give back up to so many pages of deleted entries, inside of the caller's transaction."""
        self._connection.execute(tables.MERGE_SOME, (-pages,))

    def merge(self, pages: int) -> bool:
        """Go on with it; False where it is done."""
        before = self._connection.total_changes
        self._connection.execute(tables.MERGE_SOME, (pages,))
        # The statement itself counts as a change.
        return self._connection.total_changes - before > 1

    def _forget(self, numbers: Sequence[int]) -> None:
        if not numbers:
            return
        (overwrites,) = self._connection.execute("PRAGMA secure_delete").fetchone()
        self._connection.execute("PRAGMA secure_delete = ON").fetchone()
        try:
            self._delete(numbers)
            self._connection.execute(tables.MERGE_INDEX)
        finally:
            self._connection.execute(f"PRAGMA secure_delete = {int(overwrites)}").fetchone()

    def documents(self, tenant: str, thread: str, ids: Sequence[str]) -> list[RecallDocument]:
        """Return the messages with these ids, in the order of the ids; what is not there is left out."""
        documents = []
        for message_id in ids:
            rows = self._connection.execute(
                tables.READ_DOCUMENT, (tenant, thread, str(RecallKind.MESSAGE), message_id)
            ).fetchall()
            if rows:
                role, tool, turn, offset, created_at_ms, sensitivity, _ = rows[0]
                document = RecallDocument(
                    tenant=tenant,
                    thread=thread,
                    id=message_id,
                    kind=RecallKind.MESSAGE,
                    text="\n".join(row[-1] for row in rows),
                    role=role,
                    tool=tool,
                    turn=turn,
                    offset=offset,
                    created_at_ms=created_at_ms,
                    sensitivity=Sensitivity(sensitivity),
                )
                documents.append(document)
        return documents

    def search(
        self,
        query: str,
        *,
        tenant: str,
        thread: str | None = None,
        limit: int = 5,
        clearance: Sensitivity = Sensitivity.INTERNAL,
    ) -> list[RecallHit]:
        """Return the passages that fit the query best, the best first.

        Any text is a query; nothing in it is an operator.
        """
        asked = _encodable(query[:QUERY_CHARS_MAX])
        terms = query_terms(asked)
        if not terms or not _is_storable(tenant) or not _is_storable(thread or ""):
            return []
        scope = scope_query(tenant, thread, clearance)
        postings = {term: self._postings(term, scope) for term in terms}
        (total,) = self._connection.execute(tables.COUNT, (scope,)).fetchone()
        weights = term_weights(postings, total, common_from=POSTINGS_MAX)
        numbers = best_candidates(postings, weights)
        near: list[int] = []
        literal = one_name(asked)
        # A name that was found as it is written needs nothing that only looks like it.
        if self._vectors is not None and not (literal and numbers):
            near = self._vectors.nearest(asked, tenant=tenant, thread=thread, clearance=clearance, limit=FUSED_MAX)
        read = self._read([*numbers, *near], tenant, thread, clearance)
        candidates = [read[number][0] for number in numbers if number in read]
        shown = rank(candidates, postings, weights, literal=literal, limit=max(limit, FUSED_MAX) if near else limit)
        if near:
            shown = fuse(([ranked.number for ranked in shown], [number for number in near if number in read]), limit)
        return [_hit(read[ranked.number][1], ranked) for ranked in shown]

    def _postings(self, term: SearchTerm, scope: str) -> list[int]:
        """Passages in the scope that hold the term, the newest first."""
        match = f'({scope}) AND {{hidden text}} : "{term.phrase}"'
        return [number for (number,) in self._connection.execute(tables.MATCH, (match, POSTINGS_MAX))]

    def _read(
        self, numbers: Sequence[int], tenant: str, thread: str | None, clearance: Sensitivity
    ) -> dict[int, tuple[RankedPassage, RecallHit]]:
        """Read passages with their documents.

        What the index says about tenants and sensitivity is looked at once more.
        """
        read = {}
        for number in numbers:
            row = self._connection.execute(tables.READ_PASSAGE, (number,)).fetchone()
            if row is None:
                continue  # a vector whose passage was removed while vectors were off
            (
                text,
                first_char,
                found_tenant,
                found_thread,
                kind,
                name,
                role,
                tool,
                turn,
                offset,
                said_at_ms,
                sensitivity_name,
            ) = row
            sensitivity = Sensitivity(sensitivity_name)
            if found_tenant != tenant or thread not in (None, found_thread) or level(sensitivity) > level(clearance):
                continue
            hit = RecallHit(
                id=name,
                kind=RecallKind(kind),
                thread=found_thread,
                turn=turn,
                role=role,
                tool=tool,
                score=0.0,
                snippet=text,
                first_char=first_char,
                sensitivity=sensitivity,
            )
            read[number] = (RankedPassage(number=number, text=text, said_at_ms=said_at_ms, offset=offset), hit)
        return read

    def _insert(self, documents: Sequence[tuple[RecallDocument, bytes]]) -> None:
        ((document_number, passage_number),) = self._connection.execute(tables.LAST_NUMBERS)
        document_rows, passage_rows = [], []
        for document, digest in documents:
            document_number += 1
            document_rows.append((document_number, *_values(document), digest))
            scope = scope_terms(document.tenant, document.thread, document.sensitivity)
            for passage in passages(document.text):
                passage_number += 1
                text = passage.text
                passage_rows.append(
                    (passage_number, document_number, passage.first_char, scope, hidden_terms(text), text)
                )
                if self._vectors is not None:
                    self._vectors.add(
                        passage_number,
                        text,
                        tenant=document.tenant,
                        thread=document.thread,
                        sensitivity=document.sensitivity,
                    )
        self._connection.executemany(tables.INSERT_DOCUMENT, document_rows)
        self._connection.executemany(tables.INSERT_PASSAGE, passage_rows)
        self._connection.executemany(tables.INDEX_PASSAGE, [(row[0], *row[3:]) for row in passage_rows])

    def _delete(self, documents: Sequence[int]) -> None:
        for document in documents:
            if self._vectors is not None:
                numbers = self._connection.execute(tables.FIND_PASSAGES, (document,)).fetchall()
                self._vectors.delete(number for (number,) in numbers)
            # The index has no text of its own: it is told what it forgets.
            self._connection.execute(tables.UNINDEX_PASSAGES, (document,))
            self._connection.execute(tables.DELETE_PASSAGES, (document,))
            self._connection.execute(tables.DELETE_DOCUMENT, (document,))


def _hit(hit: RecallHit, ranked: Ranked) -> RecallHit:
    return msgspec.structs.replace(hit, score=ranked.score)


def _values(document: RecallDocument) -> tuple[str | int, ...]:
    return (
        document.tenant,
        document.thread,
        document.kind,
        document.id,
        document.role,
        document.tool,
        document.turn,
        document.offset,
        document.created_at_ms,
        document.sensitivity,
    )


def _storable(document: RecallDocument) -> RecallDocument:
    """The document without halves of surrogate pairs, which SQLite can't store; all characters keep their places."""
    if _is_storable(document.text):
        return document
    return msgspec.structs.replace(document, text=_encodable(document.text))


def _is_storable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
