"""Says yes or no where what the sources assert agrees with, or denies, what is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from typing import NamedTuple

from quaere.reason.extractive.attributed import (
    is_of_another_nation,
    names_nations,
    tell_nations_so,
)
from quaere.reason.extractive.bearing import annals_aside, is_of_the_next, names_another
from quaere.reason.extractive.bounds import asks_rule, is_bounded, is_ruling_row, says_all
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.comparisons.both import Agreed, of_both, parted
from quaere.reason.extractive.comparisons.claims import claim_holds
from quaere.reason.extractive.contrary import are_opposed, is_left_out
from quaere.reason.extractive.denials import (
    denies_of,
    is_maybe,
    is_meant_only,
    is_negative,
    is_of_others,
    is_told_of,
    leaves_open,
    poses,
    settles_denial,
)
from quaere.reason.extractive.held import (
    POINTS_BACK,
    held_by,
    held_with_before,
    holding_most,
    object_of,
    said_terms,
)
from quaere.reason.extractive.kept_to import excludes, is_elsewhere
from quaere.reason.extractive.leave import (
    gives_conditionally,
    is_on_condition,
    is_so_with_more,
    needs_consent,
    spares_another,
    supposes,
)
from quaere.reason.extractive.manuals.kits import told_by_kit
from quaere.reason.extractive.other_languages import is_of_wider_sort, lacks_rule, rules_by_heading
from quaere.reason.extractive.other_things import (
    is_below_another,
    is_of_another_thing,
    lacks_several,
)
from quaere.reason.extractive.plain_answers import CLOCK
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.quality import names_things
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.questions.parts import Comparison, claimed_order, comparison
from quaere.reason.extractive.ruled import rule_for_some, told_by_rule
from quaere.reason.extractive.said_outright import answered_by_label, left_out_by, there_is_none
from quaere.reason.extractive.sorts import told_by_list
from quaere.reason.extractive.weekdays import asked_hour, on_days
from quaere.text.amounts import has_other_span
from quaere.text.facts import negation
from quaere.text.languages.language import in_english, is_english
from quaere.text.layout import is_statement
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.synonyms import forms_of
from quaere.text.tokens import stem, terms, words

ASSERTS, LIKELY = 0.85, 0.7
"""Share of the question's weight that one sentence must hold to say yes or no to all of it, and
from which it likely does: 24 of 30 biomedical questions were decided rightly, and 1 in 25 of
questions that ask for more than any sentence says is decided at all."""

_INCLUSION = frozenset(
    map(stem, ("included", "supported", "covered", "planned", "possible", "part", "scope"))
)
_CONDITIONAL = lazy_regex(r"(?i)\b(?:if|unless|when|in case|provided|as long as|once|while)\b")
"""On what it depends whether what a sentence says is so; and how a question names such a thing."""


class Ground(Enum):
    """What a yes or a no rests on."""

    READ = auto()
    """Facts that were read off and compared."""
    SAID = auto()
    """A sentence that holds nearly all that is asked."""
    SHARED = auto()
    """Words: those of a sentence that holds most of it, or those of two pages."""
    LACKING = auto()
    """Words of a sentence that lacks one that may be the verb: it may say another thing of it."""
    LISTED = auto()
    """A line that names all there is of a sort, or is the rule about a thing."""


class YesNo(NamedTuple):
    """A yes or a no, and the lines that carry it."""

    says: bool | None
    """None where it depends on what the lines say."""
    lines: tuple[Line, ...]
    ground: Ground
    under: str = ""
    """The heading over them, where it decides."""


_ALTERNATIVES = lazy_regex(r"\b(?!not\b)[a-z]+ or (?!not\b|none\b|more\b|less\b)[a-z]+\s*\?*$")
"""Alternatives, which are neither affirmed nor denied: "Did it rise or fall?"."""


_AS_BEFORE = lazy_regex(r"(?i)\bone(?: as well| either| too)?\s*\?*$")
"""Speaks of something named before: "The first has a jack. Does the second also have one?"."""


def decide_yes_no(question: str, pool: Pool) -> YesNo | None:
    """Return what the sources say to ``question``; None where that is not yes or no.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    if expected_kind(text) is not Kind.YES_NO or _ALTERNATIVES.search(text):
        return None
    if is_english() and _AS_BEFORE.search(text):
        return None
    claimed = claimed_order(text)
    if claimed is not None:
        return _as_read(claim_holds(claimed, pool, _tells), Ground.SAID)
    compared = comparison(text)
    if compared is None or not compared.about:
        return _parted(text, pool) or _agreement(text, pool)
    return _true_of_both(text, compared, pool)


