"""Questions and queries as people and models type them, made fit to be searched for.

Apostrophes that are left out are put back. "And when was he born?" is about what was asked and
answered before: without a model nobody can tell who "he" is, but a search for the question with the
names of the turn before finds him. And some syntax of a query is understood by some search services
alone (R4.2).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from quaere.domain.question import Query, SourceKind, Turn
from quaere.text.languages.language import language_of, speaking
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.sentences import each_sentence
from quaere.text.tokens import is_stop_word, words

_BEFORE_IS = r"what|who|where|when|how|why|that|there"
_NOT = r"do|does|did|is|are|was|were|ca|could|wo|would|should|has|have|had"
_LEFT_OUT: Final = re.compile(
    rf"(?i)\b(?:(?P<asked>{_BEFORE_IS})(?P<is>s)|(?P<verb>(?:{_NOT})n)(?P<not>t))(?![\w'’-])"
)
"""Those that are not words themselves, as "its", "were", "wed" and "ill" are."""


def with_apostrophes(text: str) -> str:
    """Return English ``text`` with "whats" as "what's" and "dont" as "don't"."""
    return _LEFT_OUT.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    if found["asked"]:
        return f"{found['asked']}'{found['is']}"
    return f"{found['verb']}'{found['not']}"


MAX_NAMES = 4
MAX_READ_CHARS = 2_000
"""What of a question or an answer is looked at: its beginning."""

_OPENING = lazy_regex(
    r"(?i)^\W*(?:and|but|so|then|also|what about|how about|und|aber|dann|was ist mit|et|mais|alors"
    r"|y|pero|entonces|e|ma|mas)\b"
)
_ASKS = lazy_regex(
    r"(?i)^\W*\w+\W+(?:who[ms]?e?|when|where|what|which|why|how|wer|wann|wo|was|welche[mnrs]?|warum"
    r"|wie|qui|quand|où|quel(?:le)?s?|pourquoi|comment|quién|cuándo|dónde|qué|cuál(?:es)?|cómo"
    r"|quem|quando|onde|qual|como|did|does|do|is|are|were|has|had|can|will)\b"
    r"(?!\s+(?:about|ist\s+mit))"
)
"""An opening before a question, rather than before its subject alone."""
_PRONOUN = lazy_regex(
    r"(?i)\b(?:he|him|his|she|hers?|it|its|they|them|theirs?|this|these|those|there|then|former"
    r"|latter|er|ihn|ihm|sie|ihre?[mnrs]?|dort|diese[mnrs]?|il|elle|ils|elles|ella|ellos|ellas"
    r"|lui|essa?|eles?|elas?)\b"
)
_PERSON = lazy_regex(r"(?i)\b(?:he|him|his|she|hers?|er|ihn|ihm|sie|elle|lui|ella)\b")
_MAX_BEFORE = 1
"""Content words that may precede a pronoun which points out of its question. More of them, and
it is likely to point at one: "What is the tallest mountain, and how high is it?"."""
_SHORT = 2
"""What goes on with "and" and has no more content words than this says too little to stand alone;
what does not, with one alone."""


def left_unsaid(text: str, conversation: Sequence[Turn]) -> str:
    """Return the names that ``text`` is likely to be about without saying them, joined by commas.

    They are those of the last question and of the first sentence of its answer; for one that asks
    about "him" or "her" those of the answer alone, if it has any. Where nothing was named they are
    the content words of the last question; where it says nothing itself ("and when?"), that is
    asked of the one before. Empty when ``text`` stands alone (see ``leans``).
    """
    if not conversation:
        return ""
    asked = conversation[-1].question[:MAX_READ_CHARS]
    if bare := _asked_barely(text, asked):
        return bare
    if not leans(text):
        return ""
    answered = _fresh(_first_sentence(conversation[-1].answer[:MAX_READ_CHARS]), text)
    if answered and _PERSON.search(text):
        return ", ".join(answered[:MAX_NAMES])
    found = tuple(dict.fromkeys((*_fresh(asked, text), *answered)))[:MAX_NAMES]
    said = ", ".join(found) or " ".join(_fresh_content(asked, text))
    return said or left_unsaid(text, conversation[:-1])


def _asked_barely(text: str, asked: str) -> str:
    """Return the content words of ``asked`` where ``text`` is a question word that is not English.

    Names are of no use for it: a capital makes none of a German noun.
    """
    language = language_of(text)
    with speaking(language):
        return "" if language is None or _content(text) else " ".join(_fresh_content(asked, text))


def _fresh_content(said: str, text: str) -> dict[str, None]:
    """Return the content words of ``said`` that ``text`` does not say itself, each once."""
    known = frozenset(words(text))
    return dict.fromkeys(word for word in _content(said) if word not in known)


def _first_sentence(text: str) -> str:
    return next((text[: span.end] for span in each_sentence(text)), "")


def _fresh(said: str, text: str) -> tuple[str, ...]:
    """Return the names in ``said`` that ``text`` does not say itself, each once."""
    known = set(words(text))
    fresh = (name for name in names(said) if not known.issuperset(_content(name.text)))
    return tuple(dict.fromkeys(name.text + _number_after(said, name.end) for name in fresh))


_LONG_NUMBER = lazy_regex(r"\s\d{5,12}(?!\w)")


def _number_after(said: str, end: int) -> str:
    """Return the number by which ``said`` tells what it names from its like: "Station 12345"."""
    number = _LONG_NUMBER.match(said, end)
    return number[0] if number else ""


def leans(text: str) -> bool:
    """Return whether ``text`` reads like a question that goes on from another.

    One that opens with "and" does, unless it is whole: "And when did the mill at Orrin close?"
    names what it asks about, and what was named before would lead away from it.
    """
    said, named = _content(text), any(_content(name.text) for name in names(text))
    short = len(said) <= _SHORT
    if len(said) < _SHORT and not named:
        return True
    if _OPENING.match(text) and (short or not named or not _ASKS.match(text)):
        return True
    return _points_out(text)


def _points_out(text: str) -> bool:
    """Whether a pronoun of ``text`` has too little before it to point at anything in it."""
    pronouns = (match.start() for match in _PRONOUN.finditer(text))
    return any(len(_content(text[:start])) <= _MAX_BEFORE for start in pronouns)


def _content(text: str) -> list[str]:
    return [word for word in words(text) if not is_stop_word(word)]


# https://pubmed.ncbi.nlm.nih.gov/help/#search-tags: the tags that models use, short and long.
PUBMED_TAG = (
    r"\[(?:ab|ad|all|au|dp|edat|filter|la|majr|mesh|mh|nm|pdat|pmid|pt|ptyp|rn|sb|sh|ta|ti|tiab|tw|"
    r"abstract|all fields|author|date - publication|journal|language|mesh major topic|mesh terms|"
    r"mesh subheading|publication date|publication type|text word|title|title/abstract)(?::~\d+)?\]"
)
SITE = r"(?<!\w)-?site:[a-z0-9][a-z0-9.-]*[a-z0-9]"

_TAG = lazy_regex(PUBMED_TAG, re.IGNORECASE)
_SITE = lazy_regex(SITE, re.IGNORECASE)
_EXCLUDED = lazy_regex(rf'\bNOT\s+(?:"[^"]*"|[^\s()]+)\s*{PUBMED_TAG}', re.IGNORECASE)
_OPERATOR = lazy_regex(r"\b(?:AND|OR|NOT)\b|[()]")


def has_pubmed_tags(text: str) -> bool:
    """Return whether ``text`` is in PubMed's syntax, like ``asthma[tiab]``."""
    return bool(_TAG.search(text))


def names_site(text: str) -> bool:
    """Return whether ``text`` names a site, like ``site:fda.gov``, which web searches keep to."""
    return bool(_SITE.search(text))


def without_pubmed_tags(text: str) -> str:
    """Return ``text`` as a web search takes it: no tags, operators or brackets of PubMed's."""
    if not has_pubmed_tags(text):
        return text
    bare = _OPERATOR.sub(" ", _TAG.sub(" ", _EXCLUDED.sub(" ", text)))
    return " ".join(bare.split())


def without_sites(text: str) -> str:
    """Return ``text`` without the sites that it names."""
    return " ".join(_SITE.sub(" ", text).split())


def as_understood(query: Query, kinds: Collection[SourceKind]) -> Query:
    """Return ``query`` in the syntax of a service that searches sources of these ``kinds``.

    PubMed's tags are for PubMed and sites for all others; whatever else stays as it is.
    """
    plain = without_sites if SourceKind.PUBMED in kinds else without_pubmed_tags
    text = plain(query.text)
    return query if text in {query.text, ""} else query.model_copy(update={"text": text})
