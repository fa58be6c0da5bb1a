"""What kind of answer a question expects, from its wording.

Questions that are not in English are taken apart by what is recorded of their language. It says
less than the rules for English do: what kind of answer is asked for, what two things are set
against each other and in which direction, and whether several things are wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import chain

from quaere.text.languages.language import (
    Language,
    cached_by_language,
    in_english,
    is_english,
    language_in_use,
)
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import QUESTION_MARKS, sentences
from quaere.text.tokens import terms, tokenize, words


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


NAMED = frozenset({Kind.PERSON, Kind.PLACE, Kind.ORGANIZATION, Kind.NAME})
"""Kinds of answer that are names."""

DEED = (
    r"(?:make (?:it|them|(?:an?|the|my|our)(?: [a-z]+){1,3}) (?=[a-z]{2,20}er\W*$))?"
    r"(?P<done>[a-z]+)"
)
"""What is done, after "how do I": "start" something, or make it be so, as "the answer shorter"."""

NOUNS = {
    Kind.PERSON: """
    actor actress artist athlete author brother child coach composer creator daughter
    designer director doctor engineer father filmmaker founder friend governor grandfather
    grandmother guest heir host husband inventor judge king leader man manager mayor member
    minister mother musician novelist owner painter parent partner performer person
    philosopher photographer pilot player poet politician president producer professor
    prophet queen rapper ruler scientist senator sibling singer sister son songwriter spouse
    star successor teacher uncle wife winner woman writer actors actresses artists authors
    founders members people persons players singers
    architect astronomer chemist physicist economist explorer general emperor empress prince
    princess pope bishop journalist chef dancer comedian cricketer footballer golfer boxer swimmer
    lawyer surgeon
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
    operating system systems platform platforms format formats
