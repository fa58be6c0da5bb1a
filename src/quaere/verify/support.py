"""Whether the passages that a sentence cites say what it says.

A first stage, without any model: ids and quotes must match exactly; figures, dates and names
have to occur; a denial must not face its opposite; and the signals together must make it likely
enough. Where they can't tell, ``in_doubt`` says so.

On claims that were not used in the making, human judges agree in about three cases of four,
and in 85 of 100 outside doubt (``quaere eval attribution``; docs/lab-book.md has the figures).
One changed digit is noticed in 94 % of claims that passed before, one "not" put in in 84 %; of
supported claims 6 % and 4 % are objected to for these reasons. Words don't tell who refutes: a
contradiction is only called one where a source says nearly the same without the denial, or with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from quaere.domain.report import WORDING_DIFFERS, Sentence, Support
from quaere.domain.source import Passage
from quaere.domain.value import Value
from quaere.domain.verdict import Confidence
from quaere.text.inline import unmarked
from quaere.text.languages.language import Language, is_english, language_of, may_be_in, speaking
from quaere.text.languages.phrases import ENGLISH_ACCOUNT, ENGLISH_REASONS
from quaere.text.lazy_regex import lazy_regex
from quaere.text.similarity import containment
from quaere.text.tokens import STOP_WORDS, words
from quaere.verify.accounted import unaccounted
from quaere.verify.align import content, stems
from quaere.verify.calibration import EmbeddingSignal, calibration
from quaere.verify.clash import (
    ALIGNED,
    Clash,
    Confirmation,
    Kind,
    aligned_to_line,
    clash,
    confirmed,
    denied_share,
    is_comparable,
    is_of_one_mind,
    is_short,
    nearest_alignment,
)
from quaere.verify.facts import Opposition, opposition
from quaere.verify.ground import (
    CLAUSE_END,
    LONGEST,
    Ground,
    ground,
    ground_of_answer,
    nearest,
    under_its_label,
)
from quaere.verify.likeness import likeness
from quaere.verify.quotes import as_told, has_words, is_cut_short, is_table_record, is_verbatim
from quaere.verify.rules.bound import are_bound_otherwise
from quaere.verify.rules.comparisons import comparison
from quaere.verify.rules.replaced import is_borrowed
from quaere.verify.rules.rivals import has_better_fit
from quaere.verify.signals import Pair, measure
from quaere.verify.table_cells import Placed, is_of_another_label, is_of_another_list

LOOKED_AT = 2_000
"""Characters of a source by which its language is told."""
ENOUGH = 0.55
"""Share of a sentence's words below which its language is looked at."""
FLOOR = 0.3
"""Below this share a sentence speaks of something else than its source: 5 % of the supported claims
and 37 % of the others fall under it."""
FIRM = 0.75
"""Share from which an opposite is called a contradiction and not a doubt."""
PART = 0.75
"""Share of a clause's words that must be found for the clause to be held."""
PART_TERMS = 3
"""Words other than stop words that make a clause say something of its own."""


class Finding(Value):
    """What checking found of one sentence."""

    support: Support
    note: str = ""
    """The objections, in words; empty when there is none."""
    share: float = 0.0
    """Share of the sentence's words that its passages hold, 0 to 1."""
    probability: Confidence | None = 0.0
    """How likely its passages say it, where as many sentences are supported as not; None when
    their words cannot be compared."""
    figures: tuple[str, ...] = ()
    """Figures and dates of the sentence that its passages don't hold."""
    unaccounted: tuple[str, ...] = ()
    """Those of them that nothing there explains to a reader who understands: no arithmetic, no
    scale, no other way of writing them."""
    opposed: bool = False
    """Whether its passages say the opposite: they affirm what it denies, or deny what it affirms.
    Where they hold few of its words, that is a doubt and no contradiction yet."""
    clashes: bool = False
    """Whether they say it of something else, or more weakly, or in another order."""
    names: tuple[str, ...] = ()
    """Names of the sentence that its passages don't hold."""
    verbatim: bool = False
    """Whether one of its passages has it word for word, or as a row of a table."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Everything of the sentence that its passages don't hold."""
        return (*self.figures, *self.names)


