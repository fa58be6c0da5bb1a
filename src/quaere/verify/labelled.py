"""What lines say where they are: items below a lead-in, and rows with a label.

"The following are disallowed:" denies each item below it, and a row of a table is about the cell
that labels it alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from quaere.text.inline import unmarked
from quaere.text.rows import cells
from quaere.text.similarity import containment
from quaere.verify.ground import Ground, ground

_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\(?\d{1,2}[.)])\s+")
_DENYING: Final = re.compile(
    r"(?i)\b(?:not|never|cannot|no|disallow\w*|forbid\w*|forbidden|prohibit\w*|banned|excluded"
    r"|unsupported|impossible|out of scope)\b|n['’]t\b"
)
_SENTENCE_END: Final = re.compile(r"[.!?]\s+(?=\S)")
DENIED: Final = "not "
"""Begins a line that its lead-in denies; the words that follow are in no order."""
_CUTS: Final = re.compile(r"[,;:()–—]")
_LABEL: Final = re.compile(r"\s*\W{0,2}(?P<label>[^\n:|.]{1,40}):\s+(?P<told>\S.+)\Z", re.DOTALL)
MORE: Final = 0.3
"""How much more another row must hold of what is said of a label than the label's own, as a
share of its words."""


def under_lead_in(source: Ground, line: str, start: int) -> str:
    """Return the ``line`` at ``start`` of ``source``, denied where it is an item of what is denied.

    The lead-in is the sentence above the list that ends with a colon. An item keeps its mark where
    the source begins with the list, so that it may be denied above.
    """
    item = _ITEM.match(line)
    if item is None:
        return line
    above = _above_the_list(source.text[:start])
    if not above:
        return line
    said = line[item.end() :]
    leading = _SENTENCE_END.split(above.rpartition("\n\n")[2])[-1]
    denied = above.endswith(":") and _DENYING.search(leading) is not None
    return DENIED + _CUTS.sub(" ", said) if denied else said


def _above_the_list(text: str) -> str:
    """Return ``text`` without the items with which it ends, each with its indented lines."""
    lines = text.rstrip().split("\n")
    while lines and (not lines[-1].strip() or _ITEM.match(lines[-1]) or lines[-1][:1].isspace()):
        lines.pop()
    return "\n".join(lines).rstrip()


def is_item(line: str) -> bool:
    """Return whether ``line`` is an item of a list whose lead-in is unknown."""
    return _ITEM.match(line) is not None


def is_of_another_label(said: str, sources: Iterable[Ground]) -> bool:
    """Return whether ``said``, as in "label: words", gives a label the words of another row."""
    found = _LABEL.match(unmarked(said))
    if found is None:
        return False
    label, told = ground(found["label"]).terms, ground(found["told"]).terms
    if not label or not told:
        return False
    shares: dict[bool, float] = {}
    for row in chain.from_iterable(map(_rows, sources)):
        is_own, share = _share_in(row, label, told)
        shares[is_own] = max(share, shares.get(is_own, 0.0))
    return len(shares) == 2 and shares[True] + MORE <= shares[False]


def _share_in(
    row: Sequence[str], label: frozenset[str], told: frozenset[str]
) -> tuple[bool, float]:
    """Return whether ``row`` is that of ``label``, and what share of ``told`` it has besides."""
    own = next((n for n, cell in enumerate(row) if ground(cell).terms == label), None)
    others = [cell for n, cell in enumerate(row) if n != own]
    return own is not None, containment(told, ground(" ".join(others)).terms)


def _rows(source: Ground) -> Iterator[Sequence[str]]:
    """Yield the cells of every row of ``source`` with more than one."""
    for line in source.text.splitlines():
        if len(row := cells(line) or ()) > 1:
            yield row
