"""On which condition a sentence says something, compared with the condition that its source names.

"It stops on request, unless the line is closed" is turned by "only when the line is closed", and
kept by "it does not stop if the line is closed": what counts is whether an odd number of the two
parts, and of the words that join them, is turned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, align, clashes

HELD: Final = 0.5
"""Share of the words of either part that must be laid next to those of the source's."""
_JOINING: Final = lazy_regex(
    r"(?i)\b(?:(?P<even>even (?:if|when|while))"
    r"|(?P<excepts>unless|except (?:if|when|while|where)|(?:but|and) not (?:if|when|while))"
    r"|(?:only )?(?:if|when(?:ever)?|while|as long as|so long as|once)"
    r"|provided(?: that)?|on (?:the )?condition that)\s"
)
_END: Final = lazy_regex(r"[,;:.](?!\d)")
_OFF: Final = lazy_regex(r"(?i)\boff\W*\Z")
_STATEMENT: Final = lazy_regex(r"[;:]\s|,\s(?:and|but|whereas)\s")


@dataclass(frozen=True, slots=True)
class _Conditional:
    """A statement and what it depends on."""

    main: str
    condition: str
    excepts: bool
    """Whether it holds unless the condition does."""
    even: bool
    """Whether it holds even if the condition does."""


def turns_condition(said: str, lines: Iterable[str]) -> bool:
    """Return whether one of ``lines`` says so on the opposite condition, and none on the same."""
    ways = {conditioned(said, line) for line in lines}
    return -1 in ways and 1 not in ways


def conditioned(said: str, held: str) -> int:
    """Return -1 where ``said`` turns the condition on which ``held`` says the same, else 1.

    0 where either names none, or another one.
    """
    if spoken() is not None:
        return 0
    ways = (_way(a, b) for a, b in product(_conditionals(said), _conditionals(held)))
    return next((way for way in ways if way), 0)


def _way(said: _Conditional, held: _Conditional) -> int:
    main, condition = align(said.main, held.main), align(said.condition, held.condition)
    if min(main.own, condition.own) < HELD:
        return 0
    is_turned = _is_turned(main) is not _is_turned(condition)
    if said.even or held.even:
        excepts = said.excepts or held.excepts
        return -1 if excepts and not is_turned else 0
    return -1 if is_turned is (said.excepts is held.excepts) else 1


def _is_turned(alignment: Alignment) -> bool:
    """Return whether one side denies what the other says; "it is off" denies "it is on"."""
    return clashes(alignment) is not (_is_off(alignment.said) is not _is_off(alignment.held))


def _is_off(text: str) -> bool:
    return _OFF.search(text) is not None


def _conditionals(text: str) -> Iterator[_Conditional]:
    for match in _JOINING.finditer(text):
        before, behind = text[: match.start()], text[match.end() :]
        condition, rest = _parted(behind)
        main = _STATEMENT.split(before)[-1] if before.strip(" \t,;:–—") else rest
        yield _Conditional(main, condition, bool(match["excepts"]), bool(match["even"]))


def _parted(text: str) -> tuple[str, str]:
    """Return ``text`` up to the end of its first clause, and what follows."""
    end: re.Match[str] | None = _END.search(text)
    return (text[: end.start()], text[end.end() :]) if end else (text, "")
