"""The pool of a run: which passages enter it, the id each keeps for life, and what is selected.

When tokens run low, what a reasoner is shown of it is shortened; the text itself stays in the page
store. A shortened passage keeps its id and stays an exact stretch of its page, so that every quote
taken from it can still be found. Triggers and the rule "the newest stay whole" are R0.7's.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TypeVar

from quaere.domain.evidence import Evidence, Score
from quaere.domain.question import Intent, Query
from quaere.domain.source import Passage
from quaere.domain.url import canonical_url
from quaere.evidence.features import DocumentShare, words_and_runs
from quaere.evidence.score import rank, rank_priors
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import Span, sentences
from quaere.text.similarity import Bm25, containment
from quaere.text.synonyms import other_spellings
from quaere.text.tables import label_key, label_keys, rows_of
from quaere.text.tokens import estimate_tokens, terms, words

T = TypeVar("T")

_NOT_WORD = lazy_regex(r"[\W_]+")
REPEATED = 0.8
"""Share of a passage's runs in a better one of its page from which it says nothing new."""
MAX_TITLE_CHARS = 300
"""Longer titles are cut in the pool, for every event and checkpoint carries them."""


def add_passages(
    pool: Sequence[Evidence], passages: Iterable[Passage], *, iteration: int
) -> tuple[Evidence, ...]:
    """Return ``pool`` with ``passages`` that were not in it yet appended under the next ids.

    New passages are taken in by URL and place, so that ids do not depend on which search came back
    first. Taking the same passages in twice changes nothing.
    """
    known = {evidence.passage for evidence in pool}
    fresh = {passage.id: passage for passage in passages if passage.id not in known}
    ordered = sorted(fresh.values(), key=lambda p: (p.url, p.start, p.id))
    added = (
        Evidence(
            id=number,
            passage=passage.id,
            url=passage.url,
            title=passage.title[:MAX_TITLE_CHARS],
            locator=passage.locator,
            score=Score(),
            iteration=iteration,
        )
        for number, passage in enumerate(ordered, len(pool) + 1)
    )
    return (*pool, *added)


def rescore(
    pool: Iterable[Evidence], scores: Mapping[str, Score], parents: Mapping[str, str]
) -> tuple[Evidence, ...]:
    """Return ``pool`` with the scores and parents given by passage id; ids and order stay."""
    return tuple(
        evidence.model_copy(
            update={
                "score": scores.get(evidence.passage, Score()),
                "parent": parents.get(evidence.passage),
            }
        )
        for evidence in pool
    )


def repeats(order: Iterable[str], passages: Mapping[str, Passage]) -> frozenset[str]:
    """Return those of ``order`` that say what a better one of the same page has said already.

    A reference repeats the options of one command under the next, and a page its boilerplate. One
    new word makes a difference: records are alike but for a name and a figure. Of another page, the
    same words may be a second witness.

    Args:
        order: Passage ids, best first.
        passages: The passages by id; what is not among them is passed over.
    """
    said: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
    found: set[str] = set()
    for passage in filter(None, map(passages.get, order)):
        own = words_and_runs(passage.text)
        before = said.setdefault(passage.url, [])
        if any(own[0] <= w and containment(own[1], runs) >= REPEATED for w, runs in before):
            found.add(passage.id)
        else:
            before.append(own)
    return frozenset(found)


def select(
    pool: Iterable[Evidence],
    order: Iterable[str],
    *,
    limit: int,
    first: Iterable[str] = (),
    beyond: int = 0,
) -> tuple[Evidence, ...]:
    """Return ``limit`` pieces of evidence in ``order`` (passage ids, best first).

    What ``first`` names is chosen before the others, as long as it is from at most ``limit``
    sources and ``beyond`` more; ``order`` says where it stands, and at the end what it leaves out.
    """
    by_passage = {evidence.passage: evidence for evidence in pool}
    held = by_passage.__contains__
    chosen = dict.fromkeys(_of_sources(filter(held, first), by_passage, limit + beyond))
    ordered = list(filter(held, order))
    ranks = {key: rank for rank, key in enumerate(dict.fromkeys([*ordered, *chosen]))}
    others = (key for key in ordered if key not in chosen)
    chosen |= dict.fromkeys(itertools.islice(others, max(0, limit - len(chosen))))
    return tuple(by_passage[key] for key in sorted(chosen, key=ranks.__getitem__))


def _of_sources(
    keys: Iterable[str], by_passage: Mapping[str, Evidence], limit: int
) -> Iterator[str]:
    """Yield those of ``keys`` that are in one of the first ``limit`` sources."""
    urls: set[str] = set()
    for key in keys:
        url = by_passage[key].url
        if url in urls or len(urls) < limit:
            urls.add(url)
            yield key


def in_same_sources(selection: Iterable[Evidence], passages: Iterable[str]) -> tuple[str, ...]:
    """Return the passages of ``selection`` that share a source with some of ``passages``.

    A reasoner that says a source bears on the answer names one passage, but has read them all.
    """
    selected = tuple(selection)
    named = frozenset(passages)
    keys = frozenset[str]().union(*(each.source for each in selected if each.passage in named))
    return tuple(each.passage for each in selected if not keys.isdisjoint(each.source))


