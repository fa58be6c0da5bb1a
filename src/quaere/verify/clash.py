"""Where a sentence and the one of its source that is laid next to it cannot both be meant.

Every rule looks at two aligned statements, none at bags of words: at denials clause by clause, at
opposites, figures, comparatives, words of order, reservations and quantifiers. In long sentences
most of what the rules find is a false alarm, so that they keep silent there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import filterfalse
from types import MappingProxyType
from typing import Final, NamedTuple

from quaere.domain.value import Value
from quaere.text.languages.language import Language, cached_by_language, is_english, language_in_use
from quaere.text.languages.phrases import ENGLISH_REASONS
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import QUESTION_MARKS
from quaere.verify.align import (
    Alignment,
    Match,
    Word,
    agrees,
    align,
    clashes,
    content,
    stems,
    turned_share,
)
from quaere.verify.contradiction import (
    NEARLY_SAME,
    denies_one_statement,
    has_figures_elsewhere,
    has_one_figure,
    is_kept_elsewhere,
    is_nearly_same,
    of_one_measure,
    turns_order_alone,
)
from quaere.verify.ground import DENIED, ground, is_within
from quaere.verify.other_languages import (
    demands_more,
    denies_alike,
    drops_reservation,
    is_compared_otherwise,
    is_denied,
    is_ordered_otherwise,
    is_widened,
)
from quaere.verify.parts import (
    are_exchanged,
    counts_something_else,
    is_of_another_part,
    is_of_another_subject,
)
from quaere.verify.quantities import amounts, conflicting, told_amounts
from quaere.verify.rules import modality
from quaere.verify.rules.changes import misstates_change, turns_difference
from quaere.verify.rules.comparisons import compares, compares_the_same_two, comparison, puts_first
from quaere.verify.rules.contrasted import contrasted, is_denied_apart, of_exception
from quaere.verify.rules.converses import passes_on, transfers, turns_direction
from quaere.verify.rules.modality import (
    conditioned,
    demands,
    leaves_open,
    turns_condition,
    turns_scope,
)
from quaere.verify.rules.order import causes, has_other_order, invents, turns_steps
from quaere.verify.rules.quantifiers import (
    bounds_alike,
    has_other_rate,
    is_limit,
    narrows,
    turns_choice,
    turns_limit,
    widens,
)
from quaere.verify.rules.replaced import replaces
from quaere.verify.rules.roles import exchanges, has_other_agent, reconciles

ALIGNED = 0.6
"""Share of a sentence's words that must be aligned before a rule says anything."""
LONGEST = 28
"""Words beyond which a sentence says too much for one that is laid next to it."""
SAYING = 0.65
"""Share aligned from which a short sentence without a clash is held to be what its source says.
Chosen on the first half of the pairs and of those of many kinds."""
PLAIN = 0.5
"""Share of the words besides names that must be aligned then."""
CONFIRMING = 0.75
"""Share from which names and other words count alike."""
SHORT = 16
"""Words up to which a sentence is short."""
WORD_CHARS = 20
"""Characters of a word on average beyond which words are not told apart by spaces."""
TURNING = 0.35
"""Share from which it counts what a line turns. Chosen on the fitted halves of labelled answers."""
AS_NEAR = 0.1
"""How much less than the best a line may be aligned and still speak for the sentence."""


class Kind(StrEnum):
    """What clashes, in words."""

    DENIED = ENGLISH_REASONS.opposite
    FIGURE = ENGLISH_REASONS.figure
    COMPARED = ENGLISH_REASONS.compares
    UNCOMPARED = ENGLISH_REASONS.uncompared
    ORDER = ENGLISH_REASONS.order
    MISPLACED = ENGLISH_REASONS.misplaced
    LABELLED = ENGLISH_REASONS.labelled
    EXCHANGED = ENGLISH_REASONS.exchanged
    NARROWED = ENGLISH_REASONS.narrowed
    RESERVED = ENGLISH_REASONS.reserved
    STRENGTHENED = ENGLISH_REASONS.strengthened
    UNEXPLAINED = ENGLISH_REASONS.unexplained
    LEFT_OPEN = ENGLISH_REASONS.left_open
    WIDENED = ENGLISH_REASONS.widened
    CHOICE = ENGLISH_REASONS.choice
    REPLACED = ENGLISH_REASONS.replaced
    SCOPE = ENGLISH_REASONS.scope


