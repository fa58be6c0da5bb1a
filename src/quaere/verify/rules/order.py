"""Which of two things comes first: causes and effects, steps, and words of order.

Words of order are before and after, above and below, first and last. A step may be told by "first",
"then" or "afterwards" as well: "draw a card before you move" is "first draw a card, then move".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product, starmap
from types import MappingProxyType
from typing import Final, NamedTuple

from quaere.text.languages.language import cached_by_language, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS, ONES
from quaere.verify.align import Alignment, clashes, stems
from quaere.verify.likeness import alike
from quaere.verify.rules.comparisons import direction
from quaere.verify.rules.quantifiers import is_of_the_rest, turns_limit


class _Wording(NamedTuple):
    """How a language says that one thing is the cause of another."""

    effect_first: str
    """Between the effect and its cause."""
    cause_first: str
    """Between the cause and its effect."""
    opening: str
    """Before a cause with which a statement begins, and after which a comma ends it."""


_WORDINGS: Final[Mapping[str, _Wording]] = MappingProxyType(
    {
        "en": _Wording(
            effect_first=r"because(?: of)?|due to|owing to|as a (?:result|consequence) of|thanks to"
            r"|(?:caused|brought about|triggered|explained) by|on account of|(?<!, )so that"
            r"|in order to"
            r"|(?:the|a) (?:result|consequence) of|result(?:s|ed) from|stem(?:s|med) from",
            cause_first=r"(?:the|a) (?:reason|cause) (?:for|of|why|that)"
            r"|(?:and )?(?:so(?: that)?|therefore)|causes?|caused(?! by)|causing|led to|leads to"
            r"|leading to|result(?:s|ed|ing) in"
            r"|ma[dk]es?|brought about(?! by)|triggers?|triggered(?! by)|which is why|that is why",
            opening=r"because(?: of)?|as|since|due to|owing to|thanks to|if|when",
        ),
        "de": _Wording(
            effect_first=r"weil|da|denn|wegen|aufgrund|infolge|dank|damit|(?:die|eine) folge"
            r"|verursacht durch",
            cause_first=r"(?:der|die|ein|eine) (?:grund|ursache) (?:für|dafür|dass|,)|deshalb|daher"
            r"|deswegen|sodass|verursachte|führte zu|der grund",
            opening=r"weil|da|wegen|aufgrund|infolge|dank",
        ),
        "es": _Wording(
            effect_first=r"porque|ya que|puesto que|debido a|a causa de|gracias a"
            r"|(?:la|una) consecuencia de|para que",
            cause_first=r"(?:y )?por eso|por lo que|así que|(?:la|una) causa de|(?:el|un) motivo de"
            r"|causó|provocó|hizo que",
            opening=r"como|debido a|a causa de|gracias a|porque",
        ),
    }
)
"""By ISO 639-1; languages without a record are not looked at."""


class Link(NamedTuple):
    """Stems of a cause and of its effect, or of two steps of which the one comes first."""

    first: frozenset[str]
    second: frozenset[str]


def causes(said: str, held: str) -> int:
    """Return -1 where cause and effect are exchanged, 1 where both agree, else 0.

    "It flooded because the pump failed" and "the pump failed, so it flooded" agree.
    """
    mine, theirs = _link(said), _link(held)
    return way_round(mine, theirs) if mine and theirs else 0


def invents(said: str, lines: Iterable[str]) -> bool:
    """Return whether ``said`` names a cause, and none of ``lines`` says why anything is so.

    What came after something, or together with it, need not have come of it. In English alone.
    """
    if not is_english() or _NAMES_CAUSE.search(said) is None:
        return False
    return not any(_MAY_EXPLAIN.search(line) for line in lines)


_NAMES_CAUSE: Final = lazy_regex(
    r"(?i)\b(?:because|due to|owing to|thanks to|on account of|as a (?:result|consequence) of"
    r"|(?:caused|brought about|triggered) by|led to|resulted (?:in|from)|therefore)\b"
)
_MAY_EXPLAIN: Final = lazy_regex(
    r"(?i)\b(?:because|since|(?<!\bwell )as(?! (?:well|many|much|an?)\b)|for(?= \w+ing\b)|so|due"
    r"|owing|thanks|account|why|therefore|thus|hence|lead(?:s|ing)?|led|mak(?:es?|ing)|made|drove|if"
    r"|br(?:ing|ought)\w*|order to|(?:reason|caus|result|consequen|trigger|explain|blam|attribut"
    r"|responsib|effect|affect|influenc|produc|prompt|forc(?=[ei])|allow|enabl|help|prevent"
    r"|contribut|driv|depend)\w*)\b|[,;]\s\w+ing\b"
)
"""What may say why something is so; after and when something was is none of it."""


def way_round(mine: Link, theirs: Link) -> int:
    """Return -1 where what is first in one is second in the other, 1 where both agree, else 0."""
    kept = (alike(mine.first, theirs.first), alike(mine.second, theirs.second))
    crossed = (alike(mine.first, theirs.second), alike(mine.second, theirs.first))
    if all(crossed) and (sum(crossed) > sum(kept) or not all(kept)):
        return -1
    return 1 if all(kept) and sum(kept) > sum(crossed) else 0


@cached_by_language(maxsize=256)
def _link(text: str) -> Link | None:
    """Return what ``text`` says to be the cause of what; None where it names none."""
    language = language_in_use()
    wording = _WORDINGS.get(language.code if language else "en")
    if wording is None:
        return None
    opened = re.match(rf"(?i)\W*(?:{wording.opening})\s(?P<cause>[^,;]+),\s*", text)
    if opened:
        return linked([opened["cause"], text[opened.end() :]])
    for pattern, cause_first in ((wording.effect_first, False), (wording.cause_first, True)):
        parts = re.split(rf"(?i),?\s(?:{pattern})(?=[\s,])", text, maxsplit=1)
        if len(parts) == 2:
            return linked(parts if cause_first else parts[::-1])
    return None


def linked(parts: Sequence[str]) -> Link:
    """Return the link of two parts of a statement, the cause or the first of them in front."""
    first, second = (stems([part]) for part in parts)
    return Link(first - second, second - first)


_PARTS: Final = lazy_regex(r"[,;:.]\s+(?:(?:and|but)\s)?|\s(?:and|but)\s")
_FIRST: Final = lazy_regex(
    r"(?i)\A\W*(?:at )?first(?:ly)?\b(?!\s(?:of|in|and)\b)|\bfirst\W*\Z"
    r"|\b(?:to begin with|initially)\b"
)
_THEN: Final = lazy_regex(
    r"(?i)\A\W*(?:only )?(?:then|afterwards?|after that|next|later|subsequently|finally)\b"
    r"|\b(?:afterwards?|after that|subsequently|only then|next|second)\W*\Z"
)
_BEFORE: Final = lazy_regex(r"(?i)\b(?:before|prior to)\b(?!\s\d)")
_AFTER: Final = lazy_regex(
    r"(?i)\b(?:after|following|once|as soon as|only when)\b(?!\s(?:that|a|an|every|each|\d)\b)"
)


def turns_steps(said: str, held: str) -> bool:
    """Return whether the step that comes first in ``said`` comes second in ``held``."""
    if not is_english() or not (_tells(said) or _tells(held)):
        return False
    ways = set(starmap(way_round, product(_links(said), _links(held))))
    return ways - {0} == {-1}


def _tells(text: str) -> bool:
    return next(_in_turn(text), None) is not None


def _links(text: str) -> Iterator[Link]:
    yield from _in_turn(text)
    yield from _parted(text, _BEFORE, is_first=True)
    yield from _parted(text, _AFTER, is_first=False)


def _in_turn(text: str) -> Iterator[Link]:
    """Yield what a part of ``text`` says to come after those before it."""
    parts = list(filter(str.strip, _PARTS.split(text)))
    for place, part in enumerate(parts):
        if place and _THEN.search(part):
            start = next((n for n in reversed(range(place)) if _FIRST.search(parts[n])), place - 1)
            yield linked([" ".join(parts[start:place]), part])


def _parted(text: str, word: re.Pattern[str], *, is_first: bool) -> Iterator[Link]:
    """Yield the two steps that ``word`` parts; the first of them is before it if ``is_first``."""
    match = word.search(text)
    if match is None:
        return
    before, behind = _sides(text, match)
    yield linked([before, behind] if is_first else [behind, before])


def _sides(text: str, word: re.Match[str]) -> tuple[str, str]:
    """Return what ``text`` says before ``word`` and after it.

    Where it begins with ``word``, as "Before you move, draw a card" does, the comma parts the two.
    """
    before, behind = text[: word.start()], text[word.end() :]
    if not before.strip():
        behind, _, before = behind.partition(",")
    return before, behind


_POINT: Final = rf"(?:(?:the )?(?:end|beginning|start|middle)|\d{{4}}|{'|'.join(MONTHS)})"
"""Begins a point of time, by which or from which something is."""
_ORDERS: Final = (
    (
        r"before|prior to|ahead of|preced\w+",
        r"after|following|later than|succeed(?:s|ed)|as soon as|once (?:the|it|he|she|they|all)",
    ),
    (r"above|over|exceed\w*", r"below|under|beneath"),
    (r"upstream", r"downstream"),
    (r"until|till|up to", r"since|from"),
    (r"inside|within", r"outside|beyond"),
    (r"at least|no less than|no fewer than|minimum", r"at most|no more than|maximum|up to"),
    (r"BCE?|B\.C\.", r"AD|CE|A\.D\."),
    (r"earliest|(?<!comes )first|oldest", r"(?<!at the )latest|last|newest|youngest"),
    (r"(?<!-)clockwise", r"anti-?clockwise|counter-?clockwise"),
    (rf"by {_POINT}", rf"(?:from|since) {_POINT}"),
)
_TIMED: Final = lazy_regex(
    rf"(?i)\b(?:before|after) (?:\d|(?:{'|'.join(ONES)})\b"
    r"|an? (?:\w+ )?(?:second|minute|hour|day|night|week|fortnight|month|year|decade|while)\b)"
)
"""How long it takes: "deleted after two weeks" puts nothing in order."""
_TURNABLE, _CONVERSE = 1, 3
"""The first of the pairs above relates two things that may be named in either order; of what is
told by the first three, the one is true of two things where the other is of the two exchanged."""


def has_other_order(alignment: Alignment) -> bool:
    """Return whether a word of order in the sentence has another side in its source, or turns."""
    said, held = alignment.said, alignment.held
    if turns_limit(said, held) < 0:
        return not (clashes(alignment) or is_of_the_rest(said, held))
    first = _TURNABLE if _TIMED.search(said) else 0
    return any(_is_turned_at(place, said, held) for place in range(first, len(_ORDERS)))


def _is_turned_at(place: int, said: str, held: str) -> bool:
    """Return whether the words of order at ``place`` in the list have another side."""
    pair = _ORDERS[place]
    if place < _TURNABLE:
        return _is_turned_round(said, held, pair)
    if not _is_turned(said, held, pair):
        return False
    return place >= _CONVERSE or not _is_exchanged(said, held, pair)


def _is_turned(said: str, held: str, pair: Sequence[str]) -> bool:
    """Return whether ``said`` has one of ``pair`` alone, and ``held`` the other alone."""
    here, there = _of_pair(said, pair), _of_pair(held, pair)
    return here in ([True, False], [False, True]) and there == here[::-1]


def _is_turned_round(said: str, held: str, pair: Sequence[str]) -> bool:
    """Return the same of a ``pair`` of words that may exchange what they part.

    "A before B" is "B after A", and the opposite of "A after B".
    """
    here, there = _of_pair(said, pair), _of_pair(held, pair)
    if here == there != [False, False] and _is_exchanged(said, held, pair):
        return True
    if _is_turned(said, held, pair):
        return not _is_exchanged(said, held, pair)
    alone = here in ([True, False], [False, True])
    return alone and all(there) and _is_bound_otherwise(said, held, pair)


def _of_pair(text: str, pair: Sequence[str]) -> list[bool]:
    flags = 0 if "BC" in pair[0] else re.IGNORECASE
    return [re.search(rf"\b(?:{words})(?!\w)", text, flags) is not None for words in pair]


def _is_bound_otherwise(said: str, held: str, pair: Sequence[str]) -> bool:
    """Return whether what follows a word of order in ``said`` follows the other in ``held``.

    "Asked after words and before the model" does not ask "after the model".
    """
    here = [_following(said, words) for words in pair]
    there = [_following(held, words) for words in pair]
    return any(here[n] & there[1 - n] and not here[n] & there[n] for n in (0, 1))


def _following(text: str, words: str) -> frozenset[str]:
    """Return the stems of what follows ``words`` in ``text``, up to the next part of it."""
    parts = re.findall(rf"(?i)\b(?:{words})\b([^,;:.]*?)(?=$|[,;:.]|\b(?:and|or|but)\b)", text)
    return stems(parts)


def _is_exchanged(said: str, held: str, pair: Sequence[str]) -> bool:
    """Return whether the things around a word of order have changed places, round each in ``held``.

    Of several such words it is not known which is meant.
    """
    either = re.compile(rf"\b(?:{pair[0]}|{pair[1]})\b", re.IGNORECASE)
    here, there = either.search(said), [*either.finditer(held)]
    if here is None or not there:
        return False
    a, b = _around(said, here)
    return all(
        a & d and _meet(b, c, held) and direction(a, b, c, d) < 0
        for c, d in (_around(held, each) for each in there)
    )


def _meet(thing: frozenset[str], other: frozenset[str], held: str) -> bool:
    """Return whether two things share a word: one that moves alone is of either.

    Where ``held``, the source, has a pronoun, that may mean a ``thing`` which it does not name.
    """
    if thing & other:
        return True
    return bool(thing) and _PRONOUN.search(held) is not None and not thing & stems([held])


_PRONOUN: Final = lazy_regex(r"(?i)\b(?:it|he|she|they)\b")


def _around(text: str, word: re.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems before and behind ``word`` in ``text``."""
    before, behind = _sides(text, word)
    return stems([before]), stems([behind])
