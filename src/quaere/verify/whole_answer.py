"""Keeps an answer whole once each sentence is judged: what it depends on, and how much it may cite.

An answer often begins with the conclusion of the sentences that follow. And what is left of one
reads on as if nothing were missing: after a sentence on the castle is gone, "It also has a moat" is
said of the mill before it. Where an answer may cite so many passages, a sentence is whole or is
left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from quaere.domain.report import BEYOND_LIMIT, CheckedBy, Opens, Sentence, Support
from quaere.text.inline import unmarked
from quaere.text.languages.phrases import ENGLISH_REASONS
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.tokens import terms
from quaere.verify.repair import Fate, Outcome, Pool, dropped, holds, settled, verify_sentence
from quaere.verify.support import FLOOR, Finding, check

FOLLOWING = 3
"""Sentences after the first whose evidence it may rest on."""

UNFOUNDED = ENGLISH_REASONS.unfounded


def resting_on(
    first: Sentence, following: Sequence[Sentence], outcomes: Sequence[Outcome]
) -> Sentence:
    """Return ``first``, with which an answer begins; if it cites nothing, it cites what follows do.

    Answers often begin with their result ("No, they are in different provinces.") and give the
    grounds afterwards. Checking then decides whether the grounds support it.

    Args:
        first: As written.
        following: The sentences after it, as written.
        outcomes: What checking made of these. Of one that holds, what it was found to rest on
            counts: that may be another passage than its writer cited.
    """
    if first.evidence:
        return first
    pairs = zip(following[:FOLLOWING], outcomes, strict=False)
    grounds = (o.sentence if o.sentence and o.sentence.support.holds else s for s, o in pairs)
    cited = dict.fromkeys(n for sentence in grounds for n in sentence.evidence)
    return first.model_copy(update={"evidence": tuple(cited)})


def keep_opening(
    written: Sequence[Sentence], outcomes: Sequence[Outcome], pool: Pool
) -> tuple[Outcome, ...]:
    """Return ``outcomes``; the first stays, marked, where it was dropped for want of words.

    "No." has no words that a source could hold, and the answer is lost without it. What a source
    contradicts stays dropped, and so does a conclusion whose grounds all failed.

    Args:
        written: The sentences as the writer gave them.
        outcomes: What checking made of them, in order, after `resting_on`.
        pool: As for checking.
    """
    if not outcomes or written[0].evidence or not _says_too_little(outcomes[0]):
        return tuple(outcomes)
    first, *rest = outcomes
    grounded = any(o.sentence and o.sentence.support.holds for o in rest)
    found = check(resting_on(written[0], written[1:], rest), pool)
    if found.support is Support.CONTRADICTED:
        return tuple(outcomes)
    if not grounded:
        return (dropped(written[0], found, first.claim), *rest)
    kept = written[0].model_copy(
        update={"support": Support.NOT_JUDGED, "by": CheckedBy.WORDS, "reason": UNFOUNDED}
    )
    return (
        first.model_copy(update={"sentence": kept, "fate": Fate.MARKED, "dropped": None}),
        *rest,
    )


def _says_too_little(outcome: Outcome) -> bool:
    """Return whether a sentence has too few words in common with its grounds to be judged."""
    if outcome.sentence is None:
        return True
    finding = outcome.finding
    return outcome.fate is Fate.MARKED and finding is not None and finding.share < FLOOR


LOST: Final = ENGLISH_REASONS.lost
"""Why such a sentence is marked."""

_JOINING = (
    r"(?:and|but|also|however|moreover|furthermore|besides|additionally|then|therefore|thus|so|yet"
    r"|still|instead|in addition|for (?:this|that) reason|as a result),?\s+"
)
_SUBJECT = lazy_regex(rf"(?i)\W*(?:{_JOINING})*(?P<pronoun>it|he|she|they)\b")
_LEANS = lazy_regex(
    rf"(?i)\W*(?:{_JOINING})*(?:it|its|he|his|she|her|they|their|them|this|these|those|both|such"
    r"|the (?:former|latter|same|two|other)|er|sie|es|dies(?:e[rsmn]?)?)\b"
)
# "It is not known why": the pronoun stands for nothing.
_NOTHING = lazy_regex(
    r"(?i)\W*(?:it|es) (?:is|was|remains|seems|appears|ist|war|bleibt|scheint)\s+(?:not |nicht )?"
    r"(?:\w+ly )?(?:known|clear|unclear|said|possible|impossible|likely|unlikely|true|unknown"
    r"|uncertain|that|to|bekannt|unklar)\b"
)
_COLON = lazy_regex(r"[:：](?P<bold>\**)$")
_ARTICLE = lazy_regex(r"(?i)\W*(?:(?:the|der|die|das)\s+)?")
"""What may precede a name that is the subject; in "In Orrin Castle, ..." it is another."""


def repair_leaning(outcomes: Sequence[Outcome], pool: Pool) -> tuple[Outcome, ...]:
    """Return ``outcomes`` with the sentences that lean on one that was left out repaired or marked.

    Repaired is one whose "it" can be replaced by the name with which the lost sentence begins, if
    its source still says so; else it is marked. One that can as well lean on a sentence which is
    shown and names the same stays as it is, and so does one whose source says it of what the
    sentences before the lost one are about.
    """
    kept: list[Outcome] = []
    lost: Sentence | None = None
    shown = topic = ""
    for outcome in outcomes:
        sentence = outcome.sentence
        if sentence is None:
            lost = _newly_lost(outcome.dropped, lost, shown)
            kept.append(outcome)
            continue
        is_leaning = leans(sentence.text)
        misses = is_leaning and outcome.fate is not Fate.NO_CLAIM
        if lost and misses and not _is_said_of(topic, sentence, lost):
            kept.append(_repaired(outcome, sentence, lost, pool))
        else:
            kept.append(outcome)
            lost = lost if outcome.fate is Fate.NO_CLAIM else None
        shown = sentence.text
        topic = topic if is_leaning else _topic(shown)
    return tuple(kept)


def _topic(text: str) -> str:
    """Return the stem of the first word of ``text`` that says something; empty without one."""
    return next(iter(terms(unmarked(text))), "")


def _is_said_of(topic: str, sentence: Sentence, lost: Sentence) -> bool:
    """Return whether what ``sentence`` rests on speaks of ``topic``, and not of the ``lost`` one's.

    "They may also close issues" goes on about the members, whatever was left out in between, where
    its source says that members may close them.
    """
    held = frozenset(stem for quote in sentence.quotes for stem in terms(quote.text))
    other = _topic(lost.text)
    return topic in held and (other == topic or other not in held)


def repair_lead_ins(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Return ``outcomes`` without what leads in a list, a table or code that was left out whole.

    A claim that does so ends with a full stop in place of its colon.
    """
    return tuple(
        _ended(outcome) if _leads_in_nothing(outcome, outcomes[place + 1 :]) else outcome
        for place, outcome in enumerate(outcomes)
    )


