"""What is looked for, and the sentences that cover it together.

A question with several hops is answered by sentences that share no word: "Ada Novak founded Orbis"
and "Novak was born in Brno" answer "Where was the founder of Orbis born?" only together. So a
sentence is weighed as the end of a chain: it brings its own words, the rest of its passage, and
sentences elsewhere that name what it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from operator import itemgetter
from typing import NamedTuple, TypeVar

from quaere.reason.extractive.answer_fit import place_words
from quaere.reason.extractive.limits import limit_words
from quaere.reason.extractive.manuals.bills import bill_words
from quaere.reason.extractive.manuals.codes import code_words
from quaere.reason.extractive.outcomes import outcome_words
from quaere.reason.extractive.plain_answers import form_words
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import (
    earlier_words,
    measure_words,
    sought_classes,
)
from quaere.reason.extractive.questions.parts import descriptions
from quaere.reason.extractive.room import room_words
from quaere.text.languages.language import Language, in_english, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.synonyms import everyday_words, other_spellings, related_words
from quaere.text.tokens import Token, is_stop_word, stem, terms, tokenize, words

T = TypeVar("T")

_BOUNDARY = lazy_regex(
    r"(?i)(?:of|in|by|for|from|with|at|on|to|that|who|whom|which|whose|where|when|while|as|than)"
)
_AUXILIARY = lazy_regex(r"(?i)(?:is|are|was|were|do|does|did|has|have|had|can|will)")
_VAGUE = frozenset(
    ["place", "date", "year", "time", "name", "kind", "type", "sort", "number", "part"]
)
_WH_WORD = lazy_regex(r"(?i)(?:who|whom|whose|what|which|when|where|why|how)")


def clause_depths(question: str) -> dict[str, int]:
    """Return how far each stem of ``question`` stands from what it asks for, in clauses.

    In "When was the founder of Orbis born?" the words "founder" and "born" are near (0) and "Orbis"
    is further (1). A sentence that answers tells the near ones; those that lead to it the far ones.
    """
    tokens = tokenize(question)
    if not tokens:
        return {}
    asked = [at for at, token in enumerate(tokens) if _WH_WORD.fullmatch(token.text)]
    centre = 0 if not asked or asked[0] <= 1 else asked[-1]
    owners = _owners(question, tokens)
    found: dict[str, int] = {}
    first = centre + 1 if asked else centre
    for places in (range(first, len(tokens)), range(centre - 1, -1, -1)):
        for at, depth in _walk(question, tokens, places):
            for term in terms(tokens[at].text):
                far = depth + (at in owners)
                found[term] = min(far, found.get(term, far))
    if _ends_in_verb(tokens):
        found.update((term, 0) for term in terms(tokens[-1].text))
    return found


def _ends_in_verb(tokens: Sequence[Token]) -> bool:
    """Return whether the last word belongs to the first clause: "When did the heir of Ada die?"."""
    if len(tokens) < 4 or not any(_AUXILIARY.fullmatch(token.text) for token in tokens[1:3]):
        return False
    return tokens[-1].text[0].islower() and tokens[-2].text[0].isupper()


def _walk(question: str, tokens: Sequence[Token], places: range) -> Iterator[tuple[int, int]]:
    """Yield the places of words that tell something, each with its depth in clauses."""
    depth, before = 0, places.start
    fresh = True  # nothing told yet in this clause, so that another boundary opens none
    for at in places:
        left, right = sorted((at, before))
        parted = "," in question[tokens[left].end : tokens[right].start]
        if parted or _is_boundary(tokens[at].text):
            depth, fresh = depth + (not fresh), True
        if not is_stop_word(tokens[at].text):
            fresh = fresh and tokens[at].text.casefold() in _VAGUE
            yield at, depth
        before = at


def _is_boundary(word: str) -> bool:
    """Return whether ``word`` begins a clause, in English."""
    return is_english() and _BOUNDARY.fullmatch(word) is not None


def _owners(question: str, tokens: Sequence[Token]) -> set[int]:
    """Return the places of words in names that own what follows, as in "Ada Novak's mother"."""
    found: set[int] = set()
    owning = False
    for at in range(len(tokens) - 1, -1, -1):
        token = tokens[at]
        behind = question[token.end : token.end + 2]
        ends = token.text.endswith(("'s", "’s")) or behind in {"' ", "’ "}
        owning = token.text[0].isupper() and (owning or ends)
        if owning:
            found.add(at)
    return found


MAX_HELPERS = 2
"""Lines that may lead to another: chains of up to three hops."""
LEAST_GAIN = 0.02
"""Share of the goal that a helper must add."""

_GENERIC_WORDS = """
    place time name named names called known year kind type sort different many much several various
    person people
    thing things one two part also likely possible main major best good own use used make made find
    give given describe explain summarize summarise list tell please provide example cause
    effect result associate relate mean meaning stand definition like along among around still
    would could common get put let go goes went come happen happened
    something anything nothing everything somebody anybody someone anyone everybody everyone
