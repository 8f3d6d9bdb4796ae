"""Who may ask at all: the caller behind a request, told by its token, or by where it comes from.

Without tokens only programs of this machine reach the API, and none that a web page has sent: a browser says from which
page it asks (Origin), and by which name it found the server (Host).
"""

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from tailrace.schemas.api import problem
from tailrace.schemas.api.role import AccessRole
from tailrace.schemas.errors import ConfigError
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.signed_tokens import SignedTokens
from tailrace.streams.api.tokens import Tokens
from tailrace.streams.settings.http import ApiSettings

#: Whoever is at this machine may do everything, as with the command line.
LOCAL: Final = ApiCaller(name="local", tenant=None, role=AccessRole.ADMIN, is_named=False)
_BEARER: Final = "bearer "
#: Where agents have their token, which is not passed on.
AGENT_HEADER: Final = "x-tailrace-token"


def is_loopback(host: str) -> bool:
    """Tell whether an address or name is only reached from this machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Access:
    """Recognises callers."""

    def __init__(self, settings: ApiSettings, tokens: Tokens, signed: SignedTokens | None = None) -> None:
        """Take the settings. Raises ConfigError where anybody could ask without a token."""
        self._is_open = not tokens and signed is None
        if self._is_open and not is_loopback(settings.host):
            raise ConfigError(
                "api.host",
                settings.host,
                "a loopback address, as long as api.tokens, api.tokens_file and api.jwt.keys say nothing: everybody "
                "who reaches the address could read everything",
            )
        self._tokens = tokens
        self._signed = signed

    async def caller(self, request: Request, needed: AccessRole | None) -> ApiCaller:
        """Return who asks. Raises a problem for somebody unknown, and for one who may not do what needs this role."""
        if self._is_open:
            _refuse_web_pages(request)
            return LOCAL
        if needed is None:
            return ApiCaller(name="anybody", tenant="", role=AccessRole.READER)
        header = request.headers.get("Authorization", "")
        text = header[len(_BEARER) :].strip() if header.lower().startswith(_BEARER) else ""
        return await self._with_role(text, "Authorization", "`Authorization: Bearer TOKEN`", needed)

    async def agent(self, request: Request, needed: AccessRole) -> ApiCaller:
        """Return who asks a provider through us.

        `Authorization` is the provider's, so our token has a header of its own.
        """
        if self._is_open:
            _refuse_web_pages(request)
            return LOCAL
        return await self._with_role(
            request.headers.get(AGENT_HEADER, ""), AGENT_HEADER, f"`{AGENT_HEADER}: TOKEN`", needed
        )

    async def _with_role(self, text: str, header: str, form: str, needed: AccessRole) -> ApiCaller:
        caller = await self._recognised(text, header, form)
        if not caller.role.may(needed):
            raise ProblemError(
                problem.FORBIDDEN,
                f"the token {caller.name} has the role {caller.role}, and this needs {needed}",
                "use a token with that role",
            )
        return caller

    async def _recognised(self, text: str, header: str, form: str) -> ApiCaller:
        caller = self._tokens.caller(text) if text else None
        if caller is None and self._signed is not None:
            caller = await self._signed.caller(text)
        if caller is None:
            what = "the token is not known" if text else "there is no token"
            raise ProblemError(
                problem.UNAUTHENTICATED,
                what,
                f"send one that the settings know as {form}",
                where=f"header {header}",
                headers={"WWW-Authenticate": 'Bearer realm="tailrace"'},
            )
        return caller


def _refuse_web_pages(request: Request) -> None:
    host = urlsplit(f"//{request.headers.get('Host', '')}").hostname
    if host is None or not is_loopback(host):
        raise ProblemError(
            problem.HOST,
            "without tokens only this machine is served, under its loopback names",
            "ask 127.0.0.1 or localhost, or set api.tokens or api.jwt.keys",
            where="header Host",
        )
    origin = request.headers.get("Origin")
    if origin is not None and not is_loopback(urlsplit(origin).hostname or ""):
        raise ProblemError(
            problem.FOREIGN_SITE,
            "pages of other sites are not served",
            "ask from a program, or set api.tokens or api.jwt.keys",
            where="header Origin",
        )
