"""On which condition something is allowed: where there is one, it is the answer, and no bare yes.

English alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from quaere.reason.extractive.denials import asks_leave
from quaere.reason.extractive.pool import Line
from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MAY
from quaere.text.tokens import stem, terms

_CONSENT: Final = (
    r"(?:consent|permission|approval|agreement|arrangement|authori[sz]ation|supervision|request"
    r"|licen[cs]e|permit)"
)
_NEEDS_CONSENT: Final = lazy_regex(
    r"(?i)\b(?:needs?|needed|requires?|required|subject to"
    r"|must (?:first )?(?:ask|get|have|obtain|seek))"
    rf"\b[^,;.]{{0,120}}?\b{_CONSENT}\b"
)
_BOUND: Final = lazy_regex(
    r"(?i)\bonly (?:with|if|when|where|after|before|by|in|on|at|from|between|during|for|to|allowed"
    r"|permitted|admitted|once|while)\b"
    r"|\b(?:with|by|for|in|on|at|to|from|after|before|during|between) [^,;.]{1,40}? only\b"
    r"|\b(?:not|never|no|cannot)\b[^.;]{0,200}?\bwithout\b|\bsubject to\b|\bprovided\b"
    r"|\b(?:as|so) long as\b|\bon condition\b"
    rf"|\b(?:with|by|on|upon|after) (?:[a-z'’]+ ){{0,4}}{_CONSENT}\b"
    rf"|{_NEEDS_CONSENT.pattern.removeprefix('(?i)')}"
)
"""On what it depends whether something is allowed."""
_IF: Final = lazy_regex(
    r"(?i)\b(?:if|unless|except|accompanied by|supervised by"
    r"|when (?:it|they|you|he|she|[a-z]+ed))\b"
)
"""The same, where a sentence also says that something is allowed."""
_ALLOWS: Final = lazy_regex(
    rf"(?i)\b(?:{MAY}|can|allowed|permitted|welcome|admitted|accepted|possible)\b"
)
_MAY: Final = lazy_regex(r"(?i)\W*may\b")
_ASKS_FOR_THING: Final = lazy_regex(
    r"(?i)\W*(?:may|can|could) (?:i|we|you|one|(?:the|a|an|my|our) [a-z]+|[a-z]+s) (?P<deed>[a-z]+)"
    r" (?P<thing>[^?]+)"
)
_PART: Final = lazy_regex(r";\s+|,\s+(?:but|while|whereas)\s+")


def is_on_condition(said: str, text: str) -> bool:
    """Return whether ``text`` asks for leave, and ``said`` gives it on a condition alone.

    "Dogs may be kept only with our permission" is neither a yes nor a no. Of several parts of a
    sentence the one counts that has all that is asked of: "One cat may be kept; dogs need consent".
    """
    asks = asks_leave(text) or (is_english() and _MAY.match(text))
    return bool(asks) and gives_conditionally(said, text)


_NOT_WITHOUT: Final = lazy_regex(
    r"(?i)(?:\bnot|n['’]t|\bcannot|\bnever)\b[^,;.:]{0,200}?\bwithout\s+(?P<what>[^,;.:]+)"
)


def is_so_with_more(said: str, text: str) -> bool:
    """Return whether ``said`` denies what ``text`` asks without something this does not speak of.

    "It will not work without workarounds" says no plain yes, nor a no, to "Does it work?".
    """
    bound = None if "without" in text.casefold() else _NOT_WITHOUT.search(said)
    return bound is not None and frozenset(terms(bound["what"])).isdisjoint(terms(text))


_NO_NEED: Final = lazy_regex(
    r"(?i)(?:\bnot|n['’]t) (?:necessary|needed|required) to (?P<deed>[a-z]+)"
    r"|\bno need to (?P<act>[a-z]+)"
)


def spares_another(said: str, text: str) -> bool:
    """Return whether ``said`` spares one a deed of which ``text`` does not speak.

    "It is not necessary to name the kind of a parcel" does not tell whether parcels have kinds.
    """
    spared = _NO_NEED.search(said)
    deed = spared and (spared["deed"] or spared["act"])
    return deed is not None and stem(deed.casefold()) not in terms(text)


def gives_conditionally(said: str, text: str) -> bool:
    """Return whether ``said`` says what ``text`` asks on a condition that this does not name."""
    told = _part_about(text, said)
    is_bound = _BOUND.search(told) or (_IF.search(told) and _ALLOWS.search(told))
    return bool(is_bound) and not (_BOUND.search(text) or _IF.search(text))


def needs_consent(text: str, told: Iterable[Line]) -> Line | None:
    """Return the line that says of a thing that it needs consent, where ``text`` asks for leave.

    "Dogs need the landlord's consent" answers "May I keep a dog?", whatever one does with it.
    """
    asks = in_english(_ASKS_FOR_THING.match, text)
    things = frozenset(terms(asks["thing"]) if asks else ())
    if not things or _NEEDS_CONSENT.search(text):
        return None
    return next((line for line in told if _is_bound(line.text, things)), None)


def _is_bound(said: str, things: frozenset[str]) -> bool:
    """Whether a part of ``said`` with all ``things`` tells that consent is needed."""
    return any(
        _NEEDS_CONSENT.search(part) and things <= frozenset(terms(part))
        for part in _PART.split(said)
    )


def _part_about(text: str, said: str) -> str:
    """Return the part of ``said`` that has all it has of ``text``; all of it where none does."""
    shared = frozenset(terms(text)) & frozenset(terms(said))
    able = [part for part in _PART.split(said) if shared <= frozenset(terms(part))]
    return able[0] if able else said


_CONDITION: Final = lazy_regex(r"(?i)\W*(?:if|unless|in case|provided that|as long as)\s[^,;:]*,")
_SUPPOSED: Final = lazy_regex(r"(?i)\b(?:if|when|whenever|unless|in case)\s[^;:]*")


def supposes(said: str, text: str) -> bool:
    """Return whether ``said`` begins with a condition, or has the end of ``text`` only in one.

    "It is of use when throwing an error is needed" does not say that it can throw errors.
    """
    if _CONDITION.match(said):
        return True
    ends = frozenset(terms(text)[-2:])
    outside = frozenset(terms(_SUPPOSED.sub(" ", said)))
    return len(ends) > 1 and ends <= frozenset(terms(said)) and ends.isdisjoint(outside)
