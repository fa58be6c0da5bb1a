"""What scoring needs to know of a passage, computed once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quaere.text.sentences import sentences
from quaere.text.tokens import stem, words

TITLE_REPEATS = 3
"""A word of the title counts as often as this, as it does in the folder index."""

_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class Title:
    """The spellings under which a title may be named elsewhere, each in folded words."""

    full: str
    base: str
    """Without a final parenthesis: ``mercury`` for "Mercury (planet)"."""
    short: str
    """Up to the first comma: ``springfield`` for "Springfield, Illinois"."""

    @property
    def exact(self) -> tuple[str, str]:
        """The spellings that leave nothing of the name away."""
        return (self.full, self.base)


@dataclass(frozen=True, slots=True)
class Features:
    """A passage, prepared for scoring."""

    id: str
    title: Title
    text: str
    counts: Mapping[str, int]
    """How often each term (stem) occurs in title and text."""
    length: int
    phrase: str
    """Title and text as folded words, see `quaere.evidence.query_terms.phrase`."""
    vocabulary: frozenset[str]
    sentences: tuple[tuple[str, ...], ...]
    """The folded words of each sentence."""


@lru_cache(maxsize=4096)
def features_of(key: str, title: str, text: str) -> Features:
    """Return the passage of id ``key`` prepared for scoring; the last few thousand are kept."""
    forms = title_forms(title)
    counts = Counter({stem(word): TITLE_REPEATS for word in forms.full.split()})
    lines: list[tuple[str, ...]] = []
    for span in sentences(text):
        sentence = text[span.start : span.end]
        folded = words(sentence)
        counts.update(map(stem, folded))
        lines.append(tuple(folded))
    body = [word for line in lines for word in line]
    return Features(
        id=key,
        title=forms,
        text=text,
        counts=counts,
        length=counts.total(),
        phrase=phrase([*forms.full.split(), "|", *body]),
        vocabulary=frozenset(body) | frozenset(forms.full.split()),
        sentences=tuple(lines),
    )


def phrase(folded: Sequence[str]) -> str:
    """Return folded words as one text in which whole words can be looked for."""
    return f" {' '.join(folded)} "


def title_forms(title: str) -> Title:
    """Return the spellings under which ``title`` may be named elsewhere."""
    bare = _PARENTHESIS.sub("", title)
    full = " ".join(words(title))
    base = " ".join(words(bare)) or full
    return Title(full, base, " ".join(words(bare.partition(",")[0])) or base)
