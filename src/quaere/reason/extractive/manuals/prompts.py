"""Tells what a command prints from what one types after a prompt."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from quaere.reason.extractive.pool import Line, Pool
from quaere.text.lazy_regex import lazy_regex

_BLOCK: Final = lazy_regex(
    r"(?m)^(?P<fence>```|~~~)(?s:.*?)(?:^(?P=fence)|\Z)|(?:^[ \t]+\S.*\n(?:[ \t]*\n)*+)+"
    r"|^\$ .*\n(?:.+\n)*"
)
"""A block of code: in fences, indented, or from a prompt to the next blank line."""
_PROMPTED: Final = lazy_regex(r"(?m)^[ \t]*\$[ \t]+\S(?:.*\\\n)*.*$")
"""What is typed after a prompt, with the lines on which it goes on."""


class _Prompted(NamedTuple):
    """A block of code that has prompts: where it is, and what is typed in it."""

    start: int
    end: int
    typed: tuple[tuple[int, int], ...]


def is_printed(line: Line, pool: Pool) -> bool:
    """Return whether ``line`` is what a command prints: it has no prompt, as others there have."""
    blocks = _prompted_in(pool.passages[line.owner].text)
    block = next((block for block in blocks if block.start <= line.start < block.end), None)
    return block is not None and not any(start <= line.start < end for start, end in block.typed)


@lru_cache(maxsize=512)
def _prompted_in(text: str) -> tuple[_Prompted, ...]:
    found = ((block, tuple(_PROMPTED.finditer(block[0]))) for block in _BLOCK.finditer(text))
    return tuple(
        _Prompted(
            block.start(),
            block.end(),
            tuple((block.start() + each.start(), block.start() + each.end()) for each in typed),
        )
        for block, typed in found
        if typed
    )
