"""What a command takes from its environment: the settings, and whether anybody reads logs."""

from __future__ import annotations

import logging
import sys

from quaere.errors import SettingsError
from quaere.runtime.settings import Settings, load_settings


def settle(*, debug: bool) -> Settings:
    """Return the settings, and send log lines to standard error or nowhere.

    What matters to the person in front is in the progress and the report, so that nothing is logged
    unless ``QUAERE_LOG_LEVEL`` or ``--debug`` asks for it.

    Raises:
        SettingsError: when the environment holds a value that cannot be used.
    """
    settings = load_settings()
    level = logging.CRITICAL
    if debug:
        level = logging.DEBUG
    elif "log_level" in settings.model_fields_set:
        level = _level(settings.log_level)
    logging.basicConfig(level=level, stream=sys.stderr)
    return settings


def _level(name: str) -> int:
    levels = logging.getLevelNamesMapping()
    if name.upper() not in levels:
        raise SettingsError(f"QUAERE_LOG_LEVEL is {name!r}; use one of {', '.join(levels)}.")
    return levels[name.upper()]
