"""Which of two things is more: whether two statements compare them the same way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from types import MappingProxyType
from typing import Final, NamedTuple

from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.verify.align import Alignment, stems
from quaere.verify.ground import CLAUSE_END, ground
from quaere.verify.likeness import has_opposite, likeness, root
from quaere.verify.quantities import amounts, kind_of


class Compared(NamedTuple):
    """What a text puts above what."""

    before: frozenset[str]
    """Stems of what is more."""
    behind: frozenset[str]
    """Stems of what it is more than."""
    ways: Sequence[str]
    """What compares: its adjective, its degree."""
    denied: bool
    """Whether it is said not to be so."""
    above_all: bool
    """Whether it is more than all others, which are not named: "the longest"."""


def comparison(alignment: Alignment) -> int | None:
    """Return 1 where both compare the same way, -1 where not, None where either does not compare.

    "A is older than B" and "B is younger than A" compare the same way, and so does "A is the
    oldest" with both. What a text gives two figures for is compared, too.
    """
    said = _sides(alignment.said) or next(_superlatives(alignment.said), None)
    if said is None:
        return None
    plain = _sides(alignment.held)
    if plain is not None:
        return _way_round(said, plain)
    if said.above_all:
        return None
    ways = (_way_round(said, held) for held in _superlatives(alignment.held))
    return next((way for way in ways if way), None) or _by_figures(said, alignment.held)


def _way_round(said: Compared, held: Compared) -> int | None:
    ways = (_word_order(a, b) for a, b in product(said.ways, held.ways))
    turn = _order_of_things(said, held) * next(filter(None, ways), 0)
    if not turn:
        return None
    if said.denied is held.denied:
        return turn
    # "No faster than B" may be as fast: then "B is faster" is open, and "B is the fastest" is not.
    is_open = held.denied and not said.above_all and turn < 0
    return None if is_open else -turn


def _order_of_things(said: Compared, held: Compared) -> int:
    """Return 1 where both name the same thing as more, -1 where each names the other, else 0."""
    if said.above_all:
        return _side_of(said.before, held)
    if held.above_all:
        return _side_of(held.before, said)
    return direction(said.before, said.behind, held.before, held.behind)


def _side_of(thing: frozenset[str], two: Compared) -> int:
    """Return 1 where ``thing`` is the one of ``two`` that is more, -1 where it is the other."""
    thing -= stems(two.ways)  # what compares is on neither side
    first = thing & (two.before - two.behind)
    second = thing & (two.behind - two.before)
    return bool(first and not second) - bool(second and not first)


def compares_the_same_two(alignment: Alignment) -> bool:
    """Return whether both of the things compared are the same two in both, by their words.

    One that is not named, or that shares words with the other, may be another thing.
    """
    said, held = _sides(alignment.said), _sides(alignment.held)
    if said is None or held is None:
        return not is_english()
    before, behind, other, last = said.before, said.behind, held.before, held.behind
    # What compares is on neither side: "older" does not make Sund of Hask.
    crossed, straight = _met(before, behind, other, last, stems((*said.ways, *held.ways)))
    return all(crossed) or (all(straight) and not any(crossed))


def compares(text: str) -> bool:
    """Return whether ``text`` puts one of two things above the other, and not by a figure.

    "12 percent more than" can be reckoned from the figures of a source.
    """
    return _sides(text) is not None and not _BY_FIGURE.search(text)


_BY_FIGURE: Final = lazy_regex(r"(?i)\d[\d.,]*\s?(?:%|\w+)?\s(?:\w+\s){0,2}than\b")


def _sides(text: str) -> Compared | None:
    """Return what is compared by "than", or as one "of the two"."""
    is_likened = _TIMES.search(text) is not None
    text = _EXCEEDS.sub(" more than", _TIMES.sub(_as_comparative, text))
    is_of_two = _OF_TWO.search(text) is not None
    text = _OF_TWO.sub(" than", text)
    at = _THAN.search(text)
    if at is None or any(number.start - at.end() == 1 for number in amounts(ground(text))):
        return None  # "more than two months" compares no two things
    before, behind = text[: at.start()], text[at.end() :]
    words = re.findall(r"\w+", before.lower())
    ways = [*_ways(words, is_likened=is_likened), *_further_ways(before, behind)]
    if not ways:
        return None
    denied = _DENIAL.search(CLAUSE_END.split(before)[-1]) is not None
    return Compared(_things(before), _things(behind), ways, denied, above_all=is_of_two)


_THAN: Final = lazy_regex(r"(?i)(?<!\bother )\bthan\b")
_OF_TWO: Final = lazy_regex(r"(?i)(?<=er) of (?:the|these|those) two\b.*")
_DENIAL: Final = lazy_regex(r"(?i)\b(?:no|not|none|nobody|nothing|never|neither|cannot)\b|n['’]t\b")
_PART: Final = lazy_regex(
    r"(?:[,;:](?!\d)|\s[–—])\s*|\s(?:and|or|but|while|whereas|against|compared (?:with|to))\s"
)
"""What parts a text into what is said of one thing each."""
_KIND: Final = lazy_regex(r"\A\s*\w+")
_SUPERLATIVE: Final = lazy_regex(
    r"(?i)\b(?:(?P<degree>most|least) (?P<word>\w+)|(?P<est>\w{3,}est))\b"
)


def _superlatives(text: str) -> Iterator[Compared]:
    """Yield what each part of ``text`` puts above all others: "the longest"."""
    for part in _PART.split(text):
        match = _SUPERLATIVE.search(part)
        told = _adjective(match) if match else ""
        if match and told:
            way = f"less {told}" if match["degree"] == "least" else told
            # "The fastest rider was she": the noun says what kind it is.
            things = _things(part[: match.start()]) or _things(_KIND.sub("", part[match.end() :]))
            yield Compared(things, frozenset(), [way.lower()], denied=False, above_all=True)


def _adjective(match: re.Match[str]) -> str:
    """Return the adjective of a superlative; empty where ``match`` is none, such as "forest"."""
    told = match["word"] or re.sub(r"(?<=\w{3})i?est$", "", match["est"])
    return told if _is_adjective(told.lower()) else ""


def puts_first(said: str, held: str) -> bool:
    """Return whether ``said`` has above all others what ``held`` has among several, or second."""
    mine, theirs = dict(_ranked(said)), dict(_ranked(held))
    return any(theirs.get(way) is False for way, is_first in mine.items() if is_first)


def _ranked(text: str) -> Iterator[tuple[str, bool]]:
    """Yield every superlative of ``text``, and whether what it is said of is the first alone."""
    for match in _SUPERLATIVE.finditer(text):
        if _adjective(match):
            yield match[0].lower(), _AMONG.search(text, endpos=match.start()) is None


_AMONG: Final = lazy_regex(
    r"(?i)\b(?:(?:one|two|three|four|five|some|several|many|most) of|among(?:st)?|nearly|almost"
    r"|second|third|fourth|fifth|next)[ -](?:the |its |their |\w+['’]s )?(?:\w+ )?\Z"
)
"""Before a superlative of which others have as much, or more."""


def _by_figures(said: Compared, held: str) -> int | None:
    """Return 1 where the figures that ``held`` has for both bear ``said`` out, -1 where not.

    None where it has not one figure of one kind for each of them, or they do not measure that.
    """
    sign = _first_sign(said.ways)
    figures = _figures_of_both(said, held)
    if not sign or figures is None:
        return None
    first, second = figures
    if kind_of(first) != kind_of(second) or not _measures(said.ways, kind_of(first)):
        return None
    more = (first.value > second.value) - (first.value < second.value)
    return (-sign * more if said.denied else sign * more) or None


def _figures_of_both(said: Compared, held: str) -> tuple[Number, Number] | None:
    """Return the figure that ``held`` has for what is more in ``said``, and that for the other.

    None unless a single pair of its parts tells one figure of each.
    """
    numbered = [(stems([part]), list(amounts(ground(part)))) for part in _PART.split(held)]
    told = [(labels, found[0]) for labels, found in numbered if len(found) == 1]
    pairs = [(a, b) for (one, a), (two, b) in permutations(told, 2) if _are_sides(one, two, said)]
    return pairs[0] if len(pairs) == 1 else None


def _are_sides(one: frozenset[str], two: frozenset[str], said: Compared) -> bool:
    """Return whether ``one`` has labels of what is more in ``said``, and ``two`` of the other."""
    first, second = said.before - said.behind, said.behind - said.before
    return bool((one - two) & first) and bool((two - one) & second)


def _first_sign(ways: Sequence[str]) -> int:
    return next((sign for sign in map(_sign, ways) if sign), 0)


def _sign(way: str) -> int:
    """Return 1 for a ``way`` of being more, -1 for one of being less, 0 where it is neither."""
    return (way in _MORE or way in _MORE_OF) - (way in _LESS or way in _LESS_OF)


def _measures(ways: Sequence[str], kind: str) -> bool:
    """Return whether one of ``ways`` is told by figures of this ``kind``."""
    return any(
        way in _MORE | _LESS or kind in {*_MORE_OF.get(way, ()), *_LESS_OF.get(way, ())}
        for way in ways
    )


_MORE_OF: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "longer": frozenset({"m", "s", "mo"}),
        "taller": frozenset({"m"}),
        "wider": frozenset({"m"}),
        "deeper": frozenset({"m"}),
        "heavier": frozenset({"kg"}),
        "dearer": frozenset({"money"}),
        "expensive": frozenset({"money"}),
        "warmer": frozenset({"temperature"}),
        "hotter": frozenset({"temperature"}),
        "older": frozenset({"mo"}),
    }
)
"""What is more where a figure of one of these kinds (see `kind_of`) is larger."""
_LESS_OF: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "shorter": frozenset({"m", "s", "mo"}),
        "narrower": frozenset({"m"}),
        "shallower": frozenset({"m"}),
        "lighter": frozenset({"kg"}),
        "cheaper": frozenset({"money"}),
        "colder": frozenset({"temperature"}),
        "cooler": frozenset({"temperature"}),
        "younger": frozenset({"mo"}),
    }
)
"""What is more where such a figure is smaller."""


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
    return _ways_of_degree(degree, adjective[0].removesuffix("ly"), is_likened=is_likened)


def _ways_of_degree(degree: str, told: str, *, is_likened: bool) -> list[str]:
    """Return what compares in a ``degree`` and the one word after it, the likeliest first."""
    if told == "time":
        return ["slower" if degree == "more" else "faster", degree]
    # "Less fat" may be said of what is less fat, or has less of it.
    way = f"{_DEGREE_OF.get(degree, 'less ')}{told}"
    return [way, degree] if is_likened or _is_adjective(told) else [degree, way]


def _further_ways(before: str, behind: str) -> Iterator[str]:
    """Yield what else compares: "it was noisier but used less", "longer than B, but less steep"."""
    *earlier, _ = re.split(r"\b(?:and|but)\b", before)
    later = _ELLIPTIC.search(behind)
    for part in (*earlier, *([later["way"]] if later else [])):
        words = re.findall(r"\w+", part.lower())[-2:]
        if words and _is_adjective(_base(words[-1])):
            if words[-1].endswith("er"):
                yield words[-1]
            elif words[0] in _DEGREES:
                yield f"{_DEGREE_OF.get(words[0], 'less ')}{words[-1]}"


_ELLIPTIC: Final = lazy_regex(
    r"(?i),? (?:and|but|yet|though|although) (?P<way>(?:\w+ )?\w+)\s*[.;]?\Z"
)
_TIMES: Final = lazy_regex(
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


_EXCEEDS: Final = lazy_regex(r"(?i)\s(?:outnumber|exceed|surpass|outweigh|outlast|outperform)\w*")


def direction(
    before: frozenset[str], behind: frozenset[str], other: frozenset[str], last: frozenset[str]
) -> int:
    """Return 1 where the two things are on the same sides, -1 where they are exchanged, else 0.

    What tells when or where may stand on either side: "last year more novels were read than plays".
    """
    crossed, kept = _met(before, behind, other, last)
    if any(crossed) and (all(crossed) or not all(kept)):
        return -1
    return 1 if kept[1] else 0


def _word_order(a: str, b: str) -> int:
    if a == b:
        return 1
    turned = a.startswith("less ") is not b.startswith("less ")
    a, b = a.removeprefix("less "), b.removeprefix("less ")
    if _base(a) == _base(b):
        return -1 if turned else 1
    if {a, b} & _DEGREES and {a, b} <= _MORE | _LESS:
        return 1 if (a in _MORE) is (b in _MORE) is not turned else -1
    pairs = product((a, _base(a)), (b, _base(b)))
    alike = (likeness(root(one), root(other)) for one, other in pairs)
    weight, opposite = max(alike, key=lambda each: each[0])
    if not weight:
        return 0
    return -1 if opposite is not turned else 1


def _base(word: str) -> str:
    """Return an adjective without the ending that compares: "damper" is "damp", "fatter" "fat"."""
    plain = re.sub(r"(?<=\w{3})(?:(?<=i)er|er|r)$", "", word).removesuffix("e")
    return re.sub(r"i$", "y", re.sub(r"([bdgmnt])\1$", r"\1", plain))


def _met(
    before: frozenset[str],
    behind: frozenset[str],
    other: frozenset[str],
    last: frozenset[str],
    idle: frozenset[str] = frozenset(),
) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """Return the words that the two sides share crosswise, and those shared side by side.

    Words that are on both sides of one of them, and ``idle`` ones, do not tell sides apart.
    """
    shared = before & behind | other & last | idle
    crossed = [(before & last) - shared, (behind & other) - shared]
    return crossed, [(before & other) - shared, (behind & last) - shared]
