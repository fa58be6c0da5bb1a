"""Who does what in two aligned statements, and to whom.

"Solberg founded the laboratory" has all words of "she joined the laboratory, which Aasen had
founded", but not its founder. And "north of" says what "south of" does where the two things have
changed sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import fold, tokenize
from quaere.verify.align import BE, Alignment, Match, Word, content
from quaere.verify.ground import ground, is_within
from quaere.verify.likeness import alike, is_irregular, root
from quaere.verify.rules.converses import passes_on

_MUTUAL: Final = frozenset(map(root, ("marry", "meet", "met", "border", "equal", "resemble")))
"""Verbs that say the same of both."""
_PARTICIPLE: Final = lazy_regex(r"(?:ed|en|wn|lt|ght|ld|id|un|nt|ut|de|ne|^set|^hit|^cast|^met)$")
_NO_VERB: Final = lazy_regex(r"(?:tion|sion|ment|ness|ity|istry|ism|ship|logy|ics)s?$")
_LEAD: Final = lazy_regex(
    r"(?i)\W*(?:after|before|when|while|if|once|since|until|although|though|because|as)\s"
    r"[^,;:()]{1,80},"
)
"""A clause with which a statement begins, and which might as well end it."""
_APPOSING: Final = (",", ":", "(", "-", "–", "—")
"""What may be between a thing and a participle that says what was done to it."""
_MOVED: Final = lazy_regex(r"(?i)\s*(?:it (?:is|was)|there (?:is|are|was|were))\b")


def exchanges(alignment: Alignment) -> int:
    """Return -1 where the two sides of a verb are exchanged, 1 where they are kept, else 0.

    "A trained B" and "B was trained by A" keep them. For an exchange, all that was before the verb
    must change sides, and something come to be before it.
    """
    if _MOVED.match(alignment.said) or _MOVED.match(alignment.held):
        return 0
    verdict = 0
    for match in alignment.matches:
        turned = _turned_around(alignment, match)
        if turned and not _is_of_one_voice(alignment, match):
            return -turned
        verdict = turned or verdict
    return verdict


def _turned_around(alignment: Alignment, verb: Match) -> int:
    """Return -1 where the sides of ``verb`` are others than in the source, 1 where they are not.

    0 where it has no sides, or where its voice cannot be told.
    """
    if verb.said.stem in _MUTUAL or verb.opposite or _is_noun(alignment.said, verb.said):
        return 0
    turned = _crossed(alignment, verb, alignment.matches)
    if not turned or _may_be_passive(alignment.said, verb.said):
        return 0
    return 0 if _may_be_passive(alignment.held, verb.held) else turned


def _is_of_one_voice(alignment: Alignment, verb: Match) -> bool:
    """Return whether ``verb`` is passive on both sides, or on neither."""
    return is_passive(alignment.said, verb.said) is is_passive(alignment.held, verb.held)


def reconciles(alignment: Alignment) -> bool:
    """Return whether an opposite says the same, since its two sides are exchanged, too."""
    moving = [each for each in alignment.matches if _may_move(each.said)]
    return any(
        m.opposite and _crossed(alignment, m, moving) < 0 and _is_of_one_voice(alignment, m)
        for m in alignment.matches
    )


def _may_move(word: Word) -> bool:
    """Return whether ``word`` may be one of two sides; verbs of little weight and "40 km" stay."""
    return word.weight == 1 and not word.stem[0].isdigit() and len(word.stem) > 2


def _crossed(alignment: Alignment, verb: Match, among: Sequence[Match]) -> int:
    """Return -1 where what is before ``verb`` is after it in the source and the reverse.

    1 where both stay, 0 where it cannot be told.
    """
    moves = [*_moves(alignment, verb, among)]
    stays, leaves, comes = (True, True), (True, False), (False, True)
    ways = {(before, there) for _, before, there in moves}
    beside = {(before, there) for each, before, there in moves if _is_beside(each, verb)}
    if {leaves, comes} <= beside and stays not in ways:
        return -1
    return 1 if ways == {stays, (False, False)} else 0


def _moves(
    alignment: Alignment, verb: Match, among: Sequence[Match]
) -> Iterator[tuple[Match, bool, bool]]:
    """Yield what is ``among`` others, whether it is before ``verb``, and whether in the source."""
    said, held = _led_until(alignment.said), _led_until(alignment.held)
    for each in among:
        # "You need an account" and "an account is needed" leave out who.
        if each is not verb and not each.opposite and _is_of_one_voice(alignment, each):
            yield (
                each,
                _precedes(each.said.start, verb.said.start, said),
                _precedes(each.held.start, verb.held.start, held),
            )


def _is_beside(match: Match, verb: Match) -> bool:
    """Return whether a word is in the clause of ``verb`` in the sentence and in its source.

    "Rafts go round reefs, which ships cross" and "ships cross reefs, and rafts go round them" have
    all before the reefs that the other has behind them.
    """
    return match.said.clause == verb.said.clause and match.held.clause == verb.held.clause


def _led_until(text: str) -> int:
    """Return where the clause ends that ``text`` begins with and might end with as well."""
    lead = _LEAD.match(text)
    return lead.end() if lead else 0


def _precedes(one: int, other: int, lead: int) -> bool:
    """Return whether what is at ``one`` comes before ``other``, with the ``lead`` put last."""
    return (one < lead, one) < (other < lead, other)


def _is_noun(text: str, word: Word) -> bool:
    match = re.match(r"\w+", text[word.start :])
    return match is not None and _NO_VERB.search(match[0]) is not None


def _may_be_passive(text: str, verb: Word) -> bool:
    """Return whether the verb may be passive without an auxiliary of its own.

    As "opened" is in "it was designed by Wray and opened in 1903", and both verbs are in "the mill,
    built by Wray and paid for by the town". "The mill: built in 1903" is so put in lists.
    """
    if is_passive(text, verb):
        return False
    before = [token.text for token in tokenize(text[: verb.start])][-2:]
    behind = [token.text for token in tokenize(text[verb.start :])][1:3]
    apposed = text[: verb.start].rstrip().endswith(_APPOSING)
    return apposed or "by" in behind or bool({"and", "or"}.intersection(before))


def is_passive(text: str, verb: Word) -> bool:
    """Return whether ``verb`` is a participle after a form of "be" in ``text``.

    None follows a preposition, or "to": "it is for child processes", "it is to cut costs".
    """
    return _is_passive_at(text, verb.start)


@lru_cache(maxsize=4096)
def _is_passive_at(text: str, start: int) -> bool:
    """Answer for the word at ``start``; it is asked about with every other word."""
    before = [fold(token.text) for token in tokenize(text[:start])][-2:]
    word = re.match(r"\w+", text[start:])
    if (
        word is None
        or before[-1:] == ["to"]
        or not BE.intersection(before)
        or _PREPOSITION.search(text, endpos=start)
    ):
        return False
    return _PARTICIPLE.search(word[0]) is not None or is_irregular(word[0])


_PREPOSITION: Final = lazy_regex(
    r"(?i)\b(?:for|in|of|on|at|with|from|by|into|about|under|over|between|behind|against)\s\Z"
)
_REGULAR: Final = lazy_regex(r"[a-z]{2,}ed")
_PRESENT: Final = lazy_regex(r"[a-z]{2,}s\b")
_DEED: Final = lazy_regex(r"[a-z]+")
_BY: Final = lazy_regex(
    r"[a-z]+(?:\s(?:out|up|off|down|over))?(?:\s(?:in|on|at)\s[\w ]{1,20}?)?\sby\s"
    r"(?!\d|an?\s\w+\sof|\w+ing\b)"
    r"(?P<who>[^,;:()]{1,60})"
)
_PRONOUN: Final = lazy_regex(r"(?i)\b(?:it|he|she|they|we|you|who|which|that|this|these|one)\b")
_ADJOINING: Final = 24
"""Characters from where a subject's last word begins within which its verb does."""
_DETERMINER: Final = lazy_regex(r"(?i)\b(?:an?|the|its|his|her|their|this|these|no|of)\s\Z")
_OPENING: Final = lazy_regex(
    r"(?i)(?:\A\W*|[;:.]\s+|,?\s(?:but|while|whereas|because|although|(?P<relative>which|that))\s)"
    r"(?:(?:the|an?|its|his|her|their|all|both|some|many|most)\s)*\Z"
)
"""Before the subject of a clause; what follows a comma alone may be of another."""
_WHEN: Final = lazy_regex(
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
    if not is_english():
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
    return match is not None and not _DETERMINER.search(text, endpos=word.start)


def _is_past(text: str, word: Word) -> bool:
    match = _DEED.match(text, word.start)
    if match is None or _DETERMINER.search(text, endpos=word.start):
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
    if alike(mine, theirs):
        return False
    return _are_named(alignment.said, mine) and _are_named(alignment.held, theirs)


def _are_named(text: str, who: frozenset[str]) -> bool:
    spans = [(name.start, name.end) for name in ground(text).names]
    named = {word.stem for word in content(text) if is_within(word.start, spans)}
    return who <= named


def _agent(text: str, verb: Word) -> frozenset[str]:
    """Return the stems of who does what ``verb`` says; empty where that cannot be told."""
    by = _BY.match(text, verb.start)
    if by:
        return frozenset(_stems_in(text, by.start("who"), _ENDS.split(by["who"])[0]))
    return frozenset[str]() if is_passive(text, verb) else _subject(text, verb)


def _subject(text: str, verb: Word) -> frozenset[str]:
    """Return the stems of the subject of ``verb``, which is not passive; empty if unclear."""
    start = _told_when(text)
    before = [w for w in content(text) if w.clause == verb.clause and start <= w.start < verb.start]
    if not _is_subject(before, text, verb):
        return frozenset()
    return frozenset(w.stem for w in before if not w.stem[0].isdigit())


def _told_when(text: str) -> int:
    """Return where ``text`` goes on after what it says first of when or where; 0 without that."""
    lead = _WHEN.match(text)
    return lead.end() if lead else 0


def _is_subject(before: Sequence[Word], text: str, verb: Word) -> bool:
    """Return whether the words ``before`` a verb adjoin it, and are all before it in its clause."""
    if not before or verb.start - before[-1].start > _ADJOINING:
        return False
    if _PRONOUN.search(text, before[0].start, verb.start):
        return False
    start = _told_when(text)
    opening = _OPENING.search(text[start:], endpos=before[0].start - start)
    if opening is None:
        return False
    return bool(opening["relative"] or _OBJECT.match(text, verb.start))


def _stems_in(text: str, start: int, part: str) -> Iterator[str]:
    return (w.stem for w in content(text) if start <= w.start < start + len(part))
