"""On which condition, when, how surely and as whose duty a statement says something.

"It stops on request, unless the line is closed" is turned by "only when the line is closed", and
kept by "it does not stop if the line is closed": what counts is whether an odd number of the two
parts, and of the words that join them, is turned. What was formerly so need not be so now. "May" is
less than "will", and what a source reserves in one of its statements it does not reserve in the
others. "Must" and "may" are compared only where they govern the same verb: "you must log in before
you can vote" does not leave open whether one logs in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import product
from typing import Final, NamedTuple

from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, align, clashes, content, stems

HELD: Final = 0.5
"""Share of the words of either part that must be laid next to those of the source's."""
_JOINING: Final = lazy_regex(
    r"(?i)\b(?:(?P<even>even (?:if|when|while))"
    r"|(?P<excepts>unless|except (?:if|when|while|where)|(?:but|and) not (?:if|when|while))"
    r"|(?:only )?(?:if|when(?:ever)?|while|as long as|so long as|once)"
    r"|provided(?: that)?|on (?:the )?condition that)\s"
)
_END: Final = lazy_regex(r"[,;:.](?!\d)")
_OFF: Final = lazy_regex(r"(?i)\boff\W*\Z")


class _Conditional(NamedTuple):
    """A statement and what it depends on."""

    main: str
    condition: str
    excepts: bool
    """Whether it holds unless the condition does."""
    even: bool
    """Whether it holds even if the condition does."""


def turns_condition(said: str, lines: Iterable[str]) -> bool:
    """Return whether one of ``lines`` says so on the opposite condition, and none on the same."""
    ways = {conditioned(said, line) for line in lines}
    return -1 in ways and 1 not in ways


def conditioned(said: str, held: str) -> int:
    """Return -1 where ``said`` turns the condition on which ``held`` says the same, else 1.

    0 where either names none, or another one.
    """
    if not is_english():
        return 0
    ways = (_way(a, b) for a, b in product(_conditionals(said), _conditionals(held)))
    return next((way for way in ways if way), 0)


def _way(said: _Conditional, held: _Conditional) -> int:
    main, condition = align(said.main, held.main), align(said.condition, held.condition)
    if min(main.own, condition.own) < HELD:
        return 0
    is_turned = _is_turned(main) is not _is_turned(condition)
    if said.even or held.even:
        excepts = said.excepts or held.excepts
        return -1 if excepts and not is_turned else 0
    return -1 if is_turned is (said.excepts is held.excepts) else 1


def _is_turned(alignment: Alignment) -> bool:
    """Return whether one side denies what the other says; "it is off" denies "it is on"."""
    return clashes(alignment) is not (_is_off(alignment.said) is not _is_off(alignment.held))


def _is_off(text: str) -> bool:
    return _OFF.search(text) is not None


def _conditionals(text: str) -> Iterator[_Conditional]:
    for match in _JOINING.finditer(text):
        before, behind = text[: match.start()], text[match.end() :]
        condition, rest = _parted(behind)
        main = _STATEMENT.split(before)[-1] if before.strip(" \t,;:–—") else rest
        yield _Conditional(main, condition, bool(match["excepts"]), bool(match["even"]))