def check(
    sentence: Sentence, pool: Mapping[int, Passage], meaning: EmbeddingSignal | None = None
) -> Finding:
    """Check ``sentence`` against the passages of ``pool`` that it cites.

    Args:
        sentence: As written; its own ``support`` and ``note`` are not looked at.
        pool: The passage behind every evidence id that may be cited.
        meaning: What an embedder adds, where one was asked.
    """
    unknown = [str(number) for number in sentence.evidence if number not in pool]
    if unknown:
        return _not_judged(ENGLISH_REASONS.unknown.format(numbers=", ".join(unknown)))
    cited = {pool[number].id: pool[number] for number in sentence.evidence}
    fault = _misquoted(sentence, cited)
    return _not_judged(fault) if fault else weigh(sentence.text, list(cited.values()), meaning)


def weigh(
    text: str, passages: Sequence[Passage], meaning: EmbeddingSignal | None = None
) -> Finding:
    """Check what ``text`` says against what ``passages`` say together.

    It compares their words, in the language of both; ``meaning`` is what an embedder tells.
    """
    with speaking(_common_language(text, passages)):
        return _weighed(as_told(text, passages), passages, meaning)


def _common_language(text: str, passages: Sequence[Passage]) -> Language | None:
    """Return the language of ``text`` and of any of ``passages``; None, as for English, without.

    A ``text`` of few words may be in that of all ``passages``.
    """
    theirs = {language_of(passage.text[:LOOKED_AT]) for passage in passages}
    own = language_of(text)
    if own is None and len(theirs) == 1 and (one := theirs.pop()) and may_be_in(one, text):
        return one
    return own if own in theirs else None


def _weighed(text: str, passages: Sequence[Passage], meaning: EmbeddingSignal | None) -> Finding:
    written, text = text.strip(), unmarked(text).strip()
    if not text or not passages:
        return _not_judged(ENGLISH_REASONS.empty)
    verbatim = _verbatim(text, written, passages)
    if len(text) > LONGEST:
        return verbatim or _not_judged(ENGLISH_REASONS.lengthy)
    pair = compare(text if verbatim else under_its_label(text), passages)
    if verbatim:
        # "None" in a cell denies nothing.
        against = None if is_table_record(text, passages) else _opposition(pair)
        return _judged(pair, against, verbatim)
    share = _share(pair)
    if share < ENOUGH and is_foreign(text, passages):
        return _uncompared(pair, share)
    found = Finding(
        support=Support.SUPPORTED,
        share=share,
        probability=(meaning or calibration()).probability(measure(pair)),
        figures=pair.figures_missing,
        unaccounted=_unaccounted(pair, near=pair.near_grounds),
        names=pair.names_missing,
    )
    return _judged(pair, _opposition(pair), found, by_words=meaning is None)


def _verbatim(text: str, written: str, passages: Sequence[Passage]) -> Finding | None:
    """Return that a passage has ``text`` word for word, or as a row of a table; else None.

    A sentence of the source is no less true to it for a name that it spells oddly.
    """
    is_held = any(has_words(passage.text, text, written) for passage in passages)
    if not is_held and not is_table_record(text, passages):
        return None
    return Finding(support=Support.QUOTED, share=1.0, probability=1.0, verbatim=True)


def _uncompared(pair: Pair, share: float) -> Finding:
    """Return what can be told of a sentence in another language than all of its sources.

    Both were read as one language writes figures, and "17.500" is "17,500" in another.
    """
    figures = _unaccounted(pair, near=())
    return Finding(
        support=Support.NOT_JUDGED,
        note="; ".join([*_absent(figures), ENGLISH_REASONS.foreign]),
        share=share,
        probability=None,
        figures=figures,
        unaccounted=figures,
    )


def _opposition(pair: Pair) -> Opposition | None:
    """Return how a sentence opposes the places nearest to it; None in another language."""
    if not is_english():
        return None
    lines = (line for place in pair.places for line in place.lines)
    return opposition(pair.claim, pair.sources, lines)


