"""Tables on standard output, which keep to the width of a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from quaere.synthesize.inert import visible

if TYPE_CHECKING:
    from rich.console import Console

GAP = "  "
MIN_LAST = 32
"""Columns that the last cell of a row needs after the others; with fewer it goes below them."""


def table(rows: Sequence[Sequence[str]], *, heads: Sequence[str] = ()) -> str:
    """Return ``rows``, all of one length, for standard output, under their ``heads`` if any.

    In a terminal that is too narrow for them the last cells are broken into several lines. Where
    that does not do, each row becomes lines of its own, with its heads before its cells.
    """
    from quaere.faces.cli.output import console_for

    shown = [[visible(cell) for cell in row] for row in rows]
    console = console_for(sys.stdout)
    return fitted(shown, heads, console, console.width if sys.stdout.isatty() else None)


def fitted(
    rows: Sequence[Sequence[str]], heads: Sequence[str], console: Console, width: int | None
) -> str:
    """Return ``rows`` under their ``heads``, in ``width`` columns where that is given."""
    lines = _lines(rows, heads, console, width) if rows else ()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _lines(
    rows: Sequence[Sequence[str]], heads: Sequence[str], console: Console, width: int | None
) -> Iterator[str]:
    """Return the lines of ``rows`` in the first form that fits."""
    headed = [heads, *rows] if heads else rows
    widths = [max(map(_cells, column)) for column in zip(*headed, strict=True)]
    left = sum(widths[:-1]) + len(GAP) * (len(widths) - 1)
    if width is None or left + widths[-1] <= width:
        return (_aligned(row, widths) for row in headed)
    if width - left >= MIN_LAST:
        return _each(headed, lambda row: _beside(row, widths, console, width - left))
    if heads:
        return _each(rows, lambda row: _record(row, heads, console, width))
    return _each(rows, lambda row: _below(row, console, width))


def _each(
    rows: Sequence[Sequence[str]], broken: Callable[[Sequence[str]], Iterator[str]]
) -> Iterator[str]:
    """Return the lines of all ``rows``, each ``broken`` into some."""
    return chain.from_iterable(map(broken, rows))


def folded(text: str) -> str:
    """Return ``text`` for standard output: in a terminal, broken between words at its width."""
    from quaere.faces.cli.output import console_for

    if not sys.stdout.isatty():
        return text
    console = console_for(sys.stdout)
    lines = (_hanging(line, console, console.width) for line in text.splitlines())
    return "".join(f"{line}\n" for broken in lines for line in broken)


def _cells(text: str) -> int:
    """Return how many columns of a terminal ``text`` takes: Chinese characters take two each."""
    from rich.cells import cell_len

    return cell_len(text)


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        f"{cell}{' ' * (size - _cells(cell))}" for cell, size in zip(row, widths, strict=True)
    )
    return GAP.join(padded)


def _beside(
    row: Sequence[str], widths: Sequence[int], console: Console, room: int
) -> Iterator[str]:
    """Yield the lines of a row whose last cell is broken into ``room`` columns."""
    *first, last = row
    lead = _aligned(first, widths[:-1]) + GAP
    for line in _broken(last, console, room):
        yield f"{lead}{line}"
        lead = " " * _cells(lead)


def _record(
    row: Sequence[str], heads: Sequence[str], console: Console, width: int
) -> Iterator[str]:
    """Yield the cells of a row one below the other, each after its head, and an empty line."""
    widest = max(map(_cells, heads))
    for head, cell in zip(heads, row, strict=True):
        if cell:
            yield from _beside((head, cell), (widest, 0), console, width - widest - len(GAP))
    yield ""


def _below(row: Sequence[str], console: Console, width: int) -> Iterator[str]:
    """Yield a row on one line where that does, or else its last cell below the others."""
    *first, last = row
    lead = GAP.join(filter(None, first))
    if _cells(whole := f"{lead}{GAP}{last}") <= width:
        yield whole
        return
    yield from _hanging(lead, console, width)
    yield from (f"{GAP}{line}" for line in _broken(last, console, width - len(GAP)))


def _hanging(line: str, console: Console, width: int) -> Iterator[str]:
    """Yield ``line`` in ``width`` columns; what goes on is indented more than its beginning."""
    line = line.expandtabs()  # as wrapping does: what goes on is found by the length of the first
    indent = line[: len(line) - len(line.lstrip())] + GAP
    first, *rest = _broken(line, console, width)
    yield first
    if rest:
        others = line.strip()[len(first.strip()) :].strip()
        yield from (f"{indent}{each}" for each in _broken(others, console, width - len(indent)))


def _broken(text: str, console: Console, room: int) -> list[str]:
    """Return ``text`` as lines of at most ``room`` columns, broken between words where it can."""
    from rich.text import Text

    return [line.plain.rstrip() for line in Text(text).wrap(console, max(room, 1))] or [""]
