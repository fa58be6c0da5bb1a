"""Reads a question for a figure: which lines of statements, put together how, of which years."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from quaere.reason.extractive.questions.kinds import last_question
from quaere.reason.extractive.statements.plain_words import PLAIN, as_labelled
from quaere.reason.extractive.statements.rows import (
    EVERYDAY,
    FORMULAS,
    LINE_ITEMS,
    LineItem,
    Statement,
)
from quaere.text.languages.language import LANGUAGES, cached_by_language
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import SCALES
from quaere.text.tokens import STOP_WORDS, stem


class Term(NamedTuple):
    """The amount of a line: of the year asked for, or over it and the one before."""

    item: LineItem
    over: str = ""
    """``average`` of both years, or ``change`` from one to the other."""


class Calculation(NamedTuple):
    """Two expressions and what is done with them: ``+``, ``-``, ``*`` or ``/``."""

    sign: str
    left: Expression
    right: Expression


Expression = Term | Calculation | float


@dataclass(frozen=True, slots=True)
class FigureQuestion:
    """What is asked for."""

    expression: Expression
    years: tuple[int, ...]
    """Fiscal years that it is asked for, from the first; none where the question names none."""
    over: str
    """What is asked of several years: ``each``, their ``sum`` or ``average``, ``growth`` in
    percent, or ``change``; an average may be asked for without them."""
    percent: bool
    """Whether it is told in percent."""
    places: int | None
    """Decimal places to round to, where the question says."""
    scale: int
    """In what it must be told: 1,000,000 for millions; 0 where the question does not say."""
    statements: frozenset[Statement]
    """Those that the question names; none for any."""
    named: tuple[str, ...]
    """What else it says, in words: whose figure it is, and which part of it."""
    said: frozenset[str]
    """The stems of all its words."""
    falls: bool
    """Whether it supposes that something became less, and not more."""

    @property
    def about(self) -> frozenset[str]:
        """The stems of ``named``."""
        return frozenset(map(stem, self.named))

    @property
    def items(self) -> tuple[LineItem, ...]:
        """The lines that it takes, each once."""
        return tuple(dict.fromkeys(term.item for term in _terms(self.expression)))


def _terms(expression: Expression) -> Iterator[Term]:
    if isinstance(expression, Term):
        yield expression
    elif isinstance(expression, Calculation):
        yield from _terms(expression.left)
        yield from _terms(expression.right)


_TOKEN = lazy_regex(r"\d+[^\W\d_]+|[^\W\d_]+(?:&[^\W\d_]+)?|\d+(?:\.\d+)?|[%()+*/×÷−–-]")
_INNER_HYPHEN = lazy_regex(r"(?<=\w)[-‐](?=\w)")
_POSSESSIVE = lazy_regex(r"['’]s?\b")
_ASKS = lazy_regex(
    r"(?i)\b(?:what(?! (?:drove|drives|caused?|causes|led|leads|explains|made|happened))"
    r"|how (?:much|many)|by how|calculate|compute|determine|give|state|tell)\b"
)
_LINKS = STOP_WORDS - {"other", "others", "all", "own"}
LONGEST_LABEL = 12
"""Words of a label that is looked for as the question words it."""

_BRACKETS = lazy_regex(r"\([^()]*\)")
_DEFINITION = lazy_regex(
    r"(?i)(?:\bdefine\s+(?P<name>[^.?;]+?)\s+as\b|(?P<other>[\w &-]{3,60}?)\s+is\s+(?:defined|"
    r"calculated|computed)\s+as\b):?\s*(?P<formula>[^?]*?)(?:[.?](?=\s|$)|$)"
)
_YEAR = (
    r"(?:fy|fiscal(?:\s+years?)?|years?|the)?\s*['’]?(?P<{}>(?:19|20)\d\d|(?<=fy)\d\d|(?<=')\d\d)"
)
_YEARS = lazy_regex(rf"(?i)\b{_YEAR.format('year')}\b")
_RANGE = lazy_regex(
    rf"(?i)\b{_YEAR.format('first')}\s*(?:-|–|—|to|through|until|and|vs\.?|versus)\s*"
    rf"(?:the\s+)?{_YEAR.format('last')}\b"
)
_PART_OF_YEAR = lazy_regex(
    r"(?i)\b(?:fy)?(?:\d{2,4})?(?:q[1-4]|h[12])\b|\bquarter|\bhalf\b|\b(?:three|six|nine) months\b"
)
_COUNT_OF_YEARS = lazy_regex(r"(?i)\b(two|three|four|five|[2-5])[ -]years?\b")
_PLACE_OF_FORMULA = lazy_regex(
    r"(?i)\b(?:from|in|on|to) (?:the )?(?:(?!from\b|in\b)[^\W\d]+[ -]){0,3}?"
    r"(?:statements?|sheets?)\b(?: of (?:cash flows?|financial (?:position|condition)"
    r"|(?:consolidated )?(?:income|operations|earnings)))?"
)
_PLACES = lazy_regex(r"(?i)\b(no|zero|one|two|three|[0-4])\s+decimals?(?:\s+places?)?\b")
_NUMBERS: Mapping[str, int] = {"no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4,
                               "five": 5}  # fmt: skip
_IN_SCALE = lazy_regex(r"(?i)\b(?:in|usd|dollars?|\$)\s*(?:us[d$]?\s*)?(?:dollars?\s*)?"
                       r"(thousand|million|billion)s?\b|\b(thousand|million|billion)s? of (?:us )?"
                       r"dollars\b")  # fmt: skip
_STATEMENTS = (
    (
        Statement.BALANCE,
        lazy_regex(r"(?i)\bbalance sheets?\b|\bfinancial (?:position|condition)\b"),
    ),
    (
        Statement.INCOME,
        lazy_regex(
            r"(?i)\bincome statements?\b|\bp&l\b|\bprofit and loss\b"
            r"|\bstatements? of (?:consolidated )?(?:income|operations|earnings)\b"
        ),
    ),
    (Statement.CASH, lazy_regex(r"(?i)\bcash flows? statements?\b|\bstatements? of cash flows?\b")),
)
_RISE = r"increase[ds]?|r(?:ise[sn]?|ose)|gr(?:ow[sn]?|ew)|climb(?:ed|s)?|g(?:o|oes|one) up|went up"
_FALL = (
    r"decrease[ds]?|f(?:all(?:en|s)?|ell)|decline[ds]?|drop(?:ped|s)?|shr(?:ink|ank|unk)"
    r"|g(?:o|oes|one) down|went down"
)
_CHANGES = lazy_regex(rf"(?i)\b(?:changed?|differences?|growth|{_RISE}|{_FALL})\b")
_ROSE = lazy_regex(
    r"(?i)\bby how (?:much|many)\b|\bhow (?:much|many) (?:did|has|have|had|was|were)\b[^?]*?"
    rf"\b(?:changed?|{_RISE}|{_FALL})\b|\bhow (?:much|many) (?:more|less|fewer|higher|lower)\b"
)
"""Asks what changed by a verb: the label of no row has it, as it may have "increase in"."""
_FELL = lazy_regex(rf"(?i)\b(?:{_FALL}|lower|less|fewer)\b")
_GREW = lazy_regex(rf"(?i)\b(?:changed?|{_RISE}|higher|more)\b")
_HOW_MUCH_MORE = lazy_regex(r"(?i)\b(how (?:much|many)) (?:more|less|fewer|higher|lower)\b")
CLAIMED_CHANGE = lazy_regex(
    r"(?i)^\W*(?:did|has|have|was|were|is|are)\s++(?P<of>[^?]+?)(?<!\s)\s++(?:been\s+|any\s+)?"
    rf"(?:(?P<rises>{_RISE}|higher|larger|bigger|greater|more)"
    rf"|{_FALL}|lower|smaller|less|fewer)\b(?P<when>[^?]*+)\?*+$"
)
"""A change that is put as yes or no: "Did revenue rise in 2024?"."""
_GROWTH = lazy_regex(
    r"(?i)\bgrowth\b|\bgr(?:ow|ew)\b|(?:%|percent\w*)\s+(?:change|increase|decrease)"
)
_PERCENT = lazy_regex(r"(?i)%|\bper ?cent")
_RATE = lazy_regex(r"margin$|tax rate$")
_OVER_ALL = lazy_regex(
    r"(?i)\b(?:(?P<mean>average)|(?:sum|combined|altogether|total for)\b(?=[^?]*\b(?:and|to|-)\b))"
)
_TOTALLED = lazy_regex(r"(?i)\b(?:is|was) (?:the )?total\b")
"""Asks for one amount: "What was the total profit in 2018 and 2019?"."""
_APART = lazy_regex(r"(?i)\b(?:respective|each\b|per ?cent)|%")
_SHARE = lazy_regex(
    r"(?i)\bas (?:an? )?(?:%|per ?cent(?:age)?|share|fraction|proportion|ratio) of\b"
)
_PART_OF_WHOLE = lazy_regex(
    r"(?i)\b(?:ratio|proportion|share|percentage)\s+of ([^?]+?) (?:to|over|divided by"
    r"|(?:relative|compared) to|as an? (?:percentage|share|proportion|fraction) of) ([^?]+)"
)
_DIVIDED = lazy_regex(r"(?i)\bratio\b|\bdivided by\b")
_MARGIN = lazy_regex(r"(?i)\bmargin\b")
_FORMULA_WORDS: Mapping[str, str] = {
    "plus": "+", "add": "+", "minus": "-", "less": "-", "subtracted": "-", "times": "*",
    "multiplied": "*", "divided": "/", "over": "/", "×": "*", "÷": "/", "−": "-", "–": "-",
}  # fmt: skip
_SIGNS = frozenset("+-*/()")
_UNREAD = "?"

Token = str
Part = LineItem | str


def figure_asked(question: str) -> FigureQuestion | None:
    """Return what figure of lines that we know ``question`` asks for; None where it asks for none.

    Nor for a part of a year, of a formula that is not read, or without a year, a change or whose.
    """
    clause = _asked(question)
    tokens = _tokens(_BRACKETS.sub(" ", clause))
    parts = tuple(_parts(tokens))
    own = _definitions(question)
    found = _defined(own, tokens) or _expression_of(parts, clause, own)
    return _figure_of(found, parts, clause, question) if found else None


def _figure_of(
    found: _Found, parts: Sequence[Part], clause: str, question: str
) -> FigureQuestion | None:
    """Return ``question`` as one for what was ``found``; None without a year, a change or whose."""
    years, over = _over_years(question, clause, found.expression)
    asked = _question(question, found, parts, years, over)
    is_latest = _is_latest_change(clause, years, over)
    if is_latest or (over == "average" and _is_of_all_years(clause, years, found.expression)):
        asked = replace(asked, over=over)
    return asked if asked.years or asked.named or is_latest else None


def _is_latest_change(clause: str, years: tuple[int, ...], over: str) -> bool:
    """Whether ``clause`` asks by how much something rose, and names no year: in the latest."""
    return not years and over in {"growth", "change"} and _ROSE.search(clause) is not None


def _is_of_all_years(clause: str, years: tuple[int, ...], expression: Expression) -> bool:
    """Whether an average of one line is over all years that there are: ``clause`` names none."""
    return isinstance(expression, Term) and not (years or _COUNT_OF_YEARS.search(clause))


def literal_figure(question: str) -> FigureQuestion | None:
    """Return ``question`` as one for the row that it names in the words of its label.

    None where it asks for no figure of a year.
    """
    clause = _BRACKETS.sub(" ", _asked(question))
    tokens, years = _tokens(clause), _years(clause)
    found = _literal_share(clause) or (None if _SHARE.search(clause) else _literal(tokens))
    rose, over = _ROSE.search(clause) is not None, _over(clause)
    if found is None or not (years or rose or over == "average"):
        return None
    if rose or (over == "growth" and len(years) == 1):
        change = "growth" if _PERCENT.search(question) else "change"
        asked = _question(question, found, tokens, _with_the_year_before(years), change)
        return asked if years else replace(asked, over=change)
    if not years:  # of all that there are
        return replace(_question(question, found, tokens, years, over), over=over)
    return _question(question, found, tokens, years, (over or "each") if len(years) > 1 else "")


def _literal(tokens: Sequence[Token]) -> _Found | None:
    """Return the row of which some of ``tokens`` in order are the label."""
    labels = _runs(list(filter(_has_letters, tokens)))
    if not labels:
        return None
    name = " ".join(word for word in tokens if _tells(word)) or labels[0]
    return _Found(name, Term(LineItem(name, None, labels)), ())


def _literal_share(clause: str) -> _Found | None:
    """Return the two rows of which ``clause`` asks what share one is of the other."""
    sides = _sides_of_share(clause)
    texts = [_YEARS.sub(" ", _RANGE.sub(" ", side)) for side in sides]
    if not texts:
        return None
    part, whole = (_literal(_tokens(text)) for text in texts)
    if part is None or whole is None:
        return None
    told = _tokens(f"{' '.join(texts)} proportion share fraction")
    return _Found("", Calculation("/", part.expression, whole.expression), told)


def _sides_of_share(clause: str) -> Sequence[str]:
    """Return what is asked as a share, and of what: "the ratio of A to B", "A as a share of B"."""
    if found := _PART_OF_WHOLE.search(clause):
        return found.groups()
    found = _SHARE.search(clause)
    return (clause[: found.start()], clause[found.end() :]) if found else ()


def _has_letters(token: str) -> bool:
    return any(map(str.isalpha, token))


class _Found(NamedTuple):
    name: str
    expression: Expression
    told: Sequence[str]
    """Words of the question that name it, without those that say whose it is."""


def _question(
    question: str, found: _Found, parts: Iterable[Part], years: tuple[int, ...], over: str
) -> FigureQuestion:
    percent = _PERCENT.search(question) or _RATE.search(found.name)
    return FigureQuestion(
        expression=found.expression,
        years=years if over else years[-1:],
        over=over if len(years) > 1 else "",
        percent=bool(percent),
        places=_places(question),
        scale=_scale(question),
        statements=frozenset(kind for kind, named in _STATEMENTS if named.search(question)),
        named=tuple(dict.fromkeys(_named_in(parts, found.told))),
        said=frozenset(map(stem, _tokens(question))),
        falls=bool(_FELL.search(question)) and not _GREW.search(question),
    )


def _over_years(question: str, clause: str, expression: Expression) -> tuple[tuple[int, ...], str]:
    """Return the years that are asked for, and what is asked of them."""
    years, over = _years(_BRACKETS.sub(" ", clause)), _over(clause)
    if over == "change" and _PERCENT.search(question) and isinstance(expression, Term):
        over = "growth"
    if over in {"growth", "change"}:
        years = _with_the_year_before(years)
    if over == "average" and len(years) <= 1:
        years = _span(clause, years)
    if not over and len(years) > 1 and isinstance(expression, Term):
        over = "each"
    return years, over


def _with_the_year_before(years: tuple[int, ...]) -> tuple[int, ...]:
    """Return ``years``, a single one after that before it: a change in it is one from there."""
    return (years[0] - 1, years[0]) if len(years) == 1 else years


def _asked(question: str) -> str:
    """Return the clause of the question that asks for a figure; nothing where none does.

    Nor for one that asks for a part of a year.
    """
    if _PART_OF_YEAR.search(question):
        return ""
    text = last_question(question)
    found = _ASKS.search(text)
    clause = text[found.start() :] if found else ""
    clause = _PLACE_OF_FORMULA.sub(" ", clause)
    clause = _HOW_MUCH_MORE.sub(r"\1 change", as_labelled(clause))
    return re.split(r"(?i)[?.](?:\s|$)|\bdefine\b", clause, maxsplit=1)[0]


def _tokens(text: str) -> tuple[Token, ...]:
    joined = _INNER_HYPHEN.sub(" ", _POSSESSIVE.sub("", text.lower().replace("u.s.", "us")))
    return tuple(_TOKEN.findall(joined))


@cached_by_language(maxsize=LANGUAGES)
def _wordings() -> Mapping[tuple[str, ...], LineItem | str]:
    """Return items and names of formulas by the stems of their words."""
    found: dict[tuple[str, ...], LineItem | str] = {}
    for item in LINE_ITEMS:
        for wording in (*item.wordings, *EVERYDAY.get(item.name, ())):
            found.setdefault(_stemmed(wording), item)
    for name in FORMULAS:
        found[_stemmed(name)] = name
    return found


def _stemmed(text: str) -> tuple[str, ...]:
    return tuple(stem(token) for token in _tokens(text))


def _parts(tokens: Sequence[Token]) -> Iterator[Part]:
    """Yield ``tokens`` with the items and formulas that they name, the longest first."""
    known, at = _wordings(), 0
    longest = max(map(len, known))
    stems = [stem(token) for token in tokens]
    while at < len(tokens):
        for length in range(min(longest, len(tokens) - at), 0, -1):
            found = known.get(tuple(stems[at : at + length]))
            if found:
                yield found if isinstance(found, LineItem) else f"={found}"
                at += length
                break
        else:
            yield tokens[at]
            at += 1


def _definitions(question: str) -> Mapping[str, str]:
    """Return the formulas that ``question`` gives, by the name that it gives them.

    One that we know under that name, or under the end of it, is given by our name.
    """
    found: dict[str, str] = {}
    for each in _DEFINITION.finditer(question):
        name = (each["name"] or each["other"]).strip()
        stems = _stemmed(name)
        known = [one for one in FORMULAS if stems[-len(_stemmed(one)) :] == _stemmed(one)]
        found[max(known, key=len, default=name)] = each["formula"]
    return found


def _defined(own: Mapping[str, str], tokens: Sequence[Token]) -> _Found | None:
    """Return the formula of the question's own that ``tokens`` ask for, and for nothing besides."""
    for name, formula in own.items():
        told = [word for word in _tokens(name) if word not in STOP_WORDS]
        rest = [token for token in tokens if token not in told]
        if not told or told[-1] not in tokens or any(map(_is_relevant, _parts(rest))):
            continue
        expression = parse_formula(formula, _without(name, own))
        if found := _of_revenue(name, expression, " ".join(tokens)):
            return found._replace(told=told)
    return None