def _unaccounted(pair: Pair, *, near: Sequence[Ground]) -> tuple[str, ...]:
    """Return the figures that nothing explains; of two languages, no words tell what is near."""
    return unaccounted(
        pair.figures_missing,
        pair.claim.text,
        [held.text for held in pair.held],
        [each.text for each in near],
    )


def compare(text: str, passages: Sequence[Passage]) -> Pair:
    """Return ``text`` and ``passages`` taken apart, side by side."""
    claim = ground_of_answer(text)
    sources = [ground(passage.text) for passage in passages]
    return Pair(
        claim=claim,
        sources=sources,
        # The text may say "she" where its title has the name.
        contexts=[ground(_about(passage)) for passage in passages],
        places=[nearest(claim, source) for source in sources],
        lead_ins=[passage.lead_in for passage in passages],
        table_heads=[passage.table_head for passage in passages],
    )


def _about(passage: Passage) -> str:
    """Return what is known of ``passage`` besides its text, such as the heads of a table."""
    return f"{passage.title}\n{passage.published}\n{passage.lead_in}\n{passage.table_head}"


def may_hold(text: str, passage: Passage) -> bool:
    """Return whether ``passage`` has so many words of ``text`` that it could hold nearly all of it.

    It takes a hundredth of the time of `weigh`, whose share of words is never larger than this one.
    """
    held = (ground(passage.text), ground(_about(passage)))
    anywhere = frozenset[str]().union(*(each.terms for each in held))
    if containment(ground_of_answer(text).terms, anywhere) >= FIRM:
        return True
    return text.strip() in passage.text or is_table_record(text, [passage])


def in_doubt(finding: Finding) -> bool:
    """Return whether the signs can't tell, so that a reader who understands should look.

    So it is between the two ends of doubt, where words of two languages cannot be compared, and
    where there is an objection to a sentence that is otherwise likely supported.
    """
    if finding.probability is None:
        return True
    low, high = calibration().doubt
    likely = finding.probability >= high
    return finding.probability >= low and not (likely and finding.support.holds)


def is_foreign(text: str, passages: Sequence[Passage]) -> bool:
    """Return whether ``text`` is in another language than all of ``passages``."""
    own = ground(_ARTICLE_OF_NAME.sub("", text)).language
    others = {ground(passage.text).language for passage in passages}
    if "en" in others and _reads_as_english(text):
        return False
    return own != "und" and "und" not in others and own not in others


_ARTICLE_OF_NAME: Final = lazy_regex(r"\b[^\W\d_a-zß-ÿ][a-zß-ÿ]{0,2}\s+(?=[^\W\d_a-zß-ÿ])")
"""As in "Las Vegas" or "Die Zeit", whose small word tells nothing about the text around it."""
ENGLISH: Final = 0.25
"""Share of a text's words from which small English words show that it is English, however short it
is and whatever its letters look like."""


def _reads_as_english(text: str) -> bool:
    said = words(text)
    small = sum(word in STOP_WORDS for word in said)
    return language_of(text) is None and small >= max(2, ENGLISH * len(said))


def _not_judged(note: str) -> Finding:
    return Finding(support=Support.NOT_JUDGED, note=note)


def _judged(
    pair: Pair, against: Opposition | None, found: Finding, *, by_words: bool = True
) -> Finding:
    """Return ``found`` with what its parts come to; an embedder is heard before words."""
    dissent = _dissent(pair, against, found)
    settled = _settled_probability(pair, found, dissent)
    objections = _objections(pair, dissent, found, by_words=by_words)
    if not objections and settled is not None and settled < calibration().doubt[0]:
        objections = [WORDING_DIFFERS]
    support = found.support
    if dissent.contradicts and not found.names:
        support = Support.CONTRADICTED
        objections = [*_absent(found.missing), *dissent.reasons[:1]]
    elif objections:
        is_part = not dissent.reasons and _holds_part(pair, found.missing)
        support = Support.PARTLY if is_part else Support.NOT_JUDGED
    update = {
        "support": support,
        "note": _noted(objections, support),
        "clashes": dissent.clash is not None and dissent.clash.kind is not Kind.UNCOMPARED,
        "opposed": dissent.opposes,
        "probability": settled,
    }
    return found.model_copy(update=update)


