"""What is kept to one thing, or said of another: "for signing only" leaves encryption open."""

from __future__ import annotations

import re

from quaere.reason.extractive.pool import Line
from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms, words

LEAST_ASKED = 2
"""Words that have to be said of what is kept to one thing, at least."""
_ONLY = lazy_regex(r"(?i)\b(?:only|solely|exclusively)\b")
_COMPLEMENT = lazy_regex(
    r"(?i)\b(?P<by>about|for|in|on|with|by|from|to|at|under|as)\s++"
    r"(?P<what>[^\s,;.?!][^,;.?!]*+)\W*+$"
)
"""What ends a question: "for encryption" of "Can the key be used for encryption?"."""
_UNNAMED = frozenset(("approved", "certain", "listed", "selected", "suitable", "supported"))
"""Words for things of which it is told elsewhere which they are: "on supported systems only"."""
_ARTICLE = lazy_regex(r"(?i)^(?:an?|the|my|our|your|any)\s+")


def _only_elsewhere(line: Line, text: str) -> bool:
    """Whether ``line`` keeps to one thing what ``text`` asks of another."""
    if not is_english() or _ONLY.search(text) or not _ONLY.search(line.text):
        return False
    return not frozenset(terms(text)) <= line.terms


def is_elsewhere(line: Line, text: str) -> bool:
    """Whether ``line`` keeps to one thing, or says of another, what ``text`` asks of what ends it.

    "It is written in pure Python, and as fast as C" does so, asked whether it is written in C.
    """
    if _only_elsewhere(line, text):
        return True
    end = in_english(_COMPLEMENT.search, text)
    if end is None:
        return False
    doing = " ".join(text[: end.start()].split()[-1:])
    before = rf"(?i)\b{re.escape(doing)} {end['by']} "
    if re.search(rf"{before}[^;.?!]{{0,300}}{_listed(end['what'], end['by'])}", line.text):
        return False
    told = re.finditer(rf"{before}(?P<what>[^,;.?!]+)", line.text)
    whats = [frozenset(terms(each["what"])) for each in told]
    if not whats:
        return _is_otherwise_tied(doing, end["what"], line.text)
    return all(what.isdisjoint(terms(end["what"])) for what in whats)


def _is_otherwise_tied(doing: str, what: str, said: str) -> bool:
    """Whether ``said`` ties the last word of ``what`` to ``doing`` by another preposition.

    "Written by a sailor" is not written about one. Of deeds that end in "ed" or "en" alone.
    """
    if not doing.endswith(("ed", "en")):
        return False
    last = frozenset(terms(what)[-1:])
    tied = re.finditer(
        rf"(?i)\b{re.escape(doing)} (?:about|by|for|from|to)\s[^,;.?!]{{1,80}}", said
    )
    return bool(last) and any(last <= frozenset(terms(each[0])) for each in tied)


def _listed(what: str, by: str) -> str:
    """Return the pattern of ``what`` as a further item of a list: "French and German"."""
    bare = _ARTICLE.sub("", what.rstrip())
    return (
        rf"(?:,|\b(?:and|or))\s+(?:(?:and|or)\s+)?(?:{by}\s+)?(?:(?:an?|the|my|our|your)\s+)?"
        rf"{re.escape(bare)}\b"
    )


def excludes(line: Line, text: str) -> bool:
    """Whether ``line`` says all but how ``text`` ends, and has "only" there: "for signing only"."""
    end = _COMPLEMENT.search(text) if _only_elsewhere(line, text) else None
    if end is None or not line.terms.isdisjoint(terms(end["what"])):
        return False
    asked = frozenset(terms(text[: end.start()]))
    return len(asked) >= LEAST_ASKED and asked <= line.terms and _keeps_to(line.text, end["by"])


def _keeps_to(said: str, by: str) -> bool:
    """Whether ``said`` names after ``by`` the only thing of which it is so."""
    by = re.escape(by)
    only = rf"(?i)\b(?:only|solely|exclusively)\s+{by}\s+\S+|\b{by}\s+(?:[\w-]+\s+){{1,3}}only\b"
    kept_to = re.search(only, said)
    return kept_to is not None and _UNNAMED.isdisjoint(words(kept_to[0]))
