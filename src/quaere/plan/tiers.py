"""Chooses the profile of a run."""

from __future__ import annotations

from quaere.domain.profile import ProfileName


def choose_tier(requested: ProfileName | None, detected: ProfileName | None) -> ProfileName:
    """Return the profile: as requested, else as planning found, else standard (R0.6)."""
    return requested or detected or ProfileName.STANDARD
