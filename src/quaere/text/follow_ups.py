"""What a follow-up question asks when it is said as a whole.

"And in 2023?" after "What was the revenue in 2022?" asks what the revenue was in 2023; "Who heads
it?" asks about what was named before. Such a question is put together from its own words and those
of the question before it, which is itself made whole first. Where that cannot be told by form, what
the conversation names is set before the question: a search with it finds what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from quaere.domain.question import Turn
from quaere.text.asking_again import asks_again, asks_nothing
from quaere.text.clauses import (
    AUX,
    DETERMINER,
    FIRST_AUX,
    NAMES_SOMETHING,
    PHRASE,
    PREPOSITION,
    RUN,
    TIME,
    WH,
    named_in,
    object_of,
    phrase_around,
    quality_of,
    subject_of,
    with_complement,
)
from quaere.text.follow_ups_elsewhere import Asked
from quaere.text.follow_ups_unspaced import AskedUnspaced
from quaere.text.languages.language import language_in_use, language_of, speaking
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import each_sentence
from quaere.text.tokens import is_stop_word, words

MAX_NAMES: Final = 4
MAX_READ_CHARS: Final = 2_000
"""What of a question or an answer is looked at: its beginning."""
MOST_TURNS: Final = 8
"""Turns that a chain of follow-ups is traced back over."""


_LEAD_IN: Final = lazy_regex(
    r"(?i)^\W*(?:(?:ok(?:ay)?|thanks|thank you|so|well|then|also|and|but|what about|how about"
    r"|und|aber|dann|was ist mit|wie (?:ist|steht) es mit|et|mais|alors|et pour|y|pero|e|ma|mas)"
    r"\b[\s,:]*){1,4}"
)
_END: Final = lazy_regex(r"[\s?.!？]*\Z")
_STARTS_WHOLE: Final = lazy_regex(
    rf"(?i)^\W*(?:{AUX}|{WH}|list|tell|show|give|explain|describe|compare|name|find|summari[sz]e"
    r"|make|say|repeat|write|translate|put|please|bitte|thanks?|ok(?:ay)?|yes|no|ja|nein|danke"
    r"|really|hello|hi|nenne|zeige?|erkläre?|liste)\b"
)
_HAS_VERB: Final = lazy_regex(rf"(?i)\b(?:{AUX})\b")
_LEAVES_ASKED: Final = lazy_regex(
    r"(?i)^\W*(?:(?:and|but|so)\s)?(?:(?:why(?: not)?)\W*$|is that\b)"
)
"""Asks why an answer is so, or whether it was understood: "And X?" repeats the question before."""
_WORD_ALONE: Final = lazy_regex(
    rf"(?i)^(?:(?P<before>{PREPOSITION}) )?(?P<word>{WH})"
    r"(?:(?P<behind> (?:to|from|for|with))|(?P<noun>(?:(?:(?<=what)|(?<=which)|(?<=much)|(?<=many))"
    r" \w+)?)(?P<not> not| nicht| pas| no)?(?: exactly)?)\Z"
)
_ASKED_BY: Final = lazy_regex(
    rf"(?i)^\W*(?:(?:{PREPOSITION}) )?(?P<word>{WH})\b(?P<noun>[^?]*?) ?(?=\b(?P<aux>{AUX})\b)"
)
_SUBJECT_ASKED: Final = lazy_regex(r"(?i)^\W*(?:who|what|which(?: \w+)?) (?P<rest>\w.*)")
_CLASSES: Final = (frozenset({"in", "on", "at", "during", "near", "outside", "inside", "under"}),)
_NOUNS_OF_HOW: Final = lazy_regex(
    rf"(?i)^\W*(?:how (?:much|many)|which|what)\s+(?P<noun>(?!(?:{AUX}|{PREPOSITION})\b)[\w-]+"
    rf"(?:\s(?!(?:{AUX}|{PREPOSITION})\b)[\w-]+)?)(?=\s+(?:{AUX})\b|\W*\Z)"
)

_ANYBODY: Final = lazy_regex(r"(?i)\b(?:i|we|you|one|ich|wir|man|je|nous|vous|on)\b")
_ASKS_WHO: Final = lazy_regex(r"(?i)\b(?:who(?:m|se)?|wer|wem|wen|qui|quién(?:es)?|chi|quem|wie)\b")
_HIM: Final = lazy_regex(r"(?i)\b(?:he|him|she|er|ihn|ihm)\b")
_HIS: Final = lazy_regex(rf"(?i)\b(?:his|hers?)\b(?=\s+(?!(?:{PREPOSITION}|{AUX}|and|or)\b)\w)")
_IT: Final = lazy_regex(
    r"(?i)(?<!does )(?<!did )(?<!will )\bit\b|\bit\b(?! (?:cost|take)\b[^?]* (?:if|when)\b)"
)
"""Not what stands for nothing: "What does it cost if I am late?"."""
_IS_WHICH: Final = lazy_regex(
    r"(?i)^\W*(?:which|what|welche[mnrs]?) (?!(?:colou?r|size|shape|age|height|width|length|weight"
    r"|depth|price|brand|material)\b)[\w-]+ (?:is|was|ist|war) \w+\Z"
)
"""Asks which one something is: "Which hotel is it?", but not what colour it is."""
_THEM: Final = lazy_regex(r"(?i)\b(?:they|them)\b")
_THERE: Final = lazy_regex(r"(?i)(?<!is )(?<!are )(?<!was )(?<!were )\bthere(?=\W*\Z)")
_ITS: Final = lazy_regex(r"(?i)\b(?:its|their)\b(?=\s+\w)")
_IN_ORDER: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
_PLACES: Final = {
    **{word: place for place, word in enumerate(_IN_ORDER)},
    "former": 0,
    "latter": -1,
    "last": -1,
}
_ORDINAL: Final = lazy_regex(
    rf"(?i)\b(?:the )?(?P<which>{'|'.join(_PLACES)}|[1-6](?:st|nd|rd|th))(?: one)?\b"
    rf"(?=\W*\Z|\s+(?:{PREPOSITION}|{AUX}|cost|costs|take|takes|begin|begins|start|starts)\b)"
)
_WHICH_IS: Final = lazy_regex(
    rf"(?i)^\W*which(?: ones?)? (?P<rest>(?:{AUX}|costs?|takes?|begins?|starts?|ends?|opens?)\b.*)"
)
_ITEM: Final = lazy_regex(r"(?m)^\s*(?:[-*•]|\d{1,2}[.)])\s+(?P<item>[^\n]{1,80})")
_BETWEEN_ITEMS: Final = lazy_regex(r",\s+(?:and\s+|or\s+)?|\s+(?:and|und|et|y|e)\s+")
_CITED: Final = lazy_regex(r"\s*\[[\d, ]+\]")
_MOST_ITEM_WORDS: Final = 6


@dataclass(frozen=True, slots=True)
class _Said:
    """What was asked last, as a whole question, and what was answered."""

    question: str = ""
    answer: str = ""
    topic: tuple[str, ...] = ()
    """What the user named in it, or before where it goes on from that."""
    things: str = ""
    """Those of which it asked for one or all, or a question before it: "courses"."""
    items: tuple[str, ...] = ()
    """What its answer lists, or one before it."""

    @property
    def lead(self) -> str:
        """The first sentence of the answer, without what it cites."""
        return _first_sentence(self.answer[:MAX_READ_CHARS])


def whole_question(text: str, conversation: Sequence[Turn]) -> str:
    """Return what ``text`` asks after ``conversation``, so that it can be understood alone.

    It is ``text`` itself where nothing was said before, where it asks nothing, or where it says all
    by itself (`leans`).
    """
    if not conversation or asks_nothing(text):
        return text
    with speaking(language_of(f"{conversation[-1].question[:MAX_READ_CHARS]} {text}")):
        return _whole_question(text, conversation)


def _whole_question(text: str, conversation: Sequence[Turn]) -> str:
    said = reduce(_after, conversation[-MOST_TURNS:], _Said())
    whole = _whole(text[:MAX_READ_CHARS], said) if said.question else text
    if whole != text[:MAX_READ_CHARS]:
        return whole
    topic = ", ".join(_topic(text, said)) if leans(text) else ""
    return f"{topic}: {text}" if topic else text


def _after(said: _Said, turn: Turn) -> _Said:
    """Return what is said after a further ``turn``."""
    typed = turn.question[:MAX_READ_CHARS]
    if said.question and asks_nothing(typed):
        return said
    is_left = said.question and _LEAVES_ASKED.match(typed)
    asked = said.question if is_left else _whole(typed, said)
    is_again = asks_again(typed)
    named = (not is_again and _named_in(typed)) or (said.topic if is_again or leans(asked) else ())
    items = tuple(_items(turn.answer[:MAX_READ_CHARS])) or said.items
    return _Said(asked, turn.answer, named, _things(asked) or said.things, items)


def _named_in(asked: str) -> tuple[str, ...]:
    return tuple(name for name in _fresh(asked, "") if not TIME.fullmatch(name))


def _whole(text: str, said: _Said) -> str:
    """Return ``text`` put together with what was asked before, or as it is where it cannot be."""
    if not said.question:
        return text
    bare = _END.sub("", _LEAD_IN.sub("", text, count=1)).strip()
    if not bare:
        return text
    if asks_again(text):
        return said.question
    if (elsewhere := _elsewhere(said)) is not None:
        return elsewhere.whole(text) or text
    if alone := _WORD_ALONE.match(bare):
        return _asked_otherwise(alone, said)
    if _ASKS_ONE_THING.match(bare) and (thing := _thing(said)):
        return f"{thing}: {_END.sub('', bare)}?"
    resolved = _resolved(bare, said)
    if (owned := _OWNED.match(bare)) and resolved != bare:
        return _as_question(_asked_of(owned, resolved))
    if _is_elliptic(bare):
        return _as_question(_put_in_place(resolved, said))
    return _as_question(resolved) if resolved != bare else text


_HOW: Final = {"height": "high", "width": "wide", "length": "long", "depth": "deep", "age": "old"}
_OWNED: Final = lazy_regex(
    rf"(?i)^(?:its|his|her|their) (?:(?P<how>{'|'.join(_HOW)})|(?P<what>size|weight|price|cost|area"
    r"|capacity|population|speed|address|(?:phone )?number|name|diameter|volume|colou?r|birthday"
    r"|date of birth)|(?P<who>successor|predecessor|wife|husband|father|mother|son|daughter|brother"
    r"|sister|owner|architect|designer|founder|director|manager|boss))\Z"
)
"""Asks what one thing is or who somebody's is, whatever was asked of it before: "its height"."""