def _parted(text: str) -> tuple[str, str]:
    """Return ``text`` up to the end of its first clause, and what follows."""
    end: re.Match[str] | None = _END.search(text)
    return (text[: end.start()], text[end.end() :]) if end else (text, "")


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
_BEING: Final = lazy_regex(r"(?i)\b(?:is|are) (?:still |now |currently )?being (?P<what>\w+)")
_EITHER_WAY: Final = lazy_regex(r"(?i)\bwith or without (?:an? |the )?(?P<what>\w+)")
_ONE_WAY: Final = (
    r"(?i)\b(?:only|must|shall|ha(?:s|ve) to|needs? to|required|not|never|cannot)\b[^.;]{{0,60}}"
    r"\bwith(?:out)? (?:an? |the )?{what}\b"
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
    is_worded_otherwise = any(
        wording.search(said) is not None and not wording.search(held) and not needed.search(held)
        for wording, needed in ((_UNLESS, _TURNS), (_WHATEVER, _CONCEDES), (_ONCE, _PAST))
    )
    rules = (_demands_one_way, _completes, _revives)
    return is_worded_otherwise or any(rule(said, held) for rule in rules)


def _revives(said: str, held: str) -> bool:
    """Return whether ``said`` takes for so now what ``held`` says is over."""
    is_over = _OVER.search(held) is not None and not _IS.search(held)
    return is_over and _NOW.search(said) is not None


def _completes(said: str, held: str) -> bool:
    """Return whether ``said`` takes for done what ``held`` says is being done."""
    going_on = (match["what"] for match in _BEING.finditer(held))
    return any(re.search(rf"(?i)\bha(?:s|ve|d) been {what}\b", said) for what in going_on)


def _demands_one_way(said: str, held: str) -> bool:
    """Return whether ``said`` demands one of two ways that ``held`` leaves open: "with or without".

    "Take it with or without food" does not say that it must be taken without food.
    """
    free = _EITHER_WAY.search(held)
    if free is None or _WHATEVER.search(said):
        return False
    return re.search(_ONE_WAY.format(what=re.escape(free["what"])), said) is not None


_HEDGE: Final = lazy_regex(
    r"\b(?:may(?! not)|might|could(?! not)|suggest(?:s|ed)?|expect(?:s|ed)?|plans? to|planned"
    r"|propos(?:es?|ed)|intend(?:s|ed)?(?! for\b)|aim(?:s|ed)?|allege[ds]?|allegedly|reportedly"
    r"|possibly|perhaps|probabl[ey]|presum(?:e[ds]?|ably)|apparently|likely|unclear|uncertain|doubtful"
    r"|believed?|thought|rumou?red|said to|claim(?:s|ed)?|supposedly"
    r"|(?:suspect|suppose|assume)(?:s|d|ed)? that"
    r"|(?:is|are|was|were) (?:suspected|supposed|assumed)"
    r"|(?:is|was|are) not (?:yet )?(?:certain|sure|clear)"
    r"|associated|estimate[sd]? that|tentative(?:ly)?|appears?|seems?|hop(?:es?|ed))\b"
)
_RESERVES: Final = lazy_regex(
    r"(?i)\b(?:should|ought|(?:is|are) to (?=[a-z])|due to (?:be|arrive|start|begin|open|end)"
    r"|set to|scheduled|supposed"
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


_NOT_ONLY: Final = lazy_regex(r"(?i)\bnot (?:only|solely|exclusively)\b")
_ONLY: Final = lazy_regex(r"(?i)(?<!\bnot )\b(?:only|solely|exclusively)\b")


def turns_only(alignment: Alignment) -> bool:
    """Return whether one side says "only" where the other says "not only"."""
    said, held = alignment.said, alignment.held
    return any(
        _NOT_ONLY.search(a) and _ONLY.search(b) and not _NOT_ONLY.search(b)
        for a, b in ((said, held), (held, said))
    )


class Duty(Enum):
    """Whether something must be done."""

    MUST = "must"
    MAY = "may"
    NEED_NOT = "need not"
    MUST_NOT = "must not"


_BE: Final = r"(?:is|are|was|were|be|been)"
_MODALS: Final = lazy_regex(
    r"(?i)\b(?:"
    rf"(?P<NEED_NOT>need(?:n['’]t| not)|do(?:es)?(?: not|n['’]t) (?:have|need) to"
    rf"|{_BE} not (?:required|obliged|compelled) to)"
    rf"|(?P<MUST_NOT>(?:must|may|shall)(?: not|n['’]t)|can(?:not|n['’]t| not)"
    rf"|{_BE} (?:not (?:allowed|permitted) to|forbidden (?:to|from)|(?:prohibited|banned) from))"
    rf"|(?P<MUST>must|shall|ha(?:s|ve) to|needs? to|{_BE} (?:required|obliged|bound) to)"
    rf"|(?P<MAY>may|can|{_BE} (?:allowed|permitted|free|welcome) to)"
    r")\s"
)


_LOOSER: Final = frozenset({(Duty.MAY, Duty.MUST), (Duty.NEED_NOT, Duty.MUST_NOT)})
"""What a sentence says of a deed where its source says the second."""
_STRICTER: Final = frozenset((held, said) for said, held in _LOOSER)


def leaves_open(alignment: Alignment) -> bool:
    """Return whether the sentence leaves free what its source demands or forbids."""
    return not _LOOSER.isdisjoint(_duties(alignment))


def demands(alignment: Alignment) -> bool:
    """Return whether the sentence demands or forbids what its source leaves free."""
    return not _STRICTER.isdisjoint(_duties(alignment))


def _duties(alignment: Alignment) -> Iterator[tuple[Duty, Duty]]:
    """Yield what both sides say of a deed that they have in common."""
    if not is_english():
        return
    mine, theirs = dict(_governed(alignment.said)), dict(_governed(alignment.held))
    for match in alignment.matches:
        said, held = mine.get(match.said.start), theirs.get(match.held.start)
        if said and held and not match.opposite:
            yield said, held


def _governed(text: str) -> Iterator[tuple[int, Duty]]:
    """Yield where each verb is that such a word governs, and whether it must be done."""
    words = content(text)
    for match in _MODALS.finditer(text):
        verb = next((word for word in words if word.start >= match.end()), None)
        if verb is not None and match.lastgroup:
            yield verb.start, Duty[match.lastgroup]
