"""The parts of a question, by its wording, and the topics that may be researched side by side.

Several questions in one, the sides of a comparison, aspects listed, and descriptions
that stand for something the question does not name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from quaere.domain.question import ItemStatus
from quaere.domain.team import Topic
from quaere.reason.extractive.questions.kinds import (
    claimed_in,
    compared_in,
    next_question,
)
from quaere.text.languages.language import (
    Language,
    cached_by_language,
    is_english,
    language_in_use,
    outcomes,
)
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.sentences import QUESTION_MARKS, sentences
from quaere.text.tokens import is_stop_word, terms, tokenize, words

_NUMBERED = lazy_regex(r"(?:^|\s)(?:\(?\d{1,2}[.)]|\([a-z]\)|[a-z]\))\s+")
_WH = r"(?:who|whom|whose|what|which|when|where|why|how)"
_AUX = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)"
_NEXT_QUESTION = lazy_regex(rf"(?i),?\s+and\s+(?=(?:(?:in|at|by|on|for)\s+)?{_WH}\s+\w+)")
_BEGINS_QUESTION = lazy_regex(rf"(?i)\W*(?:{_WH}|{_AUX})\b")
_SUBJECT = (
    r"(?:(?:there|it|he|she|they|you|we|the|an?|this|that|these|those|my|your|our|his|her|its|their)"
    r"\b|(?-i:[A-Z]))"
)
_FURTHER_QUESTION = lazy_regex(
    rf"(?i),\s+(?=(?:when|where|why|what|how(?:\s+(?!{_AUX}\b)\w+)?)\s+{_AUX}\b"
    rf"|(?:what|which)(?!\s+{_SUBJECT})(?:\s+(?!{_AUX}\b)\w+){{1,4}}\s+{_AUX}\s+{_SUBJECT})"
)
"""Parts all but the last of more than two; "where she was born" says more of the thing before, and
so does "which no ship can cross", where what does it comes before the verb."""
_COMPARE = lazy_regex(
    r"(?i)\b(?:compare|contrast|comparison (?:of|between)|differences? between"
    r"|similarit\w+ between|relationship between|choose between|differ(?:s|ence)? (?:of|in))\s+"
    r"(?P<a>.+?)\s+(?:and|with|to|versus|vs\.?|from)\s+(?P<b>.+?)"
    r"(?:\s+(?:on|in terms of|with respect to|regarding|in|for|as)\s+(?P<about>.+?))?\s*[?.]*$"
)
_VERSUS = lazy_regex(
    r"(?i)^(?P<a>.+?)\s+(?:versus|vs\.?|compared (?:to|with))\s+(?P<b>.+?)"
    r"(?:\s+(?:on|in terms of|with respect to|regarding|for)\s+(?P<about>.+?))?\s*[?.]*$"
)
_DIFFER = lazy_regex(
    r"(?i)^\W*(?:how|in what)\s+(?:do|are)\s+(?P<a>[^,]+?)\s+and\s+(?P<b>[^,]+?)\s+differ(?:ent)?"
    r"(?:\s+in\s+(?P<about>.+?))?\s*[?.]*$"
)
_DIFFERS_FROM = lazy_regex(
    r"(?i)^\W*how\s+(?:does|do|is|are)\s+(?P<a>[^,]+?)\s+differ(?:ent)?\s+from\s+(?P<b>[^,]+?)"
    r"(?:\s+in\s+(?P<about>.+?))?\s*[?.]*$"
)
_DISTINGUISHES = lazy_regex(
    r"(?i)^\W*what\s+distinguishes\s+(?P<a>[^,]+?)\s+from\s+(?P<b>[^,]+?)"
    r"(?:\s+in\s+(?P<about>.+?))?\s*[?.]*$"
)
_EITHER = lazy_regex(r"(?i)^(?P<about>.*?)(?:[,:]|\bout of|\bbetween|\bof)\s+(?P<a>[^,:]+?),?\s+"
                     r"or\s+(?P<b>[^?]+?)\s*\?*$")  # fmt: skip
_WHICH_FIRST = lazy_regex(
    rf"(?i)^\W*{_AUX}\s+(?P<a>[^,]+?),?\s+or\s+(?P<b>[^,]+?)\s+(?P<about>[a-z]+\s+(?:first|last"
    r"|earlier|later|before|more recently))\s*\?*$"
)
_INFIX = lazy_regex(
    r"(?i)^(?P<about>(?:who|which|what)\b.*?\b(?:first|later|earlier|older|younger|more|less|larger"
    r"|longer|bigger|taller|higher|smaller|fewer|most|better))\s+(?P<a>[^,]+?),?\s+or\s+"
    r"(?P<b>[^,]+?)\s*\?*$"
)
_COMPARATIVES = (
    r"bigger|broader|cheaper|closer|colder|deeper|earlier|faster|fewer|greater|heavier|higher"
    r"|hotter|larger|later|less|lighter|longer|lower|more|nearer|newer|older|quicker|shorter"
    r"|slower|smaller|taller|warmer|wider|younger"
)
_WHICH_MORE = lazy_regex(
    rf"(?i)^\W*{_AUX}\s+(?P<a>[^,]+?),?\s+or\s+(?P<b>[^,]+?)\s+(?P<about>(?:(?-i:[a-z]+)\s+)?"
    rf"(?:(?:more|less)\s+[a-z]+|{_COMPARATIVES}))\s*\?*$"
)
"""A choice that is put as yes or no: "Is the Volga or the Danube longer?"."""
_BOTH = lazy_regex(
    rf"(?i)^\W*{_AUX}\s+(?:both\s+)?(?:of\s+)?(?P<a>.+?),?\s+and\s+(?P<b>.+?)\s+"
    r"(?P<about>(?:both|located|from|of the same|in the same|the same|share|have|has|born|based|"
    r"used|known|made|found|part|members?|considered|directed|written|founded|published|(?-i:an? )|"
    r"types?|american|british|genus|genera|plants?|magazines?|bands?|films?)\b.*?)\s*\?*$"
)
_HAVING = (
    r"(?:(?:[a-z]+ed|arrive|be|begin|belong|born|(?:re)?built|come|cost|drawn|end|fall|get|go"
    r"|ha(?:s|ve)(?:\s+[a-z]+(?=\s+of))?"
    r"|leave|led|live|made|meet|members?|need|open|parts?|play|run|share|shot|sit|start|stay|study"
    r"|sung|take|train|use|work|written)\s+)?"
    r"(?:(?:at|by|for|from|in|of|on|to|under|with)\s+)?the\s+same\s(?!country|nation)"
)
_THE_SAME = (
    lazy_regex(
        rf"(?i)^\W*{_AUX}\s+(?P<a>[^,]+?)\s+(?P<about>{_HAVING}[a-z]+)\s+as\s+(?P<b>[^,]+?)"
        r"\s*\?*$"
    ),
    lazy_regex(
        rf"(?i)^\W*{_AUX}\s+(?:both\s+)?(?P<a>[^,]+?),?\s+and\s+(?P<b>[^,]+?)\s+"
        rf"(?P<about>{_HAVING}.*?)\s*\?*$"
    ),
)
"""Asks whether two things have the same of something: "Is Ana in the same team as Ben?"."""
_BOTH_SAID = lazy_regex(
    rf"(?i)^\W*{_AUX}\s+(?P<a>[^,]+?),?\s+and\s+(?P<b>[^,]+?)\s+(?P<about>both\b.*?)\s*\?*$"
)
_BETWEEN = lazy_regex(
    r"(?i)^\W*(?:between|out of|of)\s+(?P<a>[^,]+?),?\s+(?:and|or)\s+(?P<b>[^,]+?),?\s+"
    r"(?P<about>(?:who|which|what|whose)\b.*?)\s*\?*$"
)
_EITHER_AND = lazy_regex(
    r"(?i)^(?P<about>.*?\b(?:out of|between))\s+(?P<a>[^,:]+?),?\s+and\s+(?P<b>[^,]+?)\s*\?*$"
)
_BOTH_NAMED = (
    r"(?:the\s+)?(?P<a>(?-i:[A-Z\"“])[^,?]*?),?\s+and\s+(?:the\s+)?(?P<b>(?-i:[A-Z\"“])[^,?]*?)\s+"
)
_SHARED = (
    lazy_regex(
        rf"(?i)^\W*(?:what|which)\b(?:\s+[\w-]+){{0,4}}?\s+{_AUX}\s+(?:both\s+)?{_BOTH_NAMED}"
        r"(?:share\b|(?:have\s+)?in\s+common\b)(?P<about>)"
    ),
    lazy_regex(
        rf"(?i)^\W*(?:both\s+)?{_BOTH_NAMED}(?:(?:are|were)\s+both|share|have\s+in\s+common)\b[^?]*?"
        rf"\b{_WH}\b(?P<about>)"
    ),
)
"""What two things have in common: nothing is said by which to compare them."""
_VERBS = (
    r"[a-z]+ed|become|begin|born|(?:re)?built|come out|cost|die|earn|end|get|given|has"
    r"|have|hold|last|lit|made|open|own|sell|start|weigh|win|written"
)
_CLAIMS = (
    lazy_regex(
        r"(?i)^\W*(?:do|does|did|will|can)\s+(?P<a>[^,]+?)\s+(?P<about>(?-i:[a-z]+)\s+"
        r"(?:more|less|fewer)(?:\s+[\w-]+){0,3}?)\s+than\s+(?P<b>[^,]+?)\s*\?*$"
    ),
    lazy_regex(
        rf"(?i)^\W*{_AUX}\s+(?P<a>[^,]+?)\s+(?P<about>(?:(?:{_VERBS})\s+)?\b(?:{_COMPARATIVES})"
        r"(?:\s+[\w-]+){0,3}?)\s+than\s+(?P<b>[^,]+?)\s*\?*$"
    ),
    lazy_regex(
        rf"(?i)^\W*{_AUX}\s+(?P<a>[^,]+?)\s+(?P<about>(?:{_VERBS})\s+(?:before|after))\s+"
        r"(?P<b>[^,]+?)\s*\?*$"
    ),
    lazy_regex(
        r"(?i)^\W*did\s+(?P<a>(?-i:[A-Z])[^,]*?)\s+(?P<about>(?-i:[a-z]+(?: [a-z]+){0,3})\s+"
        r"(?:before|after))\s+(?P<b>[^,]+?)\s*\?*$"
    ),
)
_CHOOSES = lazy_regex(rf"(?i)^\W*(?:\w+ ){{0,3}}{_WH}\b")
_ENUMERATION = lazy_regex(
    r"(?P<first>[^,;:.?]{3,90}),\s+(?P<rest>(?:[^,;:.?]{3,60},\s+)*(?:[^,;:.?]{3,60}?)?)"
    r",?\s*\b(?:and|or)\s+(?P<last>[^,;:.?]{3,90})"
)
_BEFORE_FIRST = lazy_regex(
    r"(?i)^.*\b(?:the|of|on|in|what|are|is|including|includes?|such as|like|between|following)\s+"
)
_AFTER_LAST = lazy_regex(
    r"(?i)\s(?:of|in|on|for|related|regarding|concerning|to|that|which|from|with|when|as)\b"
)
_CLAUSE = lazy_regex(rf"(?i)(?:{_AUX}|{_WH}|may|must|i|we|you|he|she|it|they)\b")
"""How a member begins that is a clause, and no thing: "my bag was lost, can I cancel and claim"."""
LONGEST_COMPARED = 600
"""Characters up to which a wording is taken apart: what compares or enumerates is never longer."""
_TRIM = ' \t\n,;:.?!"“”„«»'


class Comparison(NamedTuple):
    """Two things set against each other, and in what."""

    first: str
    second: str
    about: str


def questions(text: str) -> tuple[str, ...]:
    """Return the questions that ``text`` puts, in order; one alone when it cannot be split."""
    text = text.strip()
    stretches = (text[span.start : span.end] for span in sentences(text))
    found = [s for s in stretches if s.endswith(QUESTION_MARKS) and len(words(s)) > 2]
    if len(found) < 2:
        found = _listed(text)
    if len(found) < 2:
        found = _joined(text)
    return tuple(dict.fromkeys(found)) if len(found) > 1 else (text,)


def _joined(text: str) -> list[str]:
    """Return the questions that words such as "and who" join; none where one is of few words."""
    language = language_in_use()
    further = next_question(language) if language else _NEXT_QUESTION
    found = [question.strip(_TRIM) for question in further.split(text)]
    if language is None:
        found = with_further(found)
    return found if all(len(words(question)) > 2 for question in found) else []


def with_further(parts: Iterable[str]) -> list[str]:
    """Return the several ``parts`` of a question with those apart that a comma parts."""
    found = list(parts)
    if len(found) < 2 or not _BEGINS_QUESTION.match(found[0]):
        return found
    return [each for part in found for each in _FURTHER_QUESTION.split(part)]


def _listed(text: str) -> list[str]:
    for pattern in (_NUMBERED, re.compile(r";\s+|\n+")):
        pieces = [piece.strip(_TRIM) for piece in pattern.split(text)]
        pieces = [piece for piece in pieces if len(words(piece)) > 1]
        if len(pieces) > 1:
            return pieces
    return []


def comparison(question: str) -> Comparison | None:
    """Return what ``question`` sets against each other; None when it compares nothing."""
    return _set_against(question, compared_in, _compared_here)


def _set_against(
    question: str,
    elsewhere: Callable[[Language, str], tuple[str, str, str] | None],
    here: Callable[[str], Comparison | None],
) -> Comparison | None:
    """Return what is read in ``question``: ``here`` in English, ``elsewhere`` in other languages.

    None of one that is too long to compare.
    """
    text = " ".join(question.split())
    if len(text) > LONGEST_COMPARED:
        return None
    language = language_in_use()
    if language is None:
        return here(text)
    sides = elsewhere(language, text)
    return Comparison(*sides) if sides else None


def _compared_here(text: str) -> Comparison | None:
    for pattern in _ways_to_compare(text):
        found = pattern.search(text)
        compared = found and _compared(found)
        if compared:
            return compared
    return None


def _ways_to_compare(text: str) -> Sequence[re.Pattern[str]]:
    """Return what a question in the words of ``text`` may compare by, the surest first."""
    if not _CHOOSES.match(text):
        others = _BETWEEN, _VERSUS, _WHICH_FIRST, _WHICH_MORE, *_THE_SAME, _BOTH_SAID, _BOTH
        return _COMPARE, *_SHARED, *others
    choices = (_INFIX, _EITHER) if " or " in text else (_EITHER_AND,)
    return _DIFFER, _DIFFERS_FROM, _DISTINGUISHES, _COMPARE, *_SHARED, *choices


_OF_A_CLASS = lazy_regex(
    r"\A(?:the |both )*(?:(?!of\b|in\b|by\b|at\b|on\b|for\b)[a-z-]+ ){0,2}[a-z]+s (?=[\"“]?[A-Z])"
)
"""What two things are called together: "the flowering plants" Ecballium and Elatostema."""


_OF_ONE = lazy_regex(r"\A[Tt]he [a-z]+ (?=[\"“]?[A-Z])")
"""What one thing is called before its name: "the terrier" Fidget."""


def _compared(found: re.Match[str]) -> Comparison | None:
    first, second = (_OF_A_CLASS.sub("", found[side].strip(_TRIM)) for side in "ab")
    if not _comparable(first, second):
        return None
    return Comparison(first, second, (found["about"] or "").strip(_TRIM))


def claimed_order(question: str) -> Comparison | None:
    """Return what ``question`` supposes one thing to be more or less of than another.

    "Is the Volga longer than the Danube?" sets the two against each other, the Volga first.
    """
    return _set_against(question, claimed_in, _claimed_here)


def _claimed_here(text: str) -> Comparison | None:
    for pattern in _CLAIMS:
        found = pattern.search(text)
        if found and _comparable(found["a"], found["b"]):
            first, second = (_OF_ONE.sub("", found[side].strip(_TRIM)) for side in "ab")
            return Comparison(first, second, found["about"])
    return None


def _comparable(first: str, second: str) -> bool:
    sizes = len(words(first)), len(words(second))
    return all(0 < size <= 12 for size in sizes) and first.casefold() != second.casefold()


def aspects(question: str) -> tuple[str, ...]:
    """Return the members of an enumeration in ``question``: what it wants to know of its subject.

    "Summarize the costs, main risks and benefits of tunnels" asks for costs, main risks, benefits.
    """
    for found in _ENUMERATION.finditer(" ".join(question.split())[: 3 * LONGEST_COMPARED]):
        middle = [member for member in found["rest"].split(",") if member.strip()]
        last = _AFTER_LAST.split(found["last"])[0]
        named = (_BEFORE_FIRST.sub("", found["first"]), *middle, last)
        members = [member.strip(_TRIM) for member in named]
        if len(members) > 2 and all(map(_is_plain, members)):
            return tuple(dict.fromkeys(members))
    return ()


def _is_plain(member: str) -> bool:
    """Whether ``member`` is a few words without a name, and no clause."""
    is_short = 0 < len(words(member)) <= 5 and bool(terms(member))
    return is_short and not (names(member) or _CLAUSE.match(member))


_LINKED = lazy_regex(
    r"(?P<whole>\b(?:the|a|an)\s+(?P<noun>(?:[\w'’-]+\s+){0,4}?[\w'’-]+)\s+"
    r"(?:of|that|who|which|whose|where|in|for|with|behind|by|from)\s+(?P<rest>[^,;?]+))"
)
_OWNED = lazy_regex(r"(?P<owner>.+?)(?:['’]s|s['’])\s+(?P<noun>[a-z][\w-]*(?:[\s-][a-z][\w-]*)?)")
_ASKS_WHICH = lazy_regex(
    r"(?i)\s+(?:(?:in|at|by|of|on|for|to)\s+)?(?:what|which\s+[A-Z\w]+\s+(?:city|county|state|country|year|film|song|play|team))\b"
)
_TAIL = lazy_regex(
    r"\s+(?:born|die|died|live|lives|lived|located|made|win|won|start|end|begin|take|takes|place|is"
    r"|are|was|were|do|does|did|has|have|had|in|at|for|to|of|from|by|after|with|on|and|who|which"
    r"|where|when|that|named|called|as|a|an|the)$"
)
LONGEST_DESCRIBED = 2000
"""Characters of a question in which descriptions are looked for."""


@cached_by_language(maxsize=256)
def descriptions(question: str) -> tuple[str, ...]:
    """Return the descriptions that stand for something unnamed, the innermost first.

    In "When was the founder of Orbis's mother born" these are "the founder of Orbis" and so on:
    each must be resolved before the next. They are found in English alone.
    """
    if not is_english():
        return ()
    text = " ".join(question.split()).strip(_TRIM)[:LONGEST_DESCRIBED]
    found = [_trimmed(m["whole"]) for m in _linked(text)]
    owned = [_trimmed(m.group()) for m in _owned(text)]
    described = [phrase for phrase in found + owned if _describes(phrase)]
    return tuple(sorted(dict.fromkeys(described), key=lambda phrase: (len(phrase), phrase)))


def _trimmed(phrase: str) -> str:
    """Return ``phrase`` without the verb of the sentence around it and words that lead nowhere."""
    phrase = _ASKS_WHICH.split(phrase)[0]
    while (shorter := _TAIL.sub("", phrase.rstrip(_TRIM))) != phrase:
        phrase = shorter
    return phrase.strip(_TRIM)


def _linked(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    at = 0
    while (match := _LINKED.search(text, at)) is not None:
        found.append(match)
        at = match.end("noun")
    return found


def _owned(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for name in names(text):
        match = _OWNED.match(text, name.start)
        if match is not None and match.end("owner") <= name.end + 2:
            found.append(match)
    return found


def _describes(phrase: str) -> bool:
    """Whether ``phrase`` names something outright and says something of it in plain words."""
    plain = [t for t in tokenize(phrase) if t.text[:1].islower() and not is_stop_word(t.text)]
    return bool(plain) and bool(names(phrase)) and len(words(phrase)) > 2


MAX_FOLLOWING = 2
"""Topics that are proposed at once after what was found left something open."""

_REFERS = lazy_regex(
    r"(?i)\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|this|that|these|those|there)\b"
)
_ASKS = lazy_regex(r"(?i)(?:\w+ )?(?:who|whom|whose|what|which|when|where|why|how)\b")
_NUMBER = lazy_regex(r"^\(?(?:\d{1,2}|[a-z])[.)]\s+")
_MEANT = lazy_regex(r"“([^”]{3,})”")
_GAP = lazy_regex(rf"^(?:{outcomes()})(?:[^:?]{{1,40}}: )?")
_DETAIL = lazy_regex(r" \([^()]* “.*”\)$")


def topics_of(question: str) -> tuple[str, ...]:
    """Return the topics of ``question``; the question itself where it does not fall apart.

    They are its several questions, the sides of what it compares, or the aspects that it lists.
    A question of which one part rests on another stays whole: the loop follows such chains by
    itself.
    """
    text = " ".join(question.split())
    several = questions(question)
    if len(several) > 1:
        parts = tuple(_question(" ".join(part.split())) for part in several)
        return (text,) if any(map(_refers_back, parts)) else parts
    return _sides(text) or _aspects_with_subject(text) or (text,)


def _sides(text: str) -> tuple[str, ...]:
    """Return the two sides of what ``text`` compares, each with what is asked of it; or none."""
    compared = comparison(text)
    if compared is None:
        return ()
    about = f": {compared.about}" if compared.about else ""
    return f"{compared.first}{about}", f"{compared.second}{about}"


def _aspects_with_subject(text: str) -> tuple[str, ...]:
    """Return what ``text`` lists, each with what that is of; none where it does not say it."""
    listed = aspects(text)
    about = text.rpartition(listed[-1])[2].strip(" .?!") if listed else ""
    return tuple(f"{aspect} {about}" for aspect in listed) if about else ()


def follow_up_topics(topics: Sequence[Topic], known: Sequence[str]) -> tuple[str, ...]:
    """Return what to research after ``topics`` left something open, none of it ``known`` yet."""
    asked = {topic.casefold() for topic in known}
    fresh = dict.fromkeys(
        wanted for topic in topics for wanted in _wanted(topic) if wanted.casefold() not in asked
    )
    return tuple(fresh)[:MAX_FOLLOWING]


def _wanted(topic: Topic) -> Iterator[str]:
    """Yield what is missing of a topic on which nothing was found, in words to search for."""
    if topic.status is not ItemStatus.UNSATISFIED or topic.error:
        return
    for gap in topic.gaps:
        meant = _MEANT.search(_DETAIL.sub("", gap))
        wanted = meant[1] if meant else _GAP.sub("", _DETAIL.sub("", gap))
        if names(wanted):
            yield wanted


def _question(part: str) -> str:
    """Return ``part`` as a sentence of its own; one that asks ends in a question mark."""
    part = _NUMBER.sub("", part)
    mark = "?" if _ASKS.match(part) and part[-1:].isalnum() else ""
    return f"{part[:1].upper()}{part[1:]}{mark}"


def _refers_back(part: str) -> bool:
    """Return whether ``part`` speaks of something that only another part can name."""
    return bool(_REFERS.search(part)) and not names(part)
