"""Repairs, marks or drops sentences that fail, and counts them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from quaere.domain.evidence import Evidence
from quaere.domain.report import (
    BEYOND_LENGTH,
    CheckedBy,
    Checks,
    Opens,
    Quote,
    Ruling,
    Sentence,
    Support,
)
from quaere.domain.source import Passage
from quaere.domain.value import Value
from quaere.text.inline import outside_code
from quaere.text.languages.phrases import ENGLISH_REASONS
from quaere.text.lazy_regex import lazy_regex
from quaere.text.no_claim import is_no_claim
from quaere.verify.facts import only_place
from quaere.verify.ground import ground, ground_of_answer, nearest
from quaere.verify.quotes import quoted, relocate
from quaere.verify.support import FIRM, FLOOR, Finding, check, in_doubt, is_foreign, may_hold, weigh

Pool = Mapping[int, Passage]
"""The passage behind every evidence id that may be cited."""

CONTRIBUTES = 0.25
"""Share of a sentence's words in one place of a passage, from which the passage is cited without a
quote given: the place becomes the quote. A sentence of two sources has half its words in each."""
NEAREST = 3
"""Passages that a sentence without a citation is compared with by a model."""
TELLING = 5
"""Words besides stop words from which it tells something that a source has none of them: "nobody
died" says that there were no deaths."""
MIN_TERMS = 3
"""Words besides stop words that must be left when a clause is cut off."""

NO_CLAIM = ENGLISH_REASONS.no_claim
REASONS: Mapping[Support, str] = MappingProxyType(
    {
        Support.QUOTED: ENGLISH_REASONS.word_for_word,
        Support.SUPPORTED: ENGLISH_REASONS.has_words,
    }
)
"""Why a sentence holds by words alone."""

DOUBTED = "another passage says so more plainly"
"""The objection to a citation that gave way to a better one."""

# Markers that a writer typed: "[3]", "[1, 2]", "[1-4]", "[^5]".
_TYPED = lazy_regex(r"\s*\[\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*\]")
# What can go without a change in the truth of the rest: a bracket, a clause that only adds.
_BRACKET = lazy_regex(r"\s*\([^()]*\)")
_ADDED = lazy_regex(r",\s+(?:which|who|whose|where)\s[^,;:()]*?(?=[.!?]*$)")
# Words of sentences that speak about the run and not about the world.
_RUN_WORD = lazy_regex(r"(?i)\b(?:documents?|evidence|passages?|search|sources?)\b")


LONG_TABLE = 20_000
"""Characters of a whole table from which a sentence is compared with the rows that it quotes alone:
taking such a table apart takes seconds, and no other row says what one row does."""


class Fate(StrEnum):
    """The outcome for a sentence."""

    SUPPORTED = "supported"
    """It passed as it was written."""
    REPAIRED = "repaired"
    """It passed after its citations, its quotes or its words were corrected."""
    MARKED = "marked"
    """It stays, in doubt, and says so."""
    DROPPED = "dropped"
    """It is taken out."""
    NO_CLAIM = "no_claim"
    """It is about the run or the passages, or leads in; there is nothing to check."""


class Claim(Value):
    """A sentence as a reader who understands is to judge it."""

    sentence: Sentence
    """With citations and quotes that stand, its words as they were written."""
    finding: Finding
    """What its words alone came to."""
    cited: bool = True
    """Whether its writer cited anything; else its evidence is what comes nearest to it."""
    forms: tuple[Sentence, ...] = ()
    """As its writer cites it and as words alone would, where ``sentence`` cites both."""


class Outcome(Value):
    """What checking made of one sentence."""

    sentence: Sentence | None
    """As it may be shown; None when it was dropped."""
    fate: Fate
    objection: str = ""
    """What was wrong with it as it was written; empty when nothing."""
    finding: Finding | None = None
    """What was found of it as it may be shown; None when there was nothing to check."""
    dropped: Sentence | None = None
    """The sentence as it is listed apart; None unless it was dropped."""
    claim: Claim | None = None
    """What a model is asked about where there is one; None when it was in its source word for word,
    or states nothing about the world, or nothing comes near to it."""


def pool_of(evidence: Iterable[Evidence], passages: Iterable[Passage]) -> dict[int, Passage]:
    """Return the passage behind every id of ``evidence`` whose passage is there."""
    kept = {passage.id: passage for passage in passages}
    return {entry.id: kept[entry.passage] for entry in evidence if entry.passage in kept}