def _is_relevant(part: Part) -> bool:
    """Whether ``part`` is a line or a formula."""
    return isinstance(part, LineItem) or part.startswith("=")


def _named(name: str) -> LineItem:
    return next(item for item in LINE_ITEMS if item.name == name)


def _expression_of(parts: Sequence[Part], text: str, own: Mapping[str, str]) -> _Found | None:
    """Return name and expression of what a question names: a formula, a share, a sum, or a line."""
    places = [at for at, part in enumerate(parts) if _is_relevant(part)]
    if not places:
        return None
    first, last = parts[places[0]], parts[places[-1]]
    if len(places) == 1:
        name = first.name if isinstance(first, LineItem) else first[1:]
        return _of_revenue(name, _expression([first], own), text)
    both = _expression(parts[places[0] : places[-1] + 1], own)
    if both is None and len(places) == 2 and (_SHARE.search(text) or _DIVIDED.search(text)):
        both = _expression([first, "/", last], own)
    return _Found("", both, ()) if both is not None else None


def _of_revenue(name: str, expression: Expression | None, text: str) -> _Found | None:
    """Return ``expression``, as a share of revenue where the question is for a margin."""
    if expression is None:
        return None
    if _MARGIN.search(text) and "margin" not in name:
        return _Found(f"{name} margin", Calculation("/", expression, Term(_named("revenue"))), ())
    return _Found(name, expression, ())


