"""From a query to weighted terms and title look-ups. User text never meets a query parser."""

from __future__ import annotations

from dataclasses import dataclass

from quaere.domain.question import Query
from quaere.index.analysis import terms, title_keys

FOCUS_WEIGHT = 2.5
FAINT_WEIGHT = 0.2
"""What the passage that led here covers already counts a fifth."""

MAX_TERMS = 64
"""Terms looked for; of a longer query the rarest ones."""
MAX_TITLES = 32
MAX_QUERY_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class WantedTitle:
    """A title to look up: as one of its whole spellings, or by all of its terms."""

    keys: tuple[str, ...]
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a query looks for."""

    weights: dict[str, float]
    """Terms in the order of the query, with how much each counts."""
    titles: tuple[WantedTitle, ...] = ()


def understand(query: Query) -> Wanted:
    """Return what ``query`` looks for; of stop words alone, the stop words."""
    parts = (query.text[:MAX_QUERY_CHARS], " ".join(query.focus)[:MAX_QUERY_CHARS])
    text, focus = (terms(part) for part in parts)
    if not text and not focus:
        text = terms(parts[0], stop_words=True)
    faint = set(terms(" ".join(query.faint)[:MAX_QUERY_CHARS]))
    weights = {term: FAINT_WEIGHT if term in faint else 1.0 for term in text}
    weights.update(dict.fromkeys(focus, FOCUS_WEIGHT))
    return Wanted(weights, tuple(map(_title, query.titles[:MAX_TITLES])))


def _title(name: str) -> WantedTitle:
    name = name[:1000]
    return WantedTitle(tuple(title_keys(name)), tuple(terms(name) or terms(name, stop_words=True)))
