"""Breaks a question into topics that can be researched side by side, by its wording alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaere.domain.question import ItemStatus
from quaere.domain.team import Topic
from quaere.reason.extractive.questions.parts import aspects, comparison, questions
from quaere.text.languages.language import outcomes
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names

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
    compared = comparison(text)
    if compared is not None:
        sides = (compared.first, compared.second)
        return tuple(f"{side}: {compared.about}" if compared.about else side for side in sides)
    listed = aspects(text)
    about = text.rpartition(listed[-1])[2].strip(" .?!") if listed else ""
    return tuple(f"{aspect} {about}" for aspect in listed) if about else (text,)


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
