"""Which line tells what happens if something is so: the one that has that for its own condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quaere.reason.extractive.chains import Goal, highest
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.facts import negation
from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

MET = 0.97
"""Share of the weight of the condition that is asked about which the condition of a line holds."""
MOST = 0.6
"""Share of it that the condition has to hold without the title and the headings over the line."""
LEFT_OUT = 0.6
"""Share of the weight of what is left out that the entry of a line holds with all over it."""
ABOUT = 0.25
"""Share of the weight of the rest that the line, the headings over it and the title must hold."""

_HAPPENS = frozenset(map(stem, ("happens", "happened", "occurs", "goes")))
"""Of what is asked besides the condition, what no line need say."""
_ASKS = lazy_regex(
    r"(?i)(?P<rest>\W*what\b.*?)\s*,?\s\b(?:if|when|in case)\s+(?P<condition>[^?]+)\??\W*$"
)
_OTHERWISE = lazy_regex(
    r"(?i)(?:otherwise|if not|failing that|else"
    r"|if (?:it|they|he|she) (?:[a-z]+ not|[a-z]+n['’]t))\b"
)
"""How a sentence begins that tells what happens where the condition before it is not met."""
_LIMITS = lazy_regex(
    r"(?i)^(?:in that case|if so|unless|except|however|but|yet)\b|\bexceptions?\b|\bexempt(?:ed)?\b"
    r"|\bnot bound by\b|\b(?:do|does)(?: not|n['’]t) apply\b"
)
_LEAVES_OUT = lazy_regex(
    r"(?i)\b(?:without|omit\w*|leave out|left out|skip|unset|missing|forget|forgot)\b"
)
_IF_LEFT_OUT = lazy_regex(
    r"(?i)(?:by default, )?(?:without (?:this|it|the option)\b|if no\b|(?:if|when|where)\s"
    r"(?:[\w-]+\s){0,4}?(?:not (?:specified|given|set|supplied|provided|present|used|defined)"
    r"|unset|omitted|absent|missing|left out|unspecified|undefined)\b)"
)
_ASKS_REMEDY = lazy_regex(
    r"(?i)\bwhat\b[^?]*\b(?:can|could|do|does|did|should|must)\b[^?]*\bdo\b[^?]*"
    r"\b(?:about|against|if|when|with)\b"
)
_STATE = lazy_regex(r"(?i)\b(?:am|is|are|was|were|goes|go|went)\s(up|down|on|off|in|out|over)\W*$")
"""The state in which the condition has something, in a word that anything may have."""
_SAYS = lazy_regex(r"(?i)(?:^|,\s|;\s|\s)\b(?:if|when|where|in case)\s+(?P<condition>[^,;:]+)")


_ASKS_WHEN = lazy_regex(r"(?i)\W*when (?:is|are|do|does|will|can|should|must|may|am)\b")
_WHENEVER = lazy_regex(
    r"(?i)(?:^|[,;]\s|\s)(?:when(?:ever)?|if|once|as soon as|after|until|as long as|unless)"
    r"\s[^,;:]+"
)
TOLD = 0.75
"""Share of the words of a question that are told besides the clause that tells when."""


def tells_when(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` tells under which condition that is so whose time is asked for.

    "When a lease is over, the worker is taken for dead" tells when it is. English alone.
    """
    text = last_question(question)
    if in_english(_ASKS_WHEN.match, text) is None:
        return False
    asked, (rest, conditions) = frozenset(terms(text)), _WHENEVER.subn(" ", sentence)
    return conditions > 0 and 0 < TOLD * len(asked) <= len(asked.intersection(terms(rest)))


def told_if(question: str, lines: Iterable[Line], pool: Pool) -> Line | None:
    """Return the first of ``lines`` with the condition in ``question`` for its own, if one has it.

    "If the tank is full, the pump stops" tells what the pump does if the tank is full; what else
    speaks of the pump does not. What happens if it is not full is told with the line after, where
    that begins with "Otherwise" or similar: see `limits`. English alone.

    Args:
        question: What was asked.
        lines: Those that may lead, the likeliest first.
        pool: The evidence, read.
    """
    text = last_question(question)
    asks = in_english(_ASKS.match, text)
    if asks is None or expected_kind(text) is not Kind.STATEMENT:
        return None
    wanted = terms(asks["condition"])
    if not wanted:
        return None
    goal = Goal(text, pool, wanted)
    about = Goal.besides(_HAPPENS, text, pool, asks["rest"])
    able = [line for line in lines if about is None or _held(about, line, pool) >= ABOUT]
    left_out = _told_if_left_out(asks["condition"], able, pool)
    told = _told_of(asks["condition"], goal, able, pool)
    return left_out or min(told, key=lambda each: each[0], default=(0, None))[1]


def _told_of(
    condition: str, goal: Goal, lines: Iterable[Line], pool: Pool
) -> Iterator[tuple[int, Line]]:
    """Yield those of ``lines`` that tell what is so where ``condition`` is met, as it is said.

    Each with the number of words of its condition that the question does not have.
    """
    denied, state = negation(condition).denies, _STATE.search(condition)
    for line in lines:
        met = _met(goal, line, pool)
        if state and state[1].casefold() not in words(met):
            continue  # whose state is another
        if met and (negation(met).denies == denied or _goes_on_otherwise(line, pool)):
            yield len(frozenset(terms(met)).difference(goal.terms)), line


def _met(goal: Goal, line: Line, pool: Pool) -> str:
    """Return the condition of ``line`` that is the one asked about, in the words over it as well.

    Empty where it has none.
    """
    over = pool.over(line)
    for said in _SAYS.finditer(line.text):
        own = frozenset(terms(said["condition"]))
        if goal.share(goal.said(own)) >= MOST and goal.share(goal.said(own | over)) >= MET:
            return said["condition"]
    return ""


def _goes_on_otherwise(line: Line, pool: Pool) -> bool:
    """Whether the line after ``line`` tells what is so where its condition is not met."""
    after = pool.after(line)
    return after is not None and _OTHERWISE.match(after.text) is not None


def limits(text: str) -> bool:
    """Return whether a sentence limits what the one before it says, which is half a truth alone.

    "Otherwise it stops", "In that case wait", "Guests are the exception". English alone.
    """
    return is_english() and bool(_OTHERWISE.match(text) or _LIMITS.search(text))


def asks_remedy(question: str) -> bool:
    """Return whether it is asked what one does about something, which the next line may tell."""
    return is_english() and _ASKS_REMEDY.search(last_question(question)) is not None


def _told_if_left_out(condition: str, lines: Sequence[Line], pool: Pool) -> Line | None:
    """Return the line that tells what is so without the thing that ``condition`` leaves out.

    "Without this option no log is kept" does, where it stands below "--log FILE", of what happens
    "if I give no log file".
    """
    if not (negation(condition).denies or _LEAVES_OUT.search(condition)):
        return None
    goal = Goal(_LEAVES_OUT.sub(" ", condition), pool)
    told = [line for line in lines if line.label and _IF_LEFT_OUT.match(line.text)]
    return highest(((_held(goal, line, pool, beside=True), line) for line in told), LEFT_OUT)


def _held(goal: Goal, line: Line, pool: Pool, *, beside: bool = False) -> float:
    """Return what ``line`` has with all over it; with ``beside``, with its whole entry as well."""
    lines = pool.lines_of[line.owner] if beside else ()
    entry = (each.terms for each in lines if each.label == line.label)
    return goal.share_in((line.terms | pool.over(line)).union(*entry))
