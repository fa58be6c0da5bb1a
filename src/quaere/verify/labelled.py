"""What lines say where they are: items below a lead-in, and rows with a label.

"The following are disallowed:" denies each item below it, and a row of a table is about the cell
that labels it alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from quaere.domain.source import ITEM, above_the_list, lead_in_over
from quaere.text.inline import unmarked
from quaere.text.lazy_regex import lazy_regex
from quaere.text.similarity import containment
from quaere.text.tables import cells, is_rule
from quaere.verify.ground import Ground, ground

_DENYING: Final = lazy_regex(
    r"(?i)\b(?:not|never|cannot|no|disallow\w*|forbid\w*|forbidden|prohibit\w*|banned|excluded"
    r"|unsupported|impossible|out of scope)\b|n['’]t\b"
)
DENIED: Final = "not "
"""Begins a line that its lead-in denies; the words that follow are in no order."""
_CUTS: Final = lazy_regex(r"[,;:()–—]")
_CLAUSE: Final = lazy_regex(r"[,;]\s(?:(?:except|but|and|while|so)\s(?:that\s)?)?")
LEADING: Final = 3
"""Words that make the last clause of a lead-in one that says something of the items."""
_LABEL: Final = lazy_regex(r"\s*\W{0,2}(?P<label>[^\n:|.]{1,40}):\s+(?P<told>\S.+)\Z", re.DOTALL)
_CODE: Final = lazy_regex(r"\s*`(?P<name>[^`\s]{3,})`\s*\Z")
MORE: Final = 0.3
"""How much more another row must hold of what is said of a label than the label's own, as a
share of its words."""


def under_lead_in(source: Ground, line: str, start: int, known: str = "") -> str:
    """Return the ``line`` at ``start`` of ``source`` with what leads it in, as one statement.

    "The following need no key:" means that each of its items needs none. An item keeps its
    mark where its lead-in is unknown, so that it may be denied above.

    Args:
        source: A text.
        line: A sentence of it.
        start: Where it begins.
        known: What leads in the list with which ``source`` begins, if it begins within one.
    """
    item = ITEM.match(line)
    if item is None:
        return line
    lead = _leading_clause(lead_in_over(source.text, start, known))
    if lead:
        said = _CUTS.sub(" ", f"{lead} {line[item.end() :]}")
        denied = _DENYING.search(lead) is not None
        return DENIED + _DENYING.sub(" ", said) if denied else said
    return line if not above_the_list(source.text[:start]) else line[item.end() :]


def _leading_clause(lead: str) -> str:
    """Return the clause of a lead-in that says something of the items, which is the last one."""
    *_, last = _CLAUSE.split(lead)
    return last if len(last.split()) >= LEADING else lead


def is_item(line: str) -> bool:
    """Return whether ``line`` is an item of a list whose lead-in is unknown."""
    return ITEM.match(line) is not None


def is_of_another_label(said: str, sources: Iterable[Ground]) -> bool:
    """Return whether ``said`` gives a label the words of another row.

    The label precedes a colon, as in "label: words", or is a name in code that one cell is made of.
    """
    rows = tuple(chain.from_iterable(map(_rows, sources)))
    parted = _labelled(said) or _named_in_code(said, rows)
    if parted is None or not all(parted):
        return False
    label, told = parted
    shares: dict[bool, float] = {}
    for row in rows:
        is_own, share = _share_in(row, label, told)
        shares[is_own] = max(share, shares.get(is_own, 0.0))
    return len(shares) == 2 and shares[True] + MORE <= shares[False]


def _labelled(said: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the stems of the label of ``said``, as in "label: words", and of the words."""
    found = _LABEL.match(unmarked(said))
    return (ground(found["label"]).terms, ground(found["told"]).terms) if found else None


def _named_in_code(
    said: str, rows: Iterable[Sequence[str]]
) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the stems of the one cell in code that ``said`` names, and those of the rest of it."""
    names = {match["name"] for cell in chain.from_iterable(rows) if (match := _CODE.match(cell))}
    found = [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)]
    if len(found) != 1:
        return None
    label = ground(found[0]).terms
    return label, ground(unmarked(said)).terms - label


def _share_in(
    row: Sequence[str], label: frozenset[str], told: frozenset[str]
) -> tuple[bool, float]:
    """Return whether ``row`` is that of ``label``, and what share of ``told`` it has besides."""
    own = next((n for n, cell in enumerate(row) if ground(cell).terms == label), None)
    others = [cell for n, cell in enumerate(row) if n != own]
    return own is not None, containment(told, ground(" ".join(others)).terms)


def _rows(source: Ground) -> Iterator[Sequence[str]]:
    """Yield the cells of every row of ``source`` with more than one, but for those of heads."""
    lines = source.text.splitlines()
    for line, below in pairwise([*lines, ""]):
        if len(row := cells(line) or ()) > 1 and not (is_rule(line) or is_rule(below)):
            yield row
