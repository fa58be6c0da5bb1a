"""Tells which way reports of findings lean, where no sentence says yes or no outright.

"Does the drug shorten the illness?" is seldom answered in one sentence by those who studied it:
they say what they set out to learn, what they did, and what differed or did not. The more of what
they found is denied, the likelier the answer is no. English alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.denials import WITHOUT_EFFECT, is_negative, poses
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.facts import negation
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex

PROBABLY, SURELY = 0.65, 0.75
"""Belief from which a leaning is told, and from which the question counts as answered. Of those two
ranges .73 and .86 are right on the first halves, each judged without its tenth; on the second .73
of 63 and .82 of 50. From .55 to .65 it is .54 and .46 of 59: no better than a coin."""
BEARS = 0.45
"""Share of the question's weight that a page has to hold to be read for what it found."""
AS_MUCH, PAGES = 0.8, 4
"""The pages that are read: those that hold this share of what the best of them holds, at most so
many."""
PROOF = 2
"""Lines that are shown for a leaning, at most."""
UNTOLD = 0.1
"""What a line counts that has no word of the question, against 1 for one that says all of it."""
REPORTS, MARKS = 3, 0.02
"""Kinds of marks that a report of findings has, of the four, and marks for each of its words: 213
of 226 abstracts do, and two of 49 pages that were found for questions of general knowledge."""

_STUDIED = lazy_regex(
    r"(?i)\b(?:patients?|participants?|volunteers|cohorts?|mice|rats|specimens|respondents|controls"
    r"|trials?|stud(?:y|ies)|surveys?|meta-analys[ei]s|reviews?)\b"
)
_REPORTED = lazy_regex(
    r"(?i)\b(?:results?|findings?|conclu(?:ded?|sions?)|investigated|assessed|evaluat(?:ed|ion)"
    r"|compared|analy[sz](?:ed|is|es)|observed|measured|demonstrated?|show(?:ed|n)|reported"
    r"|suggests?|evidence)\b"
)
_MEASURED = lazy_regex(
    r"(?i)\bsignificant(?:ly)?\b|\bp ?[<=>≤]|\b95 ?% ?ci\b|\b(?:confidence interval|odds ratio"
    r"|hazard ratio|relative risk|mean|median|incidence|prevalence|correlat\w+|statistical\w*)\b"
    r"|±|\bn ?= ?\d|\d ?%"
)
_SUBJECT = lazy_regex(
    r"(?i)\b(?:associat(?:ed|ions?)|effects?|risks?|treat(?:ment|ed)|therap(?:y|ies)|diseases?"
    r"|syndrome|induc\w+|inhibit\w*|express\w+|roles?|caus\w+|clinical\w*|symptoms?|mortality"
    r"|survival|efficacy|safety|doses?|diagnos\w+)\b"
)
_FILED = lazy_regex(
    r"(?i)\b(?:stockholders?|shareholders?|dividends?|fiscal|net (?:income|sales)|revenues?|10-[KQ]"
    r"|in (?:thousands|millions)|december 31)\b"
)
"""Marks of a company's report, which has "results", "effects" and per cent as studies have."""
_MARKS = (_STUDIED, _REPORTED, _MEASURED, _SUBJECT)
_EFFECT = lazy_regex(
    r"(?i)\b(?:associat|correlat|predict|increas|decreas|reduc|improv|induc|inhibit|enhanc"
    r"|contribut|benefi|influenc|affect|caus|impact|effective|successful|useful|reliabl|accura"
    r"|superior|differ)\w*|\b(?:higher|lower|greater|better|worse|more likely|less likely"
    r"|risk factors?|safe|feasible|approved|recommended|preferred)\b"
)
_SIGNIFICANT = lazy_regex(r"(?i)\bsignificant(?:ly)?\b|\bp ?(?:<|≤|&lt;|= ?0?\.0[0-4])")
_EXACTING = lazy_regex(r"(?i)\b(?:necess|need|requir|routine|always|all|only|still|should)\w*")


_ASKS_FOR_NONE = lazy_regex(
    r"(?i)\b(?:same|equal(?:ly)?|similar(?:ly)?|equivalent|comparable|alike|unchanged)\b"
)
_CLAUSES = lazy_regex(r"[,;:]\s+|\s(?:but|whereas|while|although|though)\s")


class Signs(NamedTuple):
    """What supports a yes or a no, each from 0 to 1; it is also the form of their weights.

    All but the last are shares of the lines that may tell of findings, each line counting the more
    the more it says of the question.
    """

    denied: float
    """Lines that deny something."""
    without: float
    """Lines that deny an effect or a difference."""
    significant: float
    """Lines that call something significant, and do not deny that it is."""
    exacting: float
    """Whether the question asks if something is needed, or is always or only so."""


WEIGHTS, BASE = Signs(denied=-1.9, without=-3.3, significant=2.5, exacting=-1.2), 0.92
"""Fitted by ``bench/fit_leaning.py`` as a logistic for yes, on the first half of BioASQ and
PubMedQA: 221 questions, .64 of them answered with yes. Fitted without the tenth that they judge
they are right in .69."""


