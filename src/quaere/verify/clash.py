"""Where a sentence and the one of its source that is laid next to it cannot both be meant.

Every rule looks at two aligned statements, none at bags of words: at denials clause by clause, at
opposites, figures, comparatives, words of order, reservations and quantifiers. In long sentences
most of what the rules find is a false alarm, so that they keep silent there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from itertools import permutations
from typing import Final

from quaere.domain.value import Value
from quaere.text.languages.language import Language, cached_by_language, spoken
from quaere.text.lexicon import ONES
from quaere.verify.align import (
    Alignment,
    agrees,
    align,
    clashes,
    content,
    stems,
)
from quaere.verify.ground import ground
from quaere.verify.likeness import has_opposite, likeness, root
from quaere.verify.other_languages import (
    drops_reservation,
    is_compared_otherwise,
    is_denied,
    is_widened,
)
from quaere.verify.quantities import amounts, conflicting, same_kind, told_amounts
from quaere.verify.roles import exchanges, reconciles, transfers, turns_direction

ALIGNED = 0.6
"""Share of a sentence's words that must be aligned before a rule says anything."""
LONGEST = 28
"""Words beyond which a sentence says too much for one that is laid next to it."""
NEARLY_SAME = 0.85
"""Share aligned from which a clash is a contradiction, in a short sentence."""
CONFIRMING = 0.75
"""Share aligned from which a short sentence without a clash is held to be what its source says."""
SHORT = 16
"""Words up to which a sentence is short."""
AS_NEAR = 0.1
"""How much less than the best a line may be aligned and still speak for the sentence."""


class Kind(StrEnum):
    """What clashes, in words."""

    DENIED = "says the opposite of its source"
    FIGURE = "its source has another figure there"
    COMPARED = "compares the other way round than its source"
    ORDER = "has another order than its source"
    MISPLACED = "its source says this figure of something else"
    EXCHANGED = "exchanges what its source says of the one and of the other"
    NARROWED = "says it of less than its source does"
    RESERVED = "its source says so with a reservation"
    STRENGTHENED = "says it more strongly than its source"
    WIDENED = "says it of more than its source does"


class Clash(Value):
    """A clash of a sentence with its source."""

    kind: Kind
    contradicts: bool
    """Whether the two are so nearly the same that the one contradicts the other."""


_SOFT: Final = frozenset(
    {Kind.MISPLACED, Kind.EXCHANGED, Kind.RESERVED, Kind.STRENGTHENED, Kind.WIDENED}
)
"""Kinds that leave open whether the sentence is true."""

_HEDGE: Final = re.compile(
    r"\b(?:may(?! not)|might|could(?! not)|suggest(?:s|ed)?|expect(?:s|ed)?|plans? to|planned"
    r"|propos(?:es?|ed)"
    r"|intend(?:s|ed)?|aim(?:s|ed)?|allege[ds]?|allegedly|reportedly|possibly|perhaps|probably"
    r"|presumably|apparently|likely|unclear|believed?|thought|rumou?red|said to|claim(?:s|ed)?"
    r"|associated|tentative(?:ly)?|appears?|seems?|hop(?:es?|ed))\b|^If\b|, if\b"
)
_ALLOWS: Final = re.compile(r"\b(?:can|could|allow\w*|permit\w*|up to|at most)\b", re.IGNORECASE)
_STRONG: Final = re.compile(
    r"\b(?:prove[sdn]?|proof|certain(?:ly)?|definitely|undoubtedly|always|caus(?:es?|ed)|guarantee\w*"
    r"|demonstrat\w+|must|conclusively|ensur\w+|every time)\b",
    re.IGNORECASE,
)
_WIDE: Final = re.compile(
    r"\b(?:all|every|everyone|everybody|each|always|none|only|entire(?:ly)?|whole|completely|fully"
    r"|exclusively|throughout|everywhere)\b",
    re.IGNORECASE,
)
_NARROW: Final = re.compile(
    r"\b(?:some|many|several|most|mostly|few|a few|up to|parts? of|partly|partial(?:ly)?|sometimes"
    r"|often|usually|mainly|largely|half|majority|nearly|almost|occasionally|certain"
    r"|two of|one of)\b",
    re.IGNORECASE,
)
_QUALIFIED: Final = re.compile(
    r"(?i)\b(?:nearly|almost|virtually|practically|not) (?:all|every|each|always|everyone|whole)\b"
)
_FEW: Final = re.compile(r"(?i)\b(?<!\ba )(?:few|hardly any|seldom|rarely|a minority)\b")
_MANY: Final = re.compile(r"(?i)\b(?:many|most|often|a majority|numerous|all|every)\b")
_ORDERS: Final = (
    (r"before|prior to|ahead of|preced\w+", r"after|following|later than|succeed(?:s|ed)"),
    (r"until|till|up to", r"since|from"),
    (r"above|over|exceed\w*", r"below|under|beneath"),
    (r"inside|within", r"outside|beyond"),
    (r"at least|no less than|no fewer than|minimum", r"at most|no more than|maximum|up to"),
    (r"BCE?|B\.C\.", r"AD|CE|A\.D\."),
    (r"earliest|(?<!comes )first|oldest", r"(?<!at the )latest|last|newest|youngest"),
    (r"upstream", r"downstream"),
    (r"clockwise", r"anti-?clockwise|counter-?clockwise"),
)
_TIMED: Final = re.compile(rf"(?i)\b(?:before|after) (?:\d|an?\b|(?:{'|'.join(ONES)})\b)")
"""How long it takes: "deleted after two weeks" puts nothing in order."""
_TURNABLE: Final = 1
"""Of the pairs above the first alone relate two things that may be named in either order."""


