"""Says before a server begins what of its settings cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quaere.faces.cli.terminal import complain

if TYPE_CHECKING:
    from quaere.runtime.app import App

PARTS = ("model", "search", "folder")
"""What requests need and may name others of."""


async def warn_of_faults(app: App) -> None:
    """Say which models, search services and folders cannot be used as they are set; ask none.

    It goes to standard error. The server begins all the same: a request may name others.
    """
    from quaere.runtime.doctor import CHECKS, diagnose

    checks = {part: CHECKS[part] for part in PARTS}
    diagnosis = await diagnose(app.resources, offline=True, checks=checks)
    for found in diagnosis.findings:
        if not found.sound:
            named = f"folder {found.name} " if found.part == "folder" else ""
            complain(f"warning: {named}{found.message}")
