"""When and under which condition a sentence says something.

What is true "if the lid is closed" is not true "unless it is", and what was formerly so need not
be so now. Each rule asks of the source a word without which it cannot mean what the sentence says.
"""

from __future__ import annotations

from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment

_UNLESS: Final = lazy_regex(r"(?i)\bunless\b")
_TURNS: Final = lazy_regex(
    r"(?i)\b(?:unless|except\w*|only|not|no|never|cannot|until|till|without|other than|otherwise"
    r"|but|neither|nor|none|forbid\w*|prohibit\w*|refus\w*|den(?:y|ie[sd])|lack\w*)\b|n['’]t\b"
)
_WHATEVER: Final = lazy_regex(
    r"(?i)\beven (?:if|when|while|with|without|though|after|before)\b|\bregardless\b"
    r"|\bwhether or not\b|\bwith or without\b|\bno matter\b"
)
_CONCEDES: Final = lazy_regex(
    r"(?i)\b(?:even|regardless|whether|no matter|although|though|despite|in spite|any|always|all"
    r"|every|also|too|still|irrespective|independent\w*|while|without|not|no|never|or)\b|n['’]t\b"
)
_ONCE: Final = lazy_regex(r"(?i)\b(?:formerly|previously|in the past|used to|once was|was once)\b")
_PAST: Final = lazy_regex(
    r"(?i)\b(?:former\w*|previous\w*|past|used to|once|until|till|no longer|ago|before|earlier"
    r"|was|were|had|been|old|ended|closed|originally|originat\w*|replac\w*|became|since|[a-z]{3,}ed)\b"
)
_NOW: Final = lazy_regex(r"(?i)\b(?:now|nowadays|today|currently|at present|still|these days)\b")
_OVER: Final = lazy_regex(r"(?i)\b(?:formerly|previously|no longer|used to|until|till)\b")
_IS: Final = lazy_regex(
    r"(?i)\b(?:now|nowadays|today|current\w*|present|still|these days|since|from|is|are|has|have"
    r"|will)\b"
)


def turns_scope(alignment: Alignment) -> bool:
    """Return whether a sentence turns the condition or the time of what its source says."""
    said, held = alignment.said, alignment.held
    return any(
        wording.search(said) is not None and not wording.search(held) and not needed.search(held)
        for wording, needed in ((_UNLESS, _TURNS), (_WHATEVER, _CONCEDES), (_ONCE, _PAST))
    ) or (_NOW.search(said) is not None and _OVER.search(held) is not None and not _IS.search(held))
