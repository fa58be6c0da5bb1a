"""What a command logs."""

from __future__ import annotations

import logging

import pytest

from quaere.errors import SettingsError
from quaere.faces.cli.running import settle
from quaere.faces.cli.terminal import DEBUG, LOG_FORMAT
from quaere.runtime.settings import LogFormat


def settled(*, debug: bool = False) -> int:
    """Settle as a command does, whose process has set up no logging; return its level."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    root.handlers.clear()
    token = DEBUG.set(debug)
    try:
        settle()
        return root.level
    finally:
        DEBUG.reset(token)
        root.handlers[:] = handlers
        root.setLevel(level)


@pytest.mark.parametrize(
    ("told", "debug", "level"),
    [
        ({}, False, logging.CRITICAL),
        ({}, True, logging.DEBUG),
        ({"QUAERE_LOG_LEVEL": "warning"}, False, logging.WARNING),
        ({"QUAERE_LOG_LEVEL": "ERROR"}, True, logging.DEBUG),
        ({"QUAERE_LOG_LEVEL": "error", "QUAERE_LOG_FORMAT": "json"}, False, logging.ERROR),
        ({"QUAERE_LOG_FORMAT": "json"}, False, logging.INFO),
    ],
)
def test_nothing_is_logged_unless_it_is_asked_for(
    told: dict[str, str], debug: bool, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("QUAERE_LOG_LEVEL", "QUAERE_LOG_FORMAT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert settled(debug=debug) == level


def test_a_format_that_a_command_asks_for_turns_logging_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUAERE_LOG_LEVEL", raising=False)
    token = LOG_FORMAT.set(LogFormat.JSON)
    try:
        assert settled() == logging.INFO
    finally:
        LOG_FORMAT.reset(token)


def test_a_level_that_there_is_not_is_refused_and_those_there_are_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QUAERE_LOG_LEVEL", "loud")
    with pytest.raises(SettingsError, match=r"Invalid QUAERE_LOG_LEVEL 'loud'; use one of .*DEBUG"):
        settled()
