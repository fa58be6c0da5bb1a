"""How questions over tables are worded: heads in other words, degrees and denials.

The groups were written from what columns of common tables are called (prices, staff, goods,
timetables, bookings, places), not from single questions. English alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from quaere.reason.extractive.questions.kinds import NOUNS, Kind
from quaere.text.languages.language import LANGUAGES, cached_by_language
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.synonyms import related_words
from quaere.text.tokens import stem, stems_of

_GROUPS = """
price cost fee rate fare charge pay paid amount
salary wage pay earn earns paid income
sum total amount
gross total
boss manager supervisor superior report reports
manager lead led leader run runs head chief charge
foreman lead led leader charge
contact deal
tutor teacher teach teaches taught instructor lecturer
author writer wrote written write
performer artist perform performs performed sing sings play plays musician band
keeper keep kept
father sire
mother dam
client customer
employee staff worker people person colleague
add added join joined
hire hired join joined start started begin began recruit recruited employ employed
born birth bear
buy buys bought purchase purchased acquire acquired
sell sells sold sale
maker make makes made build built produce produced producer manufactured manufacturer
builder maker build built made erect erected construct constructed construction
open opened found founded establish established inaugurate inaugurated
close closed finish finished complete completed done end ended
cancel cancelled canceled cancellation
delay delayed late postpone postponed
discontinue discontinued withdraw withdrawn
pay paid settle settled
bill invoice
depart departs departure leave leaves left
arrive arrives arrival land lands reach reached
flight plane
bus buses coach
club team side squad
doctor gp physician
station stop
bike bicycle cycle
space room place
seat place
capacity space seat place spot
lift elevator
toilet restroom lavatory loo wc
parking park parks
flower flowers bloom blooms blossom
toxic poisonous harmful poison
pet pets animal cat dog cats dogs
native origin come comes
water watered watering
meal food lunch dinner
visitor visit visited visits
rain rains rained rainfall precipitation
vaccinate vaccinated vaccination
train trained training
job work works working role position title profession occupation
task job work order action
owner own owns owned belong belongs
town city live lives lived home
office site workplace work works based
depot warehouse keep kept base based store stored location
room hold held
evening day weekday
guarantee warranty guaranteed
weight weigh weighs heavy
height tall high grow grows
length long
distance long far
duration long last lasts take takes
width wide
depth deep
age old
speed fast
power powerful watt watts
supplier supply supplies supplied vendor deliver delivers delivered provide provides buy buys bought
range reach
indoors inside
outdoors outside
spacing apart
stock inventory
passenger traveller rider
attendance crowd crowds spectator spectators gate
default factory preset standard
night sleep sleeps stay stays overnight lodging accommodation
mail email
phone telephone
from leave leaves depart departs origin
to arrive arrives destination
flock sheep
herd cow cattle
fleet ship vehicle
planet world homeworld
mission launch
alcohol abv
bitter bitterness ibu
drink drinks drank drunk alcohol
population people inhabitants
organisation organization company agency firm
success successful succeed succeeds succeeded
language speak speaks spoken
colour color
lighthouse light
led light lamp indicator
date day
due deadline
description item
point pts
position pos
mon monday
tue tues tuesday
wed weds wednesday
thu thur thurs thursday
fri friday
sat saturday
sun sunday
jan january
feb february
mar march
apr april
jun june
jul july
aug august
sep sept september
oct october
nov november
dec december
"""
"""Words of which one may stand for another, in a head or for what a table is of."""

_VERBS = """
win wins won
lose loses lost loss losses
draw draws drew drawn
take takes took taken
spend spends spent
drive drives drove driven
catch catches caught
send sends sent
go goes went gone
"""
"""Forms of verbs that columns are headed by, where they differ in more than their endings."""

SHORTENED: Mapping[str, str] = {
    "avg": "average", "qty": "quantity", "pop": "population", "tel": "telephone",
    "eol": "end of life support", "eos": "end of support", "dob": "date of birth",
    "desc": "description", "temp": "temperature", "temps": "temperature", "min": "minimum",
    "max": "maximum",
    "dept": "department", "emp": "employee", "vat": "tax", "addr": "address", "pct": "percent",
    "gf": "goals scored", "ga": "goals conceded", "gd": "goal difference", "pld": "played",
}  # fmt: skip
"""What words in heads are short for."""
LEAGUE: Mapping[str, str] = {
    "p": "played", "w": "won", "d": "drawn", "t": "tied", "l": "lost",
    "f": "scored", "a": "conceded",
    "goals for": "goals scored", "goals against": "goals conceded",
}  # fmt: skip
"""What heads of a league's columns stand for: letters where games are won and lost in it."""


