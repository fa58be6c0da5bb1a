"""Whether the line that leads lacks what an answer has: then it is not certain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from quaere.reason.extractive.answer_fit import (
    answer_fit,
    asks_how_often,
    lacks_done,
    lacks_since,
    tells_day,
    tells_how,
    tells_how_often,
)
from quaere.reason.extractive.bearing import names_another
from quaere.reason.extractive.chains import Chain, Goal, Search
from quaere.reason.extractive.comparisons.contrast import side_by_side
from quaere.reason.extractive.conditions import tells_when
from quaere.reason.extractive.contrary import lacks_turn
from quaere.reason.extractive.dated_headings import is_outdated
from quaere.reason.extractive.denials import denies_which, is_meant_only, is_told_of, lacks_denial
from quaere.reason.extractive.dimensions import measures_another
from quaere.reason.extractive.limits import lacks_by, lacks_limit, limit_words
from quaere.reason.extractive.manuals.abbreviations import lacks_expansion
from quaere.reason.extractive.manuals.codes import is_of_another_code
from quaere.reason.extractive.manuals.defaults import lacks_default
from quaere.reason.extractive.manuals.definitions import lacks_subject
from quaere.reason.extractive.manuals.kits import lacks_kit
from quaere.reason.extractive.manuals.needs import lacks_version, tells_of_one_version
from quaere.reason.extractive.manuals.ways import tells_no_way
from quaere.reason.extractive.measures import counts_other_things, lacks_measure
from quaere.reason.extractive.other_languages import lacks_definition
from quaere.reason.extractive.other_things import (
    dates_another_deed,
    is_below_another,
    is_in_contrast,
    is_of_other_model,
)
from quaere.reason.extractive.outcomes import lacks_outcome
from quaere.reason.extractive.plain_answers import (
    lacks_agent,
    lacks_form,
    lacks_person,
    lacks_price,
    lacks_spot,
    names_nobody,
    tells_change_of_sum,
)
from quaere.reason.extractive.pool import Line, Pool, spaced
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.ranking import FIGURES, Ranking
from quaere.reason.extractive.room import lacks_room
from quaere.reason.extractive.statements.averages import lacks_average
from quaere.reason.extractive.tables.cell import asks_for_another_row
from quaere.reason.extractive.things_counted import (
    counts_another,
    counts_changes_only,
    tells_no_need,
)
from quaere.reason.extractive.yes_no import FEW_ASKED
from quaere.text.amounts import has_other_span, has_other_unit
from quaere.text.configuration import without_time
from quaere.text.dates import years_in
from quaere.text.languages.language import in_english, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MAY
from quaere.text.names import names
from quaere.text.synonyms import everyday_words, forms_of, related_words
from quaere.text.tokens import stem, terms, words

NAMED_IN_FULL = 0.8
"""The least share that counts as said."""
SPEAKS_TO = 0.5
"""Share of the question's weight that what leads has to cover to be more than undecided. Belief in
it says little by itself: where a folder has but a few lines, the least bad of them has no rival."""
ENOUGH = 3
"""Words of a question from which a line that has them all says what is asked; of fewer it holds a
pair that may be in it for any reason, as in "Can it be used offline?"."""
TOGETHER = 3
"""Words from one of a pair to the other, at most, where they say something of each other."""
NAMES = frozenset({Kind.NAME, Kind.ORGANIZATION})
"""Kinds of which nearly every line has something."""
_NAMED = NAMES | {Kind.LIST}
"""Those, and lists, which no sentence with their words need tell."""


_VERSION = lazy_regex(r"(?<![\w.,])v?(\d+(?:\.\d+)+)(?![\w.]*\d)")
_HOW_DONE = lazy_regex(
    r"(?i)\bhow (?:am|are|can|could|did|do|does|is|may|might|must|shall|should|to|was|were|will"
    r"|would)\b"
)
"""Asks how something is done: of that a line has to speak, not only of what it is done to."""


def is_of_another_name(chain: Chain, ranking: Ranking) -> bool:
    """Return whether ``chain`` has nothing that the question names, or another in its place."""
    if ranking.misses_the_named(chain) or ranking.is_of_namesake(chain.end):
        return True
    return names_another(ranking.question, chain.end, ranking.pool)


def is_short(question: str) -> bool:
    """Return whether ``question`` has too few words for a line with them to say what is asked."""
    return len(frozenset(terms(last_question(question)))) < ENOUGH


_CLAUSES = lazy_regex(r"[,;:]\s|\s(?:and|but)\s")
_SUBORDINATE = lazy_regex(
    r"(?i)(?:^\W*|\s)(?:which|that|who|if|when|where|unless|until|because|while|whether)\s.*"
)
_QUALIFIES = lazy_regex(
    r"(?i)\b(?:if|unless|except|apart from|other than|only|provided|until|while|as long as"
    r"|hardly|partly|was|were|had)\b"
)
"""Says that something is so of some, on a condition or at another time."""


def has_in_one_clause(question: str, told: str) -> bool:
    """Return whether one main clause of ``told`` has all words of ``question`` and no others.

    "Hask is lit at night" does not say for certain that Hask is lit, nor does "Hask is lit, unless
    there is a moon" or "Hask was lit". English alone.
    """
    qualified = _QUALIFIES.search(told) and not _QUALIFIES.search(last_question(question))
    if language_in_use() or qualified:
        return False
    forms = [frozenset((stem(word), *forms_of(word))) for word in _asked_words(question)]
    known = frozenset[str]().union(*forms)
    main = (_SUBORDINATE.sub("", clause) for clause in _CLAUSES.split(told))
    clauses = (frozenset(terms(clause)) for clause in main)
    return any(said <= known and all(said & each for each in forms) for said in clauses)


def _asked_words(question: str) -> list[str]:
    known = frozenset(terms(last_question(question)))
    return [word for word in words(last_question(question)) if stem(word) in known]


def lacks_answer(question: str, kind: Kind, ranking: Ranking) -> bool:
    """Return whether the line that leads lacks what an answer of that ``kind`` has.

    It is about too little of what is asked, or too little is asked of a name; nothing that the
    question names is there, or no word of it; it has no figure where one is asked for, or none of
    such a unit; or it tells of one alone of two things to tell apart.
    """
    chain = ranking.leading[0].rated.chain
    if _says_too_little(question, kind, chain, ranking) or ranking.is_second_best:
        return True
    if _is_of_another(question, chain, ranking) or ranking.lacks_deed(chain.end):
        return True
    if ranking.is_in_other_words(chain.end) or ranking.lacks_place(chain):
        return True
    return _lacks_figure(question, kind, chain.end)


def _says_too_little(question: str, kind: Kind, chain: Chain, ranking: Ranking) -> bool:
    """Whether ``chain`` is about too little of ``question``, or has its words by chance."""
    if _covered(question, chain, ranking) < SPEAKS_TO or (kind in _NAMED and is_short(question)):
        return True
    if kind is Kind.PERSON and _lacks_one_of_few(question, chain):
        return True
    if _lacks_topic(question, chain.end, ranking.pool):
        return True
    if _lacks_phrase(question, chain, ranking.pool) or _parts_phrase(question, chain.end):
        return True
    asks_of_deed = _asks_of_deed(question, kind, chain.end)
    return asks_of_deed and _is_by_chance(question, chain.end, ranking)


def _lacks_topic(question: str, line: Line, pool: Pool) -> bool:
    """Whether it is asked of what is before a colon, and ``line`` has no word of that.

    As a follow-up is put together: "o prazo: Quem autoriza?". Beyond English.
    """
    topic, _, asked = last_question(question).partition(": ")
    if not asked or is_english():
        return False
    over = pool.over(line) | pool.title_terms[line.owner]
    return bool(terms(topic)) and (line.terms | over).isdisjoint(terms(topic))


def _lacks_one_of_few(question: str, chain: Chain) -> bool:
    """Whether it is asked in two words who does something, and ``chain`` has but one of them.

    Beyond English, where nothing tells which of the two is the deed.
    """
    return not is_english() and is_short(question) and chain.own < NAMED_IN_FULL


def _lacks_phrase(question: str, chain: Chain, pool: Pool) -> bool:
    """Whether nothing of ``chain`` has two words that stand together in ``question``.

    Of where "make install" puts a program a line does not tell that has neither word. English
    alone.
    """
    if not is_english():
        return False
    asked = last_question(question)
    goal, lines = Goal(asked, pool), (chain.end, *chain.helpers)
    held = frozenset[str]().union(*(line.terms | pool.over(line) for line in lines))
    spared = limit_words(asked)
    missing = [word for word in goal.missing(goal.mask(held)) if stem(word) not in spared]
    return any({*missing}.issuperset(pair) for pair in pairwise(words(asked)))


_WHICH_PHRASE = lazy_regex(
    r"(?i)\W*(?:which|what)\s+(?P<phrase>[a-z]{3,}\s+[a-z]{2,}(?<!s)(?<!ed))\s+"
    r"(?:is|are|was|were|do|does|did|can|has|have|[a-z]+s)\b"
)


def _parts_phrase(question: str, line: Line) -> bool:
    """Whether two words that say together which thing is asked for stand far apart in ``line``.

    "Search for what the engine used" does not tell which search engine is used. English alone.
    """
    asks = in_english(_WHICH_PHRASE.match, last_question(question))
    if asks is None or line.columns:
        return False
    pair = frozenset(terms(asks["phrase"]))
    return len(pair) > 1 and pair <= line.terms and not _stand_together(pair, line.text)


def _lacks_figure(question: str, kind: Kind, line: Line) -> bool:
    """Whether ``line`` has no figure where one is asked for; or of two things tells of one."""
    is_told = any(tells(question, line.text) for tells in (tells_how, tells_day, tells_when))
    if kind not in FIGURES or is_told:
        return _tells_of_one_side(question, line)
    told = without_time(line.text) if kind is Kind.NUMBER else line.text
    fits = answer_fit(kind, told, frozenset(words(question))) > 0.0
    return not fits or _lacks_amount(question, line)


def _lacks_amount(question: str, line: Line) -> bool:
    """Whether ``line`` has no amount in such a unit, or of such a kind, as is asked for."""
    if lacks_measure(last_question(question), line.text):
        return True
    return not line.columns and lacks_price(question, line.text)


def _asks_of_deed(question: str, kind: Kind, line: Line) -> bool:
    """Whether it is asked how or why something is done, and ``line`` does not begin to say why.

    "How precise is it?" asks of no deed.
    """
    if kind is Kind.REASON:
        return answer_fit(kind, line.text) < 1.0
    return kind is Kind.MANNER and _HOW_DONE.search(question) is not None


def _is_by_chance(question: str, line: Line, ranking: Ranking) -> bool:
    """Whether ``line`` has the words of ``question`` by its title, or two of them far apart.

    On a page that is called "Users" anything that is added would say how one adds a user. Without
    it the line must have half of what is asked, and all of two words: next to each other, or in a
    heading both.
    """
    if not is_short(question):
        return ranking.below_title(line) < SPEAKS_TO
    asked = frozenset(terms(last_question(question)))
    is_pair = len(asked) > 1 and not asked <= line.over
    is_scattered = is_pair and not _stand_together(asked, line.text)
    return is_scattered or ranking.below_title(line) < NAMED_IN_FULL


def _stand_together(asked: frozenset[str], told: str) -> bool:
    """Whether two of ``asked`` are in ``told`` with at most two words between them."""
    said = [stem(word) for word in words(told)]
    at = [place for place, word in enumerate(said) if word in asked]
    return any(b - a <= TOGETHER and said[a] != said[b] for a, b in pairwise(at))


def _is_of_another(question: str, chain: Chain, ranking: Ranking) -> bool:
    """Whether ``chain`` lacks a year or a name of the question, or since when something is so."""
    line = chain.end
    if is_of_another_name(chain, ranking) or ranking.is_of_another_thing(line):
        return True
    if any(lacks(question, line.text) for lacks in _LACKS):
        return True
    if any(lacks(question, line, ranking.pool) for lacks in _LACKS_IN_PLACE):
        return True
    if is_of_another_code(question, line, with_all_over(line, ranking.pool)):
        return True
    return _is_of_another_row(question, line, ranking.pool) or lacks_subject(question, line)


def _is_of_another_row(question: str, line: Line, pool: Pool) -> bool:
    """Whether what is over ``line`` or in it has another year, span or version than asked for."""
    is_asked = _has_years(question, line, pool) and not asks_for_another_row(question)
    if line.columns and not is_asked:
        return True
    return has_other_span(last_question(question), _read(line)) or _lacks_version(
        question, line, pool
    )


def _lacks_since(question: str, told: str) -> bool:
    return lacks_since(last_question(question), told)


def _lacks_frequency(question: str, told: str) -> bool:
    return asks_how_often(last_question(question)) and not tells_how_often(told)


_OF_ONESELF = lazy_regex(r"(?i)\b(?:am|do|did|can|will|would|shall|have|had) i\b|\b(?:my|me)\b")
_ON_AVERAGE = lazy_regex(r"(?i)\b(?:averages?|averaged|mean|median|per (?:head|capita))\b")


def _tells_average_alone(question: str, told: str) -> bool:
    """Whether ``question`` asks of oneself, and ``told`` is what people have on average."""
    is_of_oneself = in_english(_OF_ONESELF.search, question) is not None
    return is_of_oneself and bool(_ON_AVERAGE.search(told)) and not _ON_AVERAGE.search(question)


def _is_meant_only(question: str, told: str) -> bool:
    return is_meant_only(told, question)


def _denies_which(question: str, told: str) -> bool:
    return denies_which(told, last_question(question))


def _lacks_denial(question: str, told: str) -> bool:
    return lacks_denial(told, last_question(question))


def _lacks_agent(question: str, told: str) -> bool:
    return lacks_agent(last_question(question), told)


_WHO_MAY = lazy_regex(r"(?i)\W*who (?:else )?(?:can|could|may|must|should|has to|is allowed to)\s")
_MAY = lazy_regex(
    r"(?i)\b(?:able|all|allow(?:s|ed)?|anybody|anyone|can|cannot|could|entitled|every\w*|has|have"
    rf"|{MAY}|must|need(?:s|ed)?|nobody|only|open|permi\w+|require[sd]?|responsible|right|should)\b"
    r"|n['’]t\b"
)
"""What a sentence has that tells who may or must do something."""


def _tells_no_right(question: str, told: str) -> bool:
    """Whether ``question`` asks who may or must do something, and ``told`` speaks of no such right.

    "Copy the link into a comment" does not tell who may start a job. English alone.
    """
    asks = in_english(_WHO_MAY.match, last_question(question)) is not None
    return asks and _MAY.search(told) is None


_ASKS_SEAT = lazy_regex(r"(?im)^(?>.*?\bwhere\b).*\b(?:headquarter(?:s|ed)|head ?offices?)\b")
_SEAT = lazy_regex(r"(?i)\bheadquarter|\boffices?\b|\bbased\b|\bseat\b|\baddress\b|\bHQ\b")


def _lacks_seat(question: str, told: str) -> bool:
    """Whether it is asked where somebody has his head office, and ``told`` is of no office."""
    asks = in_english(_ASKS_SEAT.search, last_question(question))
    return asks is not None and _SEAT.search(told) is None


_ASKS_DOES = lazy_regex(r"(?i)^\W*what (?:does|do)\b.{1,60}\bdo\W*$")
_DOES_NOT = lazy_regex(r"(?i)\b(?:does|do|did|can|is|are|was|were|will)(?: not|n['’]t)\b")


def _tells_what_not(question: str, told: str) -> bool:
    """Whether it is asked what somebody does, and ``told`` is what he does not."""
    asks = in_english(_ASKS_DOES.match, last_question(question))
    return asks is not None and _DOES_NOT.search(told) is not None


_ASKS_ALL = lazy_regex(
    r"(?i)\W*(?:(?:please )?(?:list|name|enumerate|give me|tell me)\s+(?:all|every|the)\b"
    r"|(?:what|which) are all\b)"
)


def _asks_for_all(question: str, _told: str) -> bool:
    """Whether all of something are asked for, which no sentence is known to name in full."""
    return in_english(_ASKS_ALL.match, last_question(question)) is not None


def _names_nobody(question: str, told: str) -> bool:
    return names_nobody(last_question(question), told)


def _tells_of_one_version(question: str, told: str) -> bool:
    return tells_of_one_version(last_question(question), told)


_LACKS = (
    *(lacks_average, lacks_form, has_other_unit, lacks_expansion, lacks_kit),
    *(lacks_outcome, lacks_limit, lacks_by, dates_another_deed),
    *(counts_another, counts_changes_only, lacks_spot, lacks_person, lacks_turn, lacks_room),
    *(_lacks_since, _lacks_frequency, _is_meant_only, _denies_which, _tells_average_alone),
    *(_lacks_agent, _names_nobody, _tells_of_one_version, tells_change_of_sum),
    *(_lacks_denial, _tells_what_not, _lacks_seat, _tells_no_right, _asks_for_all),
    *(tells_no_need, lacks_definition),
)
"""Whether a line says something else than a question asks."""
_DOES_WHAT = lazy_regex(
    r"(?i)\W*(?:what|which|where|when|how)\b[^?]{0,40}?\b(?:do|does|did)\s(?P<doer>[^?]{1,60}?)\s"
    r"(?P<deed>(?-i:[a-z]{3,}))\W*$"
)


_WHO_DID = lazy_regex(r"(?i)\W*who\s(?P<deed>(?-i:[a-z]{3,}))\s[^?]{2,}\?*\W*$")
_STATES = frozenset(
    ("are", "was", "were", "has", "had", "have", "can", "will", "did", "does", "may")
)


def _lacks_what_who_did(question: str, line: Line, pool: Pool) -> bool:
    """Whether it is asked who did something, and another line than ``line`` tells of that.

    "The lease was changed to leave out the mill" does not tell who bought the mill, where it is
    told that somebody bought one. English alone.
    """
    asks = in_english(_WHO_DID.match, last_question(question))
    if asks is None or asks["deed"] in _STATES or line.columns:
        return False
    meant = _deeds_like(asks["deed"])
    if is_told_of(asks["deed"], line.text) or meant & (line.terms | pool.over(line)):
        return False
    return any(meant & other.terms for other in pool.lines)


def _deeds_like(deed: str) -> frozenset[str]:
    """Return the stems of the words by which it is told that somebody did the ``deed``."""
    done = (word for word in related_words(deed) if word.endswith("ed"))
    return forms_of(deed).union(map(stem, everyday_words(deed)), map(stem, done))


def _lacks_deed(question: str, line: Line, pool: Pool) -> bool:
    """Whether ``line`` names who does something and not what, which another line has.

    "Ben eats no fish" does not tell what Ben drinks, where it is told that Ana drinks tea. English
    alone.
    """
    asks = in_english(_DOES_WHAT.match, last_question(question))
    if asks is None or not names(asks["doer"]):
        return False
    deed = asks["deed"]
    if _is_to_do(deed, line.text):
        return True
    if is_told_of(deed, line.text) or forms_of(deed) & (line.terms | pool.over(line)):
        return False
    return pool.holds(stem(deed))


_TO_DO = lazy_regex(r"(?i)\bto (?P<deed>[a-z]{3,})\b")


def _is_to_do(deed: str, told: str) -> bool:
    """Whether all that is ``told`` of ``deed`` is what has to be done: "is required to make"."""
    ahead = [found.start("deed") for found in _TO_DO.finditer(told)]
    said = [
        w.start() for w in _ANY_WORD.finditer(told) if forms_of(w[0].casefold()) & forms_of(deed)
    ]
    return bool(said) and all(start in ahead for start in said)


_ANY_WORD = lazy_regex(r"[A-Za-z]+")
_WHEN_DONE = lazy_regex(
    r"(?i)\W*(?:when|(?:in )?(?:what|which) year) (?:is|are|was|were) [^?,;]+?"
    r" (?P<deed>[a-z]{2,}ed)\W*$"
)


def _dates_no_such_deed(question: str, line: Line, pool: Pool) -> bool:
    """Whether it is asked when a thing was treated so, and ``line`` tells of another deed.

    "The hall was built in 1902" does not tell when it was renovated, where another line tells of
    something that was. English alone.
    """
    asks = in_english(_WHEN_DONE.match, last_question(question))
    if asks is None or line.columns or not pool.holds(stem(asks["deed"].casefold())):
        return False
    deed = asks["deed"].casefold()
    meant = forms_of(deed).union(map(stem, everyday_words(deed)))
    return meant.isdisjoint(line.terms | pool.over(line)) and not is_told_of(deed, line.text)


def _lacks_any_version(question: str, line: Line, pool: Pool) -> bool:
    """Whether it is asked which version does something, and none is in or over ``line``."""
    return lacks_version(last_question(question), f"{_read(line)} {pool.headings_over(line)}")


def _lacks_default(question: str, line: Line, pool: Pool) -> bool:
    return lacks_default(last_question(question), with_all_over(line, pool))


def is_besides(question: str, lines: Sequence[Line], pool: Pool) -> bool:
    """Return whether neither ``lines`` nor what is over them tells what is asked how to do."""
    told = (line.terms | pool.over(line) | pool.before(line) for line in lines)
    around = terms(" ".join(with_all_over(line, pool) for line in lines))
    return lacks_done(last_question(question), frozenset(around).union(*told))


def _tells_no_way(question: str, line: Line, _pool: Pool) -> bool:
    return tells_no_way(question, line)


def _is_besides(question: str, line: Line, pool: Pool) -> bool:
    return is_besides(question, (line,), pool)


_LACKS_IN_PLACE = (
    *(is_outdated, is_below_another, is_in_contrast, is_of_other_model, counts_other_things),
    *(_lacks_deed, _dates_no_such_deed, _lacks_any_version, measures_another),
    *(_lacks_default, _is_besides, _lacks_what_who_did, _tells_no_way),
)
"""Whether it does so where it stands."""


def _read(line: Line) -> str:
    """Return ``line`` with what heads its columns."""
    return " ".join((line.text, *line.columns))


def _tells_of_one_side(question: str, line: Line) -> bool:
    """Whether ``line`` has nothing of one of two things that ``question`` tells apart."""
    sides = side_by_side(question)
    if sides is None:
        return False
    if _differ_by_ending(sides.first, sides.second):
        last = (words(side)[-1] for side in (sides.first, sides.second))
        return not all(spaced(word) in line.flat for word in last)
    return any(line.terms.isdisjoint(terms(side)) for side in (sides.first, sides.second))


def _differ_by_ending(one: str, other: str) -> bool:
    """Whether two names end in words of one stem that are not the same: `--tide`, `--tides`."""
    last, another = words(one)[-1:], words(other)[-1:]
    return last != another and terms(" ".join(last)) == terms(" ".join(another)) != []


def _has_years(question: str, row: Line, pool: Pool) -> bool:
    """Whether every year of ``question`` is in ``row`` or over it; else it answers nothing."""
    return years_in(last_question(question)) <= years_in(with_all_over(row, pool))


def _lacks_version(question: str, line: Line, pool: Pool) -> bool:
    """Whether a version of ``question``, or another number with a point, is not in ``line``."""
    asked = frozenset(_VERSION.findall(last_question(question)))
    return not asked <= frozenset(_VERSION.findall(with_all_over(line, pool)))


def with_all_over(line: Line, pool: Pool) -> str:
    """Return ``line`` with the headings over it, those of its columns, its title and its file."""
    passage = pool.passages[line.owner]
    return " ".join([_read(line), pool.headings_over(line), passage.title, passage.url])


def _covered(question: str, chain: Chain, ranking: Ranking) -> float:
    """Return what ``chain`` covers of what is asked, without what is said besides."""
    asked = last_question(question)
    if asked == question:
        return chain.covered
    return Search(ranking.pool, Goal(asked, ranking.pool)).chain(chain.end).covered


_THING = lazy_regex(r"\b(?:(?:an?|any|my|our|your) (?P<one>[a-z]+)|(?P<many>[a-z]+[a-rt-z]s))\b")
"""A word other than a verb, where the auxiliary of a question for yes or no comes before it."""


def lacks_thing(question: str, pool: Pool) -> bool:
    """Return whether yes or no is asked in few words, and no line has one of them that is a thing.

    "Does the policy cover pets?" is answered by nothing where there is no word of pets. English
    alone.
    """
    text = last_question(question)
    goal = Goal(text, pool)
    if language_in_use() or expected_kind(text) is not Kind.YES_NO or len(goal.terms) > FEW_ASKED:
        return False
    held = frozenset[str]().union(*pool.title_terms, *(line.terms for line in pool.lines))
    things = frozenset(found["many"] or found["one"] for found in _THING.finditer(text))
    return not things.isdisjoint(goal.missing(goal.mask(held)))