def verify_sentence(sentence: Sentence, pool: Pool, question: str = "") -> Outcome:
    """Check one sentence, as it comes from the writer, and repair it if it can be repaired.

    Repairs, the first that makes the sentence pass: made-up ids, typed markers and quotes that are
    nowhere go; quotes are found again or found at all; another passage is cited in place of those
    that don't hold it (unless they say the opposite), or that leave it in doubt where the other
    doesn't; a bracket or an added clause that no source holds is cut off. A sentence that still
    fails is marked; words alone drop one only when it has no source, or nothing in common with it.

    With it comes the claim that a reader who understands is to judge, where one is asked before any
    of this happens to it; see `quaere.verify.second_opinion`.

    Args:
        sentence: As written.
        pool: What may be cited.
        question: What was asked.
    """
    if sentence.reason == BEYOND_LENGTH:
        return dropped(sentence, Finding(support=Support.NOT_JUDGED, note=BEYOND_LENGTH), None)
    if _speaks_of_run(sentence) or _claims_nothing(sentence, question):
        return no_claim(sentence)
    pool = _without_other_rows(sentence, pool)
    tidy = _tidied(sentence, pool)
    finding = check(tidy, pool)
    if finding.support.holds:
        return _held(sentence, tidy, finding, pool)
    return _mended(tidy, finding, _claim(sentence, tidy, pool), pool)


def _without_other_rows(sentence: Sentence, pool: Pool) -> Pool:
    """Return ``pool`` with no more of long tables than the rows that ``sentence`` quotes of them.

    One that it cites without a quote stays whole.
    """
    if not any(map(_is_long_table, pool.values())):
        return pool
    cited = frozenset(sentence.evidence)
    return {
        number: _rows_quoted(sentence, passage)
        for number, passage in pool.items()
        if number in cited or not _is_long_table(passage)
    }


def _is_long_table(passage: Passage) -> bool:
    return passage.whole_table and len(passage.text) > LONG_TABLE


def _rows_quoted(sentence: Sentence, table: Passage) -> Passage:
    """Return the rows of a long ``table`` that ``sentence`` quotes; any other passage as it is."""
    if not _is_long_table(table):
        return table
    quotes = [quote for quote in sentence.quotes if quote.passage == table.id]
    if not quotes:
        return table
    start = min(quote.start for quote in quotes) - table.start
    return table.stretch(start, max(quote.end for quote in quotes) - table.start)


def _held(sentence: Sentence, tidy: Sentence, finding: Finding, pool: Pool) -> Outcome:
    """Return ``sentence``, which holds once it is ``tidy``, as it was or repaired."""
    if better := _word_for_word(tidy, finding, pool):
        return better
    if better := _beyond_doubt(tidy, finding, pool):
        return _asked_of_both(better, _claim(sentence, tidy, pool), pool)
    if _is_as_written(tidy, sentence):
        return settled(tidy, finding, Fate.SUPPORTED, "")
    return settled(tidy, finding, Fate.REPAIRED, check(sentence, pool).note)


def _claims_nothing(sentence: Sentence, question: str) -> bool:
    """Return whether ``sentence`` is about the passages, leads in or labels; code never is."""
    if sentence.opens is Opens.CODE:
        return False
    return is_no_claim(_untyped(sentence.text, ()), question, cites=bool(sentence.evidence))


def no_claim(sentence: Sentence) -> Outcome:
    """Return ``sentence``, which claims nothing, without anything that it cites."""
    plain = {"evidence": (), "quotes": (), "by": CheckedBy.WORDS, "probability": None}
    text = _untyped(sentence.text, ())
    shown = {"text": text, "support": Support.NOT_A_CLAIM, "reason": NO_CLAIM}
    return Outcome(sentence=sentence.model_copy(update=plain | shown), fate=Fate.NO_CLAIM)


def _mended(tidy: Sentence, finding: Finding, claim: Claim | None, pool: Pool) -> Outcome:
    """Return ``tidy``, which does not pass, as it passes after a repair, marked, or dropped."""
    for candidate in _candidates(tidy, finding, pool):
        passed = check(candidate, pool)
        if passed.support.holds:
            repaired = settled(candidate, passed, Fate.REPAIRED, finding.note)
            return _asked_of_both(repaired, claim, pool)
    return _unmended(tidy, finding, claim, pool)


