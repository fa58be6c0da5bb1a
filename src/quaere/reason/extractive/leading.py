"""Which line leads an answer: a linear model over what is known of each line that may.

Where a reason is asked for, it is one that gives it, or says at least what it is a reason for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from math import exp, log
from typing import NamedTuple

from quaere.reason.extractive.chains import Chain
from quaere.reason.extractive.pool import Line
from quaere.reason.extractive.questions.kinds import Kind
from quaere.text.languages.language import is_english


class Signs(NamedTuple):
    """What speaks for or against a line as the first of an answer, each from 0 to 1.

    It is also the form of the weights by which these are summed.
    """

    worth: float
    """Its worth as a share of that of the best line."""
    focus: float
    """What it covers of the question, terms counting the more the nearer to what is asked for, as
    a share of what any line covers so."""
    own: float
    """What it covers of the question with its title, as a share of what any line covers so."""
    added: float
    """What the lines that lead to it add to that."""
    near: float
    """What its passage covers: a page that says much of the question is its first step."""
    before: float
    """What the sentence before it adds to what it covers: it speaks of "it" or "they"."""
    asked: float
    """What it covers of the plain words of the clause that asks."""
    held: float
    """How well it can hold the expected kind of answer in words that the question lacks."""
    anew: float
    """The same in words that no title on the way has either."""
    told: float
    """That and what it covers of what is asked, multiplied."""
    sought: float
    """Whether it names the class that is sought: "city" in "Which city ...?"."""
    title: float
    """Whether the question names its page."""
    rank: float
    """How early its passage is ranked: 1 for the first."""
    bench: float
    """Whether that is one of the first three."""
    opening: float
    """Whether it opens its passage."""
    meaning: float = 0.0
    """How near it is to the question in meaning, from 0 for the farthest of the lines that may lead
    to 1 for the nearest; 0 without an embedder."""


WEIGHTS = Signs(
    worth=3.04,
    focus=1.64,
    own=0.93,
    added=2.43,
    near=-1.18,
    before=0.0,
    asked=0.21,
    held=0.73,
    anew=0.73,
    told=0.87,
    sought=1.01,
    title=-0.8,
    rank=1.18,
    bench=1.21,
    opening=0.64,
    meaning=5.0,
)
"""Fitted by ``bench/fit_leading.py`` as a softmax over the lines of each question, on the first
half of HotpotQA, MuSiQue, 2WikiMultihopQA and BioASQ. Fitted on three of them they put a right
line first in .51, .25, .46 and .40 of the questions of the fourth. That of the meaning was chosen
next to them on half of 356 questions over manuals, reports, notes and tables, by bge-small-en: from
4 to 8 the right line is first as often."""

SENTENCE = Signs(
    worth=1.03,
    focus=1.16,
    own=0.61,
    added=-1.48,
    near=3.1,
    before=1.31,
    asked=0.43,
    held=0.73,
    anew=0.5,
    told=0.0,
    sought=0.85,
    title=0.61,
    rank=1.19,
    bench=-0.13,
    opening=0.3,
    meaning=5.0,
)
"""The weights by which a sentence is chosen within the likeliest passage. They were fitted by the
same command on questions of one step: 1,464 over 17 pages of Wikipedia (SQuAD 2.0), 400 over 49
papers (COVID-QA), the steps of MuSiQue and BioASQ. Then all were multiplied by .6, and `held`,
`anew` and `opening` were raised towards the weights above, as floors of the second half asked for.
That of the meaning is the one above, not measured here."""

FOR_FIGURES = SENTENCE._replace(anew=SENTENCE.anew + 1.2)
"""The same where a date or a number is asked for: a line that has all the words and no figure does
not answer."""

DESCRIBED = 0.3
"""What nearness in meaning counts where the question describes something by something named, as in
"the founder of Orbis": what is nearest repeats that, and is the first step to the answer. Chosen on
up to 60 questions a set of the first half, by bge-small-en. Leads that hold the answer, by words
alone, at the whole weight and at this share of it: HotpotQA .77, .73, .73; 2Wiki .86, .80, .84;
MuSiQue .36, .26, .35. On the second half: .60, .55, .58; .68, .64, .68; .25, .23, .27."""
BENCH = 3
"""Passages that count as ranked among the first."""


ASKED, UNASKED = 0.99, 0.5
"""What a line covers of the clause that asks, from which it says it, and below which it does not.
"""
FITS, MAY_FIT = 0.6, 0.5
"""How well a line has to hold the kind of answer to be read for one, and where it is known to be
about what is asked of."""


def tells(signs: Signs, first: Signs) -> bool:
    """Return whether a line says what is asked, with an answer to it, and the ``first`` does not.

    "It was founded by Ada Novak" answers who founded Orbis better than "Orbis is in Brno".
    """
    return first.asked < UNASKED and signs.asked >= ASKED and signs.anew >= FITS


def belief(signs: Signs, weights: Signs = WEIGHTS) -> float:
    """Return the log-odds, up to a constant, that a line of these ``signs`` leads."""
    return sum(weight * sign for weight, sign in zip(weights, signs, strict=True))


def shares(beliefs: Sequence[float]) -> list[float]:
    """Return the shares, which sum to 1, of what is believed by these log-odds."""
    odds = [exp(each) for each in beliefs]
    total = sum(odds)
    return [each / total for each in odds]


NEARLY, SAID = 0.5, 0.5
"""Share of the belief in the likeliest line, and of the question's weight, that a line needs to go
before it because it gives the reason that is asked for."""
OF_IT = 0.25
"""Share of it below which a reason in the likeliest line is one for something else."""
ALL = 0.97
"""Share of that weight from which a line says all of which the reason is asked: what comes after it
is likely to give that."""

Likely = Sequence[tuple[Chain, Signs]]
"""What may lead, the likeliest first."""


def has_cue(kind: Kind) -> bool:
    """Return whether a line that answers a question of ``kind`` has a word by which to tell it.

    So has one that gives a reason and, beyond English, one that says what something is.
    """
    return kind is Kind.REASON or (kind is Kind.DEFINITION and not is_english())


def reason_among(likely: Likely, stands: Callable[[Line], bool], kind: Kind) -> Chain | None:
    """Return what leads where a reason is asked for and the likeliest gives none; None for that.

    Where it is asked what something is, it is likewise what says that, the likeliest included.

    It gives a reason, is nearly as likely and says half of what is asked; else it says all of which
    the reason is asked; else it gives a reason and says more of what the clause asks.

    Args:
        likely: What may lead, the likeliest first.
        stands: Whether a line can stand as a sentence by itself.
        kind: What is asked for, of which lines have a cue.
    """
    first, signs = likely[0]
    if signs.held == 1.0 and first.own >= OF_IT:
        return None if kind is Kind.REASON else first
    giving = [chain for chain in _nearly(likely) if chain is not first]
    found = (
        *(chain for chain in giving if chain.own >= SAID),
        *_stating(likely, stands),
        *(chain for chain in giving if chain.asked > first.asked),
    )
    return next(iter(found), None)


def _nearly(likely: Likely) -> Iterator[Chain]:
    """Yield those that give a reason and are nearly as likely as the first."""
    least = belief(likely[0][1]) + log(NEARLY)
    for chain, signs in takewhile(lambda each: belief(each[1]) >= least, likely):
        if signs.held == 1.0:
            yield chain


def _stating(likely: Likely, stands: Callable[[Line], bool]) -> Iterator[Chain]:
    """Yield those that say all that is asked, where the first does not."""
    if likely[0][0].own < ALL:
        yield from (chain for chain, _ in likely if chain.own >= ALL and stands(chain.end))
