"""Whether a sentence has an amount in such a unit as is asked for: a length, an age, a time."""

from __future__ import annotations

import re
from functools import partial

from quaere.reason.extractive.answer_fit import ASKS_HOW_LONG, asks_how_often, tells_how_often
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number, numbers, undated_numbers
from quaere.text.synonyms import related_words
from quaere.text.tokens import stem, terms, words

_ASKS_FOR_MEASURE = lazy_regex(r"(?i)\bhow (?:long|tall|far|high|deep|wide|heavy|fast)\b")
_TIME_UNITS = frozenset({"yr", "mo", "wk", "d", "h", "min", "s"})
_LENGTH_UNITS = frozenset({"km", "m", "cm", "mm", "mi", "ft", "in"})
_MEASURED = {
    "long": _TIME_UNITS | _LENGTH_UNITS,
    "old": _TIME_UNITS,
    "tall": _LENGTH_UNITS,
    "deep": _LENGTH_UNITS,
    "wide": _LENGTH_UNITS,
    "far": _TIME_UNITS | _LENGTH_UNITS,
    "heavy": frozenset({"kg", "g", "mg", "lb", "t"}),
}
"""Units of what is asked for by "how" and an adjective."""
_HOW = lazy_regex(r"(?i)\bhow (long|old|tall|deep|wide|far|heavy)\b")
_ASKS_WEIGHT = lazy_regex(r"(?i)\b(?:how much|what) (?:do|does|did)\b[^?]*\bweigh\W*$")
_TELLS_LENGTH = {
    "tall": lazy_regex(r"(?i)\b(?:tall|high|height|heights|stands?|rises?|reach(?:es)?|above)\b"),
    "deep": lazy_regex(r"(?i)\b(?:deep|depths?|deepest|deeper|down|below)\b"),
    "wide": lazy_regex(r"(?i)\b(?:wide|width|widths|breadth|across|broad|by|span\w*)\b|[x×]"),
}
"""How a sentence says which length it tells: "a 25 m pool" is not 25 m deep."""
_ASKS_DURATION = lazy_regex(
    r"(?i)\bhow long\b.*\b(?:takes?|taken|took|lasts?|lasted|waits?|waited)\b"
)
_DURATION = lazy_regex(
    r"(?i)(?:\d[\s-]?|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
    r"|forty|fifty|sixty|half|few|several|some)[\s-])(?:[a-z]+[\s-])?"
    r"(?:[mµn]?s|milliseconds?|microseconds?|nanoseconds?|secs?|seconds?(?! (?:one|[a-z]+s)\b)"
    r"|min(?:ute)?s?|h(?:ou)?rs?|h|days?|nights?|weeks?|fortnights?|months?|years?|decades?|centur(?:y|ies))\b"
)
_EVERY = lazy_regex(r"(?i)\b(?:every|each)\s*$")
_IN_LETTERS = lazy_regex(r"(?i)\d[\s-](?:character|letter|digit|word|line|page|byte)s?\b")
"""How long a text or a name is."""
_ASKS_AGE = lazy_regex(r"(?i)\bhow old\b")
_OF_AGE = frozenset({"", "yr", "mo"})
OLDEST = 130
"""A bare figure over it is a year, or counts something else than those of somebody's age."""
_AT_AGE = lazy_regex(r"(?i)\b(?:at|aged|age(?: of)?|turned|(?:he|she|they|[A-Z]\w+) (?:is|was)) $")
_AFTER_NAME, _ENDS_ASIDE = lazy_regex(r"\b[A-Z][a-z]+(?:, | \()\Z"), frozenset(",)")
"""An age after a name: "Ada Novak, 45, leads the laboratory"."""
_OLD = lazy_regex(r"(?i)(?:[ -]years?)?(?:[ -]old\b| of age\b| (?:or|and) (?:older|over|under)\b)")


def _is_age(number: Number, sentence: str) -> bool:
    """Whether ``number`` is an age: "at fourteen she left", not "she sailed for five years"."""
    if number.unit not in _OF_AGE or not (number.unit or number.value <= OLDEST):
        return False
    before, after = sentence[: number.start], sentence[number.end :]
    if after[:1] in _ENDS_ASIDE and _AFTER_NAME.search(before):
        return True
    return _AT_AGE.search(before) is not None or _OLD.match(after) is not None


def asks_for_measure(question: str) -> bool:
    """Return whether ``question`` asks for an amount of something, such as years or metres."""
    return _ASKS_FOR_MEASURE.search(question) is not None or _measured(question) is not None


def _measured(question: str) -> frozenset[str] | None:
    """Return the units in which the answer may be, by the word that asks for it; None for any."""
    if (language := language_in_use()) is None:
        if _ASKS_WEIGHT.search(question):
            return _MEASURED["heavy"]
        asked = _HOW.search(question)
        return _MEASURED[asked[1].casefold()] if asked else None
    asks = (word for word, said in language.measured.items() if re.search(f"(?i){said}", question))
    return next((_MEASURED[word] for word in asks), None)