def reserve_places(
    queries: Sequence[Query],
    arrivals: Sequence[Passage],
    document_share: DocumentShare | None = None,
    seen: Collection[str] = (),
) -> tuple[str, ...]:
    """Return the ids of the ``arrivals`` that fit the ``queries`` best, each once.

    Every query gets as many as it has places, and all of them their first before any its second.
    They are scored by the query as a pool is by its question.

    Args:
        queries: Those that brought the arrivals.
        arrivals: In the order of their sources, what the searches put first first.
        document_share: How common a word is in what was searched, where somebody knows.
        seen: Ids of passages that have been weighed. They get no place for a query that says in
            other words what they did not answer.
    """
    wanting = [query for query in queries if query.places]
    if not wanting:
        return ()
    listed = rank_priors(arrivals, list(dict.fromkeys(canonical_url(p.url) for p in arrivals)))
    known = frozenset(seen)

    def fitting(query: Query) -> list[str]:
        if query.intent is Intent.FIGURE:
            return _tables_for(query, arrivals)[: query.places]
        order = rank(query.text, arrivals, document_share, listed).order
        stale = known if query.intent is Intent.REFORMULATION else frozenset[str]()
        return [key for key in order if key not in stale][: query.places]

    return tuple(dict.fromkeys(_in_turns([fitting(query) for query in wanting])))


def _tables_for(query: Query, passages: Iterable[Passage]) -> list[str]:
    """Return the ids of the ``passages`` with a row that ``query`` names, the likeliest first.

    Of which table a row is, the name of its document and what heads the table say.
    """
    wanted = frozenset(map(label_key, query.rows))
    held = [each for each in passages if not wanted.isdisjoint(label_keys(each.text))]
    index = Bm25([_terms_of_table(each) for each in held])
    faint = frozenset(terms(" ".join(query.faint)))
    asked = [term for term in terms(query.text) if term not in faint]
    return [held[place].id for place in index.ranked([*asked, *terms(" ".join(query.focus))])]


def _terms_of_table(row: Passage) -> list[str]:
    document = row.url.rpartition("/")[2]
    told = f"{document} {row.title} {row.table_head or rows_of(row.text)[0]}"
    return terms(_NOT_WORD.sub(" ", told))


def _in_turns(rows: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield the first of each of ``rows``, then the second of each, and so on."""
    for column in zip_longest(*rows):
        yield from (each for each in column if each is not None)


LEAST, MOST = 2, 6
"""Passages of one page that go into the pool: of a short page, and of the longest."""
MORE_EACH = 12
"""Passages that a page must have for every further one that is picked of it.

On 180 pages of some nine passages the one that answers a query was always among the best two by
its words. With six of each page, twelve places held 92 % of what a search had returned; with two
they held 99 %, for a page's other passages crowd out what other pages say.
"""


def best_passages(
    passages: Sequence[Passage], *wanted: str, held: Sequence[Sequence[str]] | None = None
) -> tuple[Passage, ...]:
    """Return the passages of one page that fit one of ``wanted`` best, the best first.

    Each of several wordings has its own best; words of another would only blur what it asks for.
    ``held`` are the terms of each passage, where they are known: finding them takes long.
    """
    if len(passages) <= LEAST:
        return tuple(passages)
    index = Bm25([terms(passage.text) for passage in passages] if held is None else held)
    picked = min(MOST, LEAST + len(passages) // MORE_EACH)
    places = dict.fromkeys(_in_turns(index.ranked(terms(each))[:picked] for each in wanted))
    return tuple(passages[place] for place in list(places)[:MOST])


LOW_SHARE = 0.25
"""Share of the token budget below which passages are shortened."""

LARGE_TOKENS = 50_000
"""Size of the serialized state, with the text of what would be shown, from which passages are
shortened."""

NEWEST_WHOLE = 10
"""Passages that stay whole, the latest found first."""


def passage_tokens(passages: Iterable[Passage]) -> int:
    """Return about how many tokens the texts of ``passages`` take."""
    return sum(estimate_tokens(passage.text) for passage in passages)


def is_pressed(*, state: int, left: int, budget: int, writing: bool) -> bool:
    """Whether passages must be shortened.

    Args:
        state: Tokens of the run's serialized state, with the text of the selected passages.
        left: Tokens left to spend.
        budget: Tokens that there were to spend.
        writing: Whether the answer is written now.
    """
    return writing or left < LOW_SHARE * budget or state > LARGE_TOKENS


def compact(
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
    question: str,
    *,
    bearing: Collection[str] = (),
) -> dict[str, Passage]:
    """Return ``passages``, most of them cut to the sentence that fits ``question`` best.

    A heading that fits best keeps the sentence under it. The newest stay whole, those ``bearing``
    the answer, by passage id, and those with rows of tables: a row says nothing without what heads
    its columns.
    """
    newest = sorted(evidence, key=lambda e: (-e.iteration, -e.score.total, e.id))[:NEWEST_WHOLE]
    whole = {item.passage for item in newest}.union(bearing)
    spelled = " ".join(other for word in words(question) for other in other_spellings(word))
    worth = _worth({*terms(question), *terms(spelled)}, passages.values())
    return {
        key: passage if key in whole or rows_of(passage.text) else _best_stretch(passage, worth)
        for key, passage in passages.items()
    }


def _worth(asked: Collection[str], passages: Iterable[Passage]) -> dict[str, float]:
    """Return what each term that is ``asked`` is worth: the more, the fewer passages have it."""
    counts = Counter(asked)
    for passage in passages:
        counts.update(frozenset(asked).intersection(terms(passage.text)))
    return {term: 1.0 / counts[term] for term in sorted(asked)}


def _best_stretch(passage: Passage, worth: Mapping[str, float]) -> Passage:
    spans = sentences(passage.text)
    if len(spans) < 2:
        return passage
    best = max(spans, key=lambda span: (_overlap(passage.text, span, worth), -span.start))
    end = best.end
    if passage.text.startswith("#", best.start):
        end = next((span.end for span in spans if span.start > best.start), end)
    return passage.stretch(best.start, end)


def _overlap(text: str, span: Span, worth: Mapping[str, float]) -> float:
    said = frozenset(terms(text[span.start : span.end]))
    return sum(worth[term] for term in worth if term in said)