SPANS = stems_of("minutes hours time weeks days months")
"""Stems that head a column of how long things last only where nothing else is in the head."""
MEASURED = word_set("long tall high heavy old big large deep wide fast far loud hot warm cold")
"""Adjectives that ask for a measure behind "how"."""
INTERVALS = word_set("every interval frequency per")
"""Words in the heads of columns of how often something is done: a low figure is often."""
PEOPLE = stems_of("""
    person people employee staff member manager tutor teacher contact keeper foreman leader owner
    author performer player driver captain coach doctor nurse guide curator warden host student
    pupil child patient candidate participant runner swimmer
""")
"""Stems that say a column, or a table, is of people."""
ANYBODY = stems_of("""
    people person passenger customer client participant member patient guest visitor subject
    respondent individual
""")
"""Stems of what people are called by what they take part in."""
OF_PEOPLE = stems_of("extension phone telephone mail email role position birthday born title")
"""Stems of what tables tell of people alone, whatever heads their names."""
OF_ROTAS = stems_of("rota roster duty call shift shifts turn take chore")
"""Stems of what a table of who is on duty is called, and of what is asked of it."""
IN_STOCK = stems_of("stock inventory hand quantity qty store held pieces count stored left")
"""Stems in the heads of columns that count what there is."""
PLACES = stems_of(NOUNS[Kind.PLACE]) | stems_of("""
    office depot site room hall station building floor shelf rack bin storage where
""")
"""Stems that say a column tells where something is."""

GAMES = stems_of("game games match matches")
RESULTS = stems_of("won wins"), stems_of("lost losses")
"""Stems of what heads a table of a league: it has one of each."""
POINTS = stem("points")
SEX, OF_ANIMALS = stems_of("sex gender"), stems_of("species breed animal pet variety")
RANKS = stems_of("position pos rank place ranking standing")
OF_SUMS = stems_of(
    "budget cost costs price prices account accounts spending expense expenses sales revenue"
    " takings fee fees invoice bill salary wages tariff rent ledger payments transactions bank"
)
"""Stems of what tells of which sort a table is: a league, an account, a list of people or ranks."""
FIRST_NAMES, LAST_NAMES = (
    (("first", "name"), ("firstname",), ("forename",)),
    (("last", "name"), ("lastname",), ("surname",)),
)
"""The words of heads of first and of last names."""
AWARDS, WINNERS = (
    stems_of("award awards prize prizes medal medals trophy"),
    stems_of("winner recipient laureate"),
)
"""Stems of what is won, and of what rows are where a table tells of that."""

