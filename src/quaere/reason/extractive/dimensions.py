"""Whether a line tells the dimension that a question names: a height, a weight, an area.

"What is the depth of the pan?" is not answered by how wide the pan is, nor by any other line on it.
English alone; what "how deep" asks for is told in `measures`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from quaere.reason.extractive.line_context import points_back
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import STOP_WORDS
from quaere.text.numbers import numbers
from quaere.text.tokens import stem, words

_LENGTHS: Final = frozenset({"km", "m", "cm", "mm", "mi", "ft", "in"})
_TIMES: Final = frozenset({"yr", "mo", "wk", "d", "h", "min", "s"})


class _Dimension(NamedTuple):
    """How a line tells one: in such words, or by a number in a unit that measures nothing else."""

    words: str
    units: frozenset[str] = frozenset()


_TALL: Final = _Dimension(
    r"tall\w*|high\w*|heights?|stands?|stood|rises?|rose|reach\w*|above|altitude"
    r"|elevation|clearance|headroom|grows?|(?:over|under)(?=\s\d)"
)
_WIDE: Final = _Dimension(
    r"wide\w*|widths?|breadth|broad\w*|across|spans?|gauge|(?:by|x)(?=\s?\d{1,3}(?!\d))"
)
_ROUND: Final = _Dimension(r"diameters?|radius|circumference|girth|across|wide|around|round|bore")
_HEAVY: Final = _Dimension(
    r"weigh\w*|mass|heav\w+|light\w*|lbs?|ounces?|oz|stone",
    frozenset({"kg", "g", "mg", "µg", "t"}),
)
_FAST: Final = _Dimension(
    r"speeds?|velocity|fast\w*|slow\w*|quick\w*|mph|kph|km/h|knots?|m/s|per (?:hour|minute|second)"
    r"|an hour|a second|rpm|[kmg]bit\w*|[kmg]bps"
)
_DIMENSIONS: Final = {
    "height": _TALL,
    "altitude": _TALL,
    "elevation": _TALL,
    "depth": _Dimension(r"deep\w*|depths?|down|below|under(?=\s\d)"),
    "width": _WIDE,
    "breadth": _WIDE,
    "length": _Dimension(
        r"long\w*|lengths?|lasts?|lasted|runs?|ran|duration|stretch\w*|(?:by|x)(?=\s?\d{1,3}(?!\d))"
        r"|\d+[\s-](?:character|letter|digit|sign|symbol|word|line|page|byte|bit|verse|chapter)s?",
        frozenset({"km", "mi"}),
    ),
    "diameter": _ROUND,
    "circumference": _ROUND,
    "thickness": _Dimension(r"thick\w*|thin\w*|gauge"),
    "weight": _HEAVY,
    "mass": _HEAVY,
    "temperature": _Dimension(
        r"temperatures?|degrees?|hot\w*|warm\w*|cold\w*|cool\w*|heat\w*|boil\w*|freez\w*|gas mark"
        r"|\d+\s?[CF]",
        frozenset({"°C", "°F"}),
    ),
    "area": _Dimension(
        r"areas?|surface|acres?|square|sq|covers?|covered|extends?|k?m2|(?:by|x)(?=\s?\d{1,3}(?!\d))",
        frozenset({"km²", "ha", "m²"}),
    ),
    "volume": _Dimension(
        r"volumes?|cubic|gallons?|pints?|cups?|quarts?|cl|hold\w*|contain\w*|capacity|c?m3|d[bB]"
        r"|decibels?|loud\w*|quiet\w*",
        frozenset({"m³", "cm³", "l", "ml", "µl"}),
    ),
    "age": _Dimension(
        r"ages?|aged|old\w*|young\w*|born|(?:over|under|from)(?=\s\d)",
        frozenset({"yr", "mo"}),
    ),
    "distance": _Dimension(
        r"distances?|far\w*|away|apart|yards?|paces?|steps?|light[- ]years?", _LENGTHS | _TIMES
    ),
    "speed": _FAST,
    "velocity": _FAST,
    "duration": _Dimension(r"durations?|lasts?|lasted|long\w*|until|till", _TIMES),
    "voltage": _Dimension(r"volt\w*|k?V"),
}
_SAID: Final = "|".join(_DIMENSIONS)
_IS: Final = r"(?:is|was|are|were|will\sbe|would\sbe|should\sbe)"
_ASKED = lazy_regex(
    rf"(?i)\bwhat(?:['’]s|\s{_IS})\s(?:[\w'’-]+\s){{1,5}}?(?P<noun>{_SAID})s?\b"
    r"(?=\W*$|,|\s(?:of|in|at|on|from|between|for|to|that|which|when|during|inside|outside"
    r"|needed|required|allowed|there)\b)"
    rf"|\bwhat (?P<bare>{_SAID})s?\s(?:{_IS}|do|does|did|has|had|must|should|can|may|will)\b"
)
_THING: Final = (
    r"(?:(?:the|an?|our|your|my|this|each|every)\s)?{0}[a-z-]+(?:['’]s)?(?:\s[a-z0-9-]+){{0,2}})"
)
_OF = lazy_regex(
    rf"(?i)\W*what(?:['’]s|\s{_IS})\s(?:(?:the|its)\s)?(?:[a-z]+\s)?(?:{_SAID})s?\s(?:of|in)"
    rf"\s{_THING.format('(?P<thing>')}\W*\Z"
)
_HOW_OF = lazy_regex(
    r"(?i)\W*how\s(?:deep|long|tall|high|wide|broad|thick|heavy|old|fast|big|large|warm|hot|cold)\s"
    rf"(?:(?:is|are|was|were)\s{_THING.format('(?P<thing>')}"
    rf"|(?:can|may|must|should)\s{_THING.format('(?P<bound>')}\sbe)\W*\Z"
)
_COUNTED = lazy_regex(
    r"(?i)\b(?:sales|orders?|trad\w+|traffic|shares|business|mail|letters|exports?|imports?"
    r"|production|output|work|data|calls|requests?|messages|books?|series|study|interest|expertise)\b"
)
"""Of what a volume is a number, an area is a part, and a length is none of space."""


def lacks_dimension(question: str, line: Line) -> bool:
    """Return whether ``question`` asks for a dimension by its noun, and ``line`` tells none such.

    What is over ``line``, such as the head of its column, may name it.
    """
    dimension = _asked(last_question(question)) if is_english() else None
    if dimension is None or stem(dimension) in line.terms | line.over:
        return False
    said, units = _DIMENSIONS[dimension]
    told = " ".join((*line.columns, line.text))
    if re.search(rf"(?<!\w)(?:{said})(?!\w)", told, re.IGNORECASE) or "×" in told:
        return False
    return units.isdisjoint(number.unit for number in numbers(line.text))


def measures_another(question: str, line: Line, pool: Pool) -> bool:
    """Return whether ``line`` lacks the dimension that ``question`` asks for, or the thing.

    The thing may be over it as well. Where the sources have no word for it they may call it
    something else. "The large pool" is not the paddling pool.
    """
    return lacks_dimension(question, line) or _lacks_thing(question, line, pool)


def _lacks_thing(question: str, line: Line, pool: Pool) -> bool:
    """Whether neither ``line`` nor what is over it has that of which a dimension is asked."""
    asked = [stem(word) for word in words(_thing_asked(last_question(question)))]
    if not any(map(pool.holds, asked)) or points_back(line.text):
        return False
    *more, head = asked
    known = line.terms | line.over | pool.over(line)
    if not more or not known.isdisjoint(more):
        return known.isdisjoint(asked)
    before = _before(head, line)
    return not before or before.isdisjoint(STOP_WORDS)


def _before(head: str, line: Line) -> frozenset[str]:
    """Return the words before those of the stem ``head`` in ``line``."""
    pairs = pairwise(words(line.text))
    return frozenset(first for first, second in pairs if stem(second) == head)


def thing_measured(question: str) -> str:
    """Return that of which ``question`` asks for a dimension, by its noun; else nothing."""
    asks = _OF.match(question) if is_english() and _asked(question) else None
    return asks["thing"] if asks else ""


def _thing_asked(question: str) -> str:
    """Return the same where it is asked by "how" and an adjective as well."""
    asks = in_english(_HOW_OF.match, question)
    return (asks["thing"] or asks["bound"]) if asks else thing_measured(question)


def _asked(question: str) -> str | None:
    """Return the noun of the dimension that ``question`` asks for."""
    found = _ASKED.search(question)
    if found is None or _COUNTED.search(question):
        return None
    return (found["noun"] or found["bare"]).casefold()
