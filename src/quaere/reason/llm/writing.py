"""Writes the answer: one streamed call, cut into sentences while it comes in.

The answer may also come with a judgement; it is read while the model writes that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from quaere.domain.evidence import Contradiction, Evidence
from quaere.domain.model import Completion, Finish, Message, ModelRequest, Role
from quaere.domain.question import AnswerForm, Checklist, Item
from quaere.domain.report import BEYOND_LENGTH, Sentence
from quaere.domain.source import Passage
from quaere.domain.verdict import Opening, Reflection
from quaere.errors import ContractError
from quaere.models.structured.ask import repeats
from quaere.ports.model import ChatModel, released, traits_of
from quaere.ports.reason import Assignment, FirstLook, Listener, Review
from quaere.reason.llm import sheet
from quaere.reason.llm.citing import names_of
from quaere.reason.llm.contracts import MAX_ITEMS, Answering
from quaere.reason.llm.prompt_builder import Desk, Exhibit, evidence_relied_on
from quaere.reason.llm.sentences import Numbering, SentenceReader
from quaere.reason.llm.weigh import says
from quaere.text.no_claim import may_tell_silence
from quaere.text.tokens import terms, words

OVERRUN = 1.6
"""How far beyond the words aimed at an answer may go before it is cut off. Models aim badly."""
ECHOES: Final = ("{}", "Question: {}", "Passages:")
"""What repeats the request rather than answers it; braces stand for the question."""


class Length:
    """What is left of an answer's words. Its citations are counted when they are checked."""

    def __init__(self, max_words: int, asked: str) -> None:
        self._left = int(max_words * OVERRUN)
        self.is_cut = False
        """Whether something was written that did not fit."""
        self.cited = False
        """Whether any sentence taken cites something."""
        self.uncited: list[str] = []
        """The texts of those that cite nothing."""
        # Small models begin by copying the request.
        self._said = {tuple(words(each.format(asked))) for each in ECHOES}

    def fitting(self, sentence: Sentence) -> Sentence | None:
        """Return ``sentence`` if it fits; ``None`` when it is not to be shown.

        A sentence that says word for word what another said, or what was asked, is not. One that
        does not fit cites nothing and says so, to be listed among what was left out: nothing that
        was written goes without a word.
        """
        said = tuple(words(sentence.text))
        if said in self._said:
            return None
        self._said.add(said)
        if self._left <= 0:
            self.is_cut = True
            return sentence.model_copy(update={"evidence": (), "reason": BEYOND_LENGTH})
        self._left -= len(said)
        self.cited = self.cited or bool(sentence.evidence)
        if not sentence.evidence:
            self.uncited.append(sentence.text)
        return sentence


LEAST_TOKENS: Final = 4_000
"""Output limit of a short answer; models that think before they write need most of it."""
TOKENS_PER_WORD: Final = 6
"""The same for each word of a long one: room for ids and for scripts that take more."""
SMALL_TOKENS_PER_WORD: Final = 3
"""The same for small models, which do not think first and may write to the end of their room."""
SMALL_WORDS: Final = 120
"""What they can say without losing the thread."""
BRIEF_WORDS, LONG_WORDS = 90, 400
ATTEMPTS = 2
LOOK_CHARS = 200
"""Written between two looks for repetition."""