SOLD_OUT = "sparestock"
"""What stands for "sold out" and its like: that of what there was none is left."""
_OPPOSITES = {
    "unpaid": "paid", "outstanding": "paid", "unsettled": "paid", "open": "closed",
    "harmless": "toxic", "safe": "toxic", "nontoxic": "toxic", "unfinished": "finished",
    "died": "survived", "dead": "survived", "perished": "survived", "drowned": "survived",
    "unsuccessful": "successful", "failed": "successful", "fail": "successful",
    "failure": "successful", "failures": "successful",
    "incomplete": "finished", "pending": "finished", "manual": "automated", "manned": "automated",
}  # fmt: skip
_PHRASES = (
    (r"\bcall(?:ed|s)? off\b", "cancelled"),
    (r"\b(?:went|gone|go|goes) well\b", "successful"),
    (r"\b(?:went|gone|go|goes) wrong\b", "unsuccessful"),
    (r"\blift(?:ed|s)? off\b", "launched"),
    (r"\bt(?:ook|ake|akes|aken|aking) off\b", "departs"),
    (r"\bput off\b", "postponed"),
    (r"\bt(?:ook|ake|akes|aking) place\b", "is"),
    (
        r"\b(more|less|fewer|higher|lower) ((?:\w+ )?\w+) in (\S+) than (?:in )?(\w+)(?=\W*$)",
        r"\2 \3 \1 than \2 \4",
    ),
    (r"\bgoals? for\b", "goals scored"),
    (r"\bgoals? against\b", "goals conceded"),
    (r"\bin (?:all|total)\b", "total"),
    (r"\b(?:came|comes?|coming) out\b", "released"),
    (
        r"\b(?:sold out|out of stock|fully booked|booked (?:up|out)|full up)\b",
        f" without {SOLD_OUT} ",
    ),
    (r"\blets? in\b", "conceded"),
    (r"\bpeople (?:(?:have|had|has|did) )?(?:visit(?:ed|s)?|c[ao]me to)\b", "visitors"),
    (r"\bbelow (?:zero|freezing)\b", "below 0"),
    (r"\b(?:isn|aren|wasn|weren|don|doesn|didn|haven|hasn|can|won|couldn)['’]?t\b", " not "),
    (r"\bcannot\b", " not "),
    (r"\bnon-(?=\w)", "not "),
    (r"\b(?:still|yet|remains?|left) to be (?=\w)", " not "),
    (r"\b(longest|shortest)[ -](?:serving|standing|lasting|running)\b", r"\1"),
    (
        r"\bhow many (\w+(?: \w+)?) (?:can be (?:left|parked|put|stored|held)|(?:will )?fit)\b",
        r"how many \1 ",
    ),
)
"""What is said in two words, and plainer wordings of what holds how much."""

UNTAKEN = word_set("free available remaining spare open")
"""Words for places that are left."""
_ROOMS = r"(places?|seats?|spots?|spaces?)"
_LEFT = lazy_regex(
    rf"(?i)\b(?:{'|'.join(sorted(UNTAKEN))}) {_ROOMS}\b"
    rf"|\b{_ROOMS}(?: (?:are|is|still)){{0,2}} (?:free|available|open)\b"
)

_NUMBERED = {
    name: at
    for at, names in enumerate(("first 1st 1", "second 2nd 2", "third 3rd 3", "fourth 4th 4"), 1)
    for name in names.split()
}
_QUARTER = lazy_regex(
    r"(?i)\b(?:(first|second|third|fourth|1st|2nd|3rd|4th)[ -]quarter|quarter ([1-4]))\b"
)

DENIALS = word_set("not never neither nor")
"""Deny what is said of something; the other negators deny that there is any."""
_HELPING = word_set("have has yet been")
_NEGATORS = DENIALS | word_set("no without none lack lacks lacking")
GENERAL = stems_of("""
    have has had get gets got give gives gave given go goes went use used uses find found there be
    been list name names tell show called yet still already currently now firm company range
    group groups altogether all each every any one ones thing kind type number many much possible
    able allowed offer need needs do does did done reach reached trained qualified come comes came
    fly flies flew flown serve serves item items entry entries row rows see want wants please mean
    means play participate become became contain contains contained include includes included
    data dataset file csv discover discovered detect detected
""")
"""What may be left over of a question: it asks for nothing that a table might not hold."""
OF_CELLS = stems_of("""
    run score finish end stand record measure read reading value level figure result number amount
    leave pay charge require put make mark
""")
"""What may be left over where a column is named in so many words: it says that this is its cell."""
OF_MONEY = stems_of(
    "price cost costs much cheap expensive money worth spend spent sell sold bring brought earn"
    " earned make made take took ticket tickets admission entrance charge charged pay"
    " buy bought order ordered"
)
OF_TIME = stems_of(
    "when date day weekday month year time leave depart run runs start starts go goes",
)
"""Words that a column of money, and one of dates or times, answers whatever heads it."""


