"""Questions that set two cells of a table against each other: by how much, and whether."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex

LONGEST = 300
"""Characters up to which a question is taken apart."""
_BE = (
    r"(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|'s|costs?|weighs?|takes?"
    r"|lasts?)"
)
_MORE = r"(?:more|less|fewer|further|better|worse|[a-z]{2,12}er)"
_DIFFERENCES = (
    lazy_regex(
        rf"(?i)^\W*how (?:much|many) (?P<about>{_MORE})\b(?P<of>[^?]*?)\s*\b{_BE}\s+(?P<a>[^?]+?)"
        r",?\s+than\s+(?P<b>[^?]+?)\s*\?*$"
    ),
    lazy_regex(
        r"(?i)^\W*(?:what(?:'s| is| was| are| were)|calculate|work out|tell me) the difference"
        r"(?: in (?P<of>[^?]+?))? between\s+(?P<a>[^?]+?)\s+and\s+(?P<b>[^?]+?)\s*\?*$"
    ),
    lazy_regex(
        rf"(?i)^\W*how (?:much|many)\b(?P<of>[^?]*?)\s*\b{_BE}\s+(?P<a>[^?]+?)\s+"
        r"(?P<about>ahead of|in front of|above|over|behind|below|under|short of)\s+"
        r"(?P<b>[^?]+?)\s*\?*$"
    ),
    lazy_regex(
        rf"(?i)^\W*by how (?:much|many)\b(?P<of>[^?]*?)\s*\b{_BE}\s+(?P<a>[^?]+?)\s+"
        rf"(?P<about>(?:{_MORE}(?: \w+)?) than|beat|exceed|outsell|lead|ahead of|behind|above|below"
        r"|trail|miss)\s+(?P<b>[^?]+?)\s*\?*$"
    ),
)
_CHANGE = lazy_regex(
    rf"(?i)^\W*(?:by )?how (?:much|many)\b(?P<of>[^?]*?)\s*\b{_BE}\s+(?P<what>[^?]+?)\s+"
    r"(?:go(?:ne)? (?:up|down)|rise|risen|fall(?:en)?|drop(?:ped)?|grown?|chang(?:e|ed)"
    r"|increased?|decreased?|shr[iu]nk|improved?)\s+(?:from|between)\s+(?P<a>[^?]+?)\s+(?:to|and)\s+"
    r"(?P<b>[^?]+?)\s*\?*$"
)
"""Sets two columns of one row against each other: of two years, as a rule."""
_WHETHER = lazy_regex(
    rf"(?i)^\W*{_BE}\s+(?P<a>[^?]+?)\s+(?P<about>(?:more|less) (?:expensive|costly|powerful|popular"
    rf"|recent)|{_MORE})\b(?P<of>)(?P<more>[^?]*?)\s+than\s+(?P<b>[^?]+?)\s*\?*$"
)
_LESS = lazy_regex(r"(?i)^(?:less|fewer|behind|below|under|short of|trail|miss)\b")


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """Two things of which a table may have cells."""

    first: str
    second: str
    about: str
    """The comparative, "dearer than", or "ahead of"; empty for a bare difference."""
    of: str
    """What is compared, where that is said apart: "goals" of "how many more goals"."""
    whether: bool
    """Whether yes or no is asked for, and not by how much."""

    @property
    def turned(self) -> bool:
        """Whether the second is supposed to be more: "less than", "behind"."""
        return _LESS.search(self.about) is not None


def pair_asked(question: str) -> PairQuestion | None:
    """Return which two things ``question`` compares; None where none. English alone."""
    text = " ".join(question.split())
    if spoken() is not None or len(text) > LONGEST:
        return None
    for pattern in _DIFFERENCES:
        found = pattern.search(text)
        if found:
            return _pair(found, whether=False)
    if (found := _CHANGE.search(text)) is not None:
        what = f"{found['of']} {found['what']}"
        return PairQuestion(f"{what} {found['a']}", f"{what} {found['b']}", "", "", whether=False)
    found = _WHETHER.search(text)
    return _pair(found, whether=True) if found else None


def _pair(found: re.Match[str], *, whether: bool) -> PairQuestion:
    groups = found.groupdict()
    return PairQuestion(
        first=f"{groups['a'].strip()} {(groups.get('more') or '').strip()}".strip(),
        second=groups["b"].strip(),
        about=re.sub(r"(?i)\s+than$", "", (groups.get("about") or "").strip()),
        of=(groups["of"] or "").strip(),
        whether=whether,
    )