def _within_bounds(text: str, answer: YesNo | None, pool: Pool) -> YesNo | None:
    """Return ``answer``, or neither where its line tells a rule with bounds that nobody named.

    A line that says all of that with its bounds is the rule about it, and as certain.
    """
    if answer is None or not asks_rule(text):
        return answer
    line = answer.lines[-1]
    if answer.says is not None and not is_bounded(line, text, pool):
        return answer
    ground = Ground.LISTED if says_all(line, text, pool) else answer.ground
    if line.columns:  # what it allows, another row may not
        ground = Ground.LACKING
    return YesNo(None, answer.lines, ground, answer.under)


def _true_of_both(text: str, compared: Comparison, pool: Pool) -> YesNo | None:
    """Return whether what ``compared`` is about holds of both its sides. English alone.

    None where ``text`` asks for one of them.
    """
    if " or " in text or not is_english():
        return None

    def decide(about_one: str) -> Agreed | None:
        told = decide_yes_no(about_one, pool)
        if told is None or told.says is None or told.ground is Ground.LACKING:
            return None
        return Agreed(told.says, told.lines, told.ground is Ground.READ)

    return _as_read(of_both(text, compared, pool, decide))


def _as_read(found: Agreed | None, otherwise: Ground = Ground.SHARED) -> YesNo | None:
    if found is None:
        return None
    return YesNo(found.says, found.lines, Ground.READ if found.is_read else otherwise)


def _parted(text: str, pool: Pool) -> YesNo | None:
    found = parted(text, _told(text, pool), pool)
    return YesNo(found.says, found.lines, Ground.SHARED) if found else None


def _agreement(text: str, pool: Pool) -> YesNo | None:
    """Return yes or no as the first way decides it in which documents answer such a question."""
    told = _told(text, pool)
    decided = _outright(text, told, pool) or _on_days(text, told, pool)
    return decided or _within_bounds(text, _by_lines(text, told, pool), pool)


def _outright(text: str, told: Sequence[Line], pool: Pool) -> YesNo | None:
    """Return the yes or no that a line says by its form."""
    if none := there_is_none(text, told, pool):
        return YesNo(says=False, lines=(none,), ground=Ground.READ)
    found = answered_by_label(text, told, pool)
    return YesNo(found[0], (found[1],), Ground.READ) if found else None


def _by_lines(text: str, told: Sequence[Line], pool: Pool) -> YesNo | None:
    goal = Goal(text, pool)
    return (
        _excluded(text, told)
        or _by_default(text, goal, told, pool)
        or _by_kit(text, pool)
        or _listed(text, told, pool)
        or _bound(text, told)
        or _ruled(text, told, pool)
        or _of_another_nation(text, told)
        or _ruled_in_part(text, told)
        or _asserted(text, goal, told, pool)
    )


def _on_days(text: str, told: Sequence[Line], pool: Pool) -> YesNo | None:
    found = on_days(text, told, pool)
    if found is None:
        return None
    says, line = found
    on_condition = says and is_english() and gives_conditionally(line.text, text)
    at_hours = says and asks_rule(text) and CLOCK.search(line.text) and not asked_hour(text)
    ground = Ground.LISTED if line.columns and not is_english() else Ground.SAID
    return YesNo(None if on_condition or at_hours else says, (line,), ground)


def _bound(text: str, told: Sequence[Line]) -> YesNo | None:
    """Return neither, where what is asked for needs somebody's consent, and the line saying so."""
    line = needs_consent(text, told)
    return YesNo(None, (line,), Ground.SAID) if line else None


def _ruled(text: str, told: Sequence[Line], pool: Pool) -> YesNo | None:
    found = told_by_rule(text, told, pool)
    return (
        YesNo(found.says is not is_negative(text), (found.line,), Ground.LISTED) if found else None
    )