class Clash(Value):
    """A clash of a sentence with its source."""

    kind: Kind
    contradicts: bool
    """Whether the two are so nearly the same that the one contradicts the other."""
    plain: bool = False
    """Whether it counts in a long sentence, too, however likely that is: a line has most of it."""


_SOFT: Final = frozenset(
    {
        Kind.MISPLACED,
        Kind.LABELLED,
        Kind.EXCHANGED,
        Kind.RESERVED,
        Kind.STRENGTHENED,
        Kind.LEFT_OPEN,
        Kind.UNEXPLAINED,
        Kind.UNCOMPARED,
        Kind.WIDENED,
        Kind.SCOPE,
        Kind.CHOICE,
    }
)
"""Kinds that leave open whether the sentence is true."""
_OF_PARTS: Final = frozenset({Kind.MISPLACED, Kind.EXCHANGED})
"""Kinds that may be due to two parts of a sentence that have exchanged something."""


def is_short(text: str) -> bool:
    """Return whether a sentence is so short that rules are seldom wrong in it."""
    return _has_at_most(SHORT, text)


def is_comparable(text: str) -> bool:
    """Return whether a sentence says no more than can be laid next to a line."""
    return _has_at_most(LONGEST, text)


def _has_at_most(number: int, text: str) -> bool:
    """Return whether ``text`` has up to ``number`` words; one without spaces may have many."""
    return len(text) <= number * WORD_CHARS and len(text.split()) <= number


def clash(said: str, lines: Iterable[str], around: Iterable[str]) -> Clash | None:
    """Return how ``said`` clashes with its source; None when it does not.

    Args:
        said: The sentence.
        lines: Sentences of its sources that come near to it.
        around: What stands next to them, such as a title.
    """
    lines, around = tuple(lines), tuple(around)
    if not lines or not is_comparable(said):
        return None
    aligned = _nearest_first(said, lines, stems((*lines, *around)))
    if found := _in_whole(said, lines, aligned):
        return found
    if not is_short(said):
        return None
    return _in_part(said, lines, around)


def _nearest_first(said: str, lines: Iterable[str], near: frozenset[str]) -> list[Alignment]:
    return sorted(
        (aligned_to_line(said, line, near) for line in lines), key=lambda each: -each.share
    )


def _in_whole(said: str, lines: Sequence[str], aligned: Sequence[Alignment]) -> Clash | None:
    """Return how ``said``, taken as one statement, clashes with the lines; else None."""
    found = _in_nearest(said, aligned)
    if (found is None or found.kind in _OF_PARTS) and are_exchanged(said, lines):
        is_plain = _has_figures_to_exchange(said) and is_nearly_same(aligned[0])
        return Clash(kind=Kind.EXCHANGED, contradicts=is_plain, plain=True)
    return found or _in_lines(said, lines, aligned)


def _has_figures_to_exchange(said: str) -> bool:
    return is_short(said) and len([*amounts(ground(said))]) > 1


class _Beside(NamedTuple):
    """A sentence next to all lines that come near to it, of which any may say it."""

    said: str
    lines: Sequence[str]
    aligned: Sequence[Alignment]
    near: Sequence[str]
    """The lines that hold most of it."""

    @property
    def has_one_subject(self) -> bool:
        """Whether it is short, and a line is near enough to say the same."""
        return bool(self.near) and is_short(self.said)

    @property
    def rated(self) -> Sequence[str]:
        """The lines that tell how often: any has its amounts, where it has some."""
        return self.lines if any(amounts(ground(self.said))) else self.near