def clash(said: str, lines: Iterable[str], around: Iterable[str]) -> Clash | None:
    """Return how ``said`` clashes with its source; None when it does not.

    Args:
        said: The sentence.
        lines: Sentences of its sources that come near to it.
        around: What stands next to them, such as a title.
    """
    lines = tuple(lines)
    near = stems((*lines, *around))
    if len(said.split()) > LONGEST:
        return None
    aligned = sorted((laid(said, line, near) for line in lines), key=lambda each: -each.share)
    if not aligned or aligned[0].share < ALIGNED:
        return None
    nearest = max(each.own for each in aligned)
    rivals = [each for each in aligned if each.own >= nearest - AS_NEAR]
    found = [_found(each) for each in rivals]
    kind = found[0]
    if kind is None or None in found:
        return None
    if kind is Kind.FIGURE and _is_told_elsewhere(aligned):
        return None
    short = len(said.split()) <= SHORT and aligned[0].share >= NEARLY_SAME
    return Clash(kind=kind, contradicts=short and kind not in _SOFT)


_ELSEWHERE: Final = 0.4
"""Share aligned from which another line that has the figures of a sentence may be what it says."""


def _is_told_elsewhere(aligned: Sequence[Alignment]) -> bool:
    return any(
        each.own >= _ELSEWHERE and all(a.told for a in told_amounts(each.said, each.held))
        for each in aligned
    )


def confirmed(said: str, lines: Iterable[str], around: Iterable[str]) -> bool:
    """Return whether a line says nearly the same as ``said``, a short sentence, without a clash."""
    lines = tuple(lines)
    near = stems((*lines, *around))
    aligned = [laid(said, line, near) for line in lines] if len(said.split()) <= SHORT else []
    best = max(aligned, key=lambda each: (each.own, each.share), default=None)
    if best is None or best.share < CONFIRMING or _found(best):
        return False
    if _comparison(best) == 1 or transfers(best.said, best.held) > 0:
        return True
    return agrees(best) or _limits_alike(best)


@cached_by_language(maxsize=256)
def laid(said: str, line: str, near: frozenset[str]) -> Alignment:
    """Return ``said`` next to the statement of ``line`` that has nearly all of it, else to all.

    "It begins in August and ends in October" has the words of "it ends in August", but no
    statement of it says so.
    """
    whole = align(said, line, near)
    if len(_STATEMENT.split(said)) > 1:
        return whole
    excepted = _excepted(said, line)
    if excepted:
        return align(said, excepted, near)
    parts = [align(said, part) for part in _STATEMENT.split(line) if part.strip()]
    best = max(parts, key=lambda each: each.share, default=whole)
    return best if len(parts) > 1 and best.share >= NEARLY_SAME else whole


