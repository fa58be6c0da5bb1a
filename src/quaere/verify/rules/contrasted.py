"""What a statement sets against what it denies: "it is made of oak, not of larch".

All that is denied there is said to be so of something else, so that the words of both sides are in
"it is made of larch, not of oak" as well. What tells the two apart is the side that each is on.

Exceptions are so set apart as well: "all halls but the last are heated".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, NamedTuple

from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, align, stems
from quaere.verify.ground import denied
from quaere.verify.parts import Part, common, elements, without
from quaere.verify.rules.modality import conditioned

_NOT: Final = r"not (?!only\b|just\b|merely\b|yet\b|all\b|every|always\b|necessarily\b)"
_BEHIND: Final = lazy_regex(
    rf"(?i)(?P<so>[^;:]*?)(?:,\s(?:and |but )?|\s(?:and|but)\s){_NOT}(?P<no>[^,;:()]+)"
)
_BEFORE: Final = lazy_regex(
    rf"(?i)\b(?:{_NOT}|cannot |\w+n['’]t )(?P<no>[^;:()]+?),?\sbut\s(?P<so>[^;:()]+)"
)
_RATHER: Final = lazy_regex(
    r"(?i)(?P<so>[^;:]*?),?\s(?:rather than|instead of|as opposed to)\s(?P<no>[^,;:()]+)"
)


class _Contrast(NamedTuple):
    """What is so and what is not, each without the words of the other."""

    so: Part
    no: Part


def contrasted(said: str, held: str) -> int:
    """Return -1 where ``said`` affirms what ``held`` denies in favour of what ``said`` denies.

    1 where both affirm and deny the same, 0 where one of them sets nothing against anything else.
    """
    if not is_english():
        return 0
    ways = (_way(a, b) for a, b in product(_contrasts(said), _contrasts(held)))
    return next((way for way in ways if way), 0)


def _way(said: _Contrast, held: _Contrast) -> int:
    kept = common(said.so, held.so), common(said.no, held.no)
    crossed = common(said.so, held.no), common(said.no, held.so)
    if all(crossed) and not kept[1]:
        return -1
    return 1 if all(kept) and not any(crossed) else 0


def _contrasts(text: str) -> Iterator[_Contrast]:
    flat = " ".join(text.split())
    for wording in (_BEHIND, _BEFORE, _RATHER):
        for match in wording.finditer(flat):
            so, no = elements(match["so"]), elements(match["no"])
            yield _Contrast(without(so, no), without(no, so))


_EXCEPT: Final = lazy_regex(
    r"(?P<who>)(?:,\snot|,?\s(?:(?:but|and) not|unless|except(?: for| when| if)?|other than))\s"
)
_ELLIPTIC: Final = lazy_regex(
    r"(?i)[;,]\s+(?:but |and |while |whereas )?(?P<who>[^;,]+?)\s"
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would)(?:n['’]t| ?not)"
    r"(?=\s*(?:[.;,]|$))"
)
"""A denial that leaves out what it denies: "the export to text does not"."""

_ALL_BUT: Final = lazy_regex(
    r"(?i)[^,;:]*?,?\s(?:except(?: for)?|other than|apart from)\s"
    r"(?P<rest>(?P<who>[^,;:]{1,40}?),?\s(?:is|are|was|were|has|have|had|can|could|may|must"
    r"|shall|should|will|would|do|does|did|[a-z]+ed)\b.*)"
)
"""Names an exception before what is said of the rest."""
_GOES_ON: Final = lazy_regex(
    r",?\s(?:and|but|then)\s(?=[a-z]+(?:s|ed)\s(?:an?|at|by|for|from|in|its?|of|on|the|to|with)\b)"
)
"""Ends an exception: "on all days except Monday and closes at six"."""
_TOLD_OF_IT: Final = lazy_regex(r",\s(?:which|who|where|whose|for which)\s")
"""Begins what is said of an exception besides: "except the last, which is let"."""
_EVERY_BUT: Final = lazy_regex(
    r"(?i)\b(?P<every>(?:all|any|each|every)\w*\s(?:[\w'’-]+\s)?)but\s(?!(?:also|are|can|did|do|does"
    r"|for|had|has|have|he|is|it|may|must|never|no|not|only|she|that|they|this|was|we|were|will|you)\b)"
)
"""Names an exception by "but": "every day but Monday"."""
_EXCEPTIVE: Final = lazy_regex(
    r"(?i)\b(?:but not|unless|except|without|other than|if no|any other)\b"
)


def of_exception(said: str, line: str) -> str:
    """Return what ``line`` says about its exception, where ``said`` speaks of that; else nothing.

    "It hides warnings but not errors" says of errors that it does not hide them.
    """
    rule, rest, excepted = ("", "", "") if _EXCEPTIVE.search(said) else _parts(line)
    is_about = _is_about(stems([excepted]) - stems([rule]), said)
    if not is_about or contrasted(said, line) or conditioned(said, line):
        return ""
    return denied(f"{rule} {rest}")


_BACK: Final = lazy_regex(r"(?i)\b(?:this|that|these|those|it|so)\b")
_LEAST: Final = 2
"""Words, besides stop words, of a line that denies by itself what the lines before it say."""


def is_denied_apart(said: str, lines: Iterable[str]) -> bool:
    """Return whether one of ``lines`` points back and denies with all of its words what is said.

    As in "A resident blamed the pump. The county has not confirmed this", where ``said`` is that
    the county confirmed it.
    """
    return is_english() and any(
        _BACK.search(line) is not None and _denies_all(align(line, said)) for line in lines
    )


def _denies_all(alignment: Alignment) -> bool:
    matches = alignment.matches
    if len(matches) < _LEAST or len(matches) < len(alignment.words):
        return False
    return all(match.said.sign < 0 < match.held.sign and not match.opposite for match in matches)


def _parts(line: str) -> tuple[str, str, str]:
    """Return what ``line`` says before its exception, what after, and the exception, if any."""
    line = _EVERY_BUT.sub(r"\g<every>except ", line)
    match = _EXCEPT.search(line) or _ELLIPTIC.search(line)
    if match is None:
        return "", "", ""
    if all_but := _ALL_BUT.match(line):  # "all halls except the last are heated"
        return "", all_but["rest"], all_but["who"]
    rest = match["who"] or line[match.end() :]
    return line[: match.start()], rest, _TOLD_OF_IT.split(_GOES_ON.split(rest)[0])[0]


def _is_about(excepted: frozenset[str], said: str) -> bool:
    """Return whether ``said`` has half of the stems of what is ``excepted``, and there is one."""
    return bool(excepted) and 2 * len(excepted & stems([said])) >= len(excepted)
