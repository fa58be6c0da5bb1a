"""Reads a question for a fact that the reports of companies tell alike. English alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum, auto
from typing import NamedTuple

from quaere.domain.question import Intent, Query, SourceKind
from quaere.ports.search import TermStatistics
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS
from quaere.text.tokens import is_stop_word, stem, words

_MONTHS = frozenset(name.casefold() for name in MONTHS)
PLACES = 3
"""Places in the selection for what tells the fact."""


class Fact(StrEnum):
    """What is asked of a company."""

    OFFICES = auto()
    STATE = auto()
    PHONE = auto()
    EXCHANGE = auto()
    TICKER = auto()
    YEAR_END = auto()
    AUDITOR = auto()
    OFFICER = auto()
    STAFF = auto()
    SEGMENTS = auto()
    BUSINESS = auto()
    FOUNDING = auto()
    DIVIDENDS = auto()
    UNION = auto()
    EARNING = auto()
    CAUSE = auto()


class Asked(NamedTuple):
    """A fact, and whose it is."""

    fact: Fact
    of: tuple[str, ...]
    """What else the question says: the words of the company's name, and the year."""
    text: str
    """The question."""


_COVER = (
    "exact name of registrant as specified in its charter, state or other jurisdiction of"
    " incorporation, address of principal executive offices, telephone number including area code"
)
_LISTED = "securities registered, title of each class, trading symbol, name of each exchange"
_SIGNED = "signatures: duly caused this report to be signed on its behalf by the undersigned,"


def _asks(asking: str, sought: str) -> re.Pattern[str]:
    """Return how it is asked by a word for what is ``sought``: from the first such word on."""
    return lazy_regex(rf"(?im)^(?>.*?\b(?:{asking})\b).*\b(?:{sought})\b")