def _in_lines(said: str, lines: Sequence[str], aligned: Sequence[Alignment]) -> Clash | None:
    """Return how ``said`` clashes with all lines at once, of which any may say it; else None."""
    near = [each.held for each in aligned if each.share >= ALIGNED]
    beside = _Beside(said, lines, aligned, near)
    kind = next((kind for kind, rule in _OF_LINES if rule(beside)), None)
    return Clash(kind=kind, contradicts=False) if kind else None


def _turns_condition(beside: _Beside) -> bool:
    return turns_condition(beside.said, beside.lines) and not any(map(_is_told, beside.aligned))


_OF_LINES: Final[Sequence[tuple[Kind, Callable[[_Beside], bool]]]] = (
    (Kind.FIGURE, lambda each: has_other_rate(each.said, each.rated)),
    (Kind.DENIED, lambda each: is_denied_apart(each.said, each.lines)),
    (Kind.SCOPE, _turns_condition),
    (
        Kind.LABELLED,
        lambda each: each.has_one_subject and is_of_another_subject(each.said, each.lines),
    ),
    (Kind.UNEXPLAINED, lambda each: each.has_one_subject and invents(each.said, each.lines)),
    (Kind.STRENGTHENED, lambda each: bool(each.near) and _says_only(each.said, each.lines)),
    (Kind.UNCOMPARED, lambda each: _is_uncompared(each.said, each.aligned)),
    (Kind.REPLACED, lambda each: is_short(each.said) and replaces(each.aligned)),
)


def _is_told(alignment: Alignment) -> bool:
    """Return whether a line says the same so plainly that no other can turn its condition."""
    if alignment.own < NEARLY_SAME or conditioned(alignment.said, alignment.held) < 0:
        return False
    return _found(alignment) is None


def _says_only(said: str, lines: Iterable[str]) -> bool:
    """Return whether ``said`` says "only" and not the line that has most words of it."""
    if not is_english():
        return False
    own = stems([said])
    return modality.says_only(said, max(lines, key=lambda line: len(own & stems([line]))))


def _is_uncompared(said: str, aligned: Sequence[Alignment]) -> bool:
    if not compares(said) or is_limit(said):
        return False
    return not any(comparison(each) == 1 for each in aligned)


def _in_part(said: str, lines: Sequence[str], around: Iterable[str]) -> Clash | None:
    """Return how one of several statements of ``said`` clashes with the lines; else None."""
    parts = [part for part in _STATEMENT.split(said) if len(content(part)) >= LEAST]
    if len(parts) < 2:
        return None
    near = stems((*lines, *around))
    for part in parts:
        if found := _in_nearest(part, _nearest_first(part, lines, near)):
            return Clash(kind=found.kind, contradicts=False)
    return None


LEAST: Final = 3
"""Words other than stop words that make a part of a sentence a statement."""


def _in_nearest(said: str, aligned: Sequence[Alignment]) -> Clash | None:
    """Return how ``said`` clashes with all the lines that come nearest, first in ``aligned``."""
    if aligned[0].share < ALIGNED:
        return None
    kind = _found_in_all(aligned := of_one_measure(aligned))
    if kind is None or _is_told_elsewhere(kind, aligned):
        return None
    hard = is_short(said) and kind not in _SOFT
    contradicts = hard and _is_plain(kind, aligned[0])
    plain = kind is Kind.MISPLACED and aligned[0].own >= CONFIRMING
    return Clash(kind=kind, contradicts=contradicts, plain=plain)


def _found_in_all(aligned: Sequence[Alignment]) -> Kind | None:
    """Return what the first of the nearest lines objects to, if all of them object."""
    nearest = max(each.own for each in aligned)
    found = [_found(each) for each in aligned if each.own >= nearest - AS_NEAR]
    return None if None in found else found[0]


def _is_plain(kind: Kind, alignment: Alignment) -> bool:
    """Return whether a clash leaves no room for another way of saying the same."""
    demand = _DEMANDS.get(kind)
    if kind is Kind.FIGURE:  # the figure itself is what differs
        alignment = replace(alignment, own=_share_without_amounts(alignment))
    return is_nearly_same(alignment) and (demand is None or demand(alignment))


