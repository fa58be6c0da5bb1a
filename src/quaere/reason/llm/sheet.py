"""Puts what a reasoner is shown into the words of a prompt, cut to fit its context window."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import urlsplit

from quaere.domain.evidence import Evidence
from quaere.domain.question import (
    AnswerForm,
    Checklist,
    Intent,
    Item,
    ItemStatus,
    Question,
    Turn,
)
from quaere.domain.report import QueryOutcome, Sentence
from quaere.domain.source import LONGEST_LEAD_IN, Passage
from quaere.reason.llm.sentences import with_ids
from quaere.text.sentences import Span, excerpt, sentences
from quaere.text.tokens import drawn_word, estimate_tokens, terms

FRAME_TOKENS = 40
"""What a passage's marks, title and id take besides its text."""

STEPS = (1_200, 700, 350, 180, 80)
"""Lengths in characters to which passages are cut, one after the other, until all of them fit."""

OFF_TOPIC_CHARS = 350
"""What is shown of a passage of several paragraphs none of which shares a word with what is sought,
nor with its title. Of 137 answering sentences in first looks and 119 in later ones, one was lost by
that: "On 6 April the committee was created" says who ruled then on the page of the period alone."""


def evidence_within(
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
    wanted: str,
    *,
    room: int,
    whole: Collection[int] = (),
    titles: Collection[int] = (),
) -> tuple[tuple[Evidence, Passage], ...]:
    """Return the evidence with as much of its text as ``room`` tokens hold.

    Evidence without its text is left out. Step by step passages are cut to the stretch that fits
    ``wanted`` best, ever shorter, in each step the last ones first and only as many as it takes:
    first all but ``whole``, then those too. Each keeps its id. The last ones are left out only
    where not even a few words of each fit.

    Args:
        evidence: Best first.
        passages: The text by passage id; what comes back are exact stretches of it.
        wanted: What the text is looked at for.
        room: Tokens.
        whole: Ids of the evidence that is cut last.
        titles: Ids of the evidence whose text is not shown.
    """
    shown = list(_with_text(evidence, passages, titles))
    sought = frozenset(terms(wanted))
    sizes = [_tokens(passage) for _, passage in shown]
    cuts = _cuts(shown, frozenset(whole), frozenset(titles))
    while sum(sizes) > room and (cut := next(cuts, None)):
        place, length = cut
        entry, _ = shown[place]
        passage = _cut(passages[entry.passage], sought, length)
        shown[place], sizes[place] = (entry, passage), _tokens(passage)
    while len(shown) > 1 and sum(sizes) > room:
        shown.pop()
        sizes.pop()
    return tuple(shown)


def _with_text(
    evidence: Iterable[Evidence], passages: Mapping[str, Passage], titles: Collection[int]
) -> Iterator[tuple[Evidence, Passage]]:
    """Yield the evidence that has a text, with that: none of it for those in ``titles`` by id."""
    for each in evidence:
        if passage := passages.get(each.passage):
            yield each, passage.stretch(0, 0) if each.id in titles else passage


