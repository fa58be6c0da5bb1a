"""Lays a sentence next to one of its source, word by word, with what each of them denies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, NamedTuple

from quaere.text.facts import undenied_in_code
from quaere.text.languages.language import cached_by_language, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import Token, fold, stop_words, tokenize
from quaere.verify.ground import is_within
from quaere.verify.likeness import has_opposite, likeness, root
from quaere.verify.quantities import Told, told_amounts

_LIGHT_WORDS: Final = """
allow allowed permit permitted possible able get got take taken make made put keep kept go goes gone
went come comes came give given find found hold held bring brought use used stand stood lie lies lay
exist exists offer offers have become became remain remained happen happened occur occurred place
located situated slightly little somewhat rather quite very much far really already about roughly
approximately around some certain people person someone anyone lot number amount way thing case
still even according
"""
_LIGHT_WEIGHT: Final = 0.4
_MODAL: Final = frozenset(
    ("may", "might", "can", "could", "must", "shall", "should", "will", "would", "ought")
)
MONTH_OF_MAY: Final = "month_may"
"""What "May" is compared as, so that it counts as other months do."""
_ELSEWHERE: Final = 0.75
"""What a word counts that another sentence of the same place has."""

_CUT: Final = lazy_regex(
    r"[,;:()–—|]|\b(?:but|although|though|which|who|because|while|whereas|however|if|when)\b"
    r"|(?<=[a-z]\.)\s(?=(?-i:[A-Z]))"  # two sentences, separated by an abbreviation
    r"|\band (?=(?:can|may|must|will|is|are|was|were|has|have|had|does|do|did)\b)"
    r"|\bthat (?=(?:is|are|was|were)\b)",
    re.IGNORECASE,
)
_DENIED_LIST: Final = lazy_regex(
    r"(?i)\b(?:no|without) [\w-]+(?:, [\w-]+)+,? (?:or|nor|and) [\w-]+"
)
"""What "in no log, trace or export" denies is one clause."""
_LEAD: Final = lazy_regex(
    r"(?i)\W*(?:in|on|at|from|between|during|since|until|till|for|by|within|under|over|through"
    r"|throughout|as of|every|each|last|next)\s[^,;:()–—]{1,40},"
)
"""When or where, with which a clause begins: it says nothing by itself."""
_DENIAL: Final = lazy_regex(r"not|never|none|no|neither|nor|cannot|nobody|nothing|hardly|.+n't")
_FOLLOWING: Final = lazy_regex(
    r"den(?:y|ies|ied|ying)|refus(?:e|es|ed|al|ing)|lack\w*|absence"
    r"|unable|unlikely|prohibit\w*|ban(?:s|ned)?|prevent\w*|forbid\w*|forbade|forbidden|absent"
    r"|avoid\w*|cease[sd]?|withh[eo]ld\w*|waiv(?:e[sd]?|ing)|false|myth|impossible|skip\w*|omit\w*"
)
_FOLLOWING_WITH: Final[Sequence[tuple[re.Pattern[str], str]]] = (
    (lazy_regex(r"fail(?:s|ed|ing|ure)?|declin(?:e|es|ed|ing)"), "to"),
    (
        lazy_regex(r"(?:exclud|exempt|barr|excus|refrain|abstain|abstention)(?:e[ds]?|s|ing)?"),
        "from",
    ),
)
"""Deny what follows with a word behind them; a pump that fails denies nothing."""
_NO_DENIAL: Final = lazy_regex(
    r"(?i)\bnot (?:only|just|merely|simply|least|all|every\w*|each|always|necessarily)\b"
    r"|\bnot long(?= (?:after|before|ago)\b)"
    r"|\bno (?:more|less|fewer|longer|later) than\b"
    r"|\bno doubt\b|\A\s*(?:no|yes)\s*[,.;:!–—]"
)
_BOUNDED: Final = lazy_regex(
    r"(?i)\b(?:(?:not|never|no|nothing|nobody|none|cannot)\b|refus(?:e|es|ed) to\b|\w+n['’]t\b)"
    r"(?=[^,;:.]{1,80}\b(?:(?:until|till)\b|before \d)| before\s*[.;]?\s*\Z)"
)
"""Denies only up to a point: "not until May" says that from May on it is. What was not repaired
before the winter need not have been repaired later."""
_UP_TO_A_POINT: Final = lazy_regex(r"(?i)\b(?:until|till|before)\b")
_SAME: Final = lazy_regex(
    r"(?i)\b(?:(?:remain|stay)(?:s|ed|ing)?|(?:is|are|was|were) still) the same\b(?! as)"
)
_FRAMING: Final = lazy_regex(
    r"(?i)\b(?:at (?:least|most)|as well as"
    r"|(?:(?:great|vast|overwhelming) )?(?:majority|minority) of|(?:large|small) number of"
    r"|(?:(?:great|large|small)(?:er)? )?(?:parts?|half|whole) of(?= (?:the|its|his|her|their)\b)"
    r"|(?<=the )(?:whole|entire)|entirely)\b"
)
"""What bounds, joins or tells how many, and is compared for that: not a word of what is said."""
_PHRASES: Final[Sequence[tuple[re.Pattern[str], str]]] = tuple(
    (lazy_regex(rf"(?i)\b(?:{verbs}) (?:(?:it|them|this|that) )?{particle}\b"), single)
    for verbs, particle, single in (
        ("turn(?:s|ed|ing)?|vot(?:es|ed|ing)", "down", "reject"),
        ("giv(?:es|ing)|give|gave|given|send(?:s|ing)?|sent|hand(?:s|ed|ing)?", "back", "return"),
        ("tak(?:es|ing)|take|took|taken|bring(?:s|ing)?|brought", "back", "return"),
        ("pa(?:y|ys|id|ying)", "back", "repay"),
        ("shut(?:s|ting)?|clos(?:es|ed|ing)", "down", "close"),
        ("shut(?:s|ting)?", "off", "stop"),
        ("put(?:s|ting)?", "off", "delay"),
        ("call(?:s|ed|ing)?", "off", "cancel"),
        ("carr(?:y|ies|ied|ying)", "out", "perform"),
        ("set(?:s|ting)?", "up", "founds"),
        ("find(?:s|ing)?|found", "out", "learn"),
        ("throw(?:s|ing)?|threw|thrown", "(?:away|out)", "discard"),
        ("do(?:es|ne)?|did", "away with", "abolish"),
        ("get(?:s|ting)?|got", "rid of", "remove"),
        ("tear(?:s|ing)?|tore|torn|pull(?:s|ed|ing)?", "down", "raze"),
        ("break(?:s|ing)?|broke|broken", "down", "fail"),
        ("use[sd]?|using", "up", "consume"),
        ("look(?:s|ed|ing)?", "after", "guard"),
        ("go(?:es|ing|ne)?|went", "up(?= (?:by|to|from|in))", "rise"),
        ("go(?:es|ing|ne)?|went", "down(?= (?:by|to|from|in))", "fall"),
    )
)
"""Verbs with a particle, each with a form no longer than it of a verb that says the same."""
_PARTICLE: Final = lazy_regex(r"\b(?:down|back|off|out|up|away|after|rid)\b")
_HAVING: Final = lazy_regex(
    r"ha(?:ve|s|d|ving)|with|carr(?:y|ies|ied|ying)|contain(?:s|ed|ing)?|bears?|needs?|wants?|shows?"
)
"""What "no" denies after one of these is what is had, and not what is said of who has it:
"requests that carry no token are refused"."""
_HAD: Final = frozenset(map(root, ("have", "carry", "contain", "bear", "need", "want", "show")))
_ENDS_WITHOUT: Final = _MODAL | {"that", "which", "who", "whose"}
"""What follows one of these is not what something is without: "a page without scripts that …"."""
BE: Final = frozenset({"be", "been", "being", "is", "are", "was", "were"})
_TELLING: Final = BE | _MODAL
"""Verbs with which something is said of who has or lacks a thing."""


@cached_by_language(maxsize=16)
def _light() -> frozenset[str]:
    """Return the words that a paraphrase exchanges most easily, and that tell least, as stems."""
    language = language_in_use()
    words = language.light if language else frozenset(_LIGHT_WORDS.split())
    return frozenset(map(root, words))


@dataclass(frozen=True, slots=True)
class Word:
    """A word that is not a stop word."""

    stem: str
    start: int
    clause: int
    sign: int
    """-1 where its clause denies it, else 1."""
    lacks: bool = False
    """Whether it precedes a verb that denies what follows: the archive that "lacks a door"."""

    @property
    def weight(self) -> float:
        """How much of what its sentence says it carries, against other words."""
        return _LIGHT_WEIGHT if self.stem in _light() else 1.0


class Match(NamedTuple):
    """A word of a sentence and the word of its source that it is laid next to."""

    said: Word
    held: Word
    weight: float
    opposite: bool

    @property
    def sign(self) -> int:
        """-1 where one of the two denies what the other affirms."""
        return self.said.sign * self.held.sign * (-1 if self.opposite else 1)

    @property
    def is_owner(self) -> bool:
        """Whether one of the two is said to lack what the other side may deny as a whole."""
        return self.said.lacks or self.held.lacks


@dataclass(frozen=True, slots=True)
class Alignment:
    """A sentence next to one of its source."""

    said: str
    held: str
    words: tuple[Word, ...]
    """Of the sentence."""
    matches: tuple[Match, ...]
    share: float
    """Of its words, how much is laid next to a word of the source, 0 to 1."""
    own: float
    """The same without what other sentences of the source have."""


def align(said: str, held: str, around: frozenset[str] = frozenset()) -> Alignment:
    """Lay ``said`` next to ``held``; ``around`` are stems that stand next to ``held``."""
    is_bounded = not _bounds_otherwise(said, held)
    mine, theirs = (content(text, is_bounded=is_bounded) for text in (said, held))
    laid = _laid(mine, theirs)
    share, own = _shares(mine, laid, told_amounts(said, held), around)
    return Alignment(said, held, mine, tuple(filter(None, laid)), share, own)


def _laid(mine: Sequence[Word], theirs: Sequence[Word]) -> list[Match | None]:
    """Return what each word of a sentence is laid next to; no word of the source is taken twice."""
    shared = Counter(each.clause for each in theirs if any(each.stem == w.stem for w in mine))
    found: list[Match | None] = []
    taken: set[int] = set()
    last = -1
    for word in mine:
        best = _best(word, theirs, taken, last, shared)
        if best is not None:
            last = best[0]
            taken.add(last)
        found.append(best[1] if best else None)
    return found


def _shares(
    words: Sequence[Word],
    laid: Iterable[Match | None],
    amounts: Sequence[Told],
    around: frozenset[str],
) -> tuple[float, float]:
    """Return how much of ``words`` the source has with what is ``around`` it, and how much alone.

    Both are from 0 to 1; what is ``laid`` next to each word counts as much as it is like it.
    """
    own, elsewhere, whole = 0.0, 0.0, 0.0
    for word, match in zip(words, laid, strict=True):
        amount = next((each for each in amounts if each.start <= word.start < each.end), None)
        weight = _weight_in(amount, words) or word.weight
        whole += weight
        if match is not None:
            own += weight * match.weight
        elif amount and amount.told:
            own += weight
        elif word.stem in around:
            elsewhere += weight * _ELSEWHERE
    return ((own + elsewhere) / whole, own / whole) if whole else (0.0, 0.0)


def _bounds_otherwise(said: str, held: str) -> bool:
    """Return whether one says till when it is, and the other till when it is not.

    "Closed until 7" and "never opens before 7" both mean the time before; "opens at 7" does not.
    """
    if not all(_UP_TO_A_POINT.search(text) for text in (said, held)):
        return False
    return (_BOUNDED.search(said) is None) is not (_BOUNDED.search(held) is None)


def _weight_in(amount: Told | None, words: Iterable[Word]) -> float:
    """Return what each word of an ``amount`` that is not told counts; 0 for any other word."""
    if amount is None or amount.told or amount.is_date:
        return 0.0
    return 1 / sum(amount.start <= word.start < amount.end for word in words)


def _best(
    word: Word, held: Sequence[Word], taken: set[int], last: int, shared: Mapping[int, int]
) -> tuple[int, Match] | None:
    """Return the word most like ``word`` and its place.

    Of several, one of the clause with most words of the sentence; of these, the nearest to the last
    one taken. ``shared`` tells how many each clause has.
    """
    ranked: list[tuple[float, int, int, int]] = []
    for place, other in enumerate(held):
        weight, _ = likeness(word.stem, other.stem)
        if weight and place not in taken:
            ranked.append((weight, shared.get(other.clause, 0), -abs(place - last - 1), place))
    if not ranked:
        return None
    weight, _, _, place = max(ranked)
    other = held[place]
    return place, Match(word, other, weight, likeness(word.stem, other.stem)[1])


@cached_by_language(maxsize=1024)
def content(text: str, *, is_bounded: bool = True) -> tuple[Word, ...]:
    """Return the words of ``text`` but stop words, each with its clause and its sign.

    What is denied up to a point is affirmed from there on, if ``is_bounded``, and else denied.
    """
    plain = _NO_DENIAL.sub(lambda match: " " * len(match[0]), undenied_in_code(text))
    if is_bounded:
        plain = _BOUNDED.sub(lambda match: " " * len(match[0]), plain)
    if is_english():
        plain = _FRAMING.sub(lambda match: " " * len(match[0]), plain)
    plain = _SAME.sub(lambda match: "not change".ljust(len(match[0])), plain)
    if _PARTICLE.search(plain):
        for phrase, single in _PHRASES:
            plain = phrase.sub(lambda match, single=single: single.ljust(len(match[0])), plain)
    found: list[Word] = []
    start = 0
    for number, end in enumerate([*clause_starts(text), len(text)]):
        found += _clause(plain, start, end, number)
        start = end
    return tuple(found)


def clause_starts(text: str) -> Iterator[int]:
    """Yield where each clause of ``text`` but the first begins."""
    lead = _LEAD.match(text)
    denied = [match.span() for match in _DENIED_LIST.finditer(text)]
    for match in _CUT.finditer(text):
        is_of_lead = lead is not None and match.end() == lead.end()
        if not (is_of_lead or _is_in_number(text, match) or is_within(match.start(), denied)):
            yield match.start()


def _is_in_number(text: str, match: re.Match[str]) -> bool:
    return text[match.end() : match.end() + 1].isdigit()


def _clause(text: str, start: int, end: int, number: int) -> Iterator[Word]:
    """Return the words that count of a clause of ``text``, with the sign of each."""
    tokens = [(_spelt(t, text), start + t.start) for t in tokenize(text[start:end])]
    spelt = [word for word, _ in tokens]
    lacking = _lacking(spelt)
    sign = _sign_of_denials(spelt, lacking)
    passive = _passive_denial(spelt)
    if passive is None:
        return _signed(tokens, lacking, sign, number)
    return _signed_before(tokens, passive, sign, number)


def _lacking(words: Sequence[str]) -> frozenset[int]:
    """Return the places of each "no" that is of what something has, of which more is said."""
    return frozenset(
        place + 1
        for place, (word, after) in enumerate(pairwise(words))
        if after == "no" and _HAVING.fullmatch(word) and not _TELLING.isdisjoint(words[place + 2 :])
    )


def _spelt(token: Token, clause: str) -> str:
    """Return a token as it is compared; the "A" of "diet A" is not an article, nor "May" a verb."""
    if token.text == "May":
        return MONTH_OF_MAY
    is_label = (
        token.text == "A" and token.start > 0 and clause[: token.start].strip()[-1:].isalnum()
    )
    return "letter_a" if is_label else fold(token.text)


def _sign_of_denials(words: Sequence[str], lacking: Collection[int]) -> int:
    """Return -1 where the clause of ``words`` denies what it says, else 1."""
    denials = [w for n, w in enumerate(words) if _DENIAL.fullmatch(w) and n not in lacking]
    # "neither A nor B" denies once.
    count = len(denials) - ("neither" in denials and "nor" in denials)
    return -1 if count % 2 else 1


def _signed(
    tokens: Sequence[tuple[str, int]], lacking: Collection[int], sign: int, number: int
) -> Iterator[Word]:
    """Yield the words that count, with the ``sign`` that holds where each is."""
    without = 0
    verbs = [place for place in range(len(tokens)) if _denies_behind(tokens, place)]
    lacking_until = verbs[-1] if verbs else 0
    for place, (word, at) in enumerate(tokens):
        if word == "without":
            without = 2
        elif word in _ENDS_WITHOUT:
            without = 0
        elif place in lacking:
            without = 1
        elif _denies_behind(tokens, place):
            if has_opposite(root(word)):
                yield Word(root(word), at, number, sign)
            sign = -sign
        elif _counts(word):
            denied = -sign if without else sign
            yield Word(root(word), at, number, denied, lacks=place < lacking_until)
            without = max(0, without - 1)


def _signed_before(
    tokens: Sequence[tuple[str, int]], passive: int, sign: int, number: int
) -> Iterator[Word]:
    """Yield the words that count where a denial denies all but itself, as in "it was denied".

    It is at the place ``passive``, and the clause has ``sign`` but for it.
    """
    without = 0
    for place, (word, at) in enumerate(tokens):
        if word == "without":
            without = 2
        elif _counts(word):
            denied = sign if place == passive or without else -sign
            yield Word(root(word), at, number, denied)
            without = max(0, without - 1)


def _denies_behind(tokens: Sequence[tuple[str, int]], place: int) -> bool:
    """Return whether the word at ``place`` denies what follows it."""
    if _FOLLOWING.fullmatch(tokens[place][0]):
        return True
    behind = [word for word, _ in tokens[place + 1 : place + 2]]
    return any(
        verb.fullmatch(tokens[place][0]) and behind == [word] for verb, word in _FOLLOWING_WITH
    )


def _passive_denial(words: Sequence[str]) -> int | None:
    """Return the place of "denied" in "was denied", unless it says what is denied, with "to"."""
    for place, word in enumerate(words):
        if place and words[place - 1] in BE and _FOLLOWING.fullmatch(word):
            return None if "to" in words[place:] else place
    return None


def _counts(word: str) -> bool:
    return not (word in stop_words() or word in _MODAL or _DENIAL.fullmatch(word))


def clashes(alignment: Alignment) -> bool:
    """Return whether what a clause of the sentence says is denied in its source, or the reverse.

    An opposite is enough; else all that is aligned of the clause must have another sign.
    """
    return any(map(_is_turned, _clauses_that_tell(alignment)))


def _is_turned(matches: Sequence[Match]) -> bool:
    if any(match.opposite and match.sign < 0 for match in matches):
        return True
    # "It sees marks, and never sees an address": one of the source's clauses is enough.
    last = matches[-1].held.clause if matches else 0
    signs = [m.sign for m in matches if m.held.clause == last and not m.is_owner]
    return len(signs) >= 2 and max(signs) < 0


def agrees(alignment: Alignment) -> bool:
    """Return whether nothing that is aligned is denied on one side alone.

    Where an opposite is denied, so is the rest of its clause: "not open" is "closed".
    """
    return all(map(_is_kept, _clauses_that_tell(alignment)))


def _kept_denied(clauses: Sequence[Sequence[Match]]) -> set[tuple[int, int]]:
    """Return the places of the denied words of the source whose clauses are kept."""
    kept = (match for each in clauses if _is_kept(each) for match in each)
    return {_place(match) for match in kept if match.held.sign < 0}


def _clauses_that_tell(alignment: Alignment) -> Iterator[Sequence[Match]]:
    """Yield what is aligned of every clause but conditions that are in what the source denies.

    "It is impossible if the way is shorter than 2 km" says what "it is not possible for less than
    2 km" does: the way itself is not denied.
    """
    clauses = [*_by_clause(alignment)]
    kept = _kept_denied(clauses)
    conditions = _conditions(alignment.said)
    for each in clauses:
        is_condition = each[0].said.clause in conditions
        if not (is_condition and kept.issuperset(map(_place, each))):
            yield each


def _place(match: Match) -> tuple[int, int]:
    """Return the clause of the source that ``match`` is in, and whether it is denied there."""
    return match.held.clause, match.held.sign


_IF: Final = lazy_regex(r"(?i)\b(?:if|when)\b")


def _conditions(text: str) -> frozenset[int]:
    """Return the numbers of the clauses of ``text`` that a condition begins."""
    return frozenset(n for n, at in enumerate(clause_starts(text), 1) if _IF.match(text, at))


def turned_share(alignment: Alignment) -> float:
    """Return the share, 0 to 1, of what is aligned that is denied on one side alone."""
    whole = sum(map(_weight, alignment.matches))
    lost = chain.from_iterable(each for each in _by_clause(alignment) if not _is_kept(each))
    return sum(_weight(match) for match in lost if match.sign < 0) / whole if whole else 0.0


def _weight(match: Match) -> float:
    return match.said.weight * match.weight


def _by_clause(alignment: Alignment) -> Iterator[Sequence[Match]]:
    """Yield what is aligned of every clause of the sentence."""
    for clause in {match.said.clause: None for match in alignment.matches}:
        yield [match for match in alignment.matches if match.said.clause == clause]


def _is_kept(matches: Sequence[Match]) -> bool:
    opposites = [match for match in matches if match.opposite]
    # "You need no account" denies the account, "no account is needed" the need.
    plain = [m for m in matches if m.said.stem not in _HAD and not m.is_owner]
    return all(match.sign > 0 for match in opposites or plain or matches)


def stems(texts: Iterable[str]) -> frozenset[str]:
    """Return the stems of all words of ``texts`` but stop words."""
    return frozenset(word.stem for word in chain.from_iterable(map(content, texts)))
