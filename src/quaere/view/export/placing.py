"""Where the sentences of an answer are in the long form: which part has them, what is in short.

An answer is written in blocks, and a block is whole or it misleads: half a table looks like a table
with fewer rows, and a label without its list like a list that is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import Final

from quaere.domain.question import Checklist
from quaere.domain.report import Opens, Sentence, claims_in
from quaere.synthesize.compose import is_label, shown_text
from quaere.synthesize.layout import Stretch, stretches
from quaere.verify.discourse import leans

LISTED: Final = frozenset({Opens.ITEM, Opens.NUMBERED, Opens.ROW})
"""What the entries of a list or a table begin with."""
_ENTRIES: Final = LISTED - {Opens.ROW}

_OF_THE_TOPIC: Final = re.compile(r"(?i)\W*(?:(?:and|but|also),?\s+)?(?:it|its|he|his|she|er|es)\b")
"""How a sentence begins that goes on about the one thing that was asked about, wherever it is."""


def _leans(sentence: Sentence) -> bool:
    """Return whether ``sentence`` is understood after the one before it alone: "They also …"."""
    return leans(sentence.text) and _OF_THE_TOPIC.match(sentence.text) is None


def placed(sentences: Sequence[Sentence], checklist: Checklist) -> Mapping[str, list[Sentence]]:
    """Return the ``sentences`` of each item of ``checklist``, by its id.

    One of no item belongs to that of the one before it, and so does one that leans on it ("They
    also …") and a list after it on several items; what leads in or labels belongs to that of the
    one after it, and a table with rows of several items to none, which is "".
    """
    known = {item.id for item in checklist.items}
    found: dict[str, list[Sentence]] = {}
    for sentence, place in zip(sentences, _places(sentences, known), strict=True):
        if shown_text(sentence):
            found.setdefault(place, []).append(sentence)
    return {place: list(_begun(said, sentences)) for place, said in found.items()}


def _places(sentences: Sequence[Sentence], known: Iterable[str]) -> list[str]:
    places = list(_carried_on(sentences, _own_places(sentences, frozenset(known))))
    following = list(pairwise(range(len(places))))
    for before, after in reversed(following):
        if _leads(sentences[before]):
            places[before] = places[after]
    return places


def _carried_on(sentences: Sequence[Sentence], own: Iterable[str | None]) -> Iterator[str]:
    """Yield the place of each sentence, that of the one before it where it has no ``own``."""
    place = ""
    for index, told in enumerate(own):
        if told is not None and not (index and _leans(sentences[index])):
            place = told
        yield place


def _own_places(sentences: Sequence[Sentence], known: frozenset[str]) -> Iterator[str | None]:
    """Yield the item of each sentence; None where it is where the one before it is."""
    for kind, group in groupby(_as_lists(stretches(sentences)), key=attrgetter("kind")):
        places = [place for stretch in group for place in stretch.places]
        items = [item if (item := sentences[n].item) in known else None for n in places]
        yield from _kept_together(items, kind, is_first=places[0] == 0)


def _as_lists(found: Iterable[Stretch]) -> Iterator[Stretch]:
    """Yield ``found`` with the code below the entries of a list as of that list."""
    kind = Opens.PARAGRAPH
    for each in found:
        is_below = each.kind is Opens.CODE and kind in _ENTRIES
        kind = kind if is_below else each.kind
        yield replace(each, kind=kind)


def _kept_together(
    items: Sequence[str | None], kind: Opens, *, is_first: bool
) -> Sequence[str | None]:
    """Return the ``items`` of a list or a table as one place for all; those of a text as they are.

    A list on several stands where the sentence before it does, unless it is the first of all, and
    so does code, whatever it is on.
    """
    told = set(filter(None, items))
    if kind is Opens.ROW:
        return ["" if len(told) > 1 else next(iter(told), None)] * len(items)
    follows = kind is Opens.CODE or (kind in LISTED and len(told) > 1)
    return items if is_first or not follows else [None] * len(items)


def _leads(sentence: Sentence) -> bool:
    if is_label(sentence):
        return True
    return not sentence.is_claim and sentence.text.rstrip("*").endswith(":")


WHOLE: Final = 12
"""Entries of the longest list that a short answer shows whole though it has no room for it."""


def in_whole_blocks(chosen: Sequence[Sentence], written: Sequence[Sentence]) -> list[Sentence]:
    """Return ``chosen`` without the lists and tables of which not every entry is among them.

    With one that has a label go all that have one. Where nothing else was chosen they stay, whole
    up to WHOLE entries, for the first of them would look like all there are. A sentence whose
    paragraph began with one that was not chosen begins it now, so that it does not go on the item
    before it.

    Args:
        chosen: Some of the sentences of an answer, in any order.
        written: All of them, as written.
    """
    torn = list(chain.from_iterable(_torn(chosen, written)))
    kept = [each for each in chosen if each not in torn]
    if all(map(_leads, kept)):
        rest = torn if len(torn) <= WHOLE else ()
        kept = [*chosen, *(each for each in rest if each not in chosen)]
    if any(each.opens in LISTED for each in kept):  # in the order of parts, entries are apart
        kept.sort(key=written.index)
    return list(_begun(_understood(kept, written), written))


def _torn(chosen: Sequence[Sentence], written: Sequence[Sentence]) -> Iterator[Sequence[Sentence]]:
    """Yield the lists and tables of which not every entry is ``chosen``.

    Without one that has a label the others that have one would look like all there are.
    """
    blocks = list(_blocks(written))
    torn = [block for block in blocks if not all(entry in chosen for entry in block)]
    yield from torn
    if any(map(_is_labelled, torn)):
        yield from filter(_is_labelled, blocks)


def _is_labelled(block: Sequence[Sentence]) -> bool:
    return is_label(block[0])


def _understood(kept: Sequence[Sentence], written: Sequence[Sentence]) -> list[Sentence]:
    """Return ``kept`` without what leans on a sentence that is not right before it."""
    shown: list[Sentence] = []
    for sentence in kept:
        place = written.index(sentence) if sentence in written else 0
        follows = place == 0 or written[place - 1] in shown[-1:]
        if follows or not _leans(sentence):
            shown.append(sentence)
    return shown or list(kept)


def _blocks(written: Sequence[Sentence]) -> Iterator[list[Sentence]]:
    """Yield the claims of each list, with the code between them, and of each table, labelled."""
    label: list[Sentence] = []
    for kind, group in groupby(_as_lists(stretches(written)), key=attrgetter("kind")):
        members = [written[place] for stretch in group for place in stretch.places]
        if kind not in LISTED:
            label = list(filter(is_label, members[-1:]))
            continue
        while members[-1].opens is Opens.CODE:
            members.pop()
        if block := [*label, *claims_in(members)]:
            yield block
        label = []


def _begun(kept: Iterable[Sentence], written: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield ``kept``, with the first of each paragraph as its beginning."""
    stretch_of = {
        written[place]: (number, stretch.kind)
        for number, stretch in enumerate(stretches(written))
        for place in stretch.places
    }
    last = -1
    for sentence in kept:
        number, kind = stretch_of.get(sentence, (last, Opens.PARAGRAPH))
        begins = number != last and sentence.opens is None and last >= 0
        yield sentence.model_copy(update={"opens": kind}) if begins else sentence
        last = number
