"""Settings and logging of a command, what of them is unusable, and work with an App of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from quaere.errors import SettingsError
from quaere.faces.cli.terminal import DEBUG, LOG_FORMAT, complain
from quaere.runtime.logs import configure
from quaere.runtime.settings import Settings, load_settings

if TYPE_CHECKING:
    from quaere.runtime.app import App

T = TypeVar("T")

PARTS = ("model", "search", "folder")
"""What requests need and may name others of."""


def settle() -> Settings:
    """Return the settings, and configure logging to standard error.

    Progress and report say what matters to a person, so nothing is logged unless
    ``QUAERE_LOG_LEVEL``, ``QUAERE_LOG_FORMAT``, ``--log-format`` or ``--debug`` asks for it.

    Raises:
        SettingsError: when an environment variable has an invalid value.
    """
    settings = load_settings()
    wanted = LOG_FORMAT.get()
    level = logging.CRITICAL
    if DEBUG.get():
        level = logging.DEBUG
    elif "log_level" in settings.model_fields_set:
        level = _level(settings.log_level)
    elif wanted or "log_format" in settings.model_fields_set:
        level = logging.INFO
    configure(level, wanted or settings.log_format, redact=Redactor(settings))
    return settings


def in_app(settings: Settings, work: Callable[[App], Awaitable[T]]) -> T:
    """Return what ``work`` returns, which has an App of ``settings`` until it ends.

    Raises:
        SettingsError: when a setting cannot be used.
        Exception: what ``work`` raises.
    """
    from quaere.runtime.app import App

    async def worked() -> T:
        async with App.open(settings) as app:
            return await work(app)

    return asyncio.run(worked())


class Redactor:
    """Takes secrets out of a line; what knows them is made when a line is written first."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, text: str) -> str:
        """Return ``text`` without secrets."""
        return self._message(text)

    @cached_property
    def _message(self) -> Callable[[str], str]:
        from quaere.runtime.redact import privacy_of  # loads every service's description

        return privacy_of(self._settings).message


def _level(name: str) -> int:
    levels = logging.getLevelNamesMapping()
    if name.upper() not in levels:
        raise SettingsError(f"Invalid QUAERE_LOG_LEVEL {name!r}; use one of {', '.join(levels)}.")
    return levels[name.upper()]


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
