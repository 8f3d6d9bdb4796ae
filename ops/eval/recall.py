"""Finding again what left a context: names that an agent needs next and that a context cut to a tenth has lost.

    python -m ops.eval.recall DATA --score SCORER [--vectors] [--every N]

SCORER is a script with `tasks`, `needs`, `last`, `text` and `recall`. By name: the name itself is the query. Blind: the
query is what the agent says next, without any name that it needs. A name counts as found if one of at most five
passages of at most 1,000 characters holds it. Beside ours stands what the scorer finds by itself, in the same tasks.
The conversations are in two halves by a hash of their ids. The numbers of the ranking were chosen on the first half,
but for the weight of shared names, for which the second was looked at too.
"""

import argparse
import importlib.util
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlite_utils

sys.path.insert(0, str(Path(__file__).parents[2]))

from tailrace.schemas.records.recall import RecallDocument, RecallKind
from tailrace.streams.recall.index import RecallIndex

PASSAGES = 5
PASSAGE_CHARS = 1_000
QUERY_CHARS = 4_000
NEEDS_MIN = 5
HALVES = ("first half", "second half")
_TENANT, _THREAD = "tenant", "thread"


@dataclass(slots=True)
class Shares:
    """Shares of needed names that were found, for one task: ours and the scorer's, by name and blind."""

    source: str
    half: str
    ours: tuple[float | None, float | None]
    theirs: tuple[float | None, float | None]


@dataclass(slots=True)
class Cost:
    """What adding and searching took."""

    documents: int = 0
    chars: int = 0
    add_seconds: float = 0.0
    search_seconds: list[float] = field(default_factory=list)


def load_scorer(path: Path) -> Any:
    """Return the scorer as a module."""
    spec = importlib.util.spec_from_file_location("scorer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(scorer: Any, conversation: dict[str, Any], *, vectors: bool, cost: Cost) -> Iterator[Shares]:
    """Yield the shares of each task of a conversation."""
    half = HALVES[sha256(conversation["id"].encode()).digest()[0] % 2]
    for task in scorer.tasks(conversation):
        if task["kind"] != "x10":
            continue
        theirs = scorer.recall(conversation, task, PASSAGES, PASSAGE_CHARS)
        if theirs is None:
            continue
        history = conversation["messages"][: task["cut"]]
        kept = scorer.last(conversation, history, task["budget"])
        kept_text = "\n".join(map(scorer.text, kept))
        kept_ids = set(map(id, kept))
        needed = [name for name in scorer.needs(conversation, task["cut"]) if name not in kept_text]
        assert len(needed) >= NEEDS_MIN
        gone = [(place, one) for place, one in enumerate(history) if id(one) not in kept_ids]
        search = _index(scorer, gone, vectors=vectors, cost=cost)
        by_name = [any(name in passage for passage in search(name)) for name in needed]
        blind: list[bool] = []
        for query, names in _questions(scorer, conversation["messages"][task["cut"] :], needed):
            found = "\n".join(search(query))
            blind += [name in found for name in names]
        yield Shares(conversation["source"].partition("@")[0], half, (_mean(by_name), _mean(blind)), theirs)


def _index(
    scorer: Any, gone: list[tuple[int, dict[str, Any]]], *, vectors: bool, cost: Cost
) -> Callable[[str], list[str]]:
    """Index what left the context; return its search."""
    database = sqlite_utils.Database(sqlite3.connect(":memory:", isolation_level=None))
    index = RecallIndex(database, vectors=vectors)
    documents = [
        RecallDocument(
            tenant=_TENANT,
            thread=_THREAD,
            id=str(place),
            kind=RecallKind.MESSAGE,
            text=scorer.text(message),
            role=message["role"],
            offset=place,
        )
        for place, message in gone
    ]
    began = time.process_time()
    database.execute("BEGIN")
    index.add(documents)
    database.execute("COMMIT")
    cost.add_seconds += time.process_time() - began
    cost.documents += len(documents)
    cost.chars += sum(len(one.text) for one in documents)

    def search(query: str) -> list[str]:
        began = time.process_time()
        hits = index.search(query, tenant=_TENANT, thread=_THREAD, limit=PASSAGES)
        cost.search_seconds.append(time.process_time() - began)
        passages = [hit.snippet for hit in hits]
        assert len(passages) <= PASSAGES
        assert all(len(passage) <= PASSAGE_CHARS for passage in passages)
        return passages

    return search


def _questions(scorer: Any, messages: list[dict[str, Any]], needed: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield what the agent says in its next turns without the names that it needs, and these names."""
    said = [scorer.text(message) for message in messages if message["role"] == "assistant"][: scorer.W]
    for text in said:
        if names := [name for name in needed if name in text]:
            query = text
            for name in needed:
                query = query.replace(name, " ")
            yield query[:QUERY_CHARS], names


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def by_source(shares: list[Shares], column: Callable[[Shares], float | None]) -> float:
    """Mean over sources of the mean over their tasks, as the scorer takes it."""
    sources: dict[str, list[float | None]] = defaultdict(list)
    for one in shares:
        sources[one.source].append(column(one))
    return _mean(map(_mean, sources.values())) or 0.0


def main() -> int:
    """Print a line for all conversations and one for each half."""
    parser = argparse.ArgumentParser(prog="python -m ops.eval.recall", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--score", type=Path, required=True, help="the script that scores contexts")
    parser.add_argument("--vectors", action="store_true", help="with the optional vector index")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth conversation")
    arguments = parser.parse_args()
    scorer = load_scorer(arguments.score)
    cost = Cost()
    shares: list[Shares] = []
    for place, conversation in enumerate(scorer.rows(str(arguments.data))):
        if place % arguments.every == 0:
            shares += measure(scorer, conversation, vectors=arguments.vectors, cost=cost)
    print("lost names that are needed next, found in 5 passages of 1,000 characters: ours, and the scorer's BM25")
    print(f"{'conversations':<16}{'tasks':>6}{'by name':>10}{'BM25':>7}{'blind':>10}{'BM25':>7}")
    for title, chosen in (
        ("all", shares),
        *((half, [one for one in shares if one.half == half]) for half in HALVES),
    ):
        columns = [
            by_source(chosen, column)
            for column in (
                lambda one: one.ours[0],
                lambda one: one.theirs[0],
                lambda one: one.ours[1],
                lambda one: one.theirs[1],
            )
        ]
        named, plain_named, blind, plain_blind = columns
        print(f"{title:<16}{len(chosen):>6}{named:>10.3f}{plain_named:>7.3f}{blind:>10.3f}{plain_blind:>7.3f}")
    searches = sorted(cost.search_seconds)
    print(
        f"added {cost.documents:,} documents: {1e6 * cost.add_seconds / cost.documents:.0f} µs each, "
        f"{cost.chars / 1e6 / cost.add_seconds:.1f} MB/s; {len(searches):,} searches: "
        f"median {1e3 * searches[len(searches) // 2]:.1f} ms, 95 % {1e3 * searches[len(searches) * 95 // 100]:.1f} ms"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
