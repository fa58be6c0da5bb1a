"""What a step returns."""

from __future__ import annotations

Update = dict[str, object]
"""New values of the state by key."""
