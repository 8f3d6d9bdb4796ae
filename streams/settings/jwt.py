"""Settings of tokens that an identity provider signs."""

from typing import Annotated

from msgspec import Meta

from tailrace.schemas.errors import ConfigError
from tailrace.streams.settings.section import SettingSection

_LOOPBACK = ("http://127.0.0.1:", "http://localhost:", "http://[::1]:")


class JwtSettings(SettingSection, frozen=True, kw_only=True):
    """Which signed tokens of an identity provider (OpenID Connect) are accepted, and what their claims are called."""

    #: The provider's key set: an https address (`jwks_uri`), or a file. Unset: no such tokens.
    keys: str | None = None
    #: What `iss` and `aud` of a token have to be.
    issuer: str | None = None
    audience: str | None = None
    #: The claims with the caller's name, tenant and role. Dots lead into objects; a role may be one of a list.
    name_claim: Annotated[str, Meta(min_length=1)] = "sub"
    tenant_claim: Annotated[str, Meta(min_length=1)] = "tenant"
    role_claim: Annotated[str, Meta(min_length=1)] = "role"

    def __post_init__(self) -> None:
        """Refuse keys without the issuer and audience that tokens are for: they could be anybody's."""
        if not self.keys:
            return
        for name, value in (("issuer", self.issuer), ("audience", self.audience)):
            if not value:
                raise ConfigError(f"api.jwt.{name}", value, f"what a token's `{name[:3]}` has to be, with api.jwt.keys")
        if self.keys.startswith("http:") and not self.keys.startswith(_LOOPBACK):
            raise ConfigError("api.jwt.keys", self.keys, "an https address, or a file")