def _asked_of(owned: re.Match[str], named: str) -> str:
    """Return a question for what is ``owned`` by what ``named`` has in place of the pronoun."""
    if not owned["how"]:
        return f"{'who' if owned['who'] else 'what'} is {named}"
    thing = named.rpartition("’s ")[0]
    how = _HOW[owned["how"].lower()]
    return f"{_agreeing(f'how {how} is ', thing)}{thing}"


def _elsewhere(said: _Said) -> Asked | AskedUnspaced | None:
    """Return what was asked, where the language in use has its own small words for going on."""
    language = language_in_use()
    if language is None:
        return None
    follows = language.following
    if follows is None:
        return AskedUnspaced(language, said.question)
    return Asked(language, follows, said.question, said.lead)


def _is_elliptic(bare: str) -> bool:
    """Return whether ``bare`` only names what something is asked about: "and the other mill"."""
    is_brief = len(bare.split()) <= _MOST_ITEM_WORDS
    return is_brief and not _STARTS_WHOLE.match(bare) and not _HAS_VERB.search(bare)


def _as_question(text: str) -> str:
    return f"{text[:1].upper()}{_END.sub('', text[1:])}?"


_ASKS_ONE_THING: Final = lazy_regex(
    r"(?i)^(?:(?:who|what|which|when|where) (?:is|are|was|were) the"
    r" (?!(?:most|least|same|other|\w{2,30}est)\b)(?:[\w-]{1,40}\s)?[\w-]{1,40}"
    r"|how many are \w+ \w+)\W*$"
)
"""Asks for what one thing has, and not of what: "Who is the manager?"."""
_OF_A_THING: Final = lazy_regex(
    r"(?i)^(?P<thing>[^:?]{1,80}): (?P<asked>(?:who|what|which|when|where|how)\b.*)$"
)