_DEMANDS: Final[Mapping[Kind, Callable[[Alignment], bool]]] = MappingProxyType(
    {
        Kind.DENIED: denies_one_statement,
        Kind.FIGURE: lambda each: has_one_figure(each) and bounds_alike(each.said, each.held),
        Kind.COMPARED: compares_the_same_two,
        Kind.ORDER: turns_order_alone,
    }
)
"""What has to hold besides, so that a clash is called a contradiction."""


_TOLD_ELSEWHERE: Final[Mapping[Kind, Callable[[Sequence[Alignment]], bool]]] = MappingProxyType(
    {Kind.FIGURE: has_figures_elsewhere, Kind.DENIED: is_kept_elsewhere}
)
"""When a clash with the nearest line is none, since another line says so."""


def _is_told_elsewhere(kind: Kind, aligned: Sequence[Alignment]) -> bool:
    elsewhere = _TOLD_ELSEWHERE.get(kind)
    return elsewhere is not None and elsewhere(aligned)


class Confirmation(StrEnum):
    """How plainly a line says what a sentence says."""

    PLAIN = "plain"
    LIKELY = "likely"
    """Some of its words are others: it may be a paraphrase, and is left in doubt."""


def confirmed(said: str, lines: Iterable[str], around: Iterable[str]) -> Confirmation | None:
    """Return how plainly a line says the same as ``said``, a short sentence; None when none does.

    Nothing that clashes with the line is confirmed by it.
    """
    best = nearest_alignment(said, tuple(lines), around) if is_short(said) else None
    if best is None or not _is_said(best) or _found(best):
        return None
    is_meant = comparison(best) == 1 or transfers(best.said, best.held) > 0
    if not is_meant and not is_of_one_mind(best):
        return None
    return Confirmation.PLAIN if best.share >= CONFIRMING else Confirmation.LIKELY


def nearest_alignment(said: str, lines: Sequence[str], around: Iterable[str]) -> Alignment | None:
    """Return ``said`` next to the one of ``lines`` that has most of it; None without any."""
    near = stems((*lines, *around))
    aligned = (aligned_to_line(said, line, near) for line in lines)
    return max(aligned, key=lambda each: (each.own, each.share), default=None)


def is_of_one_mind(alignment: Alignment) -> bool:
    """Return whether a sentence and the line next to it deny and affirm the same.

    Or both the opposite, where a figure that bounds it is the least in one, the most in the other.
    """
    if way := contrasted(alignment.said, alignment.held):
        return way > 0
    if agrees(alignment) is (turns_limit(alignment.said, alignment.held) >= 0):
        return True
    return conditioned(alignment.said, alignment.held) > 0


def denied_share(said: str, lines: Iterable[str], around: Iterable[str]) -> float:
    """Return the share, 0 to 1, of the aligned words of ``said`` that the nearest line denies.

    Or affirms, where ``said`` denies them. It tells refuting lines where all rules are silent.
    """
    if not is_comparable(said):
        return 0.0
    lines = [*filterfalse(_is_question, lines)]
    near = stems((*lines, *around))
    best = max(
        (aligned_to_line(said, line, near) for line in lines), key=lambda a: a.own, default=None
    )
    if best is None or best.own < TURNING or _turns_for_both(best):
        return 0.0
    passes_alike = transfers(best.said, best.held) > 0
    return turned_share(_without_converses(best) if passes_alike else best)


def _turns_for_both(alignment: Alignment) -> bool:
    """Return whether what is turned has its sides exchanged or its limits turned as well."""
    limit = turns_limit(alignment.said, alignment.held)
    return limit < 0 or comparison(alignment) == 1 or reconciles(alignment)


def _is_said(best: Alignment) -> bool:
    """Return whether enough of a sentence is aligned, and not its names alone."""
    if best.share >= CONFIRMING:
        return True
    names = [(name.start, name.end) for name in ground(best.said).names]
    words = [word for word in best.words if not is_within(word.start, names)]
    return best.share >= SAYING and _share_of(words, best) >= PLAIN


