"""Things of which one is used at a time: whoever has switched to one of them no longer uses the other, though no word says so.

A few rows of what people who work with agents choose between. What isn't here stands beside what it was meant to replace, which costs
a line.
"""

from tailrace.agents.language.word_lists import words
from tailrace.agents.ledger.stems import stem
from tailrace.agents.ledger.subjects import subject_of, values_of
from tailrace.agents.ledger.word_sets import word_set

_ROWS = tuple(
    words(row)
    for row in (
        "poetry pip pipenv uv conda mamba pdm hatch",
        "npm yarn pnpm bun",
        "pytest unittest nose",
        "jest vitest mocha jasmine",
        "ruff flake8 pylint",
        "eslint biome",
        "webpack vite rollup esbuild parcel",
        "react vue svelte angular",
        "flask django fastapi",
        "postgres postgresql mysql mariadb sqlite mongodb mssql",
        "kafka rabbitmq nats",
        "aws azure gcp",
        "github gitlab bitbucket gitea",
        "slack teams discord mattermost zulip",
        "zoom webex skype",
        "jira linear asana trello",
        "excel sheets calc odoo",
        "premiere resolve avid",
        "unity unreal godot",
        "vim emacs vscode",
        "windows macos linux",
        "ubuntu debian fedora",
        "tabs spaces",
        "metric imperial",
        "celsius fahrenheit",
    )
)
_RIVALS = {word: row for row in _ROWS for word in row}
#: Before what is left behind.
_LEAVING = words("from instead than not von statt de from no van")


def names_rival(text: str) -> bool:
    """Tell whether a statement names one of them."""
    return not word_set(text).isdisjoint(_RIVALS)


def displaces(text: str, old: str) -> bool:
    """Tell whether a statement that says that something changes names a rival of what another speaks of, and nothing that it doesn't."""
    said, former = word_set(text), word_set(old)
    for word in said.intersection(_RIVALS):
        left = former & _RIVALS[word]
        if word not in former and left and (said.isdisjoint(left) or not said.isdisjoint(_LEAVING)):
            return _speaks_of_nothing_else(text, old, _RIVALS[word])
    return False


def _speaks_of_nothing_else(text: str, old: str, row: frozenset[str]) -> bool:
    new, former = subject_of(text), subject_of(old)
    alike = row | {stem(word) for word in row}
    others = (new.terms | new.condition | values_of(new)) - alike - new.denied
    return not former.forbids and others <= former.terms | former.condition | values_of(former)