def _ruled_in_part(text: str, told: Sequence[Line]) -> YesNo | None:
    """Return neither, where the rule about what is asked for is one for some of it."""
    line = rule_for_some(text, told)
    return YesNo(None, (line,), Ground.SAID) if line else None


def _of_another_nation(text: str, told: Sequence[Line]) -> YesNo | None:
    if is_negative(text):
        return None
    line = next((line for line in told if is_of_another_nation(text, line.text)), None)
    return YesNo(says=False, lines=(line,), ground=Ground.SAID) if line else None


def _excluded(text: str, told: Sequence[Line]) -> YesNo | None:
    line = next((line for line in told if excludes(line, text)), None)
    return YesNo(is_negative(text), (line,), Ground.SAID) if line else None


def _by_kit(text: str, pool: Pool) -> YesNo | None:
    found = told_by_kit(text, pool)
    if found is None:
        return None
    says = None if found.says is None else found.says is not is_negative(text)
    return YesNo(says, (found.line,), Ground.LISTED, found.head)


def _listed(text: str, told: Sequence[Line], pool: Pool) -> YesNo | None:
    listed = told_by_list(text, told, pool)
    return YesNo(listed.says, (listed.line,), Ground.LISTED) if listed else None


def _asserted(text: str, goal: Goal, told: Sequence[Line], pool: Pool) -> YesNo | None:
    """Return yes or no where one sentence holds most of what is asked."""
    saying = _saying(text, goal, told, pool)
    line = holding_most(text, goal, saying, pool, least=LIKELY)
    held = 0.0 if line is None else held_by(goal, line, pool)
    if line is None or held < LIKELY:
        found = _left_out(text, told, pool)
    else:
        found = _said_by(line, held, text, pool)
    return found or _pointing_back(text, goal, saying, pool)


def _pointing_back(text: str, goal: Goal, saying: Sequence[Line], pool: Pool) -> YesNo | None:
    """Return what a line says with the one before, to which its "it" points; never for certain."""
    line = max(saying, key=lambda line: held_with_before(goal, line, pool), default=None)
    if line is None or held_with_before(goal, line, pool) < ASSERTS:
        return None
    denied = denies_of(line.text, text)
    if denied is None or leaves_open(line.text, text) or _is_beside(line, text, pool):
        return None
    if is_below_another(text, line, pool):
        return None
    before = pool.lines_of[line.owner][max(0, line.place - 1)]
    lines = (before, line) if POINTS_BACK.search(line.text) else (line,)
    says = denied == is_negative(text)
    is_of_another = _is_of_another(line, text, pool)
    if says and (is_of_another or not tell_nations_so(text, [each.text for each in lines])):
        return None
    is_of_nations = says and names_nations(text)
    return YesNo(says, lines, Ground.SHARED if is_of_nations else Ground.LACKING)


_DEFAULT = lazy_regex(r"(?i)\bdefault\b")
_IS_DEFAULT = lazy_regex(r"(?i)\b(?:this|that|it) is the default\b|\(the default\)")


def _by_default(text: str, goal: Goal, told: Iterable[Line], pool: Pool) -> YesNo | None:
    """Return what holds by default, where the line after one of an option says that it does.

    "The tank is not emptied. This is the default." says no to "Is the tank emptied by default?".
    None where two such options say one thing each.
    """
    if not is_english() or not _DEFAULT.search(text):
        return None
    said = (_held_by_default(line, text, goal, pool) for line in told)
    found = {each.says: each for each in said if each is not None}
    return next(iter(found.values())) if len(found) == 1 else None


def _held_by_default(line: Line, text: str, goal: Goal, pool: Pool) -> YesNo | None:
    """Return yes or no as ``line`` says it, where the next one says that it is the default."""
    after = _default_after(line, pool)
    if after is None:
        return None
    denied = denies_of(line.text, text)
    held = goal.share_in(line.terms | after.terms | pool.title_terms[line.owner])
    if denied is None or held < ASSERTS:
        return None
    says = denied == is_negative(text)
    return YesNo(says, (line, after), Ground.SAID, _label_of(line, pool))


