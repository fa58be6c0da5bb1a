"""Asks again, in other words, what a query found too little on (R0.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz import fuzz, process

from quaere.domain.question import Intent, Query
from quaere.domain.report import QueryOutcome
from quaere.domain.source import Passage
from quaere.ports.search import TermStatistics
from quaere.text.relations import related_words
from quaere.text.tokens import is_stop_word, words

ALIKE = 80.0
"""Spelling similarity, 0 to 100 (normalized indel), from which a word of the corpus stands in for
one that it does not hold."""


def reformulations(
    outcomes: Iterable[QueryOutcome],
    passages: Iterable[Passage],
    statistics: TermStatistics | None = None,
) -> tuple[Query, ...]:
    """Return other wordings of every query that was answered with fewer than three results.

    Three ways are tried: words that the corpus does not hold in the spelling it does hold, words
    that speak of the same relation, and fewer words.

    Args:
        outcomes: Every query so far.
        passages: What was read; words that the corpus spells in another way come from here.
        statistics: How common words are in what is searched, where a provider knows.
    """
    poor = [outcome.query for outcome in outcomes if outcome.poor and not outcome.error]
    first = [query for query in poor if query.intent is not Intent.REFORMULATION]
    if not first:
        return ()
    vocabulary = sorted({word for passage in passages for word in words(passage.text)})
    return tuple(
        Query(text=text, intent=Intent.REFORMULATION, purpose=why, item=query.item)
        for query in first
        for text, why in _rewordings(query, vocabulary, statistics)
    )


def _rewordings(
    query: Query, vocabulary: Sequence[str], statistics: TermStatistics | None
) -> Iterator[tuple[str, str]]:
    content = [word for word in dict.fromkeys(words(query.text)) if not is_stop_word(word)]
    known = [word for word in content if not statistics or statistics.document_share(word) > 0]
    spelled = [word if word in known else _respelled(word, vocabulary) for word in content]
    if spelled != content and any(spelled):
        yield " ".join(filter(None, spelled)), "the same in the corpus's own spelling"
    synonyms = [other for word in content for other in related_words(word)]
    if synonyms:
        yield " ".join(dict.fromkeys([*known, *synonyms])), "the same in related words"
    if len(content) > 2:
        kept = sorted(content, key=lambda word: (word not in known, -len(word), word))
        yield " ".join(kept[: (len(content) + 1) // 2]), "a broader question"


def _respelled(word: str, vocabulary: Sequence[str]) -> str:
    found = process.extractOne(word, vocabulary, scorer=fuzz.ratio, score_cutoff=ALIKE)
    return found[0] if found else ""
