"""How text becomes the terms of the index: the same way for passages and for queries."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise

import tantivy

from quaere.text.tokens import STOP_WORDS, UNSPACED

TITLE_WEIGHT = 3
"""Times a title stands before its passage. Repeating it inside one field keeps recall as the corpus
grows, which summing the scores of two fields does not."""

_LONGEST_TERM = 100  # bytes; longer tokens are data, not words
_UNSPACED = re.compile(f"[{UNSPACED}]+")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ACRONYM = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_BRACKETED_END = re.compile(r"[(\[][^()\[\]]*[)\]]\s*$")
_NOT_WORD = re.compile(r"[\W_]+")
_ARTICLE = re.compile(r"^(the|a|an) (?=\w)")


def indexer() -> tantivy.TextAnalyzer:
    """Return the analyzer of the index: words in lower case, unaccented, stemmed as English."""
    return _words().filter(tantivy.Filter.stemmer("english")).build()


@cache
def _query_analyzers() -> tuple[tantivy.TextAnalyzer, tantivy.TextAnalyzer]:
    stop = sorted({part for word in STOP_WORDS for part in _NOT_WORD.split(word) if part} | {"s"})
    selective = _words().filter(tantivy.Filter.custom_stopword(stop))
    return selective.filter(tantivy.Filter.stemmer("english")).build(), indexer()


def _words() -> tantivy.TextAnalyzerBuilder:
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_LONGEST_TERM))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
    )


def terms(text: str, *, stop_words: bool = False) -> list[str]:
    """Return the distinct terms of ``text`` in order, as the index knows them.

    Stop words are left out, unless ``stop_words`` asks for them: they find everything, cost most of
    a query's time and order nothing.
    """
    analyzer = _query_analyzers()[stop_words]
    return list(dict.fromkeys(analyzer.analyze(_for_query(text))))


def searchable(text: str) -> str:
    """Return ``text`` as the index takes it: composed, acronyms without dots, words told apart."""
    text = _joined(_composed(text))
    return text if text.isascii() else _UNSPACED.sub(_both_grams, text)


def title_keys(title: str) -> list[str]:
    """Return the spellings under which a title counts as named exactly.

    ``The Grey Heron (novel)`` is known as "the grey heron novel", "grey heron novel", "the grey
    heron" and "grey heron".
    """
    keys: dict[str, None] = {}
    for variant in dict.fromkeys((title, _BRACKETED_END.sub("", title))):
        key = _NOT_WORD.sub(" ", _composed(variant).casefold()).strip()
        keys.update({key: None, _ARTICLE.sub("", key): None})
    keys.pop("", None)
    return [key for key in keys if len(key.encode()) < 1000]


def _composed(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _LONE_SURROGATE.sub(" ", text))


def _joined(text: str) -> str:
    """Return ``text`` with acronyms written without dots: U.S. as US."""
    return _ACRONYM.sub(lambda match: match.group().replace(".", ""), text)


def _for_query(text: str) -> str:
    text = _joined(_composed(text))
    return text if text.isascii() else _UNSPACED.sub(_bigrams, text)


def _bigrams(run: re.Match[str]) -> str:
    text = run.group()
    if len(text) == 1:
        return f" {text} "
    return f" {' '.join(map(''.join, pairwise(text)))} "


def _both_grams(run: re.Match[str]) -> str:
    return (
        f" {' '.join(run.group())}{_bigrams(run)}" if len(run.group()) > 1 else f" {run.group()} "
    )
