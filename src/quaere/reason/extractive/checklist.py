"""What a complete answer must contain, drawn from the question and the first look."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from quaere.domain.question import Checklist, Item, Question
from quaere.reason.extractive.answer_kinds import Kind, compared_kind, expected_kind, last_question
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.question_parts import (
    Comparison,
    aspects,
    comparison,
    descriptions,
    questions,
    things,
)
from quaere.text.names import names
from quaere.text.tokens import is_stop_word, stem, terms, tokenize

MIN_ITEMS = 3
MAX_ITEMS = 7
"""R4.2 asks for 3 to 7 items."""

ON_TOPIC = 0.3
"""Share of the question's weight that a sentence must cover for its words to be facets."""

_LABELS = {
    Kind.PERSON: "The person",
    Kind.PLACE: "The place",
    Kind.ORGANIZATION: "The organization",
    Kind.NAME: "The name",
    Kind.DATE: "The date",
    Kind.NUMBER: "The number",
    Kind.YES_NO: "Yes or no",
    Kind.DEFINITION: "The meaning",
    Kind.REASON: "The reason",
    Kind.MANNER: "The way",
    Kind.COMPARISON: "The comparison",
    Kind.LIST: "The list",
    Kind.STATEMENT: "The answer",
}
_BROAD = frozenset({Kind.DEFINITION, Kind.REASON, Kind.MANNER, Kind.LIST, Kind.STATEMENT})


def build_checklist(question: Question, pool: Pool) -> Checklist:
    """Return the 3 to 7 things that a complete answer to ``question`` must contain.

    Args:
        question: The question as asked; its context adds terms to the facets of a broad question.
        pool: What the first look found.
    """
    text = " ".join(question.text.split())
    draft = _Draft()
    asked = questions(text)
    for part in asked[:5]:
        draft.add("answer" if part is asked[0] else "part", _worded(part), terms(part))
    compared = comparison(last_question(text))
    if compared is not None:
        _add_compared(draft, compared, text)
    elif is_factual(text):
        _add_links(draft, text)
    else:
        _add_aspects(draft, text)
        _add_facets(draft, question, pool)
    _add_things(draft, text, at_most=MIN_ITEMS if compared else MAX_ITEMS)
    _add_general(draft, text)
    return Checklist(items=tuple(draft.items[:MAX_ITEMS]))


def is_factual(text: str) -> bool:
    """Return whether ``text`` asks for one fact, and not for an account of something."""
    kind = expected_kind(text)
    asks = last_question(text).endswith(("?", "？", "؟"))
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


def _worded(question: str) -> str:
    return f"{_LABELS[expected_kind(question)]}: {_shortened(question)}"


def _shortened(text: str, limit: int = 300) -> str:
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",;: ") + " …"


def _add_compared(draft: _Draft, compared: Comparison, text: str) -> None:
    sides = compared.first, compared.second
    shared = [t for t in terms(compared.about) if t not in terms(" ".join(sides))]
    about = _shortened(compared.about or text, 160)
    for side in sides:
        draft.add("side", f"{side}: the facts for “{about}”", [*terms(side), *shared])


def _add_links(draft: _Draft, text: str) -> None:
    for link in descriptions(text)[:3]:
        draft.add("link", f"Who or what is meant by “{_shortened(link, 160)}”", terms(link))


def _add_aspects(draft: _Draft, text: str) -> None:
    for aspect in aspects(text)[:5]:
        draft.add("aspect", f"{_opened(aspect)}: what the sources say about it", terms(aspect))


def _add_things(draft: _Draft, text: str, at_most: int) -> None:
    """Add the names of the question, and other things while there are too few items."""
    named = {name.text for name in names(text)}
    for thing in things(text):
        room = at_most if thing in named else MIN_ITEMS
        plain = " " in thing or not named or expected_kind(text) is Kind.YES_NO
        if len(draft.items) < room and (thing in named or plain):
            draft.add("thing", f"{_opened(thing)}: what the sources say about it", terms(thing))


def _add_general(draft: _Draft, text: str) -> None:
    """Fill up to three items with what any answer is the better for."""
    topic = next(iter(things(text)), "")
    general = (
        ("meaning", f"What is {topic}?" if topic else "What the question is about"),
        ("context", f"The context: what {topic or 'this'} is connected with"),
        ("facts", "Further facts from the sources"),
    )
    for role, description in general:
        if len(draft.items) < MIN_ITEMS:
            wanted = tuple(dict.fromkeys(terms(topic or text)))
            draft.items.append(Item(id=role, description=description, terms=wanted))


def _add_facets(draft: _Draft, question: Question, pool: Pool) -> None:
    subject = next(iter(things(question.text)), "")
    room = MAX_ITEMS - 2 - len(draft.items)
    for facet in facets(question, pool)[: max(0, room)] if subject else ():
        draft.add(
            "facet", f"{_opened(facet)}: its part in {subject}", [*terms(facet), *terms(subject)]
        )


def _opened(text: str) -> str:
    return text[:1].upper() + text[1:]


def facets(question: Question, pool: Pool, limit: int = 3) -> tuple[str, ...]:
    """Return words and pairs of words that the sources often use besides the question's own."""
    goal = Goal(question.text, pool)
    worth: defaultdict[tuple[str, ...], float] = defaultdict(float)
    spelled: dict[tuple[str, ...], str] = {}
    seen_in: dict[tuple[str, ...], set[int]] = {}
    context = frozenset(terms(question.context))
    for line in pool.lines:
        near = goal.share(goal.mask(line.terms))
        if near < ON_TOPIC:
            continue
        for phrase in _phrases(line.text):
            stems = tuple(stem(word.casefold()) for word in phrase)
            if not goal.known.isdisjoint(map(str.casefold, phrase)) or set(stems) & set(goal.terms):
                continue
            spelled.setdefault(stems, " ".join(phrase))
            seen_in.setdefault(stems, set()).add(line.owner)
            lift = 1.5 if len(stems) > 1 or context.intersection(stems) else 1.0
            worth[stems] += near * lift
    shared = [s for s in worth if len(seen_in[s]) > 1]
    shared.sort(key=lambda s: (-worth[s] * len(seen_in[s]), spelled[s]))
    return _distinct(shared, spelled, limit)


def _phrases(text: str) -> list[tuple[str, ...]]:
    """Return the words of ``text`` that carry meaning, alone and in pairs side by side."""
    found: list[tuple[str, ...]] = []
    before = ""
    for token in tokenize(text):
        word = token.text
        plain = not is_stop_word(word) and not word[0].isdigit() and not word[0].isupper()
        if not plain or (word.isascii() and (len(word) < 4 or word.endswith("ly"))):
            before = ""
            continue
        found.append((word,))
        if before:
            found.append((before, word))
        before = word
    return found


def _distinct(
    ranked: Sequence[tuple[str, ...]], spelled: dict[tuple[str, ...], str], limit: int
) -> tuple[str, ...]:
    chosen: list[tuple[str, ...]] = []
    for stems in ranked:
        if len(chosen) == limit:
            break
        if all(set(stems).isdisjoint(other) for other in chosen):
            chosen.append(stems)
    return tuple(spelled[stems] for stems in chosen)


def item_kind(item: Item) -> Kind:
    """Return the kind of answer that ``item`` waits for; any statement unless it asks."""
    if item.id.startswith("topic"):
        return expected_kind(item.description)
    label, _, rest = item.description.partition(": ")
    if item.id.startswith("side"):
        return compared_kind(rest)
    if label in _LABELS.values():
        return expected_kind(rest)
    return Kind.DEFINITION if item.description.startswith("What is ") else Kind.STATEMENT
