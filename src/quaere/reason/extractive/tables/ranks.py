"""The row of a rank: "who came third", "which team finished last", where the first column ranks."""

from __future__ import annotations

from collections.abc import Iterator

from quaere.reason.extractive.tables.lexicon import named, stems_of
from quaere.reason.extractive.tables.wording import Condition, Wording
from quaere.text.lexicon import ORDINALS

_RANKS = stems_of("position pos rank place ranking standing")
_VERBS = named("finish finished finishes came come comes end ended ends placed ranked was is")


def of_ranks(wording: Wording) -> Iterator[Condition]:
    """Yield the row of the rank that is named after a verb, in a table whose rows are ranked."""
    first = wording.table.columns[0]
    if not first.is_ordinal or _RANKS.isdisjoint(first.stems):
        return
    last = len(first.cells)
    ranks = {name: at for at, name in enumerate(ORDINALS[:last], 1)} | {
        "last": last,
        "bottom": last,
    }
    for at, word in enumerate(wording.words):
        before = [each for each in wording.words[max(0, at - 2) : at] if each not in {"the", "in"}]
        if word in ranks and before and before[-1] in _VERBS:
            wording.used.update((at, wording.words.index(before[-1]), *wording.heads(first)))
            yield Condition(first, frozenset({ranks[word] - 1}), is_value=True)
            return
