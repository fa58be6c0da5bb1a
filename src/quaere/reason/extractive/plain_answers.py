"""What has a form by which it is told, and what answers in plain words without a name or a figure.

A telephone number, an e-mail address, a time of day and a version have a form. Letters, notices
and rules seldom name: "by the tenant" says who, "in the shed" where, "at midnight" when, "free of
charge" for how much. English alone but for days of the week and forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from quaere.reason.extractive.other_languages import (
    CLOCK_ELSEWHERE,
    fit_elsewhere,
    has_bare_figure,
    lacks_price_in,
    tells_free_in,
    tells_place,
)
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.questions.kinds import (
    NOUNS,
    Kind,
    expected_kind,
    last_question,
)
from quaere.text.dates import dates
from quaere.text.languages.language import in_english, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.names import names
from quaere.text.numbers import CURRENCIES, Number, numbers
from quaere.text.synonyms import everyday_words, forms_of
from quaere.text.tokens import stem, terms, words

_NUMBER = lazy_regex(r"(?<![\w.,-])\+?\d(?:[ ()/.-]{0,2}\d){4,}(?![\w%])")
_ADDRESS = lazy_regex(r"[\w.+-]+@[\w-]+\.\w+")
_NEAR_CHARS = 100
"""Characters on each side of an amount in which it is told what it is of."""
_HOURS = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_CLOCK_FORM = (
    r"\b\d{1,2}:[0-5]\d\b|\b\d{1,2}(?:[.:][0-5]\d)? ?[ap]\.?m\b|\bo['’]clock\b"
    r"|\b(?:noon|midday|midnight)\b|\b(?:half|quarter) (?:past|to)\b"
    rf"|\b(?:at|by|from|until|till|before|after|between) (?:\d{{1,2}}|{_HOURS})\b"
    r"(?! ?%|[.,:]?\d| (?:and|or) \w+ \w+s\b| [a-z]+s\b| per\b)"
)
CLOCK = lazy_regex(rf"(?i){_CLOCK_FORM}")
_OPEN_FORM = (
    rf"{_CLOCK_FORM}|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?"
    r"|daily|always|never|every (?:day|year)|all (?:day|year)|holidays?|summer|winter|spring|autumn"
    r"|(?-i:May)|(?:janu|febru)ary|march|april|june|july|august|(?:septem|octo|novem|decem)ber)\b"
)
_OPEN_AT = lazy_regex(rf"(?i){_OPEN_FORM}")
"""When something is open as a rule, not the day on which it was opened."""
_OPENS_AT = lazy_regex(
    rf"(?i){_OPEN_FORM}|\b(?:in|from|until|by) (?:19|20)\d\d\b"
    r"|\b(?:dawn|daybreak|sunrise|dusk|sunset|nightfall|tides?|easter|christmas)\b"
    r"|\b(?:before|after|as soon as|once|when(?:ever)?|next|today|tonight|tomorrow)\b"
    r"|\b(?-i:Mon|Tue|Wed|Thu|Fri|Sat|Sun)s?\b|\b\d{1,2} ?(?:h\b|[-–] ?\d{1,2}\b)"
)
"""When something opens, as a rule or for the first time; a date is one, too."""
_ONCE = lazy_regex(r"(?i)\b(?:opened|closed|built|founded|restored) (?:in|on|since)\b[^.;,]*")
"""When something was opened, which does not tell when it opens."""
_ASKED = (
    (
        lazy_regex(r"(?i)\bwhen (?=(?:is|are) .{1,60}? (?:open|closed|shut)\b\W*$)"),
        _OPEN_AT,
    ),
    (lazy_regex(r"(?i)\bwhen (?=(?:does|do) .{1,60}? (?:open|close|shut)\b\W*$)"), _OPENS_AT),
    (
        lazy_regex(
            r"(?i)\b(?:tele)?phone number\b|\bnumber (?:to|do i|can i) (?:call|ring|dial)\b"
            r"|\btelefonnummer\b|\bnuméro de téléphone\b|\bnúmero de teléfono\b"
        ),
        _NUMBER,
    ),
    (
        lazy_regex(r"(?i)\be-?mail[- ]address\b|\be-?mail-?adresse\b|\badresse e-?mail\b"),
        _ADDRESS,
    ),
    (
        lazy_regex(
            r"(?i)\bwhat time\b(?! (?:zone|frame|limit|period|span|of))|\bwie ?viel uhr\b"
            r"|\bhoe laat\b|\bquelle heure\b|\bqué hora\b|\bche ora\b|\bque horas\b|几点|何時(?!間)"
        ),
        CLOCK,
    ),
    (
        lazy_regex(r"(?i)\b(?:which|what) colou?rs?\b"),
        lazy_regex(
            r"(?i)\b(?:red|blue|green|yellow|black|white|gr[ea]y|brown|orange|purple|violet|pink"
            r"|beige|navy|cream|turquoise|silver|gold|golden|ivory|maroon|crimson|scarlet|colou?rless)\b"
        ),
    ),
    (
        lazy_regex(r"(?i)\binstead of\b|\breplac(?:e|ed)\b.*\bwith\b|\bsubstitutes? for\b"),
        lazy_regex(
            r"(?i)\b(?:instead|in (?:place|lieu) of|substitut\w*|replac\w+|swap\w*|alternativ\w+"
            r"|rather than|will do|does as well|works? as well)\b|^\W*(?:if you have )?no [a-z]"
        ),
    ),
    (
        lazy_regex(r"\b(?:[Ww]hich|[Ww]hat) (?:[A-Z][\w.+#-]* ){1,3}versions?\b"),
        lazy_regex(r"(?i)\bv?\d+\.\d+|\bversions? v?\d|\b\d+(?:\+| (?:or|and) [a-z]+er\b)"),
    ),
)
"""How something is asked for, and the form that it has."""


def asked_form(question: str) -> re.Pattern[str] | None:
    """Return the form of what ``question`` asks for; None where that has none of its own."""
    text = last_question(question)
    form = next((form for asks, form in _ASKED if asks.search(text)), None)
    return CLOCK_ELSEWHERE if form is CLOCK and not is_english() else form


def asks_hour(question: str) -> bool:
    """Return whether ``question`` asks for a time of day."""
    return asked_form(question) in {CLOCK, CLOCK_ELSEWHERE}


def form_words(question: str) -> frozenset[str]:
    """Return the stems by which ``question`` asks for what has a form: its lines have no need."""
    asking = (asks.search(question) for asks, _ in _ASKED)
    return frozenset[str]().union(*(terms(found[0]) for found in asking if found))


def is_nowhere(question: str, pool: Pool) -> bool:
    """Return whether what ``question`` asks for would be told by its form and is in no line."""
    return asked_form(question) is not None and all(
        lacks_form(question, line.text) for line in pool.lines
    )


def lacks_form(question: str, sentence: str) -> bool:
    """Return whether what ``question`` asks for has a form that ``sentence`` has nothing of."""
    form = asked_form(question)
    if form is _NUMBER:  # nobody is called on "3 May 2031 0912"
        sentence = _without_dates(sentence)
    if form is _OPENS_AT:
        sentence = _ONCE.sub(" ", sentence)
        if any(date.day for date in dates(sentence)):
            return False
    return form is not None and form.search(sentence) is None


def _without_dates(sentence: str) -> str:
    """Return ``sentence`` with a semicolon in place of each date."""
    told, at = list[str](), 0
    for date in dates(sentence):
        told.append(sentence[at : date.start])
        at = date.end
    return ";".join((*told, sentence[at:]))


ROLE, SPOT, MOMENT = 0.5, 0.6, 0.6
"""How well a role, a spot and a moment answer: less than a full name, as much as a day without its
year."""
_ROLES = f"""{NOUNS[Kind.PERSON]}
    agent assistant builder buyer captain caretaker carer chair chairman chairwoman cleaner clerk
    client committee contractor cook customer deputy dentist driver electrician employee gardener
    guardian headteacher holder keeper landlady landlord librarian nurse occupier officer organiser
    parents passenger patient plumber porter receptionist resident secretary seller steward student
    supervisor supplier teacher technician tenant treasurer user vet visitor volunteer warden"""
_ROLE = lazy_regex(
    rf"(?i)\b(?:the|an?|our|your|their|his|her|each|every) (?:[a-z]+ )?"
    rf"(?P<said>{'|'.join(sorted(set(_ROLES.split())))})s?\b"
)
_SPOT = lazy_regex(
    r"(?i)\b(?:in|on|at|behind|under|beneath|beside|by|near|next to|opposite|outside|inside|into|to"
    r"|from|above|below) (?:(?:the|our|your|its|an?|each|every|any) )?(?:[a-z-]+ ){0,2}?"
    r"(?P<said>attic|back|basement|bay|bin|board|booth|bottom|box|building|cabin|car park|cellar"
    r"|church|clinic|corner|corridor|counter|cupboard|deck|desk|door|drawer|edge|entrance|field"
    r"|floor|foyer|front|garage|garden|gate|grounds|hall|harbour|hospital|house|kiosk|kitchen|landing"
    r"|lawn|library|lobby|locker|lounge|meadow|office|park|pavilion|platform|playground|porch|quay"
    r"|rack|reception|roof|room|school|shed|shelf|shop|side|site|stairs|station|stop|store|surgery"
    r"|table|terrace|till|top|wall|website|window|yard)s?\b"
    r"|\b(?P<there>on board|upstairs|downstairs|outdoors|indoors|online|at home)\b"
)
_COUNT = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen)"
_SPAN = r"(?:(?:working|calendar|full|more) )?(?:minute|hour|day|night|week|fortnight|month|year)s?"
_MOMENT = lazy_regex(
    rf"(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\b(?:january|february|april|june|july|august|september|october|november|december)\b"
    r"|\b(?:in|from|until|till|to|by|since|during|of) (?:march|may)\b"
    rf"|\b(?:within|after|for|until|before|at least|up to) {_COUNT} {_SPAN}\b"
    rf"|\b{_COUNT} {_SPAN} (?:before|after|later|earlier|in advance|ahead|beforehand)\b"
    r"|\b(?:evening|morning|day|night|week) (?:before|after)\b|\bat (?:night|weekends|dusk|dawn)\b"
    r"|\bin the (?:morning|afternoon|evening)s?\b"
)
_MEASURED = (
    "weights?|amounts?|numbers?|totals?|shares?|differences?|loads?|limits?|levels?|rates?|sizes?"
    "|lengths?|distances?|volumes?|powers?|doses?|populations?|temperatures?|increases?|rise|time"
    "|capacity|allowance|reduction|growth|speed|consumption|output|yield|salt|sugar|water"
)
"""Of what there is so much, and which costs nothing."""
_ASKS_PRICE = lazy_regex(
    r"(?i)\bhow (?:much|expensive)\b.*\b(?:costs?|charged?|pay|paid|fees?|fare|rent|price|money)\b"
    r"|\bwhat\b.*\b(?:price|costs?|charged?|fees?|fare|salary|wage|pay)\b"
)
_ASKS_IN_SHORT = lazy_regex(
    r"(?i)\bhow much (?:is|are|was|were) (?:it\b"
    rf"|(?:the|an?|your|one)\b(?! (?:[\w-]+ )?(?:{_MEASURED})\b))"
)
"""Most likely asks for a price, which may be in coins that are not known: "90 crowns"."""
_FREE = lazy_regex(
    r"(?i)\b(?:free(?! (?:up|from|on|to|space))|no (?:charge|fee|cost)|nothing|included|gratis"
    r"|half (?:price|fare))\b"
)


def plain_fit(kind: Kind, sentence: str, known: frozenset[str]) -> float:
    """Return how well ``sentence`` answers a question of ``kind`` without a name or a date, 0 to 1.

    What is made of ``known`` words alone, lower-case ones of the question and titles, does not.
    """
    if language := language_in_use():
        return fit_elsewhere(kind, sentence, language)
    if kind is Kind.PERSON:
        return ROLE if _says(_ROLE, sentence, known) else 0.0
    if kind is Kind.PLACE:
        label = _LABEL.match(sentence)
        told = f"in {sentence[label.end() - 1 :]}" if label else ""  # "Stamps: post room"
        return SPOT if any(_says(_SPOT, each, known) for each in (sentence, told)) else 0.0
    moments = (_MOMENT, CLOCK) if kind is Kind.DATE else ()
    return MOMENT if any(_says(form, sentence, known) for form in moments) else 0.0


_ANYWHERE = lazy_regex(
    r"(?i)\b(?:in|into|on|onto|at|under|behind|inside|beside|near|below|above|within|from|to|by|with"
    r"|across|along|around|between|beyond|off|outside|over|past|through|opposite|next to)\s"
    r"(?:(?:the|an?|your|its|our|their|his|her|each|every|this|that)\s|(?-i:[a-z]+)\s\d)"
    r"|\b(?:in|into|at|to|from|near|on|by|of|via)\s(?-i:[A-Z])"
    r"|\bat\s(?!(?:all|any|first|last|least|most|midnight|night|noon|once|present)\b)(?-i:[a-z])"
    r"|[\w.~]/[\w.]|\b(?:here|there|(?:up|down)stairs|(?:in|out)doors|outside|inside|online|nearby"
    r"|abroad|overhead|underground)\b"
)


_LABEL = lazy_regex(r"\W*(?P<label>[^:.;!?]{1,60}): +[^\W\d]")
"""How a line begins that says of what it is before it says what, as in "Paper: top shelf"."""


def lacks_spot(question: str, sentence: str) -> bool:
    """Return whether it is asked where, and ``sentence`` names no place and has nothing for one."""
    if expected_kind(question) is not Kind.PLACE:
        return False
    if not is_english():
        return not tells_place(sentence) and ":" not in sentence
    known = frozenset(words(question))
    label = _LABEL.match(sentence)
    if label is not None and not frozenset(terms(label["label"])).isdisjoint(terms(question)):
        return False
    timeless = _without_dates(_MOMENT.sub(" ", sentence))
    return _ANYWHERE.search(timeless) is None and not _names_another(timeless, known)


_ANYONE = lazy_regex(
    r"(?i)\b(?:i|you|he|she|we|they|him|her|us|his|our|their|my|your|who|all|both|each|either)\b"
)
"""Words for persons that count as none of their own."""


def lacks_person(question: str, sentence: str) -> bool:
    """Return whether it is asked who, and ``sentence`` tells at most when or where besides.

    "The rules were written in 2014" does not say by whom. One of two whom the question names may
    answer it. English alone.
    """
    if not is_english() or expected_kind(question) is not Kind.PERSON or " or " in question:
        return False
    if _ANYONE.search(sentence):
        return False
    known = frozenset[str]().union(*map(forms_of, words(question)))
    return all(
        term in known or term.isdecimal() for term in terms(_without_when_and_where(sentence))
    )


_WHO_DEED = lazy_regex(r"(?i)\W*who\s+(?:also\s+|first\s+)?(?P<deed>(?-i:[a-z]{3,}))\b")
_PASSIVE = lazy_regex(
    r"(?i)\b(?:is|are|was|were|be|been|being)\s(?:(?:not|also|first|now|still|well|[a-z]+ly)\s){0,2}"
    r"(?P<deed>[a-z]{3,})\b"
)
_BY = lazy_regex(r"\bby\s")
_ABOUT = lazy_regex(r"(?i)\b(?:about|for|on) (?:the |an? )?\Z")


def lacks_agent(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` tells that what ``question`` asks is done, and not by whom.

    "The mill is well maintained and depends on its visitors" does not say who maintains it, nor
    "Bo wrote a song about the mill" who wrote it. English alone.
    """
    asks = in_english(_WHO_DEED.match, question)
    if asks is None or _BY.search(sentence):
        return False
    deed = forms_of(asks["deed"].casefold())
    thing = frozenset(terms(question[asks.end() :]))
    if _is_about(sentence, thing, deed) or _is_passive(sentence, deed):
        return True
    return _is_a_thing(asks["deed"], sentence)