def _asked_of_both(repaired: Outcome, claim: Claim | None, pool: Pool) -> Outcome:
    """Return ``repaired`` with what a reader who understands is asked: what its writer meant.

    That is the ``claim`` as it was, or as it was with what words alone would cite in place of what
    its writer did: which of the two says it, is for the reader to tell.
    """
    if repaired.claim is None or claim is None or not claim.cited:
        return repaired
    own, recited = claim.sentence, repaired.claim.sentence
    if own.text != recited.text:
        return repaired.model_copy(update={"claim": claim})
    if set(recited.evidence) <= set(own.evidence):
        return repaired
    evidence = tuple(dict.fromkeys((*own.evidence, *recited.evidence)))
    quotes = tuple(dict.fromkeys((*own.quotes, *recited.quotes)))
    both = own.model_copy(update={"evidence": evidence, "quotes": quotes})
    asked = Claim(sentence=both, finding=check(both, pool), forms=(own, recited))
    return repaired.model_copy(update={"claim": asked})


def _unmended(tidy: Sentence, finding: Finding, claim: Claim | None, pool: Pool) -> Outcome:
    """Return ``tidy``, which no repair makes pass, marked or dropped."""
    if claim is None or not claim.cited or _is_made_up(claim.sentence, claim.finding, pool):
        near = None if tidy.evidence or not claim else claim.finding
        # Of several that it does not cite, words alone would make one that says it.
        return dropped(tidy, finding if near is None or near.support.holds else near, claim)
    if tidy.evidence and not _is_made_up(tidy, finding, pool):
        return settled(tidy, finding, Fate.MARKED, finding.note)
    # What has words of it does not do alone, and the rest may say it in others.
    return settled(claim.sentence, claim.finding, Fate.MARKED, claim.finding.note)


def counted(outcomes: Iterable[Outcome]) -> Checks:
    """Return how many sentences had which outcome.

    Every claim counts once besides ``written``; sentences about the run are not counted.
    """
    fates = [outcome.fate for outcome in outcomes if outcome.fate is not Fate.NO_CLAIM]
    return Checks(
        written=len(fates),
        supported=fates.count(Fate.SUPPORTED),
        repaired=fates.count(Fate.REPAIRED),
        marked=fates.count(Fate.MARKED),
        dropped=fates.count(Fate.DROPPED),
    )


def none_holds(outcomes: Iterable[Outcome]) -> bool:
    """Return whether there are claims and none is supported, as far as words can tell.

    One in another language than its source may well be.
    """
    claims = [outcome for outcome in outcomes if outcome.fate is not Fate.NO_CLAIM]
    foreign = any(claim.finding and claim.finding.probability is None for claim in claims)
    return bool(claims) and not foreign and not any(map(holds, claims))


def holds(outcome: Outcome) -> bool:
    """Return whether the sentence may be shown as supported."""
    return outcome.sentence is not None and outcome.sentence.support.holds


def settled(sentence: Sentence, finding: Finding, fate: Fate, objection: str) -> Outcome:
    """Return ``sentence`` as it is shown, with what was found of it.

    It is a claim for a reader who understands unless it is in its source word for word.
    """
    found = {
        "support": finding.support,
        "by": CheckedBy.WORDS,
        "reason": reason_of(finding),
        "probability": finding.probability,
    }
    shown = sentence.model_copy(update=found)
    quoted_whole = finding.verbatim and finding.support.holds
    claim = None if quoted_whole else Claim(sentence=sentence, finding=finding)
    return Outcome(sentence=shown, fate=fate, objection=objection, finding=finding, claim=claim)


def _is_made_up(sentence: Sentence, found: Finding, pool: Pool) -> bool:
    """Return whether a claim has nothing of what it cites, or little and something else instead.

    Few words in common are not enough reason: it may say the same in others.
    """
    if len(ground_of_answer(sentence.text).terms) < TELLING or is_foreign(
        sentence.text, [pool[number] for number in sentence.evidence]
    ):
        return False
    return found.share == 0 or (found.share < FLOOR and bool(found.missing))


def dropped(
    sentence: Sentence,
    finding: Finding,
    claim: Claim | None,
    ruling: Ruling | None = None,
    reason: str = "",
) -> Outcome:
    """Return that ``sentence`` is taken out, by words or by a ``ruling``, and listed apart."""
    listed = {
        "evidence": (),
        "quotes": (),
        "direct": None,
        "support": ruling.support if ruling else finding.support,
        "by": ruling.by if ruling else CheckedBy.WORDS,
        "reason": reason or reason_of(finding),
        "probability": ruling.probability if ruling else finding.probability,
    }
    return Outcome(
        sentence=None,
        fate=Fate.DROPPED,
        objection=reason or finding.note,
        finding=finding,
        dropped=sentence.model_copy(update=listed),
        claim=claim,
    )