class _Dissent(NamedTuple):
    """What the sources of a sentence say against it."""

    opposition: Opposition | None = None
    clash: Clash | None = None

    @property
    def reasons(self) -> list[str]:
        """Both in words, the opposition first."""
        return [*filter(None, (self.opposition, self.clash and self.clash.kind))]

    @property
    def contradicts(self) -> bool:
        return self.clash is not None and self.clash.contradicts

    @property
    def is_plain(self) -> bool:
        """Whether they clash with a long sentence as plainly as with a short one."""
        return self.clash is not None and self.clash.plain

    @property
    def opposes(self) -> bool:
        """Whether they say the opposite, be it of few of its words."""
        return self.contradicts or self.opposition in {Opposition.DENIES, Opposition.AFFIRMS}


def _dissent(pair: Pair, against: Opposition | None, found: Finding) -> _Dissent:
    """Return what contradicts a sentence; of one found word for word, ``against`` alone."""
    if found.verbatim:
        return _Dissent(against)
    found_clash = _clash(pair)
    return _Dissent(against and _upheld(against, found_clash, pair), found_clash)


_REVERSALS: Final = frozenset({*Opposition, Kind.DENIED, Kind.ORDER, Kind.COMPARED})
_OPEN: Final = ENGLISH_ACCOUNT.alternatively
"""Follows an objection that may be a false alarm: most of them are, where much is worded anew."""


def _noted(objections: Sequence[str], support: Support) -> str:
    """Return ``objections`` in one line, as open ones unless they are a contradiction."""
    if support is Support.CONTRADICTED:
        return "; ".join(objections)
    return "; ".join(f"{each}{_OPEN}" if each in _REVERSALS else each for each in objections)


def _outweighs(pair: Pair, found: Finding, clash: Clash) -> bool:
    """Return whether a long sentence is so likely that ``clash`` is rather a false alarm."""
    if clash.plain:
        return False
    likely = found.probability is not None and found.probability >= calibration().doubt[1]
    return likely and not is_short(pair.claim.text)


CLASHING = 0.6
"""What is left of a sentence's probability where it clashes with its source."""
CONTRADICTING = 0.4
"""The same where it contradicts it."""
CONFIRMED: Final[Mapping[Confirmation, float]] = MappingProxyType(
    {Confirmation.PLAIN: 0.5, Confirmation.LIKELY: 0.8}
)
"""What is left of its improbability where a line says the same. Chosen, as the other, on the first
half of the pairs."""
TURNED: Final = 1.0
"""How much the odds fall, as a logarithm, where all that is aligned is turned, and no rule speaks.
Chosen on the fitted halves of labelled answers and on the first half of the pairs."""
RIVALLED: Final = 0.2
"""The same where something else of the lines fits a short sentence better. It tells which of two
sentences is likelier, and hardly whether one is: of labelled answers as many supported ones have
that as others, so that more would cost."""
LEFT: Final = 0.01
"""How far below the end of doubt a sentence stays that only a paraphrase may confirm."""


def _settled_probability(pair: Pair, found: Finding, dissent: _Dissent) -> float | None:
    """Return how likely a sentence is, after the rules that look at aligned statements.

    In a long sentence they are mostly wrong, so that those alone count there that are plain.
    """
    likely = found.probability
    if likely is None or found.verbatim:
        return likely
    return _after_rivals(_after_rules(likely, pair, found, dissent), pair)


def _after_rules(likely: float, pair: Pair, found: Finding, dissent: _Dissent) -> float:
    """Return ``likely`` after what rules say against a sentence or for it."""
    if dissent.reasons and (dissent.is_plain or is_short(pair.claim.text)):
        return likely * (CONTRADICTING if dissent.contradicts else CLASHING)
    said = None if found.missing else _confirmation(pair)
    return _after_turns(likely, pair) if said is None else _lifted(likely, said)


