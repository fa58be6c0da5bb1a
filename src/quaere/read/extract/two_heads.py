"""Heads of columns in two rows: the second tells apart what the first goes over."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIGURE = re.compile(r"[-+£$€]?\s?[\d.,]*\d[\d.,]*\s*%?")
_YEAR = re.compile(r"[12]\d{3}(?:[/–-]\d{2,4})?")


def joined_heads(above: Sequence[str], below: Sequence[str]) -> list[str] | None:
    """Return the heads that two rows make up; None where the second is none of heads.

    One of heads has no name for the column by which rows are called, where the first has it, or
    the other way round, and one for each column that the first leaves without; what it holds are
    words or years. A head that goes over several columns, or rows, is said with each; it may be
    written over each as well.
    """
    above = said_once(above)
    if len(above) != len(below) or len(above) < 3:
        return None
    if above[0] and below[0] and above[0] != below[0]:
        return None
    if not _tells_apart(above[1:], below[1:]) or any(map(_is_amount, below)):
        return None
    found: list[str] = []
    over = ""
    for name, own in zip(above, below, strict=True):
        over = name or over
        found.append(over if over == own else f"{over} {own}".strip())
    return found


def said_once(heads: Sequence[str]) -> list[str]:
    """Return ``heads`` without those that only repeat the one before them."""
    return ["" if own == before else own for before, own in zip(["", *heads], heads, strict=False)]


def _tells_apart(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether each column without a name ``above`` is told apart ``below`` from one with it."""
    pairs = list(zip(above, below, strict=True))
    return bool(above[0]) and "" in above and all(own for name, own in pairs if not name)


def _is_amount(cell: str) -> bool:
    return _FIGURE.fullmatch(cell) is not None and _YEAR.fullmatch(cell) is None
