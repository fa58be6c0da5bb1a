"""What was done by whom: "painted by Ruhl" is not said by "opened by Ruhl".

One word in five may be another and the sentence still be a paraphrase, but not the one that says
what was done. Words alone find it safely only where a passive names who did it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Word, content
from quaere.verify.converses import is_relation
from quaere.verify.likeness import likeness

_BY_NAME: Final = r"by (?:(?:the|a|an|his|her|its|their) )?(?:[a-z]+ ){0,2}(?-i:[A-Z])"
_DONE: Final = lazy_regex(
    rf"(?i)\b(?:is|are|was|were|been|being|be) (?:\w+ly )?(?P<deed>\w+) {_BY_NAME}"
)
_WORK_OF: Final = lazy_regex(rf"(?i)\b(?!\w+(?:ed|en|wn|lt|ght|ut|id|nt|ld) )\w+ {_BY_NAME}")
"""Leaves open what was done: "a chapel by Ruhl"."""


def is_undone(said: str, lines: Iterable[str]) -> bool:
    """Return whether none of ``lines`` has what ``said`` says that somebody with a name did.

    Verbs that tell little, such as "used", and those of relations that can be told from the other
    end, such as "followed", are not looked at.
    """
    lines = tuple(lines)
    if spoken() is not None or any(_WORK_OF.search(line) for line in lines):
        return False
    held = frozenset(word.stem for word in chain.from_iterable(map(content, lines)))
    return any(not any(_is_like(deed.stem, other) for other in held) for deed in _deeds(said))


def _deeds(text: str) -> Iterator[Word]:
    starts = {match.start("deed") for match in _DONE.finditer(text)}
    return (
        w for w in content(text) if w.start in starts and w.weight == 1 and not is_relation(w.stem)
    )


def _is_like(deed: str, other: str) -> bool:
    return likeness(deed, other)[0] > 0
