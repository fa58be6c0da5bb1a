"""Settings and logging of a command."""

from __future__ import annotations

import logging
import sys

from quaere.errors import SettingsError
from quaere.runtime.settings import Settings, load_settings


def settle(*, debug: bool) -> Settings:
    """Return the settings, and configure logging to standard error.

    Progress and report say what matters to a person, so nothing is logged unless
    ``QUAERE_LOG_LEVEL`` or ``--debug`` asks for it.

    Raises:
        SettingsError: when an environment variable has an invalid value.
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
        raise SettingsError(f"Invalid QUAERE_LOG_LEVEL {name!r}; use one of {', '.join(levels)}.")
    return levels[name.upper()]
