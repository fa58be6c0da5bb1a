"""Exceptions that a statement names: "all halls but the last are heated"."""

from __future__ import annotations

from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import stems
from quaere.verify.ground import denied
from quaere.verify.rules.contrasted import contrasted
from quaere.verify.rules.modality import conditioned

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
_EXCEPTIVE: Final = lazy_regex(
    r"(?i)\b(?:but not|unless|except|without|other than|if no|only|any other)\b"
)


def of_exception(said: str, line: str) -> str:
    """Return what ``line`` says about its exception, where ``said`` speaks of that; else nothing.

    "It hides warnings but not errors" says of errors that it does not hide them.
    """
    match = _EXCEPT.search(line) or _ELLIPTIC.search(line)
    if match is None:
        return ""
    rule, rest = line[: match.start()], match["who"] or line[match.end() :]
    excepted = rest
    if all_but := _ALL_BUT.match(line):  # "all halls except the last are heated"
        rule, rest, excepted = "", all_but["rest"], all_but["who"]
    apart = stems([excepted]) - stems([rule])
    if not apart or _EXCEPTIVE.search(said) or contrasted(said, line) or conditioned(said, line):
        return ""
    if 2 * len(apart & stems([said])) < len(apart):
        return ""
    return denied(f"{rule} {rest}")
