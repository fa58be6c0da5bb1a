"""Errors of a text that should be JSON."""

from __future__ import annotations

from enum import StrEnum

SHOWN_CHARS = 60


class Flaw(StrEnum):
    """Why no value was read."""

    EMPTY = "empty"
    DECLINED = "declined"
    TOO_LARGE = "too_large"
    """Too long, or nested too deep."""
    NO_JSON = "no_json"
    BROKEN = "broken"
    """JSON that could be repaired in more than one way, or in none."""
    CUT = "cut"
    """The text ends before its structure does."""


class Unreadable(Exception):
    """A text was not read; ``str()`` says what is wrong, fit to be shown to its author."""

    def __init__(self, flaw: Flaw, message: str, *, at: int = 0) -> None:
        """Take the flaw, the message, and the offset in the text that it is about."""
        super().__init__(message)
        self.flaw = flaw
        self.message = message
        self.at = at


def near(text: str, at: int) -> str:
    """Return the start of the text at ``at``, quoted, for a message."""
    piece = text[at : at + SHOWN_CHARS].strip()
    return f"near {piece!r}" if piece else "at the end"


def broken(text: str, at: int, expected: str) -> Unreadable:
    """Return the complaint that at ``at`` something else was expected."""
    return Unreadable(Flaw.BROKEN, f"The JSON is broken: {expected}, {near(text, at)}.", at=at)


def cut(text: str, where: str) -> Unreadable:
    """Return the complaint that the text ends inside something."""
    return Unreadable(Flaw.CUT, f"The JSON is not complete: it ends {where}.", at=len(text))
