"""Ids that a model uses as words: "According to [2], …", "[1] says 1881, while [2] has 1874".

Markers are taken out of a sentence, which would leave "According to, …". What they stand for is put
in words first; the marker stays after it, for it is what the sentence cites. It may have no space
before it.
"""

from __future__ import annotations

import re
from typing import Final

_ID: Final = r"\[\d{1,5}(?:\s*[,;]\s*\d{1,5})*\]"
_IDS: Final = rf"{_ID}(?:\s*(?:,|;|&|and|und|et|y|e|en)?\s*{_ID})*"
_SEE: Final = r"(?:see|cf\.?|e\.g\.|from|sources?:?|siehe|vgl\.?|voir|véase|vedi|ver|zie)"
_IN_BRACKETS: Final = re.compile(rf"(?i)\s*\(\s*(?:{_SEE}\s*(?:also\s*)?)?(?P<ids>{_IDS})\s*\)")
_PARTED: Final = re.compile(rf"{_ID}")
_SAYS: Final = (
    r"(?:says?|states?|gives?|notes?|reports?|adds?|describes?|mentions?|names?|puts?|has|claims?"
    r"|confirms?|explains?|lists?|dates?|sagt|nennt|gibt|schreibt|berichtet|spricht)\b"
)
_SUBJECT: Final = re.compile(
    rf"(?i)(?P<before>^\s*|[,;:]\s*|\b(?:as|while|whereas|but|and|that|während|aber|und|dass)\s*)"
    rf"(?:(?:the\s+)?(?:passage|source|document|Quelle|Passage|Dokument)\s*)?"
    rf"(?P<id>{_ID})\s+(?P<says>{_SAYS})"
)
_OBJECT: Final = re.compile(
    rf"(?i)\b(?P<by>according to|as (?:\w+ )?(?:shown|stated|described|noted|explained|said|given)"
    rf" (?:in|by)|laut|gemäß|selon|d['’]après|según|secondo|segundo|volgens)\s*"
    rf"(?:(?:the\s+)?(?:passages?|sources?|documents?|Quellen?|Passagen?)\s*)?(?P<id>{_ID})"
)
_SOURCES: Final = {
    "laut": "der Quelle", "gemäß": "der Quelle", "selon": "la source", "d'après": "la source",
    "según": "la fuente", "secondo": "la fonte", "segundo": "a fonte", "volgens": "de bron",
}  # fmt: skip
_GERMAN: Final = frozenset({"sagt", "nennt", "gibt", "schreibt", "berichtet", "spricht"})


_NOUNS: Final = {
    False: ("the source", "one source", "another"),
    True: ("die Quelle", "eine Quelle", "eine andere"),
}
"""By whether they are German: of one that is alone, of the first of several, and of the others."""


def spelt_out(text: str) -> str:
    """Return ``text`` with words for the ids that its grammar needs, and without empty brackets.

    Ids in round brackets, with or without "see", lose the brackets.
    """
    text = _IN_BRACKETS.sub(lambda match: " " + "".join(_PARTED.findall(match["ids"])), text)
    text = _OBJECT.sub(_named, text)
    subjects = [*_SUBJECT.finditer(text)]
    for place, match in reversed([*enumerate(subjects)]):
        said = _subject(match, place, len(subjects))
        text = f"{text[: match.start()]}{said}{text[match.end() :]}"
    return text


def _named(match: re.Match[str]) -> str:
    source = _SOURCES.get(match["by"].lower().replace("’", "'"), "the source")
    return f"{match['by']} {source} {match['id']}"


def _subject(match: re.Match[str], place: int, among: int) -> str:
    """Return the match with a noun for its id: which of several ``among`` it is, by its place."""
    which = 0 if among == 1 else 1 + bool(place)
    noun = _NOUNS[match["says"].lower() in _GERMAN][which]
    if not match["before"].strip():
        noun = noun[0].upper() + noun[1:]
    before = match["before"].rstrip()
    return f"{before}{' ' if before else ''}{noun} {match['id']} {match['says']}"
