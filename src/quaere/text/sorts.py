"""Everyday sorts of things of which documents list all there are, in English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from quaere.text.languages.language import LANGUAGES, cached_by_language, is_english
from quaere.text.tokens import stem

SORTS: Final = """
system platform: windows linux macos android ios ubuntu debian freebsd openbsd
colour color: red blue green yellow black white grey gray brown orange purple pink beige navy cream
size: xs s m l xl xxl small medium large
payment pay accept: cash cheque check paypal invoice credit debit contactless
pet animal: dog cat rabbit bird hamster snake ferret parrot
washing care: hand dishwasher
hob cooker: gas electric induction ceramic halogen
format file: pdf docx epub odt csv xlsx json xml mp3 wav flac ogg mp4 png jpeg gif svg tiff
database: postgresql sqlite mysql mariadb oracle mongodb
browser: firefox chrome safari edge opera
"""
"""What a sort is called, and things of it, a line each."""
ALIKE: Final = """
linux ubuntu debian
macos mac osx
ios iphone ipad
grey gray
blue navy
s small
m medium
l large
cheque check
credit debit contactless card
electric induction ceramic
jpeg jpg
tiff tif
postgresql postgres
mongodb mongo
chrome chromium
"""
"""Words of which each may be said for another one, or for what has that among it, a line each."""


class Sort(NamedTuple):
    """Stems of words for a sort of things, and of the things."""

    called: frozenset[str]
    things: frozenset[str]


@cached_by_language(maxsize=LANGUAGES)
def sorts() -> Mapping[str, Sort]:
    """Return the sort of each thing, by the stem of that."""
    found: dict[str, Sort] = {}
    for called, things in _read():
        sort = Sort(frozenset(map(stem, called)), frozenset(map(stem, things)))
        found.update(dict.fromkeys(sort.things, sort))
    return found


@cached_by_language(maxsize=1024)
def alike(thing: str) -> frozenset[str]:
    """Return the stems of other words that may be said for what has ``thing`` for its stem."""
    rows = (frozenset(map(stem, row.split())) for row in ALIKE.strip().splitlines())
    return frozenset[str]().union(*(row - {thing} for row in rows if thing in row))


def sort_words(word: str) -> Iterator[str]:
    """Yield what the sort is called of which ``word`` names a thing, and other things of it."""
    for called, things in _read() if is_english() else ():
        if word.casefold() in things:
            yield from (*called, *things)


@cache
def _read() -> tuple[tuple[tuple[str, ...], ...], ...]:
    rows = (row.split(":") for row in SORTS.strip().splitlines())
    return tuple(tuple(tuple(words.split()) for words in row) for row in rows)