@cached_by_language(maxsize=256)
def aligned_to_line(said: str, line: str, near: frozenset[str]) -> Alignment:
    """Return ``said`` next to the statement of ``line`` that has nearly all of it, else to all.

    "It begins in August and ends in October" has the words of "it ends in August", but no
    statement of it says so.
    """
    whole = align(said, line, near)
    if len(_STATEMENT.split(said)) > 1:
        return whole
    excepted = of_exception(said, line)
    if excepted:
        return align(said, excepted, near)
    parts = [align(said, part) for part in _STATEMENT.split(line) if part.strip()]
    best = max(parts, key=lambda each: each.share, default=whole)
    return best if len(parts) > 1 and best.share >= NEARLY_SAME else whole


_STATEMENT: Final = lazy_regex(r";\s|\s[–—]\s|,?\s+(?:and|but|while|whereas)\s+")


def _found(alignment: Alignment) -> Kind | None:
    """Return the first rule that objects to ``alignment``."""
    language = language_in_use()
    if language is not None:
        return _found_in(language, alignment)
    compared = comparison(alignment)
    if compared is not None:
        return Kind.COMPARED if compared < 0 else None
    if _is_question(alignment.held):
        return None
    return next((kind for kind, rule in _RULES if rule(alignment)), None)


def _found_in(language: Language, alignment: Alignment) -> Kind | None:
    """Return the first of the rules that hold in another language than English."""
    if alignment.held.rstrip().endswith(QUESTION_MARKS):
        return None
    return next((kind for kind, rule in _RULES_IN if rule(language, alignment)), None)


def _is_denied_in(language: Language, alignment: Alignment) -> bool:
    said, held = alignment.said, alignment.held
    passed = transfers(said, held)
    if passed <= 0 and is_denied(language, said, held):
        return True
    return not passed and _is_opposed(language, alignment)


def _is_opposed(language: Language, alignment: Alignment) -> bool:
    """Return whether ``alignment`` has an opposite, and both its sides deny, or neither does."""
    said, held = alignment.said, alignment.held
    if not denies_alike(language, said, held) or re.search(f"(?i){language.than}", said):
        return False
    return any(match.opposite and match.said.weight == 1 for match in alignment.matches)


def _is_passed_on_otherwise(alignment: Alignment) -> bool:
    passed = transfers(alignment.said, alignment.held)
    if passed:
        return passed < 0
    return alignment.share >= NEARLY_SAME and turns_direction(alignment)


def _is_question(line: str) -> bool:
    return line.rstrip().endswith("?")


def _is_denied(alignment: Alignment) -> bool:
    said, held = alignment.said, alignment.held
    if way := contrasted(said, held):
        return way < 0
    passes_alike = transfers(said, held) > 0
    left = _without_converses(alignment).matches
    if passes_alike and _are_denied(left):
        return True  # "bought from" is not denied by "sold to", but by "never sold to"
    if not clashes(alignment) or reconciles(alignment) or _denies_by_limit(said, held):
        return False
    return not passes_alike or any(match.sign < 0 and match.opposite for match in left)


def _are_denied(matches: Sequence[Match]) -> bool:
    """Return whether one side denies all of ``matches``, and no two of them are opposites.

    What is said to lack something is left out.
    """
    return bool(matches) and all(
        match.sign < 0 and not match.opposite for match in matches if not match.is_owner
    )


def _denies_by_limit(said: str, held: str) -> bool:
    """Return whether one side denies what the other limits, as in "not below 5", "5 or more"."""
    return turns_limit(said, held) < 0 or conditioned(said, held) > 0


def _without_converses(alignment: Alignment) -> Alignment:
    """Return ``alignment`` without opposites that say the same from the other end."""
    left = (m for m in alignment.matches if not (m.opposite and passes_on(m.said.stem)))
    return replace(alignment, matches=tuple(left))