"""
_DEGREE_WORDS = """
    earlier later earliest latest first last older younger oldest youngest newer recently larger
    largest smaller smallest bigger biggest longer longest shorter higher highest lower taller
    tallest greater greatest fewer most more less same both
"""
DEGREES = frozenset(stem(word) for word in _DEGREE_WORDS.split())
_GENERIC = frozenset(stem(word) for word in _GENERIC_WORDS.split())


@cache
def _generic(language: Language | None) -> frozenset[str]:
    """Return the stems of words that tell next to nothing, in the language in use."""
    return _GENERIC if language is None else frozenset(map(stem, language.light | language.vague))


_MAY = lazy_regex(
    r"(?i)\W*(?:(?P<may>may)\b|(?:am|are|is)\s+(?:\w+\s+){1,2}?"
    r"(?P<let>allowed|permitted|able|supposed|possible)(?:\s+(?:to|for)\b|\W*$)"
    r"|how\b[^?]*?\b(?-i:(?P<so>may))\b)"
)
"""How one asks what one may do: who says it says "may", or no more than what is so."""
FAINT = 0.05
"""Weight of a term that says next to nothing."""
PLAIN = 2
"""Plain words asked about something named, up to which there is no answer if none is there."""
LONGEST_ACROSS = 2
"""Pairs of characters in a row that may reach across words, one character between them."""


def _across_words(wanted: Sequence[str], pool: Pool) -> frozenset[str]:
    """Return those pairs of characters among ``wanted`` that reach from one word into the next.

    Each is between pairs that the sources hold, and they do not hold it. Single characters count as
    well: in the sources they are parts of pairs. Only a script without spaces is read so.
    """
    language = language_in_use()
    if language is None or not language.pieces:
        return frozenset()
    known = [pool.holds(term) for term in wanted]
    single = (term for term in wanted if len(term) == 1 and not pool.holds(term))
    found = set(single)
    for first, length in product(range(len(wanted)), range(1, LONGEST_ACROSS + 1)):
        last = first + length + 1
        inside = known[first : last + 1]
        if inside == [True, *[False] * length, True] and _overlap(wanted[first : last + 1]):
            found.update(wanted[first + 1 : last])
    return frozenset(found)


def _overlap(run: Sequence[str]) -> bool:
    """Return whether each of ``run`` begins with the character that the one before it ends with."""
    return all(len(b) == 2 and a[-1] == b[0] for a, b in pairwise(run))


def _joined(text: str, pool: Pool) -> dict[str, frozenset[str]]:
    """Return, by the stems of ``text``, the words of the sources that are two of its words in one.

    The "fallback" covers "falls back". English alone.
    """
    found: dict[str, set[str]] = {}
    for first, second in pairwise(words(text) if is_english() else ()):
        for written in (first + second, stem(first) + second):
            if not is_stop_word(first) and _is_written(written, pool):
                found.setdefault(stem(first), set()).add(stem(written))
                found.setdefault(stem(second), set()).add(stem(written))
    return {term: frozenset(ones) for term, ones in found.items()}


def _modal(text: str) -> frozenset[str]:
    """Return the stem of the word by which ``text`` asks what one may do, if it does. English."""
    asks = in_english(_MAY.match, text)
    return frozenset(terms(asks["may"] or asks["let"] or asks["so"])) if asks else frozenset()


def _is_written(word: str, pool: Pool) -> bool:
    """Whether a line has ``word`` or its plural: "sportsperson" is not "sports personality"."""
    if not (word.isalpha() and pool.holds(stem(word))):
        return False
    forms = f" {word} ", f" {word}s "
    return any(form in line.flat for line in pool.lines for form in forms)


def highest(rated: Iterable[tuple[float, T]], least: float) -> T | None:
    """Return the first of what is ``rated`` highest; None where that is below ``least``."""
    most, best = max(rated, key=itemgetter(0), default=(0.0, None))
    return best if most >= least else None


class Goal:
    """What is looked for: terms, each with a weight, as bits of a mask."""

    def __init__(self, text: str, pool: Pool, wanted: Iterable[str] = ()) -> None:
        """Look for ``wanted``, or else for the terms of ``text``, which is what is asked."""
        self.known = frozenset(words(text))
        self.terms = tuple(dict.fromkeys(wanted)) or tuple(dict.fromkeys(terms(text)))
        self.words = _spelled(text, self.terms)
        far = clause_depths(text)
        deep = is_english() and max(far.values(), default=0) > 1
        self.hops = deep or bool(descriptions(text))
        """Whether it speaks of something by describing it, so that passages must be tied.

        In other languages than English commas alone part clauses, and part lists as well.
        """
        self._bits = {term: 1 << place for place, term in enumerate(self.terms)}
        self._otherwise = {t: _called_otherwise(t, self.words[t], pool) for t in self.terms}
        self._alike = self._said_alike(_joined(text, pool), pool)
        self._named = frozenset(stem(w) for name in names(text) for w in words(name.text))
        self._sought = frozenset(map(stem, sought_classes(text)))
        self._across = _across_words(self.terms, pool)
        self._measures = frozenset(map(stem, measure_words(text)))
        self._idle = (
            _modal(text)
            | form_words(text)
            | room_words(text)
            | place_words(text)
            | outcome_words(text)
            | bill_words(text, pool)
            | code_words(text)
            | (self._measures if language_in_use() else frozenset[str]())
        )
        self._otherwise_said = self._measures | earlier_words(text) | limit_words(text)
        self._weights = [self._weigh(term, pool) for term in self.terms]
        weighed = list(zip(self.terms, self._weights, strict=True))
        self._weightiest = _most_told(weighed, pool)
        self._pulls = [weight * 0.5 ** far.get(term, 3) for term, weight in weighed]
        self._asked = [self._asks(term, far) * weight for term, weight in weighed]
        self._name_weights = [(term in self._named) * weight for term, weight in weighed]
        self._shares: dict[int, float] = {}

    @classmethod
    def besides(
        cls, idle: frozenset[str], text: str, pool: Pool, part: str | None = None
    ) -> Goal | None:
        """Return what ``text`` asks, or a ``part`` of it, but for the terms ``idle``.

        None where it asks nothing else.
        """
        wanted = [term for term in terms(text if part is None else part) if term not in idle]
        return cls(text, pool, wanted) if wanted else None

    def _said_alike(
        self, joined: Mapping[str, frozenset[str]], pool: Pool
    ) -> Mapping[str, frozenset[str]]:
        """Return, by term, the stems of other words that say the same."""
        return {
            term: _related(word)
            | joined.get(term, frozenset())
            | pool.forms(term)
            | self._otherwise[term]
            for term, word in self.words.items()
        }

    def _weigh(self, term: str, pool: Pool) -> float:
        if self._is_faint(term, pool):
            return FAINT
        rarity = pool.rarity(term, self.words[term].casefold())
        if term in _generic(language_in_use()) or term in self._sought:
            return 0.3 * rarity
        return 1.4 * rarity if term in self._named else rarity

    def _is_faint(self, term: str, pool: Pool) -> bool:
        """Whether a line that answers need not have ``term``.

        Of "How heavy", one that says what something weighs has it; none need say how "long".
        """
        if (term in DEGREES and len(self.terms) > 1) or term in self._across:
            return True
        if term in self._idle:
            return True
        return term in self._otherwise_said and not any(map(pool.holds, self._alike[term]))

    def _asks(self, term: str, far: Mapping[str, int]) -> bool:
        return far.get(term, 1) == 0 and term not in self._named and term not in self._sought

    def names(self, term: str) -> bool:
        """Return whether ``term`` belongs to a name in what is asked."""
        return term in self._named

    def asks_nothing_of(self, pool: Pool) -> bool:
        """Return whether something named is asked about, in plain words of which ``pool`` has none.

        "What does Ada Novak earn?" has no answer where nobody earns, whatever is said of her.
        """
        light = self._named | _GENERIC
        plain = [t for t in self.terms if t not in light and not self._is_faint(t, pool)]
        alike = (other for term in plain for other in (term, *self._alike[term]))
        is_short = bool(self._named) and 0 < len(plain) <= PLAIN
        return is_short and not any(map(pool.holds, alike))

    def mask(self, found: frozenset[str]) -> int:
        """Return the bits of the terms that are in ``found``."""
        bits = 0
        for term, bit in self._bits.items():
            if term in found or not self._alike[term].isdisjoint(found):
                bits |= bit
        return bits

    def each(self, found: frozenset[str]) -> int:
        """Return the bits of the terms that ``found`` has, each in a word of its own.

        "Who owns the company?" is not asked by a line that says "company" and nothing of owning.
        """
        rest = found.difference(self.terms)
        return self.said(found) | self.mask(rest)

    def said(self, found: frozenset[str]) -> int:
        """Return the bits of the terms that are in ``found`` themselves: no sister is a brother."""
        return sum(bit for term, bit in self._bits.items() if term in found)

    def is_in_other_words(self, found: frozenset[str], over: frozenset[str]) -> bool:
        """Return whether all that ``found`` has of it are everyday words for what sources lack.

        Or whether what is ``over`` that has such a word that ``found`` has not.
        """
        held, said = self.mask(found), self._in_everyday_words(found)
        return (bool(held) and held == said) or bool(self._in_everyday_words(over) & ~held)

    def _in_everyday_words(self, found: frozenset[str]) -> int:
        """Return the bits of what sources lack for which ``found`` has everyday words."""
        return sum(bit for term, bit in self._bits.items() if self._otherwise[term] & found)

    def is_called(self, name: frozenset[str]) -> bool:
        """Return whether what is asked has all of ``name``, and no word told that weighs more."""
        if not name <= frozenset(self.terms):
            return False
        weighed = zip(self.terms, self._weights, strict=True)
        return any(weight >= self._weightiest for term, weight in weighed if term in name)

    def share(self, mask: int) -> float:
        """Return the share, 0 to 1, of the weight that the terms of ``mask`` carry."""
        if mask not in self._shares:
            self._shares[mask] = _share(self._weights, mask)
        return self._shares[mask]

    def share_in(self, found: frozenset[str]) -> float:
        """Return the share, 0 to 1, of the weight that the terms in ``found`` carry."""
        return self.share(self.mask(found))

    def focus(self, mask: int) -> float:
        """Return the share of ``mask``; what is nearer to what is asked counts the more."""
        return _share(self._pulls, mask)

    def asked(self, mask: int) -> float:
        """Return the share of the plain words of the clause that asks; 0.5 when it has none.

        "How old was she when she left?" asks in a word that no line need have.
        """
        return _share(self._asked, mask) if max(self._asked, default=0.0) > FAINT else 0.5

    def named(self, mask: int) -> float:
        """Return the share of the terms that are part of names; 1.0 when nothing is named."""
        return _share(self._name_weights, mask) if any(self._name_weights) else 1.0

    def missing(self, mask: int) -> tuple[str, ...]:
        """Return the words, as they were asked, whose terms are not in ``mask``."""
        return tuple(self.words[t] for t, bit in self._bits.items() if not mask & bit)


class Chain(NamedTuple):
    """A line, the lines that lead to it, and what they cover of a goal, each as a share, 0 to 1."""

    end: Line
    helpers: tuple[Line, ...]
    own: float
    """What the line and the title of its passage cover."""
    focus: float
    """What the line and the headings over it cover, terms counting the more the nearer to what is
    asked for."""
    asked: float
    """What the line alone covers of the plain words of the clause that asks."""
    asked_before: float
    """What a helper alone covers of them."""
    near: float
    """What its whole passage covers; of the headings there, those over the line alone."""
    covered: float
    """What its passage and the helpers cover."""
    mask: int
    """The terms that its passage and the helpers cover, as bits."""


class Search:
    """Finds the lines, and the chains that end in them, that cover a goal."""

    def __init__(self, pool: Pool, goal: Goal) -> None:
        self.pool = pool
        self.goal = goal
        self._led: dict[int, tuple[Line, ...]] = {}
        self._helped: dict[int, tuple[tuple[Line, ...], int]] = {}
        self._titles = [goal.mask(found) for found in pool.title_terms]
        self._under = [[goal.mask(line.over) for line in lines] for lines in pool.lines_of]
        self._lines = [[goal.mask(line.terms) for line in lines] for lines in pool.lines_of]
        self._wholes = [
            _union(self._spoken(line) for line in lines if not line.heading) | title
            for lines, title in zip(pool.lines_of, self._titles, strict=True)
        ]

    def mask(self, line: Line) -> int:
        """Return the terms that ``line`` and the headings and the title over it hold."""
        return self._spoken(line) | self.over(line)

    def over(self, line: Line) -> int:
        """Return the terms that the headings and the title over ``line`` hold."""
        return self._under[line.owner][line.place] | self._titles[line.owner]

    def _spoken(self, line: Line) -> int:
        return self._lines[line.owner][line.place]

    def chain(self, line: Line, *, alone: bool = False) -> Chain:
        """Return the chain that ends in ``line``; without helpers when ``alone``."""
        share, spoken = self.goal.share, self._spoken(line)
        over = self._under[line.owner][line.place]
        around = self._titles if line.setting else self._wholes  # settings are each by themselves
        whole = around[line.owner] | spoken | over
        helpers, led = ((), 0) if alone or line.setting else self._helpers(line.owner)
        mask = whole | led
        return Chain(
            end=line,
            helpers=helpers,
            own=share(self.mask(line)),
            focus=self.goal.focus(spoken | over),
            asked=self.goal.asked(spoken),
            asked_before=max((self.goal.asked(self._spoken(h)) for h in helpers), default=0.0),
            near=share(whole),
            covered=share(mask),
            mask=mask,
        )

    def _helpers(self, owner: int) -> tuple[tuple[Line, ...], int]:
        """Return the lines that lead to passage ``owner`` and what they cover together with it.

        Each is the one that adds most to what is covered and is tied to what is reached so far.
        """
        if owner in self._helped:
            return self._helped[owner]
        share, mask = self.goal.share, self._wholes[owner]
        used, reached = list[Line](), [owner]
        while len(used) < MAX_HELPERS:
            leads = [line for at in reached for line in self._leads(at)]
            gains = [
                (share(mask | self.mask(line)), line) for line in leads if line.owner not in reached
            ]
            covered, best = max(gains, key=lambda gain: gain[0], default=(0.0, None))
            if best is None or covered - share(mask) < LEAST_GAIN:
                break
            used.append(best)
            reached.append(best.owner)
            mask |= self.mask(best)
        self._helped[owner] = tuple(used), mask
        return self._helped[owner]

    def _leads(self, owner: int) -> tuple[Line, ...]:
        """Return the lines tied to ``owner`` by something that the question did not name."""
        if owner not in self._led:
            self._led[owner] = tuple(
                dict.fromkeys(
                    line
                    for line, tie in self.pool.tied(owner)
                    if not self.goal.known.issuperset(tie.split())
                )
            )
        return self._led[owner]

    def chains(self) -> list[Chain]:
        """Return the chains to every line of the pool."""
        return [self.chain(line) for line in self.pool.lines]


def _most_told(weighed: Iterable[tuple[str, float]], pool: Pool) -> float:
    """Return the most weight of a term that ``pool`` holds."""
    return max((weight for term, weight in weighed if pool.holds(term)), default=0.0)


def _spelled(text: str, wanted: Iterable[str]) -> dict[str, str]:
    """Return each term as ``text`` spells it; as it is where the text has not got it."""
    spelled = {stem(token.text.casefold()): token.text for token in tokenize(text)}
    return {term: spelled.get(term, term) for term in wanted}


def _related(word: str) -> frozenset[str]:
    others = (*related_words(word.casefold()), *other_spellings(word))
    return frozenset(stem(other) for other in others)


def _called_otherwise(term: str, word: str, pool: Pool) -> frozenset[str]:
    """Return the stems of what sources that lack ``word`` may call the same."""
    if not pool.lacks(term, word):
        return frozenset()
    return frozenset(stem(other) for other in everyday_words(word.casefold()))


def _share(weights: Sequence[float], mask: int) -> float:
    total = sum(weights)
    return sum(w for at, w in enumerate(weights) if mask >> at & 1) / total if total else 0.0


def _union(masks: Iterable[int]) -> int:
    bits = 0
    for mask in masks:
        bits |= mask
    return bits
