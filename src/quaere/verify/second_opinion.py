"""Sentences judged again: those in doubt by an embedder, all but quotes by a model that reads.

A model that reads is asked before anything happens to a sentence: it judges the words as written,
and what words alone came to holds only for what it does not judge.

A sentence and a line that say the same in other words have embeddings close to each other. That
is weighed together with the signals of the words, with weights of its own (``calibration.json``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from quaere.domain.report import WORDING_DIFFERS, CheckedBy, Ruling, Sentence, Support
from quaere.models.similarity import known_as
from quaere.ports.model import Entailed, ToldPairs
from quaere.text.inline import unmarked
from quaere.text.languages.phrases import ENGLISH_REASONS
from quaere.text.no_claim import may_tell_silence
from quaere.verify.accounted import unaccounted
from quaere.verify.calibration import EmbeddingSignal, Weights, calibration
from quaere.verify.repair import (
    Claim,
    Fate,
    Outcome,
    Pool,
    dropped,
    nearest_quote,
    no_claim,
    settled,
)
from quaere.verify.signals import Pair
from quaere.verify.support import FLOOR, Finding, check, compare, in_doubt

RULING_REASONS = {
    Support.PARTLY: ENGLISH_REASONS.in_part,
    Support.CONTRADICTED: ENGLISH_REASONS.otherwise,
    Support.NOT_JUDGED: ENGLISH_REASONS.not_found,
}
"""Why a sentence is not supported, where the rules found nothing."""
FOUND = ENGLISH_REASONS.found
"""Why a sentence is supported that a model was asked about; who it was is told apart."""


TextPair = tuple[str, str]
"""Two texts to compare."""


def open_claims(outcomes: Sequence[Outcome]) -> dict[int, Claim]:
    """Return what a model is to judge, by index of the outcome: all but what is quoted whole.

    How likely words make a claim does not settle it: "his elder brother" and "his younger brother"
    have all words but one in common.
    """
    return {index: outcome.claim for index, outcome in enumerate(outcomes) if outcome.claim}


def apply_rulings(
    outcomes: Sequence[Outcome],
    rulings: Mapping[int, Ruling],
    pool: Pool = MappingProxyType({}),
    asked: str = "",
) -> tuple[Outcome, ...]:
    """Return ``outcomes`` with ``rulings`` applied, by index.

    A ruling decides, with two exceptions. It does not put a figure or a date into a source that
    neither has it nor has what it may be reckoned from: that can be seen, and models overlook it.
    And where it finds no support, the sentence is
    taken out only if its words raise a plain objection, too, or if it cites nothing; else it is
    marked. Of what is ruled a part, the part that words can tell is kept. Rulings on what is quoted
    whole are ignored, so that a page which talks a model into a verdict reaches no quote.

    Args:
        outcomes: What checking made of the sentences, as ``verify_sentence`` returns it; they stay
            as they are where there is no ruling.
        rulings: SUPPORTED, PARTLY, CONTRADICTED or NOT_JUDGED; others are ignored.
        pool: What may be cited; a ruling may rest on what a sentence does not cite.
        asked: The question. Its figures, and those of the last sentence that holds, an answer may
            repeat and reckon with.
    """
    kept: list[Outcome] = []
    told = asked
    for index, outcome in enumerate(outcomes):
        claim, ruling = outcome.claim, rulings.get(index)
        if claim is None or ruling is None:
            kept.append(outcome)
        else:
            kept.append(_ruled(outcome, _as_read(claim, ruling, pool, told), ruling))
        shown = kept[-1].sentence
        if shown and shown.support.holds:
            told = f"{asked}\n{shown.text}"
    return tuple(kept)


def _as_read(claim: Claim, ruling: Ruling, pool: Pool, told: str) -> Claim:
    """Return ``claim`` with what else has been read by who ruled, where its figures want that.

    That is what was asked and told before, and the passage on which the ruling rests. A model names
    a passage easily, so that one counts only where it has every figure that is still missing.
    """
    if not _has_foreign_figure(claim) or not pool:
        return claim
    known = _with_told(claim, pool, told)
    number = ruling.evidence
    if not _has_foreign_figure(known) or number is None or number in claim.sentence.evidence:
        return known
    wider = _with_told(_citing(claim, number, pool), pool, told)
    return known if _has_foreign_figure(wider) else wider


def _citing(claim: Claim, number: int, pool: Pool) -> Claim:
    """Return ``claim`` with passage ``number`` cited, too, if ``pool`` has it."""
    if number not in pool:
        return claim
    own = claim.sentence
    wider = own.model_copy(
        update={
            "evidence": (*own.evidence, number),
            "quotes": (*own.quotes, nearest_quote(own.text, pool[number])),
        }
    )
    return Claim(sentence=wider, finding=check(wider, pool), cited=claim.cited)


def _with_told(claim: Claim, pool: Pool, told: str) -> Claim:
    """Return ``claim`` without the figures that were ``told`` before, or that come of those."""
    found = claim.finding
    pair = compare(unmarked(claim.sentence.text), [pool[n] for n in claim.sentence.evidence])
    left = unaccounted(
        found.unaccounted,
        pair.claim.text,
        [held.text for held in pair.held],
        [near.text for near in pair.near_grounds],
        told,
    )
    return claim.model_copy(update={"finding": found.model_copy(update={"unaccounted": left})})


def _ruled(outcome: Outcome, claim: Claim, ruling: Ruling) -> Outcome:
    if ruling.support in {Support.NOT_A_CLAIM, Support.QUOTED}:
        return outcome
    if _tells_silence(claim, ruling):
        return no_claim(claim.sentence)
    if ruling.support is Support.SUPPORTED:
        rests = not _has_foreign_figure(claim) and not _rests_on_nothing(claim, ruling)
        return _cleared(outcome, claim, ruling) if rests else outcome
    return _withheld(outcome, claim, ruling)


def _withheld(outcome: Outcome, claim: Claim, ruling: Ruling) -> Outcome:
    """Return ``outcome`` as a ``ruling`` leaves it that does not find all of it supported."""
    found = claim.finding.note.removesuffix(WORDING_DIFFERS).rstrip("; ")
    reason = found or RULING_REASONS[ruling.support]
    if ruling.support is Support.CONTRADICTED or (
        ruling.support is Support.NOT_JUDGED and _has_plain_objection(claim)
    ):
        return dropped(claim.sentence, claim.finding, claim, ruling, reason)
    if ruling.support is Support.PARTLY and _is_shortened(outcome, claim):
        return outcome
    shown = _shown(claim, ruling, reason)
    return outcome.model_copy(
        update={"sentence": shown, "fate": Fate.MARKED, "objection": reason, "dropped": None}
    )


def _tells_silence(claim: Claim, ruling: Ruling) -> bool:
    """Return whether a model finds that no passage says what a claim says is not said.

    It cites nothing, and what words alone bring near to it would look as if it said so.
    """
    held = ruling.support is Support.SUPPORTED and not ruling.evidence
    plain = not claim.cited and not _has_foreign_figure(claim)
    return held and plain and may_tell_silence(claim.sentence.text)


def _rests_on_nothing(claim: Claim, ruling: Ruling) -> bool:
    """Return whether neither writer nor model names a source, and words find none."""
    return not (claim.cited or ruling.evidence or claim.finding.share)


def _has_foreign_figure(claim: Claim) -> bool:
    """Return whether a figure of ``claim`` neither is in its sources nor comes of what is there."""
    return bool(claim.finding.unaccounted)


def _shown(claim: Claim, ruling: Ruling, reason: str) -> Sentence:
    """Return the sentence of ``claim`` as the ``ruling`` leaves it.

    What the ruling names is cited first; alone, where the writer cited nothing. Of what the writer
    cites and what words alone would cite it is that which holds what decides, or the writer's.
    """
    said = _decided_by(claim, ruling.evidence)
    evidence, quotes = said.evidence, said.quotes
    first = ruling.evidence if ruling.evidence in evidence else evidence[0]
    others = [number for number in evidence if number != first]
    if not claim.cited:  # its quotes are one for each piece of evidence, in the same order
        place = evidence.index(first)
        quotes, others = quotes[place : place + 1], []
    return said.model_copy(
        update={
            "evidence": (first, *others) if ruling.evidence or not claim.cited else evidence,
            "quotes": quotes,
            "support": ruling.support,
            "by": ruling.by,
            "reason": reason,
            "probability": ruling.probability,
        }
    )


def _decided_by(claim: Claim, number: int | None) -> Sentence:
    """Return the one of the forms of ``claim`` that cites ``number``, else as its writer has it."""
    forms = claim.forms or (claim.sentence,)
    return next((each for each in forms if number in each.evidence), forms[0])


def _has_plain_objection(claim: Claim) -> bool:
    """Return whether something is found against a claim besides that it is not likely.

    Words of two languages have nothing in common whatever they say.
    """
    found = claim.finding
    is_far = found.probability is not None and found.share < FLOOR
    return bool(found.missing) or found.opposed or is_far or not claim.cited


def _is_shortened(outcome: Outcome, claim: Claim) -> bool:
    shown = outcome.sentence
    return shown is not None and shown.text != claim.sentence.text


def _cleared(outcome: Outcome, claim: Claim, ruling: Ruling) -> Outcome:
    shown = _shown(claim, ruling, FOUND)
    restored = (
        _is_shortened(outcome, claim) or _decided_by(claim, ruling.evidence) in claim.forms[:1]
    )
    corrected = outcome.fate is Fate.REPAIRED and not restored
    fate = Fate.REPAIRED if corrected or not claim.cited else Fate.SUPPORTED
    return outcome.model_copy(update={"sentence": shown, "fate": fate, "dropped": None})


SAYS_SO, SAYS_NOT = 0.7, 0.3
"""Likelihoods from which, and up to which, an entailment model decides."""
OPPOSED = 0.8
"""Likelihood of a contradiction from which it is called one."""


def premises(claim: Claim, pool: Pool) -> list[TextPair]:
    """Return the place of each passage that comes nearest to ``claim``, and all together."""
    passages = [pool[number] for number in claim.sentence.evidence]
    pair = compare(claim.sentence.text, passages)
    texts = [
        source.text[place.start : place.end] or source.text
        for source, place in zip(pair.sources, pair.places, strict=True)
    ]
    together = ["\n".join(texts)] if len(texts) > 1 else []
    said = unmarked(claim.sentence.text)
    return [(text, said) for text in (*texts, *together)]


def entailment_ruling(told: Sequence[Entailed | None]) -> Ruling | None:
    """Return what an entailment model's word on the `premises` of a claim comes to.

    None where it leaves it open. A claim that one passage passes over is not refuted by that, nor
    by a passage of which the model could not tell.
    """
    known = [each for each in told if each]
    entailed = max((each.entailed for each in known), default=0.0)
    opposed = max((each.contradicted or 0.0 for each in known), default=0.0)
    support = _decided(entailed, opposed, knows_all=len(known) == len(told))
    if support is None:
        return None
    likely = None if any(each.in_a_word for each in known) else entailed
    return Ruling(support=support, by=CheckedBy.ENTAILMENT, probability=likely)


def _decided(entailed: float, opposed: float, *, knows_all: bool) -> Support | None:
    """Return what two likelihoods decide; None where they leave it open."""
    if entailed >= SAYS_SO:
        return Support.SUPPORTED
    if knows_all and opposed >= OPPOSED:
        return Support.CONTRADICTED
    return Support.NOT_JUDGED if knows_all and entailed <= SAYS_NOT else None


def entailment_rulings(
    asked: Mapping[int, Sequence[TextPair]], told: ToldPairs
) -> tuple[dict[int, Ruling], str]:
    """Return the rulings that ``told`` comes to, by the index of the claim in ``asked``.

    With them comes of how many claims the model did not tell and why; empty where it told of all.
    """
    each = iter(told.each)
    answers = {index: [*islice(each, len(texts))] for index, texts in asked.items()}
    ruled = {index: entailment_ruling(said) for index, said in answers.items()}
    rulings = {index: ruling for index, ruling in ruled.items() if ruling}
    untold = sum(None in said and index not in rulings for index, said in answers.items())
    judged = f"did not judge {untold} of {len(asked)} sentences" if rulings else "judged nothing"
    return rulings, f"{judged}: {told.fault.removesuffix('.')}" if untold else ""


MOST_LINES = 25
"""Lines of its sources that a sentence is compared with."""
DAMPING = 5
"""Words added to the length of a line, so that a heading with one word of the sentence does not
come first."""


def weights_for(embedder: str) -> Weights | None:
    """Return the weights for the embedder called ``embedder``; None when it was not measured."""
    return calibration().with_embedder.get(known_as(embedder))


def candidate_lines(pair: Pair) -> list[TextPair]:
    """Return the sentence of ``pair`` with each line of its sources that is most likely to say it.

    Those are the lines that share most of their words with the sentence, the first one first.
    """
    rated = [
        (
            len(pair.claim.terms & line.terms) / (len(line.terms) + DAMPING),
            source.text[line.span.start : line.span.end],
        )
        for source in pair.sources
        for line in source.lines
    ]
    rated.sort(key=lambda one: -one[0])
    return [(pair.claim.text, line) for _, line in rated[:MOST_LINES]]


def needs_embedder(finding: Finding) -> bool:
    """Return whether an embedder may tell more than the words did.

    Words of two languages are not compared, for most embedders know one language; nor is what
    contradicts its source, which an embedder takes for nearly the same.
    """
    contradicted = finding.support is Support.CONTRADICTED
    return in_doubt(finding) and finding.probability is not None and not contradicted


def embedder_pairs(outcomes: Sequence[Outcome], pool: Pool) -> dict[int, list[TextPair]]:
    """Return what to ask an embedder, by index of the outcome that is in doubt."""
    asked: dict[int, list[TextPair]] = {}
    for index, outcome in enumerate(outcomes):
        if outcome.sentence and outcome.finding and needs_embedder(outcome.finding):
            cited = [pool[number] for number in outcome.sentence.evidence]
            if texts := candidate_lines(compare(outcome.sentence.text, cited)):
                asked[index] = texts
    return asked


def reweigh(
    outcomes: Sequence[Outcome], pool: Pool, cosines: Mapping[int, float], weights: Weights
) -> tuple[Outcome, ...]:
    """Return ``outcomes`` with those in doubt weighed again.

    Args:
        outcomes: What checking made of the sentences.
        pool: What they may cite.
        cosines: How near the nearest of the lines in `embedder_pairs` came, by index.
        weights: Those of the embedder.
    """
    return tuple(
        _reweighed(outcome, pool, EmbeddingSignal(weights=weights, nearest_line=cosines[index]))
        if index in cosines
        else outcome
        for index, outcome in enumerate(outcomes)
    )


def _reweighed(outcome: Outcome, pool: Pool, meaning: EmbeddingSignal) -> Outcome:
    if outcome.sentence is None:
        return outcome
    finding = check(outcome.sentence, pool, meaning)
    fate = Fate.MARKED
    if finding.support.holds:
        fate = Fate.SUPPORTED if outcome.fate is Fate.MARKED else outcome.fate
    again = settled(outcome.sentence, finding, fate, outcome.objection or finding.note)
    claim = outcome.claim
    if claim and not _is_shortened(outcome, claim):
        weighed = claim.finding.model_copy(update={"probability": finding.probability})
        claim = claim.model_copy(update={"finding": weighed})
    return again.model_copy(update={"claim": claim})