# "Why?", "When?", "At what temperature?"


def _asked_otherwise(alone: re.Match[str], said: _Said) -> str:
    """Return what was asked last, with another word to ask by."""
    word = " ".join(filter(None, (alone["before"], alone["word"] + (alone["noun"] or ""))))
    asked = _END.sub("", said.question).strip()
    if alone["noun"] and not alone["before"] and not _counts_a_thing(asked):
        return _as_question(alone[0])
    if _MEASURE.fullmatch(word) and not _MEASURED.match(asked) and (thing := _thing(said)):
        return f"{_agreeing(f'{word.capitalize()} is ', thing)}{thing}?"
    if by := _ASKED_BY.match(asked):
        asked_of = f"{asked[by.start('aux') :]}{quality_of(by['word'], by['noun'], word)}"
        return _as_question(f"{word} {asked_of}{alone['behind'] or ''}")
    if FIRST_AUX.match(asked):
        return _as_question(f"{word} {_denied(asked) if alone['not'] else _small(asked)}")
    if (done := _SUBJECT_ASKED.match(asked)) and (who := _fresh(said.lead, asked)):
        return _as_question(f"{word} was it that {who[0]} {done['rest']}")
    return _as_question(f"{word}: {asked}")


_MEASURE: Final = lazy_regex("(?i)how (?:high|tall|wide|deep|big|large|heavy)")
_MEASURED: Final = lazy_regex(r"(?i)^\W*how \w+ (?:is|are|was|were)\b")


