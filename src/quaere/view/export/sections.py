"""The structured long form of a report, from which every export form is rendered.

An answer is written in blocks, and a block is whole or it misleads: half a table looks like a table
with fewer rows, and a label without its list like a list that is empty. So its sentences are put
into parts of the answer, and into what is told in short, by whole blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import Final

from quaere.domain.evidence import Conflict, Difference, Evidence
from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import Nearby, Opens, Report, Sentence, Support, claims_in
from quaere.synthesize.brief import MAX_WORDS
from quaere.synthesize.compose import (
    claims_shown,
    is_label,
    is_limited,
    missing,
    opening_sentence,
    shown_text,
)
from quaere.synthesize.inert import plain
from quaere.synthesize.layout import Stretch, following_number, outline, stretches
from quaere.synthesize.nearest import shown_line
from quaere.synthesize.standing import is_open
from quaere.synthesize.wording import (
    answer_statuses_in,
    place_in,
    retold_part,
    statuses_in,
    verdict_in_two,
    why_it_ended,
)
from quaere.text.inline import Form
from quaere.text.inline import stretches as inline_stretches
from quaere.text.languages.language import Frame, Headings, frame_of, language_of, speaking
from quaere.text.languages.phrases import Account, tell
from quaere.text.no_claim import tells_disagreement
from quaere.verify.whole_answer import leans
from quaere.view.export.citations import Citations
from quaere.view.export.document import (
    Block,
    Bullets,
    Document,
    Line,
    Paragraph,
    Section,
    Table,
    Tone,
    Words,
    words,
)
from quaere.view.export.method import limits, method


def document(report: Report) -> Document:
    """Return ``report`` in its long form.

    A short answer, where to look if there is none, a section for each item of the checklist unless
    the short answer shows all of the only one, the sources in the order of the claims, the findings
    with their verdicts, agreement and conflict, the limits, and the method. All that it says about
    them is in the language of the question.
    """
    with speaking(language_of(report.asked)):
        return _document(report)


def _has_content(section: Section) -> bool:
    return bool(section.blocks or section.sections)


def _document(report: Report) -> Document:
    said, language = frame_of(report.asked), language_of(report.asked)
    cited, named = Citations(report.citations, said.account), said.headings
    parts = () if _is_told_in_short(report) else tuple(_parts(report, cited))
    sections = (
        Section("answer", named.short, tuple(_short(report, cited))),
        Section("look", named.look, tuple(_nearest(report))),
        Section("parts", named.detail, sections=parts),
        cited.section(named.sources),
        Section("findings", named.findings, tuple(_findings(report, cited))),
        agreement(report, cited),
        limits(report),
        method(report),
    )
    return Document(
        title=plain(report.question) or named.report,
        language=language.code if language else "en",
        said=said.account,
        summary=_summary(report),
        sections=tuple(filter(_has_content, sections)),
        written=max((citation.retrieved_at for citation in report.citations), default=""),
    )


def _summary(report: Report) -> Line:
    said = frame_of(report.asked)
    account = said.account
    stands = tell(
        account,
        account.summary,
        status=answer_statuses_in(said)[report.status],
        sentences=len(claims_shown(report.sentences)),
        citations=len(report.citations),
        confidence=f"{report.confidence:.0%}",
    )
    why = why_it_ended(report, account)
    return words(f"{stands} {account.ended.format(reason=why)}" if why else stands)


def _short(report: Report, cited: Citations) -> Iterator[Block]:
    """Yield how a follow-up was read, and the first sentence of each part, as there is room."""
    if report.read_as:
        understood = frame_of(report.asked).account.understood
        yield Paragraph(words(understood.format(question=plain(report.read_as))))
    if is_limited(report.stop_reason, report.degradations):
        yield Paragraph(words(frame_of(report.asked).limited, Tone.DOUBT))
    if not claims_shown(report.sentences):
        yield Paragraph(words(frame_of(report.asked).nothing))
        return
    if report.direct.precedes:
        said = Sentence(
            text=report.direct.text, evidence=report.direct.evidence, support=Support.NOT_A_CLAIM
        )
        numbers = cited.numbers(report.direct.evidence)
        yield Paragraph(cited.line(said, opening_sentence(report.direct, numbers)))
    short = in_whole_blocks(_chosen(report), report.sentences)
    yield from _in_short(short, report.sentences, cited)
    yield from _left_open(report)


def _chosen(report: Report) -> tuple[Sentence, ...]:
    """Return what of the answer a short one shows: claims, and that the sources disagree."""
    said = [each for each in report.sentences if shown_text(each)]
    claims = [each for each in said if each.is_claim or tells_disagreement(each.text)]
    prose = [each for each in claims if each.opens is not Opens.CODE]
    return outline(
        prose or claims, report.checklist, max_words=MAX_WORDS, max_citations=len(report.citations)
    )


def _is_told_in_short(report: Report) -> bool:
    """Whether the short answer shows all that is said, on the only part or one that is answered.

    How far the only one is answered, and what stays open, is told above it and with it.
    """
    shown = list(filter(shown_text, report.sentences))
    items = report.checklist.items
    answered = bool(items) and all(item.status is ItemStatus.SATISFIED for item in items)
    is_told = answered or len(items) == 1
    are_on_one = len({sentence.item for sentence in shown}) == 1
    return is_told and are_on_one and list(_chosen(report)) == shown


def _in_short(
    chosen: Sequence[Sentence], written: Sequence[Sentence], cited: Citations
) -> Iterator[Block]:
    """Yield ``chosen`` as one paragraph, with lists and tables as they are ``written``."""
    if any(each.opens in LISTED for each in chosen):
        yield from _laid_out(_led_in(chosen, written), cited)
    else:
        yield Paragraph(_joined(chosen, cited))


def _led_in(chosen: Iterable[Sentence], written: Sequence[Sentence]) -> list[Sentence]:
    """Return ``chosen`` with the line that leads in a list before the first of its entries."""
    led: list[Sentence] = []
    preceding = dict(zip(written[1:], written, strict=False))
    for sentence in chosen:
        before = preceding.get(sentence)
        if before and not before.is_claim and sentence.opens in LISTED:
            led.append(before)
        led.append(sentence)
    return led


def _left_open(report: Report) -> Iterator[Block]:
    """Yield what is missing, and whether the research was cut short."""
    if is_open(report):
        open_ = " ".join(missing(report.gaps, report.sentences))
        if open_:
            yield Paragraph(words(open_, Tone.DOUBT))
    if report.truncated:
        yield Paragraph(words(frame_of(report.asked).cut_short, Tone.DOUBT))


def _nearest(report: Report) -> Iterator[Block]:
    """Yield where to look for what nothing answers, after a line that says that this is none."""
    if report.nearest:
        yield Paragraph(words(frame_of(report.asked).near, Tone.DOUBT))
        account = frame_of(report.asked).account
        yield Bullets(tuple(_place(place, account) for place in report.nearest))


def _place(place: Nearby, said: Account) -> Line:
    called = ", ".join(filter(None, (place.title, place.heading)))
    where = Words(f" ({plain(place_in(place.location, said))}): ", Tone.QUIET)
    return (Words(plain(called)), where, *_line_of(place))


def _line_of(place: Nearby) -> Iterator[Words]:
    tones = {Form.CODE: Tone.CODE, Form.STRONG: Tone.STRONG}
    for form, stretch in inline_stretches(shown_line(place)):
        yield Words(stretch, tones.get(form, Tone.PLAIN))


def _joined(sentences: Iterable[Sentence], cited: Citations) -> Line:
    parts: list[Line] = []
    for sentence in sentences:
        parts += [cited.sentence(sentence), words(" ")]
    return tuple(part for line in parts[:-1] for part in line)


def _laid_out(sentences: Sequence[Sentence], cited: Citations) -> Iterator[Block]:
    """Yield the paragraphs, lists, tables and code of ``sentences``, as they were written."""
    number = 1
    for kind, group in groupby(stretches(sentences), key=lambda each: each.kind):
        parts = [[sentences[place] for place in each.places] for each in group]
        yield from _as_written(kind, parts, number, cited)
        number = following_number(kind, number, len(parts))


def _as_written(
    kind: Opens, parts: Sequence[Sequence[Sentence]], number: int, cited: Citations
) -> Iterator[Block]:
    """Yield the blocks of ``parts``, all of one ``kind``; a list begins with ``number``."""
    heads = [part[0] for part in parts]
    lines = (_joined(part, cited) for part in parts)
    match kind:
        case Opens.PARAGRAPH:
            yield from map(Paragraph, lines)
        case Opens.CODE:
            yield from map(cited.code, heads)
        case Opens.ROW:
            yield from cited.rows(heads)
        case Opens.ITEM | Opens.NUMBERED:
            yield Bullets(tuple(lines), numbered=kind is Opens.NUMBERED, first=number)


def _parts(report: Report, cited: Citations) -> Iterator[Section]:
    said = placed(report.sentences, report.checklist)
    frame = frame_of(report.asked)
    if general := said.get("", []):
        yield Section("part-0", frame.headings.general, tuple(_laid_out(general, cited)))
    for number, item in enumerate(report.checklist.items, start=1):
        title = plain(item.description)
        blocks = tuple(_part(item, said.get(item.id, []), cited, frame))
        yield Section(f"part-{number}", title[:1].upper() + title[1:], blocks)


def _part(item: Item, said: list[Sentence], cited: Citations, frame: Frame) -> Iterator[Block]:
    if said:
        yield from _laid_out(said, cited)
    else:
        yield Paragraph(_unsaid(item, cited, frame.account))
    if said or item.status is ItemStatus.PARTIAL:
        tone = Tone.QUIET if item.status is ItemStatus.SATISFIED else Tone.DOUBT
        yield Paragraph(words(f"{statuses_in(frame.headings)[item.status]}.", tone))


def _unsaid(item: Item, cited: Citations, account: Account) -> Line:
    """Return what stands for a part of the question on which the answer has no sentence."""
    if item.status is ItemStatus.UNSATISFIED and not item.evidence:
        return words(account.nothing_found, Tone.DOUBT)
    markers = cited.of_passages(item.evidence)
    if not markers:
        return words(account.not_rested)
    before, _, after = account.see.partition("{markers}")
    return Words(before), *markers, Words(after)


def _findings(report: Report, cited: Citations) -> Iterator[Block]:
    said = frame_of(report.asked)
    named = said.headings
    rows = tuple(
        (
            _in_one_line(sentence, cited),
            _verdict(sentence, said),
            cited.markers(cited.numbers(sentence.evidence)),
        )
        for sentence in claims_shown(report.sentences)
    )
    if rows:
        yield Table("", (named.finding, named.verdict, named.citations), rows)
    left_out = tuple((_in_one_line(each, cited), _verdict(each, said)) for each in report.dropped)
    if left_out:
        yield Table(named.left_out, (named.sentence, named.verdict), left_out)


def _in_one_line(sentence: Sentence, cited: Citations) -> Line:
    """Return what ``sentence`` says, without its markers."""
    if sentence.opens is Opens.CODE:
        return words(plain(sentence.text), Tone.CODE)
    return cited.line(
        sentence.model_copy(update={"support": Support.NOT_A_CLAIM}), shown_text(sentence)
    )


def _verdict(sentence: Sentence, said: Frame) -> Line:
    name, rest = verdict_in_two(sentence, plain, said)
    tone = Tone.PLAIN if sentence.support.holds else Tone.DOUBT
    return (Words(name, tone), *(words(rest, Tone.QUIET)))


def agreement(report: Report, cited: Citations) -> Section:
    """Return who speaks for each part of the question, and who contradicts whom."""
    frame = frame_of(report.asked)
    known = {entry.id: entry for entry in report.evidence}
    parts = {item.id: plain(item.description) for item in report.checklist.items}
    whole = frame.account.question
    rows = tuple(
        (
            words(parts.get(entry.item, whole)),
            _sides(entry.supports, known, cited),
            _sides(entry.contradicts, known, cited),
            words(str(entry.origins)),
        )
        for entry in report.agreements
    )
    disputes = tuple(
        (
            words(parts.get(conflict.item, whole)),
            _saying(conflict.left, conflict.left_says, known, cited),
            _saying(conflict.right, conflict.right_says, known, cited),
            _difference(conflict, frame),
        )
        for conflict in report.conflicts
    )
    named = frame.headings
    return Section("agreement", named.agreement, tuple(_tables(rows, disputes, named)))


def _saying(number: int, says: str, known: Mapping[int, Evidence], cited: Citations) -> Line:
    """Return a side of a conflict, and its words for it."""
    side = _side(number, known, cited)
    return (*side, Words(f": “{plain(says)}”")) if says else side


def _difference(conflict: Conflict, frame: Frame) -> Line:
    note = plain(retold_part(conflict.note, frame))
    if note and conflict.what is Difference.JUDGED:  # who has read it is told by the note
        return words(note, Tone.DOUBT)
    return (
        Words(_differences_in(frame.account)[conflict.what]),
        *((Words(f": {note}", Tone.DOUBT),) if note else ()),
    )


def _differences_in(said: Account) -> Mapping[Difference, str]:
    return {
        Difference.NUMBER: said.number,
        Difference.DATE: said.date,
        Difference.NEGATION: said.negation,
        Difference.OPPOSITE: said.opposite,
        Difference.JUDGED: said.judged,
    }


def _tables(
    agreements: tuple[tuple[Line, ...], ...],
    conflicts: tuple[tuple[Line, ...], ...],
    named: Headings,
) -> Iterator[Block]:
    if agreements:
        head = (named.part, named.supported_by, named.contradicted_by, named.origins)
        yield Table(named.agreed, head, agreements)
    if conflicts:
        head = (named.part, named.one_source, named.another, named.difference)
        yield Table(named.conflicts, head, conflicts)


def _sides(numbers: Iterable[int], known: Mapping[int, Evidence], cited: Citations) -> Line:
    lines = [_side(number, known, cited) for number in numbers]
    return tuple(part for line in lines for part in (*line, Words("; ")))[:-1]


def _side(number: int, known: Mapping[int, Evidence], cited: Citations) -> Line:
    """Return the title of a piece of evidence, with its marker where it is cited."""
    entry = known.get(number)
    title = plain(entry.title) or plain(entry.url) if entry else ""
    markers = cited.markers(cited.numbers([number]))
    name = title or cited.said.evidence.format(number=number)
    return (Words(name), *((Words(" "), *markers) if markers else ()))


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
