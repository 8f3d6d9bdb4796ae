"""Who asks: the tenant whose things there are for the caller, and what the caller may do."""

from msgspec import Struct

from tailrace.schemas.api.problem import FORBIDDEN
from tailrace.schemas.api.role import AccessRole
from tailrace.schemas.records.actor import Actor
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.streams.api.problems import ProblemError


class ApiCaller(Struct, frozen=True, kw_only=True):
    """Somebody who was recognised."""

    name: str
    #: None for callers who see every tenant.
    tenant: str | None
    role: AccessRole
    #: Whether a token says who it is: programs of this machine have none.
    is_named: bool = True

    def actor(self, tenant: str) -> Actor | None:
        """The caller as the audit names it, acting for a tenant; None for whoever needs no name."""
        return Actor(name=self.name, tenant=tenant) if self.is_named else None

    def sees(self, tenant: str) -> bool:
        """Tell whether what belongs to this tenant is there for the caller."""
        return self.tenant is None or self.tenant == tenant

    def narrowed(self, asked: str | None) -> str | None:
        """The tenant that a request is about; None for every one. Raises a problem for somebody else's."""
        if asked is None or asked == self.tenant:
            return self.tenant
        if self.tenant is None:
            return asked
        raise ProblemError(
            FORBIDDEN,
            f"the token {self.name} is for the tenant {self.tenant}",
            "leave tenant out, or use a token of that tenant",
            where="tenant",
        )

    def acting_for(self, asked: str | None) -> str:
        """The one tenant that a request is for: the default one where nobody says.

        Raises a problem for somebody else's.
        """
        return self.narrowed(asked) or DEFAULT_TENANT
