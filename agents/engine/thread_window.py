"""The model that a thread speaks with at one event, and its window.

The catalogue's, and what refusals have shown of it.
"""

from msgspec import Struct

from tailrace.agents.triggers.reactive import believed_window, believing
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.event import Event


class ThreadWindow(Struct, frozen=True):
    """The model of a thread, with its window."""

    model: str | None
    #: The window as the catalogue has it.
    catalogue_tokens: int
    #: The window that is believed in: a refusal has shown what the catalogue doesn't know.
    believed_tokens: int
    #: The policy for the window that is believed in.
    policy: Policy
    #: Whether the event changed the model.
    is_new: bool = False

    @property
    def usable_tokens(self) -> int:
        """What the policy leaves of the window, whatever a provider counts beyond our count."""
        return self.policy.limit_tokens(self.believed_tokens, self.model)


def window_at(view: ThreadView, event: Event, window_tokens: int | None, policy: Policy) -> ThreadWindow:
    """The model and its window once an event is there. `window_tokens` is the window of the event's model."""
    is_new = window_tokens is not None and event.model != view.model
    model = event.model if is_new else view.model
    catalogue_tokens = (window_tokens if is_new else view.window_tokens) or policy.default_window_tokens
    standing = view.standing
    if not standing.windows:
        return ThreadWindow(model, catalogue_tokens, catalogue_tokens, policy, is_new)
    believed_tokens = believed_window(policy, standing, model, catalogue_tokens)
    return ThreadWindow(model, catalogue_tokens, believed_tokens, believing(policy, believed_tokens), is_new)
