"""What was decided about something: lines that tell how it ended, by whatever verb. English alone.

"The roof will be relaid" and "The idea was turned down" say what was decided and have no word of
deciding; "Three offers had been obtained" does not. What happened to a mill, and not to a plan,
need not have been decided.
"""

from __future__ import annotations

from typing import Final

from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

_ASKS: Final = lazy_regex(
    r"(?i)\bwhat (?:(?:was|were|is|has been|have been|got)"
    r" (?P<done>decided|agreed|resolved|concluded)"
    r"|(?:did|has|have) [^?]*?\b(?P<did>decided?|agreed?|resolved?|concluded?)\b(?! to)"
    r"|(?:was|is) the (?P<noun>decision|outcome|resolution)\b"
    r"|(?P<happened>happened) (?:to|with) (?:[\w'’-]+ ){1,3}?"
    r"(?:ideas?|plans?|propos(?:al|ition)s?|suggestions?|requests?|motions?|petitions?|bids?|offers?"
    r"|applications?|complaints?|amendments?)\b)"
)
_TELLS: Final = lazy_regex(
    r"(?i)\b(?:resol(?:ved|ution)|agree[ds]?|agreement|deci[ds]\w*|voted?|approv\w+|accept\w*"
    r"|adopt\w*|reject\w*|turned down|refus\w*|declin\w+|elect(?:ed|s)|appoint\w*"
    r"|(?:put|called) off|postpon\w+|deferr?\w*|adjourn\w*|(?:left|stays?|remains?|kept|keeps?) \w+"
    r"|ruled out|will|shall|(?:is|are|was|were) to|going (?:to|with)|extend(?:ed|s)|confirm\w*"
    r"|conclu\w+|rul(?:ed|ing)|upheld|overturn\w*|dismiss\w*|settled|won|lost|beat"
    r"|(?:found|finds|show(?:s|ed|n)?) that|grant(?:ed|s)|withdr\w+|dropped|gave up|given up"
    r"|instead|moved?s? (?:from|to)|no longer)\b"
)


def outcome_words(question: str) -> frozenset[str]:
    """Return the stems by which ``question`` asks what was decided: no line need have them."""
    asked = in_english(_ASKS.search, last_question(question))
    return (
        frozenset(terms(" ".join(filter(None, asked.groupdict().values()))))
        if asked
        else frozenset()
    )


def lacks_outcome(question: str, sentence: str) -> bool:
    """Return whether it is asked what was decided, and ``sentence`` tells of no decision."""
    asked = in_english(_ASKS.search, last_question(question))
    return asked is not None and _TELLS.search(sentence) is None
