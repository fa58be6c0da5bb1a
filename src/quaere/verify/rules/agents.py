"""Who did what a sentence says: whether its source has somebody else there.

"Solberg founded the laboratory" has all words of "she joined the laboratory, which Aasen had
founded", but not its founder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, Match, Word, content
from quaere.verify.ground import ground
from quaere.verify.likeness import is_irregular, likeness
from quaere.verify.rules.roles import is_passive, passes_on

_REGULAR: Final = lazy_regex(r"[a-z]{2,}ed")
_PRESENT: Final = lazy_regex(r"[a-z]{2,}s\b")
_DEED: Final = lazy_regex(r"[a-z]+")
_BY: Final = lazy_regex(
    r"[a-z]+(?:\s(?:in|on|at)\s[\w ]{1,20}?)?\sby\s(?!\d|an?\s\w+\sof|\w+ing\b)"
    r"(?P<who>[^,;:()]{1,60})"
)
_PRONOUN: Final = lazy_regex(r"(?i)\b(?:it|he|she|they|we|you|who|which|that|this|these|one)\b")
_ADJOINING: Final = 24
"""Characters from where a subject's last word begins within which its verb does."""
_ARTICLE: Final = lazy_regex(r"(?i)\b(?:an?|the|its|his|her|their|this|these|no|of)\s\Z")
_OPENING: Final = lazy_regex(
    r"(?i)(?:\A\W*|[;:.]\s+|,?\s(?:but|while|whereas|because|although|(?P<relative>which|that))\s)"
    r"(?:(?:the|an?|its|his|her|their|all|both|some|many|most)\s)*\Z"
)
"""Before the subject of a clause; what follows a comma alone may be of another."""
_LEAD: Final = lazy_regex(
    r"(?i)\A(?:on|in|at|during|since|every|each)\s(?:(?:the|an?|each|every)\s)?(?:[\w.-]+\s){1,2}?"
    r"(?=(?:the|an?|its|his|her|their|all|both)\s)"
)
"""When or where, before the subject, without a comma: "on Fridays the cook signs"."""
_ENDS: Final = lazy_regex(r"(?i)\s(?:in|on|at|for|from|to|with|and|or|but|who|which|that|as)\s")
_OBJECT: Final = lazy_regex(
    r"[a-z]+\s(?:(?:down|off|out|up|back|away)\s)?(?!(?:in|on|at|for|from|to|with|by|and|or|but|as|when|after|before|until|since"
    r"|because|than|of|into|over|up|down|out|about|not)\b|\d)\w"
)


def has_other_agent(alignment: Alignment) -> bool:
    """Return whether what a verb of both says was done by somebody else in the source.

    Somebody whom the source names for another part, or by another name. In English alone.
    """
    if spoken() is not None:
        return False
    return any(
        not (match.opposite or passes_on(match.said.stem))
        and _are_deeds(alignment, match)
        and _is_by_another(alignment, match.said, match.held)
        for match in alignment.matches
    )


def _are_deeds(alignment: Alignment, match: Match) -> bool:
    """Return whether both words say what somebody did, or one "is done by", the other "does"."""
    sides = ((alignment.said, match.said), (alignment.held, match.held))
    past = [_is_past(text, word) for text, word in sides]
    return all(past) or any(
        is_past and is_passive(*deed) and _BY.match(deed[0], deed[1].start) and _is_present(*other)
        for is_past, deed, other in zip(past, sides, sides[::-1], strict=True)
    )


def _is_present(text: str, word: Word) -> bool:
    """Return whether ``word`` may be a verb that says what someone does, such as "signs"."""
    match = _PRESENT.match(text, word.start)
    return match is not None and not _ARTICLE.search(text, 0, word.start)


def _is_past(text: str, word: Word) -> bool:
    match = _DEED.match(text, word.start)
    if match is None or _ARTICLE.search(text, 0, word.start):
        return False
    return bool(_REGULAR.fullmatch(match[0]) or is_irregular(match[0]))


def _is_by_another(alignment: Alignment, said: Word, held: Word) -> bool:
    mine, theirs = _agent(alignment.said, said), _agent(alignment.held, held)
    if not mine or not theirs or mine & theirs:
        return False
    return _are_two(alignment, mine, theirs)


def _are_two(alignment: Alignment, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Return whether the source has ``mine`` for another part, or both are names."""
    elsewhere = {w.stem for w in content(alignment.held)} - theirs
    if mine <= elsewhere:
        return True
    if _are_alike(mine, theirs):
        return False
    return _are_named(alignment.said, mine) and _are_named(alignment.held, theirs)


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return any(likeness(a, b)[0] and not likeness(a, b)[1] for a in one for b in other)


def _are_named(text: str, who: frozenset[str]) -> bool:
    spans = [(name.start, name.end) for name in ground(text).names]
    named = {w.stem for w in content(text) if any(a <= w.start < b for a, b in spans)}
    return who <= named


def _agent(text: str, verb: Word) -> frozenset[str]:
    """Return the stems of who does what ``verb`` says; empty where that cannot be told."""
    by = _BY.match(text, verb.start)
    if by:
        return frozenset(_stems_in(text, by.start("who"), _ENDS.split(by["who"])[0]))
    return frozenset[str]() if is_passive(text, verb) else _subject(text, verb)


def _subject(text: str, verb: Word) -> frozenset[str]:
    """Return the stems of the subject of ``verb``, which is not passive; empty as above."""
    start = _led_until(text)
    before = [w for w in content(text) if w.clause == verb.clause and start <= w.start < verb.start]
    if not _is_subject(before, text, verb):
        return frozenset()
    return frozenset(w.stem for w in before if not w.stem[0].isdigit())


def _led_until(text: str) -> int:
    """Return where ``text`` goes on after what it says first of when or where; 0 without that."""
    lead = _LEAD.match(text)
    return lead.end() if lead else 0


def _is_subject(before: Sequence[Word], text: str, verb: Word) -> bool:
    """Return whether the words ``before`` a verb adjoin it, and are all before it in its clause."""
    if not before or verb.start - before[-1].start > _ADJOINING:
        return False
    if _PRONOUN.search(text, before[0].start, verb.start):
        return False
    start = _led_until(text)
    opening = _OPENING.search(text[start:], 0, before[0].start - start)
    if opening is None:
        return False
    return bool(opening["relative"] or _OBJECT.match(text, verb.start))


def _stems_in(text: str, start: int, part: str) -> Iterator[str]:
    return (w.stem for w in content(text) if start <= w.start < start + len(part))
