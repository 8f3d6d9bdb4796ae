"""Tokens that an identity provider signs (JWT): who has one, for which tenant, in which role, is what it claims.

Only signatures with public keys are accepted, of tokens that end, and that are for us: issuer and audience are those of
the settings.
"""

from collections.abc import Mapping
from typing import Any, Final

import jwt

from tailrace.schemas.api import problem
from tailrace.schemas.api.role import AccessRole
from tailrace.schemas.errors import Invalid
from tailrace.schemas.ingest import check_id
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.key_set import KeySet
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.tokens import EVERY_TENANT
from tailrace.streams.settings.jwt import JwtSettings

#: None with a shared secret, with which whoever checks could sign too, and not `none`.
ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
#: By how much clocks may differ.
_LEEWAY_SECONDS: Final = 30
_PARTS: Final = 3


class SignedTokens:
    """Recognises callers by what an identity provider has signed."""

    def __init__(self, settings: JwtSettings, keys: KeySet) -> None:
        """Take what tokens have to claim, and the keys."""
        self._settings = settings
        self._keys = keys

    async def caller(self, text: str) -> ApiCaller | None:
        """Return who has this token; None for a text that is no such token.

        Raises a problem that says what is wrong with one.
        """
        if text.count(".") != _PARTS - 1:
            return None
        try:
            claims = await self._claims(text)
            name, tenant = self._text(claims, "name_claim"), self._text(claims, "tenant_claim")
            return ApiCaller(
                name=check_id(name, self._settings.name_claim),
                tenant=None if tenant == EVERY_TENANT else check_id(tenant, self._settings.tenant_claim),
                role=self._role(claims),
            )
        except (jwt.PyJWTError, Invalid) as error:
            raise ProblemError(
                problem.UNAUTHENTICATED,
                f"the token is not accepted: {error}",
                "ask its issuer for another one",
                headers={"WWW-Authenticate": 'Bearer realm="tailrace", error="invalid_token"'},
            ) from error

    async def _claims(self, text: str) -> Mapping[str, Any]:
        key_id = jwt.get_unverified_header(text).get("kid")
        keys = await self._keys.named(key_id)
        if not keys:
            raise jwt.InvalidTokenError("no key of the key set is named so")
        for key in keys[:-1]:
            try:
                return self._verified(text, key)
            except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError, jwt.InvalidKeyError):
                continue
        return self._verified(text, keys[-1])

    def _verified(self, text: str, key: jwt.PyJWK) -> Mapping[str, Any]:
        # A key is for its own algorithm: whoever sends a token doesn't choose another one.
        allowed = [name for name in ALGORITHMS if name == key.algorithm_name]
        claims: Mapping[str, Any] = jwt.decode(
            text,
            key,
            algorithms=allowed,
            audience=self._settings.audience,
            issuer=self._settings.issuer,
            leeway=_LEEWAY_SECONDS,
            options={"require": ["exp", "iss", "aud"]},
        )
        return claims

    def _text(self, claims: Mapping[str, Any], setting: str) -> str:
        path = getattr(self._settings, setting)
        value = _claim(claims, path)
        if not isinstance(value, str) or not value:
            raise Invalid(f"it has no {path} (api.jwt.{setting})")
        return value

    def _role(self, claims: Mapping[str, Any]) -> AccessRole:
        """The role that may do most, of those that a token names."""
        path = self._settings.role_claim
        value = _claim(claims, path)
        names = value if isinstance(value, list) else [value]
        roles = [role for role in AccessRole if role in names]
        if not roles:
            raise Invalid(f"its {path} (api.jwt.role_claim) is none of {', '.join(AccessRole)}")
        return next(role for role in roles if all(role.may(other) for other in roles))


def _claim(claims: Mapping[str, Any], path: str) -> Any:
    """A claim by its name; where there is none so called, dots lead into objects."""
    if path in claims:
        return claims[path]
    value: Any = claims
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