def reason_of(finding: Finding) -> str:
    """Return why words alone come to ``finding``."""
    return finding.note or REASONS.get(finding.support, "")


def _speaks_of_run(sentence: Sentence) -> bool:
    """Return whether ``sentence`` is rightly called no claim: a writer's word is not enough."""
    if sentence.support is not Support.NOT_A_CLAIM or sentence.evidence or sentence.quotes:
        return False
    spoken = ground_of_answer(sentence.text)
    return not spoken.numbers and not spoken.dates and bool(_RUN_WORD.search(spoken.text))


def _tidied(sentence: Sentence, pool: Pool) -> Sentence:
    """Return ``sentence`` with ids that exist, quotes that stand and no markers typed into it."""
    cited = _cited(sentence, pool)
    is_code = sentence.opens is Opens.CODE
    text = sentence.text if is_code else _untyped(sentence.text, cited.values())
    quotes = list(dict.fromkeys(_relocated(sentence.quotes, cited.values())))
    for number, passage in list(cited.items()):
        if any(quote.passage == passage.id for quote in quotes):
            continue
        quote = _found(text, passage) or _sole_place(text, passage, cited.values())
        if quote is None:
            del cited[number]
        else:
            quotes.append(quote)
    return sentence.model_copy(
        update={"text": text, "evidence": tuple(cited), "quotes": tuple(quotes)}
    )


def _cited(sentence: Sentence, pool: Pool) -> dict[int, Passage]:
    """Return what ``sentence`` cites that exists, by number."""
    return {number: pool[number] for number in sentence.evidence if number in pool}


def _sole_place(text: str, passage: Passage, cited: Iterable[Passage]) -> Quote | None:
    return only_place(text, passage, [each for each in cited if each is not passage])


def _claim(sentence: Sentence, tidy: Sentence, pool: Pool) -> Claim | None:
    """Return ``tidy`` for a reader who understands, with every passage that its writer cited.

    One that cites nothing comes with the passages nearest to it.

    One with which it has hardly a word in common may say it in others.
    """
    cited = list(_cited(sentence, pool))
    asked_of = cited or _nearest_evidence(tidy.text, pool)
    kept = _with_quotes(asked_of, tidy, pool)
    quoted_from = {quote.passage for quote in kept}
    held = tuple(number for number in asked_of if pool[number].id in quoted_from)
    if not held:
        return None
    asked = tidy.model_copy(update={"evidence": held, "quotes": kept})
    return Claim(sentence=asked, finding=check(asked, pool), cited=bool(cited))


def _with_quotes(numbers: Iterable[int], tidy: Sentence, pool: Pool) -> tuple[Quote, ...]:
    """Return the quotes of ``tidy``, and one of each passage that it quotes nothing of."""
    quotes = {quote.passage: quote for quote in tidy.quotes}
    for number in numbers:
        passage = pool[number]
        quotes.setdefault(passage.id, nearest_quote(tidy.text, passage))
    return tidy.quotes + tuple(q for q in quotes.values() if q not in tidy.quotes and q.text)


def _nearest_evidence(text: str, pool: Pool) -> list[int]:
    """Return the ids of the NEAREST passages that have most words of ``text``.

    Where none has any, as in another language, they are the first.
    """
    claim = ground_of_answer(text)
    shares = {number: nearest(claim, ground(each.text)).share for number, each in pool.items()}
    ranked = sorted((-share, number) for number, share in shares.items() if share)
    return [number for _, number in ranked[:NEAREST]] or sorted(pool)[:NEAREST]


def nearest_quote(text: str, passage: Passage) -> Quote:
    """Return the place of ``passage`` nearest to ``text``; all of it where they share no word."""
    place = nearest(ground_of_answer(text), ground(passage.text))
    if place.lines:
        return quoted(passage, place.start, place.end)
    return quoted(passage, 0, len(passage.text))


def _is_as_written(tidy: Sentence, sentence: Sentence) -> bool:
    """Return whether nothing was corrected; finding quotes where none were given does not count."""
    quotes = sentence.quotes or tidy.quotes
    return tidy == sentence.model_copy(update={"quotes": quotes})


def _untyped(text: str, cited: Iterable[Passage]) -> str:
    """Return ``text`` without typed markers; those that a source holds stay."""
    sources = [passage.text for passage in cited]

    def kept(match: re.Match[str]) -> str:
        marker = match[0].strip()
        return match[0] if any(marker in source for source in sources) else ""

    while (plain := outside_code(text, lambda part: _TYPED.sub(kept, part))) != text:
        text = plain
    return text