def _counts_a_thing(asked: str) -> bool:
    """Return whether ``asked`` wants a number or one of things, and says what of them."""
    return _NOUNS_OF_HOW.match(asked) is not None and FIRST_AUX.search(asked) is not None


def _denied(asked: str) -> str:
    """Return a question to be answered with yes or no, denied: "can children not take it"."""
    subject = subject_of(asked)
    end = subject[1] if subject else len(asked)
    return f"{_small(asked[:end])} not{asked[end:]}"


def _small(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


# "And in 2023?", "What about Graz?", "And cats?"


def _put_in_place(bare: str, said: _Said) -> str:
    """Return what was asked last, with ``bare`` in the place of what is like it there."""
    if of := _OF_A_THING.match(said.question):
        return f"{_BEFORE_THING.sub('', bare)}: {of['asked']}"
    asked = _END.sub("", said.question).strip()
    span = _place(bare, asked)
    if span is None:
        return f"{asked} {bare}" if PHRASE.match(bare) or TIME.match(bare) else f"{bare}: {asked}"
    start, end = with_complement(asked, *span)
    before = _agreeing(asked[:start], bare)
    return f"{_BY_WHOM.sub('somebody ', before, count=1)}{bare}{asked[end:]}"


_BY_WHOM: Final = lazy_regex(r"(?<= was it that )(?:somebody |(?:[A-ZÀ-Þ][\w'’-]* ){1,4})")
"""Who did it in "When was it that Odile Varga built the mill?". Another did what is like it."""
_BEFORE_THING: Final = lazy_regex(r"(?i)^(?:of|for|in|at)\s")
_NUMBERS: Final = {"is": "are", "was": "were", "does": "do", "has": "have"}
_LAST_WORD: Final = lazy_regex(r"(\w+) \Z")


def _agreeing(before: str, subject: str) -> str:
    """Return ``before`` with the verb at its end in the number of ``subject``. English alone."""
    last = _LAST_WORD.search(before)
    if last is None:
        return before
    is_plural = subject[-1:] == "s" and subject[-2:] != "ss" and "’s" not in subject
    forms = _NUMBERS if is_plural else {many: one for one, many in _NUMBERS.items()}
    verb = forms.get(last[1].lower(), last[1])
    return f"{before[: last.start()]}{verb if last[1].islower() else verb.capitalize()} "


def _place(bare: str, asked: str) -> tuple[int, int] | None:
    """Return where in ``asked`` that stands which ``bare`` is said in place of."""
    if phrase := PHRASE.match(bare):
        return _same_phrase(phrase, asked)
    if TIME.match(bare):
        found = list(TIME.finditer(asked))
        return found[-1].span() if found else None
    if named_in(f"x {bare}") and (span := _same_name(bare, asked)):
        return span
    has_own = re.match(rf"(?i)(?:{DETERMINER})\s", bare) is not None
    counted = _NOUNS_OF_HOW.match(asked)
    if counted and not has_own:
        return counted.span("noun")
    return object_of(asked) or subject_of(asked)


def _same_phrase(phrase: re.Match[str], asked: str) -> tuple[int, int] | None:
    """Return where ``asked`` has a phrase of the same kind: a time for a time, else the same."""
    is_time = TIME.search(phrase[0]) is not None
    prep = phrase["prep"].lower()
    alike = next((each for each in _CLASSES if prep in each), frozenset({prep}))
    fits = [
        each
        for each in PHRASE.finditer(asked)
        if each["prep"].lower() in alike and (TIME.search(each[0]) is not None) is is_time
    ]
    if not fits:
        return None
    return fits[-1].start(), fits[-1].start() + len(fits[-1][0].rstrip())


def _same_name(bare: str, asked: str) -> tuple[int, int] | None:
    """Return where ``asked`` has the name, or the thing with a name, that ``bare`` replaces."""
    found = [name for name in named_in(asked) if not TIME.fullmatch(name.text)]
    if not found:
        return None
    last = found[-1]
    start, end = phrase_around(last, asked)
    if (behind := RUN.search(asked, last.end)) and behind[0] == bare.rsplit(maxsplit=1)[-1]:
        end = max(end, behind.end())
    shares_head = set(words(asked[last.end : end])) & set(words(bare))
    has_own = re.match(rf"(?i)(?:(?:{DETERMINER})\s|[^?]{{1,60}}’s\s)", bare)
    if shares_head or has_own:
        return start, end if shares_head else last.end
    return last.start, last.end


# "Who heads it?", "How much is the second one?", "Which is the cheapest?"


def _resolved(bare: str, said: _Said) -> str:
    """Return ``bare`` with what it points back to in place of the word that does."""
    if _IS_WHICH.match(bare):
        return bare
    if which := _WHICH_IS.match(bare):
        return f"Which of the {said.things} {which['rest']}" if said.things else bare
    if (ordinal := _ORDINAL.search(bare)) and (item := _item(ordinal["which"], said)):
        return f"{bare[: ordinal.start()]}{item}{bare[ordinal.end() :]}"
    return _named(bare, said)


def _named(bare: str, said: _Said) -> str:
    """Return ``bare`` with names for its pronouns that point out of it."""
    person, thing = _person(said), _thing(said)
    things = f"the {said.things}" if said.things else thing
    for pattern, name, form in (
        (_HIS, person, "{}’s"),
        (_HIM, person, "{}"),
        (_ITS, thing, "{}’s"),
        (_IT, thing, "{}"),
        (_THEM, things, "{}"),
        (_THERE, thing, "in {}"),
    ):
        pointing = pattern.search(bare)
        if name and pointing and _points_out(bare[: pointing.start()]):
            return f"{bare[: pointing.start()]}{form.format(name)}{bare[pointing.end() :]}"
    return bare


_MOST_BEFORE: Final = 3


def _points_out(before: str) -> bool:
    """Return whether a pronoun behind ``before`` has nothing there to point at."""
    is_named = bool(named_in(before)) or NAMES_SOMETHING.search(before)
    return not is_named and len(_content(before)) <= _MOST_BEFORE


def _person(said: _Said) -> str:
    """Return the name of whom the question, or the answer to one that asks who, speaks."""
    asked, told = _fresh(said.question, ""), _fresh(said.lead, said.question)
    first, second = (told, asked) if _ASKS_WHO.search(said.question) else (asked, told)
    return next(iter((*first, *second, *said.topic)), "")


_MOST: Final = lazy_regex(
    rf"(?i)^\W*which (?:(?P<noun>(?!of\b)[\w-]+)|(?P<of>of the [\w-]+)) (?:{AUX})"
    r" (?P<most>the (?:\w+est|most \w+|least \w+))\b"
)
_ASKS_WHAT_ONE_DOES: Final = lazy_regex(r"(?i)^\W*what (?:do|does|did|has|have|had)\b")
_CONDITION: Final = lazy_regex(r"(?i),?\s(?:if|when|unless|once|because)\s.*\Z")
_ASKS_FOR_THING: Final = lazy_regex(r"(?i)^\W*(?:which|what)\b(?! (?:do|does|did)\b)")


def _without_condition(asked: str) -> str:
    """Return ``asked`` without the clause that says under which condition."""
    found = _CONDITION.search(asked)
    is_clause = found and len(asked[: found.start()].split()) > 1
    return asked[: found.start()] if found and is_clause else asked


def _thing(said: _Said) -> str:
    """Return what the last question was about, or its answer where it asked for a thing."""
    if of := _OF_A_THING.match(said.question):
        return of["thing"]
    asked = _without_condition(_END.sub("", said.question).strip())
    if by := _BY_WHOM.search(asked):
        asked = f"who {asked[by.end() :]}"
    told = _fresh(said.lead, asked)
    if told and _ASKS_FOR_THING.match(asked) and _is_told_of(told[0], said.lead):
        return told[0]
    if most := _MOST.match(asked):
        return f"{most['most']} {most['noun'] or most['of']}"
    return _subject_or_object(asked) or _other_topic(asked, said)


def _other_topic(asked: str, said: _Said) -> str:
    return next((each for each in said.topic if each not in asked), "")


def _subject_or_object(asked: str) -> str:
    """Return what ``asked`` is about; nothing where that is a person who does what is asked."""
    if (span := object_of(asked)) and FIRST_AUX.search(asked) is None:
        return asked[slice(*span)].strip()
    found = [name for name in named_in(asked) if not TIME.fullmatch(name.text)]
    if found and " " in found[0].text and _ASKS_WHAT_ONE_DOES.match(asked):
        return ""
    span = phrase_around(found[0], asked) if found else subject_of(asked)
    return asked[slice(*with_complement(asked, *span))] if span else ""


def _is_told_of(name: str, lead: str) -> bool:
    """Return whether ``lead`` gives ``name`` alone or begins with it: "The Aurora is ..."."""
    return len(lead.split()) <= _MOST_ITEM_WORDS or name in lead[: len(name) + len("The ")]


_LISTED: Final = lazy_regex(
    rf"(?i)^\W*(?:(?:what|which)\s+(?P<noun>(?!(?:{AUX})\b)(?:[\w-]+\s)?[\w-]+s)\s+(?:{AUX})\b"
    r"|(?:(?:what|which) are|list|name|show(?: me)?|give me)\s+(?:all\s+)?(?:of\s+)?"
    r"(?:the\s+|our\s+|your\s+)?(?P<all>(?:[\w-]+\s)?[\w-]+s)\b)"
)


def _things(asked: str) -> str:
    """Return the noun of which ``asked`` wants all: "courses"."""
    listed = _LISTED.match(asked)
    return (listed["noun"] or listed["all"]) if listed else ""


def _item(which: str, said: _Said) -> str:
    """Return the item of the list that was answered with."""
    place = int(which[0]) - 1 if which[0].isdigit() else _PLACES[which.lower()]
    return said.items[place] if -len(said.items) <= place < len(said.items) else ""


def _items(answer: str) -> Iterator[str]:
    """Yield what ``answer`` lists, in its first sentence or line by line."""
    lead = _first_sentence(answer).rstrip(". ")
    listed = _BETWEEN_ITEMS.split(lead)
    if len(listed) > 1 and all(1 <= len(each.split()) <= _MOST_ITEM_WORDS for each in listed):
        yield from listed
        return
    yield from _described(answer) or (
        _CITED.sub("", item["item"]).strip(" .") for item in _ITEM.finditer(answer)
    )


def _described(answer: str) -> list[str]:
    """Return what an answer describes one by one: "Oak: hard [1]. Fir: soft [1]."."""
    told = [each.partition(": ") for each in _CITED.split(answer)][:-1]
    are_all = all(colon and len(name.split()) <= 3 for name, colon, _ in told)
    return [name.strip(" .") for name, _, _ in told] if len(told) > 1 and are_all else []


# Where no form says what is left unsaid


def _topic(text: str, said: _Said) -> Sequence[str]:
    """Return what the conversation named; where ``text`` says nothing itself, what was asked."""
    known = set(words(text))
    points = _PRONOUN.search(text) is not None
    told = said.topic or (_fresh(said.lead, text) if points else ())
    found = [name for name in dict.fromkeys(told) if not known.issuperset(words(name))]
    found = [name for name in found if not TIME.fullmatch(name)]
    if found or not (points or _says_nothing(text)):
        return found[:MAX_NAMES]
    return (" ".join(_fresh_content(said.question, text)),)


def _says_nothing(text: str) -> bool:
    """Return whether ``text`` asks by a word or two alone, as "and since when?" does."""
    return not _content(text) and not _ANYBODY.search(text)


def _fresh_content(said: str, text: str) -> dict[str, None]:
    """Return the content words of ``said`` that ``text`` does not say itself, each once."""
    known = frozenset(words(text))
    return dict.fromkeys(word for word in _content(said) if word not in known)


def _first_sentence(text: str) -> str:
    """Return the first sentence of ``text``, without what it cites."""
    return _CITED.sub("", next((text[span.start : span.end] for span in each_sentence(text)), ""))


def _fresh(said: str, text: str) -> tuple[str, ...]:
    """Return the names in ``said`` that ``text`` does not say itself, each once."""
    known = set(words(text))
    fresh = (name for name in named_in(said) if not known.issuperset(words(name.text)))
    return tuple(dict.fromkeys(name.text + _number_after(said, name.end) for name in fresh))


_LONG_NUMBER: Final = lazy_regex(r"\s\d{5,12}(?!\w)")


def _number_after(said: str, end: int) -> str:
    """Return the number by which ``said`` tells what it names from its like: "Station 12345"."""
    number = _LONG_NUMBER.match(said, end)
    return number[0] if number else ""


_OPENING: Final = lazy_regex(
    r"(?i)^\W*(?:and|but|so|then|also|what about|how about|und|aber|dann|was ist mit|et|mais|alors"
    r"|y|pero|entonces|e|ma|mas)\b"
)
_ASKS: Final = lazy_regex(
    r"(?i)^\W*\w+\W+(?:who[ms]?e?|when|where|what|which|why|how|wer|wann|wo|was|welche[mnrs]?|warum"
    r"|wie|qui|quand|où|quel(?:le)?s?|pourquoi|comment|quién|cuándo|dónde|qué|cuál(?:es)?|cómo"
    r"|quem|quando|onde|qual|como|did|does|do|is|are|were|has|had|can|will)\b"
    r"(?!\s+(?:about|ist\s+mit))"
)
"""An opening before a question, rather than before its subject alone."""
_PRONOUN: Final = lazy_regex(
    r"(?i)\b(?:he|him|his|she|hers?|it|its|they|them|theirs?|this|these|those|then|former"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )there(?! (?:is|are|was|were)\b)"
    r"|latter|er|ihn|ihm|sie|ihre?[mnrs]?|dort|diese[mnrs]?|il|elle|ils|elles|ella|ellos|ellas"
    r"|lui|essa?|eles?|elas?)\b"
)
_MAX_BEFORE: Final = 1
"""Content words that may precede a pronoun which points out of its question. More of them, and
it is likely to point at one: "What is the tallest mountain, and how high is it?"."""
_SHORT: Final = 2
"""A question with no more content words than this says too little to stand alone."""


def leans(text: str) -> bool:
    """Return whether ``text`` reads like a question that goes on from another.

    One that opens with "and" does, unless it is whole: "And when did the mill at Orrin close?"
    names what it asks about, and what was named before would lead away from it.
    """
    short, named = len(_content(text)) <= _SHORT, bool(named_in(text))
    if short and not named:
        return True
    if _OPENING.match(text) and (short or not named or not _ASKS.match(text)):
        return True
    return any(_has_little_before(text, match.start()) for match in _PRONOUN.finditer(text))


def _has_little_before(text: str, start: int) -> bool:
    """Return whether a pronoun at ``start`` has too little before it to point at anything there."""
    return len(_content(text[:start])) <= _MAX_BEFORE


def _content(text: str) -> list[str]:
    return [word for word in words(text) if not is_stop_word(word)]
