"""Plain text laid out in words and columns."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.synthesize.inert import visible


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``number`` with its noun: "1 query", "2,000 queries"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def headline(text: str, most: int = 60) -> str:
    """Return ``text`` on one line of at most ``most`` characters, the last of them … where cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1].rstrip()}…"


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return ``rows``, all of one length, as lines whose cells are aligned in columns."""
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in shown
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)