def lacks_measure(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` has no number with a unit, though ``question`` asks for one.

    Of "how old", none but an age. Asked how long something takes or lasts, it has to be one of
    time; asked how often something is so, no number but so many times.
    """
    if asks_how_often(question):
        return not tells_how_often(sentence)
    if _ASKS_AGE.search(question):
        return not any(_is_age(each, sentence) for each in numbers(sentence))
    if is_english() and ASKS_HOW_LONG.search(question):
        sentence = _about(question, sentence)
        if _ASKS_DURATION.search(question):
            return not _lasts(sentence)
    return _counts_nothing(question, sentence) or _lacks_unit(question, sentence)


_IT = lazy_regex(r"(?i)\W*(?:it|this|that|they|these|those|he|she|you|we)\b")


def _about(question: str, sentence: str) -> str:
    """Return the parts of ``sentence``, between semicolons, that have a word of ``question``.

    Or that speak of what another one names; all of it where none has. "The council meets at six;
    guests may speak for three minutes" does not tell how long the council meets.
    """
    asked, parts = frozenset(terms(question)), sentence.split("; ")
    about = [each for each in parts if _IT.match(each) or not asked.isdisjoint(terms(each))]
    return "; ".join(about) or sentence


def _lasts(sentence: str) -> bool:
    """Whether ``sentence`` has a span of time that does not tell how often something is so."""
    return any(not _comes_again(sentence, each.start()) for each in _DURATION.finditer(sentence))


def _lacks_unit(question: str, sentence: str) -> bool:
    """Whether ``sentence`` has no number with a unit, and ``question`` asks for one of some."""
    if not asks_for_measure(question):
        return False
    measures = (each for each in numbers(sentence) if not _comes_again(sentence, each.start))
    if any(_may_be_in(number.unit, question) for number in measures):
        return _tells_other_length(question, sentence)
    if ASKS_HOW_LONG.search(question) is None:
        return True
    return not (_lasts(sentence) or _IN_LETTERS.search(sentence))


def _tells_other_length(question: str, sentence: str) -> bool:
    """Whether ``question`` asks for a height, depth or width, and ``sentence`` speaks of none."""
    asked = _HOW.search(question) if is_english() else None
    tells = _TELLS_LENGTH.get(asked[1].casefold()) if asked else None
    return tells is not None and tells.search(sentence) is None


def _comes_again(sentence: str, at: int) -> bool:
    """Whether the amount at ``at`` tells how often something is so: "every seven years"."""
    return with_every(sentence, at) < at


def with_every(sentence: str, at: int) -> int:
    """Return where the amount at ``at`` begins, together with an "every" or "each" before it."""
    every = _EVERY.search(sentence, 0, at)
    return every.start() if every else at


def _may_be_in(unit: str, question: str) -> bool:
    """Whether the answer to ``question`` may be in ``unit``."""
    return unit != "" and not is_of_another_measure(question, unit)


def is_of_another_measure(question: str, unit: str) -> bool:
    """Return whether ``unit`` measures what ``question`` does not ask: a weight of how tall."""
    asked = _measured(question) if unit else None
    return asked is not None and unit not in asked


def _counts_nothing(question: str, sentence: str) -> bool:
    """Whether ``question`` asks how many there are of a thing, and ``sentence`` only measures.

    "The station is 2,184 metres up" counts no steps. Beyond English, which tells what is counted.
    """
    if not _asks_how_many_things(question):
        return False
    bare = [each.start for each in undated_numbers(sentence) if not each.unit]
    return all(_is_in_name(sentence, at) for at in bare)


def _asks_how_many_things(question: str) -> bool:
    """Whether ``question`` asks how many there are of things other than units, beyond English."""
    language = language_in_use()
    if language is None or re.search(f"(?i){language.many}", question) is None:
        return False
    units, edge = language.units.values(), "" if language.pieces else r"(?!\w)"
    return not any(re.search(rf"(?i)(?<!\w)(?:{unit}){edge}", question) for unit in units)


def _is_in_name(sentence: str, at: int) -> bool:
    """Whether the number at ``at`` may be of a name, as in "Due Laghi"."""
    return at > 0 and sentence[at].isupper()


LEAST_OF_COMPOUND = 4
"""Letters of a noun that another may end with and count the same: stair steps are steps."""


def counts_other_things(question: str, line: Line, pool: Pool) -> bool:
    """Return whether it is asked of things how many there are, or what one costs, and not told.

    Neither ``line`` nor what is over it has a word of them: "The fee rises from 120 to 140 euros"
    counts no members, and does not tell the price of a boat. Beyond English, and of no such general
    things as persons.
    """
    nouns = _counted(last_question(question))
    if not nouns:
        return False
    held = line.terms | pool.over(line) | pool.title_terms[line.owner]
    held |= frozenset(terms(" ".join(line.columns)))
    return not any(_is_held(noun, held, pool) for noun in nouns)


def _is_held(noun: str, held: frozenset[str], pool: Pool) -> bool:
    alike = frozenset((stem(noun), *map(stem, related_words(noun)))) | pool.forms(stem(noun))
    return not held.isdisjoint(alike) or any(map(partial(_ends_with, stem(noun)), held))


def _counted(text: str) -> tuple[str, ...]:
    """Return the noun of the things that ``text`` asks the number of; nothing for vague ones.

    Or all that it says of what has a price, but for units: "per year".
    """
    language = language_in_use()
    if language is None or language.pieces:
        return ()
    is_of_many = _asks_how_many_things(text)
    asks, most = (language.many, 1) if is_of_many else (language.price, None)
    if re.search(f"(?i){asks}", text) is None:
        return ()
    after = re.split(f"(?i){asks}", text, maxsplit=1)[-1]
    nouns = [word for word in words(after) if stem(word) in terms(word)][:most]
    units = "|".join(language.units.values())
    general = language.light | language.vague
    return tuple(w for w in nouns if w not in general and not re.fullmatch(f"(?i){units}", w))


def _ends_with(noun: str, compound: str) -> bool:
    return len(noun) >= LEAST_OF_COMPOUND and compound.endswith(noun)