def _leads_in_nothing(outcome: Outcome, rest: Sequence[Outcome]) -> bool:
    if outcome.sentence is None or not _COLON.search(outcome.sentence.text):
        return False
    if not _is_led_in(rest[0].dropped if rest else None):
        return False
    return not _is_led_in(next((each.sentence for each in rest if each.sentence), None))


def _is_led_in(sentence: Sentence | None) -> bool:
    return sentence is not None and sentence.opens not in {None, Opens.PARAGRAPH}


def _ended(outcome: Outcome) -> Outcome:
    if outcome.fate is Fate.NO_CLAIM or outcome.sentence is None:
        return Outcome(sentence=None, fate=outcome.fate)
    text = _COLON.sub(lambda match: f"{match['bold']}.", outcome.sentence.text)
    return outcome.model_copy(
        update={"sentence": outcome.sentence.model_copy(update={"text": text})}
    )


def _newly_lost(dropped: Sentence | None, lost: Sentence | None, shown: str) -> Sentence | None:
    """Return the sentence that the next one misses, if any, after ``dropped`` is left out."""
    if dropped is None or leans(dropped.text):  # it says more of what the one before it is about
        return lost
    if dropped.opens and dropped.opens.is_whole:  # nobody refers to code or a row as "it"
        return lost
    subject = _subject(dropped.text)
    return None if subject and subject in unmarked(shown) else dropped


