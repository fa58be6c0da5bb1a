"""Words of a question for a figure that tell neither the figure nor whose it is."""

from __future__ import annotations

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
