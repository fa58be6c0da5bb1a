"""Reads citations in other forms than that which is asked for, as models of all sizes write them.

They are asked for ids in square brackets, like [3], and write "(3)", "³", "[Source 3]" or
"(passages 3 and 4)" all the same. An answer that cites in its own way cites what it says it does.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from typing import Final
from urllib.parse import unquote, urlsplit

from quaere.domain.evidence import Evidence
from quaere.text.lazy_regex import lazy_regex
from quaere.text.raised import lowered

WORD: Final = (
    r"(?:sources?|passages?|documents?|docs?|evidence|citations?|cite[ds]?|references?|refs?|ids?"
    r"|quellen?|dokumente?|fuentes?|pasajes?|fonti|bron(?:nen)?)"
)
"""What a number in a citation is said to be of."""
_AND: Final = r"\s*(?:[,;&–-]|and|und|et|y|e|en)\s*"
_NUMBERS: Final = rf"#?\d{{1,5}}(?:{_AND}(?:{WORD}\s*)?#?\d{{1,5}})*"
_NAMED: Final = lazy_regex(
    rf"(?i)(?:[\[(［（]|\\\[)\s*(?:(?:see|from|cf\.|siehe|vgl\.)\s+)?"
    rf"(?:{WORD}\s*[:=#.]?\s*|#)[\"']?(?P<numbers>{_NUMBERS})[\"']?\s*(?:[\])］）]|\\\])"
)
"""Brackets that say themselves what their numbers are of: [Source 3], (passage 3), [#3]."""
_LETTERED: Final = _NUMBERS.replace("#?", "[#P]?")
_SQUARE: Final = lazy_regex(rf"(?:［|\\\[|\[P)\s*(?P<numbers>{_LETTERED})\s*(?:］|\\?\])")
"""Square brackets of another script, or as TeX has them, or around a letter for a passage."""
_ENDS: Final = r"(?=\s*(?:[.,;:!?。|]|$|\n|[(¹²³⁴-⁹]|<sup>))"
_ROUND: Final = lazy_regex(
    rf"(?:(?<=[\w%\"”’])\s+|(?<=[)}}])\s*)[({{](?P<numbers>{_NUMBERS})[)}}]{_ENDS}"
)
"""After a space, for else it may be an argument: exit(1)."""
_RAISED: Final = lazy_regex(
    r"(?P<before>[^\W\d_]{3}|\d{3}|[.,;:!?)\"”'’%¹²³⁴-⁹>])"
    r"(?:(?P<raised>[¹²³⁴-⁹⁰]{1,3})|<sup>\s*(?P<tagged>\d{1,3}(?:\s*,\s*\d{1,3})*)\s*</sup>)"
)
"""Raised figures, but for powers: of 10³, m² and km² too little precedes them."""
_LISTED: Final = r"\^?\d{1,5}(?:\s*[,;–-]\s*\^?\d{1,5})*"
BARE: Final = lazy_regex(rf"\[\s?{_LISTED}\s?\](?!\()|【")
"""Begins a citation as it is asked for, or one that nothing else looks like."""
_DOUBLED: Final = lazy_regex(rf"\[\s?(?P<cited>\[\s?{_LISTED}\s?\])\s?\](?:\([^()\s]*+\))?")
"""In two pairs of brackets, also as the words of a link: [[1]](https://...)."""
_JOINED: Final = lazy_regex(r"\[\^?(\d{1,5})\]\s?[–—-]\s?\[\^?(\d{1,5})\](?!\()")
"""A range whose ends are in brackets of their own: [1]-[3]."""
_PLACED: Final = lazy_regex(
    rf"(?i)\[(?P<ids>{_LISTED}),\s?"
    r"(?:(?:pp?|pages?|ch|chapter|sec|section|lines?|s|seiten?|kap)\b\.?|§{1,2})\s?[\d.,–-]{1,20}\]"
)
"""With where in a passage it is: [2, p. 4]."""
_CITED: Final = lazy_regex(r"\d{1,5}")
_DASH: Final = lazy_regex(r"(\d)\s*([–-])\s*(?=\d)")


_QUOTED_NAME: Final = lazy_regex(
    rf"(?i)[\[(](?:(?:see|from|{WORD})\b:?\s*)?[\"“']?(?P<name>[^\[\]()\n\"”]{{3,200}}?)[\"”']?[\])]"
)
"""What may be the title or the address of a passage in place of its id."""
_INTRODUCED: Final = lazy_regex(rf"(?i)[\[(]\s*(?:see|from|{WORD})\b")
_FILE: Final = lazy_regex(r"://|\.[a-z]\w{1,4}$")
"""What the name of a file, or an address, has."""
MOST_OF_ONE_NAME: Final = 3
"""Passages that a name may stand for; of more it would not be clear which of them is meant."""


def names_of(evidence: Iterable[Evidence]) -> dict[str, tuple[int, ...]]:
    """Return the ids of what is called by a title, an address, or the name of a file, folded.

    A name of several sources, or of one that is shown in many passages, stands for none.
    """
    called: dict[str, dict[int, str]] = {}
    for entry in evidence:
        file = unquote(urlsplit(entry.url).path.rpartition("/")[2])
        for name in {entry.title, entry.url, file, file.rpartition(".")[0]} - {""}:
            called.setdefault(folded(name), {})[entry.id] = entry.url
    return {
        name: tuple(ids)
        for name, ids in called.items()
        if len(ids) <= MOST_OF_ONE_NAME and len(set(ids.values())) == 1
    }


def folded(name: str) -> str:
    """Return ``name`` as it is compared with others."""
    return " ".join(name.split()).casefold()


def by_id(text: str, names: Mapping[str, tuple[int, ...]]) -> str:
    """Return ``text`` with ids in place of the ``names`` that it has in brackets."""

    def marker(match: re.Match[str]) -> str:
        ids = names.get(folded(match["name"]), ())
        return f"[{', '.join(map(str, ids))}]" if ids and _is_meant(match) else match[0]

    return _QUOTED_NAME.sub(marker, text) if names else text


def _is_meant(name: re.Match[str]) -> bool:
    """Return whether a ``name`` in brackets cannot be prose: "(NASA)" and "list[index]" may be."""
    before, after = name.string[max(0, name.start() - 1) : name.start()], name.end()
    if before == "]" or name.string.startswith("(", after):
        return False  # a link
    if _FILE.search(name["name"]) or _INTRODUCED.match(name[0]):
        return True
    return name[0].startswith("[") and " " in name["name"]


def in_brackets(text: str, known: Container[int]) -> str:
    """Return ``text`` with its citations as ids in square brackets.

    What may as well be something else, a number in round brackets or a raised one, is taken for a
    citation only of a ``known`` id. None is known to who cites in square brackets elsewhere.
    """
    text = _DOUBLED.sub(r"\g<cited>", text)
    text = _PLACED.sub(r"[\g<ids>]", _JOINED.sub(r"[\1-\2]", text))
    text = _SQUARE.sub(_marker, _NAMED.sub(_marker, text))

    def marker(match: re.Match[str]) -> str:
        return _marker(match) if _all_known(match["numbers"], known) else match[0]

    def raised(match: re.Match[str]) -> str:
        numbers = match["tagged"] or lowered(match["raised"])
        if not _all_known(numbers, known):
            numbers = ", ".join(numbers)  # ²³ for the second and the third
        return f"{match['before']} [{numbers}]" if _all_known(numbers, known) else match[0]

    return _RAISED.sub(raised, _ROUND.sub(marker, text))


def _all_known(numbers: str, known: Container[int]) -> bool:
    return all(int(number) in known for number in _CITED.findall(numbers))


def _marker(match: re.Match[str]) -> str:
    """Return the marker of the match's numbers; a dash between two stays, for it is a range."""
    numbers = _DASH.sub(r"\1-", match["numbers"])
    listed = re.findall(r"\d{1,5}(?:-\d{1,5})?", numbers)
    return f" [{', '.join(listed)}]"