def _default_after(line: Line, pool: Pool) -> Line | None:
    """Return the line after ``line``, under the same label, if it says that this is the default."""
    after = pool.after(line)
    if after is None or not line.label or after.label != line.label:
        return None
    return after if _IS_DEFAULT.search(after.text) else None


def _label_of(line: Line, pool: Pool) -> str:
    label, text = line.label, pool.passages[line.owner].text
    return " ".join(text[label.start : label.end].split()) if label else ""


def _told(text: str, pool: Pool) -> list[Line]:
    """Return the lines that assert something, those of files of changes only if asked for."""
    aside = annals_aside(text, pool)
    by_rule = asks_rule(text)
    telling = (
        line
        for line in pool.lines
        if (_tells(line) or (by_rule and is_ruling_row(line))) and not aside[line.owner]
    )
    return [line for line in telling if not poses(line.text, text)]


def _saying(text: str, goal: Goal, told: Iterable[Line], pool: Pool) -> list[Line]:
    """Return the lines that bear on what is asked, and can settle it."""
    saying = filter(_bears(text, goal, pool), told)
    if not is_english():
        return list(saying)
    settling = (line for line in saying if _can_settle(line.text, text))
    return [line for line in settling if not _is_with_option(line, text, pool)]


_DOES_SO = lazy_regex(r"(?i)\W*(?:do|does|did|is|are|was|were|will)\b")
_OPTION = lazy_regex(r"-{1,2}[\w\[]")
_TELLS_DEFAULT = lazy_regex(r"(?i)\bby default\b|\bthe default\b(?! \w)|\bdefault(?:s to| is|:)")


def _is_with_option(line: Line, text: str, pool: Pool) -> bool:
    """Whether ``line`` tells what is so with an option, of which ``text`` does not speak.

    "-k: Keep the tar" leaves open whether the tar is kept; it can be.
    """
    label = _label_of(line, pool) or line.text
    if not (_OPTION.match(label) and _DOES_SO.match(text)) or _TELLS_DEFAULT.search(line.text):
        return False
    return "option" not in text.casefold() and not _OPTION.search(text)


_LEAVE_OPEN = (is_maybe, is_of_others, is_so_with_more, spares_another)


def _can_settle(said: str, text: str) -> bool:
    """Whether ``said`` does not leave open what ``text`` asks."""
    if any(leaves(said, text) for leaves in _LEAVE_OPEN):
        return False
    if has_other_span(text, said) or (_WAS_DONE.match(text) and is_meant_only(said, text)):
        return False
    if _DOES_NOW.match(text) and _NOT_NOW.search(said) and not _NOT_NOW.search(text):
        return False
    return not is_negative(text) or settles_denial(said, text)


_DOES_NOW = lazy_regex(r"(?i)\W*(?:is|are|do|does)\b")
_NOT_NOW = lazy_regex(
    r"(?i)\b(?:plan|hope|intend|want)s?\s+(?:to|on)\b|(?<!\bis )(?<!\bare )(?<!\bbe )\bused to\s"
)
"""What somebody means to do is not done yet, nor is any more what they "used to" do."""
_WAS_DONE = lazy_regex(r"(?i)\W*(?:did|has|have|had|was|were)\b")


def _said_by(line: Line, held: float, text: str, pool: Pool) -> YesNo | None:
    """Return yes or no as ``line`` says it, which holds the share ``held`` of what is asked."""
    denied = denies_of(line.text, text)
    if denied is None or leaves_open(line.text, text):
        return None
    if is_on_condition(line.text, text):
        return YesNo(None, (line,), _ground(line, held, text, pool))
    if _is_beside(line, text, pool) or _lacks_one_of_few(line, text, pool):
        return None
    says = denied == is_negative(text)
    if is_below_another(text, line, pool):
        return None
    if says and (_is_of_another(line, text, pool) or not tell_nations_so(text, [line.text])):
        return None
    under = left_out_by(line, pool)
    if says and under:
        return YesNo(says=False, lines=(line,), ground=Ground.SAID, under=under)
    ground = _ground(line, held, text, pool, says=says)
    if ground is Ground.LACKING and _says_another(line, text):
        return None
    return YesNo(says, (line,), ground, _needed_over(line, text, pool))


