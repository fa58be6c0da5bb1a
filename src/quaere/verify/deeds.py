"""What was done by whom: "painted by Ruhl" is not said by "opened by Ruhl".

One word in five may be another and the sentence still be a paraphrase, but not the one that says
what was done. Words alone find it safely only where both have a passive with one name behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Word, content, stems
from quaere.verify.converses import is_relation
from quaere.verify.likeness import likeness

_DONE: Final = lazy_regex(
    r"\b(?P<deed>\w+(?:ed|en|wn|lt|ght|ut|id|nt|ld)) by (?:(?:the|a|an|his|her|its|their) )?"
    r"(?:[a-z]+ ){0,2}(?P<name>[A-Z]\w+(?: [A-Z]\w+)*)"
)


def is_undone(said: str, lines: Iterable[str]) -> bool:
    """Return whether ``lines`` have something else done by somebody than ``said`` has.

    Verbs that tell little, such as "used", and those of relations that can be told from the other
    end, such as "followed", are not looked at.
    """
    lines = tuple(lines)
    if spoken() is not None:
        return False
    held = stems(lines)
    others = [done for line in lines for done in _deeds(line)]
    return any(
        name & other and not any(likeness(deed.stem, each)[0] for each in held)
        for deed, name in _deeds(said)
        for _, other in others
    )


def _deeds(text: str) -> Iterator[tuple[Word, frozenset[str]]]:
    """Yield what ``text`` says was done, each with the name of who did it, as stems."""
    names = {match.start("deed"): stems([match["name"]]) for match in _DONE.finditer(text)}
    for word in content(text):
        if word.start in names and word.weight == 1 and not is_relation(word.stem):
            yield word, names[word.start]