def _cuts(
    shown: Sequence[tuple[Evidence, Passage]], keep: Collection[int], titles: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Yield which place to cut to which length, in turn; those in ``keep`` by id come last."""
    for kept in (False, True):
        long = [n for n, (e, _) in enumerate(shown) if e.id not in titles]
        places = [n for n in long if (shown[n][0].id in keep) is kept]
        for length in STEPS:
            for place in reversed(places):
                yield place, length


FEW_CHARS = 6_000
"""Up to so many together, passages are shown whole: to leave something out would save little, and
what answers may be where no word shows it, as in the last article of a short contract."""
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?![^\S\n]*(?:\n|$)))*")
_Paragraph: TypeAlias = tuple[Span, frozenset[str]]
"""Where a paragraph stands, and its terms."""
_HEADING = re.compile(r"#{1,6}\s[^\n]*")


def to_the_point(passages: Mapping[str, Passage], wanted: str) -> dict[str, Passage]:
    """Return ``passages`` without the paragraphs at their ends that are about something else.

    Those share no term with ``wanted`` nor with the title of the page, nor does the heading over
    them, which stays with what follows it. A table is kept whole: its rows need their
    columns. All are kept whole where they have no more than FEW_CHARS together, and where fewer
    than half of them share a term with ``wanted``, as in another language: words tell nothing then.
    So is a passage whose page has what is sought for its title, as "Reign of Terror" for who ruled
    in it, and speaks of it without naming it.

    Args:
        passages: By their ids; what comes back are exact stretches of them.
        wanted: What they are looked at for.
    """
    if sum(len(each.text) for each in passages.values()) <= FEW_CHARS:
        return dict(passages)
    sought = frozenset(terms(wanted))
    parts = {key: _paragraphs(each) for key, each in passages.items()}
    if 2 * _sharing(parts.values(), sought) < len(passages):
        return dict(passages)
    return {key: _on_topic(each, parts[key], sought) for key, each in passages.items()}


def _sharing(parts: Iterable[Sequence[_Paragraph]], sought: frozenset[str]) -> int:
    """Return how many passages, told by their paragraphs, have any of the terms ``sought``."""
    return sum(any(sought & held for _, held in of_one) for of_one in parts)


def _paragraphs(passage: Passage) -> list[_Paragraph]:
    """Return the paragraphs of ``passage`` and the terms that each holds, with those over it.

    A heading has none itself. One that says no more than the title of the page is over all of it,
    and not over the navigation that follows it more than over the rest.
    """
    found: list[_Paragraph] = []
    title, over = frozenset(terms(passage.title)), frozenset[str]()
    for match in _PARAGRAPH.finditer(passage.text):
        held = frozenset(terms(match[0]))
        if _HEADING.fullmatch(match[0]):
            over, held = frozenset[str]() if held <= title else held, frozenset[str]()
        else:
            held |= over
        found.append((Span(match.start(), match.end()), held))
    return found


def _on_topic(
    passage: Passage, paragraphs: Sequence[_Paragraph], sought: frozenset[str]
) -> Passage:
    if len(paragraphs) < 2 or passage.table_head:
        return passage
    title = frozenset(terms(passage.title))
    near = [place for place, (_, held) in enumerate(paragraphs) if held & (sought | title)]
    if not near:
        is_about_it = title and title <= sought
        return passage if is_about_it else _cut(passage, sought, OFF_TOPIC_CHARS)
    first, last = near[0], near[-1]
    while first and not paragraphs[first - 1][1]:
        first -= 1
    return _stretch(passage, Span(paragraphs[first][0].start, paragraphs[last][0].end))


def shortened_to(text: str, room: int) -> str:
    """Return ``text``, without its middle if it takes more than ``room`` tokens.

    The words that ask are at one of the ends of a long question.
    """
    tokens = estimate_tokens(text)
    if tokens <= room:
        return text
    half = max(40, int(len(text) * room / tokens / 2) - 5)
    return f"{text[:half]} […] {text[-half:]}"


def best_sentence(passage: Passage, wanted: Collection[str]) -> Passage:
    """Return the first sentence of ``passage`` that holds most of the ``wanted`` terms."""
    spans = sentences(passage.text)
    held = [len(set(wanted).intersection(terms(passage.text[s.start : s.end]))) for s in spans]
    if not spans:
        return passage
    return _stretch(passage, spans[held.index(max(held))])


def _cut(passage: Passage, wanted: Collection[str], length: int) -> Passage:
    span = excerpt(passage.text, wanted, length)
    return _stretch(passage, span)


def _stretch(passage: Passage, span: Span) -> Passage:
    if (span.start, span.end) == (0, len(passage.text)):
        return passage
    return passage.stretch(span.start, span.end)


def _tokens(passage: Passage) -> int:
    return FRAME_TOKENS + estimate_tokens(passage.text)


MAX_TITLE_CHARS = 160

_MARK = re.compile(r"<(/?)data-", re.IGNORECASE)
_BLANK = re.compile(r"[\s\x00-\x1f\x7f]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Fence:
    """The marks of one run."""

    word: str = field(default_factory=drawn_word)

    def block(self, number: int, passage: Passage, *, new: bool = False) -> str:
        """Return ``passage`` as the data block of evidence ``number``.

        Its address is reduced to the host: a model that has not seen an address cannot repeat it.
        """
        head = [f'id="{number}"', f'title="{_attribute(passage.title)}"']
        if host := urlsplit(passage.url).hostname:
            head.append(f'from="{_attribute(host)}"')
        if passage.published:
            head.append(f'date="{_attribute(passage.published)}"')
        if passage.lead_in:
            head.append(f'under="{_attribute(passage.lead_in, LONGEST_LEAD_IN)}"')
        if passage.table_head:
            head.append(f'columns="{_attribute(passage.table_head)}"')
        if new:
            head.append("new")
        return self._marked(self.inert(passage.text), *head)

    def titles(self, passages: Iterable[Passage]) -> str:
        """Return the titles of ``passages``, each once, as a data block."""
        listed = dict.fromkeys(_attribute(passage.title) for passage in passages)
        return self._marked("\n".join(map(self.inert, listed)))

    def _marked(self, text: str, *head: str) -> str:
        opening = " ".join([f"<data-{self.word}", *head])
        return f"{opening}>\n{text}\n</data-{self.word}>"

    def inert(self, text: str) -> str:
        """Return ``text`` without anything that looks like a mark, and without control characters.

        Characters that turn the direction of text are control characters here.
        """
        return _CONTROL.sub(" ", _MARK.sub(r"(\1data-", text.replace(self.word, "")))

    def line(self, text: str) -> str:
        """Return ``text``, which a model wrote and may have from a page, inert and on one line."""
        return " ".join(self.inert(text).split())


def _attribute(text: str, limit: int = MAX_TITLE_CHARS) -> str:
    flat = _BLANK.sub(" ", text).strip()[:limit]
    return _CONTROL.sub(" ", flat.replace('"', "'").replace("<", "(").replace(">", ")"))


NOTHING = "(none)"
MAX_ASKED = 40
"""Queries that are listed, the latest ones."""
MAX_TURNS = 4
"""Turns of the conversation that are shown, the latest ones."""


def passage_blocks(
    fence: Fence, shown: Iterable[tuple[Evidence, Passage]], new: Collection[int]
) -> str:
    """Return the passages as data blocks, one after another; those without text by title alone.

    A page of which some passage has its text is not listed again.
    """
    pairs = list(shown)
    blocks = [fence.block(e.id, passage, new=e.id in new) for e, passage in pairs if passage.text]
    if listed := _without_text([passage for _, passage in pairs]):
        blocks.append(f"Read before, by title alone:\n{fence.titles(listed)}")
    return "\n".join(blocks) or NOTHING


def _without_text(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages without text of pages that have no text at all."""
    seen = {passage.url for passage in passages if passage.text}
    return [each for each in passages if not each.text and each.url not in seen]


def context_line(fence: Fence, context: str) -> str:
    """Return what the user says about the need, or nothing."""
    return f"What it is needed for: {fence.inert(context)}\n" if context.strip() else ""


def conversation(fence: Fence, turns: Sequence[Turn], room: int) -> str:
    """Return the latest of the earlier ``turns`` in a data block, in about ``room`` tokens at most.

    An earlier answer was made of page text: it is data like that. The ids in it are left out: in
    this call the same numbers stand for other passages.
    """
    latest = turns[-MAX_TURNS:]
    if not latest:
        return ""
    each = room // (2 * len(latest))
    told = "\n".join(
        f"Asked: {shortened_to(turn.question, each)}\n"
        f"Answered: {shortened_to(with_ids(turn.answer, {}), each)}"
        for turn in latest
    )
    return (
        "Asked and answered before; what the question leaves unsaid may be here:\n"
        f"<data-{fence.word}>\n{fence.inert(told)}\n</data-{fence.word}>\n"
    )


def form_line(form: AnswerForm | None) -> str:
    """Return which form the answer is to have, or nothing."""
    return f"Form of the answer that is wanted: {form.value}\n" if form else ""


def language_of(question: Question) -> str:
    """Return the language of the answer, in words."""
    code = question.language
    return f"the language with the ISO 639 code {code}" if code else "the language of the question"


def items(fence: Fence, checklist: Checklist, evidence: Sequence[Evidence]) -> str:
    """Return the checklist with numbers, how far each item is, and the ids that show it."""
    numbers = {entry.passage: entry.id for entry in evidence}
    lines = (
        f"{place}. {fence.line(item.description)} ({_state(item, numbers)})"
        for place, item in enumerate(checklist.items, 1)
    )
    return "\n".join(lines) or NOTHING


def _state(item: Item, numbers: Mapping[str, int]) -> str:
    ids = ", ".join(str(numbers[key]) for key in item.evidence if key in numbers)
    state = "open" if item.status is ItemStatus.UNSATISFIED else item.status.value
    return f"{state}, by {ids}" if ids else state


def topics(fence: Fence, checklist: Checklist) -> str:
    """Return the items of the checklist with their numbers."""
    told = [fence.line(item.description) for item in checklist.items]
    lines = [f"{place}. {description}" for place, description in enumerate(told, 1)]
    return "\n".join(lines) or NOTHING


def earlier_queries(fence: Fence, outcomes: Sequence[QueryOutcome]) -> str:
    """Return the queries asked so far and their outcomes; not the question itself."""
    queries = [outcome for outcome in outcomes if outcome.query.intent is not Intent.RAW]
    asked = queries[-MAX_ASKED:]
    lines = [f"- {fence.line(each.query.text)}: {_fared(each)}" for each in asked]
    return "\n".join(lines) or "only the question itself"


def question_line(fence: Fence, question: str) -> str:
    """Return what an answer is to, or nothing."""
    return f"The question was: {fence.inert(question)}" if question.strip() else ""


def claims(fence: Fence, sentences: Sequence[Sentence], answer: Sequence[str] = ()) -> str:
    """Return sentences with their numbers and the ids that they cite.

    They keep their place among the rest of the ``answer``, which has no numbers.
    """
    lines: list[str] = []
    rest = list(answer)
    for place, sentence in enumerate(sentences, 1):
        if sentence.text in rest:
            at = rest.index(sentence.text)
            lines += (f"- {fence.inert(text)}" for text in rest[:at])
            rest = rest[at + 1 :]
        cited = _listed(sentence.evidence)
        lines.append(f"{place}. {fence.line(sentence.text)} (cites {cited})")
    lines += (f"- {fence.inert(text)}" for text in rest)
    return "\n".join(lines)


RULES = """\
- One fact a sentence, with the ids of the passages that say it in square brackets before its \
full stop, like [3] or [2][5]{most}.
- The passages' own words for names, figures, units and predicates, with their limits and \
reservations ("at most", "may", "some"); nothing from memory.
- The answer itself comes first.
- What the passages leave open, or disagree on, or may be out of date, in a sentence of its own.
- No links, addresses or list of sources: they are added.
Example, of passages 2 and 5: The mill has two wheels of 3 m [2]. Its owner may sell it in 2027 \
[5]. The passages do not say to whom."""


def writing_rules(citations: int | None) -> str:
    """Return the rules of an answer, the same wherever one is asked for, with an example.

    Args:
        citations: Passages that it may cite; None where nobody limits them.
    """
    return RULES.format(most=f"; at most {citations} different passages" if citations else "")


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "nothing"


def _fared(outcome: QueryOutcome) -> str:
    if outcome.error:
        return "failed"
    return f"{outcome.hits} sources, {outcome.fresh} of them not known before"