def _says_another(line: Line, text: str) -> bool:
    """Whether ``line``, which lacks a word of ``text``, does or has another thing in its place."""
    if _CAN.match(text) and _HAS_TO.search(line.text):
        return True
    asked = terms(text)
    is_short = _DOES.match(text) is not None and len(asked) <= OF_ONE_OBJECT
    return is_short and asked[-1] not in line.terms | line.over


def _is_of_another(line: Line, text: str, pool: Pool) -> bool:
    """Whether ``line`` says of another part, or of another named thing, what ``text`` asks."""
    is_of_other_part = are_opposed(text, line.text) or is_left_out(text, line.text)
    return is_of_other_part or names_another(text, line, pool)


def _is_beside(line: Line, text: str, pool: Pool) -> bool:
    """Whether ``line`` says of another thing what ``text`` asks, or another thing of the same."""
    if is_elsewhere(line, text) or is_of_the_next(text, line.text):
        return True
    around = line.led, pool.over(line), pool.before(line)
    if is_of_another_thing(text, line.text, pool.holds, *around):
        return True
    lacks = _lacks_deed(line, text) or lacks_several(line, text, pool)
    return lacks or _rules_on_another(line, text, pool)


_DOES_WHAT = lazy_regex(
    r"(?i)\W*(?:do|does|did|can|could|will|would|shall|should|must|may|might)\s"
    r"(?:i|you|he|she|it|we|they|one|(?-i:[A-Z]\w+ [A-Z]\w+)(?=\s\w+\W*\Z))\s"
    r"(?:also\s|still\s)?(?!get\b)(?P<deed>(?-i:[a-z]+))\b"
)
"""Asks whether somebody does something, or one of that name does that at all."""


def _lacks_deed(line: Line, text: str) -> bool:
    """Whether ``line`` lacks the verb of "Can it …?" and its like, which no heading asserts.

    "Most that fail are scans" below "Reading pages" does not say that it can read scans, nor does
    "The treasurer is Jo Ames" on the page of a rowing club that Jo Ames rows. English alone.
    """
    asks = in_english(_DOES_WHAT.match, text)
    if asks is None or not (deed := frozenset(terms(asks["deed"]))):
        return False
    said = line.terms | line.led
    return not (
        deed <= said or is_told_of(asks["deed"], line.text) or forms_of(asks["deed"]) & said
    )


_RULED_ON = lazy_regex(
    r"(?i)\W*(?:is|are)\s(?!it\b|they\b|this\b|that\b)(?P<thing>[^?]+?)\s(?:allowed|permitted|forbidden|prohibited|banned)\b"
)


def _rules_on_another(line: Line, text: str, pool: Pool) -> bool:
    """Whether ``text`` asks if a thing is allowed, and ``line`` has no word for it.

    "Food is not allowed in the hall" does not say that water is not. English alone.
    """
    asked = in_english(_RULED_ON.match, text)
    if asked is None:
        return False
    said = line.terms | pool.over(line) | pool.file_terms(line)
    return all(forms_of(word).isdisjoint(said) for word in words(asked["thing"]))


_CAN = lazy_regex(r"(?i)\W*(?:can|could|may)\b")
_HAS_TO = lazy_regex(r"(?i)\b(?:has to|have to|had to|must)\b")
"""Who has to do another thing may perhaps not do the one that is asked about."""
_DOES = lazy_regex(r"(?i)\W*(?:do|does|did|can|could|will|would|shall|should|must|may|might)\b")
"""How a question begins whose verb is one of its words."""
OF_ONE_OBJECT = 4
"""Words up to which what ends a question is what is done or had: "Does Cora Lind drink tea?"."""
FEW_ASKED = 3
"""Words of a question up to which each counts, however common it is in the sources: "Is my data
sent anywhere?" is not answered by what else is sent."""


