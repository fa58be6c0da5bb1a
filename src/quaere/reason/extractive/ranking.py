"""Which sentences of the sources answer a question, the most direct one first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from quaere.domain.question import Item
from quaere.models.similarity import spread
from quaere.reason.extractive.answer_fit import (
    answer_fit,
    asks_means,
    instructs,
    lacks_since,
    lacks_where,
    tells_day,
    tells_how,
    tells_means,
    tells_where,
)
from quaere.reason.extractive.asked_of import AskedOf
from quaere.reason.extractive.bearing import (
    annals_aside,
    answers,
    is_of_namesake,
    others_aside,
)
from quaere.reason.extractive.chains import Chain, Goal, Search, highest
from quaere.reason.extractive.checklist import item_kind
from quaere.reason.extractive.conditions import tells_when, told_if
from quaere.reason.extractive.contrary import is_of_those_without, lacks_turn
from quaere.reason.extractive.dated_headings import is_outdated
from quaere.reason.extractive.dimensions import lacks_dimension
from quaere.reason.extractive.following import follow
from quaere.reason.extractive.identifiers import having_identifiers
from quaere.reason.extractive.leading import (
    BENCH,
    DESCRIBED,
    FITS,
    FOR_FIGURES,
    MAY_FIT,
    SENTENCE,
    UNASKED,
    Signs,
    belief,
    has_cue,
    reason_among,
    shares,
    tells,
)
from quaere.reason.extractive.limits import lacks_by
from quaere.reason.extractive.measures import lacks_measure
from quaere.reason.extractive.other_things import is_of_another_thing
from quaere.reason.extractive.outcomes import lacks_outcome
from quaere.reason.extractive.plain_answers import asked_form, lacks_form, lacks_price, tells_free
from quaere.reason.extractive.pool import Line, Pool, spaced, title_subject
from quaere.reason.extractive.quality import is_prose, is_prose_or_beside, may_lead, quality
from quaere.reason.extractive.questions.kinds import (
    Kind,
    expected_kind,
    last_question,
    sought_classes,
)
from quaere.reason.extractive.questions.parts import descriptions
from quaere.reason.extractive.room import lacks_room
from quaere.reason.extractive.spans import without_supposition
from quaere.reason.extractive.things_counted import counts_other, measures_only
from quaere.reason.extractive.worth import bearing_of, fitting_of, plain_openings
from quaere.text.dates import months_of
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

MAY_LEAD = 60
"""Lines, the best ones, of which one may lead an answer."""
ANNALS = 0.5
"""Worth of a line in a local file of changes, of rights or of thanks, to that of one elsewhere."""
SERVES = 0.6
"""Share of a checklist item that a sentence must cover to answer it."""

WHOLE = 0.97
"""Share of the question's weight, of the line and its title, from which a line says all of it."""
MOSTLY = 0.75
"""Share of it from which the likeliest line keeps the lead from one that says all. With the two, of
200 questions of one step over 18 pages seven more are right first, of 60 steps of the first half
four, and of 219 questions of several steps none changes."""
SAID_OF_MEANS = 0.4
"""Share of the question's weight that a line needs to lead because it tells by itself by what
something is done."""
SAID_OF_MONTH = 0.5
"""The same to lead because it has the month that is asked for."""
FIGURES = frozenset({Kind.DATE, Kind.NUMBER})
"""Kinds of which a line either has one that the question does not, or does not answer."""
_WHO_DOES = lazy_regex(r"(?i)\W*who\s+(?P<deed>[a-z]+)\b")
_SOMEWHERE = lazy_regex(r"\b(?:at|in|on|inside) (?:the|our|your) (?P<place>[a-z]+)\b")
_OF_PERSONS = frozenset({Kind.DATE, Kind.NUMBER, Kind.PLACE})
"""Kinds of what is reported about somebody: a birthday, an age, a birthplace."""
_FACTS = frozenset({Kind.PERSON, Kind.PLACE, Kind.ORGANIZATION, Kind.NAME, Kind.DATE, Kind.NUMBER})
"""Kinds of which a line either holds an answer or does not."""