_EXCEPT: Final = re.compile(
    r"(?P<who>),?\s(?:but not|unless|except(?: for| when| if)?|other than)\s"
)
_ELLIPTIC: Final = re.compile(
    r"(?i)[;,]\s+(?:but |and |while |whereas )?(?P<who>[^;,]+?)\s"
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would)(?:n['’]t| ?not)"
    r"(?=\s*(?:[.;,]|$))"
)
"""A denial that leaves out what it denies: "the export to text does not"."""

_EXCEPTIVE: Final = re.compile(
    r"(?i)\b(?:but not|unless|except|without|other than|if no|only|any other)\b"
)


def _excepted(said: str, line: str) -> str:
    """Return what ``line`` says about its exception, where ``said`` speaks of that; else nothing.

    "It hides warnings but not errors" says of errors that it does not hide them.
    """
    match = _EXCEPT.search(line) or _ELLIPTIC.search(line)
    if match is None:
        return ""
    rule, rest = line[: match.start()], match["who"] or line[match.end() :]
    apart = stems([rest]) - stems([rule])
    if not apart or _EXCEPTIVE.search(said):
        return ""
    if 2 * len(apart & stems([said])) < len(apart):
        return ""
    return _CLAUSES.sub(" ", f"{_LEFT_OUT}{rule} {rest}")


_LEFT_OUT: Final = "not "
"""Begins what a line leaves out; the words that follow are in no order."""


_CLAUSES: Final = re.compile(r"[,;:()–—]")


def _labels(text: str) -> frozenset[str]:
    """Return the stems of what does not belong to an amount."""
    spans = [(n.start, n.end) for n in amounts(ground(text))]
    return frozenset(
        word.stem
        for word in content(text)
        if not any(start <= word.start < end for start, end in spans)
    )


_STATEMENT: Final = re.compile(r";\s|\s[–—]\s|,?\s+(?:and|but|while|whereas)\s+")


def _found(alignment: Alignment) -> Kind | None:
    """Return the first rule that objects to ``alignment``."""
    language = spoken()
    if language is not None:
        return _found_in(language, alignment)
    compared = _comparison(alignment)
    if compared is not None:
        return Kind.COMPARED if compared < 0 else None
    if _is_question(alignment.held):
        return None
    return next((kind for kind, rule in _RULES if rule(alignment)), None)


def _found_in(language: Language, alignment: Alignment) -> Kind | None:
    """Return the first of the rules that hold in another language than English."""
    said, held = alignment.said, alignment.held
    if held.rstrip().endswith(("?", "？")):
        return None
    if _has_other_figure(alignment):
        return Kind.FIGURE
    if is_compared_otherwise(language, said, held):
        return Kind.COMPARED
    if is_denied(language, said, held) and transfers(said, held) <= 0:
        return Kind.DENIED
    if _is_misplaced(alignment):
        return Kind.MISPLACED
    if transfers(said, held) < 0 or (alignment.share >= NEARLY_SAME and turns_direction(alignment)):
        return Kind.EXCHANGED
    if is_widened(language, said, held):
        return Kind.WIDENED
    return Kind.RESERVED if drops_reservation(language, said, held) else None


def _is_question(line: str) -> bool:
    return line.rstrip().endswith("?")


def _comparison(alignment: Alignment) -> int | None:
    """Return 1 where both compare the same way, -1 where not, None where either does not compare.

    "A is older than B" and "B is younger than A" compare the same way.
    """
    said, held = _sides(alignment.said), _sides(alignment.held)
    if said is None or held is None:
        return None
    order = _direction(said[0], said[1], held[0], held[1])
    word = _word_order(said[2], held[2])
    return order * word if order and word else None


def _sides(text: str) -> tuple[frozenset[str], frozenset[str], str] | None:
    """Return the stems before and behind "than", and the word that compares."""
    text = _EXCEEDS.sub(" more than", _TIMES.sub(_as_comparative, text))
    at = re.search(r"\bthan\b", text, re.IGNORECASE)
    if at is None or any(0 <= number.start - at.end() <= 1 for number in ground(text).numbers):
        return None  # "more than two months" compares no two things
    before, behind = text[: at.start()], text[at.end() :]
    words = re.findall(r"\w+", before)
    comparing = [n for n, w in enumerate(words) if w.lower() in _DEGREES or w.endswith("er")]
    if not comparing:
        return None
    word = words[comparing[-1]].lower()
    adjective = words[comparing[-1] + 1 :] if word in _DEGREES else []
    if len(adjective) == 1 and _is_adjective(adjective[0].lower()):
        word = f"{'' if word == 'more' else 'less '}{adjective[0].lower()}"
    return stems([before]), stems([behind]), word


_TIMES: Final = re.compile(
    r"(?i)\b(?:(?P<part>half|not)|twice|thrice|[\w.]+ times) as (?P<degree>\w+) as\b"
)
_MORE: Final = frozenset({"more", "greater", "larger", "higher", "bigger"})
_LESS: Final = frozenset({"less", "fewer", "smaller", "lower"})
_DEGREES: Final = frozenset({"more", "less", "fewer"})
_LONG: Final = frozenset(
    ("expensive", "costly", "difficult", "dangerous", "harmful", "frequent", "common", "modern")
)
"""Adjectives that are compared by "more"."""


def _as_comparative(match: re.Match[str]) -> str:
    degree = match["degree"]
    return f"less {degree} than" if match["part"] else f"{degree}er than"


def _is_adjective(word: str) -> bool:
    return word in _LONG or any(has_opposite(root(word + end)) for end in ("er", "r"))


_EXCEEDS: Final = re.compile(r"(?i)\s(?:outnumber|exceed|surpass|outweigh|outlast|outperform)\w*")


def _direction(
    before: frozenset[str], behind: frozenset[str], other: frozenset[str], last: frozenset[str]
) -> int:
    """Return 1 where the two things are on the same sides, -1 where they are exchanged, else 0."""
    shared = before & behind | other & last
    crossed = len((before & last) - shared) + len((behind & other) - shared)
    if crossed:
        return -1
    return 1 if (behind & last) - shared else 0


def _word_order(a: str, b: str) -> int:
    if a == b:
        return 1
    turned = a.startswith("less ") is not b.startswith("less ")
    a, b = a.removeprefix("less "), b.removeprefix("less ")
    if a == b:
        return -1 if turned else 1
    if {a, b} & _DEGREES and {a, b} <= _MORE | _LESS:
        return 1 if (a in _MORE) is (b in _MORE) is not turned else -1
    weight, opposite = likeness(root(a), root(b))
    if not weight:
        return 0
    return -1 if opposite is not turned else 1


_AT_MOST: Final = re.compile(
    r"(?i)\b(?:at most|up to|maximum|no \w+ than|limit\w*"
    r"|(?:not|n['’]t|cannot) (?:\w+ ){0,2}?(?:more|\w+er) than)\b"
)


def _limits_alike(alignment: Alignment) -> bool:
    """Return whether both set a limit: "may not be higher than two" and "two at most"."""
    return all(_AT_MOST.search(text) for text in (alignment.said, alignment.held))


def _is_denied(alignment: Alignment) -> bool:
    if not clashes(alignment) or reconciles(alignment) or _limits_alike(alignment):
        return False
    return transfers(alignment.said, alignment.held) <= 0


def _is_role_exchanged(alignment: Alignment) -> bool:
    passed = transfers(alignment.said, alignment.held)
    if passed:
        return passed < 0
    if alignment.share < NEARLY_SAME or alignment.own < CONFIRMING:
        return False
    if alignment.held.startswith(_LEFT_OUT):
        return False
    return exchanges(alignment) < 0 or turns_direction(alignment)


_SEGMENT: Final = re.compile(
    r"(?:[,;:](?!\d)|[、，；]|\s[–—])\s*|(?<=\d{4})\sto\s(?=[$€£]?\d)"
    r"|\s(?:and|or|but|while|whereas|und|oder|während|et|ou|tandis que|y|o|mientras que|e|mentre"
    r"|en|of|terwijl|enquanto)\s"
)


def _is_misplaced(alignment: Alignment) -> bool:
    """Return whether the source has the figure of a sentence next to another label.

    As in "adults pay 8 euros, students 5 euros", of which "students pay 8 euros" names the one
    label and the other figure.
    """
    said, held = alignment.said, alignment.held
    if len(said.split()) > SHORT or re.search(r"(?i)\bthan\b|\bals\b", said):
        return False
    parts = [part for part in _SEGMENT.split(held) if part]
    own = stems([said])
    return any(
        _is_labelled_otherwise(own, part, other)
        for part, other in permutations(parts, 2)
        if same_kind(ground(said), ground(part), ground(other))
    )


def _is_labelled_otherwise(own: frozenset[str], part: str, other: str) -> bool:
    """Return whether ``own`` names all that labels ``other``, and not all of ``part``."""
    mine, theirs = (_labels(text) for text in (part, other))
    here, there = mine - theirs, theirs - mine
    if not there & own:
        return False
    return not here & own or (there <= own and not here <= own)


def _has_other_figure(alignment: Alignment) -> bool:
    if _share_without_amounts(alignment) < CONFIRMING:
        return False
    return conflicting(ground(alignment.said), ground(alignment.held))


def _share_without_amounts(alignment: Alignment) -> float:
    """Return the share of the words other than amounts that is laid next to the source's."""
    told = told_amounts(alignment.said, alignment.held)
    words = [w for w in alignment.words if not any(a.start <= w.start < a.end for a in told)]
    laid_next = {match.said: match.weight for match in alignment.matches}
    whole = sum(word.weight for word in words)
    return sum(w.weight * laid_next.get(w, 0.0) for w in words) / whole if whole else 1.0


def _has_other_order(alignment: Alignment) -> bool:
    said, held = alignment.said, alignment.held
    for place, pair in enumerate(_ORDERS):
        here = [_says(said, words, place) for words in pair]
        there = [_says(held, words, place) for words in pair]
        if place < _TURNABLE and _TIMED.search(said):
            continue
        if (
            place < _TURNABLE
            and here == there != [False, False]
            and _is_exchanged(said, held, pair)
        ):
            return True
        if here in ([True, False], [False, True]) and there == here[::-1]:
            if place < _TURNABLE and _is_exchanged(said, held, pair):
                continue
            return True
    return False


def _says(text: str, words: str, place: int) -> bool:
    flags = 0 if "BC" in _ORDERS[place][0] else re.IGNORECASE
    return re.search(rf"\b(?:{words})(?!\w)", text, flags) is not None


def _is_exchanged(said: str, held: str, pair: Sequence[str]) -> bool:
    """Return whether the two things around a word of order have changed places, too."""
    either = re.compile(rf"\b(?:{pair[0]}|{pair[1]})\b", re.IGNORECASE)
    mine, theirs = either.split(said, maxsplit=1), either.split(held, maxsplit=1)
    if not mine[0].strip():  # "After the war, it closed" begins with what came first
        behind = re.split(r",", mine[-1], maxsplit=1)
        mine = behind[::-1]
    if not theirs[0].strip():
        behind = re.split(r",", theirs[-1], maxsplit=1)
        theirs = behind[::-1]
    if len(mine) < 2 or len(theirs) < 2:
        return False
    before, behind = stems([mine[0]]), stems([mine[1]])
    other, last = stems([theirs[0]]), stems([theirs[1]])
    both = before & last and behind & other  # one that moves alone is said of either
    return bool(both) and _direction(before, behind, other, last) < 0


def _drops_reservation(alignment: Alignment) -> bool:
    # "May" allows as well as doubts; "can" and "up to" keep what is allowed.
    return _only_in(_HEDGE, alignment.held, alignment.said) and not _ALLOWS.search(alignment.said)


def _is_strengthened(alignment: Alignment) -> bool:
    return _only_in(_STRONG, alignment.said, alignment.held)


def _is_widened(alignment: Alignment) -> bool:
    said, held = alignment.said, _QUALIFIED.sub("most", alignment.held)
    if _only_in(_MANY, said, held) and _only_in(_FEW, held, said):
        return True
    if _WIDE.search(held):
        return False
    return _is_first(_WIDE, _NARROW, said) and _is_first(_NARROW, _WIDE, held)


def _is_first(words: re.Pattern[str], others: re.Pattern[str], text: str) -> bool:
    """Return whether one of ``words`` comes before all of ``others``."""
    found, other = words.search(text), others.search(text)
    return found is not None and (other is None or found.start() < other.start())


def _is_narrowed(alignment: Alignment) -> bool:
    held = _QUALIFIED.sub("most", alignment.held)
    return _only_in(_PART, alignment.said, held) and _WIDE.search(held) is not None


_PART: Final = re.compile(
    r"(?i)\b(?:only (?:some|a few|few|parts?|one|two)|not (?:all|every\w*|always))\b"
)


def _only_in(words: re.Pattern[str], one: str, other: str) -> bool:
    return words.search(one) is not None and words.search(other) is None


_RULES: Final[Sequence[tuple[Kind, Callable[[Alignment], bool]]]] = (
    (Kind.FIGURE, _has_other_figure),
    (Kind.ORDER, _has_other_order),
    (Kind.DENIED, _is_denied),
    (Kind.MISPLACED, _is_misplaced),
    (Kind.EXCHANGED, _is_role_exchanged),
    (Kind.WIDENED, _is_widened),
    (Kind.NARROWED, _is_narrowed),
    (Kind.STRENGTHENED, _is_strengthened),
    (Kind.RESERVED, _drops_reservation),
)