"""
_WORKS = frozenset(_CLASSES.split())
_HEADS = {noun: kind for kind, nouns in NOUNS.items() for noun in nouns.split()}


def is_kind(word: str) -> bool:
    """Return whether ``word`` says of which kind something is: "person", "character"."""
    return word in _HEADS or word in _WORKS


# Interrogatives that settle the kind by themselves. English first, then what its neighbours use.
_OPENINGS: tuple[tuple[Kind, str], ...] = (
    (
        Kind.NUMBER,
        (
            r"how (?:many|much|long|old|tall|far|often|big|large|high|deep|fast|heavy|wide|few"
            r"|hot|warm|cold|thick|steep)\b"
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
    (
        Kind.DATE,
        r"when\b|how (?:late|early|soon)\b|wann\b|quand\b|cuándo\b|когда|何时|什么时候|哪一年|متى",
    ),
    (Kind.PLACE, r"where\b|wo(?:her|hin)?\b|où\b|dónde\b|где|куда|откуда|哪里|哪儿|在哪|أين"),
    (Kind.PERSON, r"who(?:m|se)?\b|we[rmn]\b|qui\b|quién\b|кто\b|谁|من (?:هو|هي)"),
    (Kind.MANNER, r"how\b|wie\b|comment\b|cómo\b|как\b|如何|怎么|怎样|كيف"),
)
_OPENING = lazy_regex(
    "|".join(f"(?P<{kind.name}>{pattern})" for kind, pattern in _OPENINGS), re.IGNORECASE
)
_AUXILIARIES = (
    r"(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|has|have|had|may"
    r"|might|must|isn't|aren't|don't|doesn't|didn't|ist|sind|war|hat|kann|est-ce|les?t-il)\b"
)
_AUXILIARY = lazy_regex(rf"(?i){_AUXILIARIES}")
_HEADED = lazy_regex(
    rf"(?i)(?::|--|[–—]| -)\s*(?:{_AUXILIARIES}|(?:an?|really)\b)[^:?]{{0,300}}\?\W*$"
)
"""What is asked after a heading of its own: "Double glazing: is it worth it?", "Moss: a weed?"."""
_INTERROGATIVE = lazy_regex(
    rf"(?P<what>(?:what(?=['’]?s?\b)|which|welche[rsnm]?|quel(?:le)?s?)\b)|{_OPENING.pattern}",
    re.IGNORECASE,
)
_LEADS_IN = lazy_regex(
    r"(?i)\W*(?:(?:about|after|at|before|by|during|for|from|in|of|on|since|through|till|to|under|until"
    r"|up to|with)\s+)?"
)
"""What may precede the interrogative that opens a question: "In which", "For how long"."""
_ASKS_NEXT = lazy_regex(
    r"(?i),\s+(?:(?:in|at|by|on|for|from)\s+)?(?=what\b|(?:how|when|where|why)\s+(?:is|are|was|were|do|does"
    r"|did|has|have|had|can|could|will|would|should|many|much)\b)"
)
"""What comes before the clause that asks, behind one that tells: "By the census, what"."""
_MEASURE = lazy_regex(
    r"(?i)\bhow (long|old|tall|far|often|big|large|high|deep|fast|heavy|wide|soon|late|early|hot"
    r"|warm|cold|thick)\b"
)
_TAKES = lazy_regex(r"(?i)\bhow long\b.*?\b(takes?)\b|\bhow (?:much|many)\b.*?\b(needs?|needed)\b")
_CHOICE = lazy_regex(
    r"(?i)^\W*(?:who|which|what)\b.*\bor\b|^\W*(?:between|out of|of)\b.*\b(?:who|which|what)\b"
)
_CHOICE_OF_TWO = lazy_regex(
    rf"{_AUXILIARY.pattern}[^,;]*\bor\s+(?!(?:even|much|still|far|a lot)\b)[^,;]*?[\w)]\s+"
    r"(?:[a-z]+\s+)?(?:(?:more|less)(?:\s+[a-z]+)?|cheaper|dearer|fewer|(?:bigg|clos|cold|deep|earli"
    r"|fast|great|heavi|high|hott|larg|lat|light|long|low|near|new|old|quick|short|slow|small|tall"
    r"|warm|wid|young)er)\s*\?*\s*$"
)
"""One of two is asked for in the form of a yes or no: "Is the Volga or the Danube longer?"."""
_CLAUSE_END = lazy_regex(
    r"(?i)[,;?]|\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should"
    r"|may|might|must|that|who"
    r"|which|where|when|by|from|to)\b"
)
_COPULA = lazy_regex(r"(?i)\s*(?:['’]s|is|are|was|were)\s+(?P<rest>.*)", re.DOTALL)

_VERBS = {
    Kind.DEFINITION: lazy_regex(r"(?i)\s*(?:does|do|did)\b.*\b(?:mean|stand for|signify)\b"),
    Kind.STATEMENT: lazy_regex(r"(?i)\s*(?:happen|occur|follow|goes|comes|takes|remains|else\b)"),
    Kind.NUMBER: lazy_regex(
        r"(?i)\s*(?:do|does|did|will)\b[^,;]*\b(?:cost|pay|charge|earn|weigh)\b(?! for)"
    ),
    Kind.REASON: lazy_regex(r"(?i)\s*(?:causes?|caused|leads?|led|made|makes)\b"),
}
_DECIDED_BY = (
    (
        Kind.DATE,
        lazy_regex(
            r"(?i)\b(?:earli|later?\b|latest|first\b|last\b|old|young|new|recent|before|after)"
        ),
    ),
    (
        Kind.NUMBER,
        lazy_regex(
            r"(?i)\b(?:more|most|less|fewer|larg|bigg|small|high|low|tall|long|short|popul|heav|light|fast|slow"
            r"|cheap|expens|deep|wide)"
        ),
    ),
    (Kind.PLACE, lazy_regex(r"(?i)\b(?:countr|nation|located|city|state|continent)")),
)


@cached_by_language(maxsize=256)  # asked of each question by everything that reads it
def last_question(text: str) -> str:
    """Return the last sentence of ``text`` that ends in a question mark; all of it without one."""
    for span in reversed(sentences(text)):
        if text[span.start : span.end].endswith(QUESTION_MARKS):
            return text[span.start : span.end]
    return text.strip()


@cached_by_language(maxsize=256)
def expected_kind(question: str) -> Kind:
    """Return the kind of answer that the wording of ``question`` asks for."""
    text = last_question(question)
    language = language_in_use()
    if language is not None:
        return Kind(kind_in(language, text))
    return _kind_of_opening(text) or _kind_inside(text)


def asks_yes_or_no_alone(question: str) -> bool:
    """Return whether ``question`` can be answered by yes or no alone, in English.

    "Can you tell me what it costs?" cannot, nor can what else somebody is asked to do.
    """
    text = last_question(question)
    if language_in_use() is not None or expected_kind(question) is not Kind.YES_NO:
        return False
    return not _interrogatives(text) and _REQUEST.match(text) is None


_REQUEST = lazy_regex(r"(?i)\W*(?:can|could|will|would) you\b|\W*(?:please|let)\b")


def _kind_of_opening(text: str) -> Kind | None:
    """Return the kind that the first words of ``text`` settle by themselves, if they do."""
    if _CHOICE.match(text) or _CHOICE_OF_TWO.match(text):
        return Kind.COMPARISON
    opening = _OPENING.match(text)
    return Kind(str(opening.lastgroup).lower()) if opening else None


def _kind_inside(text: str) -> Kind:
    """Return the kind that an interrogative in ``text`` asks for, or its first verb."""
    asked = _interrogatives(text)
    if asked and _LEADS_IN.fullmatch(text, endpos=asked[0].start()):
        return _kind_behind(text, asked[0])
    if _AUXILIARY.match(text) or _HEADED.search(text):
        return Kind.YES_NO
    if not asked or not text.endswith(QUESTION_MARKS):
        return Kind.STATEMENT
    return _kind_behind(text, _asking(text, asked))


def _interrogatives(text: str) -> list[re.Match[str]]:
    return [m for m in _INTERROGATIVE.finditer(text) if _starts_word(text, m.start())]


def _asking(text: str, asked: Sequence[re.Match[str]]) -> re.Match[str]:
    """Return the one of ``asked`` that asks: the first after what asks next, else the last."""
    nexts = {led.end() for led in _ASKS_NEXT.finditer(text)}
    return next((m for m in asked if m.start() in nexts), asked[-1])


def _kind_behind(text: str, asked: re.Match[str]) -> Kind:
    """Return the kind that the interrogative ``asked`` in ``text`` asks for."""
    if asked["what"]:
        return _kind_of_focus(text[asked.end() :])
    opening = _OPENING.match(text, asked.start())
    return Kind(str(opening.lastgroup).lower()) if opening else Kind.STATEMENT


def compared_kind(wording: str) -> Kind:
    """Return the kind of fact that decides a comparison worded so: a date for "born earlier"."""
    language = language_in_use()
    if language is not None:
        return _compared_in(language, wording)
    for kind, pattern in _DECIDED_BY:
        if pattern.search(wording):
            return kind
    return Kind.STATEMENT


def _compared_in(language: Language, wording: str) -> Kind:
    if re.search(f"(?i){language.earlier}|{language.later}", wording):
        return Kind.DATE
    by_number = re.search(f"(?i){language.less}|{language.more}", wording)
    return Kind.NUMBER if by_number else Kind.STATEMENT


def sought_classes(question: str) -> tuple[str, ...]:
    """Return the class words directly after "which" or "what": sources seldom repeat them.

    "Which Canadian city hosts it?" seeks a city; that it hosts it is all a source need say.
    """
    if (language := language_in_use()) is not None:
        return _classes_in(language, last_question(question))
    found: list[str] = []
    asked = last_question(question)
    for word in _INTERROGATIVE.finditer(asked):
        if word["what"]:
            phrase = words(" ".join(asked[word.end() :].split(maxsplit=4)[:4]))
            found.extend(w for w in phrase if w in _HEADS or w in _WORKS)
    return tuple(found)


def _classes_in(language: Language, question: str) -> tuple[str, ...]:
    """Return the words behind "which" that begin as a noun of `Language.nouns` does."""
    kind, rest = _first_asking(language, question) or (STATEMENT, "")
    if kind != WHICH:
        return ()
    nouns = tuple(" ".join(language.nouns.values()).casefold().split())
    if not language.pieces:
        near = words(rest)[:_NOUNS_LOOKED_AT]
        return tuple(filter(lambda word: word.startswith(nouns), near))
    return tuple(pair for noun in nouns if rest.startswith(noun) for pair in words(noun))


def measure_words(question: str) -> tuple[str, ...]:
    """Return the words of degree behind "how": "long" of "How long are logs kept?".

    What answers gives the measure and has no need of the word, nor of the "take" of "How long does
    it take?" or the "need" of "How much do I need?". In other languages it is all that asks for a
    number or a price: what is free need not "cost".
    """
    if (language := language_in_use()) is not None:
        return () if language.pieces else tuple(_words_for_amounts(language, question))
    taken = filter(None, chain.from_iterable(_TAKES.findall(question)))
    return tuple(word.casefold() for word in (*_MEASURE.findall(question), *taken))


def _words_for_amounts(language: Language, question: str) -> Iterator[str]:
    for asks in (language.asks["number"], language.price):
        if asked := re.search(f"(?i){asks}", question):
            yield from words(asked[0])


def _starts_word(text: str, at: int) -> bool:
    return at == 0 or not text[at].isascii() or not text[at - 1].isalnum()


def _kind_of_focus(rest: str) -> Kind:
    """Return the kind of what follows "what" or "which"."""
    copula = _COPULA.match(rest)
    focus = copula["rest"] if copula else rest
    phrase = _noun_phrase(_first_clause(focus).split(" of ")[0])
    later = words(focus)[:6] if copula else []
    heads = [w for w in [*reversed(phrase), *later] if w in _HEADS]
    if _LASTS.search(focus):
        return Kind.NUMBER
    if heads:
        return _HEADS[heads[0]]
    return _kind_of_predicate(rest, focus) if copula else _kind_of_verb(rest, phrase)


_LASTS = lazy_regex(
    r"(?i)^\W*(?:(?:the|our|your|its|a|an|average|mean|usual|typical|total|maximum|minimum) )*"
    r"(?:wait(?:ing)?|response|reaction|travel|journey|flight|delivery|lead|cooking|preparation"
    r"|processing|turnaround|recovery|drying|charging) times?\b"
)
"""Begins with a time that is how long something takes, and no time of day."""


def _first_clause(text: str) -> str:
    end = _CLAUSE_END.search(text)
    return text[: end.start()] if end else text


def _kind_of_verb(rest: str, phrase: Sequence[str]) -> Kind:
    """Return the kind of what does or is done: ``phrase``, with which ``rest`` begins, names it."""
    for kind, verbs in _VERBS.items():
        if verbs.match(rest):
            return kind
    return Kind.NAME if phrase and not _AUXILIARY.match(rest.strip()) else Kind.STATEMENT


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


STATEMENT, WHICH, YES_NO, COMPARISON, NAME = "statement", "which", "yes_no", "comparison", "name"
_TRIM = ' \t\n,;:.?!？。、，¿¡"“”„«»「」'
_NOUNS_LOOKED_AT = 4
_RELATIVE = r"(?:qui|que|che|quem)\b"
_ASKS_IN_JAPANESE = ("か", "か。")


def kind_in(language: Language, question: str) -> str:
    """Return the kind of answer, as `Kind` writes it, that ``question`` asks for.

    What holds no question word and is a question asks for yes or no.
    """
    text = question.strip()
    if compared_in(language, text) is not None:
        return COMPARISON
    if re.search(f"(?i){language.yes_no}", text):
        return YES_NO
    asked = _first_asking(language, text)
    if asked is None:
        ends = (*QUESTION_MARKS, *_ASKS_IN_JAPANESE) if language.code == "ja" else QUESTION_MARKS
        return YES_NO if text.endswith(ends) else STATEMENT
    kind, rest = asked
    return _kind_of_noun(language, rest) if kind == WHICH else kind


def _first_asking(language: Language, text: str) -> tuple[str, str] | None:
    """Return the kind of the first question word of ``text``, and what follows the word."""
    found = _asking_in(language).search(text)
    if found is None:
        return None
    return str(found.lastgroup), text[found.end() :]


@cache
def _asking_in(language: Language) -> re.Pattern[str]:
    edge = "" if language.pieces else r"(?<!\w)"
    kinds = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in language.asks.items())
    return re.compile(f"(?i){edge}(?:{kinds})")


@cache
def next_question(language: Language) -> re.Pattern[str]:
    """Return what is before a further question: "and", where a question word follows it.

    Not so the short ones that as often begin a clause on what was said before, as "et qui".
    """
    asked = "|".join(f"(?:{pattern})" for pattern in language.asks.values())
    return re.compile(rf"(?i),?\s+(?:{language.joins})\s+¿?(?=(?!{_RELATIVE})(?:{asked})\W*\w)")


def _kind_of_noun(language: Language, rest: str) -> str:
    """Return the kind that the noun after "which" asks for; several things are a list."""
    if language.pieces:
        near: list[str] = [rest.strip(_TRIM)]
    else:
        near = words(rest)[:_NOUNS_LOOKED_AT]
    for word in near:
        for kind, nouns in language.nouns.items():
            if kind != NAME and word.startswith(tuple(nouns.casefold().split())):
                return kind
    return NAME


def wants_several(language: Language, question: str) -> bool:
    """Return whether ``question`` asks for a list."""
    return re.search(f"(?i){language.lists}", question) is not None


def compared_in(language: Language, question: str) -> tuple[str, str, str] | None:
    """Return the two things that ``question`` lets choose from, and by what; None for no choice."""
    return next(_sides(language.either, question), None)


def claimed_in(language: Language, question: str) -> tuple[str, str, str] | None:
    """Return two things, and of what ``question`` supposes the first to have more or less."""
    return next(_sides(language.claims, question), None)


def _sides(patterns: Iterable[str], question: str) -> Iterator[tuple[str, str, str]]:
    for pattern in patterns:
        found = re.search(f"(?i){pattern}", question.strip())
        if found is not None:
            first, second, about = (found[part].strip(_TRIM) for part in ("a", "b", "about"))
            if first and second and first != second:
                yield first, second, about


_EARLIER = lazy_regex(
    r"(?i)\b(?:original(?:ly)?|initial(?:ly)?|previous(?:ly)?|formerly|at first"
    r"|(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bwas )(?<!\bwere )used to)\b"
)
_BACK = lazy_regex(
    r"(?i)\b(?:earlier|before (?:the |that |this )?(?:change|move|update|revision)s?)\b"
)
_WAS = lazy_regex(r"(?i)\b(?:was|were|did|had|could)\b")


def looks_back(question: str) -> bool:
    """Return whether ``question`` asks how something was, in English."""
    return _WAS.search(question) is not None


def asks_earlier(question: str) -> bool:
    """Return whether ``question`` asks how something was before it was changed; English alone."""
    if not is_english():
        return False
    is_back = _BACK.search(question) is not None and looks_back(question)
    return is_back or _EARLIER.search(question) is not None


def earlier_words(question: str) -> frozenset[str]:
    """Return the stems of the words by which ``question`` asks for that; no line need have them."""
    if not asks_earlier(question):
        return frozenset()
    return frozenset(terms(" ".join(_EARLIER.findall(question) + _BACK.findall(question))))


_DOES = lazy_regex(
    r"(?i)\W*what (?:do|does|did)\s.{1,200}\s(?:do|emit|output|print|raise|return|throw|yield)\W*$"
)


def asks_what_it_does(question: str) -> bool:
    """Return whether it is asked what something does, which no figure tells. English alone."""
    return in_english(_DOES.match, last_question(question)) is not None
