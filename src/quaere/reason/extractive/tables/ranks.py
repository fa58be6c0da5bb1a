"""The row of a rank: "who came third", "which team finished last", where the first column ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaere.reason.extractive.tables.lexicon import named, stems_of
from quaere.reason.extractive.tables.wording import Condition, Wording
from quaere.text.lexicon import ORDINALS

_RANKS = stems_of("position pos rank place ranking standing")
_VERBS = named("finish finished finishes came come comes end ended ends placed ranked was is")
_LINKS = named("the in")


def of_ranks(wording: Wording) -> Iterator[Condition]:
    """Yield the row of the rank that is named after a verb, in a table whose rows are ranked."""
    first = wording.table.columns[0]
    if not first.is_ordinal or _RANKS.isdisjoint(first.stems):
        return
    rows = _rows_by_rank(len(first.cells))
    for at, word in enumerate(wording.words):
        verb = _verb_before(at, wording.words) if word in rows else None
        if verb is not None:
            wording.used.update((at, verb, *wording.heads(first)))
            yield Condition(first, frozenset({rows[word]}), is_value=True)
            return


def _rows_by_rank(count: int) -> dict[str, int]:
    """Return the row of each rank, by its name, in a table of ``count`` rows."""
    rows = {name: row for row, name in enumerate(ORDINALS[:count])}
    return rows | dict.fromkeys(("last", "bottom"), count - 1)


def _verb_before(at: int, said: Sequence[str]) -> int | None:
    """Return the place of the verb right before ``at``, or before one word that links it."""
    near = [each for each in range(max(0, at - 2), at) if said[each] not in _LINKS]
    return near[-1] if near and said[near[-1]] in _VERBS else None
