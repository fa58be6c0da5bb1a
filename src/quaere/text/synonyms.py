"""Words of different stems that speak of the same relation, as "wife" and "married" do.

Questions and sources seldom use the same one: a question asks for a film's director, the source
says who directed it.
"""

from __future__ import annotations

from collections.abc import Mapping

from quaere.text.tokens import stem

RELATIONS = """
spouse husband wife marry married marriage widow consort
father mother parent son daughter child children
grandfather grandmother father mother son daughter maternal paternal
sibling brother sister twin
director directed direct filmmaker
performer singer sing sang perform performed artist band recorded song album single
author wrote written write writer novel book
composer composed compose music
actor actress play played plays star starred starring portray cast role character voice
creator create created founder founded found establish established developed developer
born birthplace birth birthday native
died die death dead deceased killed
country nation nationality citizen citizenship
location located situated headquarters capital county state province region city town district
educated studied attended graduate graduated university college school student education
member belong team club league player
owner owned own parent bought acquired buy company subsidiary
label record signed
population inhabitants residents census
president leader head minister governor chairman
release released published publish premiere
war battle conflict invasion conquered
"""
"""One relation a line."""


def _read(groups: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for members in map(str.split, groups.strip().splitlines()):
        for member in members:
            found.setdefault(stem(member), {}).update(dict.fromkeys(members))
    return {term: tuple(members) for term, members in found.items()}


_RELATED = _read(RELATIONS)


def related_words(word: str) -> tuple[str, ...]:
    """Return the words that speak of the same relation as ``word``, those of its stem left out."""
    own = stem(word)
    return tuple(other for other in _RELATED.get(own, ()) if stem(other) != own)
