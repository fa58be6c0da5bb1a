"""Text analysis: how passages and queries become terms, the same way for both.

User text never reaches a query parser: a query becomes weighted terms and titles to look up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import filterfalse, pairwise
from pathlib import PurePath
from typing import NamedTuple

import tantivy

from quaere.domain.question import Query
from quaere.text.language_detection import detect
from quaere.text.languages.language import Language, language_of, languages, speaking
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tables import label_key
from quaere.text.tokens import STOP_WORDS, UNSPACED, is_stop_word, stem, words

TITLE_WEIGHT = 3
"""How often a title is repeated before its passage. Repeating it inside one field keeps recall as
the corpus grows, which summing the scores of two fields does not."""

_LONGEST_TERM = 100  # bytes; longer tokens are data, not words
_UNSPACED = lazy_regex(f"[{UNSPACED}]+")
_LONE_SURROGATE = lazy_regex("[\ud800-\udfff]")
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
    return list(dict.fromkeys(analyzer.analyze(_told_apart(text, _bigrams))))


_NAME_PART = lazy_regex(r"[^\W_]+")
_NAME_WORD = lazy_regex(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_A-Za-z]+")
_HASH = lazy_regex(r"(?i)(?=[^\d]*\d)[0-9a-f]{8,}|\d{5,}")


def searchable(text: str) -> str:
    """Return ``text`` as the index takes it: composed, acronyms without dots, words told apart."""
    return _told_apart(text, _both_grams)


_LANGUAGE_SAMPLE = 600
"""Characters of a passage by which its language is told."""


def stems_of(text: str) -> str:
    """Return the stems of the words of ``text`` that the language it is in bends otherwise.

    They are in the index besides the words, so that a question in that language, whose words are
    stemmed alike, finds them, and one that names a word as it is written does so as well. Empty for
    English and for languages that no stemmer is known for.
    """
    language = languages().get(detect(text[:_LANGUAGE_SAMPLE]))
    return " ".join(_stems(text, language)) if language and language.stemmer else ""


def _stems(text: str, language: Language) -> list[str]:
    with speaking(language):
        spoken = (word for word in words(text) if not is_stop_word(word))
        return [bare for word in spoken if (bare := stem(word)) != word]


def name_words(path: str, title: str) -> str:
    """Return the words in the names of a file and its folder that its title lacks.

    A name that is a hash or a number says nothing.
    """
    file = PurePath(path)
    parts = _NAME_PART.findall(f"{file.parent.name} {file.name.partition('.')[0]}")
    told = " ".join(filterfalse(_HASH.fullmatch, parts))
    known = set(map(str.lower, _NAME_WORD.findall(title)))
    words = _NAME_WORD.findall(told)
    return " ".join(word for word in words if len(word) > 1 and word.lower() not in known)


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


def _told_apart(text: str, grams: Callable[[re.Match[str]], str]) -> str:
    text = _joined(_composed(text))
    return text if text.isascii() else _UNSPACED.sub(grams, text)


def _bigrams(run: re.Match[str]) -> str:
    text = run.group()
    if len(text) == 1:
        return f" {text} "
    return f" {' '.join(map(''.join, pairwise(text)))} "


def _both_grams(run: re.Match[str]) -> str:
    return (
        f" {' '.join(run.group())}{_bigrams(run)}" if len(run.group()) > 1 else f" {run.group()} "
    )


FOCUS_WEIGHT = 2.5
FAINT_WEIGHT = 0.2
"""What the passage that led here covers already counts a fifth."""

MAX_TERMS = 64
"""Terms looked for; of a longer query the rarest ones."""
MAX_TITLES = 32
MAX_LABELS = 100
MAX_QUERY_CHARS = 100_000


class WantedTitle(NamedTuple):
    """A title to look up: as one of its whole spellings, or by all of its terms."""

    keys: tuple[str, ...]
    terms: tuple[str, ...]


class Wanted(NamedTuple):
    """What a query looks for."""

    weights: dict[str, float]
    """Terms in the order of the query, with how much each counts."""
    titles: tuple[WantedTitle, ...] = ()
    labels: tuple[str, ...] = ()
    """Keys of labels of which a row has to have one."""


def understand(query: Query) -> Wanted:
    """Return what ``query`` looks for; of stop words alone, the stop words."""
    parts = (query.text[:MAX_QUERY_CHARS], " ".join(query.focus)[:MAX_QUERY_CHARS])
    text, focus = (terms(part) for part in parts)
    language = language_of(parts[0])
    if language is not None:
        text = _terms_in(language, parts[0])
    if not text and not focus:
        text = terms(parts[0], stop_words=True)
    faint = set(terms(" ".join(query.faint)[:MAX_QUERY_CHARS]))
    weights = {term: FAINT_WEIGHT if term in faint else 1.0 for term in text}
    weights.update(dict.fromkeys(focus, FOCUS_WEIGHT))
    titles = tuple(map(_title, query.titles[:MAX_TITLES]))
    keys = (label_key(label[:1000]) for label in query.rows[:MAX_LABELS])
    return Wanted(weights, titles, tuple(dict.fromkeys(filter(None, keys))))


def _terms_in(language: Language, text: str) -> list[str]:
    """Return the terms of ``text`` but stop words, as written and stemmed as ``language`` does."""
    with speaking(language):
        told = [word for word in words(text) if not is_stop_word(word)]
        return terms(" ".join([*told, *map(stem, told)]))


def _title(name: str) -> WantedTitle:
    name = name[:1000]
    return WantedTitle(tuple(title_keys(name)), tuple(terms(name) or terms(name, stop_words=True)))