def _is_role_exchanged(alignment: Alignment) -> bool:
    passed = transfers(alignment.said, alignment.held)
    if passed:
        return passed < 0
    if alignment.share < NEARLY_SAME or alignment.own < CONFIRMING:
        return False
    if alignment.held.startswith(DENIED):  # its words are in no order
        return False
    return exchanges(alignment) < 0 or turns_direction(alignment)


def _is_misplaced(alignment: Alignment) -> bool:
    """Return whether the source has the figure of a sentence next to another label.

    As in "adults pay 8 euros, students 5 euros", of which "students pay 8 euros" names the one
    label and the other figure.
    """
    said, held = alignment.said, alignment.held
    if not is_short(said) or re.search(r"(?i)\bthan\b|\bals\b", said):
        return False
    return is_of_another_part(said, held)


def _has_other_figure(alignment: Alignment) -> bool:
    if _share_without_amounts(alignment) < CONFIRMING:
        return False
    return conflicting(ground(alignment.said), ground(alignment.held))


def _share_without_amounts(alignment: Alignment) -> float:
    """Return the share of the words other than amounts that is laid next to the source's."""
    told = [(each.start, each.end) for each in told_amounts(alignment.said, alignment.held)]
    words = [word for word in alignment.words if not is_within(word.start, told)]
    return _share_of(words, alignment)


def _share_of(words: Sequence[Word], alignment: Alignment) -> float:
    """Return the share of ``words`` that is laid next to the source's, by their weights."""
    laid_next = {match.said: match.weight for match in alignment.matches}
    whole = sum(word.weight for word in words)
    return sum(w.weight * laid_next.get(w, 0.0) for w in words) / whole if whole else 1.0


_RULES: Final[Sequence[tuple[Kind, Callable[[Alignment], bool]]]] = (
    (Kind.FIGURE, _has_other_figure),
    (Kind.FIGURE, misstates_change),
    (Kind.ORDER, has_other_order),
    (Kind.ORDER, turns_difference),
    (Kind.ORDER, lambda each: turns_steps(each.said, each.held)),
    (Kind.DENIED, _is_denied),
    (Kind.SCOPE, modality.turns_only),
    (Kind.MISPLACED, _is_misplaced),
    (Kind.MISPLACED, lambda each: counts_something_else(each.said, each.held)),
    (Kind.EXCHANGED, lambda each: causes(each.said, each.held) < 0),
    (Kind.EXCHANGED, _is_role_exchanged),
    (Kind.EXCHANGED, has_other_agent),
    (Kind.SCOPE, turns_scope),
    (Kind.CHOICE, turns_choice),
    (Kind.WIDENED, widens),
    (Kind.NARROWED, narrows),
    (Kind.STRENGTHENED, modality.strengthens),
    (Kind.STRENGTHENED, demands),
    (Kind.STRENGTHENED, lambda each: puts_first(each.said, each.held)),
    (Kind.LEFT_OPEN, leaves_open),
    (Kind.RESERVED, modality.drops_reservation),
)
_RULES_IN: Final[Sequence[tuple[Kind, Callable[[Language, Alignment], bool]]]] = (
    (Kind.FIGURE, lambda _, each: _has_other_figure(each)),
    (Kind.COMPARED, lambda language, each: is_compared_otherwise(language, each.said, each.held)),
    (Kind.ORDER, lambda language, each: is_ordered_otherwise(language, each.said, each.held)),
    (Kind.DENIED, _is_denied_in),
    (Kind.MISPLACED, lambda _, each: _is_misplaced(each)),
    (Kind.EXCHANGED, lambda _, each: causes(each.said, each.held) < 0),
    (Kind.EXCHANGED, lambda _, each: _is_passed_on_otherwise(each)),
    (Kind.WIDENED, lambda language, each: is_widened(language, each.said, each.held)),
    (Kind.STRENGTHENED, lambda language, each: demands_more(language, each.said, each.held)),
    (Kind.RESERVED, lambda language, each: drops_reservation(language, each.said, each.held)),
)
"""Those that hold in another language than English."""