_BEFORE_VERB = word_set(
    "to will would can could may might must shall should do does did we i they you who not also"
)


def _is_a_thing(deed: str, sentence: str) -> bool:
    """Whether ``sentence`` has the ``deed`` as a noun alone, at an end: "a tax audit."."""
    base = deed.casefold().removesuffix("s")
    forms = forms_of(base)
    said = list(_WORDS.finditer(sentence))
    meant = [
        at for at, word in enumerate(said) if not forms.isdisjoint(forms_of(word[0].casefold()))
    ]
    return bool(meant) and all(
        said[at][0].casefold() == base and _is_noun_at_end(sentence, said[: at + 1]) for at in meant
    )


def _is_noun_at_end(sentence: str, said: Sequence[re.Match[str]]) -> bool:
    """Whether the last of the words ``said`` is not a verb, and ends a part of the sentence."""
    before = said[-2][0].casefold() if len(said) > 1 else None
    if before is None or before in _BEFORE_VERB:
        return False
    return _ENDS_PART.match(sentence, said[-1].end()) is not None


_ENDS_PART = lazy_regex(r"\s*(?:[.,;:]|$|(?:for|of|in|by|is|was|and)\b)")


def _is_passive(sentence: str, deed: frozenset[str]) -> bool:
    """Whether all that ``sentence`` has of ``deed`` is done to something."""
    said = [word for word in words(sentence) if not forms_of(word).isdisjoint(deed)]
    passive = [found["deed"].casefold() for found in _PASSIVE.finditer(sentence)]
    return bool(said) and all(word in passive for word in said)


