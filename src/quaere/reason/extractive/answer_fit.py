"""How well a sentence can hold the kind of answer that is asked for."""

from __future__ import annotations

import re

from quaere.reason.extractive.other_languages import lacks_past, lasts_one, tells_place
from quaere.reason.extractive.plain_answers import plain_fit
from quaere.reason.extractive.questions.kinds import DEED, NAMED, NOUNS, Kind
from quaere.text.dates import dates
from quaere.text.languages.language import (
    cached_by_language,
    days_of_week,
    in_english,
    is_english,
    language_in_use,
)
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.names import Name, names
from quaere.text.numbers import CURRENCIES, Number, numbers
from quaere.text.synonyms import everyday_words, forms_of
from quaere.text.tokens import stem, words

_BECAUSE = lazy_regex(
    r"(?i)\b(?:because|due to|owing to|on account of|caused? by|causes?"
    r"|(?<!my )(?<!our )(?<!many )thanks to"
    r"|result(?:s|ed)? (?:from|in|of)|(?:comes?|came|stem(?:s|med)?) from"
    r"|reasons? (?:for|why|is|are|was|were)|therefore|in order to|so (?:that|as)|otherwise"
    r"|to (?:avoid|prevent)|for (?:[a-z]+ )?(?:[a-z]+ reasons|compatibility)"
    r"|since(?! (?:then|when|\d))|leads? to|led to"
    r"|weil|wegen|parce que|en raison"
    r"|из-за|потому)\b|因为|由于|بسبب|لأن"
    r"|, as (?:he|she|it|they|we|you|there|this|that|these|those|the|an?|his|her|its|their|our"
    r"|no)\b"
)
_BY_MEANS = lazy_regex(
    r"(?i)\b(?:by \w+ing|by means|using|uses?|used|through|via|process|method|when|first|then"
    r"|steps?|allows?|works?|indem|durch|mittels|à l'aide|путем|с помощью)\b|通过|利用|من خلال"
)
_DEFINES = lazy_regex(
    r"(?i)\b(?:is|are|was|were|means|refers to|denotes|stands for) (?:an?|the|any|one)\b"
    r"|\b(?:ist|sind|war) (?:ein|eine|der|die|das)\b|\b(?:est|était) (?:une?|la|le)\b"
    r"| — это |是一|هو |هي "
)
_COMPARES = lazy_regex(
    r"(?i)\b(?:than|whereas|while|unlike|compared|both|more|less|fewer|higher|lower|older|younger"
    r"|larger|smaller|better|worse|als|plus|moins|в отличие|чем)\b|比|相比|مقارنة"
)
_ENUMERATES = lazy_regex(r"[,、،;].*(?:[,、،;]| and | or | und | et | и |和)")
_PLACED = lazy_regex(r"(?i)\b(?:in|at|near|from|to|of|on|into|across|bei|aus|à|dans|en|в)\s*$")
_DETERMINED = lazy_regex(r"(?i)\b(?:an?|any|each|every|its|no|some|such|that|the|this)\s+$")
ASKS_HOW_LONG = lazy_regex(r"(?i)\bhow long\b")
_OFTEN = (
    r"\bhow (?:often|frequently)\b",
    (
        r"\b(?:(?<!at )once|twice|(?:\d+|three|four|five|six|ten|several|many) times"
        r"|hourly|nightly|fortnightly|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
        r"|(?:first|second|third|fourth|last) [a-z]+day of (?:the|a) month"
        r"|daily|weekly|monthly|quarterly|yearly|annually"
        r"|every|each|(?<!^)never|always|seldom|rarely"
        r"|(?:a|per) (?:second|minute|hour|day|week|month|year))\b"
    ),
)
"""What asks how often something is so in English, and what tells that.

"Never take two" is a ban, and no answer to how often one takes it.
"""
_ASKS_SINCE = lazy_regex(r"(?i)\W*since (?:when|what|which)\b")
_SINCE = lazy_regex(r"(?i)\b(?:since\b|from (?:\w+ )?\d)")
_ASKS_HOW_TO = lazy_regex(
    r"(?i)\W*(?:how (?:(?:do|can|could|should|would|must|may|does) (?:i|we|you|one|somebody) |to )"
    r"|what (?:do|will|must|should) (?:i|we|you) (?:need|have)(?: to (?:bring|show|have))? to )"
    rf"{DEED}"
)
_MEANS_TO = lazy_regex(
    r"(?i)\b(?:use|run|type|invoke|call|execute|set|pass|give|add|specify|enter|press|choose|select)\b"
    r"[^.;]*?\bto (?P<done>(?:try to )?[a-z][^.;]*)"
)
_IN_ORDER_TO = lazy_regex(
    r"(?i)\W*(?:in order )?to (?P<done>[a-z][^,;:]*)[,:]?\s+(?:please |just |simply )?"
    r"(?:use|run|type|invoke|call|execute|set|pass|give|add|specify|enter|press|choose|select|open)\b"
)
_DONE_BY = lazy_regex(
    r"(?i)\b(?:is|are|was|were|be|been)\s(?:[a-z]+ly\s)?(?P<done>[a-z]+)\s"
    r"(?:by\s(?:[a-z]+\s){0,2}?[a-z]+ing|using|with|via|through)\b"
)
_INSTRUCTS = lazy_regex(r"(?i)\W*(?:in order )?to [a-z]+\b[^,;:]*,\s")
"""How a sentence begins that tells what to do to reach something: "To empty the tank, open …"."""
MAY_NAME = 0.5
"""How well a sentence may hold a name in a script that does not mark names."""
_LASTS = lazy_regex(r"(?i)\b(?:until|till|as long as|for ever|forever|indefinitely|permanently)\b")
_PLACE_WORDS = frozenset(NOUNS[Kind.PLACE].split())
_NOT_PERSONS = _PLACE_WORDS.union(NOUNS[Kind.ORGANIZATION].split(), NOUNS[Kind.DATE].split())


