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
    r"\b(?:prove[sdn]?|proof|certain(?:ly)?|definitely|undoubtedly|always|caus(?:es?|ed)|guarantee\w*"
    r"|demonstrat\w+|conclusively|ensur\w+|every time)\b",
    re.IGNORECASE,
)
_OBLIGES: Final = lazy_regex(r"(?i)\b(?:must|ha(?:s|ve) to|required to|obliged to)\b")
_LEAVES: Final = lazy_regex(r"(?i)\b(?:may|can|could|might|should|optional(?:ly)?|recommend\w*)\b")
_BINDS: Final = lazy_regex(
    r"(?i)\b(?:must|shall|ha(?:s|ve) to|need(?:s|ed)?|required?|do not|don['’]t|only|never|cannot"
    r"|may not|can not|can['’]t)\b"
)
_WIDE: Final = lazy_regex(
    r"\b(?:all|every|everyone|everybody|each|always|none|only|entire(?:ly)?|whole|completely|fully"
    r"|exclusively|throughout|everywhere)\b",
    re.IGNORECASE,
)
_NARROW: Final = lazy_regex(
    r"\b(?:some|many|several|most|mostly|few|a few|up to|parts? of|partly|partial(?:ly)?|sometimes"
    r"|often|usually|mainly|largely|half|majority|nearly|almost|occasionally|certain"
    r"|two of|one of|(?:a|one|two|three)[ -](?:quarter|third|fifth|tenth)s?)\b",
    re.IGNORECASE,
)
_EVERY: Final = lazy_regex(r"(?i)\b(?:all|every|any|each|always|whatever)\b")
_ONLY: Final = lazy_regex(r"(?i)\b(?:only|exclusively|solely)\b")
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
_QUALIFIED: Final = lazy_regex(
    r"(?i)\b(?:nearly|almost|virtually|practically|not) (?:all|every|each|always|everyone|whole)\b"
)
_FEW: Final = lazy_regex(r"(?i)\b(?<!\ba )(?:few|hardly any|seldom|rarely|a minority)\b")
_MANY: Final = lazy_regex(r"(?i)\b(?:many|most|often|a majority|numerous|all|every)\b")
_PART: Final = lazy_regex(
    r"(?i)\b(?:only (?:some|a few|few|parts?|one|two)|not (?:all|every\w*|always))\b"
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
    """Return whether the sentence is certain of something, or demands it, and the source not."""
    said, held = alignment.said, alignment.held
    if _only_in(_STRONG, said, held):
        return True
    return _only_in(_OBLIGES, said, held) and _only_in(_LEAVES, held, said) and not _binds(held)


def says_only(said: str, line: str) -> bool:
    """Return whether ``said`` leaves out all others, and ``line`` of its source leaves out none."""
    return _SOLE.search(said) is not None and _ALONE.search(line) is None


def _binds(text: str) -> bool:
    return _BINDS.search(text) is not None


def widens(alignment: Alignment) -> bool:
    """Return whether the sentence says of all, or of many, what the source says of fewer."""
    said, held = alignment.said, _QUALIFIED.sub("most", alignment.held)
    if _only_in(_MANY, said, held) and _only_in(_FEW, held, said):
        return True
    if _only_in(_EVERY, said, "; ".join(_stated(alignment))) and _is_bounded(alignment):
        return True
    if _WIDE.search(held):
        return False
    return _is_first(_WIDE, _NARROW, said) and _is_first(_NARROW, _WIDE, held)


def _is_bounded(alignment: Alignment) -> bool:
    """Return whether the source alone says "only" in what the sentence is about."""
    return _only_in(_ONLY, "; ".join(_stated(alignment)), alignment.said)


def _is_first(words: re.Pattern[str], others: re.Pattern[str], text: str) -> bool:
    """Return whether one of ``words`` comes before all of ``others``."""
    found, other = words.search(text), others.search(text)
    return found is not None and (other is None or found.start() < other.start())


def narrows(alignment: Alignment) -> bool:
    """Return whether the sentence says only of a part what the source says of all."""
    held = _QUALIFIED.sub("most", alignment.held)
    return _only_in(_PART, alignment.said, held) and _WIDE.search(held) is not None


def _only_in(words: re.Pattern[str], one: str, other: str) -> bool:
    return words.search(one) is not None and words.search(other) is None