def _relocated(quotes: Iterable[Quote], cited: Iterable[Passage]) -> Iterator[Quote]:
    by_id = {passage.id: passage for passage in cited}
    for quote in quotes:
        passage = by_id.get(quote.passage)
        found = relocate(quote, passage) if passage else None
        if found is not None:
            yield found


def _found(text: str, passage: Passage) -> Quote | None:
    """Return the place of ``passage`` that says what ``text`` says, if any does.

    Words of two languages cannot be compared; then the place is the nearest, or the beginning.
    """
    place = nearest(ground_of_answer(text), ground(passage.text))
    if place.share >= CONTRIBUTES:
        return quoted(passage, place.start, place.end)
    lines = place.lines or ground(passage.text).lines[:1]
    if lines and is_foreign(text, [passage]):
        return quoted(passage, lines[0].span.start, lines[-1].span.end)
    return None


def _candidates(sentence: Sentence, finding: Finding, pool: Pool) -> Iterator[Sentence]:
    """Yield what ``sentence`` could be repaired to, the least change first.

    One whose own passage says the opposite, or says it of something else, is not given another:
    what words alone find in its place may be said of something else again, and a reader would not
    learn of the passage against it. Where another has it word for word, the citation was misplaced.
    """
    for recited in () if finding.opposed else _recited(sentence, pool):
        if not finding.clashes or check(recited, pool).verbatim:
            yield recited
    for shorter in _trimmed(sentence, finding):
        yield _tidied(shorter, pool)


def _recited(sentence: Sentence, pool: Pool) -> Iterator[Sentence]:
    """Yield ``sentence`` citing another passage that holds nearly all of it, best first.

    One passage has to hold everything: of two put together, the one could lend a figure to what
    the other says.
    """
    ranked: list[tuple[float, str, int]] = []
    likely = ((n, each) for n, each in pool.items() if may_hold(sentence.text, each))
    for number, passage in likely:
        found = weigh(sentence.text, [passage])
        if found.support.holds and found.share >= FIRM:
            ranked.append((-found.share, passage.id, number))
    for _, _, number in sorted(ranked):
        yield _tidied(sentence.model_copy(update={"evidence": (number,), "quotes": ()}), pool)


def _word_for_word(sentence: Sentence, finding: Finding, pool: Pool) -> Outcome | None:
    """Return ``sentence`` citing the passage of the same page that has it word for word, if any.

    A writer names one passage of a page, often the first, and has read them all. Of another page
    the same words may be said of something else.
    """
    if finding.verbatim:
        return None
    for number in _beside(sentence, pool):
        recited = sentence.model_copy(update={"evidence": (number,), "quotes": ()})
        candidate = _tidied(recited, pool)
        passed = check(candidate, pool)
        if passed.verbatim and passed.support.holds:
            return settled(candidate, passed, Fate.REPAIRED, DOUBTED)
    return None


def _beside(sentence: Sentence, pool: Pool) -> Iterator[int]:
    """Yield the passages of the pages that ``sentence`` cites which may hold it as well."""
    pages = {pool[number].url for number in sentence.evidence}
    for number, passage in pool.items():
        is_beside = number not in sentence.evidence and passage.url in pages
        if is_beside and may_hold(sentence.text, passage):
            yield number


def _beyond_doubt(sentence: Sentence, finding: Finding, pool: Pool) -> Outcome | None:
    """Return ``sentence`` citing a passage that leaves no doubt, where those it cites leave some.

    Words alone let a passage pass about a mill in the village where she is said to be born, and
    another may be about the birth.
    """
    if not in_doubt(finding):
        return None
    for candidate in _recited(sentence, pool):
        passed = check(candidate, pool)
        if passed.support.holds and not in_doubt(passed):
            return settled(candidate, passed, Fate.REPAIRED, DOUBTED)
    return None


def _trimmed(sentence: Sentence, finding: Finding) -> Iterator[Sentence]:
    """Yield ``sentence`` without the bracket or last clause that alone holds what is missing."""
    text = sentence.text
    if sentence.opens is Opens.CODE:
        return

    def kept(match: re.Match[str]) -> str:
        return "" if any(part in match[0] for part in finding.missing) else match[0]

    for pattern in (_BRACKET, _ADDED):
        text = pattern.sub(kept, text)
        if text != sentence.text and len(ground_of_answer(text).terms) >= MIN_TERMS:
            yield sentence.model_copy(update={"text": text})
