"""Suggests, once, a model that is ready on this machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from quaere.faces.cli.terminal import say
from quaere.models.nearby import nearby_models
from quaere.runtime.resources import cache_folder

if TYPE_CHECKING:
    from quaere.domain.report import Report
    from quaere.runtime.settings import Settings

TOLD_FILE = "model-suggested"
"""In the cache folder: which model was suggested. With the folder it may go."""


def suggest_model(settings: Settings, report: Report, *, quiet: bool = False) -> None:
    """Say on standard error which model is ready, after an answer that was made without one.

    Nothing is asked or said when standard error is not a terminal, or when it was said before.
    """
    if quiet or report.calls or settings.model or not sys.stderr.isatty():
        return
    told = cache_folder(settings) / TOLD_FILE
    if told.exists():
        return
    for name in nearby_models(settings.model_base_url)[:1]:
        say(f"{name} is ready on this machine: add --model {name}, or --model auto.")
        try:
            told.write_text(f"{name}\n", "utf-8")
        except OSError:  # it is said again then
            return