def _runs_within(said: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(len(said)):
        for end in range(first + 1, min(first + LONGEST_LABEL, len(said)) + 1):
            if not {said[first], said[end - 1]} & _LINKS:
                yield said[first:end]


def _runs(said: Sequence[str]) -> tuple[str, ...]:
    """Return the runs of words in ``said`` that may be the label of a row."""
    runs = list(_runs_within(said))
    told = [run for run in runs if any(map(_tells, run))]
    # "Ending balance" has no word that tells of what, and may be a label all the same.
    return tuple(dict.fromkeys(map(" ".join, told or (run for run in runs if len(run) > 1))))


def _tells(word: str) -> bool:
    """Whether ``word`` says which figure is asked for."""
    return word not in _LINKS and stem(word) not in PLAIN and len(word) > 1


def parse_formula(text: str, own: Mapping[str, str] | None = None) -> Expression | None:
    """Return the expression that ``text`` words: "A divided by (B + average C)"; None if unread.

    Args:
        text: The words.
        own: Formulas that take the place of those we know, by name.
    """
    return _expression(_parts_of(text), own or {})


def _parts_of(formula: str) -> Iterator[Part]:
    """Return what ``formula`` is made of, without its years and the statements it is from."""
    plain = _YEARS.sub(" ", _RANGE.sub(" ", _PLACE_OF_FORMULA.sub(" ", formula)))
    return _parts(_tokens(plain))


def _expression(parts: Iterable[Part], own: Mapping[str, str]) -> Expression | None:
    reader = _Reader(list(_spelled_out(parts, own)))
    expression = reader.sum()
    return expression if reader.at == len(reader.parts) else None


def _spelled_out(parts: Iterable[Part], own: Mapping[str, str]) -> Iterator[Part]:
    """Yield ``parts`` with formulas in the place of their names, and signs in that of words."""
    for part in parts:
        if isinstance(part, LineItem):
            yield part
        elif part.startswith("="):
            name = part[1:]
            within = _parts_of(own.get(name) or FORMULAS[name])
            yield from ("(", *_spelled_out(within, _without(name, own)), ")")
        elif part in _FORMULA_WORDS:
            yield _FORMULA_WORDS[part]
        elif part in _SIGNS or part in {"average", "change"} or part[0].isdigit():
            yield part
        elif not (part in STOP_WORDS or stem(part) in PLAIN):
            yield _UNREAD


def _without(name: str, own: Mapping[str, str]) -> Mapping[str, str]:
    """Return ``own`` without the formula of ``name``, in which that is the one we know."""
    return {each: formula for each, formula in own.items() if each != name}


class _Reader:
    """Reads parts as a formula, products before sums."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.at = 0

    def sum(self) -> Expression | None:
        return self._chained("+-", self._product)

    def _product(self) -> Expression | None:
        return self._chained("*/", self._one)

    def _chained(self, signs: str, read: Callable[[], Expression | None]) -> Expression | None:
        left = read()
        while left is not None and (sign := self._next()) in tuple(signs):
            self.at += 1
            right = read()
            left = None if right is None else Calculation(str(sign), left, right)
        return left

    def _next(self) -> Part | None:
        return self.parts[self.at] if self.at < len(self.parts) else None

    def _one(self) -> Expression | None:
        part = self._next()
        self.at += 1
        if isinstance(part, str) and part[0].isdigit():
            return float(part)
        if isinstance(part, LineItem):
            return Term(part)
        if part == "(":
            within = self.sum()
            closed = self._next() == ")"
            self.at += 1
            return within if closed else None
        if part in ("average", "change"):
            item = self._next()
            self.at += 1
            return Term(item, part) if isinstance(item, LineItem) else None
        return None


def _years(text: str) -> tuple[int, ...]:
    found, within = _RANGE.search(text), range(0)
    if found:
        first, last = _full(found["first"]), _full(found["last"])
        low, high = min(first, last), max(first, last)
        within = range(low, high + 1) if high - low < 12 else (low, high)
    named = {_full(each["year"]) for each in _YEARS.finditer(text)}
    return tuple(sorted(named.union(within)))


def _full(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


def _over(text: str) -> str:
    if _GROWTH.search(text):
        return "growth"
    if _CHANGES.search(text):
        return "change"
    found = _OVER_ALL.search(text)
    if found is None:
        return "sum" if _TOTALLED.search(text) and not _APART.search(text) else ""
    return "average" if found["mean"] else "sum"


def _span(text: str, years: tuple[int, ...]) -> tuple[int, ...]:
    """Return the years of an average that the question counts back from its last one."""
    found = _COUNT_OF_YEARS.search(text)
    if not found or not years:
        return years
    count = _NUMBERS.get(found[1].lower()) or int(found[1])
    return tuple(range(years[-1] - count + 1, years[-1] + 1))


def _places(question: str) -> int | None:
    found = _PLACES.search(question)
    if not found:
        return None
    word = found[1].lower()
    return _NUMBERS[word] if word in _NUMBERS else int(word)


def _scale(question: str) -> int:
    found = _IN_SCALE.search(question)
    return SCALES[(found[1] or found[2]).lower()] if found else 0


def _named_in(parts: Iterable[Part], told: Iterable[str]) -> Iterator[str]:
    """Yield the words that name neither a line nor a formula, nor how the answer must be told."""
    known = frozenset(map(stem, told))
    for part in parts:
        if isinstance(part, LineItem) or part.startswith("=") or not any(map(str.isalpha, part)):
            continue
        if _tells(part) and stem(part) not in known:
            yield part
