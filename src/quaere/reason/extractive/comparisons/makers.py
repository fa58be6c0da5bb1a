"""Who made a thing, as a sentence about it says: "directed by Ada Novak and Piet Maas"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set

_DEEDS: Final = {
    "architect": "designed|built|planned",
    "artist": "painted|drawn|carved|made|illustrated",
    "author": "written|authored",
    "builder": "built|constructed",
    "composer": "composed|scored",
    "creator": "created|devised",
    "designer": "designed",
    "developer": "developed",
    "director": "directed",
    "editor": "edited",
    "engineer": "designed|engineered|built|planned",
    "founder": "founded|established",
    "illustrator": "illustrated",
    "inventor": "invented",
    "label": "released|issued|published",
    "maker": "made|built|manufactured",
    "manufacturer": "made|built|manufactured",
    "owner": "owned",
    "painter": "painted",
    "photographer": "photographed|shot",
    "producer": "produced",
    "publisher": "published",
    "sculptor": "sculpted|carved|made",
    "studio": "produced|developed|made",
    "translator": "translated",
    "writer": "written|authored",
}
"""By the word for who makes something, how it is said that it was made."""
_MAKERS: Final = word_set(
    "band brand business company firm group man people person studio team woman"
)
"""Words for those who did the deed named with them: "produced by the same company"."""
_BY_THE_SAME: Final = lazy_regex(
    r"(?i)\b(?P<deed>[a-z]+(?:ed|en|un|wn|ilt|ade)|led|sung|shot|run|set) by the same\b"
)
_NAME: Final = (
    r"(?-i:(?!(?:An?|Her|His|In|Its?|On|Our|The|Their)\b)[A-Z][\w.'’-]*"
    r"(?: (?:(?:and|&|da|de|di|du|la|le|of|van|von) )?[A-Z][\w.'’-]*){0,4})"
)
_JOINED: Final = lazy_regex(r" and |,\s*(?:and )?")


_PARTICIPLES: Final = {"wrote": "written", "drew": "drawn", "sang": "sung", "made": "made"}


def made_by(deed: str) -> str:
    """Return how it is said that something had the ``deed`` done to it: "written" of "wrote"."""
    told = deed.casefold()
    return re.escape(_PARTICIPLES.get(told, told))


def deeds_asked(about: str, sort: str) -> str | None:
    """Return how sources say who made what ``about`` is of, as alternatives; None for no maker.

    Args:
        about: What two things are said to share: "directed by the same person".
        sort: Of what sort that is: "person".
    """
    told = _BY_THE_SAME.search(about)
    if told is not None:
        is_maker = sort in _MAKERS or sort in _DEEDS
        return re.escape(told["deed"].casefold()) if is_maker else None
    return _DEEDS.get(sort)


def makers(deeds: str, text: str) -> Iterator[str]:
    """Yield the names of those by whom ``text`` says that one of ``deeds`` was."""
    pattern = (
        rf"(?i)\b(?:{deeds})(?:(?:,| and) [a-z]+ed)* by (?:the [a-z]+ )?"
        rf"(?P<names>{_NAME}(?:(?:,| and|, and) {_NAME}){{0,3}})"
    )
    active = rf"(?P<names>{_NAME}) (?:{deeds}) (?i:it|her|him|them)\b"
    for found in chain(re.finditer(pattern, text), re.finditer(active, text)):
        yield from (name.rstrip(".") for name in _JOINED.split(found["names"]))
