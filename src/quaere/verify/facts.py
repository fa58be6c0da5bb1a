"""Which dates, figures and names of a sentence its sources hold, and what they deny or affirm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Final

from quaere.domain.report import Quote
from quaere.domain.source import Passage
from quaere.text import dates as date_text
from quaere.text import numbers as number_text
from quaere.text.dates import Date
from quaere.text.languages.phrases import ENGLISH_REASONS
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import ORDINALS
from quaere.text.names import Name
from quaere.text.numbers import Number
from quaere.text.synonyms import nations
from quaere.text.tokens import stem, stop_words, words
from quaere.verify.ground import Ground, Line, begins_within, ground, ground_of_answer
from quaere.verify.quotes import quoted

_ROUNDING = Decimal("0.05")
"""How far a rounded figure may be from the one it stands for, as a share of that one."""

_IN_NAME = lazy_regex(r"[^\W\d_][-‐‑]$")
_KNOWN_TWO = lazy_regex(r"(?i)\b(?:the|these|those) $")
"""Before "two": it refers to things that were named, and does not count any."""


def missing_figures(claim: Ground, sources: Sequence[Ground]) -> Iterator[str]:
    """Yield the dates and numbers of ``claim`` that are in none of ``sources``."""
    dated = (date for date in claim.dates if not is_dated(date, sources))
    timed = (moment for moment in claim.moments if not _is_timed(moment, claim, sources))
    yield from (claim.text[each.start : each.end] for each in (*dated, *timed))
    said = [*_said_shares(claim, sources), *claim.moments]
    own = [n for n in claim.numbers if _is_counted(n, claim) and not begins_within(n, said)]
    yield from (claim.text[n.start : n.end] for n in _not_held(own, claim, sources))


HALF_DAY: Final = 720
"""Minutes after which a time of day without "a.m." and "p.m." comes again."""


def _is_timed(moment: Number, claim: Ground, sources: Sequence[Ground]) -> bool:
    """Return whether ``sources`` have ``moment`` of ``claim``, or its figures as no time of day."""
    return any(_has_time(moment, source) for source in sources) or _is_in_parts(
        moment, claim, sources
    )


def _has_time(moment: Number, source: Ground) -> bool:
    """Return whether ``source`` has ``moment``, in the morning or the afternoon: "noon"."""
    return any((moment.value - other.value) % HALF_DAY == 0 for other in source.clocks)


def _is_in_parts(moment: Number, claim: Ground, sources: Sequence[Ground]) -> bool:
    """Return whether ``sources`` have each figure of ``moment`` by itself."""
    parts = [n for n in claim.numbers if begins_within(n, [moment])]
    counts = [other for source in sources for other in source.counts]
    return all(any(number_text.agrees(n, other) for other in counts) for n in parts)


def _not_held(
    numbers: Iterable[Number], claim: Ground, sources: Sequence[Ground]
) -> Iterator[Number]:
    """Yield those ``numbers`` of ``claim`` that ``sources`` have in none of several forms."""
    held = [other for source in sources for other in (*source.counts, *_losses(source))]
    for number in numbers:
        if any(is_same_figure(number, other) for other in held) or _is_share(number, sources):
            continue
        if not _is_numbered(number, claim, sources):
            yield number


_COUNTED: Final = lazy_regex(r"([^\W\d]{3,})\s\Z")
_LONGEST_NOUN: Final = 50


def _is_numbered(number: Number, claim: Ground, sources: Iterable[Ground]) -> bool:
    """Return whether ``number`` tells which one of several, as sources do: "the third day"."""
    counted = _COUNTED.search(claim.text, max(0, number.start - _LONGEST_NOUN), number.start)
    at = int(number.value) if number.value == number.value.to_integral_value() else 0
    if counted is None or number.unit or not 0 < at <= len(ORDINALS):
        return False
    which = re.compile(
        rf"(?i)\b(?:{ORDINALS[at - 1]}|{at}(?:st|nd|rd|th)) {re.escape(counted[1])}\b"
    )
    return any(which.search(source.text) for source in sources)


def _losses(source: Ground) -> Iterator[Number]:
    """Yield what ``source`` has in brackets, as statements print what is below nothing."""
    for number in source.counts:
        if source.text[: number.start].endswith("(") and source.text.startswith(")", number.end):
            yield Number(-number.value, number.unit, number.start, number.end)


def missing_names(claim: Ground, sources: Sequence[Ground]) -> Iterator[str]:
    """Yield the names of ``claim`` that are in none of ``sources``."""
    measures = [(number.start, number.end) for number in claim.numbers]
    for name in claim.names:
        if any(start <= name.start < end for start, end in measures):
            continue  # "85 degrees Celsius"
        if not (_is_named(name.text, sources) or _counts_many(name, claim.text)):
            yield name.text


_MANY: Final = lazy_regex(
    r"[A-Z][a-z]+(?<![aiosu])s\s(?:(?!\b(?:is|was|has|does)\b|[A-Z])[\w'’-]+\s){0,6}?"
    r"(?:are|were|have|do|need)\b"
)
"""A plural that opens a sentence and has its verb in the plural, as few names have."""


def _counts_many(name: Name, text: str) -> bool:
    """Return whether ``name`` is a noun in the plural with which ``text`` begins: "Fees are"."""
    return (
        name.text.isalpha()
        and not text[: name.start].strip()
        and bool(_MANY.match(text, name.start))
    )


def is_dated(date: Date, sources: Sequence[Ground]) -> bool:
    """Return whether year and day of ``date`` are said, by dates that don't contradict it."""
    if _is_entailed(date, sources):
        return True
    if date.year is None and date.day is None:  # "in June", where a source has "the June meeting"
        return any(date.month in date_text.months_of(source.text) for source in sources)
    return date.month is None and any(date.year in source.figures for source in sources)


