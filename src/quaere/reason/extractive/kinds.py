"""What kind of answer a question expects, and how well the words of a sentence can be one."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from quaere.text.dates import dates
from quaere.text.names import Name, names
from quaere.text.numbers import numbers
from quaere.text.sentences import sentences
from quaere.text.tokens import tokenize, words


class Kind(StrEnum):
    """Kinds of answer."""

    PERSON = "person"
    PLACE = "place"
    ORGANIZATION = "organization"
    NAME = "name"
    """Anything else that bears a name: a film, a river, an award."""
    DATE = "date"
    NUMBER = "number"
    YES_NO = "yes_no"
    DEFINITION = "definition"
    REASON = "reason"
    MANNER = "manner"
    COMPARISON = "comparison"
    LIST = "list"
    STATEMENT = "statement"


_NOUNS = {
    Kind.PERSON: """
    actor actress artist athlete author brother child coach composer creator daughter
    designer director doctor engineer father filmmaker founder friend governor grandfather
    grandmother guest heir host husband inventor judge king leader man manager mayor member
    minister mother musician novelist owner painter parent partner performer person
    philosopher photographer pilot player poet politician president producer professor
    prophet queen rapper ruler scientist senator sibling singer sister son songwriter spouse
    star successor teacher uncle wife winner woman writer actors actresses artists authors
    founders members people persons players singers
    """,
    Kind.PLACE: """
    address area birthplace borough capital city cities continent country countries county
    counties district hamlet headquarters hometown island lake location locality
    municipality nation nationality neighborhood neighbourhood ocean peninsula place port
    province region residence river sea settlement state states street suburb territory town
    towns venue village
    """,
    Kind.ORGANIZATION: """
    agency airline army association band bank brand broadcaster bureau club college
    committee company companies corporation council department employer firm group institute
    institution label league manufacturer ministry network newspaper organisation
    organization party publisher school studio team teams university
    """,
    Kind.DATE: "century date day decade month time weekday year years",
    Kind.NUMBER: """
    age amount area average cost depth distance duration elevation fraction frequency gdp
    height income length majority number percent percentage population price proportion rank
    ranking rate ratio revenue salary score share size speed sum temperature total value
    volume wage weight width
    """,
    Kind.REASON: "cause causes motive purpose reason reasons",
    Kind.MANNER: "means method mechanism process procedure way",
    Kind.COMPARISON: "difference differences similarities similarity",
    Kind.DEFINITION: "definition meaning",
}
_CLASSES = """
    film movie song album single book novel play series show episode game magazine event award
    character genre genus species plant animal breed language