def _ground(line: Line, held: float, text: str, pool: Pool, *, says: bool = True) -> Ground:
    """Return what a yes or no rests on that ``line`` carries, which holds the share ``held``.

    What is never done may not be; what is done may perhaps not.
    """
    if is_english() and supposes(line.text, text) and not _CONDITIONAL.search(text):
        return Ground.LACKING
    is_wider = is_of_wider_sort(terms(text), line.terms | line.over)
    is_wider = is_wider or rules_by_heading(text, said_terms(Goal(text, pool), line.terms, ""))
    if is_wider or _has_in_address(line, text) or (says and lacks_rule(text, line.text)):
        return Ground.LACKING
    if held >= ASSERTS:
        return Ground.SAID
    if is_english() and _may_lack_verb(line, text, pool):
        return Ground.LACKING
    return Ground.SHARED


_ADDRESS = lazy_regex(r"\w{2,20}://[^\s`<>()]+")


def _has_in_address(line: Line, text: str) -> bool:
    """Whether a word of ``text`` is nowhere in ``line`` but in an address: "tide://USER@host"."""
    if "://" not in line.text:
        return False
    said = frozenset(terms(_ADDRESS.sub(" ", line.text)))
    return bool(frozenset(terms(text)) & line.terms - said)


def _lacks_one_of_few(line: Line, text: str, pool: Pool) -> bool:
    """Whether ``line``, with what is over it, lacks one of few words of ``text``, in English.

    Those are all of a short question, and of any what a thing has or supports: of that the opening
    of the page, which is over all of it, says nothing.
    """
    if not is_english():
        return False
    goal = Goal(text, pool)
    own = said_terms(goal, line.terms, line.text) | pool.file_terms(line)
    title = frozenset(terms(pool.passages[line.owner].title))
    asked = frozenset(goal.terms) if len(goal.terms) <= FEW_ASKED else frozenset[str]()
    return not (object_of(text) <= own | line.over | title and asked <= own | pool.over(line))


def _may_lack_verb(line: Line, text: str, pool: Pool) -> bool:
    """Whether a word of ``text`` that is neither in ``line`` nor over it may be its verb."""
    goal = Goal(text, pool)
    said = line.terms | line.over | pool.title_terms[line.owner]
    lacking = [word for word in goal.missing(goal.mask(said)) if not goal.names(stem(word))]
    does = _DOES.match(text) is not None
    return any(does or word.endswith("ed") for word in lacking)


def _needed_over(line: Line, text: str, pool: Pool) -> str:
    """Return the label of ``line`` or what leads in to it, where it says some of ``text``."""
    asked = frozenset(terms(text)) - line.terms
    if asked.isdisjoint(line.led) or not is_english():
        return ""
    if line.lead_in:
        return line.lead_in.rstrip(": ")
    return _label_of(line, pool)


def _bears(text: str, goal: Goal, pool: Pool) -> Callable[[Line], bool]:
    """Return what tells whether a line can say what is asked.

    It holds a word of the question that belongs to no name, there or in ``pool``, or two of the
    names. One name weighs nearly all of a short question and leaves open what is asked of it.
    """
    named = {stem(part) for line in pool.lines for name in line.names for part in words(name)}
    plain = frozenset(term for term in goal.terms if term not in named and not goal.names(term))
    asked = [frozenset(map(stem, words(name.text))) for name in names(text)]
    others = [frozenset((term,)) for term in goal.terms if term in named and not goal.names(term)]

    def bears(line: Line) -> bool:
        if goal.mask(said_terms(goal, line.terms, line.text)) & goal.mask(plain):
            return True
        held = sum(name <= line.terms for name in (*asked, *others))
        return held > 1 or not plain

    return bears


def _tells(line: Line) -> bool:
    if line.heading or line.columns or is_statement(line.text) or names_things(line):
        return False
    return not line.text.endswith("?") and not line.text.startswith(("|", "//"))


def _left_out(text: str, told: Sequence[Line], pool: Pool) -> YesNo | None:
    """Return a no where what is asked for is under a heading of what is left out."""
    goal = Goal(text, pool, [term for term in terms(text) if term not in _INCLUSION])
    for line in told:
        under = left_out_by(line, pool)
        if under and goal.share_in(line.terms) >= ASSERTS:
            return YesNo(negation(text).denies, (line,), Ground.SAID, under)
    return None
