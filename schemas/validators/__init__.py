"""What each provider refuses, checked before a request is sent."""
