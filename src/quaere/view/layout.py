"""Plain text laid out in words and columns."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.synthesize.inert import visible


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``number`` with its noun: "1 query", "2,000 queries"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return ``rows``, all of one length, as lines whose cells are aligned in columns."""
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in shown
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)