ROSE = (
    r"increase[ds]?|r(?:ise[sn]?|ose)|gr(?:ow[sn]?|ew)|growth|higher|more|up|climb(?:ed)?"
    r"|larger|improved?"
)
FELL = (
    r"decrease[ds]?|f(?:all(?:en|s)?|ell)|declines?d?|drop(?:ped|s)?|lower|less|fewer|down"
    r"|shr(?:ink|ank|unk)|smaller"
)
"""Words for what went up, and for what went down."""
_ASKS = {
    Fact.CAUSE: lazy_regex(
        rf"(?i)^\W*(?:why|what (?:caused|drove|led to))\b[^?]{{0,160}}\b(?:{ROSE}|{FELL})\b"
    ),
    Fact.EARNING: lazy_regex(
        r"(?i)^\W*(?:(?:from |with )?what|how(?! (?:much|many)))\b[^?]{0,100}"
        r"\b(?:earn|make|derive|generate|get)s? (?:(?:its|their|most|of|the|all|any) ){0,4}"
        r"(?:money|revenues?|income|sales)(?: (?:with|from|by|through|on))?\W*$"
    ),
    Fact.FOUNDING: lazy_regex(
        r"(?i)^\W*(?:when|(?:in )?(?:what|which) year)\b[^?]{0,120}"
        r"\b(?:founded|incorporated|established|organi[sz]ed|formed|set up)\b"
    ),
    Fact.DIVIDENDS: lazy_regex(
        r"(?i)^\W*(?:does|do|did|has|have|is|are)\b(?![^?]*\b(?:than|more|less|higher|lower)\b)"
        r"[^?]{0,100}\b(?:pay(?:s|ing)?|paid|declared?|distributed?|hand(?:ed)? out|gives?|gave)\b"
        r"[^?]{0,60}\bdividends?\b"
    ),
    Fact.UNION: lazy_regex(
        r"(?i)^\W*(?:is|are|was|were|does|do|did|has|have)\b[^?]{0,120}"
        r"\b(?:(?<!european )unions?|unioni[sz]ed|collective bargaining)\b"
    ),
    Fact.OFFICES: _asks(
        "where|what|which",
        r"headquarter(?:s|ed)|head ?offices?|main offices?|principal (?:executive )?offices?|based"
        r"|located|address",
    ),
    Fact.STATE: _asks("where|which|what", r"incorporat(?:ed|ion)"),
    Fact.PHONE: _asks("what", r"(?:tele)?phone number"),
    Fact.TICKER: _asks("what|which", r"ticker|(?:trading|stock) symbol"),
    Fact.EXCHANGE: _asks("where|which|what", r"exchanges?|listed|traded?"),
    Fact.YEAR_END: lazy_regex(
        r"(?im)^(?>.*?\b(?:when|what|which)\b)(?>.*?\b(?:fiscal|financial|business) year)"
        r".* end(?:s|ed)?\b"
    ),
    Fact.AUDITOR: _asks("who|which|what", r"audit(?:s|ed|ors?)?"),
    Fact.OFFICER: _asks(
        r"who\b(?!.*\breports? to)", r"chief (?:executive|financial|operating)|ceo|cfo|coo"
    ),
    Fact.STAFF: lazy_regex(
        r"(?im)^(?>.*?\bhow many (?:full-time )?(?:employees|people|persons|workers|staff"
        r"|associates)\b).*\b(?:have|has|had|employ(?:s|ed)?|work(?:s|ed)?|there)\b"
        r"|\b(?:number of employees|headcount)\b"
    ),
    Fact.SEGMENTS: _asks("what|which", r"segments\b(?! (?!(?:does|is|was|has)\b)[a-z]+s\b)"),
    Fact.BUSINESS: lazy_regex(
        r"(?i)^\W*what (?:(?:does|do)\b.{1,60}\bdo\W*$"
        r"|(?:kind|sort|type) of (?:company|business|firm)\b"
        r"|is\b.{1,60}['’]s?\s(?:main |core )?business\W*$)"
    ),
}
"""How each is asked for; the ticker before the exchange on which it is one."""
_IDLE: Mapping[Fact, str] = {
    Fact.OFFICES: "headquarters headquartered head office offices main principal executive based"
    " located address corporate city",
    Fact.STATE: "incorporated incorporation state country jurisdiction",
    Fact.PHONE: "phone telephone number",
    Fact.TICKER: "ticker trading stock symbol common shares",
    Fact.EXCHANGE: "stock exchange exchanges market listed traded trade shares common",
    Fact.YEAR_END: "fiscal financial business year end ends ended date day",
    Fact.AUDITOR: "audit audits audited auditor auditors independent accounting firm statements"
    " financial accounts",
    Fact.OFFICER: "chief executive financial operating officer ceo cfo coo name",
    Fact.STAFF: "many full-time full time employees people persons workers staff associates employ"
    " employs employed work works worked number headcount total worldwide end beginning start",
    Fact.SEGMENTS: "segments business operating reportable name divide divided split organize"
    " organized report reports operate run operations main",
    Fact.BUSINESS: "kind sort type main core",
    Fact.FOUNDING: "year founded incorporated established organized organised formed corporation",
    Fact.DIVIDENDS: "pay pays paying paid declare declared distribute distributed hand handed gives"
    " gave give cash quarterly regular annual"
    " ever dividend dividends shareholders stockholders investors common stock",
    Fact.UNION: "union unions unionized unionised labor labour trade collective bargaining"
    " agreement agreements represented represent represents covered member members belong part any"
    " staff employees workers people workforce american americans u s us united states there",
    Fact.EARNING: "earn earns make makes derive derives generate generates get gets money revenue"
    " revenues income sales most",
    Fact.CAUSE: "why caused drove led rise rose risen rises increase increased increases grow grew"
    " grown growth go went gone up down fall fell fallen falls decrease decreased decline declined"
    " drop dropped higher lower more less fewer larger smaller improve improved year",
}
"""What a question says to ask for each."""
_ANY = "company firm business corporation group registrant inc co current currently now called"
_SOUGHT: Mapping[Fact, tuple[str, ...]] = {
    Fact.OFFICES: (_COVER,),
    Fact.STATE: (_COVER,),
    Fact.PHONE: (_COVER,),
    Fact.TICKER: (_LISTED,),
    Fact.EXCHANGE: (_LISTED,),
    Fact.YEAR_END: (f"annual report for the fiscal year ended, {_COVER}",),
    Fact.AUDITOR: (
        "report of independent registered public accounting firm LLP served as auditor",
    ),
    Fact.OFFICER: ("{title}", f"{_SIGNED} thereunto duly authorized, {{title}}"),
    Fact.STAFF: ("employees employed approximately full-time part-time",),
    Fact.BUSINESS: (
        "business overview: we are a leading manufacturer, provider, company",
        "our principal business activity is",
    ),
    Fact.FOUNDING: (
        "description of business, general: was incorporated in the state of, under the laws",
        "other information: incorporated in Delaware, completed initial public offering",
    ),
    Fact.DIVIDENDS: ("we have not declared or paid any cash dividends, dividend policy",),
    Fact.UNION: ("employees represented by labor unions, collective bargaining agreements",),
    Fact.EARNING: ("segment derives revenues from, generates revenue primarily from",),
    Fact.CAUSE: ("net sales increased, primarily driven by, the increase was due to",),
    Fact.SEGMENTS: (
        "we operate in five reportable segments:",
        "business under operating segments:",
    ),
}
"""What is near it in a report."""
_MARKS: Mapping[Fact, tuple[str, ...]] = {
    Fact.OFFICER: ("chief", "ceo", "cfo", "coo"),
    Fact.STAFF: ("employees", "workforce"),
    Fact.SEGMENTS: ("segments",),
}
"""Words of which the sources must have one for the fact to be looked for."""
_REGISTRANT = ("registrant",)
_TITLES = (
    ("Chief Executive Officer", "CEO", lazy_regex(r"(?i)\b(?:ceo|chief executive)\b")),
    ("Chief Financial Officer", "CFO", lazy_regex(r"(?i)\b(?:cfo|chief financial)\b")),
    ("Chief Operating Officer", "COO", lazy_regex(r"(?i)\b(?:coo|chief operating)\b")),
)


