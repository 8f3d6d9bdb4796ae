"""Which lists of a report are plans."""

from tailrace.agents.ledger.plans import plan_in

STEPS = "Next steps:\n- Drain the lock\n- Grease the hinges"


def test_steps_under_a_heading_are_a_plan() -> None:
    assert plan_in(f"The gate is stuck.\n\n{STEPS}") == ["Drain the lock", "Grease the hinges"]


def test_steps_of_a_program_are_none() -> None:
    code = "Use this workflow:\n\n```yaml\nsteps:\n  - uses: checkout@v4\n  - run: make all\n```\nWant me to add it?"

    assert plan_in(code) is None


def test_a_plan_beside_a_program_is_read() -> None:
    code = "```yaml\nsteps:\n  - uses: checkout@v4\n  - run: make all\n```"

    assert plan_in(f"{STEPS}\n\n{code}") == ["Drain the lock", "Grease the hinges"]
    assert plan_in(f"{code}\n\n{STEPS}") == ["Drain the lock", "Grease the hinges"]