class Degree(NamedTuple):
    """What an adjective compares."""

    most: bool
    """Whether its superlative is of the greatest value."""
    heads: frozenset[str]
    """Stems of the heads by which it is told."""
    against: frozenset[str]
    """The same, of heads in which the order is the other way round: "fast" of a duration."""
    money: bool
    """Whether sums of money tell it, whatever heads them."""

    def is_told_by(self, stems: frozenset[str], *, money: bool) -> bool:
        """Whether a column tells it whose head has ``stems``, and which is of ``money`` or not."""
        return bool((self.heads | self.against) & stems) or (self.money and money)

    def is_upwards(self, stems: frozenset[str]) -> bool:
        """Whether its superlative is of the greatest value under a head of these ``stems``."""
        is_against = bool(self.against & stems) and not self.heads & stems
        return self.most != is_against


_MEASURES = {
    "price": "price cost fee rate fare charge",
    "size": "size area population capacity amount total gross net volume turnover revenue",
    "weight": "weight mass",
    "height": "height elevation altitude",
    "length": "length distance",
    "duration": "duration minutes hours time weeks days months",
    "tenure": "since opened founded established hired joined employed started",
    "start": "born built opened founded established launched since released hired joined bought"
    " made year date issued started",
    "origin": "born built opened founded established launched since released bought made year date"
    " issued started",
    "age": "age",
    "time": "date year time departs departure starts arrives arrival opens closes built opened",
    "speed": "speed",
    "depth": "depth",
    "width": "width breadth",
    "heat": "temperature heat",
    "rain": "rain rainfall precipitation",
    "distance": "distance range",
    "noise": "noise sound loudness",
    "strength": "abv proof strength",
    "sleep": "sleep",
    "traffic": "passengers visitors customers users traffic guests riders attendance",
    "power": "power output",
    "worth": "rating score mark stars",
}
_DEGREES = """
cheap - price | money
inexpensive - price | money
expensive + price | money
dear + price | money
costly + price | money
heavy + weight
light - weight
tall + height
high + height
low - height
long + length duration sleep / tenure
short - length duration height sleep
old + age / origin
young - age / origin
new + start / age
recent + start
early - time
late + time
big + size | money
large + size | money
small - size | money
fast - duration / speed
quick - duration / speed
slow + duration / speed
deep + depth
shallow - depth
wide + width
narrow - width
hot + heat
warm + heat
cold - heat
wet + rain
dry - rain
near - distance
close - distance
far + distance
busy + traffic
quiet - noise / traffic
loud + noise
powerful + power
strong + power strength
weak - power strength
good + worth
popular + traffic worth
"""
_IRREGULAR = {
    "best": "good", "worst": "good", "furthest": "far", "farthest": "far", "last": "late",
    "first": "early", "better": "good", "dearest": "dear", "oldest": "old", "eldest": "old",
    "latest": "late", "latter": "late", "earlier": "early", "later": "late",
}  # fmt: skip
MOST = word_set("most highest greatest maximum largest biggest top")
LEAST = word_set("least lowest fewest minimum smallest")
"""Superlatives that go with the head of any column."""


@cached_by_language(maxsize=4096)
def alike(own: str) -> frozenset[str]:
    """Return the stems of words that may stand for one whose stem is ``own``, itself among them."""
    return frozenset({own}).union(*_groups().get(own, ()), map(stem, related_words(own)))


def heads_a_measure(stems: frozenset[str]) -> bool:
    """Return whether a column headed by words of these ``stems`` tells something of its rows."""
    measures = frozenset[str]().union(*map(stems_of, _MEASURES.values()))
    return not stems.isdisjoint(_groups().keys() | measures | stems_of(" ".join(MEASURED)))


def measures_named(told: Iterable[str]) -> list[str]:
    """Return those of the words ``told`` that head columns of measures: "traffic", "population"."""
    known = stems_of(" ".join(_MEASURES.values()))
    return [word for word in told if stem(word) in known]


