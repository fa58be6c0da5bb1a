"""Words of a question for a figure that tell neither the figure nor whose it is."""

from __future__ import annotations

from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem

_WORDS = """
fy fiscal year years end ended ending total amount net annual value level much many usd us
dollar dollars million billion thousand percent percentage percents average unadjusted
company report reported record recorded according period sheet balance statement ratio
margin approximately spend spent paid pay generate generated make made give point points
calculate compute determine rate state tell zero two three four five please figure number held
hold show shown stated during define based using change increase decrease growth grow grew
difference decline rise fall fell rose changed increased decreased declined drop dropped rises
risen fallen grown climb climbed shrink shrank shrunk go goes gone went up down higher lower more
fewer over yoy cent times compare compared comparison comparing relative versus vs term terms
decimal decimals place places round rounded plus minus less divided multiplied
respectively respective altogether overall everything whole worth money start beginning close
"""
PLAIN = frozenset(map(stem, _WORDS.split()))
"""Words that name neither whose figure is asked for nor which part of it."""

_THAN_BEFORE = lazy_regex(
    r"(?i)\b(?:compared (?:to|with)|versus|vs\.?|over|from|against|on|than) (?:the )?"
    r"(?:last|previous|prior|preceding) (?:fiscal |financial )?year\b"
)
"""Says of a change from when it is, which goes without saying."""
_EACH_SHARE = lazy_regex(r"(?i)\bdividends?\b([^?]{0,60}?)\bper (?:common )?share\b")


def as_labelled(clause: str) -> str:
    """Return ``clause`` with a dividend that is paid per share named as its line is.

    Without what says that a change is one from the year before.
    """
    return _EACH_SHARE.sub(r"dividends per share \1", _THAN_BEFORE.sub(" ", clause))
