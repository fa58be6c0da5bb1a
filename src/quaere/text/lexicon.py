"""Lists of English words that the rules of this package use, in lower case."""

from __future__ import annotations

from typing import Final


def word_set(text: str) -> frozenset[str]:
    """Return the words of ``text``, which white space parts."""
    return frozenset(text.split())


def _ordered(words: str) -> tuple[str, ...]:
    return tuple(words.split())


STOP_WORDS: Final = word_set(
    """
    a about above after again against all also although am among an and any are aren't as at be
    because been before being below between both but by can can't cannot could couldn't did didn't
    do does doesn't doing don't down during each either else ever every few for from further had
    hadn't has hasn't have haven't having he he'd he'll her here hers herself him himself his how
    however i i'd i'll i'm i've if in into is isn't it its itself just let many me might more most
    much must my myself neither no nor not now of off often on once one only or other our ours
    ourselves out over own per same shall she she'd she'll should shouldn't since so some such than
    that the their theirs them themselves then there these they they'd they'll they're they've this
    those though through thus to too under until up upon very via was wasn't we we'd we'll we're
    we've were weren't what when where whether which while who whom whose why will with within
    without won't would wouldn't yet you you'd you'll you're you've your yours yourself yourselves
    """
)
"""Words that say nothing about a subject. Not among them: "us" (the U.S.), "may" (the month)."""

STARTERS: Final = word_set(
    """
    according along alternatively another anyone apart around aside away back based behind beneath
    beside besides beyond certain compare compared considering contrary critics day days describe
    despite due earlier early eight eighth etc everyone everything except experts explain fifth find
    first five following former four fourth give given half hence identify including inside instead
    last later latest less like likewise list little long maybe meanwhile moreover name named near
    nearby nevertheless next nine nobody nonetheless nothing okay old otherwise outside overall
    people perhaps please previous put quite rather recent regarding regardless researchers
    scientists second seven several similar six sixth somebody someone something sometimes somewhat
    soon still studies tell ten third thirty three throughout today together tomorrow tonight toward
    towards twelve twenty two unless unlike various versus whenever whereas wherever whoever
    worldwide yes yesterday
    """
)
"""Words that often begin a sentence with a capital and name nothing, besides the stop words."""

PARTICLES: Final = word_set(
    """
    of the de del della delle degli di da do dos das du des la le les el al bin ibn ben von van der
    den zu zum zur und af av y e et
    """
)
"""Words in lower case that may stand inside a name."""

HEADS: Final = word_set(
    """
    academy agency association award awards board bureau campaign center centre chamber college
    commission committee council department directorate faculty federation foundation fund institute
    laboratory medal ministry museum office organisation organization party prize school secretary
    society trust union university
    """
)
"""Words after which "for", "at" and "and" may stand inside a name, too."""

OWNERS: Final = word_set("king queen women men children people bishop lord lady master workers")
"""Words whose possessive belongs to the name that it begins: "King's College"."""

MONTHS: Final = _ordered(
    """
    january february march april may june july august september october november december
    """
)

CALENDAR: Final = word_set(
    """
    jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday
    saturday sunday mon tue tues wed thu thur thurs fri sat sun
    """
).union(MONTHS)
"""Months and days, which are dates and no names."""

MAY: Final = "(?-i:may|MAY)"
"""The verb and not the month, in a pattern of what stands within a sentence, also under (?i)."""

ONES: Final = _ordered(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
    """
)
TENS: Final = _ordered("twenty thirty forty fifty sixty seventy eighty ninety")
ORDINALS: Final = _ordered(
    """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
    """
)

TITLES: Final = word_set(
    """
    mr mrs ms mx dr prof gen sen rep lt col capt cmdr cpl sgt maj adm gov pres rev hon msgr mme mlle
    messrs st mt ft fr sr
    """
)
"""Abbreviations that precede a name and never end a sentence."""

LINKS: Final = word_set("v vs e.g i.e eg ie cf viz approx ca c al resp incl esp")
"""Abbreviations that something always follows."""

COUNTED: Final = word_set(
    """
    no nos fig figs eq eqs sec sect ch chap vol vols vo art arts p pp pg ed eds par para ver nr op
    abs cap lett n núm num pag pág ziff
    jan feb mar apr jun jul aug sep sept oct nov dec
    """
)
"""Abbreviations that do not end a sentence when a number follows."""

SHORTENED: Final = word_set(
    """
    etc inc ltd co corp bros jr dept univ assn ave blvd rd est esq min max gmbh pvt intl hist dist
    ala ariz calif colo conn fla ill kan mass mich minn miss mont neb nev okla ore penn tenn wash
    wis
    """
)
"""Abbreviations that end a sentence now and then."""