"""
_WORKS = frozenset(_CLASSES.split())
_HEADS = {noun: kind for kind, nouns in _NOUNS.items() for noun in nouns.split()}

# Interrogatives that settle the kind by themselves. English first, then what its neighbours use.
_OPENINGS: tuple[tuple[Kind, str], ...] = (
    (
        Kind.NUMBER,
        (
            r"how (?:many|much|long|old|tall|far|often|big|large|high|deep|fast|heavy|wide|few)\b"
            r"|wie ?viele?\b|wie (?:lang|alt|hoch|groß|weit|oft)\b|combien\b|cuánt[oa]s?\b"
            r"|quant[oi]\b|сколько|多少|几个|كم "
        ),
    ),
    (Kind.COMPARISON, r"compare\b|vergleiche?\b|comparez?\b|сравни|比较|قارن"),
    (Kind.LIST, r"(?:list|name|enumerate)\b(?! of\b)|nenne\b|перечисли|列出|اذكر"),
    (
        Kind.DEFINITION,
        (
            r"define\b|was (?:ist|sind|bedeutet)\b|qu'est-ce qu|qué es\b"
            r"|что такое|什么是|是什么|ما هو|ما هي"
        ),
    ),
    (
        Kind.REASON,
        r"why\b|how come\b|warum\b|weshalb\b|pourquoi\b|por qué\b|почему|зачем|为什么|لماذا",
    ),
    (Kind.DATE, r"when\b|wann\b|quand\b|cuándo\b|когда|何时|什么时候|哪一年|متى"),
    (Kind.PLACE, r"where\b|wo(?:her|hin)?\b|où\b|dónde\b|где|куда|откуда|哪里|哪儿|在哪|أين"),
    (Kind.PERSON, r"who(?:m|se)?\b|we[rmn]\b|qui\b|quién\b|кто\b|谁|من (?:هو|هي)"),
    (Kind.MANNER, r"how\b|wie\b|comment\b|cómo\b|как\b|如何|怎么|怎样|كيف"),
)
_OPENING = re.compile(
    "|".join(f"(?P<{kind.name}>{pattern})" for kind, pattern in _OPENINGS), re.IGNORECASE
)
_AUXILIARY = re.compile(
    r"(?i)(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|has|have|had|may"
    r"|might|must|isn't|aren't|don't|doesn't|didn't|ist|sind|war|hat|kann|est-ce|les?t-il)\b"
)
_INTERROGATIVE = re.compile(
    rf"(?P<what>(?:what(?=['’]?s?\b)|which|welche[rsnm]?|quel(?:le)?s?)\b)|{_OPENING.pattern}",
    re.IGNORECASE,
)
_EARLY = 12
"""Characters before an interrogative that opens its question: "In which", "For how long"."""
_MARKS = ("?", "？", "؟")
_CHOICE = re.compile(
    r"(?i)^\W*(?:who|which|what)\b.*\bor\b|^\W*(?:between|out of|of)\b.*\b(?:who|which|what)\b"
)
_CLAUSE_END = re.compile(
    r"(?i)[,;?]|\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|that|who"
    r"|which|where|when|by|from|to)\b"
)
_COPULA = re.compile(r"(?i)\s*(?:['’]s|is|are|was|were)\s+(?P<rest>.*)", re.DOTALL)

_DECIDED_BY = (
    (
        Kind.DATE,
        re.compile(
            r"(?i)\b(?:earli|later?\b|latest|first\b|last\b|old|young|new|recent|before|after)"
        ),
    ),
    (
        Kind.NUMBER,
        re.compile(
            r"(?i)\b(?:more|most|less|fewer|larg|bigg|small|high|low|tall|long|short|popul|heav|fast)"
        ),
    ),
    (Kind.PLACE, re.compile(r"(?i)\b(?:countr|nation|located|city|state|continent)")),
)
_BECAUSE = re.compile(
    r"(?i)\b(?:because|due to|owing to|caused? by|causes?|result(?:s|ed)? (?:from|in|of)|reasons?"
    r"|therefore|in order to|so that|since|leads? to|led to|weil|wegen|parce que|en raison"
    r"|из-за|потому)\b|因为|由于|بسبب|لأن"
)
_BY_MEANS = re.compile(
    r"(?i)\b(?:by \w+ing|by means|using|uses?|used|through|via|process|method|when|first|then"
    r"|steps?|allows?|works?|indem|durch|mittels|à l'aide|путем|с помощью)\b|通过|利用|من خلال"
)
_DEFINES = re.compile(
    r"(?i)\b(?:is|are|was|were|means|refers to|denotes|stands for) (?:an?|the|any|one)\b"
    r"|\b(?:ist|sind|war) (?:ein|eine|der|die|das)\b|\b(?:est|était) (?:une?|la|le)\b"
    r"| — это |是一|هو |هي "
)
_COMPARES = re.compile(
    r"(?i)\b(?:than|whereas|while|unlike|compared|both|more|less|fewer|higher|lower|older|younger"
    r"|larger|smaller|better|worse|als|plus|moins|в отличие|чем)\b|比|相比|مقارنة"
)
_ENUMERATES = re.compile(r"[,、،;].*(?:[,、،;]| and | or | und | et | и |和)")
_PLACED = re.compile(r"(?i)\b(?:in|at|near|from|to|of|on|into|across|bei|aus|à|dans|en|в)\s*$")
_PLACE_WORDS = frozenset(_NOUNS[Kind.PLACE].split())
_NOT_PERSONS = _PLACE_WORDS.union(_NOUNS[Kind.ORGANIZATION].split(), _NOUNS[Kind.DATE].split())


def last_question(text: str) -> str:
    """Return the last sentence of ``text`` that ends in a question mark; all of it without one."""
    for span in reversed(sentences(text)):
        if text[span.start : span.end].endswith(_MARKS):
            return text[span.start : span.end]
    return text.strip()


def expected_kind(question: str) -> Kind:
    """Return the kind of answer that the wording of ``question`` asks for."""
    text = last_question(question)
    if _CHOICE.match(text):
        return Kind.COMPARISON
    first = _OPENING.match(text)
    if first is not None:
        return Kind(str(first.lastgroup).lower())
    asked = [m for m in _INTERROGATIVE.finditer(text) if _starts_word(text, m.start())]
    early = bool(asked) and asked[0].start() < _EARLY
    if _AUXILIARY.match(text) and not early:
        return Kind.YES_NO
    if not asked or not (early or text.endswith(_MARKS)):
        return Kind.STATEMENT
    word = asked[0] if early else asked[-1]
    if word["what"]:
        return _kind_of_focus(text[word.end() :])
    opening = _OPENING.match(text, word.start())
    return Kind(str(opening.lastgroup).lower()) if opening else Kind.STATEMENT


def compared_kind(wording: str) -> Kind:
    """Return the kind of fact that decides a comparison worded so: a date for "born earlier"."""
    for kind, pattern in _DECIDED_BY:
        if pattern.search(wording):
            return kind
    return Kind.STATEMENT


def sought(question: str) -> tuple[str, ...]:
    """Return the class words right behind "which" or "what": sources seldom repeat them.

    "Which Canadian city hosts it?" seeks a city; that it hosts it is all a source need say.
    """
    found: list[str] = []
    for word in _INTERROGATIVE.finditer(last_question(question)):
        if word["what"]:
            rest = last_question(question)[word.end() :]
            phrase = words(" ".join(rest.split()[:4]))
            found.extend(w for w in phrase if w in _HEADS or w in _WORKS)
    return tuple(found)


def _starts_word(text: str, at: int) -> bool:
    return at == 0 or not text[at].isascii() or not text[at - 1].isalnum()


def _kind_of_focus(rest: str) -> Kind:
    """Return the kind of what follows "what" or "which"."""
    copula = _COPULA.match(rest)
    focus = copula["rest"] if copula else rest
    end = _CLAUSE_END.search(focus)
    phrase = _noun_phrase((focus[: end.start()] if end else focus).split(" of ")[0])
    for word in reversed(phrase):
        if word in _HEADS:
            return _HEADS[word]
    for word in words(focus)[:6]:
        if copula and word in _HEADS and word not in {"time", "day", "way"}:
            return _HEADS[word]
    if copula:
        return _kind_of_predicate(rest, focus)
    if re.match(r"(?i)\s*(?:does|do|did)\b.*\b(?:mean|stand for|signify)\b", rest):
        return Kind.DEFINITION
    if re.match(r"(?i)\s*(?:causes?|caused|leads?|led|made|makes)\b", rest):
        return Kind.REASON
    starts_with_noun = phrase and not _AUXILIARY.match(rest.strip())
    return Kind.NAME if starts_with_noun else Kind.STATEMENT


def _noun_phrase(text: str) -> list[str]:
    """Return the words of ``text`` up to a name that follows its first plain word."""
    found: list[str] = []
    for token in tokenize(text):
        if token.text[0].isupper() and any(word.islower() for word in found):
            break
        found.append(token.text)
    return words(" ".join(found))


def _kind_of_predicate(rest: str, focus: str) -> Kind:
    if re.match(r"(?i)\s*are the\b", rest):
        return Kind.LIST
    if len(words(focus)) <= 5 and not re.match(r"(?i)the \w+ of\b", focus):
        return Kind.DEFINITION
    return Kind.STATEMENT


def strength(kind: Kind, sentence: str, known: frozenset[str] = frozenset()) -> float:
    """Return how well ``sentence`` can hold an answer of that kind, from 0 (not) to 1.

    Args:
        kind: What is asked for.
        sentence: One sentence of a source.
        known: Lower-case words of the question, and of what it is about: a name or number made of
            these alone is not an answer.
    """
    if kind in _NAMED:
        return max(
            (
                _fit(kind, sentence, name, parts)
                for name, parts in _named_in(sentence)
                if not known.issuperset(parts)
            ),
            default=0.0,
        )
    if kind is Kind.DATE:
        found = [d for d in dates(sentence) if not _known(sentence[d.start : d.end], known)]
        return 1.0 if any(d.year is not None for d in found) else 0.6 if found else 0.0
    if kind is Kind.NUMBER:
        return _holds_number(sentence, known)
    cue = _CUES.get(kind)
    if cue is None:
        return 1.0
    return 1.0 if cue.search(sentence) else 0.4


_NAMED = frozenset({Kind.PERSON, Kind.PLACE, Kind.ORGANIZATION, Kind.NAME})
_CUES = {
    Kind.REASON: _BECAUSE,
    Kind.MANNER: _BY_MEANS,
    Kind.DEFINITION: _DEFINES,
    Kind.COMPARISON: _COMPARES,
    Kind.LIST: _ENUMERATES,
}


@lru_cache(maxsize=4096)
def _named_in(sentence: str) -> tuple[tuple[Name, tuple[str, ...]], ...]:
    return tuple((name, tuple(words(name.text))) for name in names(sentence))


def _known(text: str, known: frozenset[str]) -> bool:
    return all(word in known for word in words(text))


def _fit(kind: Kind, sentence: str, name: Name, parts: tuple[str, ...]) -> float:
    if kind is Kind.PERSON:
        if not _NOT_PERSONS.isdisjoint(parts) or len(parts) > 5:
            return 0.3
        return 1.0 if len(parts) > 1 else 0.7
    if kind is Kind.PLACE:
        placed = _PLACED.search(sentence[: name.start]) or sentence[name.end :].startswith(", ")
        return 1.0 if placed or not _PLACE_WORDS.isdisjoint(parts) else 0.5
    return 1.0 if len(parts) > 1 else 0.8


def _holds_number(sentence: str, known: frozenset[str]) -> float:
    in_dates = [(d.start, d.end) for d in dates(sentence)]
    best = 0.0
    for number in numbers(sentence):
        text = sentence[number.start : number.end]
        if _known(text, known):
            continue
        dated = any(start <= number.start < end for start, end in in_dates)
        worded = text.isalpha()
        best = max(best, 0.3 if dated else 0.6 if worded and not number.unit else 1.0)
    return best