def _after_turns(likely: float, pair: Pair) -> float:
    """Return ``likely`` less what the nearest line turns of the sentence."""
    around = [context.text for context in pair.contexts]
    return _lowered(likely, TURNED * denied_share(pair.claim.text, pair.rival_lines, around))


def _after_rivals(likely: float, pair: Pair) -> float:
    """Return ``likely`` less what stands with another figure, name or opposite of the lines."""
    if pair.placed is Placed.FITTING or not is_short(pair.claim.text):
        return likely
    return _lowered(likely, RIVALLED * has_better_fit(pair.claim.text, pair.rival_lines))


def _lowered(likely: float, by: float) -> float:
    """Return ``likely`` with its odds lowered, ``by`` a logarithm."""
    left = math.exp(-by)
    return likely * left / (1 - likely + likely * left)


def _lifted(likely: float, said: Confirmation) -> float:
    """Return ``likely`` as a line raises it; one that is a paraphrase at best leaves doubt."""
    raised = 1 - (1 - likely) * CONFIRMED[said]
    high = calibration().doubt[1]
    return raised if said is Confirmation.PLAIN else max(likely, min(raised, high - LEFT))


def _objections(pair: Pair, dissent: _Dissent, found: Finding, *, by_words: bool) -> list[str]:
    """Return in words what weakens the support that ``found`` begins with."""
    objections = [*_absent(found.missing), *_contrary(pair, dissent, found)]
    unlikely = found.probability is not None and found.probability < calibration().cut
    if unlikely and (objections or not by_words or not _confirmation(pair)):
        objections.append(WORDING_DIFFERS)
    return objections


def _contrary(pair: Pair, dissent: _Dissent, found: Finding) -> Iterator[str]:
    """Yield what sources say against a sentence, unless that is rather a false alarm."""
    if dissent.opposition:
        yield dissent.opposition
    elif dissent.clash and not found.figures and not _outweighs(pair, found, dissent.clash):
        yield dissent.clash.kind


def _clash(pair: Pair) -> Clash | None:
    if any(is_cut_short(pair.claim.text, source.text) for source in pair.sources):
        return Clash(kind=Kind.SCOPE, contradicts=False, plain=True)
    return _clash_of_labels(pair) or _clash_of_statements(pair)


def _clash_of_labels(pair: Pair) -> Clash | None:
    """Return a clash where a figure belongs to another label, or to another cell of a table."""
    text = pair.claim.text
    is_elsewhere = is_short(text) and is_of_another_list(text, pair.sources)
    if is_elsewhere or is_of_another_label(text, pair.sources):
        return Clash(kind=Kind.LABELLED, contradicts=False)
    if pair.placed not in {Placed.ELSEWHERE, Placed.OPPOSED}:
        return None
    is_plain = pair.placed is Placed.OPPOSED and is_short(pair.claim.text)
    return Clash(kind=Kind.MISPLACED, contradicts=is_plain)


def _clash_of_statements(pair: Pair) -> Clash | None:
    """Return how a sentence clashes with lines; its figures don't where a table has them so."""
    around = [context.text for context in pair.contexts]
    found = clash(pair.claim.text, pair.rival_lines, around)
    is_clear = found is not None and (found.plain or found.contradicts)
    if not is_clear and _is_bound_otherwise(pair, around):
        return Clash(kind=Kind.EXCHANGED, contradicts=False, plain=True)
    if found is None:
        return _borrowed(pair, around)
    return None if pair.placed is Placed.FITTING and found.kind in _OF_FIGURES else found


def _borrowed(pair: Pair, around: Sequence[str]) -> Clash | None:
    if pair.placed is not Placed.OPEN or not is_short(pair.claim.text):
        return None
    best = nearest_alignment(pair.claim.text, pair.rival_lines, around)
    if best is None or not is_borrowed(best, pair.sources):
        return None
    return Clash(kind=Kind.LABELLED, contradicts=False)


