"""The command as a process of its own."""

from __future__ import annotations

from tests.faces.cli.conftest import environment, quaere

__all__ = ["environment", "quaere"]