def answer_fit(kind: Kind, sentence: str, known: frozenset[str] = frozenset()) -> float:
    """Return how well ``sentence`` can hold an answer of that kind, from 0 (not) to 1.

    Args:
        kind: What is asked for.
        sentence: One sentence of a source.
        known: Lower-case words of the question, and of what it is about: a name or number made of
            these alone is not an answer.
    """
    if kind in NAMED:
        return _holds_name(kind, sentence, known) or plain_fit(kind, sentence, known)
    if kind is Kind.DATE:
        has_date = bool(dates(sentence))
        return _holds_date(sentence, known) if has_date else plain_fit(kind, sentence, known)
    if kind is Kind.NUMBER:
        return _holds_number(sentence, known)
    cue = _cue(kind)
    return 1.0 if cue is None or cue.search(sentence) else 0.6


def tells_how(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` tells without a figure how long or how often, as was asked.

    "Logs are kept until they are deleted" answers "How long are logs kept?"; "They are read once a
    day" how often. Beyond English a span of one tells how long: "auf ein Jahr".
    """
    if (language := language_in_use()) is not None and lasts_one(language, question, sentence):
        return True
    lasts = ASKS_HOW_LONG.search(question) is not None and _LASTS.search(sentence) is not None
    return lasts or (asks_how_often(question) and tells_how_often(sentence))


def asks_how_often(question: str) -> bool:
    """Return whether ``question`` asks how often something is so."""
    return re.search(f"(?i){_often()[0]}", question) is not None


def tells_how_often(sentence: str) -> bool:
    """Return whether ``sentence`` says how often something is so."""
    return re.search(f"(?i){_often()[1]}", sentence) is not None


def _often() -> tuple[str, str]:
    language = language_in_use()
    return _OFTEN if language is None else language.often


def asks_means(question: str) -> bool:
    """Return whether ``question`` asks how one does something, or what one needs to do it."""
    return is_english() and _ASKS_HOW_TO.match(question) is not None


def tells_means(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` tells by what is done what is asked for how to do it.

    "Use the pump to empty the tank", "To empty the tank, open the valve" and "It is emptied by
    opening the valve" tell how one empties a tank; "The tank is emptied" does not. English alone.
    """
    asked = in_english(_ASKS_HOW_TO.match, question)
    if asked is None:
        return False
    done = stem(asked["done"].casefold())
    return done in _done_by(sentence) or done in _done_with_what_is_used(sentence)


def _done_by(sentence: str) -> list[str]:
    """Return the stems of what ``sentence`` tells to be done by some means, in the passive."""
    return [stem(found["done"].casefold()) for found in _DONE_BY.finditer(sentence)]


def _done_with_what_is_used(sentence: str) -> list[str]:
    """Return the first stems of what one uses, runs or sets something for."""
    means = _MEANS_TO.search(sentence) or _IN_ORDER_TO.match(sentence)
    return [stem(word) for word in words(means["done"])[:3]] if means else []


ANYHOW = word_set(
    "be change do find get give go handle have keep know learn make put run set start take try turn"
    " use work write"
)
"""What one does that lines tell in other words: "Permits are sent by post" tells how to get one."""


def lacks_done(question: str, told: frozenset[str]) -> bool:
    """Return whether the stems ``told`` have none for what ``question`` asks how to do.

    "`hask cost` measures the cost" does not tell how one limits it. English alone.
    """
    asked = in_english(_ASKS_HOW_TO.match, question)
    if asked is None or (done := asked["done"].casefold()) in ANYHOW:
        return False
    meant = forms_of(done).union(map(stem, everyday_words(done)))
    return meant.isdisjoint(told)


def instructs(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` tells what to do for something, where it is asked how to do one.

    What for, it may say in other words than the question. English alone.
    """
    return bool(is_english() and _ASKS_HOW_TO.match(question) and _INSTRUCTS.match(sentence))


_ASKS_WHERE_TO = lazy_regex(
    r"(?i)\W*where\s+(?:do|does|did|is|are|was|were|will|can|should)\s.*"
    r"\b(?P<done>logs?|logged|writes?|written|saves?|saved|stores?|stored|keeps?|kept|puts?|caches?"
    r"|cached|installs?|installed|sends?|sent)\b"
)
_IRREGULAR = {"written": "write", "kept": "keep", "sent": "send"}
_KEPT = frozenset(map(stem, ("keep", "store", "put")))
_STAYS = _KEPT | frozenset(
    map(
        stem,
        ("stand", "lie", "hang", "live", "sit", "belong", "locked", "filed", "pinned", "found"),
    )
)
"""Stems of what a thing does, or what is done to it, where it is kept."""
_WORD = lazy_regex(r"(?i)\b[a-z]+\b")
_PUT = (
    r"(?:\s[\w`-]+){0,3}?\s"
    r"(?:in|into|to|at|on|under|inside|within|from|behind|near)\s"
)
_SOMEWHERE = lazy_regex(_PUT)
_IS_SOMEWHERE = lazy_regex(
    r"(?i)\b(?:is|are) (?:in|on|at|under|inside|behind|beside|near|opposite|next to|above|below)\s"
)
_INTO_PATH = lazy_regex(
    r"(?:\s(?![Aa]nd\b)\S*[^\s.;:!?]){1,12}?\s(?:in|into|to|at|on|under|inside|within|from)\s[`\"']?[~.]?/[\w.-]"
)
"""A folder or a file after what is put there, which takes more words to say than other places."""
_TO_PLACE = lazy_regex(
    rf"{_PUT}(?:(?:an?|the|its|your|their|our)\s)?"
    r"(?:`|[~./][\w./~-]|[A-Z]|(?:\w+\s){0,2}?(?:folder|director(?:y|ies)|files?|database|cache|memory"
    r"|disk|console|terminal|stderr|stdout|registry|keychain|repository|bucket|variable)\b)"
)

_IN_PATH = lazy_regex(
    r"(?i)\b(?:uses|is|are|defaults? to|looks? in|goes? to|found in|located in)\s(?:the\s)?"
    r"(?:[`\"'*]+[\w.~{}$-]*/|(?:[~.$][\w.~{}$-]*)?/[\w.~{}$-]|[\w.-]+/[\w.-]+/|[\w.-]+/[\w-]*\.\w)"
)
"""Names a folder or a file as that of something: "It uses `.cache/tern`", and not "24/7"."""


def lacks_where(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` does not say that what ``question`` asks of is put anywhere.

    "Errors are logged to stderr" does; "In Orrin the console shows what is logged" does not.
    English alone.
    """
    asked = _ASKS_WHERE_TO.match(question) if is_english() else None
    if asked is None or _IN_PATH.search(sentence):
        return False
    if _deed(asked["done"]) in _KEPT and _IS_SOMEWHERE.search(sentence):
        return False
    return not _is_put(asked["done"], sentence, _SOMEWHERE)


_ASKS_PLACED = lazy_regex(
    r"(?i)\W*where (?:is|are|was|were|do|does|did|can|could|should) "
    r"(?:(?!\b(?:which|that|whom?|whose)\b).)*?"
    r"\b(?P<done>kept|stored|keep|store|found|located|situated|find|get)\W*\Z"
)
"""Asks where one thing is, that no other clause describes: of such a one, lines must say more."""


def place_words(question: str) -> frozenset[str]:
    """Return the stems by which ``question`` asks where something is: a line need have none.

    "The barrows stand near the shed" says where barrows are kept. English alone.
    """
    asked = _ASKS_PLACED.match(question) if is_english() else None
    return frozenset((stem(asked["done"].casefold()),)) if asked else frozenset()


def tells_where(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` says in which file, folder or place that is put, as was asked.

    None of these need have a name of its own. English alone.
    """
    asked = _ASKS_WHERE_TO.match(question) if is_english() else None
    if asked is None:
        return False
    is_path = _IN_PATH.search(sentence) is not None
    return is_path or _is_put(asked["done"], sentence, _TO_PLACE)


def _is_put(done: str, sentence: str, place: re.Pattern[str]) -> bool:
    wanted = _deed(done)
    if wanted == stem("put"):
        meant = _STAYS - {stem("found")}
    else:
        meant = _STAYS if wanted in _KEPT else frozenset((wanted,))
    deeds = (found for found in _WORD.finditer(sentence) if _deed(found[0]) in meant)
    return any(
        place.match(sentence, deed.end()) or _INTO_PATH.match(sentence, deed.end())
        for deed in deeds
    )


def _deed(word: str) -> str:
    return stem(_IRREGULAR.get(word.casefold(), word.casefold()))


def lacks_since(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` has no "since", though ``question`` asks since when.

    When something was so once is not since when it has been so. Beyond English, whether it has no
    date, though it is asked when something was done.
    """
    if (language := language_in_use()) is not None:
        return lacks_past(language, question, sentence)
    return _ASKS_SINCE.match(question) is not None and _SINCE.search(sentence) is None


def tells_day(question: str, sentence: str) -> bool:
    """Return whether ``question`` asks for a day of the week and ``sentence`` names one."""
    days = days_of_week()
    return bool(re.search(f"(?i){days.asked}", question) and re.search(f"(?i){days.any}", sentence))


def _cue(kind: Kind) -> re.Pattern[str] | None:
    """Return what a sentence holds that answers a question of ``kind``; None where nothing does."""
    language = language_in_use()
    own = {}
    if language is not None:
        reason = f"{language.because}|{language.so}"
        own = {Kind.REASON: reason, Kind.DEFINITION: language.defines}
    return re.compile(f"(?i){own[kind]}") if kind in own else _CUES.get(kind)


_CUES = {
    Kind.REASON: _BECAUSE,
    Kind.MANNER: _BY_MEANS,
    Kind.DEFINITION: _DEFINES,
    Kind.COMPARISON: _COMPARES,
    Kind.LIST: _ENUMERATES,
}


@cached_by_language(maxsize=4096)
def _named_in(sentence: str) -> tuple[tuple[Name, tuple[str, ...]], ...]:
    return tuple((name, tuple(words(name.text))) for name in names(sentence))


def _known(text: str, known: frozenset[str]) -> bool:
    return all(word in known for word in words(text))


def _fit(kind: Kind, sentence: str, name: Name, parts: tuple[str, ...]) -> float:
    if kind is Kind.PERSON:
        if not _NOT_PERSONS.isdisjoint(parts) or len(parts) > 5:
            return 0.3
        if len(parts) > 1:
            return 1.0
        return 0.3 if _is_of_things(sentence[: name.start]) else 0.7
    if kind is Kind.PLACE:
        if re.search(f"(?i){days_of_week().any}", name.text):
            return 0.0
        placed = is_placed(sentence[: name.start]) or sentence[name.end :].startswith(", ")
        return 1.0 if placed or not _PLACE_WORDS.isdisjoint(parts) else 0.5
    return 1.0 if len(parts) > 1 else 0.8


def _is_of_things(before: str) -> bool:
    """Return whether a single name behind ``before`` is none of a person: "any Markdown", code."""
    return _DETERMINED.search(before) is not None or before.count("`") % 2 == 1


def is_placed(before: str) -> bool:
    """Return whether what follows ``before`` in a sentence may be a place."""
    language = language_in_use()
    placed = _PLACED if language is None else re.compile(f"(?i){language.placed}")
    return placed.search(before) is not None


def _holds_name(kind: Kind, sentence: str, known: frozenset[str]) -> float:
    named = ((name, parts) for name, parts in _named_in(sentence) if not known.issuperset(parts))
    fits = (_fit(kind, sentence, name, parts) for name, parts in named)
    return max(fits, default=_unmarked(kind, sentence))


def _unmarked(kind: Kind, sentence: str) -> float:
    """Return how well a sentence may hold a name where none is marked.

    In a script without capitals most names look as any other word does.
    """
    language = language_in_use()
    if language is None or not language.pieces:
        return 0.0
    return 1.0 if kind is Kind.PLACE and tells_place(sentence) else MAY_NAME


def _holds_date(sentence: str, known: frozenset[str]) -> float:
    found = [d for d in dates(sentence) if not _known(sentence[d.start : d.end], known)]
    if not found:
        return 0.0
    return 1.0 if any(date.year is not None for date in found) else 0.6


_TYPED_CHARS = 80
_TYPED = lazy_regex(r"(?<!\w)--?[A-Za-z][\w-]*[= ]$|//[\w.-]+:$|\w(?:\[|\((?:[^()]*\w=)?)$")
"""What is before a figure of code: `--workers=`, `--by `, `pool(size=`, `argv[`, `//host:`."""


def is_typed(sentence: str, start: int) -> bool:
    """Return whether the figure at ``start`` is part of code, and counts nothing."""
    return _TYPED.search(sentence, max(0, start - _TYPED_CHARS), start) is not None


_CODE_CHARS = 12
_BEGINS_CODE, _ENDS_CODE = lazy_regex(r"[A-Za-z][\w-]*$"), lazy_regex(r"[\w-]*")


def _code_around(sentence: str, number: Number) -> str:
    """Return the name of which ``number`` is a part, as of "TX-31L"; else its own figures."""
    begin = _BEGINS_CODE.search(sentence, max(0, number.start - _CODE_CHARS), number.start)
    end = _ENDS_CODE.match(sentence, number.end)
    start = begin.start() if begin else number.start
    return sentence[start : end.end() if end and begin else number.end]


def _holds_number(sentence: str, known: frozenset[str]) -> float:
    in_dates = [(d.start, d.end) for d in dates(sentence)]
    best = 0.0
    for number in numbers(sentence):
        text = sentence[number.start : number.end]
        is_known = number.unit not in CURRENCIES and _known(text, known)
        name = _code_around(sentence, number)
        is_of_name = name != text and _known(name, known)
        if is_known or is_of_name or is_typed(sentence, number.start):
            continue
        dated = any(start <= number.start < end for start, end in in_dates)
        worded = text.isalpha()
        best = max(best, 0.3 if dated else 0.6 if worded and not number.unit else 1.0)
    return best
