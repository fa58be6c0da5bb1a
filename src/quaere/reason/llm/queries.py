"""Checks and aims the queries that a model wants.

A model may have obeyed a page, so a query keeps of an address only what restricts a search: field
tags of PubMed, and sites of public institutions or of the question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from quaere.domain.question import Checklist, Intent, Query, SourceKind
from quaere.domain.report import QueryOutcome
from quaere.domain.source import Passage
from quaere.reason.extractive.queries import reformulations
from quaere.reason.llm import contracts
from quaere.text.queries import PUBMED_TAG, SITE, has_pubmed_tags
from quaere.text.sanitize import sanitize_label
from quaere.text.tokens import words

PLACES, LEAST_PLACES, MOST_PLACES = 16, 3, 8
"""Places in the selection that the best passages of a round's queries get together, and what each
query gets: the model asked for them, and they may lack the words of the first question.
What answers a query stood among its best 3 passages in 96 %, its best 5 in 98 %, and its best 8 in
all of 180 searches."""
_BESIDE_THE_WEB = frozenset({SourceKind.FOLDER, SourceKind.PUBMED, SourceKind.SCHOLARLY})
_KEPT = re.compile(rf"({PUBMED_TAG}|{SITE})", re.IGNORECASE)
_PUBLIC = re.compile(
    r"\.(?:gov|mil|edu|int|europa\.eu|(?:gov|govt|gob|gouv|ac|edu)\.[a-z]{2})$", re.IGNORECASE
)


def wanted_queries(
    wanted: Sequence[contracts.Wanted],
    checklist: Checklist,
    asked: str,
) -> tuple[Query, ...]:
    """Return the queries of a model, each once, with their items and the kinds they are for.

    Args:
        wanted: As written.
        checklist: What its item numbers count.
        asked: The question, whose hosts may be named.
    """
    items = dict(enumerate(checklist.items, 1))
    queries: dict[str, contracts.Wanted] = {}
    for each in wanted[: contracts.MAX_QUERIES]:
        queries.setdefault(query_text(each.query, asked), each)
    places = min(MOST_PLACES, max(LEAST_PLACES, PLACES // max(1, len(queries))))
    return tuple(
        Query(
            text=text,
            intent=Intent(w.intent),
            purpose=items[w.item].description if w.item in items else "",
            item=items[w.item].id if w.item in items else None,
            source_kinds=_kinds(text, w.kinds),
            places=places,
        )
        for text, w in queries.items()
        if text
    )


def is_folder(kinds: Collection[SourceKind]) -> bool:
    """Return whether nothing but folders can be searched, so that kinds of source do not matter."""
    return frozenset(kinds) == frozenset({SourceKind.FOLDER})


def is_web(kinds: Collection[SourceKind]) -> bool:
    """Return whether only services that search the web at large can be asked."""
    return bool(kinds) and _BESIDE_THE_WEB.isdisjoint(kinds)


def of_folder(queries: Iterable[Query]) -> tuple[Query, ...]:
    """Return ``queries`` of a search in folders, which need no kind of source."""
    kinds = (SourceKind.FOLDER,)
    return tuple(query.model_copy(update={"source_kinds": kinds}) for query in queries)


def query_text(text: str, asked: str = "") -> str:
    """Return ``text`` as a query that leads nowhere, in PubMed's syntax or with ``site:`` as it is.

    A site that is neither of a public institution nor in ``asked`` is no longer named.
    """
    pieces = _KEPT.split(text)
    return " ".join("".join(_pieces(pieces, asked)).split())


def _pieces(pieces: Sequence[str], asked: str) -> Iterator[str]:
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            before, after = " " * piece[:1].isspace(), " " * piece[-1:].isspace()
            yield f"{before}{sanitize_label(piece, asked)}{after}"
        elif piece.startswith("[") or _may_name(piece.partition(":")[2], asked):
            yield piece


def _may_name(host: str, asked: str) -> bool:
    return bool(_PUBLIC.search(f".{host}")) or host.lower() in asked.lower()


def _kinds(text: str, kinds: Iterable[str]) -> tuple[SourceKind, ...]:
    """Return the kinds of source that a query is for: what its syntax says goes first."""
    if has_pubmed_tags(text):
        return (SourceKind.PUBMED,)
    return tuple(dict.fromkeys(SourceKind(kind) for kind in kinds))


def reworded(
    queries: Sequence[Query], outcomes: Sequence[QueryOutcome], passages: Iterable[Passage]
) -> tuple[Query, ...]:
    """Return ``queries`` with another wording of every query that found fewer than three results.

    The model is asked for them, and code gives those that it leaves out (R0.4): it counts as
    reworded where one of ``queries``, or one asked before, is a reformulation for the same item or
    shares a word with it.
    """
    known = [*queries, *(outcome.query for outcome in outcomes)]
    tried = [query for query in known if query.intent is Intent.REFORMULATION]
    added: list[Query] = []
    for outcome in outcomes:
        if outcome.poor and not _is_reworded(outcome.query, tried):
            added += reformulations([outcome], passages)[:1]
    return (*queries, *added)


def _is_reworded(query: Query, tried: Iterable[Query]) -> bool:
    return any(_rewords(other, query) for other in tried)


def _rewords(query: Query, poor: Query) -> bool:
    if query.item is not None and query.item == poor.item:
        return True
    return bool(frozenset(words(query.text)) & frozenset(words(poor.text)))
