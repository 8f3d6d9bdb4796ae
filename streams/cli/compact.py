"""`tailrace compact`: a conversation out of a file, compacted, ready to send."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tailrace.agents.offline import carry_out, plan_for
from tailrace.schemas.message import Format
from tailrace.schemas.requests import request_of
from tailrace.streams.cli.conversation_input import read_file
from tailrace.streams.cli.plan import Budget, Model, Window
from tailrace.streams.cli.sendable import sendable, warn_of_refusal
from tailrace.streams.planning import Limits, budget_in, policy_of
from tailrace.streams.rules import make_rules
from tailrace.streams.settings import load_settings


def compact(  # noqa: PLR0913  one parameter for each option
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file with messages; - is standard input.")],
    *,
    policy: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Policy to compact by; by default the one in force.")
    ] = None,
    budget: Budget = None,
    window: Window = None,
    model: Model = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write; by default standard output.")
    ] = None,
    message_format: Annotated[
        Format | None, typer.Option("--format", help="Format to write; by default the one that was read.")
    ] = None,
) -> None:
    """Compact a conversation and write it as JSON, ready to send to a model. Needs no broker; the file itself stays.

    Reads what `tailrace plan` reads. Writes a list of messages, or an object where the system prompt stands beside it
    (Anthropic, Gemini). What was done is one line on standard error; `tailrace plan` shows it in full beforehand.

    For example:

        tailrace compact conversation.jsonl --model gpt-4o -o messages.json
        tailrace compact - --budget 8000 --format anthropic.messages < conversation.json
    """
    settings = load_settings()
    rules = make_rules(settings, policy_of(settings, policy))
    given = read_file(file, rules.engine, model)
    limits = Limits(budget_tokens=budget, window_tokens=window, model=model)
    plan = plan_for(given.talk, rules.engine, budget_in(given.talk, rules, limits))
    done = carry_out(given.talk, plan, rules.engine)
    chosen = message_format or given.format
    request = request_of(done.messages, chosen)
    warn_of_refusal(request, chosen)
    written = msgspec.json.encode(sendable(request, chosen)).decode()
    if output is None:
        typer.echo(written)
    else:
        _write(output, written)
    what = f"{plan.before_tokens:,} → {done.tokens:,} tokens of {plan.budget.limit_tokens:,}"
    count = f"{len(given.talk.view.entries):,} → {len(done.messages):,} messages"
    why = f"; {plan.reason}" if plan.reason else ""
    typer.echo(f"{given.title}: {what}, {count}, policy {rules.policy.name}{why}", err=True)


def _write(output: Path, text: str) -> None:
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(f"{output}: {error.strerror}") from None