def _is_bound_otherwise(pair: Pair, around: Sequence[str]) -> bool:
    """Return whether sources have two words of a sentence only as they are not bound in it.

    So it must be in the lines near it, of which one has most of it, and in all others together.
    """
    text = pair.claim.text
    best = nearest_alignment(text, pair.rival_lines, around) if is_comparable(text) else None
    if best is None or best.own < FIRM:
        return False
    every = [source.text[slice(*line.span)] for source in pair.sources for line in source.lines]
    return all(are_bound_otherwise(text, lines) for lines in (pair.rival_lines, every))


_OF_FIGURES: Final = frozenset({Kind.FIGURE, Kind.MISPLACED, Kind.EXCHANGED})
"""Kinds that are false alarms where every figure is in the cell that is named."""


def _confirmation(pair: Pair) -> Confirmation | None:
    if pair.placed is Placed.FITTING and _share_alike(pair) >= FIRM:
        return Confirmation.PLAIN
    return confirmed(pair.claim.text, pair.rival_lines, [each.text for each in pair.contexts])


def _share_alike(pair: Pair) -> float:
    """Return the share of the sentence's words for which its sources have a similar one."""
    held = stems(each.text for each in (*pair.sources, *pair.contexts))
    words = content(pair.claim.text)
    found = (w.weight for w in words if _has_like(held, w.stem))
    return sum(found) / sum(w.weight for w in words) if words else 0.0


def _has_like(held: frozenset[str], stem: str) -> bool:
    return any(likeness(stem, other)[0] for other in held)


def _upheld(against: Opposition, found: Clash | None, pair: Pair) -> Opposition | None:
    """Return ``against``, unless a line that is laid next to the sentence tells more.

    That a short one denies a word which its source affirms tells nothing where rules could compare
    the two clause by clause and found nothing: "no charge is made", and "entry is free of charge".
    """
    if _agrees(pair):
        return None
    is_compared = found is None and is_short(pair.claim.text) and _is_aligned(pair)
    return None if against is Opposition.DENIES and is_compared else against


def _is_aligned(pair: Pair) -> bool:
    around = [context.text for context in pair.contexts]
    best = nearest_alignment(pair.claim.text, pair.rival_lines, around)
    return best is not None and best.share >= ALIGNED


def _agrees(pair: Pair) -> bool:
    """Return whether a line that is laid next to the sentence denies and affirms the same."""
    near = stems((*pair.rival_lines, *(context.text for context in pair.contexts)))
    aligned = [aligned_to_line(pair.claim.text, line, near) for line in pair.rival_lines]
    if any(comparison(each) == 1 for each in aligned):  # "no runner was faster": the fastest
        return True
    best = max(aligned, key=lambda each: (each.own, each.share), default=None)
    return best is not None and best.share >= ALIGNED and is_of_one_mind(best)


def _holds_part(pair: Pair, missing: Sequence[str]) -> bool:
    """Return whether one of several clauses is held whole."""
    clauses = list(filter(None, CLAUSE_END.split(pair.claim.text)))
    return len(clauses) > 1 and any(
        len(said := ground(clause.strip()).terms) >= PART_TERMS
        and containment(said, pair.near) >= PART
        and not any(part in clause for part in missing)
        for clause in clauses
    )


def _absent(missing: Sequence[str]) -> list[str]:
    return [ENGLISH_REASONS.not_in.format(missing=", ".join(missing))] if missing else []


def _misquoted(sentence: Sentence, cited: Mapping[str, Passage]) -> str:
    """Return in words what is wrong with the quotes of ``sentence``; empty when nothing."""
    if not cited:
        return ENGLISH_REASONS.uncited
    for quote in sentence.quotes:
        if quote.passage not in cited or not is_verbatim(quote, cited[quote.passage]):
            return ENGLISH_REASONS.misquoted
    quoted = {quote.passage for quote in sentence.quotes}
    return "" if quoted == set(cited) else ENGLISH_REASONS.unquoted


def _share(pair: Pair) -> float:
    """Return the mean of two shares of words: found in one place of each, and found anywhere."""
    if not any(place.lines for place in pair.places):
        return 0.0
    near, anywhere = (containment(pair.claim.terms, held) for held in (pair.near, pair.terms))
    return (near + anywhere) / 2
