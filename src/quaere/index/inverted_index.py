"""The inverted index over the passages, in tantivy.

Everything in it can be rebuilt from the catalogue, whose rows it refers to.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import tantivy
from tantivy import Occur, Query

from quaere.index.analysis import (
    MAX_TERMS,
    TITLE_WEIGHT,
    Wanted,
    WantedTitle,
    indexer,
    searchable,
    stems_of,
    title_keys,
)
from quaere.index.catalogue_writer import Indexable
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tables import label_keys, rows_of

_WRITER_HEAP = 128_000_000  # bytes, shared by the writer's threads
_WRITER_THREADS = 2
_SPARE = 1  # hits fetched beyond the limit, so that a tie is seen: each more is slower to find
_MOST = 4096  # most hits fetched to get to the end of a tie


class InvertedIndexError(Exception):
    """The index cannot be read or written: it is damaged, or the disk is full or failing."""


_REFUSED = lazy_regex(r'\bmessage: "([^"]+)"|\'([^\']+) \(os error \d+\)\'')
"""How tantivy shows, in two ways, that the system refused something."""


def _reason(error: Exception) -> str:
    """Return what ``error`` says, in the words of the system where it comes from there."""
    refused = _REFUSED.search(str(error))
    return refused[1] or refused[2] if refused else str(error)


@contextmanager
def _typed() -> Generator[None]:
    """Give what tantivy raises one type."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise InvertedIndexError(_reason(error)) from error
    except BaseException as error:
        # A panic over damaged data, which can be named but not imported.
        if type(error).__name__ != "PanicException":
            raise
        raise InvertedIndexError(f"damaged: {error}") from error


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", tokenizer_name="words", index_option="freq")
    builder.add_text_field("table", tokenizer_name="words", index_option="freq")
    builder.add_text_field("title", tokenizer_name="words", index_option="freq")
    builder.add_text_field("label", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("name", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("row", fast=True)
    # Not unsigned: delete_documents_by_term() misses unsigned values (tantivy 0.27).
    builder.add_integer_field("file", indexed=True)
    return builder.build()


_NEVER = (0, 0)


class InvertedIndex:
    """Finds passages by their terms. Any thread may search; commits of others are noticed.

    Every method raises `InvertedIndexError` when it cannot read or write the index.
    """

    @_typed()
    def __init__(self, folder: Path) -> None:
        """Open the index in ``folder``, made when there is none."""
        folder.mkdir(exist_ok=True)
        self._schema = _schema()
        self._index = tantivy.Index(self._schema, path=str(folder))
        self._index.register_tokenizer("words", indexer())
        self._index.config_reader("manual")
        self._meta = folder / "meta.json"
        self._turn = Lock()
        self._seen = _NEVER

    @property
    @_typed()
    def count(self) -> int:
        """Passages in the index."""
        return self._searcher().num_docs

    @property
    @_typed()
    def deleted(self) -> int:
        """Passages that were removed but still count in the statistics of the terms."""
        segments: list[dict[str, dict[str, int] | None]]
        segments = json.loads(self._meta.read_bytes()).get("segments", [])
        return sum((each.get("deletes") or {}).get("num_deleted_docs", 0) for each in segments)

    @_typed()
    def share(self, terms: Iterable[str]) -> float:
        """Return the share of passages that hold the rarest of ``terms``; 0.0 for none.

        One more passage is counted, which holds none of them: not even in a folder of one passage
        is every word so common that it tells nothing.

        Of the passages that were searched last: the disk is looked at only before the first search.
        """
        searcher = self._searcher() if self._seen == _NEVER else self._index.searcher()
        found = [searcher.doc_freq("body", term) for term in terms]
        return min(found) / (searcher.num_docs + 1) if found else 0.0

    @_typed()
    def search(self, wanted: Wanted, limit: int) -> list[tuple[float, int]]:
        """Return score and row of the best passages: ``limit``, and those that tie with the last.

        Scores are rounded, so that the order in which they were summed does not show.
        """
        searcher = self._searcher()
        if limit < 1:
            return []
        body = self._body(searcher, wanted)
        found = self._best(searcher, body, limit)
        titles = self._titles(wanted.titles, bonus=found[0][0] if found else 1.0)
        if titles is None:
            return _down_to(found, limit)
        # A query of its own, as tantivy skips through a plain sum of terms far faster.
        named = Query.boolean_query([(Occur.Must, titles), (Occur.Should, body)])
        best = {row: score for score, row in found}
        best.update((row, score) for score, row in self._best(searcher, named, limit))
        ordered = sorted(((score, row) for row, score in best.items()), reverse=True)
        return _down_to(ordered, limit)

    def _best(
        self, searcher: tantivy.Searcher, query: Query, limit: int
    ) -> list[tuple[float, int]]:
        wanted = limit + _SPARE
        hits = _hits(searcher, query, wanted)
        while len(hits) == wanted < _MOST and hits[-1][0] == hits[limit - 1][0]:
            wanted *= 4
            hits = _hits(searcher, query, wanted)
        rows = searcher.fast_field_values("row", [address for _, address in hits])
        return [(score, int(row or 0)) for (score, _), row in zip(hits, rows, strict=True)]

    def _body(self, searcher: tantivy.Searcher, wanted: Wanted) -> Query:
        field = "table" if wanted.labels else "body"
        parts = [
            (Occur.Should, Query.boost_query(self._term(field, term), wanted.weights[term]))
            for term in _weightiest(searcher, field, wanted.weights)
        ]
        if wanted.labels:
            labelled = Query.term_set_query(self._schema, "label", list(wanted.labels))
            parts.append((Occur.Must, Query.const_score_query(labelled, 1.0)))
        return Query.boolean_query(parts)

    def _titles(self, titles: Iterable[WantedTitle], bonus: float) -> Query | None:
        parts: list[Query] = []
        for title in titles:
            if title.keys:
                whole = Query.term_set_query(self._schema, "name", title.keys)
                parts.append(Query.const_score_query(whole, bonus))
            if title.terms:
                every = [(Occur.Must, self._term("title", term)) for term in title.terms]
                parts.append(Query.boolean_query(every))
        return Query.boolean_query([(Occur.Should, part) for part in parts]) if parts else None

    def _term(self, field: str, term: str) -> Query:
        return Query.term_query(self._schema, field, term, index_option="freq")

    def _searcher(self) -> tantivy.Searcher:
        facts = self._meta.stat()
        seen = (facts.st_mtime_ns, facts.st_ino)
        with self._turn:
            if seen != self._seen:
                self._index.reload()
                self._seen = seen
            return self._index.searcher()

    @_typed()
    def writer(self) -> IndexWriter:
        """Return a writer; there can be one at a time."""
        return IndexWriter(self._index.writer(_WRITER_HEAP, _WRITER_THREADS))


class IndexWriter:
    """Adds and removes passages; nothing is found, or survives a crash, before `commit`.

    Every method raises `InvertedIndexError` when it cannot do its work.
    """

    def __init__(self, writer: tantivy.IndexWriter) -> None:
        self._writer = writer

    @_typed()
    def add(self, passages: Iterable[Indexable]) -> None:
        """Add ``passages`` under their rows."""
        for passage in passages:
            title = searchable(passage.title)
            document = tantivy.Document()
            named = f"{searchable(passage.name)}\n" if passage.name else ""
            stems = searchable(stems_of(f"{passage.text}\n{passage.title}"))
            body = f"{title}\n" * TITLE_WEIGHT + f"{named}{searchable(passage.text)}\n{stems}"
            document.add_text("body", body)
            for label in dict.fromkeys(label_keys(passage.text)):
                document.add_text("label", label)
            if rows := rows_of(passage.text):
                document.add_text("table", f"{title}\n{named}{searchable(rows[0])}")
            document.add_text("title", title)
            for key in title_keys(title):
                document.add_text("name", key)
            document.add_unsigned("row", passage.row)
            document.add_integer("file", passage.file)
            self._writer.add_document(document)

    @_typed()
    def remove(self, file: int) -> None:
        """Remove all passages of ``file``."""
        self._writer.delete_documents_by_term("file", file)

    @_typed()
    def remove_all(self) -> None:
        """Remove everything."""
        self._writer.delete_all_documents()

    @_typed()
    def undo(self) -> None:
        """Forget what was done since the last commit."""
        self._writer.rollback()

    @_typed()
    def commit(self) -> None:
        """Make lasting, and found by all, what was done since the last commit."""
        self._writer.commit()

    @_typed()
    def close(self) -> None:
        """Wait for merges under way, so that the index does not change any more, and close."""
        self._writer.wait_merging_threads()


def _down_to(ordered: list[tuple[float, int]], limit: int) -> list[tuple[float, int]]:
    """Return the first ``limit`` of ``ordered``, and those that tie with the last of them."""
    if len(ordered) <= limit:
        return ordered
    least = ordered[limit - 1][0]
    return [each for each in ordered if each[0] >= least]


def _hits(
    searcher: tantivy.Searcher, query: Query, limit: int
) -> list[tuple[float, tantivy.DocAddress]]:
    """Return the best hits, with scores that do not depend on the order of adding."""
    hits = searcher.search(query, limit, count=False).hits
    return [(round(score, 4), address) for score, address in hits]


def _weightiest(searcher: tantivy.Searcher, field: str, weights: Mapping[str, float]) -> list[str]:
    """Return the terms to look for: all, or as many as may be, rare ones that the index holds."""
    if len(weights) <= MAX_TERMS:
        return list(weights)
    known = {term: searcher.doc_freq(field, term) for term in weights}
    present = [term for term in weights if known[term]]
    return sorted(present, key=lambda term: (-weights[term], known[term], term))[:MAX_TERMS]
