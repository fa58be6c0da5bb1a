"""What a complete answer must contain, drawn from the question and the first look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from quaere.domain.question import Checklist, Item, Question
from quaere.reason.extractive.questions.kinds import (
    Kind,
    compared_kind,
    expected_kind,
    last_question,
)
from quaere.reason.extractive.questions.parts import (
    Comparison,
    aspects,
    comparison,
    descriptions,
    questions,
)
from quaere.text.languages.language import frame
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import QUESTION_MARKS
from quaere.text.tokens import terms

MAX_ITEMS = 7
"""R4.2 asks for at most 7 items. There are as many as the question asks for, and one at least:
what is added to reach a number is not asked by anybody."""

OWN_WORDS = 2
"""Words from which a further question can be looked for by itself: "and why so late?" cannot."""

_ASPECTS = lazy_regex(r"(?i)^(?!(?:who|what|which|when|where|whose|how)\b)[\w' -]{2,60}$")
"""In what a question compares two things, by itself: "cost and performance"."""
UNNAMED = "the question"
"""What a question of white space is called."""
_BROAD = frozenset({Kind.DEFINITION, Kind.REASON, Kind.MANNER, Kind.LIST, Kind.STATEMENT})


def build_checklist(question: Question) -> Checklist:
    """Return the 1 to 7 things that a complete answer to ``question`` must contain.

    They are the question, or each of several; the sides of a comparison; the descriptions that must
    be resolved first; the aspects that are listed.
    """
    text = " ".join(question.text.split())
    draft = _Draft()
    asked = questions(text)
    for part in asked[:5]:
        role, wanted = "answer" if part is asked[0] else "part", terms(part)
        if role == "part" and len(wanted) < OWN_WORDS:
            wanted = terms(text)
        draft.add(role, _shortened(part) or UNNAMED, wanted)
    compared = comparison(last_question(text))
    if compared is not None:
        _add_compared(draft, compared)
    elif is_factual(text):
        _add_links(draft, text)
    else:
        _add_aspects(draft, text)
    return Checklist(items=tuple(draft.items[:MAX_ITEMS]))


def is_factual(text: str) -> bool:
    """Return whether ``text`` asks for one fact, and not for an account of something."""
    kind = expected_kind(text)
    asks = last_question(text).endswith(QUESTION_MARKS)
    return kind not in _BROAD or (kind is Kind.STATEMENT and asks and bool(descriptions(text)))


class _Draft:
    """Items in the order found; one that asks for nothing beyond an earlier one is left out."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._seen: list[frozenset[str]] = []
        self._numbers: Counter[str] = Counter()

    def add(self, role: str, description: str, wanted: Iterable[str]) -> None:
        found = tuple(dict.fromkeys(wanted))
        if frozenset(found) in self._seen or (not found and self.items):
            return
        self._seen.append(frozenset(found))
        self._numbers[role] += 1
        identity = role if role == "answer" else f"{role}-{self._numbers[role]}"
        self.items.append(Item(id=identity, description=description, terms=found))


def _shortened(text: str, limit: int = 300) -> str:
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",;: ") + " …"


def _add_compared(draft: _Draft, compared: Comparison) -> None:
    sides = compared.first, compared.second
    shared = [t for t in terms(compared.about) if t not in terms(" ".join(sides))]
    told = frame().account.told_of
    wanted = _decisive().get(compared_kind(compared.about), told)
    aspects = wanted is told and _ASPECTS.match(compared.about)
    for side in sides:
        named = f"{side}: {compared.about}" if aspects else wanted.format(thing=side)
        draft.add("side", _opened(named), [*terms(side), *shared])


def _decisive() -> Mapping[Kind, str]:
    """Return what decides a comparison, by its kind, in the words of the question's language."""
    said = frame().account
    return {Kind.DATE: said.date_for, Kind.NUMBER: said.figure_for, Kind.PLACE: said.place_for}


def _add_links(draft: _Draft, text: str) -> None:
    for link in descriptions(text)[:3]:
        draft.add("link", f"Who or what is meant by “{_shortened(link, 160)}”", terms(link))


def _add_aspects(draft: _Draft, text: str) -> None:
    for aspect in aspects(text)[:5]:
        draft.add("aspect", f"{_opened(aspect)}: what the sources say about it", terms(aspect))


def _opened(text: str) -> str:
    return text[:1].upper() + text[1:]


def _is_worded(said: str, form: str) -> bool:
    before, _, after = form.partition("{thing}")
    return said.startswith(before) and said.endswith(after)


def item_kind(item: Item) -> Kind:
    """Return the kind of answer that ``item`` waits for; any statement unless it asks."""
    role = item.id.partition("-")[0]
    if role == "side":
        return next(
            (kind for kind, form in _decisive().items() if _is_worded(item.description, form)),
            Kind.STATEMENT,
        )
    asks = role in {"answer", "part"} or role.startswith("topic")
    return expected_kind(item.description) if asks else Kind.STATEMENT
