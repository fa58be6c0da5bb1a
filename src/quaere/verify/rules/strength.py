"""How strongly a sentence says something, and of how many, against the one of its source.

"May" is less than "will", "some" less than "all". What a source reserves in one of its statements
it does not reserve in the others.
"""

from __future__ import annotations

import re
from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, stems

_HEDGE: Final = lazy_regex(
    r"\b(?:may(?! not)|might|could(?! not)|suggest(?:s|ed)?|expect(?:s|ed)?|plans? to|planned"
    r"|propos(?:es?|ed)|intend(?:s|ed)?|aim(?:s|ed)?|allege[ds]?|allegedly|reportedly|possibly"
    r"|perhaps|probabl[ey]|presum(?:e[ds]?|ably)|apparently|likely|unclear|uncertain|doubtful"
    r"|believed?|thought|rumou?red|said to|claim(?:s|ed)?|supposedly"
    r"|(?:suspect|suppose|assume)(?:s|d|ed)? that"
    r"|(?:is|are|was|were) (?:suspected|supposed|assumed)"
    r"|(?:is|was|are) not (?:yet )?(?:certain|sure|clear)"
    r"|associated|tentative(?:ly)?|appears?|seems?|hop(?:es?|ed))\b"
)
_RESERVES: Final = lazy_regex(
    r"(?i)\b(?:should|ought|due to (?:be|arrive|start|begin|open|end)|set to|scheduled|supposed"
    r"|propos(?:al|ition)s?|suggestions?"
    r"|put(?:s|ting)? forward|in doubt|possibl[ey]|possibility|potential(?:ly)?|can|if|when"
    r"|whether|not (?:yet )?(?:certain|sure|clear|known|confirmed)|prospective)\b"
)
"""What keeps a reservation besides the words that make one."""
_CONDITION: Final = lazy_regex(
    r"(?:^If\b|, if\b)(?! (?:you|one) (?:want|wish|need|would like)s?\b)(?P<when>[^,;]*)"
)
_ALLOWS: Final = lazy_regex(r"\b(?:can|could|allow\w*|permit\w*|up to|at most)\b", re.IGNORECASE)
_STRONG: Final = lazy_regex(
    r"\b(?:prove[sdn]?|proof|certain(?:ly)?|definitely|undoubtedly|caus(?:es?|ed)|guarantee\w*"
    r"|demonstrat\w+|conclusively)\b",
    re.IGNORECASE,
)
_SOLE: Final = lazy_regex(
    r"(?i)\b(?:only(?! (?:if|when|after|until|once|from|by|in|on|at|with|for)\b)"
    r"|exclusively|solely)\b"
)
_ALONE: Final = lazy_regex(
    r"(?i)\b(?:only(?! (?:if|when|after|until|once|from))|exclusively|solely|alone|just|merely|sole"
    r"|single|no|not|nobody|none|never|neither|nothing|cannot|except\w*|unless|without|other than"
    r"|limit\w*|restrict\w*|reserved|confined|unique\w*|apart from|few|one|until|till|at most"
    r"|up to|maximum|must|requir\w*|if)\b|n['’]t\b"
)
_STATEMENT: Final = lazy_regex(r"[;:]\s|,\s(?:and|but|while|whereas|which|who|although|though)\s")


def drops_reservation(alignment: Alignment) -> bool:
    """Return whether the source says it with a reservation, and the sentence without one.

    "May" allows as well as doubts; "can" and "up to" keep what is allowed.
    """
    said, held = alignment.said, alignment.held
    if _HEDGE.search(said) or _RESERVES.search(said) or _ALLOWS.search(said):
        return False
    if any(not _keeps(said, each["when"]) for each in _CONDITION.finditer(held)):
        return True
    return any(_HEDGE.search(part) for part in _stated(alignment))


def _keeps(said: str, condition: str) -> bool:
    """Return whether ``said`` names most of what ``condition`` makes it depend on."""
    wanted = stems([condition])
    return 2 * len(wanted & stems([said])) >= len(wanted)


def _stated(alignment: Alignment) -> list[str]:
    """Return the statements of the source that have most of the words of the sentence."""
    held = alignment.held
    ends = [match.start() for match in _STATEMENT.finditer(held)]
    spans = list(zip([0, *ends], [*ends, len(held)], strict=True))
    counts = [
        sum(start <= match.held.start < end for match in alignment.matches) for start, end in spans
    ]
    most = max(counts)
    return [held[a:b] for (a, b), n in zip(spans, counts, strict=True) if 2 * n >= most]


def strengthens(alignment: Alignment) -> bool:
    """Return whether the sentence is certain of something, and the source not."""
    return _STRONG.search(alignment.said) is not None and not _STRONG.search(alignment.held)


def says_only(said: str, line: str) -> bool:
    """Return whether ``said`` leaves out all others, and ``line`` of its source leaves out none."""
    return _SOLE.search(said) is not None and _ALONE.search(line) is None