_BRIEF = "Write one short paragraph."
_PLAIN = "Write plain paragraphs; a list only where the question asks for one."
_LONG = "Take the items one after the other, a paragraph or more for each, no headings."
_STYLES: Final[Mapping[AnswerForm | None, str]] = {
    AnswerForm.SHORT: "Write one or two sentences.",
    AnswerForm.REPORT: _LONG,
    AnswerForm.LIST: "Write a list: each item one whole sentence on a line of its own.",
    AnswerForm.TABLE: (
        "Write one Markdown table with a head: a row for each thing that is compared or listed, a "
        "column for each property. Each row has its ids at the end of its last cell. A sentence "
        "below it only for what no cell says."
    ),
}
_PLAIN_TABLE: Final = (
    "The answer becomes a table with a row for each sentence. Write one short, whole sentence "
    "a line that says one thing of one thing and names both; no table marks, they are added."
)
"""For small models, which lose count of the cells."""
_PARTIAL = "; not everything was found"
_REMINDER = (
    "That cited no passage. Write the answer again; every sentence cites its passages by id in "
    "square brackets, like [3]."
)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes with ``model``."""

    model: ChatModel
    desk: Desk

    async def write(self, assignment: Assignment) -> AsyncIterator[Sentence]:
        """Yield the sentences of the answer; nothing, and no call, where there is no evidence.

        What evaluation has written already is taken as it is. So is an answer that cites nothing,
        if it speaks of what is asked and most of its sentences have most of their words in some
        passage: what they rest on is found when they are checked. A model whose answer is neither
        is asked a second time, unless it declined: that is not argued with. A small one would only
        write the same again, and what goes round in circles is cut off.

        Raises:
            ReasonError: when no model writes anything that cites a passage it was shown, or has its
                words from one, or when one declines, also in the middle.
        """
        if not _has_text(assignment):
            return
        asked = assignment.question.text
        length = Length(assignment.max_words, asked)
        for sentence in _fitting(_read(assignment), length):
            yield sentence
        request = self._request(assignment)
        attempts = 1 if length.uncited or traits_of(self.model).small else ATTEMPTS
        while not (done := _is_done(length, assignment)) and attempts:
            async for sentence in self._stream(request, assignment, length):
                yield sentence
            request = _again(request)
            attempts -= 1
        if not done:
            raise ContractError("what it wrote cites nothing that it was shown")

    async def _stream(
        self, request: ModelRequest, assignment: Assignment, length: Length
    ) -> AsyncIterator[Sentence]:
        shown = Numbering.of(assignment.evidence, assignment.passages)
        reader, finish = _reader(assignment, shown.evidence), Finish.STOP
        loop = _Loop()
        async with released(self.model.stream(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Completion):
                    finish = piece.finish
                    continue
                for sentence in _fitting(map(shown.with_ids, reader.feed(piece)), length):
                    yield sentence
                if length.is_cut or loop.caught(piece):
                    return
        rest = list(map(shown.with_ids, reader.close()))
        for sentence in _fitting(_complete(rest, finish), length):
            yield sentence
        if finish is Finish.REFUSAL:
            raise ContractError("it declined to write")

    def _request(self, assignment: Assignment) -> ModelRequest:
        words = assignment.max_words
        asked = self.desk.question_fields(assignment.question, self.model)
        topics = (item.description for item in assignment.checklist.items)
        shown = Numbering.of(assignment.evidence, assignment.passages)
        return self.desk.request(
            "synthesize",
            self.model,
            Exhibit(
                shown.evidence,
                assignment.passages,
                " ".join([asked["question"], *topics]),
                whole=evidence_relied_on(assignment.checklist, shown.evidence),
            ),
            {
                **asked,
                "checklist": sheet.topics(self.desk.fence, assignment.checklist),
                "words": str(words),
                "style": _style(words, assignment.question.form, small=traits_of(self.model).small),
                "language": sheet.language_of(assignment.question),
                "contradictions": _disagreeing(
                    self.desk.fence, [*shown.opposed(assignment.contradictions)]
                ),
                "partial": _PARTIAL if assignment.partial else "",
                "rules": sheet.writing_rules(assignment.max_citations),
            },
            output_tokens=_output_tokens(self.model, words),
        )


def _is_done(length: Length, assignment: Assignment) -> bool:
    """Return whether what was written cites something, or has its words from the passages.

    Without citations it has to speak of what is asked, too, if only in a word, and not only of
    what is not said: a model that does what a page orders repeats the words of that page.
    """
    if length.cited:
        return True
    if all(map(may_tell_silence, length.uncited)):
        return False
    said = frozenset(terms(" ".join(length.uncited)))
    is_on_topic = not said.isdisjoint(terms(assignment.question.text))
    return is_on_topic and _is_from(assignment.passages, length.uncited)


def _is_from(passages: Mapping[str, Passage], texts: Sequence[str]) -> bool:
    """Return whether most of ``texts`` have most of their words in one of ``passages`` each."""
    held = [frozenset(terms(passage.text)) for passage in passages.values()] if texts else []
    wanted = map(frozenset, map(terms, texts))
    carried = sum(any(words and says(each, words) for each in held) for words in wanted)
    return carried > len(texts) / 2


class _Loop:
    """Notices when what is written goes round in circles."""

    def __init__(self) -> None:
        self._text = ""
        self._looked_at = 0

    def caught(self, piece: str) -> bool:
        """Return whether the text that ends with ``piece`` repeats itself over and over."""
        self._text += piece
        if len(self._text) < self._looked_at + LOOK_CHARS:
            return False
        self._looked_at = len(self._text)
        return repeats(self._text)


def _output_tokens(model: ChatModel, words: int) -> int:
    if traits_of(model).small:
        return int(min(words, SMALL_WORDS) * OVERRUN * SMALL_TOKENS_PER_WORD)
    return max(LEAST_TOKENS, words * TOKENS_PER_WORD)


def _reader(assignment: Assignment, evidence: Sequence[Evidence]) -> SentenceReader:
    bearing_on = (assignment.checklist, evidence, assignment.passages)
    known, shared = items_of(*bearing_on), shared_items(*bearing_on)
    return SentenceReader(known, shown_text(assignment.passages), shared, names_of(evidence))


def items_of(
    checklist: Checklist, evidence: Iterable[Evidence], passages: Mapping[str, Passage]
) -> dict[int, str | None]:
    """Return the one item that each piece of ``evidence`` with a text speaks to, by its id.

    None where it speaks to none, and where it speaks to several: see `shared_items`.
    """
    items = _items_by_passage(checklist)
    return {
        entry.id: items[entry.passage][0].id if len(items.get(entry.passage, ())) == 1 else None
        for entry in evidence
        if entry.passage in passages
    }


def shared_items(
    checklist: Checklist, evidence: Iterable[Evidence], passages: Mapping[str, Passage]
) -> dict[int, list[Item]]:
    """Return the items of each piece of ``evidence`` with a text that speaks to several."""
    items = _items_by_passage(checklist)
    return {
        entry.id: items[entry.passage]
        for entry in evidence
        if entry.passage in passages and len(items.get(entry.passage, ())) > 1
    }


def _items_by_passage(checklist: Checklist) -> Mapping[str, list[Item]]:
    items: dict[str, list[Item]] = {}
    for item in checklist.items:
        for key in item.evidence:
            items.setdefault(key, []).append(item)
    return items


def shown_text(passages: Mapping[str, Passage]) -> str:
    """Return all that was shown, as one text."""
    return "\n".join(passage.text for passage in passages.values())


def _read(assignment: Assignment) -> Iterator[Sentence]:
    """Yield the sentences that evaluation has written."""
    reader = _reader(assignment, assignment.evidence)
    yield from reader.feed(assignment.answer)
    yield from reader.close()


def _has_text(assignment: Assignment) -> bool:
    return any(each.passage in assignment.passages for each in assignment.evidence)


def _complete(rest: Sequence[Sentence], finish: Finish) -> Sequence[Sentence]:
    """Return the sentences at the end of an answer, without one that was cut off."""
    return rest if finish is Finish.STOP else rest[:-1]


def _fitting(sentences: Iterable[Sentence], length: Length) -> Iterator[Sentence]:
    for sentence in sentences:
        if kept := length.fitting(sentence):
            yield kept


def _style(words: int, form: AnswerForm | None, *, small: bool) -> str:
    if small and form is AnswerForm.TABLE:
        return _PLAIN_TABLE
    if form in _STYLES:
        return _STYLES[form]
    if words <= BRIEF_WORDS:
        return _BRIEF
    return _LONG if words >= LONG_WORDS else _PLAIN


def _again(request: ModelRequest) -> ModelRequest:
    reminder = Message(role=Role.USER, content=_REMINDER)
    return request.model_copy(update={"messages": (*request.messages, reminder)})


def _disagreeing(fence: sheet.Fence, told: Sequence[Contradiction]) -> str:
    if not told:
        return ""
    listed = ", ".join(
        f"{' and '.join(map(str, each.ids))}{f' ({fence.line(each.what)})' if each.what else ''}"
        for each in told
    )
    return (
        f"- These were found to contradict each other: {listed}. Say what each of the two says, in "
        "one sentence that cites both."
    )


A = TypeVar("A", bound=Answering)


class SpokenAnswer(Generic[A]):
    """Cuts the answer into sentences for ``listener``, once it knows that the answer is due."""

    field = "answer"

    def __init__(
        self,
        listener: Listener,
        judge: Callable[[A], Opening | Reflection],
        of: FirstLook | Review,
        shown: Numbering,
    ) -> None:
        """Listen to an answer on what ``of`` shows, by the numbers of ``shown``.

        Args:
            listener: Takes the sentences.
            judge: Makes a judgement of what was written before the answer.
            of: What the model was shown.
            shown: The numbers under which it was.
        """
        self._listener = listener
        self._judge = judge
        self._of = of
        self._shown = shown
        self._length = Length(of.answer_words or 0, of.question.text)
        self._reader = SentenceReader({})
        self._has_begun = False

    def begins(self, so_far: A) -> bool:
        """Return whether the evidence is sufficient, so that the answer counts."""
        judged = self._judge(so_far)
        reflection = _reflection(judged)
        if reflection is None or not reflection.sufficient or not self._listener.wants(judged):
            return False
        self._has_begun = True
        bearing_on = (reflection.checklist, self._shown.evidence, self._of.passages)
        known, shared = items_of(*bearing_on), shared_items(*bearing_on)
        names = names_of(self._shown.evidence)
        self._reader = SentenceReader(known, shown_text(self._of.passages), shared, names)
        return True

    def standing(self, written: A) -> A:
        """Return what was ``written``, the evidence as sufficient as it was when the answer began.

        What is told is not taken back: ticks that come after it do not open an item again.
        """
        if not self._has_begun:
            return written
        reflection = _reflection(self._judge(written))
        if reflection and reflection.sufficient:
            return written
        return written.model_copy(update={"satisfied": list(range(1, MAX_ITEMS + 1))})

    async def take(self, text: str) -> None:
        """Give the listener what ``text`` completes."""
        for sentence in self._reader.feed(text):
            await self._hear(self._shown.with_ids(sentence))

    async def ends(self) -> None:
        """Give the listener the last sentence."""
        for sentence in self._reader.close():
            await self._hear(self._shown.with_ids(sentence))
        await self._listener.ends()

    def breaks_off(self, error: str) -> bool:
        """Tell the listener, and return whether what it took stands."""
        self._has_begun = self._listener.breaks_off(error)
        return self._has_begun

    async def _hear(self, sentence: Sentence) -> None:
        if kept := self._length.fitting(sentence):
            await self._listener.hear(kept)


def _reflection(judged: Opening | Reflection) -> Reflection | None:
    return judged.reflection if isinstance(judged, Opening) else judged