def _is_about(sentence: str, thing: frozenset[str], deed: frozenset[str]) -> bool:
    """Whether one of ``deed`` is done in ``sentence`` to what is about the ``thing``, or for it."""
    found = list(_WORDS.finditer(sentence))
    done = next((word.end() for word in found if forms_of(word[0].casefold()) & deed), None)
    named = next((word.start() for word in found if stem(word[0].casefold()) in thing), None)
    if done is None or named is None:
        return False
    return _ABOUT.search(sentence, done, named) is not None


_WORDS = lazy_regex(r"[^\W_]+")
_WE_DO = lazy_regex(
    r"(?i)\b(?:we|i)\s(?:(?:have|has|had|also|will|shall|did|do|not)\s){0,3}(?P<deed>[a-z]{3,})\b"
)
_WHO_IS = lazy_regex(
    r"(?i)\W*who(?:['’]s| is| was| are| were)\s(?:the|our|your|their|its|an?)\s"
    r"(?:[a-z]+\s){0,2}?(?P<role>(?-i:[A-Z]{2,4}\b|[a-z]{4,}))(?=\W*$|\s(?:of|at|for|in)\b)"
)
_NAME_BEFORE = lazy_regex(
    r"[A-Z][\w.'’-]*[,:;(–—-]? ?(?:(?:is|was|are|as|became|and|the|our|its|a|an|new|current|then)\s"
    r"){0,4}$"
)
_NAME_AFTER = lazy_regex(
    r"(?:s\b)?[,:(–—-]?\s?(?:(?:is|was|are|were|now)\s){0,2}(?:(?:Mr|Mrs|Ms|Dr)\.?\s)?[A-Z]"
)
_FULL_NAME = lazy_regex(r"\b[A-Z][a-z]+\s(?:[A-Z]\.\s)?[A-Z][a-z]+")


