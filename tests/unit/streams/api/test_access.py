"""Who may ask at all: whom a browser may ask for, and what addresses that others reach need."""

import pytest
from starlette.requests import Request

from tailrace.schemas.api.role import AccessRole
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.records.actor import Actor
from tailrace.streams.api.access import Access
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.tokens import Tokens, load_tokens
from tailrace.streams.settings.http import ApiSettings
from tailrace.streams.settings.secret import SecretText


def request(**headers: str) -> Request:
    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": named})


@pytest.mark.parametrize(
    ("headers", "where"),
    [
        ({"host": "tailrace.example"}, "header Host"),
        ({}, "header Host"),
        ({"host": "127.0.0.1.example:8700"}, "header Host"),
        ({"host": "127.0.0.1:8700", "origin": "https://pages.example"}, "header Origin"),
        ({"host": "127.0.0.1:8700", "origin": "null"}, "header Origin"),
    ],
)
async def test_without_tokens_no_page_of_another_site_is_served(headers: dict[str, str], where: str) -> None:
    access = Access(ApiSettings(), Tokens(()))

    for ask in (access.caller, access.agent):
        with pytest.raises(ProblemError) as caught:
            await ask(request(**headers), AccessRole.READER)
        assert caught.value.where == where
        assert 400 <= caught.value.kind.status < 500


@pytest.mark.parametrize(
    "headers", [{"host": "localhost:8700"}, {"host": "[::1]:8700", "origin": "http://localhost:3000"}]
)
async def test_programs_and_pages_of_this_machine_are_served(headers: dict[str, str]) -> None:
    access = Access(ApiSettings(), Tokens(()))

    for ask in (access.caller, access.agent):
        caller = await ask(request(**headers), AccessRole.WRITER)
        assert (caller.name, caller.actor("default")) == ("local", None)


async def test_a_token_that_is_called_as_programs_of_this_machine_are_has_a_name_in_the_audit() -> None:
    settings = ApiSettings(tokens=SecretText("local:*:admin:" + "x" * 24))
    asked = request(authorization="Bearer " + "x" * 24)
    caller = await Access(settings, load_tokens(settings)).caller(asked, AccessRole.ADMIN)

    assert caller.actor("default") == Actor(name="local", tenant="default")


def test_an_address_that_others_reach_needs_tokens() -> None:
    with pytest.raises(ConfigError, match=r"api\.host"):
        Access(ApiSettings(host="0.0.0.0"), Tokens(()))  # noqa: S104  it is refused