def asked_fact(question: str) -> Asked | None:
    """Return the fact that ``question`` asks of a company; None where it asks for none."""
    text = last_question(question)
    fact = in_english(_fact, text)
    return None if fact is None else Asked(fact, _of_whom(text, fact), text)


def _fact(text: str) -> Fact | None:
    return next((fact for fact, asks in _ASKS.items() if asks.search(text)), None)


def _of_whom(text: str, fact: Fact) -> tuple[str, ...]:
    """Return the words of ``text`` that do not ask for ``fact``: they say whose it is."""
    idle = frozenset(map(stem, words(f"{_IDLE[fact]} {_ANY}")))
    dated = _MONTHS if fact in {Fact.STAFF, Fact.UNION} else frozenset[str]()
    told = (word for word in words(text) if not is_stop_word(word) and word not in dated)
    return tuple(word for word in told if stem(word) not in idle)


def months_asked(asked: Asked) -> frozenset[str]:
    """Return the months that the question names, where a fact is reported for the end of one."""
    is_dated = asked.fact in {Fact.STAFF, Fact.UNION}
    return _MONTHS.intersection(words(asked.text)) if is_dated else frozenset()


def title_asked(question: str) -> tuple[str, str]:
    """Return the title of the officer that ``question`` asks for, and its short form."""
    found = (each[:2] for each in _TITLES if each[2].search(question))
    return next(found, _TITLES[0][:2])


def filing_queries(question: str, statistics: TermStatistics | None) -> tuple[Query, ...]:
    """Return queries for where reports tell the fact that ``question`` asks for; if any.

    Of folders alone, and where these have what such reports have.
    """
    asked = asked_fact(question)
    if asked is None or statistics is None:
        return ()
    if not any(map(statistics.document_share, _MARKS.get(asked.fact, _REGISTRANT))):
        return ()
    title, of = title_asked(question)[0], " ".join(asked.of)
    return tuple(
        Query(
            text=f"{near.format(title=title)} {of}".strip(),
            intent=Intent.PART,
            purpose=f"what a report says of the {asked.fact.replace('_', ' ')}",
            source_kinds=(SourceKind.FOLDER,),
            places=PLACES,
        )
        for near in _SOUGHT[asked.fact]
    )