def _is_entailed(date: Date, sources: Iterable[Ground]) -> bool:
    """Return whether each part of ``date`` is in a date of ``sources`` that agrees with it."""
    said = [other for source in sources for other in source.dates if date_text.agrees(date, other)]
    return all(any(date_text.entails(other, part) for other in said) for part in _parts(date))


def _parts(date: Date) -> Iterator[Date]:
    if date.year is not None:
        yield Date(date.year, None, None, date.start, date.end, date.years)
    if date.month is not None:
        yield Date(None, date.month, date.day, date.start, date.end)


def _is_counted(number: Number, claim: Ground) -> bool:
    """Return whether ``number`` says how many.

    "One of them", "the two", the "4." of a list, a date and the "19" of "COVID-19" don't.
    """
    if begins_within(number, claim.dates):
        return False
    if _only_refers(number, claim.text):
        return False
    return number.value != 1 or bool(number.unit) or not claim.text[number.start].isalpha()


def _only_refers(number: Number, text: str) -> bool:
    """Return whether ``number`` is of a name or a list, or refers to "the two" that were named."""
    start, end = number.start, number.end
    if start == 0 and text[end : end + 2] in {". ", ") "}:
        return True
    is_known = text[start:end] == "two" and _KNOWN_TWO.search(text, max(0, start - 6), start)
    return bool(is_known or _IN_NAME.search(text, max(0, start - 2), start))


def is_same_figure(claimed: Number, held: Number) -> bool:
    """Return whether ``claimed`` is ``held``, or what it comes to in fewer digits."""
    if number_text.agrees(claimed, held):
        return True
    if claimed.unit and held.unit and claimed.unit != held.unit:
        return False
    exponent = claimed.value.normalize().as_tuple().exponent
    if not isinstance(exponent, int):
        return False
    half = Decimal(1).scaleb(exponent) / 2
    return abs(held.value - claimed.value) <= min(half, abs(held.value) * _ROUNDING)


def _said_shares(claim: Ground, sources: Iterable[Ground]) -> Iterator[Number]:
    """Yield the shares in words of ``claim`` that a source has in words, too."""
    held = {share.value for source in sources for share in source.shares}
    return (share for share in claim.shares if share.value in held)


def _is_share(number: Number, sources: Iterable[Ground]) -> bool:
    """Return whether ``number`` is a percentage that a source has as a share: ".82"."""
    if number.unit != "%" or not 0 < number.value < 100:
        return False
    share = f"{(number.value / 100).normalize():f}".removeprefix("0")
    written = re.compile(rf"(?<![\d.])0?{re.escape(share)}0?(?!\d|\.\d)")
    return any(written.search(source.text) for source in sources)


