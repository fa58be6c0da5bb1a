"""Of how many a statement says something: of none, few, some, half, most, nearly all or all.

Each word for it stands for a share from a least to a most. "Most" is said where "nearly all" are,
and "some" where "all" are, but not the reverse; who says "not every" says it of less than all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, content
from quaere.verify.ground import Ground, ground
from quaere.verify.likeness import likeness

_SHARES: Final[Mapping[str, tuple[float, float]]] = MappingProxyType({
    "not_all": (0.0, 0.98), "nearly_all": (0.75, 0.98), "part_only": (0.0, 0.98),
    "few": (0.0, 0.2), "minority": (0.0, 0.49), "all": (1.0, 1.0), "most": (0.51, 1.0),
    "half": (0.5, 0.5), "many": (0.25, 1.0), "some": (0.05, 1.0),
})  # fmt: skip
"""Least and most share that the words of each group below stand for."""
_LEEWAY: Final = 0.2
"""How much more than its source a sentence may say it of: who reads "several" may write "many"."""
_ROUNDING: Final = 0.005
"""By how much two shares may differ that are the same in other words: "a third" and "33%"."""
_ALL: Final = "all|every(?:one|body|where)?|each|always|whole|entire(?:ly)?|completely|fully"
_WORDS: Final = lazy_regex(
    rf"(?i)\b(?:(?P<not_all>not (?:{_ALL}|necessarily))"
    rf"|(?P<nearly_all>(?:nearly|almost|virtually|practically) (?:the )?(?:{_ALL})"
    r"|(?:great|vast|large|overwhelming) majority|all but (?:one|two|a few))"
    r"|(?P<part_only>only (?:some|parts?|one|two|three)\b(?! \w*(?:year|day|hour)s?)|only(?=[).;]))"
    r"|(?P<few>hardly (?:any|ever)|(?:only |just )a few|(?<!\ba )few|seldom|rarely"
    r"|(?:small|tiny) (?:number|share|part|minority|proportion))"
    r"|(?P<minority>minority)"
    rf"|(?P<all>(?:{_ALL}|throughout)\b(?! (?:other|second|third|\d|day|night|week|month|year"
    r"|hour|minute|time)))"
    r"|(?P<most>(?<!\bthe )(?<!\bits )(?<!\bat )most|mostly|mainly|largely|usually|majority"
    r"|greater part)"
    r"|(?P<half>half(?= (?:of|the|its|his|her|their|all)\b))"
    r"|(?P<many>many|numerous|often|large (?:number|share|part|proportion))"
    r"|(?P<some>some|several|a few|parts? of|partly|partial(?:ly)?|sometimes|occasionally"
    r"|(?:one|two|three|four) of|certain(?= (?:\w+ )?\w+s\b)))\b"
)
_OF_WHICH: Final = lazy_regex(
    r"(?i)\bof (?:which|whom|these|them|(?:the|its|their) \w+(?: \w+)?),? (?:an? |one )?\Z"
)
_OF_THE: Final = lazy_regex(r"(?i) (?:out )?of (?:the|its|his|her|their|these|those) ")
_NOT: Final = lazy_regex(r"(?i)[^,;:.]{0,60}?(?:\bnot|n['’]t)\b(?! (?:only|all|every))")


@dataclass(frozen=True, slots=True)
class _Quantifier:
    """The share of something that is spoken of."""

    least: float
    most: float
    what: str
    """Stem of the next word that tells something, not as "people" does; empty without one."""


def widens(alignment: Alignment) -> bool:
    """Return whether the sentence says of all, or of many, what the source says of fewer."""
    pairs = [*_pairs(alignment)]
    return bool(pairs) and all(
        said.least > held.least + _LEEWAY or said.least > held.most + _ROUNDING
        for said, held in pairs
    )


def narrows(alignment: Alignment) -> bool:
    """Return whether the sentence says only of a part what the source says of more."""
    pairs = [*_pairs(alignment)]
    return bool(pairs) and all(said.most < held.least - _ROUNDING for said, held in pairs)


def _pairs(alignment: Alignment) -> Iterator[tuple[_Quantifier, _Quantifier]]:
    """Yield the first quantifier of the sentence with those of the source for the same thing.

    Where none is for the same, all that is said of all with each of them.
    """
    said = next(_quantifiers(alignment.said), None)
    if said is not None:
        held = [*_quantifiers(alignment.held)]
        same = [each for each in held if likeness(said.what, each.what)[0]]
        yield from ((said, each) for each in same or (held if said.least == 1 else ()))


def _quantifiers(text: str) -> Iterator[_Quantifier]:
    """Yield every word or share of ``text`` that says of how many, in order."""
    worded = ((m.start(), (m.end(), *_SHARES[m.lastgroup or ""])) for m in _WORDS.finditer(text))
    shares = ((start, (end, share, share)) for start, end, share in _shares(ground(text)))
    for _, (end, least, most) in sorted({**dict(worded), **dict(shares)}.items()):
        behind = (word.stem for word in content(text) if word.start >= end and word.weight == 1)
        what = next(behind, "")
        if least < 1 and _NOT.match(text[end:]):
            yield _Quantifier(1 - most, 1 - least, what)
        else:
            yield _Quantifier(least, most, what)


def _shares(said: Ground) -> Iterator[tuple[int, int, float]]:
    """Yield where each share of ``said`` is, as in "a third of the" or "two of the five", and it.

    Shares are from 0 to 1.
    """
    for share in (*said.shares, *(n for n in said.numbers if n.unit == "%")):
        if said.text.startswith(" of ", share.end) or _OF_WHICH.search(said.text, 0, share.start):
            yield share.start, share.end, float(share.value) / 100
    for part, whole in pairwise(said.numbers):
        if _OF_THE.fullmatch(said.text[part.end : whole.start]) and whole.value > 0:
            yield part.start, whole.end, float(part.value / whole.value)
