"""Everything that a sentence may be naming, in every spelling by which a link can be made.

Here recall counts, and one wrong name in ten does no harm: a name that leads nowhere finds no
passage. `quaere.text.names` is about being right and gives each name once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quaere.text.lexicon import CALENDAR, PARTICLES
from quaere.text.tokens import is_stop_word, words

JOINERS = PARTICLES | frozenset(["a", "and", "for", "in", "on", "at", "&", "to"])
"""Words in lower case that may stand between the capitalized words of a name."""

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*\.?|[&,;:()\"“”!?.]")
_NUMERAL = re.compile(r"[\d.,]+(?:s|st|nd|rd|th)?")
_QUOTED = re.compile(r"[\"“]([^\"”]{2,60})[\"”]")


def mentions(sentence: str) -> tuple[str, ...]:
    """Return what ``sentence`` may be naming, in folded words, each spelling once.

    Capitalized runs are given whole and in their parts ("University of Paris", "Paris"), after a
    comma also with the run before it ("Springfield, Illinois"), and so is what stands in quotes.
    Bare numbers, decades and dates name nothing, nor does a word that labels what follows.
    """
    found: dict[str, None] = {}
    before: Sequence[str] = ()
    for run, end in _runs(sentence):
        for spelling in (run, *_parts(run), [*before, *run] if before else ()):
            found.update(dict.fromkeys(_key(spelling)))
        before = run if end == "," else ()
    for quoted in _QUOTED.findall(sentence):
        found.update(dict.fromkeys(_key(quoted.split())))
    return tuple(found)


def _runs(sentence: str) -> Iterator[tuple[list[str], str]]:
    """Yield the capitalized runs of ``sentence``, and what follows them."""
    run: list[str] = []
    for piece in _WORD.findall(sentence):
        if piece[0].isupper() or piece[0].isdigit():
            run.append(piece.rstrip(".") if len(piece) > 3 else piece)
        elif run and piece.lower() in JOINERS:
            run.append(piece)
        else:
            label = piece == ":" and len(run) == 1  # "Conclusion: ..."
            yield [] if label else run, piece
            run = []
    yield run, ""


def _parts(run: Sequence[str]) -> list[list[str]]:
    """Return the pieces of ``run`` between its joiners; none when it is of one piece."""
    parts: list[list[str]] = [[]]
    for word in run:
        if word.lower() in JOINERS and not word[0].isupper():
            parts.append([])
        else:
            parts[-1].append(word)
    return parts if len(parts) > 1 else []


def _key(run: Sequence[str]) -> Iterator[str]:
    """Yield ``run`` as a name in folded words, cut down to what can belong to one."""
    name = list(run)
    while name and (_is_edge(name[0]) or name[0].isdigit() or is_stop_word(name[0])):
        del name[0]
    while name and (_is_edge(name[-1]) or (name[-1].isdigit() and _is_dated(name))):
        del name[-1]
    folded = words(" ".join(name))
    key = " ".join(folded)
    if len(key) > 2 and not all(is_stop_word(word) or _NUMERAL.fullmatch(word) for word in folded):
        yield key


def _is_edge(word: str) -> bool:
    return word.lower() in JOINERS or word.lower() in CALENDAR


def _is_dated(name: Sequence[str]) -> bool:
    return len(name) > 1 and _is_edge(name[-2])