@cache
def verb_forms(word: str) -> frozenset[str]:
    """Return the irregular forms of the verb ``word``; none of any other word."""
    lines = (frozenset(line.split()) for line in _VERBS.strip().splitlines())
    return next((forms for forms in lines if word in forms), frozenset[str]())


_AGENTS = ("er", "or")
"""Ends of words for those who do something: "winner", "supplier", "director"."""


def deeds_of(head: Iterable[str]) -> frozenset[str]:
    """Return the stems of what those do that a ``head`` of these words names: "win" of winners."""
    bare = (word[:-2] for word in head if word.endswith(_AGENTS))
    forms = (form for each in bare for form in (each, f"{each}e", each[:-1], f"{each[:-1]}y"))
    return frozenset(stem(each) for form in forms for each in (form, *verb_forms(form)))


@cached_by_language(maxsize=LANGUAGES)
def _groups() -> Mapping[str, tuple[frozenset[str], ...]]:
    found: dict[str, tuple[frozenset[str], ...]] = {}
    for line in (*_GROUPS.strip().splitlines(), *_VERBS.strip().splitlines()):
        members = stems_of(line)
        for member in members:
            found[member] = (*found.get(member, ()), members)
    return found


def opposite(word: str) -> str:
    """Return what ``word`` is the denial of: "paid" of "unpaid"; nothing of most words."""
    if word in _OPPOSITES:
        return _OPPOSITES[word]
    bare = word.removeprefix("un")
    return bare if bare != word and word.endswith(("ed", "id", "ble")) and len(bare) > 3 else ""


def with_quarters(text: str) -> str:
    """Return ``text`` with quarters as they are written in short: "Q3" for "third quarter"."""
    return _QUARTER.sub(lambda found: f"Q{_NUMBERED[(found[1] or found[2]).casefold()]}", text)


def in_plain_words(question: str) -> str:
    """Return ``question`` with verbs of two words in one, and denials as words of their own.

    Quarters are in short.
    """
    question = with_quarters(question)
    for pattern, plain in _PHRASES:
        question = re.sub(f"(?i){pattern}", plain, question)
    return question


def with_left(question: str) -> str:
    """Return ``question`` with "seats left" for "free seats"."""
    return _LEFT.sub(lambda found: f"{found[1] or found[2]} left", question)


def denier_of(words: Sequence[str], content: Sequence[int], at: int) -> int | None:
    """Return the place of the word that denies the one at ``at``; None where none does.

    No word of ``content`` is between, but the verb that is denied: "which do not leave from Orrin".
    """
    for before in range(at - 1, -1, -1):
        if words[before] in _NEGATORS:
            return before
        is_bare = before not in content or stem(words[before]) in _HELPING
        if not is_bare and (before == 0 or words[before - 1] not in DENIALS):
            return None
    return None


@cached_by_language(maxsize=LANGUAGES)
def degrees() -> Mapping[str, Degree]:
    """Return what each adjective compares, by its plain form."""
    found: dict[str, Degree] = {}
    for line in _DEGREES.strip().splitlines():
        told, _, money = line.partition("|")
        same, _, against = told.partition("/")
        word, sign, *measures = same.split()
        found[word] = Degree(
            most=sign == "+",
            heads=_heads(measures),
            against=_heads(against.split()),
            money=bool(money),
        )
    return found


def _heads(measures: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*(stems_of(_MEASURES[each]) for each in measures))


def base_of(word: str, ending: str) -> str:
    """Return the adjective of which ``word`` is the form in ``ending``: "cheap" of "cheapest"."""
    if word in _IRREGULAR and (word.endswith(ending) or word in {"last", "first", "worst"}):
        return _IRREGULAR[word]
    return _regular_base_of(word, ending)


def _regular_base_of(word: str, ending: str) -> str:
    bare = word.removesuffix(ending)
    if bare == word or len(bare) < 3:
        return ""
    forms = (bare, f"{bare}e", bare[:-1], f"{bare[:-1]}y")
    return next((form for form in forms if form in degrees()), "")
