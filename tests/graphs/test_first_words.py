"""Issue 21.9, 14.1: an answer is told while it is written, and nothing of it is taken back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import replace
from unittest.mock import patch

import pytest
from pydantic import JsonValue
from tests.graphs.minds import BORN, FOUNDER, Mind, holding, thinking
from tests.graphs.world import HOP, Told, told

from quaere.domain.budget import ProfileName
from quaere.domain.events import Evaluated, ModelCalled, SentenceDrafted, SentenceWritten
from quaere.domain.model import Completion, ModelRequest, Traits
from quaere.domain.report import AnswerStatus, CheckedBy
from quaere.domain.request import RunSpec
from quaere.domain.verdict import StopReason
from quaere.errors import ModelError, ModelRejected
from quaere.graphs.telling import GROUNDS
from quaere.synthesize.compose import Draft
from quaere.testing import CutOff, ScriptedModel

pytestmark = pytest.mark.anyio

OLD = "Odile Varga was an astronomer who mapped the dust of the southern sky."
STANDS = "The Quill Observatory stands on Mount Sorrel above the town of Hask."
MIRROR = "Its main mirror measures 90 centimetres."
REWORDED = "An astronomer, Odile Varga drew maps of southern dust."
INVENTED = "In 1950 she sailed around the world with nine purple elephants."
QUOTES = (BORN, OLD, FOUNDER, STANDS, MIRROR)
LEADING = ("In Tressel Ford.", *QUOTES)
"""An answer that begins with a conclusion and gives its grounds afterwards."""

HIDDEN = {INVENTED: BORN, REWORDED: OLD, LEADING[0]: BORN}
"""Where what is no quote claims to be from."""


class Author(Mind):
    """Answers with some sentences, and fails or waits in the middle of them."""

    def __init__(self, *lines: str, cites_first: bool = True, verdict: str = "supported") -> None:
        super().__init__(verdict=verdict, judged="elephants")
        self.lines, self.cites_first = lines, cites_first

    def written(self, request: ModelRequest) -> str:
        """Return the lines, citing what holds them."""
        said: list[str] = []
        for place, line in enumerate(self.lines):
            ids = holding(request, HIDDEN.get(line, line))
            marked = ids and (place or self.cites_first)
            said.append(f"{line[:-1]} [{ids[0]}]." if marked else line)
        return " ".join(said)


def author(*lines: str, piece: int = 12, cites_first: bool = True) -> ScriptedModel:
    return ScriptedModel(Author(*lines, cites_first=cites_first), piece_chars=piece)


def joined(run: Told) -> str:
    return "".join(event.appended for event in run.of(SentenceWritten))


ANSWERS = {
    "quotes": QUOTES,
    "a conclusion first": LEADING,
    "one reworded": (BORN, REWORDED, OLD, STANDS, MIRROR),
    "one reworded later": (BORN, OLD, FOUNDER, STANDS, REWORDED, MIRROR),
    "one invented": (BORN, INVENTED, OLD, STANDS, MIRROR),
    "an invented one first": (INVENTED, BORN, OLD, STANDS, MIRROR),
    "a short one": (BORN,),
    "a short conclusion": LEADING[:2],
    "nothing but invented": (INVENTED,),
    "about the passages": ("The passages do not say who paid for it.", BORN, OLD, STANDS),
}


@pytest.mark.parametrize("cites_first", [True, False])
@pytest.mark.parametrize("lines", ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("profile", [ProfileName.STANDARD, ProfileName.DEEP])
async def test_what_is_told_is_the_answer_however_it_comes(
    lines: tuple[str, ...], profile: ProfileName, cites_first: bool
) -> None:
    """The pieces in which it comes make no difference, so a run that is made again is the same."""
    runs = [
        await told(thinking(author(*lines, piece=size, cites_first=cites_first)), profile=profile)
        for size in (3, 12, 100_000)
    ]
    for run in runs:
        assert joined(run) == run.report.answer
    first, *others = [
        [(type(e).__name__, getattr(e, "text", "")) for e in run.events] for run in runs
    ]
    assert all(log == first for log in others)


@pytest.mark.parametrize("lines", [QUOTES, LEADING], ids=["quotes", "a conclusion first"])
async def test_the_first_sentence_is_told_before_the_answer_is_written(
    lines: tuple[str, ...],
) -> None:
    """The last piece is written once a reader has the first sentence."""
    read = asyncio.Event()

    class Waiting(ScriptedModel):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
            held: str | Completion = ""
            async for piece in super().stream(request):
                answered = isinstance(piece, Completion) and "Tressel" in piece.text
                if answered and request.step in {"plan", "evaluate"}:
                    await asyncio.wait_for(read.wait(), 20)
                if held:
                    yield held
                held = piece
            yield held

    model = Waiting(Author(*lines, cites_first=lines is QUOTES))
    written = 0
    async for event in thinking(model).stream(RunSpec.of(HOP)):
        if isinstance(event, SentenceWritten):
            read.set()
            written += 1
    assert written >= len(lines)


async def test_a_sentence_is_composed_once_to_be_told_and_once_for_the_report() -> None:
    with patch.object(Draft, "add", autospec=True, side_effect=Draft.add) as add:
        run = await told(thinking(author(*QUOTES)))
    assert joined(run) == run.report.answer
    assert add.call_count == 2 * len(QUOTES)


async def test_an_answer_is_told_before_what_does_not_decide_whether_it_counts() -> None:
    """Its queries and its reason are written once a reader has the last sentence but one."""
    read = asyncio.Event()

    class Waiting(ScriptedModel):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
            text = ""
            async for piece in super().stream(request):
                text += piece if isinstance(piece, str) else ""
                if MIRROR[:12] in text and "queries" in text:
                    await asyncio.wait_for(read.wait(), 20)
                yield piece

    model = Waiting(Author(*QUOTES), piece_chars=12)
    written = 0
    async for event in thinking(model).stream(RunSpec.of(HOP)):
        written += isinstance(event, SentenceWritten)
        if written == len(QUOTES) - 1:
            read.set()
    assert written == len(QUOTES)


async def test_a_conclusion_is_told_before_its_grounds_are_written() -> None:
    """Item 9 of issue 21: it rests on what the judgement has found, which comes before it."""
    read = asyncio.Event()

    class Lines(Author):
        def written(self, request: ModelRequest) -> str:
            return super().written(request).replace(". ", ".\n\n", 1)

    class Waiting(ScriptedModel):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
            text = ""
            async for piece in super().stream(request):
                text += piece if isinstance(piece, str) else ""
                if BORN[:12] in text.partition("Tressel Ford")[2]:
                    await asyncio.wait_for(read.wait(), 20)
                yield piece

    model = Waiting(Lines(*LEADING, cites_first=False), piece_chars=4)
    texts: list[str] = []
    async for event in thinking(model).stream(RunSpec.of(HOP)):
        if isinstance(event, SentenceWritten):
            texts.append(event.text)
            read.set()
    assert texts[0].startswith("In Tressel Ford")
    assert model.steps().count("check") == 1


async def test_a_conclusion_that_the_findings_do_not_carry_waits_for_its_grounds() -> None:
    class Doubting(Author):
        """Sees the conclusion carried only where it is asked about among other sentences."""

        def verdicts(self, request: ModelRequest) -> Iterator[JsonValue]:
            listed = request.messages[-1].content.partition("Passages:")[0]
            yield {"number": 1, "verdict": "supported" if BORN in listed else "unsupported"}

    run = await told(thinking(ScriptedModel(Doubting(*LEADING, cites_first=False))))
    assert [event.call.step for event in run.of(ModelCalled)].count("check") == 2
    assert run.report.answer.startswith("In Tressel Ford [1]")
    assert joined(run) == run.report.answer


async def test_what_is_checked_while_it_is_written_is_not_checked_again() -> None:
    run = await told(thinking(author(*LEADING, cites_first=False)))
    calls = [event.call.step for event in run.of(ModelCalled)]
    assert calls.count("check") == 1
    assert calls.index("check") < max(n for n, step in enumerate(calls) if step != "check")
    assert run.report.answer.startswith("In Tressel Ford [1]")


ANEW = {
    "In 1861 Odile Varga was born, in Tressel Ford.": BORN,
    REWORDED: OLD,
    "Odile Varga was its founder, in 1902.": FOUNDER,
    "Above Hask, on Mount Sorrel, stands the Quill Observatory.": STANDS,
    "90 centimetres is what its main mirror measures.": MIRROR,
}
"""Sentences none of which is a quote, and what they are from."""


class Shaped(Author):
    """Answers with sentences that quote nothing, as a list or a table or as they come."""

    def __init__(self, shape: str, head: str = "") -> None:
        super().__init__()
        self.shape, self.head = shape, head

    def written(self, request: ModelRequest) -> str:
        """Return the sentences in this shape, each citing what it is from."""
        said = [f"{line[:-1]} [{holding(request, fact)[0]}]." for line, fact in ANEW.items()]
        return self.head + "".join(self.shape.format(each) for each in said)


@pytest.mark.parametrize(
    ("shape", "head"),
    [
        ("{} ", ""),
        ("- {}\n", ""),
        ("- {}\n", "The passages tell this of her:\n\n"),
        ("| it | {} |\n", "| what | told |\n|---|---|\n"),
    ],
    ids=["prose", "list", "list under a lead-in", "table"],
)
async def test_an_answer_that_quotes_nothing_takes_one_call_to_check(shape: str, head: str) -> None:
    """Item 1 of issue 14: one call for all, however long the list or the table."""
    model = ScriptedModel(Shaped(shape, head), piece_chars=12)
    run = await told(thinking(model))
    assert model.steps().count("check") == 1
    assert sum(s.by is CheckedBy.MODEL for s in run.report.sentences) == len(ANEW)
    assert joined(run) == run.report.answer


async def test_a_conclusion_whose_grounds_quote_nothing_is_checked_with_them() -> None:
    """Its findings name too much for an early check: it waits, and one call checks all."""
    findings: list[JsonValue] = [{"id": n, "items": [1]} for n in range(1, GROUNDS + 2)]
    mind = Shaped("{} ", "In Tressel Ford. ")
    mind.changes = {"findings": findings}
    model = ScriptedModel(mind, piece_chars=12)
    run = await told(thinking(model))
    assert model.steps().count("check") == 1
    assert run.report.answer.startswith("In Tressel Ford")


async def test_a_long_answer_is_checked_while_it_is_written() -> None:
    """Its opening alone is worth a call: the rest of it takes longer to write than that."""
    model = ScriptedModel(Shaped("{} "), piece_chars=12)
    run = await told(thinking(model), profile=ProfileName.DEEP)
    kinds = [type(event) for event in run.events]
    last_draft = max(place for place, kind in enumerate(kinds) if kind is SentenceDrafted)
    assert kinds.index(SentenceWritten) < last_draft
    assert model.steps().count("check") == 2


async def test_drafts_are_told_once_and_before_the_evaluation_is_over() -> None:
    run = await told(thinking(author(*QUOTES)))
    assert [event.text for event in run.of(SentenceDrafted)] == list(QUOTES)
    kinds = [type(event) for event in run.events]
    assert kinds.index(SentenceWritten) < max(n for n, e in enumerate(kinds) if e is Evaluated)
    assert run.of(Evaluated)[-1].stop_reason is StopReason.SUFFICIENT


class Breaking(ScriptedModel):
    """Does ``fault`` in the middle of its answer, at ``place`` characters of its text."""

    def __init__(self, fault: Callable[[], object], *lines: str) -> None:
        super().__init__(Author(*lines))
        self.fault = fault

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
        text = ""
        async for piece in super().stream(request):
            text += piece if isinstance(piece, str) else ""
            if request.step in {"plan", "evaluate"} and STANDS[:20] in text:
                outcome = self.fault()
                if asyncio.iscoroutine(outcome):
                    await outcome
                yield Completion(text=text[:-4], model=self.name)
                return
            yield piece


def lose() -> None:
    raise ModelError("the connection was lost")


@pytest.mark.parametrize("fault", [lose, lambda: None, lambda: asyncio.sleep(60)])
async def test_an_answer_that_breaks_off_keeps_what_was_told_and_says_so(
    fault: Callable[[], object],
) -> None:
    """Lost, malformed at its end, or hanging: none of it is asked for again."""
    model = Breaking(fault, *QUOTES)
    run = await told(thinking(model), max_execution_time_s=4)
    report = run.report
    assert model.steps() == ["plan"]
    assert joined(run) == report.answer
    assert report.answer.startswith("She was born in Tressel Ford in 1861 [1]. Odile Varga was an")
    assert STANDS[:30] not in report.answer
    assert report.status is AnswerStatus.ANSWERED
    assert any("cut short" in each.reason for each in report.degradations)


@pytest.mark.parametrize("fault", [lose, lambda: None])
async def test_an_answer_of_which_nothing_was_told_is_asked_for_again(
    fault: Callable[[], object],
) -> None:
    invented = INVENTED.replace("1950", "1951")
    model = Breaking(fault, INVENTED, invented, STANDS, *QUOTES)
    run = await told(thinking(model))
    assert joined(run) == run.report.answer
    assert model.steps()[:2] == ["plan", "plan"]
    assert MIRROR[:-1] in run.report.answer
    assert not run.report.degradations


async def test_a_stream_that_is_lost_before_its_answer_is_asked_for_once_more() -> None:
    class Faltering(ScriptedModel):
        lost = 0

        async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
            async for piece in super().stream(request):
                yield piece
                if not self.lost:
                    self.lost += 1
                    raise ModelError("the connection was lost")

    run = await told(thinking(Faltering(Author(*QUOTES))))
    assert run.report.status is AnswerStatus.ANSWERED
    assert not run.report.degradations


async def test_a_check_that_fails_leaves_the_telling_for_the_end() -> None:
    def checks_fail(request: ModelRequest) -> dict[str, JsonValue] | str | ModelError:
        if request.step == "check":
            return ModelRejected("no checks today")
        return Author(*LEADING, cites_first=False)(request)

    run = await told(thinking(ScriptedModel(checks_fail)))
    assert joined(run) == run.report.answer
    assert "She was born in Tressel Ford in 1861" in run.report.answer


async def test_a_cut_off_answer_of_a_separate_call_keeps_what_was_told() -> None:
    def writes(request: ModelRequest) -> dict[str, JsonValue] | str | CutOff:
        if request.step != "synthesize":
            return Mind()(request)
        text = Author(*QUOTES).written(request)
        return CutOff(text[: len(text) // 2], ModelError("the connection was lost"))

    model = ScriptedModel(writes)
    run = await told(replace(thinking(model)), profile=ProfileName.DEEP)
    assert joined(run) == run.report.answer
    assert run.report.answer.startswith("She was born in Tressel Ford in 1861 [1].")


class Small(ScriptedModel):
    """A model of few parameters, which may repeat its prompt and find it supported."""

    traits = Traits(small=True)


async def test_what_a_small_model_writes_is_told_once_all_of_it_is_there() -> None:
    run = await told(thinking(Small(Author(*QUOTES))))
    kinds = [type(event) for event in run.events]
    last_draft = max(place for place, kind in enumerate(kinds) if kind is SentenceDrafted)
    assert kinds.index(SentenceWritten) > last_draft
    assert joined(run) == run.report.answer


async def test_an_answer_that_was_there_before_it_is_written_up_takes_one_call_to_check() -> None:
    """Who would like to see more has answered; nothing is written meanwhile."""
    mind = Author(*LEADING, REWORDED, cites_first=False)
    mind.restless, mind.changes = True, {"satisfied": []}
    model = ScriptedModel(mind)
    run = await told(thinking(model), HOP)
    assert "synthesize" not in model.steps()
    assert model.steps().count("check") == 1
    assert run.report.answer.startswith(LEADING[0][:-1])
    assert joined(run) == run.report.answer


async def test_ticks_that_come_after_the_answer_take_nothing_back() -> None:
    """Its first sentence is told on the word that the evidence is sufficient."""
    mind = Author(*QUOTES)
    mind.checklist = (*mind.checklist, "what the two have in common")
    mind.changes = {"satisfied": [1, 2]}
    model = ScriptedModel(mind, piece_chars=12)
    run = await told(thinking(model), HOP)
    assert joined(run) == run.report.answer
    assert run.of(Evaluated)[-1].stop_reason is StopReason.SUFFICIENT
    assert run.of(Evaluated)[-1].coverage == 1
    last = next(p for p, event in enumerate(run.events) if isinstance(event, SentenceWritten))
    judged = max(p for p, event in enumerate(run.events) if isinstance(event, Evaluated))
    assert last < judged, "it was told while it was written"
