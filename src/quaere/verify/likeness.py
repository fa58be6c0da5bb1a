"""How alike two words are: the same, of one stem, for one thing, or opposites."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from quaere.text.languages.language import cached_by_language, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import IRREGULAR
from quaere.text.tokens import stem

_OPPOSITES: Final = """
rise rose risen increase grow grew grown climb gain expand surge | \
fall fell fallen decrease drop decline shrink shrank shrunk sink sank dwindle
higher high large larger big bigger great greater | lower low small smaller
long longer | short shorter
tall taller | short shorter
wide wider broad broader | narrow narrower
thick thicker deep deeper | thin thinner shallow shallower
steep steeper | gentle flat flatter
old older elder | young younger
early earlier | late later
fast faster quick quicker rapid | slow slower
heavy heavier | light lighter
strong stronger | weak weaker
warm warmer hot hotter | cold colder cool cooler
cheap cheaper | expensive dearer costly
rich richer wealthy | poor poorer
near nearer close | far farther distant
hard harder difficult | easy easier
first | last
open opened | shut close closed
begin began begun start commence launch | end finish cease stop conclude
win won | lose lost
buy bought purchase acquire | sell sold
accept approve adopt pass endorse grant allow permit | reject refuse veto forbid ban prohibit
include contain | exclude omit
support back favour favor | oppose resist
import | export
enter join arrive | leave exit depart quit
enable activate | disable deactivate
attack | defend
succeed success | fail failure
true correct right | false wrong incorrect
alive survive live | dead die
public | private
north northern | south southern
east eastern | west western
upper | lower
maximum ceiling | minimum floor
majority | minority
profit surplus | loss deficit
safe harmless | dangerous unsafe harmful
voluntary optional | mandatory compulsory required
temporary | permanent
mother father parent | daughter son child
inside indoor | outside outdoor
improve better | worsen worse deteriorate
strengthen tighten | weaken loosen relax
lengthen extend | shorten
present attend | absent miss
appoint hire employ | dismiss fire sack
build erect construct | demolish raze
free | charge paid
married | divorced unmarried
guilty convict | innocent acquit
raise lift | cut reduce
victory | defeat
entry admission | exit
welcome | unwelcome
legal lawful | illegal unlawful
rare rarer rarely seldom | common frequent often
show shown display reveal visible | hide hidden conceal suppress invisible
keep kept retain preserve save | lose lost discard delete remove erase
add | remove
male man | female woman
urban | rural
domestic | foreign
internal | external
ancient | modern
summer | winter
morning | evening
full | empty
wet | dry
quiet quieter silent | loud louder noisy noise
profitable | unprofitable
certain | doubtful uncertain
above | below
together | apart
clean | dirty
healthy | ill sick
peace | war
friend | enemy
weekday | weekend
mild slight | serious severe grave
change vary alter | same unchanged stable constant
alike similar identical equal | differ different unlike unequal dissimilar
"""
_PREFIXES: Final = ("un", "ir", "il", "dis", "mis", "non")
_LATIN_PREFIXES: Final = ("in", "im")
# "Import" is not the opposite of "port": only adjectives of these forms are turned by "in".
_LATIN: Final = lazy_regex(r"(?:abl|ibl|ent|ant|act|ect|at|proper|mature|formal|valid|activ)$")
_OTHER_SENSE: Final = frozenset({"cover", "play", "charge", "close", "eas", "til", "pos"})
_ALLIES: Final = """
accept take
answer reply respond response
ask request
big large huge
boat ship vessel
build construct erect built
buy purchase acquire bought
car vehicle
carry transport convey haul
choose select pick
complete finish
cost price charge
destroy ruin demolish
discover find found
doctor physician
employ use
entry admission admittance entrance admit enter
error mistake fault
fall drop decline
film movie
firm company business enterprise
fund finance sponsor pay
get receive obtain
hand transfer
help aid assist
house home building
job work task
kill murder
limit restrict maximum
live reside inhabit
name call title
need require necessary must
noise sound
own possess belong
part section portion
permit licence license permission
quick fast rapid
reduce lower cut decrease
remove delete erase clear
rent lease hire
repair fix restore
replace substitute
restore recover
send transmit dispatch
show demonstrate indicate
small little
start begin commence launch
stop cease halt end
store keep save
study trial investigation research experiment
teach train instruct
town city
trip journey voyage crossing
try attempt
turn switch flip
visitor guest
wage salary pay
write author compose
agree consent
allow permit enable let
amount sum
area region district
arrive reach come
assess evaluate judge
begin start open inaugurate
borrowing debt loan liability
bigger larger greater
break rupture burst
bring carry take
cause reason
chance probability likelihood
chief head leader boss director
child kid
client customer
close shut
collapse crash
contain hold comprise include
contract agreement treaty deal
convert change transform turn
country nation state
crucial important essential vital
custom tradition
danger risk hazard
dead die died death
decide resolve determine
defect fault flaw
depart leave
describe depict portray
design plan devise
detect notice spot
dismiss fire sack
dispute argue contest
divide split
earn make
eat consume
elect choose vote
eliminate remove
examine inspect check test review
expand extend enlarge
fee charge price cost
finance economic financial
finish end conclude terminate
force compel oblige
forest wood
frequent often common
gather collect
goal target aim
guard protect
guideline rule regulation
happen occur
hire recruit employ engage
hurt injure injury wound
illness disease sickness
income revenue earnings turnover
increase rise grow growth gain
inhabitant resident citizen
issue publish release
keep retain hold maintain
last continue persist
law act statute
launch introduce
lead head direct run manage
main chief principal primary
manufacture produce make
mark score
mistake error
mix blend stir combine
money cash fund
obtain get
occupy hold
operate run work
origin source
outcome result
parent mother father
people person
picture image photograph photo drawing
pupil student
purchase buy
quarrel dispute
reject refuse decline
remain stay
report announce say state declare
rule govern
safe secure
salary wage
select choose
shape form
ship vessel
shop store
sick ill
speak talk
speed pace velocity
spoil ruin damage
staff employee worker personnel
stop halt cease
street road
succeed follow
suggest propose
supply provide deliver
surprise astonish
swap exchange
task duty job
total sum
trail follow
twelve dozen
use apply utilize employ
verify check confirm
victim casualty
view opinion
visit attend
waste rubbish
watch observe
wife spouse husband
win victory beat defeat
yearly annual
"""
"""Words for one thing, a group each. More of them gained no pair that they were not chosen on, and
cost verdicts of real answers."""
_BASES: Final = MappingProxyType(
    {form: stem(forms.split()[0]) for forms in IRREGULAR.split(",") for form in forms.split()[1:]}
)


def root(word: str) -> str:
    """Return the stem of ``word`` by which it is compared, in the language in use.

    "Thickness" names what is measured, and is not "thick"; nor is "founded" a form of "find", or
    "range" one of "ring", of which their stems are.
    """
    if word.endswith("ness"):
        return word
    if language_in_use():
        return stem(word)
    if word.startswith("un") and word[2:] in _BASES:  # "unknown" is turned as "known" is
        return f"un{_BASES[word[2:]]}"
    return _BASES.get(word) or stem(word)


_COMMON: Final = 5
"""Letters at the beginning that two forms of one word share: "invest", "investor"."""
_LIKE: Final = 0.85
_ALLIED: Final = 0.85
_OPPOSED: Final = 0.8
"""Less than for an ally: "shut" belongs to "closed" and not to "open"."""


@cached_by_language(maxsize=8192)
def likeness(a: str, b: str) -> tuple[float, bool]:
    """Return how alike two stems are, 0 to 1, and whether they are opposites."""
    if a == b:
        return 1.0, False
    known = _sides()
    sides, others = known.get(a, frozenset()), known.get(b, frozenset())
    if any((group, not side) in others for group, side in sides) or _are_negations(a, b):
        return _OPPOSED, True
    if a[:1].isdigit() or b[:1].isdigit():
        return 0.0, False
    if are_forms(a, b):
        return _LIKE, False
    return (_ALLIED, False) if sides & others else (0.0, False)


def alike(one: Iterable[str], other: Collection[str]) -> int:
    """Return how many of the stems ``one`` are alike to one of ``other``; opposites are not."""
    return sum(any(_is_alike(a, b) for b in other) for a in one)


def _is_alike(a: str, b: str) -> bool:
    weight, opposite = likeness(a, b)
    return weight > 0 and not opposite


def is_irregular(word: str) -> bool:
    """Return whether ``word`` is an English form that no stemmer reduces: "dug", "written"."""
    return word in _BASES


def _are_negations(a: str, b: str) -> bool:
    """Return whether one is the other with a prefix or an ending that turns it."""
    if _is_negated(a, b) or _is_negated(b, a):
        return True
    return _stripped(a) == _stripped(b) and "less" in {a[-4:], b[-4:]}


def are_forms(a: str, b: str) -> bool:
    """Return whether both look like forms of one word."""
    if _is_compound(a, b) or _is_participle(a, b) or _is_participle(b, a):
        return True
    return min(len(a), len(b)) >= _COMMON and a[:_COMMON] == b[:_COMMON]


def _is_compound(a: str, b: str) -> bool:
    """Return whether one word ends in the other, in a language that joins them: "Bahnbrücke"."""
    language = language_in_use()
    if language is None or language.code not in {"de", "nl"}:
        return False
    long, short = (a, b) if len(a) > len(b) else (b, a)
    return len(short) >= _COMMON and long.endswith(short)


def _is_participle(a: str, b: str) -> bool:
    """Return whether ``a`` is a participle of ``b`` that begins with "ge": "geleitet", "leitet"."""
    language = language_in_use()
    if language is None or language.code not in {"de", "nl"} or not a.startswith("ge"):
        return False
    return len(a) - 2 >= _SHORTEST and a[2 : 2 + _SHORTEST] == b[:_SHORTEST]


_SHORTEST: Final = 4
"""Letters at its beginning by which a participle is told."""


def _is_negated(word: str, plain: str) -> bool:
    """Return whether ``word`` is ``plain`` with a prefix that turns it: "unsafe" and "safe"."""
    if len(plain) < 4 or not word.endswith(plain) or plain in _OTHER_SENSE:
        return False
    before = word.removesuffix(plain)
    return before in _PREFIXES or (before in _LATIN_PREFIXES and bool(_LATIN.search(plain)))


def has_opposite(word: str) -> bool:
    """Return whether an opposite of the stem ``word`` is known."""
    return any(group < _ALLIED_FROM for group, _ in _sides().get(word, ()))


def _stripped(word: str) -> str:
    return re.sub(r"(?:less|ful)$", "", word)


_ALLIED_FROM: Final = 1000
"""Number of the first group of words for one thing; those below have two sides."""


@cached_by_language(maxsize=16)
def _sides() -> Mapping[str, frozenset[tuple[int, bool]]]:
    """Return on which side of which groups each stem is."""
    found: dict[str, set[tuple[int, bool]]] = {}
    allies, opposites = _groups()
    for number, line in enumerate(opposites):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                found.setdefault(root(word), set()).add((number, bool(side)))
    for number, line in enumerate(allies, start=_ALLIED_FROM):
        for word in line.split():
            found.setdefault(root(word), set()).add((number, False))
    return MappingProxyType({word: frozenset(sides) for word, sides in found.items()})


def _groups() -> tuple[Sequence[str], Sequence[str]]:
    """Return the groups of words for one thing, and of opposites, of the language in use."""
    language = language_in_use()
    own = (language.allies, language.opposites) if language else (_ALLIES, _OPPOSITES)
    allies, opposites = (each.replace("\\\n", "").strip().splitlines() for each in own)
    return allies, opposites