class Leaning(NamedTuple):
    """Which way the sources lean, and the lines that carry it most."""

    says: bool
    belief: float
    """How likely that is right, from `PROBABLY` to 1."""
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """It in words, which begin with yes or no."""
        return "Yes, probably" if self.says else "No, probably not"


def lean(question: str, pool: Pool) -> Leaning | None:
    """Return which way ``pool`` leans on ``question``, which asks for yes or no.

    None where its pages do not report findings or do not bear on the question, where what they
    say goes both ways, and where the question asks what a found difference would deny.
    """
    if is_negative(question) or _ASKS_FOR_NONE.search(question):
        return None
    goal = Goal(question, pool)
    told = findings(question, goal, pool)
    if not told:
        return None
    signs = signs_of(question, goal, told)
    yes = 1.0 / (1.0 + exp(-BASE - sum(w * s for w, s in zip(WEIGHTS, signs, strict=True))))
    says, belief = yes >= 0.5, max(yes, 1.0 - yes)
    return Leaning(says, belief, _proof(told, goal, says=says)) if belief >= PROBABLY else None


def reports_findings(question: str, pool: Pool) -> bool:
    """Return whether the pages of ``pool`` that bear most on ``question`` report findings."""
    return bool(findings(question, Goal(question, pool), pool))


def findings(question: str, goal: Goal, pool: Pool) -> tuple[Line, ...]:
    """Return the lines that may tell of findings, of the pages that bear most on ``question``.

    What the authors set out to learn is left out, as it tells nothing. No lines where the pages
    do not report findings, or it is another language than English.
    """
    lines = _bearing(goal, pool) if is_english() else []
    if not _reports(lines):
        return ()
    return tuple(
        line for line in lines if not line.text.endswith("?") and not poses(line.text, question)
    )


def _bearing(goal: Goal, pool: Pool) -> list[Line]:
    """Return the lines of the pages that bear most on ``goal``, if one bears on it; no headings."""
    pages = _pages(goal, pool)
    best = max((share for share, _ in pages), default=0.0)
    least = max(BEARS, AS_MUCH * best)
    near = [lines for share, lines in pages if share >= least][:PAGES]
    return [line for page in near for line in page if not line.heading]


def _pages(goal: Goal, pool: Pool) -> list[tuple[float, list[Line]]]:
    """Return the lines of each page with the share of ``goal`` that they hold, the best first."""
    pages = dict[str, list[Line]]()
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        pages.setdefault(passage.url, []).extend(lines)
    found = list[tuple[float, list[Line]]]()
    for lines in pages.values():
        held = frozenset[str]().union(*(line.terms for line in lines))
        found.append((goal.share_in(held), lines))
    return sorted(found, key=lambda page: page[0], reverse=True)


def _reports(lines: Sequence[Line]) -> bool:
    """Whether ``lines`` are worded as those are that report what was studied and found."""
    text = " ".join(line.text for line in lines)
    filed, *counts = (sum(1 for _ in marks.finditer(text)) for marks in (_FILED, *_MARKS))
    kinds = sum(map(bool, counts))
    return filed <= counts[0] and kinds >= REPORTS and sum(counts) >= MARKS * len(text.split())


def signs_of(question: str, goal: Goal, told: Sequence[Line]) -> Signs:
    """Return the signs of the lines ``told``, one at least, that may tell of findings."""
    weights = [UNTOLD + goal.share_in(line.terms) for line in told]

    def share(is_so: Callable[[Line], bool]) -> float:
        return sum(w for w, line in zip(weights, told, strict=True) if is_so(line)) / sum(weights)

    return Signs(
        denied=share(lambda line: negation(line.text).denies),
        without=share(_is_without_effect),
        significant=share(_is_significant),
        exacting=float(_EXACTING.search(question) is not None),
    )


def _is_without_effect(line: Line) -> bool:
    if WITHOUT_EFFECT.search(line.text):
        return True
    clauses = _CLAUSES.split(line.text)
    return any(_EFFECT.search(clause) and negation(clause).denies for clause in clauses)


def _is_significant(line: Line) -> bool:
    clauses = _CLAUSES.split(line.text)
    return any(_SIGNIFICANT.search(clause) and not negation(clause).denies for clause in clauses)


def _proof(told: Sequence[Line], goal: Goal, *, says: bool) -> tuple[Line, ...]:
    """Return the lines of ``told`` that say most of ``goal`` and point the way that is said."""

    def points(line: Line) -> bool:
        denies = negation(line.text).denies
        tells = _EFFECT.search(line.text) or _SIGNIFICANT.search(line.text)
        return tells is not None and not denies if says else denies

    once = {line.text: line for line in reversed(told)}.values()
    by_share = sorted(once, key=lambda line: -goal.share_in(line.terms))
    pointing = [line for line in by_share if points(line)]
    return tuple((pointing or by_share)[:PROOF])
