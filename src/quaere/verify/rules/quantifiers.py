"""Of how many, up to how much, how often, and of both or of either a statement says something.

Each word for how many stands for a share from a least to a most: "most" is said where "nearly all"
are, and "some" where "all" are, but not the reverse; who says "not every" says it of less than all.

Who turns the side of a figure ("up to 12 metres", "over 12 metres") and denies it as well says the
same: boats over 12 metres may not moor, and boats of up to 12 metres may. "36 litres a minute" is
not "36 litres an hour".

Where two things are named first, or may be had, "and" and "or" say the same: "pupils and students
pay half", "pupils or students pay half". Where they are demanded, or one shuts the other out, they
do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, pairwise, product
from types import MappingProxyType
from typing import Final, NamedTuple

from quaere.text.amounts import rates
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.verify.align import Alignment, content, stems
from quaere.verify.ground import Ground, ground
from quaere.verify.likeness import alike, likeness
from quaere.verify.quantities import amounts, is_among, is_equal

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


class _Quantifier(NamedTuple):
    """The share of something that is spoken of."""

    least: float
    most: float
    what: str
    """Stem of the next word that tells something, not as "people" does; empty without one."""

    @property
    def turned(self) -> _Quantifier:
        """The share of which it is not so."""
        return _Quantifier(1 - self.most, 1 - self.least, self.what)


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
        told = _Quantifier(least, most, what)
        yield told.turned if least < 1 and _NOT.match(text[end:]) else told


def _shares(said: Ground) -> Iterator[tuple[int, int, float]]:
    """Yield where each share of ``said`` is, as in "a third of the" or "two of the five", and it.

    Shares are from 0 to 1.
    """
    for share in (*said.shares, *(n for n in said.numbers if n.unit == "%")):
        of_which = _OF_WHICH.search(said.text, endpos=share.start)
        if of_which or said.text.startswith(" of ", share.end):
            yield share.start, share.end, float(share.value) / 100
    for part, whole in pairwise(said.numbers):
        if _OF_THE.fullmatch(said.text[part.end : whole.start]) and whole.value > 0:
            yield part.start, whole.end, float(part.value / whole.value)


_MORE: Final = (
    "more|longer|older|higher|larger|greater|heavier|wider|later|taller|faster|warmer|hotter|deeper"
    "|thicker|stronger|bigger"
)
_LESS: Final = (
    "less|fewer|shorter|younger|lower|smaller|lighter|narrower|earlier|slower|colder|cooler"
    "|shallower|thinner|weaker"
)
_ABOVE: Final = lazy_regex(
    r"(?i)\b(?:over|above|beyond|after|exceed\w*|at least|minimum(?: of)?|from"
    rf"|no (?:{_LESS}) than|(?<!\bno )(?:{_MORE}) than)\s\W?\Z"
)
_BELOW: Final = lazy_regex(
    r"(?i)\b(?:under|below|up to|within|for|before|until|at most|maximum(?: of)?"
    rf"|no (?:{_MORE}) than|(?<!\bno )(?:{_LESS}) than)\s\W?\Z"
)
_AND_MORE: Final = lazy_regex(
    rf"(?i)\s(?:\w+\s)?(?:(?:or|and) (?:{_MORE}|over|above|upwards)\b(?! than|\s\W?\d)"
    r"|at (?:the )?(?:least|earliest)\b(?!\s\W?\d))"
)
_AND_LESS: Final = lazy_regex(
    rf"(?i)\s(?:\w+\s)?(?:(?:or|and) (?:{_LESS}|under|below)\b(?! than|\s\W?\d)"
    r"|at (?:the )?(?:most|latest)\b(?!\s\W?\d))"
)
_REST: Final = lazy_regex(
    r"(?i)[;,.]\s+(?:and |but |while )?(?:all |any |every )?(?:the )?"
    r"(?:others?|rest|everything else|anything else|otherwise)\b(?P<told>[^;.]*)"
)
_AT_MOST: Final = lazy_regex(
    r"(?i)\b(?:at most|up to|maximum|no \w+ than|limit\w*"
    r"|(?:not|n['’]t|cannot) (?:\w+ ){0,2}?(?:more|\w+er) than)\b"
)
_BEFORE_CHARS: Final = 24
"""Characters before a figure in which the words that bound it stand."""


def turns_limit(said: str, held: str) -> int:
    """Return -1 where a figure of both is the least in one and the most in the other.

    1 where it is the same in both, 0 where either sets no limit.
    """
    mine, theirs = _limits(said), _limits(held)
    met = [side * other for n, side in mine for m, other in theirs if is_equal(n, m)]
    return met[0] if met and len(set(met)) == 1 else 0


def is_limit(text: str) -> bool:
    """Return whether ``text`` says up to what something may be."""
    return _AT_MOST.search(text) is not None


def _limits(text: str) -> Sequence[tuple[Number, int]]:
    """Return the figures that ``text`` bounds, with 1 for the least, -1 for the most."""
    return list(_sided(text, amounts(ground(text))))


def bounds_alike(said: str, held: str) -> bool:
    """Return whether both bound a figure, or neither does.

    "A claim of 3,000 euros" is a case of what "up to 2,000 euros" leaves, and no other figure.
    """
    return bool(_limits(said)) is bool(_limits(held))


def is_of_the_rest(said: str, held: str) -> bool:
    """Return whether ``said`` is about what ``held`` says of all others than those it limits.

    As in "repairs up to 100 euros are paid by the tenant; all others by the landlord".
    """
    rest = _REST.search(held)
    if rest is None:
        return False
    apart = stems([rest["told"]]) - stems([held[: rest.start()]])
    return bool(apart) and apart <= stems([said])


def _sided(text: str, figures: Iterable[Number]) -> Iterable[tuple[Number, int]]:
    for figure in figures:
        before = text[max(0, figure.start - _BEFORE_CHARS) : figure.start]
        behind = text[figure.end :]
        above = _ABOVE.search(before) or _AND_MORE.match(behind)
        below = _BELOW.search(before) or _AND_LESS.match(behind)
        side = bool(above) - bool(below)
        if side:
            yield figure, side


def has_other_rate(said: str, lines: Iterable[str]) -> bool:
    """Return whether those of ``lines`` with an amount of ``said`` have another span of time to it.

    Where ``said`` has no amount, whether the first of ``lines`` that says how often has another
    span: "checked weekly" is not "checked monthly".

    Args:
        said: A sentence, such as "it pumps 36 litres an hour".
        lines: Sentences of its sources, the nearest first.
    """
    mine = rates(said)
    if not mine:
        return False
    own = [each for each in amounts(ground(said)) if each.unit not in mine]
    rated = filter(rates, lines)
    told = [*filter(partial(_shares_amount, own), rated)] if own else [*islice(rated, 1)]
    return bool(told) and mine.isdisjoint(chain.from_iterable(map(rates, told)))


def _shares_amount(own: Sequence[Number], line: str) -> bool:
    return any(is_among(number, own) for number in amounts(ground(line)))


_WORD: Final = lazy_regex(
    r"(?i),?\s(?P<word>and|or|as well as|plus)\s"
    r"(?!(?:more|less|so|not|above|below|over|later|also)\b)"
)
_ENDS: Final = lazy_regex(r"[,;:().]|\b(?:and|or|but|if|when|while|which|who|that)\b")
_EITHER: Final = lazy_regex(
    r"(?i)\beither\b(?! of\b)|\bnot both\b|\b(?:nobody|no one|none) .{0,20}\bboth\b"
)
_DEMANDS: Final = lazy_regex(r"(?i)\b(?:must|shall|need\w*|requir\w*|ha(?:s|ve) to|if|when|once)\b")
_OPEN: Final = lazy_regex(r"(?i)\b(?:not|no|never|neither|nor|cannot|without|between)\b|n['’]t\b")
"""Under a denial "or" joins, and "and" need not; "between" has two ends."""


class _Joined(NamedTuple):
    """Two things that are joined, as stems."""

    first: frozenset[str]
    second: frozenset[str]
    is_choice: bool


def turns_choice(alignment: Alignment) -> bool:
    """Return whether one side asks for two things together of which the other asks for one."""
    both = alignment.said, alignment.held
    if not is_english() or any(map(_OPEN.search, both)):
        return False
    same = [pair for pair in product(*map(_joined, both)) if _are_same(*pair)]
    if not same or any(a.is_choice is b.is_choice for a, b in same):
        return False
    return any(map(_EITHER.search, both)) or all(map(_DEMANDS.search, both))


def _are_same(a: _Joined, b: _Joined) -> bool:
    kept = alike(a.first, b.first) and alike(a.second, b.second)
    return bool(kept or (alike(a.first, b.second) and alike(a.second, b.first)))


def _joined(text: str) -> Iterator[_Joined]:
    """Yield what each "and" and "or" of ``text`` joins, as far as the next comma or joining."""
    for match in _WORD.finditer(text):
        first = stems([_ENDS.split(text[: match.start()])[-1]])
        second = stems([_ENDS.split(text[match.end() :])[0]])
        yield _Joined(first - second, second - first, match["word"].lower() == "or")
