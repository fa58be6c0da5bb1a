"""Which of two things is more: whether two statements compare them the same way round."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Final

from quaere.text.languages.language import spoken
from quaere.verify.align import Alignment, stems
from quaere.verify.ground import ground
from quaere.verify.likeness import has_opposite, likeness, root
from quaere.verify.quantities import amounts


def comparison(alignment: Alignment) -> int | None:
    """Return 1 where both compare the same way, -1 where not, None where either does not compare.

    "A is older than B" and "B is younger than A" compare the same way.
    """
    said, held = _sides(alignment.said), _sides(alignment.held)
    if said is None or held is None:
        return None
    order = direction(said[0], said[1], held[0], held[1])
    ways = (_word_order(a, b) for a, b in product(said[2], held[2]))
    word = next((way for way in ways if way), 0)
    return order * word if order and word else None


def compares_the_same_two(alignment: Alignment) -> bool:
    """Return whether both of the things compared are the same two in both, by their words.

    One that is not named, or that shares words with the other, may be another thing.
    """
    said, held = _sides(alignment.said), _sides(alignment.held)
    if said is None or held is None:
        return spoken() is not None
    (before, behind, _), (other, last, _) = said, held
    shared = before & behind | other & last
    crossed = [(before & last) - shared, (behind & other) - shared]
    straight = [(before & other) - shared, (behind & last) - shared]
    return all(crossed) or (all(straight) and not any(crossed))


def compares(text: str) -> bool:
    """Return whether ``text`` puts one of two things above the other, and not by a figure.

    "12 percent more than" can be reckoned from the figures of a source.
    """
    return _sides(text) is not None and not _BY_FIGURE.search(text)


_BY_FIGURE: Final = re.compile(r"(?i)\d[\d.,]*\s?(?:%|\w+)?\s(?:\w+\s){0,2}than\b")


def _sides(text: str) -> tuple[frozenset[str], frozenset[str], Sequence[str]] | None:
    """Return the stems before and behind "than", and what compares: its adjective, its degree."""
    is_likened = _TIMES.search(text) is not None
    text = _EXCEEDS.sub(" more than", _TIMES.sub(_as_comparative, text))
    at = re.search(r"\bthan\b", text, re.IGNORECASE)
    if at is None or any(number.start - at.end() == 1 for number in amounts(ground(text))):
        return None  # "more than two months" compares no two things
    before, behind = text[: at.start()], text[at.end() :]
    words = re.findall(r"\w+", before.lower())
    ways = _ways(words, is_likened=is_likened)
    return (_things(before), _things(behind), ways) if ways else None


def _things(text: str) -> frozenset[str]:
    """Return the stems of ``text`` without its measures, which tell by how much."""
    for number in reversed([each for each in amounts(ground(text)) if each.unit]):
        text = f"{text[: number.start]} {text[number.end :]}"
    return stems([text])


def _ways(words: Sequence[str], *, is_likened: bool) -> list[str]:
    """Return what compares in ``words``, those before "than": a degree, and adjectives.

    Many nouns end in "-er", so that "less power" has one comparative.
    """
    places = [n for n, word in enumerate(words) if word in _DEGREES]
    if not places:
        return list(filter(re.compile(r".*er").fullmatch, words))[-1:]
    degree, adjective = words[places[-1]], words[places[-1] + 1 :]
    if len(adjective) != 1:
        return [degree]
    told = adjective[0].removesuffix("ly")
    # "Less fat" may be said of what is less fat, or has less of it.
    way = f"{_DEGREE_OF.get(degree, 'less ')}{told}"
    return [way, degree] if is_likened or _is_adjective(told) else [degree, way]


_TIMES: Final = re.compile(
    r"(?i)\b(?:(?P<part>half|not)|twice|thrice|[\w.]+ times) as (?P<degree>\w+)"
    r"(?P<what>(?<=much|many)(?: \w+){1,5}?|) as\b"
)
_MORE: Final = frozenset({"more", "greater", "larger", "higher", "bigger"})
_LESS: Final = frozenset({"less", "fewer", "smaller", "lower"})
_DEGREE_OF: Final[Mapping[str, str]] = MappingProxyType({"more": ""})
_DEGREES: Final = frozenset({"more", "less", "fewer"})
_LONG: Final = frozenset(
    ("expensive", "costly", "difficult", "dangerous", "harmful", "frequent", "common", "modern")
)
"""Adjectives that are compared by "more"."""


def _as_comparative(match: re.Match[str]) -> str:
    degree, what = match["degree"], match["what"]
    if degree in {"much", "many"}:
        return f"{'less' if match['part'] else 'more'}{what} than"
    return f"less {degree}{what} than" if match["part"] else f"{degree}er{what} than"


def _is_adjective(word: str) -> bool:
    return word in _LONG or any(has_opposite(root(word + end)) for end in ("", "er", "r"))


_EXCEEDS: Final = re.compile(r"(?i)\s(?:outnumber|exceed|surpass|outweigh|outlast|outperform)\w*")


def direction(
    before: frozenset[str], behind: frozenset[str], other: frozenset[str], last: frozenset[str]
) -> int:
    """Return 1 where the two things are on the same sides, -1 where they are exchanged, else 0."""
    shared = before & behind | other & last
    crossed = len((before & last) - shared) + len((behind & other) - shared)
    if crossed:
        return -1
    return 1 if (behind & last) - shared else 0


def _word_order(a: str, b: str) -> int:
    if a == b:
        return 1
    turned = a.startswith("less ") is not b.startswith("less ")
    a, b = a.removeprefix("less "), b.removeprefix("less ")
    if _base(a) == _base(b):
        return -1 if turned else 1
    if {a, b} & _DEGREES and {a, b} <= _MORE | _LESS:
        return 1 if (a in _MORE) is (b in _MORE) is not turned else -1
    weight, opposite = likeness(root(a), root(b))
    if not weight:
        return 0
    return -1 if opposite is not turned else 1


def _base(word: str) -> str:
    """Return an adjective without the ending that compares: "damper" is "damp"."""
    return re.sub(r"(?<=\w{3})(?:(?<=i)er|er|r)$", "", word).removesuffix("e")
