"""What takes back or changes what another line says: a slip, an earlier figure, a clause.

English alone.
"""

from __future__ import annotations

import re

from quaere.reason.extractive.pool import Line, Pool, page_of
from quaere.reason.extractive.ranking import Leading, Ranking
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex

RIVALS = 0.1
"""Belief, as a share of the first line's, from which a line that is corrected goes before it."""
SAYS_AS_MUCH = 0.5
"""What a line that reports a change has to cover of the question, as a share of what the line that
it changes does; it has the same figure as well."""
_TAKES_BACK = lazy_regex(
    r"(?i)\b(?:this|that|it|these|those|they|the [a-z]+) (?:[a-z]+ )?(?:is|was|are|were|proved)"
    r" (?:(?!not\b)[a-z]+ )?(?:wrong|incorrect|mistaken|inaccurate"
    r"|not (?:right|correct|true|accurate)|in error|an error|a mistake|a misprint)\b"
    r"|\bthe (?:correct|right|true) [a-z]+ (?:is|was|are|were)\b"
)
"""How a sentence corrects the one before it."""
_SIGN = r"(?:[^,.;()]|(?<=\d)[.,](?=\d))"
"""What a figure and the words with it are made of."""
_CHANGES = lazy_regex(
    r"(?i)\b(?:moved|put (?:off|back)|brought forward|postponed|changed|raised|lowered|increased"
    r"|reduced|cut|extended|shortened|gone up|goes up|went up|rises?|rose|falls?|fell|dropped)\b"
    rf"[^.;]{{0,60}}?\bfrom (?P<old>{_SIGN}{{1,30}}?) to (?P<new>{_SIGN}{{1,30}})"
    rf"|(?P<now>[\w£$€]{_SIGN}{{0,30}}?) (?:instead of|rather than) (?P<past>{_SIGN}{{1,30}})"
)
"""How a sentence says what something is now, and what it was before."""
_FIGURE = lazy_regex(r"[£$€]?\d+(?:[.,:]\d+)*(?: [A-Z][a-z]+)?")
"""A sum, a time or a day of a month, by which what was before is known again."""
_MARK = lazy_regex(r"(?m)^[ \t]*(?:[-*] )?(?:§ ?)?(?P<mark>\d{1,3}|\([a-z]{1,4}\))(?=[.) ])")
"""The number or the letter of a clause, before it."""
_NUMBERED = r"(?:clause|section|paragraph|article|rule|item|point|term|condition|§) ?"
_IS_AMENDED = (
    r"[^.;]{0,80}?\b(?:is|are|was|were|be|been) (?:[a-z]+ )?(?:amended|altered|cancelled|changed"
    r"|deleted|extended|increased|lowered|raised|reduced|replaced|revoked|shortened|struck"
    r"|withdrawn)\b"
)
_LOOKED_BACK = 4_000
"""Characters before a lettered clause in which the number over it is looked for."""


def takes_back(line: Line) -> bool:
    """Return whether ``line`` says that what was told before is wrong."""
    return is_english() and _TAKES_BACK.search(line.text) is not None


def corrected(ranking: Ranking) -> tuple[Line, Line] | None:
    """Return the line that leads, or rivals it, with the one that corrects it, to be read so.

    "The log gave 63 boats. That figure was wrong: there were 58": both are told in this order. A
    line that reports a change goes before the one that it changes: "It was moved from 3 to 5 May"
    before "It is on 3 May", "The sum in 3(c) is increased to £40" before "(c) £25 to the choir".
    """
    if not is_english():
        return None
    taken_back = _taken_back(ranking)
    if taken_back is not None:
        return taken_back
    first = ranking.leading[0]
    line = first.rated.chain.end
    changing = _amending(line, ranking.pool) or _changing(first, ranking)
    return None if changing is None else (changing, line)


def _taken_back(ranking: Ranking) -> tuple[Line, Line] | None:
    """Return a line as likely as the first that the one after it calls wrong, with that one.

    It says half as much of what is asked, at least: what is wrong elsewhere is beside the point.
    """
    first = ranking.leading[0]
    least, own = RIVALS * first.share, SAYS_AS_MUCH * first.rated.chain.own
    for each in ranking.leading:
        line, is_rival = each.rated.chain.end, each.share >= least
        after = ranking.pool.after(line) if is_rival and each.rated.chain.own >= own else None
        if after and _TAKES_BACK.search(after.text):
            return line, after
    return None


def _changes(text: str, known: set[str]) -> bool:
    """Return whether ``text`` tells a change from a figure that is ``known`` to one that is not."""
    told = (
        (_figure(found["old"] or found["past"]), _figure(found["new"] or found["now"]))
        for found in _CHANGES.finditer(text)
    )
    return any(old in known and new and new not in known for old, new in told)


def _figure(text: str) -> str:
    """Return the first figure in ``text``; nothing where there is none."""
    found = _FIGURE.search(text)
    return found[0] if found else ""


def _changing(first: Leading, ranking: Ranking) -> Line | None:
    """Return the likeliest line that reports a change of what the ``first`` one says."""
    known = set(_FIGURE.findall(first.rated.chain.end.text))
    least = SAYS_AS_MUCH * first.rated.chain.own
    told = (each.rated.chain for each in ranking.leading[1:] if each.rated.chain.own >= least)
    return next((chain.end for chain in told if _changes(chain.end.text, known)), None)


def _amending(line: Line, pool: Pool) -> Line | None:
    """Return the line of the same page that amends ``line`` by the number of its clause."""
    names = _clause_of(line, pool)
    if not names:
        return None
    amends = re.compile(rf"(?i)(?<![\w.])(?:{names})(?![\w(]){_IS_AMENDED}")
    page = page_of(pool.passages[line.owner])
    own = (each for each in pool.lines if page_of(pool.passages[each.owner]) == page)
    return next((each for each in own if each is not line and amends.search(each.text)), None)


def _clause_of(line: Line, pool: Pool) -> str:
    """Return as a pattern by what ``line`` is called where a clause begins with it; else nothing.

    The clause (c) under 3 is "3(c)", the clause 3 "clause 3". Where the number is in a passage that
    was not found, any will do.
    """
    text = pool.passages[line.owner].text
    begin = text.rfind("\n", 0, line.start) + 1
    own = _MARK.match(text, begin, line.end)
    if own is None:
        return ""
    if own["mark"].isdecimal():
        return f"{_NUMBERED}{own['mark']}"
    over = _MARK.findall(text, max(0, begin - _LOOKED_BACK), begin)
    number = next(filter(str.isdecimal, reversed(over)), r"\d{1,3}")
    return f"{number} ?{re.escape(own['mark'])}"
