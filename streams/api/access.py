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
from tailrace.streams.api.caller import LOCAL_NAME, ApiCaller
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.tokens import Tokens
from tailrace.streams.settings.http import ApiSettings

#: Whoever is at this machine may do everything, as with the command line.
LOCAL: Final = ApiCaller(name=LOCAL_NAME, tenant=None, role=AccessRole.ADMIN)
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

    def __init__(self, settings: ApiSettings, tokens: Tokens) -> None:
        """Take the settings. Raises ConfigError where anybody could ask without a token."""
        if not tokens and not is_loopback(settings.host):
            raise ConfigError(
                "api.host",
                settings.host,
                "a loopback address, as long as api.tokens and api.tokens_file name no token: "
                "everybody who reaches the address "
                "could read everything",
            )
        self._tokens = tokens

    def caller(self, request: Request, needed: AccessRole | None) -> ApiCaller:
        """Return who asks. Raises a problem for somebody unknown, and for one who may not do what needs this role."""
        if not self._tokens:
            _refuse_web_pages(request)
            return LOCAL
        if needed is None:
            return ApiCaller(name="anybody", tenant="", role=AccessRole.READER)
        header = request.headers.get("Authorization", "")
        text = header[len(_BEARER) :].strip() if header.lower().startswith(_BEARER) else ""
        return self._with_role(text, "Authorization", "`Authorization: Bearer TOKEN`", needed)

    def agent(self, request: Request, needed: AccessRole) -> ApiCaller:
        """Return who asks a provider through us.

        `Authorization` is the provider's, so our token has a header of its own.
        """
        if not self._tokens:
            _refuse_web_pages(request)
            return LOCAL
        return self._with_role(request.headers.get(AGENT_HEADER, ""), AGENT_HEADER, f"`{AGENT_HEADER}: TOKEN`", needed)

    def _with_role(self, text: str, header: str, form: str, needed: AccessRole) -> ApiCaller:
        caller = self._recognised(text, header, form)
        if not caller.role.may(needed):
            raise ProblemError(
                problem.FORBIDDEN,
                f"the token {caller.name} has the role {caller.role}, and this needs {needed}",
                "use a token with that role",
            )
        return caller

    def _recognised(self, text: str, header: str, form: str) -> ApiCaller:
        caller = self._tokens.caller(text) if text else None
        if caller is None:
            what = "the token is not known" if text else "there is no token"
            raise ProblemError(
                problem.UNAUTHENTICATED,
                what,
                f"send one of api.tokens as {form}",
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
            "ask 127.0.0.1 or localhost, or set api.tokens",
            where="header Host",
        )
    origin = request.headers.get("Origin")
    if origin is not None and not is_loopback(urlsplit(origin).hostname or ""):
        raise ProblemError(
            problem.FOREIGN_SITE,
            "pages of other sites are not served",
            "ask from a program, or set api.tokens",
            where="header Origin",
        )
