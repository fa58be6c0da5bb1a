"""Says yes or no by a rule that is about a thing alone: "Cheques are not accepted", "Pets: none".

Whatever one does with the thing, such a rule lets or forbids it. English alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from quaere.reason.extractive.line_context import denied_by_itself
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.languages.language import in_english, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

_LETS: Final = r"allowed|permitted|accepted|welcome"
_FORBIDS: Final = r"forbidden|prohibited|banned"
_ASKS_DEED: Final = lazy_regex(
    r"(?i)\W*(?:may|can|could|am|are|is|must|should) (?:i|we|you|one)"
    r"(?: (?:allowed|permitted) to)? (?P<deed>[a-z]+)\b(?P<thing>[^?]*)"
)
_ASKS_THING: Final = lazy_regex(rf"(?i)\W*(?:is|are) (?P<thing>[^?]+?) (?:{_LETS})\W*$")
_RULE: Final = lazy_regex(
    r"(?i)(?:^|[,;:]\s+|\b(?:and|but)\s+)(?P<thing>[^,;:.]{2,60}?)\s+(?:is|are)\s+"
    r"(?:(?P<denied>not)\s+)?(?:strictly\s+|also\s+)?"
    rf"(?:(?P<lets>{_LETS})|{_FORBIDS})\b(?=\W*(?:$|[,;.]|(?:and|but)\b))"
)
_SPEAKS_OF_LEAVE: Final = lazy_regex(rf"(?i)\b(?:{_LETS})\b")
_NONE: Final = lazy_regex(
    rf"(?i)\W*(?:none(?: (?:{_LETS}))?|not (?:{_LETS})|(?:strictly )?(?:{_FORBIDS}))\b"
    r"(?: (?:anywhere|at all|at any time))?(?=\W*$|[,;.])"
)
"""What stands after a label that says that there may be nothing of that, wherever and whenever."""


_HEAD: Final = lazy_regex(r"\*\*[^*]+\*\*\s*")
"""What is in bold before the text of a paragraph."""


class Ruled(NamedTuple):
    """A rule: whether it lets what is asked, and its line."""

    says: bool
    line: Line


def told_by_rule(text: str, told: Iterable[Line], pool: Pool) -> Ruled | None:
    """Return the rule that lets or forbids the thing of which ``text`` asks; None without one.

    All else that is asked, but for the deed, is in what is over its line. None where two rules
    disagree.
    """
    if not is_english():
        return None
    found = [*_of_deed(text, told, pool), *_of_thing(text, told)]
    return found[0] if len({each.says for each in found}) == 1 else None


def rule_for_some(text: str, told: Iterable[Line]) -> Line | None:
    """Return the rule about some of the thing of which ``text`` asks whether one may do it.

    "Dogs heavier than 10 kg are not allowed" is what there is on "Can I bring my dog?", and neither
    a yes nor a no. English alone.
    """
    wanted = _asked_of(in_english(_ASKS_DEED.match, text))
    if not wanted:
        return None
    ruling = ((line, thing) for line in told for _, thing in _rules(line.text))
    return next((line for line, thing in ruling if wanted < thing), None)


def _of_deed(text: str, told: Iterable[Line], pool: Pool) -> Iterator[Ruled]:
    """Yield what rules say of "Can I pay by cheque?", whatever one does with cheques."""
    wanted = _asked_of(_ASKS_DEED.match(text))
    if not wanted:
        return
    for line in told:
        over = pool.over(line) | pool.file_terms(line)
        for says, thing in _rules(line.text):
            if thing and thing <= wanted <= thing | over:
                yield Ruled(says, line)


def _asked_of(asks: re.Match[str] | None) -> frozenset[str]:
    """Return the stems of what a question asks of; none where it does not."""
    return frozenset(terms(asks["thing"])) if asks else frozenset()


def _rules(said: str) -> Iterator[tuple[bool, frozenset[str]]]:
    """Yield whether each rule of ``said`` lets its thing, and the stems of that."""
    for rule in _RULE.finditer(said):
        lets = rule["lets"] is not None
        yield lets is (rule["denied"] is None), frozenset(terms(rule["thing"]))
    if _SPEAKS_OF_LEAVE.search(said):
        yield False, frozenset(terms(denied_by_itself(said)))


def _of_thing(text: str, told: Iterable[Line]) -> Iterator[Ruled]:
    """Yield what stands after a label: "Pets: none" denies that pets are allowed.

    "Pets: none in the hall" denies it of the hall alone, and what is below another label is
    about that one.
    """
    thing = _asked_of(_ASKS_THING.match(text))
    if not thing:
        return
    for line in told:
        label, _, value = _HEAD.sub("", line.text).rpartition(": ")
        own = frozenset(terms(label))
        is_of_it = not (own and own.isdisjoint(thing)) and thing <= line.over | own
        if is_of_it and _NONE.match(value):
            yield Ruled(says=False, line=line)


def says_rule_alone(text: str, said: str) -> bool:
    """Return whether ``said`` tells what rule ``text`` asks for, and says no more.

    "Is the cloakroom free?" asks of one word, which "The cloakroom is free" says of all of it, and
    "The cloakroom is free for members" does not. Beyond English.
    """
    language = language_in_use()
    if language is None or not language.rules.are_of_one(text, said):
        return False
    if re.search(rf"(?i){language.narrow}|{language.reserved}|\d", said):
        return False
    asked, told = (frozenset(terms(language.rules.bare(each))) for each in (text, said))
    return bool(asked) and asked == told


def is_of_some_only(text: str, said: str) -> bool:
    """Return whether ``said`` keeps to a place, time or group what ``text`` asks of all.

    "Is smoking allowed everywhere?" has no plain yes where it is allowed on the lawn only. Beyond
    English.
    """
    language = language_in_use()
    if language is None or not re.search(f"(?i){language.only}", said):
        return False
    return re.search(f"(?i){language.only}", text) is None and not _has_all_of(text, said)


def _has_all_of(text: str, said: str) -> bool:
    """Whether ``text`` asks of all that ``said`` tells of: of the lawn as well."""
    return frozenset(terms(said)) <= frozenset(terms(text))
