"""Pins the jars of the local broker.

Resolves them with jgo and rewrites the table in streams/local_kafka/kafka_jars.py. Run by `make requirements`, after
KAFKA_VERSION or ROOTS in that file were changed. A start of the broker then has nothing to resolve, and what it
downloads is checked against a SHA-256 that was reviewed with the commit.
"""

import hashlib
import tempfile
from pathlib import Path

from jgo.maven import MavenContext

from tailrace.streams.local_kafka import kafka_jars

TABLE = Path(__file__).parent.parent / "streams" / "local_kafka" / "kafka_jars.py"
OPENING = "JARS: Final = (\n"


def resolve(repo_cache: Path) -> list[kafka_jars.Jar]:
    """Return every jar the roots need, downloaded once to learn its size and hash."""
    context = MavenContext(repo_cache=repo_cache, timeout=60)
    # "!" keeps jgo from treating a root as a bill of materials: log4j's would turn kafka-clients back to a 3.x.
    roots = [context.create_dependency(f"{root}!") for root in kafka_jars.ROOTS]
    chosen, transitive = context.resolver.resolve(roots)
    jars = []
    for dependency in [*chosen, *transitive]:
        path = dependency.artifact.resolve()
        coordinate = f"{dependency.groupId}:{dependency.artifactId}:{dependency.version}"
        jars.append(kafka_jars.Jar(coordinate, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest()))
    return sorted(jars, key=lambda jar: jar.coordinate)


def main() -> None:
    """Rewrite the table."""
    with tempfile.TemporaryDirectory() as folder:
        jars = resolve(Path(folder))
    head, opening, _ = TABLE.read_text().partition(OPENING)
    rows = "".join(f'    Jar("{jar.coordinate}", {jar.size_bytes:_}, "{jar.sha256}"),\n' for jar in jars)
    TABLE.write_text(f"{head}{opening}{rows})\n")
    print(f"{len(jars)} jars, {sum(jar.size_bytes for jar in jars) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