def _is_named(name: str, sources: Sequence[Ground]) -> bool:
    """Return whether ``sources`` hold ``name``: half its words with the last, or its initials."""
    spelt = words(name)
    parts = [word for word in spelt if word not in stop_words() and len(word) > 1]
    present = [_is_held(part, sources) for part in parts]
    if not parts or (present[-1] and 2 * sum(present) >= len(parts)):
        return True
    if (of := nations(name)) and of != _OF_SEVERAL:  # "Norway", where it has "a Norwegian firm"
        return all(any(nation in nations(source.text) for source in sources) for nation in of)
    initials = "".join(word[0] for word in spelt)
    return len(initials) > 1 and any(initials in source.words for source in sources)


_OF_SEVERAL: Final = ("United Kingdom",)
"""Is called by words for its countries, too, of which the one is not the other."""


def _is_held(word: str, sources: Sequence[Ground]) -> bool:
    return any(_holds(source, word) for source in sources)


def _holds(source: Ground, word: str) -> bool:
    """Return whether ``source`` has ``word``, in another form or as initials if necessary."""
    if word in source.words or stem(word) in source.words:
        return True
    if len(word) < 5:
        return len(word) > 1 and word in source.initials
    # "Gameboy" for "Game Boy", "Egypt" for "Egyptian"; then "Egyptian" for "Egypt".
    return word in source.joined or any(
        word[:-cut] in source.words for cut in (1, 2, 3) if len(word) - cut >= 4
    )


class Opposition(StrEnum):
    """How a sentence stands against its sources, in words."""

    DENIES = ENGLISH_REASONS.denies
    AFFIRMS = ENGLISH_REASONS.affirms
    DENIES_ALONE = ENGLISH_REASONS.denies_alone
    """A weaker sign: the source may say it in words that are not a negation."""


def opposition(
    claim: Ground, sources: Sequence[Ground], lines: Iterable[Line]
) -> Opposition | None:
    """Return how ``claim`` opposes ``sources``, None when it does not.

    A word counts when it directly follows a negation on one side, without one on the other, and
    nowhere in the sources as the claim has it.

    Args:
        claim: The sentence.
        sources: The whole of what it cites.
        lines: The sentences of ``sources`` that come nearest to it.
    """
    lines = tuple(lines)
    if (claim.denied - claim.affirmed) & _only_affirmed(lines, sources):
        return Opposition.DENIES
    if (claim.affirmed - claim.denied) & _only_denied(lines, sources):
        return Opposition.AFFIRMS
    if claim.denies and not any(source.may_deny for source in sources):
        return Opposition.DENIES_ALONE
    return None


def _only_affirmed(lines: Iterable[Line], sources: Iterable[Ground]) -> frozenset[str]:
    """Return the stems that ``lines`` affirm and ``sources`` nowhere deny."""
    affirmed = frozenset[str]().union(*(line.affirmed for line in lines))
    return affirmed.difference(*(source.denied for source in sources))


def _only_denied(lines: Iterable[Line], sources: Iterable[Ground]) -> frozenset[str]:
    """Return the stems that ``lines`` deny and ``sources`` nowhere affirm."""
    denied = frozenset[str]().union(*(line.denied for line in lines))
    return denied.difference(*(source.affirmed for source in sources))


def only_place(text: str, passage: Passage, others: Sequence[Passage]) -> Quote | None:
    """Return the line of ``passage`` with a figure or a date of ``text`` that ``others`` lack.

    None where there is no such figure, and where ``text`` cites nothing else.
    """
    claim, source = ground_of_answer(text), ground(passage.text)
    if not others or not (claim.numbers or claim.dates):
        return None
    lacking = set(missing_figures(claim, [ground(each.text) for each in others]))
    alone = lacking.difference(missing_figures(claim, [source]))
    if not alone:
        return None
    line = max(source.lines, key=lambda each: _rank(each, source, claim, alone), default=None)
    return quoted(passage, line.span.start, line.span.end) if line else None


def _rank(line: Line, source: Ground, claim: Ground, alone: set[str]) -> tuple[int, int]:
    """Return how many of the figures and how many words of ``claim`` are in ``line``."""
    held = ground(source.text[line.span.start : line.span.end])
    figures = alone.difference(missing_figures(claim, [held]))
    return len(figures), len(claim.terms & line.terms)
