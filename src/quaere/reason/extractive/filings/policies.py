"""Whether a company pays dividends, and whether a union represents its staff, as it reports."""

from __future__ import annotations

from collections.abc import Iterator

from quaere.reason.extractive.decision import said
from quaere.reason.extractive.filings.asked import Asked
from quaere.reason.extractive.filings.reports import Found, Report
from quaere.text.lazy_regex import lazy_regex

_NO_DIVIDENDS = lazy_regex(
    r"(?i)\b(?:ha(?:ve|s) (?:not|never)(?: \w+)? (?:declared|paid)"
    r"|do(?:es)? not (?:currently |now )?(?:pay|declare))\b[^.;]{0,60}(?<!stock )\bdividends?\b"
)
_DIVIDENDS = lazy_regex(
    r"(?i)\b(?:we|company|directors|board)(?: have| has)?(?: also| currently| regularly)? "
    r"(?:paid|pays?|declared)\b[^.;]{0,80}(?<!stock )(?<!no )\bdividends?\b(?! (?:from|yield))"
)
_GAP = r"(?:[^.;]|[.](?=\w|\s[a-z]))"
"""A letter before the end of a clause: "U.S." ends none."""
_OF_UNIONS = rf"\b{_GAP}{{0,60}}\b(?:unions?|collective bargaining)\b"
_NO_UNION = lazy_regex(
    rf"(?i)\bnone of our\b{_GAP}{{0,60}}\b(?:represented|covered|members|party|subject){_OF_UNIONS}"
    r"|\b(?:employees|workforce|associates)\b[^.;]{0,40}\b(?:are|is|were|was) not "
    rf"(?:currently )?(?:represented|covered|members|party|subject){_OF_UNIONS}"
)
_UNION = lazy_regex(
    r"(?i)\b(?:employees|workforce|associates|workers)\b(?![^.;]{0,80}\b(?:not|none)\b)[^.;]{0,80}"
    rf"\b(?:are|is|were|was) (?:represented by|covered by|members of|subject to){_OF_UNIONS}"
)
_EXCEPTED = lazy_regex(r"(?i)\bexcept\b|\bother than\b|\bexcluding\b|\bgenerally\b")
_OF_AMERICA = lazy_regex(r"\bU\.?S\.?(?!\w)|\bUnited States\b|(?i:\bamericans?\b|\bdomestic\b)")
_ANYWHERE = lazy_regex(r"(?i)\b(?:international|outside|foreign|europe|asia|canada|mexico)\w*")


def dividends(report: Report) -> Iterator[Found]:
    """Yield yes or no: whether the company pays dividends in cash."""
    told: list[tuple[bool, Found]] = []
    for each in report.sentences():
        is_denied = _NO_DIVIDENDS.search(each.text) is not None
        if is_denied or _DIVIDENDS.search(each.text):
            told.append((not is_denied, each.tells("")))
    yield from _agreed(told)


def union(report: Report, asked: Asked) -> Iterator[Found]:
    """Yield yes or no: whether a union represents staff of the company.

    What is said of one country alone is clear only where it is asked of that country.
    """
    told: list[tuple[bool, Found]] = []
    for each in report.sentences():
        is_denied = _NO_UNION.search(each.text) is not None
        if _EXCEPTED.search(each.text) or not (is_denied or _UNION.search(each.text)):
            continue
        is_clear = _is_of_place(each.text, asked.text, is_denied=is_denied)
        told.append((not is_denied, each.tells("", is_clear=is_clear)))
    yield from _agreed(told)


def _agreed(told: list[tuple[bool, Found]]) -> Iterator[Found]:
    """Yield what is ``told``, in doubt where one sentence says yes and another no."""
    is_one = len({says for says, _ in told}) == 1
    for says, found in told:
        yield found._replace(text=said(says), is_clear=found.is_clear and is_one)


def _is_of_place(words: str, asked: str, *, is_denied: bool) -> bool:
    """Whether ``words`` are said of where it is ``asked``: of all, or of the same country."""
    if _ANYWHERE.search(asked) or _ANYWHERE.search(words):
        return False
    is_of_one, is_asked_of_one = (_OF_AMERICA.search(each) is not None for each in (words, asked))
    return is_of_one == is_asked_of_one or (is_denied and not is_of_one)
