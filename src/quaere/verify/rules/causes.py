"""What a statement says to be the cause, and what the effect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from quaere.text.languages.language import cached_by_language, spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import stems
from quaere.verify.likeness import alike


@dataclass(frozen=True, slots=True)
class _Wording:
    """How a language says that one thing is the cause of another."""

    effect_first: str
    """Between the effect and its cause."""
    cause_first: str
    """Between the cause and its effect."""
    opening: str
    """Before a cause with which a statement begins, and after which a comma ends it."""


_WORDINGS: Final[Mapping[str, _Wording]] = MappingProxyType(
    {
        "en": _Wording(
            effect_first=r"because(?: of)?|due to|owing to|as a (?:result|consequence) of|thanks to"
            r"|(?:caused|brought about|triggered|explained) by|on account of|so that|in order to"
            r"|(?:the|a) (?:result|consequence) of|result(?:s|ed) from|stem(?:s|med) from",
            cause_first=r"(?:the|a) (?:reason|cause) (?:for|of|why|that)|(?:and )?(?:so|therefore)"
            r"|causes?|caused(?! by)|causing|led to|leads to|leading to|result(?:s|ed|ing) in"
            r"|ma[dk]es?|brought about(?! by)|triggers?|triggered(?! by)|which is why|that is why",
            opening=r"because(?: of)?|as|since|due to|owing to|thanks to|if|when",
        ),
        "de": _Wording(
            effect_first=r"weil|da|denn|wegen|aufgrund|infolge|dank|damit|(?:die|eine) folge"
            r"|verursacht durch",
            cause_first=r"(?:der|die|ein|eine) (?:grund|ursache) (?:für|dafür|dass|,)|deshalb|daher"
            r"|deswegen|sodass|verursachte|führte zu|der grund",
            opening=r"weil|da|wegen|aufgrund|infolge|dank",
        ),
        "es": _Wording(
            effect_first=r"porque|ya que|puesto que|debido a|a causa de|gracias a"
            r"|(?:la|una) consecuencia de|para que",
            cause_first=r"(?:y )?por eso|por lo que|así que|(?:la|una) causa de|(?:el|un) motivo de"
            r"|causó|provocó|hizo que",
            opening=r"como|debido a|a causa de|gracias a|porque",
        ),
    }
)
"""By ISO 639-1; languages without a record are not looked at."""


@dataclass(frozen=True, slots=True)
class Link:
    """Stems of a cause and of its effect, or of two steps of which the one comes first."""

    first: frozenset[str]
    second: frozenset[str]


def causes(said: str, held: str) -> int:
    """Return -1 where cause and effect are exchanged, 1 where both agree, else 0.

    "It flooded because the pump failed" and "the pump failed, so it flooded" agree.
    """
    mine, theirs = _link(said), _link(held)
    return way_round(mine, theirs) if mine and theirs else 0


def invents(said: str, lines: Iterable[str]) -> bool:
    """Return whether ``said`` names a cause, and none of ``lines`` says why anything is so.

    What came after something, or together with it, need not have come of it. In English alone.
    """
    if spoken() is not None or _NAMES_CAUSE.search(said) is None:
        return False
    return not any(_MAY_EXPLAIN.search(line) for line in lines)


_NAMES_CAUSE: Final = lazy_regex(
    r"(?i)\b(?:because|due to|owing to|thanks to|on account of|as a (?:result|consequence) of"
    r"|(?:caused|brought about|triggered) by|led to|resulted (?:in|from)|therefore)\b"
)
_MAY_EXPLAIN: Final = lazy_regex(
    r"(?i)\b(?:because|since|(?<!\bwell )as(?! (?:well|many|much|an?)\b)|for(?= \w+ing\b)|so|due"
    r"|owing|thanks|account|why|therefore|thus|hence|lead(?:s|ing)?|led|mak(?:es?|ing)|made|drove|if"
    r"|br(?:ing|ought)\w*|order to|(?:reason|caus|result|consequen|trigger|explain|blam|attribut"
    r"|responsib|effect|affect|influenc|produc|prompt|forc(?=[ei])|allow|enabl|help|prevent"
    r"|contribut|driv|depend)\w*)\b|[,;]\s\w+ing\b"
)
"""What may say why something is so; after and when something was is none of it."""


def way_round(mine: Link, theirs: Link) -> int:
    """Return -1 where what is first in one is second in the other, 1 where both agree, else 0."""
    kept = (alike(mine.first, theirs.first), alike(mine.second, theirs.second))
    crossed = (alike(mine.first, theirs.second), alike(mine.second, theirs.first))
    if all(crossed) and (sum(crossed) > sum(kept) or not all(kept)):
        return -1
    return 1 if all(kept) and sum(kept) > sum(crossed) else 0


@cached_by_language(maxsize=256)
def _link(text: str) -> Link | None:
    """Return what ``text`` says to be the cause of what; None where it names none."""
    language = spoken()
    wording = _WORDINGS.get(language.code if language else "en")
    if wording is None:
        return None
    opened = re.match(rf"(?i)\W*(?:{wording.opening})\s(?P<cause>[^,;]+),\s*", text)
    if opened:
        return linked([opened["cause"], text[opened.end() :]])
    for pattern, cause_first in ((wording.effect_first, False), (wording.cause_first, True)):
        parts = re.split(rf"(?i),?\s(?:{pattern})(?=[\s,])", text, maxsplit=1)
        if len(parts) == 2:
            return linked(parts if cause_first else parts[::-1])
    return None


def linked(parts: Sequence[str]) -> Link:
    """Return the link of two parts of a statement, the cause or the first of them in front."""
    first, second = (stems([part]) for part in parts)
    return Link(first - second, second - first)