def names_nobody(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` says that "we" do what ``question`` asks of, or names no holder.

    "We audited the accounts" does not tell who audits them, nor "the code binds our CEO" who the
    CEO is. English alone.
    """
    if not is_english():
        return False
    if asks := _WHO_ARE.match(question):
        return _names_none(asks["role"], sentence)
    if asks := _WHO_IS.match(question):
        return _holds_nobody(asks["role"], sentence)
    asks = _WHO_DEED.match(question)
    return asks is not None and _is_done_by_us(forms_of(asks["deed"].casefold()), sentence)


def _is_done_by_us(deed: frozenset[str], sentence: str) -> bool:
    done = (found["deed"].casefold() for found in _WE_DO.finditer(sentence))
    return any(not forms_of(word).isdisjoint(deed) for word in done)


_ASKS_SUM = lazy_regex(
    r"(?im)^(?>.*?\bhow much\b).*\b(?:get|gets|got|receive[sd]?|pay|pays|paid|costs?|sell|sold"
    r"|fetch(?:ed)?|spend|spent)\b"
)
_BY_HOW_MUCH = lazy_regex(
    r"\s(?:reduction|increase|decrease|cut|rise|raise|fall|discount|rebate|drop)s?\b"
)


def tells_change_of_sum(question: str, sentence: str) -> bool:
    """Return whether a sum is asked for, and ``sentence`` has but sums by which others changed.

    "To reflect a $40 reduction of the rent" does not tell what somebody got. English alone.
    """
    if not is_english() or _ASKS_SUM.search(question) is None:
        return False
    sums = [number for number in numbers(sentence) if number.unit in CURRENCIES]
    return bool(sums) and all(_BY_HOW_MUCH.match(sentence, each.end) for each in sums)


_WHO_ARE = lazy_regex(
    r"(?i)\W*who (?:are|were) (?:[\w'’-]+\s){1,6}?(?P<role>(?-i:[a-z]{4,}s))"
    r"(?=\W*$|\s(?:of|at|for|in)\b)"
)
_TELLS_WHICH = (
    r"(?:\s[\w'’-]+){0,6}?(?:\s(?:are|were|includ(?:e|ed|es|ing)|compris(?:e|es|ing)|such as|like"
    r"|namely)\b|:)"
)


def _names_none(role: str, sentence: str) -> bool:
    """Whether ``sentence`` speaks of those with a ``role`` and neither names nor lists any."""
    told = re.search(rf"(?i)\b{role}\b", sentence)
    if told is None or len(_CAPITALS.findall(sentence[1:])) > 1:
        return False
    return re.search(rf"(?i)\b{role}{_TELLS_WHICH}", sentence) is None


_CAPITALS = lazy_regex(r"(?<![.!?] )\b[A-Z][a-z]+")


def _holds_nobody(role: str, sentence: str) -> bool:
    """Whether ``sentence`` speaks of a ``role`` and has no name next to it, nor a full one."""
    wanted = stem(role.casefold())
    told = [word for word in _WORDS.finditer(sentence) if stem(word[0].casefold()) == wanted]
    if not told or _FULL_NAME.search(sentence):
        return False
    return not any(
        _NAME_BEFORE.search(sentence, max(0, word.start() - _NEAR_CHARS), word.start())
        or _NAME_AFTER.match(sentence, word.end())
        for word in told
    )


def _without_when_and_where(sentence: str) -> str:
    """Return ``sentence`` without what tells when or where in plain words, and without dates."""
    for form in (_MOMENT, CLOCK, _SPOT):
        sentence = form.sub(" ", sentence)
    return _without_dates(sentence)


def _names_another(sentence: str, known: frozenset[str]) -> bool:
    """Whether ``sentence`` begins with a name that is not ``known``, or has one of two words."""
    others = (name for name in names(sentence) if not known.issuperset(words(name.text)))
    return any(not name.start or " " in name.text for name in others)


def _says(form: re.Pattern[str], sentence: str, known: frozenset[str]) -> bool:
    """Whether ``sentence`` has something of that ``form`` that is not all in the question."""
    found = (next(filter(None, f.groupdict().values()), f[0]) for f in form.finditer(sentence))
    return any(not known.issuperset(words(said)) for said in found)


def tells_free(question: str, sentence: str) -> bool:
    """Return whether a price is asked for, and ``sentence`` says without one that there is none."""
    if (language := language_in_use()) is not None:
        return tells_free_in(language, question, sentence)
    return asks_price(question) and _FREE.search(sentence) is not None


def asks_price(question: str) -> bool:
    """Return whether ``question`` asks for an amount of money. English alone."""
    return is_english() and _ASKS_PRICE.search(question) is not None


_OTHER_AMOUNTS = """
    deposit bond discount reduction refund rebate voucher prize grant budget donation saving salary
    wage
"""
_NO_PRICE = frozenset(map(stem, _OTHER_AMOUNTS.split()))
"""Stems of amounts that are not what a thing costs."""
_BREAK = lazy_regex(r"[,;.!?]\s|(?<=\d):\s|\b(?:and|but|or|plus)\b")
"""What parts an amount from the next: "Save £5: a seat is £9", but not "Deposit: £20"."""
_PAYS = lazy_regex(r"(?i)\bpay\b|\bpaid\b")


def lacks_price(question: str, sentence: str) -> bool:
    """Return whether a price is asked for, and ``sentence`` has neither one nor says there is none.

    A deposit and its like are none, unless they are asked for, or how much one pays.
    """
    if (language := language_in_use()) is not None:
        return lacks_price_in(language, question, sentence)
    is_plain = asks_price(question)
    is_asked = is_plain or _asks_price_in_short(question)
    if not is_asked or _says_free(sentence, is_plain=is_plain):
        return False
    told = list(numbers(sentence))
    money = [each for each in told if _is_money(each, sentence)]
    if not money:
        return is_plain or not has_bare_figure(told, sentence)
    return _are_other_amounts(money, question, sentence)


def _asks_price_in_short(question: str) -> bool:
    return is_english() and _ASKS_IN_SHORT.search(question) is not None


def _says_free(sentence: str, *, is_plain: bool) -> bool:
    """Whether ``sentence`` says that there is no price, as it is asked for, ``is_plain`` or not."""
    free = _FREE.search(sentence)
    if free is None:
        return False
    return is_plain or free[0].casefold() != "included"  # as in "two nights included"


_IN_COINS = lazy_regex(r"\d+[.,]\d\d")
_OF_CURRENCY = lazy_regex(
    r"(?i) (?:crowns?|kron(?:a|e|er|or)|kr|francs?|rand|shillings?|zloty|pesos?)\b"
)
_POUNDS = lazy_regex(r"(?i)\bpounds?\Z")


def _is_money(amount: Number, sentence: str) -> bool:
    """Whether ``amount`` is one of money; so are pounds, where a price is asked for.

    So is "13.90" of no unit, and what is followed by the name of a currency.
    """
    if amount.unit in CURRENCIES:
        return True
    if not amount.unit and (
        _IN_COINS.fullmatch(sentence, amount.start, amount.end)
        or _OF_CURRENCY.match(sentence, amount.end)
    ):
        return True
    return amount.unit == "lb" and _POUNDS.search(sentence, amount.start, amount.end) is not None


def _are_other_amounts(money: Iterable[Number], question: str, sentence: str) -> bool:
    """Whether all ``money`` in ``sentence`` is a deposit or its like, and that is not asked for."""
    if _PAYS.search(question):
        return False
    others = _NO_PRICE - _called(question)
    return all(_is_called(each, sentence, others) for each in money)


def _called(question: str) -> frozenset[str]:
    """Return the stems of the words of ``question``, and of what else these things are called."""
    said = words(question)
    return frozenset(map(stem, (*said, *chain.from_iterable(map(everyday_words, said)))))


def _is_called(amount: Number, sentence: str, things: frozenset[str]) -> bool:
    """Whether ``amount`` is that of one of ``things``: "a deposit of £20", "£20 deposit"."""
    before = _BREAK.split(sentence[max(0, amount.start - _NEAR_CHARS) : amount.start])[-1]
    after = _BREAK.split(sentence[amount.end : amount.end + _NEAR_CHARS])[0]
    return not things.isdisjoint(map(stem, (*words(before), *words(after)[:2])))
