"""Denials and comparisons of two aligned statements in other languages than English.

What denies, and what says more, less, earlier and later, is in the record of each language. A rule
keeps silent where the statements are not plainly about the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from quaere.text.languages.language import Language
from quaere.text.languages.ruled import ruled_together
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

SHARED = 0.6
"""Share of the terms of a clause that one of the source must have to be laid next to it."""

LEAST = 2
"""Terms from which one of several clauses says something by itself."""

_CLAUSE = lazy_regex(r"[;:,，；：、]\s*|\s[–—]\s")
_CLAUSE_ZH = lazy_regex(r"[;:,，；：]\s*")
"""The same in Chinese, where "、" parts but the items of a list."""


def is_denied(language: Language, said: str, held: str) -> bool:
    """Return whether one of two statements denies what the other says.

    Each clause of ``said`` is laid next to the one of ``held`` that has most of its terms. Several
    words of a denial, as French has them, deny once.

    Args:
        language: Of both.
        said: A sentence of an answer.
        held: One of its source.
    """
    theirs = [(clause, _content(language, clause)) for clause in _clauses(language, held)]
    clauses = [clause for clause in _clauses(language, said) if clause]
    for clause in clauses:
        mine = _content(language, clause)
        if len(mine) < min(LEAST, len(clauses)):  # "On the island, ..."
            continue
        nearest = _nearest(mine, theirs)
        if nearest and not any(denies_alike(language, clause, each) for each in nearest):
            return True
    return False


def _clauses(language: Language, text: str) -> list[str]:
    parts = _CLAUSE_ZH if language.code == "zh" else _CLAUSE
    return ruled_together(language, parts.split(text))


def _nearest(mine: frozenset[str], clauses: Sequence[tuple[str, frozenset[str]]]) -> Sequence[str]:
    """Return those of ``clauses`` that have most of ``mine``; none where that is too little.

    Each comes with its terms. It is enough, too, where one has no others: what is denied of
    "customers in the shop" is denied of customers.
    """
    shares = [len(mine & own) for _, own in clauses]
    most = max(shares, default=0)
    return [
        clause
        for (clause, own), share in zip(clauses, shares, strict=True)
        if share == most and (most >= SHARED * len(mine) or (own <= mine and most >= LEAST))
    ]


def is_compared_otherwise(language: Language, said: str, held: str) -> bool:
    """Return whether both compare the same two things, and not the same way round."""
    mine, theirs = _comparison(language, said), _comparison(language, held)
    if mine is None or theirs is None or mine[0] != theirs[0]:
        return False
    sides = _same_sides(mine[2:], theirs[2:])
    return sides is not None and (mine[1] == theirs[1]) != sides


def denies_alike(language: Language, said: str, held: str) -> bool:
    """Return whether both of two statements hold a denial, or neither does."""
    return _denies(language, said) == _denies(language, held)


def is_ordered_otherwise(language: Language, said: str, held: str) -> bool:
    """Return whether ``said`` has after something, or more than it, what ``held`` has before it.

    As in "vor dem 1. Juni" and "nach dem 1. Juni".
    """
    sides = _SIDES.get(language.code)
    if sides is None or not denies_alike(language, said, held):
        return False
    said, held = _plain(language, said), _plain(language, held)
    return any(
        bool(
            (_behind(one, said) - _behind(other, said))
            & (_behind(other, held) - _behind(one, held))
        )
        for pair in sides
        for one, other in (pair, pair[::-1])
    )


def _behind(words: str, text: str) -> frozenset[str]:
    """Return the first terms behind each of ``words`` in ``text``: articles left out."""
    found = (terms(text[match.end() : match.end() + _NEAR]) for match in re.finditer(words, text))
    return frozenset(each[0] for each in found if each)


_NEAR = 30
"""Characters after a word of order within which what it refers to begins."""
_LARGER_DE = "mehr|größer|länger|höher|schwerer|älter|später|breiter|tiefer|weiter|schneller|dicker"
_SMALLER_DE = "weniger|kleiner|kürzer|niedriger|leichter|jünger|früher|schmaler|langsamer|dünner"
_SIDES: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType(
    {
        "de": (
            (r"(?i)\b(?:vor|bis)\b", r"(?i)\b(?:nach|ab|seit)\b"),
            (
                rf"(?i)\b(?:unter(?=\s\d)|(?:{_SMALLER_DE}) als|höchstens|maximal|bis zu)\b",
                rf"(?i)\b(?:über(?=\s\d)|(?:{_LARGER_DE}) als|mindestens|wenigstens)\b",
            ),
        ),
        "es": (
            (r"(?i)\b(?:antes del?|hasta)\b", r"(?i)\b(?:después del?|desde|a partir del?)\b"),
            (
                r"(?i)\b(?:menos de|como máximo|a lo sumo|hasta)\b",
                r"(?i)\b(?:más de|al menos|como mínimo)\b",
            ),
        ),
        "fr": (
            (
                r"(?i)\b(?:avant|jusqu['’](?:en|à|au))",
                r"(?i)\b(?:après|depuis|dès|à partir d[eu])\b",
            ),
            (r"(?i)\b(?:moins d[e'’]|au plus)", r"(?i)\b(?:plus d[e'’]|au moins)"),
        ),
        "it": (
            (r"(?i)\b(?:prima d\w+|fino a\w*)\b", r"(?i)\b(?:dopo|a partire d\w+)\b"),
            (r"(?i)\b(?:meno di|al massimo)\b", r"(?i)\b(?:più di|almeno)\b"),
        ),
        "nl": (
            (r"(?i)\b(?:voor|tot)\b", r"(?i)\b(?:na|sinds|vanaf)\b"),
            (r"(?i)\b(?:minder dan|hoogstens)\b", r"(?i)\b(?:meer dan|minstens)\b"),
        ),
        "pt": (
            (r"(?i)\b(?:antes d\w+|até)\b", r"(?i)\b(?:depois d\w+|após|desde|a partir d\w+)\b"),
            (r"(?i)\b(?:menos de|no máximo)\b", r"(?i)\b(?:mais de|pelo menos)\b"),
        ),
    }
)
"""By ISO 639-1, words of two sides: before and after, at most and at least."""


def is_widened(language: Language, said: str, held: str) -> bool:
    """Return whether ``said`` says of all what ``held`` says of some."""
    held = re.sub(rf"(?i)({language.narrow})\s+{language.wide}", r"\1", held)  # "fast alle"
    return _says_alone(language.wide, said, held) and _says_alone(language.narrow, held, said)


def drops_reservation(language: Language, said: str, held: str) -> bool:
    """Return whether ``held`` takes something for likely or possible, and ``said`` does not."""
    return _says_alone(language.reserved, held, said)


def _says_alone(pattern: str, one: str, other: str) -> bool:
    found = re.compile(f"(?i){pattern}")
    return found.search(one) is not None and found.search(other) is None


_Comparison = tuple[bool, bool, frozenset[str], frozenset[str]]
"""Whether of time, whether for more or later, and the terms of the two sides."""


def _comparison(language: Language, text: str) -> _Comparison | None:
    """Return what ``text`` compares; None where it does not, or in more than one way."""
    than = re.search(f"(?i){language.than}", text)
    if than is None:
        return None
    ways = _ways_round(language, than["degree"] or text[than.end() :])
    if len(ways) != 1:
        return None
    of_time, more = ways.pop()
    second = than.groupdict().get("second") or text[than.end() :]
    return of_time, more, frozenset(terms(text[: than.start()])), frozenset(terms(second))


def _ways_round(language: Language, told: str) -> set[tuple[bool, bool]]:
    """Return in which ways ``told`` compares: whether by time, and whether the first has more."""
    patterns = {
        (True, False): language.earlier,
        (True, True): language.later,
        (False, False): language.less,
        (False, True): language.more,
    }
    ways = {way for way, pattern in patterns.items() if re.search(f"(?i){pattern}", told)}
    if {(False, False), (False, True)} <= ways:
        ways.discard((False, True))  # "más pequeño": the word for more serves both
    return ways


def _same_sides(
    mine: tuple[frozenset[str], frozenset[str]], theirs: tuple[frozenset[str], frozenset[str]]
) -> bool | None:
    """Return whether the two things are on the same sides; None where that cannot be told."""
    stay = bool(mine[0] & theirs[0] - theirs[1]) and bool(mine[1] & theirs[1] - theirs[0])
    swap = bool(mine[0] & theirs[1] - theirs[0]) and bool(mine[1] & theirs[0] - theirs[1])
    return stay if stay != swap else None


_LIMITS: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType(
    {
        "de": (
            (rf"(?i)\bnicht (?:{_LARGER_DE}) als(?=\s\d)", "höchstens"),
            (rf"(?i)\bnicht (?:{_SMALLER_DE}) als(?=\s\d)", "mindestens"),
        ),
        "es": (
            (r"(?i)\bno (?:\w+ )?más de\b", "como máximo"),
            (r"(?i)\bno (?:\w+ )?menos de\b", "al menos"),
        ),
        "fr": (
            (r"(?i)\bn(?:e |['’])\w+ pas plus d(?:e\b|['’])", "au plus"),
            (r"(?i)\bn(?:e |['’])\w+ pas moins d(?:e\b|['’])", "au moins"),
            (r"(?i)\bpas plus d(?:e\b|['’])", "au plus"),
            (r"(?i)\bpas moins d(?:e\b|['’])", "au moins"),
        ),
        "it": (
            (r"(?i)\bnon (?:\w+ )?più di\b", "al massimo"),
            (r"(?i)\bnon (?:\w+ )?meno di\b", "almeno"),
        ),
        "nl": ((r"(?i)\bniet meer dan\b", "hoogstens"), (r"(?i)\bniet minder dan\b", "minstens")),
        "pt": (
            (r"(?i)\bnão (?:\w+ )?mais d[eo]\b", "no máximo"),
            (r"(?i)\bnão (?:\w+ )?menos d[eo]\b", "pelo menos"),
        ),
    }
)
"""By ISO 639-1, what sets a limit by a denial, and how the same is said without one."""


def _plain(language: Language, text: str) -> str:
    """Return ``text`` with limits in place of denials: what is "not more than 5" is "at most 5"."""
    for pattern, limit in _LIMITS.get(language.code, ()):
        text = re.sub(pattern, limit, text)
    return text


def demands_more(language: Language, said: str, held: str) -> bool:
    """Return whether ``said`` says that what ``held`` only allows must be done.

    Neither may deny anything: what only may be done so must be done so.
    """
    rules = language.rules
    if _denies(language, said) or _denies(language, held):
        return False
    if re.search(f"(?i){language.only}", held):
        return False
    return _says_alone(rules.must, said, held) and _says_alone(rules.may, held, said)


def _denies(language: Language, clause: str) -> bool:
    clause = _plain(language, clause)
    return re.search(f"(?i){language.denies}", clause) is not None


def _content(language: Language, clause: str) -> frozenset[str]:
    """Return the terms of ``clause`` without what denies it, and without what rules by itself."""
    told = re.sub(f"(?i){language.denies}", " ", _plain(language, clause))
    return frozenset(terms(language.rules.bare(told))) or frozenset(terms(told))