def leans(text: str) -> bool:
    """Return whether ``text`` begins with a word for what the sentence before it is about."""
    text = unmarked(text)
    return _LEANS.match(text) is not None and _NOTHING.match(text) is None


def _subject(text: str) -> str:
    """Return the name with which ``text`` begins; empty where there is none."""
    text = unmarked(text)
    first = next(iter(names(text)), None)
    return text[: first.end] if first and _ARTICLE.fullmatch(text[: first.start]) else ""


def _repaired(outcome: Outcome, sentence: Sentence, lost: Sentence, pool: Pool) -> Outcome:
    subject, pronoun = _subject(lost.text), _SUBJECT.match(sentence.text)
    if subject and pronoun:
        start, end = pronoun.span("pronoun")
        text = f"{sentence.text[:start]}{subject}{sentence.text[end:]}"
        again = verify_sentence(sentence.model_copy(update={"text": text}), pool)
        if holds(again):
            return again.model_copy(update={"fate": Fate.REPAIRED, "objection": LOST})
    doubt = {"support": Support.NOT_JUDGED, "by": CheckedBy.WORDS, "reason": LOST}
    if not sentence.support.holds:
        return outcome
    return outcome.model_copy(
        update={
            "sentence": sentence.model_copy(update=doubt),
            "fate": Fate.MARKED,
            "objection": LOST,
        }
    )


def within_citations(
    outcomes: Sequence[Outcome],
    most: int,
    pool: Pool,
    *,
    told: Iterable[Outcome] = (),
    concludes: bool = False,
) -> tuple[Outcome, ...]:
    """Return ``outcomes`` without the sentences whose citations do not all fit.

    What a sentence rests on stands or falls as a whole: a sum of which a row is not cited would
    be judged, and read, as if it were wrong. One that its words show to hold by those that do fit
    cites them alone. Only what is shown uses room: no sentence that was taken out does.

    Args:
        outcomes: What checking made of sentences, in the order of the answer.
        most: Different passages that the answer may cite.
        pool: What may be cited.
        told: The outcomes before these, which stand.
        concludes: Whether the first cites nothing of its own, but what the others cite, of which it
            keeps what it can.
    """
    cited = {number for each in told if each.sentence for number in each.sentence.evidence}
    kept: list[Outcome] = []
    for place, outcome in enumerate(outcomes):
        fitting = _fitting(outcome, cited, most, pool, keeps=concludes and place == 0)
        if fitting.sentence:
            cited.update(fitting.sentence.evidence)
        kept.append(fitting)
    return tuple(kept)


def _fitting(outcome: Outcome, cited: set[int], most: int, pool: Pool, *, keeps: bool) -> Outcome:
    """Return ``outcome`` as it stands where ``cited`` is cited before it."""
    sentence = outcome.sentence
    if sentence is None or len(cited.union(sentence.evidence)) <= most:
        return outcome
    narrow = _narrowed(sentence, cited, most, pool)
    if keeps:
        return outcome.model_copy(update={"sentence": narrow})
    may_hold = sentence.support.holds and narrow.quotes  # words do not overrule who found it wrong
    if may_hold and (finding := check(narrow, pool)).support.holds:
        return settled(narrow, finding, Fate.REPAIRED, BEYOND_LIMIT)
    return dropped(sentence, Finding(support=Support.NOT_JUDGED, note=BEYOND_LIMIT), None)


def _narrowed(sentence: Sentence, cited: set[int], most: int, pool: Pool) -> Sentence:
    """Return ``sentence`` on those of its citations that fit, in its order."""
    numbers = set(cited)
    fitting: list[int] = []
    for number in sentence.evidence:
        if number in numbers or len(numbers) < most:
            numbers.add(number)
            fitting.append(number)
    return citing(fitting, sentence, pool)


def citing(numbers: Sequence[int], sentence: Sentence, pool: Pool) -> Sentence:
    """Return ``sentence`` with ``numbers`` as its only citations, and the quotes out of these.

    Args:
        numbers: Ids of evidence that it cites already.
        sentence: A sentence with more citations.
        pool: What may be cited.
    """
    held = {pool[number].id for number in numbers}
    quotes = tuple(quote for quote in sentence.quotes if quote.passage in held)
    return sentence.model_copy(update={"evidence": tuple(numbers), "quotes": quotes})
