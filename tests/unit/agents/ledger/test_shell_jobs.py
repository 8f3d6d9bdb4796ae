"""Jobs of a shell: what ends them without a name or an id, and what only looks like it."""

import pytest
from support.obligation_thread import answered, called, owed, user

from tailrace.schemas.records.ledger import JOB_KINDS
from tailrace.schemas.records.message import Message

BEGUN = {"serve": "python serve.py --port 8000 &", "watch": "npm run watch > log 2>&1 &", "pump": "./pump --dry &"}


def left(command: str, result: str = "", begun: tuple[str, ...] = ("serve", "watch", "pump")) -> list[str]:
    """Which of the jobs are open after a command."""
    talk: list[Message] = [user("Run them.")]
    for place, name in enumerate(begun):
        talk += [called("bash", {"command": BEGUN[name]}, name), answered(f"[{place + 1}] 47{place}1", name)]
    talk += [called("bash", {"command": command}, "c9"), answered(result, "c9")]
    open_jobs = " ".join(owed(talk, *JOB_KINDS))
    return [name for name in begun if BEGUN[name].split(" &")[0].split(" >")[0] in open_jobs]


@pytest.mark.parametrize(
    ("command", "result", "open_jobs"),
    [
        ("kill %1", "", ["watch", "pump"]),
        ("kill -9 %2", "", ["serve", "pump"]),
        ("kill %3 && echo gone", "gone", ["serve", "watch"]),
        ("kill %%", "", ["serve", "watch"]),
        ("kill $!", "", ["serve", "watch"]),
        ("fg", "dry", ["serve", "watch"]),
        ("fg %1", "served", ["watch", "pump"]),
        ("wait", "", []),
        ("wait; echo all done", "all done", []),
        ("wait %2", "", ["serve", "pump"]),
        ("wait 4711", "", ["serve", "pump"]),
        ("kill $(jobs -p)", "", []),
        ("jobs -p | xargs kill", "", []),
        ("kill 4701", "", ["watch", "pump"]),
        ("lsof -ti:8000 | xargs kill -9", "", ["watch", "pump"]),
        ("kill $(lsof -t -i :8000)", "", ["watch", "pump"]),
        ("fuser -k 8000/tcp", "8000/tcp: 4701", ["watch", "pump"]),
        ("ls", "a b\n[1]+  Terminated              python serve.py --port 8000", ["watch", "pump"]),
        ("ls", "[2]-  Exit 1                  npm run watch > log 2>&1\na b", ["serve", "pump"]),
        (
            "jobs",
            "[1]   Done                    python serve.py --port 8000\n[2]-  Running                 npm run watch &",
            ["watch", "pump"],
        ),
    ],
)
def test_a_job_ends_with_the_command_that_means_it(command: str, result: str, open_jobs: list[str]) -> None:
    assert left(command, result) == open_jobs


@pytest.mark.parametrize(
    ("command", "result"),
    [
        ("kill %1", "bash: kill: %1: no such job"),
        ("echo 'kill %1'", "kill %1"),
        ("grep -rn wait src", "src/a.py:3: wait()"),
        ("echo wait for it", "wait for it"),
        ("jobs", "[1]   Running                 python serve.py --port 8000 &"),
        ("./other & wait", ""),
        ("sleep 5 & kill %1", ""),
        ("bg %1", ""),
        ("lsof -i :8000", "python 4701"),
        ("wait-for-it.sh db:5432", "ready"),
        ("ls", "[1]+  Stopped                 python serve.py --port 8000"),
        ("kill %7", ""),
        ("lsof -ti:9999 | xargs kill", ""),
        ("git log --oneline", "a1 kill the old pump\nb2 fg colours"),
    ],
)
def test_what_ends_no_job_leaves_all_of_them(command: str, result: str) -> None:
    assert left(command, result) == ["serve", "watch", "pump"]


def test_one_job_is_meant_by_any_number() -> None:
    assert left("kill %2", "", ("pump",)) == []


def test_containers_go_down_together() -> None:
    talk = [user("Up."), called("bash", {"command": "docker compose up -d"}), answered("Started")]

    assert owed(talk, *JOB_KINDS) == ["bash docker compose up -d"]
    assert (
        owed([*talk, called("bash", {"command": "docker compose down"}, "c2"), answered("Removed", "c2")], *JOB_KINDS)
        == []
    )