_LACKS = lacks_where, lacks_measure, lacks_since, lacks_room, lacks_outcome, lacks_by, measures_only


class Leading(NamedTuple):
    """A line that may lead an answer."""

    rated: Rated
    share: float
    """Of the belief that one line has to lead: those of all lines sum to 1."""
    by_words: float
    """The same without what an embedder tells, by which confidence is calibrated."""


class Rated(NamedTuple):
    """A line and how directly it answers."""

    worth: float
    """Higher is better."""
    bearing: float
    """The part of it that comes from words shared with the question."""
    chain: Chain


class Ranking:
    """All lines of a pool, by how directly they answer a question."""

    def __init__(
        self, pool: Pool, question: str, nearness: Mapping[str, float] = MappingProxyType({})
    ) -> None:
        """Rate the lines of ``pool``.

        Args:
            pool: The evidence, read.
            question: What is asked.
            nearness: How near lines, by their text, are to it in meaning, as an embedder's cosines.
        """
        self.pool = pool
        self.question = question
        self._nearness = nearness
        self._kind = expected_kind(question)
        self._title_words = [frozenset(words(passage.title)) for passage in pool.passages]
        self._annals = annals_aside(question, pool)
        self._flat = spaced(question)
        self._plain = plain_openings(pool) if self._kind is Kind.PERSON else frozenset[str]()
        self._sought = frozenset(map(stem, sought_classes(question)))
        search = Search(pool, Goal(question, pool))
        self._goal, self._known = search.goal, search.goal.known
        self._aside = () if self._goal.hops else others_aside(question, self._goal, pool)
        self.ranked = sorted(
            (self._rate(chain, search.goal) for chain in search.chains()),
            key=lambda rated: (-rated.worth, rated.chain.end.owner, rated.chain.end.place),
        )

    @cached_property
    def leading(self) -> tuple[Leading, ...]:
        """The lines that may lead an answer, the likeliest first.

        The place of the likeliest is taken by a line that says all that is asked, or to which the
        relations in the question lead; where neither is, by one that tells what is asked, and is of
        the same passage or is reached through it; at last by one that has all its words.
        """
        lines = list(self._likeliest)
        beliefs = shares([belief(signs) for _, signs in lines])
        by_words = shares([belief(signs._replace(meaning=0.0)) for _, signs in lines])
        if (first := self._preferred) is not None:
            lines.insert(0, lines.pop(next(n for n, each in enumerate(lines) if each[0] is first)))
        found = zip(lines, beliefs, by_words, strict=True)
        return tuple(Leading(rated, share, alone) for (rated, _), share, alone in found)

    @property
    def _preferred(self) -> Rated | None:
        """The line that leads for what it says rather than for the likeliest signs."""
        if self._outright is not None:
            return self._outright
        if self._dated is not None:
            return self._dated
        if self.whole:
            return self.whole[0]
        if self.followed is not None:
            return self.followed[0]
        return self._saying_so or self._closest

    @property
    def _dated(self) -> Rated | None:
        """The line that tells an amount for the month asked for, where the likeliest lacks it.

        What the rent is "from September" is told by a line with September in it that covers as much
        of the question as any.
        """
        months = months_of(last_question(self.question)) if self._kind is Kind.NUMBER else None
        if not months or months & months_of(self._first.text):
            return None
        least = max(self._likeliest[0][0].chain.own, SAID_OF_MONTH)
        for rated, signs in self._likeliest:
            if (
                signs.anew >= FITS
                and rated.chain.own >= least
                and months & months_of(rated.chain.end.text)
            ):
                return rated
        return None

    @property
    def _saying_so(self) -> Rated | None:
        found = self._reasoned or self._told_if or self._telling or self._means
        return found or self._covering or self._of_the_asked

    @property
    def _closest(self) -> Rated | None:
        """The sentence that answers best by itself, where it is of the likeliest line's passage.

        None where that line tells by what is done what is asked.
        """
        if tells_means(self.question, self._first.text):
            return None
        weights = FOR_FIGURES if self._kind in FIGURES else SENTENCE
        best = max(self.signs, key=lambda line: belief(line[1], weights))[0]
        are_prose = is_prose(best.chain.end) and is_prose(self._first)
        return best if are_prose and best.chain.end.owner == self._first.owner else None

    @property
    def _covering(self) -> Rated | None:
        """The likeliest sentence that says all that is asked, where the likeliest line does not.

        Where a figure is asked for, it has one.
        """
        if self._likeliest[0][0].chain.own >= MOSTLY:
            return None
        covering = (
            rated
            for rated, signs in self._likeliest
            if rated.chain.own >= WHOLE
            and is_prose_or_beside(rated.chain.end, self._first)
            and (signs.anew or self._kind not in FIGURES)
        )
        return next(covering, None)

    @property
    def _of_the_asked(self) -> Rated | None:
        """The likeliest line with a figure of the thing, or of what is named, that is asked of.

        None where the likeliest of all is about that.
        """
        if self._kind not in FIGURES or self.describes:
            return None
        asked, first = AskedOf(self.question), self._likeliest[0][0].chain
        if not asked or self._is_told_of(asked, first.end):
            return None
        able = (
            rated
            for rated, signs in self._likeliest
            if signs.anew >= FITS and rated.chain.own >= first.own
        )
        return next((each for each in able if self._is_told_of(asked, each.chain.end)), None)

    def _is_told_of(self, asked: AskedOf, line: Line) -> bool:
        titled = frozenset(terms(self.pool.passages[line.owner].title))
        return asked.is_told_by(line.text, line.terms | line.over | titled)

    @property
    def _told_if(self) -> Rated | None:
        """The line whose condition is the one that is asked about, where that one is another."""
        lines = [rated.chain.end for rated, _ in self._likeliest if is_prose(rated.chain.end)]
        found = told_if(self.question, lines, self.pool)
        return next((rated for rated, _ in self._likeliest if rated.chain.end is found), None)

    @property
    def _telling(self) -> Rated | None:
        """The line near the likeliest that says what is asked, where that one does not."""
        first, of_first = self._likeliest[0]
        telling = (
            rated
            for rated, signs in self._likeliest
            if _is_near(rated.chain.end, first.chain) and tells(signs, of_first)
        )
        return next(telling, None)

    @property
    def _reasoned(self) -> Rated | None:
        """The line that gives a reason where one is asked for, and the likeliest gives none."""
        if not has_cue(self._kind):
            return None
        likely = [(rated.chain, signs) for rated, signs in self._likeliest]
        found = reason_among(likely, is_prose, self._kind)
        return next((rated for rated, _ in self._likeliest if rated.chain is found), None)

    def lacks_reason(self, line: Line) -> bool:
        """Return whether a reason is asked for, and ``line`` gives none."""
        return self._kind is Kind.REASON and self._fit(line, self._known) < 1.0

    def lacks_deed(self, line: Line) -> bool:
        """Return whether it is asked who does something, and ``line`` has no word for that.

        In other languages than English that is all that is asked but the title of its page.
        """
        if is_english():
            asks = _WHO_DOES.match(last_question(self.question))
            deed = frozenset(terms(asks["deed"]) if asks else ())
        else:
            asked = self._goal.terms if self._kind is Kind.PERSON else ()
            deed = frozenset(asked) - self.pool.title_terms[line.owner]
        return bool(deed) and not self._goal.mask(line.terms) & self._goal.said(deed)

    def lacks_place(self, chain: Chain) -> bool:
        """Return whether it is asked of something somewhere, and ``chain`` has no word for where.

        What a sauna costs "at the pool" is not told by a page that has none. English alone.
        """
        if not is_english():
            return False
        missing = frozenset(map(stem, self._goal.missing(chain.mask)))
        asked = last_question(self.question)
        return any(stem(found["place"]) in missing for found in _SOMEWHERE.finditer(asked))

    def is_in_other_words(self, line: Line) -> bool:
        """Return whether ``line`` has no word of the question, but some that may say the same.

        Or whether what is over it alone has such a word.
        """
        return self._goal.is_in_other_words(line.terms, self.pool.over(line))

    @property
    def _means(self) -> Rated | None:
        """The line that says most of what is asked, and by what that is done, as was asked."""
        is_asked = self._kind is Kind.MANNER or asks_means(self.question)
        if not is_asked or tells_means(self.question, self._first.text):
            return None
        for is_told in (tells_means, instructs):
            telling = (
                (self._goal.share_in(rated.chain.end.terms | rated.chain.end.led), rated)
                for rated, _ in self._likeliest
                if is_told(self.question, rated.chain.end.text)
            )
            if best := highest(telling, SAID_OF_MEANS):
                return best
        return None

    @property
    def _first(self) -> Line:
        return self._likeliest[0][0].chain.end

    @property
    def describes(self) -> bool:
        """Whether the question describes something by others, so that passages must be tied."""
        return self._goal.hops

    @cached_property
    def followed(self) -> tuple[Rated, tuple[Line, ...]] | None:
        """The line that answers where the relations in the question lead, and those on the way."""
        if self._kind not in _FACTS:
            return None
        for found in follow(self.question, self.pool):
            title = self.pool.passages[found.owner].title
            there = [
                (rated, signs)
                for rated, signs in self._likeliest
                if self.pool.passages[rated.chain.end.owner].title == title
                and signs.anew >= MAY_FIT
            ]
            there.sort(key=lambda each: (each[1].asked < UNASKED, -each[1].anew))
            if there:
                return there[0][0], found.by
        return None

    @cached_property
    def whole(self) -> tuple[Rated, ...]:
        """The lines that say all that is asked after a fact, with an answer; the likeliest first.

        None where the question describes something by others: "the founder of Orbis" is not
        answered by a line about founders of Orbis.
        """
        return tuple(rated for rated, signs in self._saying if signs.anew >= FITS)

    @cached_property
    def _saying(self) -> tuple[tuple[Rated, Signs], ...]:
        """The lines that say all that is asked after a fact, the likeliest first.

        The answer of one may be of another kind than expected: "Who owns the works?", "The works
        are owned by their workers".
        """
        if self._goal.hops or self._kind not in _FACTS:
            return ()
        return tuple(
            (rated, signs)
            for rated, signs in self._likeliest
            if self._says_all(rated.chain.end) and signs.asked >= UNASKED
        )

    @cached_property
    def _outright(self) -> Rated | None:
        """The line that has a word of its own for each that is asked, if no other has.

        Where a figure is asked for, it has one.
        """
        found = [
            rated
            for rated, signs in self._saying
            if self._says_each(rated.chain.end) and (signs.anew or self._kind not in FIGURES)
        ]
        return found[0] if len(found) == 1 else None

    def _says_all(self, line: Line) -> bool:
        """Whether ``line``, with the title of its page and no heading, has all that is asked."""
        said = line.terms | self.pool.title_terms[line.owner]
        if not is_prose(line) or lacks_where(self.question, line.text):
            return False
        if self._kind in FIGURES and line.text.endswith(":"):
            return False  # the figure is in what it leads in to
        return self._goal.share_in(said) >= WHOLE

    def below_title(self, line: Line) -> float:
        """Return the share of what is asked that ``line`` has with its headings and no title."""
        return self._goal.share_in(line.terms | line.over)

    def _says_each(self, line: Line) -> bool:
        said = line.terms | self.pool.title_terms[line.owner]
        return self._goal.share(self._goal.each(said)) >= WHOLE

    @property
    def is_told(self) -> bool:
        """Whether the line that leads says all that is asked, and no other does.

        Of one to which relations lead that is what the clause asks; one whose condition is that
        of the question says it as well.
        """
        if self._told_if is not None and self.leading[0].rated is self._told_if:
            return True
        if self.whole or self.followed is None:
            return len(self.whole) == 1
        return self.followed[0].chain.asked >= UNASKED

    @cached_property
    def _likeliest(self) -> tuple[tuple[Rated, Signs], ...]:
        """The lines that may lead, those of what the question calls by the name of a page first."""

        def unlikely(line: tuple[Rated, Signs]) -> tuple[bool, float]:
            owner = line[0].chain.end.owner
            return bool(self._aside) and self._aside[owner], -belief(line[1])

        return tuple(sorted(self.signs, key=unlikely))

    @cached_property
    def signs(self) -> tuple[tuple[Rated, Signs], ...]:
        """What speaks for and against each of the lines that may lead."""
        able = self._able
        worth = max((rated.worth for rated in able), default=0.0) or 1.0
        own = max((rated.chain.own for rated in able), default=0.0) or 1.0
        focus = max((rated.chain.focus for rated in able), default=0.0) or 1.0
        texts = {rated.chain.end.text for rated in able}
        meaning = spread({text: near for text, near in self._nearness.items() if text in texts})
        counts = DESCRIBED if descriptions(self.question) else 1.0
        return tuple(
            (
                rated,
                self._signs(rated, worth, own, focus)._replace(
                    meaning=counts * meaning.get(rated.chain.end.text, 0.0)
                ),
            )
            for rated in able
        )

    @property
    def comparable(self) -> tuple[str, ...]:
        """The texts of the lines that may lead, which an embedder may compare with the question."""
        return tuple(dict.fromkeys(rated.chain.end.text for rated in self._able))

    @property
    def _able(self) -> Sequence[Rated]:
        """The best lines that may lead, those of files of changes where there are no others.

        Of all lines those with the names of code that are asked about, where any has them.
        """
        able = [rated for rated in self.ranked if may_lead(rated.chain.end, self.question)]
        able = having_identifiers(able, self.question, self.pool, lambda each: each.chain.end)
        of_manuals = [rated for rated in able if not self._annals[rated.chain.end.owner]]
        return (of_manuals or able)[:MAY_LEAD] or self.ranked[:1]

    def _signs(self, rated: Rated, worth: float, own: float, focus: float) -> Signs:
        chain, line = rated.chain, rated.chain.end
        title = " ".join(words(title_subject(self.pool.passages[line.owner].title)))
        anew = self._fit(line, self._known | self.titled(chain))
        return Signs(
            worth=rated.worth / worth,
            focus=chain.focus / focus,
            own=chain.own / own,
            added=chain.covered - chain.own,
            near=chain.near,
            before=self._before(line),
            asked=chain.asked,
            held=self._fit(line, self._known),
            anew=anew,
            told=anew * chain.asked,
            sought=float(not self._sought.isdisjoint(line.terms)),
            title=float(bool(title) and f" {title} " in self._flat),
            rank=1.0 / (1.0 + 0.3 * line.owner),
            bench=float(line.owner < BENCH),
            opening=float(line.place == 0),
        )

    def _before(self, line: Line) -> float:
        """Return what the sentence before ``line`` adds to what it covers."""
        lines = self.pool.lines_of[line.owner]
        said = self._goal.mask(line.terms)
        before = self._goal.mask(lines[line.place - 1].terms) if line.place else 0
        return self._goal.share(said | before) - self._goal.share(said)

    @property
    def answers(self) -> bool:
        """Whether the pool bears on the question, or on a part that can be answered by itself."""
        return answers(self.question, self._kind, self._goal, self.pool)

    def _rate(self, chain: Chain, goal: Goal) -> Rated:
        line = chain.end
        bearing = bearing_of(chain, hops=goal.hops)
        anew = self._fit(line, goal.known | self.titled(chain))
        fitting = fitting_of(line, self._fit(line, goal.known), anew)
        source = ANNALS if self._annals[line.owner] else 1.0
        return Rated((bearing + fitting) * quality(line) * source, bearing, chain)

    def _fit(self, line: Line, known: frozenset[str]) -> float:
        """Return how well ``line`` holds what is asked for, in words other than ``known``."""
        tells = (tells_how, tells_day, tells_where, tells_free, tells_when)
        if any(each(self.question, line.text) for each in tells):
            return 1.0
        if self._lacks_kind(line) or self.is_of_namesake(line):
            return 0.0
        if asked_form(self.question) is not None:
            return 0.0 if lacks_form(self.question, line.text) else 1.0
        fit = answer_fit(self._kind, without_supposition(line.text), known | self._plain)
        return min(fit, MAY_FIT) if counts_other(self.question, line.text) else fit

    def _lacks_kind(self, line: Line) -> bool:
        """Return whether ``line`` has no place, measure, date or price, where one is asked for."""
        if any(lacks(self.question, line.text) for lacks in _LACKS):
            return True
        is_other = self.is_of_another_thing(line) or self._is_set_aside(line)
        if is_other or lacks_dimension(self.question, line):
            return True
        return not line.columns and lacks_price(self.question, line.text)

    @property
    def is_second_best(self) -> bool:
        """Whether a line that says more than the first is set aside."""
        first, *others = (each.rated.chain for each in self.leading)
        return any(other.own > first.own and self._is_set_aside(other.end) for other in others)

    def _is_set_aside(self, line: Line) -> bool:
        """Whether ``line`` is about the contrary of what is asked, or another turn or year."""
        is_other = any(each(self.question, line.text) for each in (is_of_those_without, lacks_turn))
        return is_other or is_outdated(self.question, line, self.pool)

    def is_of_another_thing(self, line: Line) -> bool:
        """Return whether ``line`` says of another thing what is asked of one."""
        around = line.led, self.pool.over(line), self.pool.before(line)
        return is_of_another_thing(self.question, line.text, self.pool.holds, *around)

    def is_of_namesake(self, line: Line) -> bool:
        """Return whether something is asked of somebody, and ``line`` has another of that name."""
        asks = self._kind in _OF_PERSONS and not self.describes
        return asks and is_of_namesake(self.question, line, self.pool)

    def titled(self, chain: Chain) -> frozenset[str]:
        """Return the lower-case words of the titles over the lines of ``chain``."""
        owners = (line.owner for line in (chain.end, *chain.helpers))
        return frozenset[str]().union(*(self._title_words[owner] for owner in owners))

    def misses_the_named(self, chain: Chain) -> bool:
        """Return whether neither the passage of ``chain`` nor what leads to it has what is named.

        In languages whose words change with their case, names look otherwise there.
        """
        return is_english() and self._goal.named(chain.mask) == 0.0

    def best_for(self, item: Item) -> Line | None:
        """Return the line that serves ``item`` best, if one does.

        A further question in few words, "when did he die", is about what the first line is about.
        """
        goal = Goal(f"{self.question}\n{item.description}", self.pool, item.terms)
        search, kind = Search(self.pool, goal), item_kind(item)
        own = frozenset(terms(item.description) if item.id.startswith("part") else ())
        best: tuple[bool, float, Line] | None = None
        for line in self.pool.lines:
            is_own = bool(own) and own <= line.terms and _is_near(line, self.leading[0].rated.chain)
            covered = 1.0 if is_own else goal.share(search.mask(line))
            if covered < SERVES:
                continue
            fit = 0.5 + 0.5 * answer_fit(kind, line.text, goal.known)
            worth = covered * fit * quality(line) / (1.0 + 0.05 * line.place)
            if best is None or (is_own, worth) > best[:2]:
                best = is_own, worth, line
        return best[2] if best and best[1] >= SERVES * SERVES else None


def _is_near(line: Line, chain: Chain) -> bool:
    """Return whether ``line`` is in the passage in which ``chain`` ends, or on the way there."""
    return line.owner == chain.end.owner or line in chain.helpers
