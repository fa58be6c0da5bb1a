"""Questions to a folder of documents, from the bytes on the disk to the cited answer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.e2e.islands import BROKEN, FILES, write
from tests.graphs.world import told

from quaere.domain.events import IndexProgress
from quaere.domain.question import MAX_QUESTION_CHARS
from quaere.domain.report import AnswerStatus, Citation, Report
from quaere.domain.request import Cached, RunSpec
from quaere.domain.verdict import StopReason
from quaere.errors import QuestionError
from quaere.index.folder_index import FolderProvider
from quaere.runtime.engine import Engine
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import assemble, settle
from quaere.text.languages.language import languages

pytestmark = pytest.mark.anyio

MULTIHOP = "Who designed the lighthouse where Jonna Askew was the keeper?"
THIRD_HOP = "Where did the designer of the lighthouse at Skarra Point die?"
COMPARED = "Which is longer, the Merganser or the Dotterel?"
TABLE = "How many berths has the Whimbrel?"
LETTER = "Who thanks Miss Askew for the notebooks?"
ANSWERABLE = [
    MULTIHOP,
    THIRD_HOP,
    COMPARED,
    TABLE,
    LETTER,
    "When was the light at Skarra Point lit for the first time?",
    "What was burnt in the breweries of Tolvane?",
    "How is kelp bread made?",
    "Where do terns breed?",
    "When was the first frost of 1902?",
]
UNANSWERABLE = [
    "What is the capital of Mongolia?",
    "zyxomma?",
    "Which quarkwood did the blorvens snithe?",
    "¿Cuántas jirafas hay?",
    "灯蛾とは何ですか",
    "كم عدد الزرافات؟",
    "\x00\x1b[31m\x07x\u202e",
    "9" * 400,
    "x" * MAX_QUESTION_CHARS,
    '"); DROP TABLE passages; --',
    "AND OR NOT NEAR()",
]
MARKER = re.compile(r"\[(\d+)\]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The islands, on the disk."""
    return write(tmp_path_factory.mktemp("islands"))


def over(settings: Settings, folder: Path) -> Engine:
    """Return an engine over ``folder``."""
    resources = Resources(settings)
    spec = RunSpec.of("Over what?", docs=[folder], cached=Cached.OFF)
    return assemble(resources, settle(resources, spec))


@dataclass(frozen=True)
class Desk:
    """The engine, and the provider by which its citations can be opened."""

    engine: Engine

    @property
    def provider(self) -> FolderProvider:
        (provider,) = self.engine.providers
        assert isinstance(provider, FolderProvider)
        return provider

    def check(self, report: Report) -> None:
        """Fail unless every citation of ``report`` leads to the words that it quotes."""
        shown = [int(number) for number in MARKER.findall(report.answer)]
        assert sorted(set(shown)) == [c.id for c in report.citations]
        assert list(dict.fromkeys(shown)) == sorted(set(shown)), "numbered in order of the claims"
        evidence = {e.id: e for e in report.evidence}
        for citation in report.citations:
            self._check(citation)
            assert evidence[citation.evidence].url == citation.url
        for sentence in report.sentences:
            for quote in sentence.quotes:
                cited = next(e for e in report.evidence if e.passage == quote.passage)
                assert self._text(cited.url)[quote.start : quote.end] == quote.text

    def _check(self, citation: Citation) -> None:
        quote = citation.quote
        assert quote.text.strip()
        assert self._text(citation.url)[quote.start : quote.end] == quote.text
        path = Path(unquote(urlsplit(citation.url).path))
        assert path.is_file()
        assert str(path) in citation.location
        page = self.provider.page(citation.url, citation.content_hash)
        assert page is not None, "the text is still what it was when it was cited"

    def _text(self, url: str) -> str:
        page = self.provider.page(url)
        assert page is not None
        return page.text


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def desk(folder: Path, cache: Path) -> Desk:
    return Desk(over(Settings(cache_dir=cache), folder))


def titles(report: Report) -> list[str]:
    return [evidence.title for evidence in report.evidence]


async def test_a_question_over_two_documents_is_answered_from_both(desk: Desk) -> None:
    report = await desk.engine.run(RunSpec.of(MULTIHOP))
    assert report.status is AnswerStatus.ANSWERED
    assert report.stop_reason is StopReason.SUFFICIENT
    assert "designed by Pell Hadrian" in report.answer
    assert {"Jonna Askew", "Skarra Point Lighthouse"} <= {c.title for c in report.citations}
    desk.check(report)


ENGINES = (
    "name,launched,power in kw,overhauled\nMarl,1974,62,1999\nReeve,1991,48,\nSkua,2003,55,2011\n"
)


async def test_a_cell_that_is_empty_is_told_and_no_other_row_answers(
    tmp_path: Path, cache: Path
) -> None:
    folder = tmp_path / "engines"
    folder.mkdir()
    (folder / "engines.csv").write_text(ENGINES)
    desk = Desk(over(Settings(cache_dir=cache), folder))
    question = "When was the Reeve overhauled?"
    report = await desk.engine.run(RunSpec.of(question))
    assert report.status is AnswerStatus.NO_EVIDENCE
    assert "engines.csv has no overhauled for Reeve" in report.gaps
    (folder / "notes.md").write_text("# Notes\n\nThe Reeve was overhauled in 2008 at Brell.\n")
    told = await Desk(over(Settings(cache_dir=cache), folder)).engine.run(RunSpec.of(question))
    assert "2008" in told.answer


async def test_the_document_that_the_question_does_not_name_is_found(desk: Desk) -> None:
    report = await desk.engine.run(RunSpec.of(THIRD_HOP))
    bridge = next(e for e in report.evidence if e.title == "Pell Hadrian")
    parent = next(e for e in report.evidence if e.passage == bridge.parent)
    assert parent.title == "Skarra Point Lighthouse"
    assert bridge.score.inherited > 0
    assert "Ostrey" in report.answer
    desk.check(report)


async def test_both_sides_of_a_bare_comparison_are_cited_row_by_row(desk: Desk) -> None:
    report = await desk.engine.run(RunSpec.of("Compare the Merganser and the Dotterel."))
    assert {"Merganser", "Dotterel"} <= {c.title for c in report.citations}


async def test_both_sides_of_a_comparison_are_cited_row_by_row(desk: Desk) -> None:
    report = await desk.engine.run(RunSpec.of(COMPARED))
    (table,) = report.citations
    assert table.location.endswith("ferries.csv, rows 1-2")
    quoted = [quote.text for sentence in report.sentences for quote in sentence.quotes]
    assert [text.split(" | ")[0] for text in quoted] == ["| Merganser", "| Dotterel"]
    said, _, rows = report.answer.partition("\n\n")
    assert said.startswith("Merganser (")
    assert rows.startswith("| "), "the rows are a table below what is said of them"
    desk.check(report)


async def test_tables_and_records_are_cited_by_row_and_line(desk: Desk) -> None:
    table, letter = (
        await desk.engine.run(RunSpec.of(TABLE)),
        await desk.engine.run(RunSpec.of(LETTER)),
    )
    assert "120" in table.answer
    assert "ferries.csv, row 3" in table.citations[0].location
    assert "The school thanks Miss Askew" in letter.answer
    assert "letters.jsonl, line 2" in letter.citations[0].location


@pytest.mark.parametrize("question", ANSWERABLE)
async def test_every_citation_opens_the_place_it_names(desk: Desk, question: str) -> None:
    report = await desk.engine.run(RunSpec.of(question))
    assert report.status is not AnswerStatus.NO_EVIDENCE
    assert report.citations
    desk.check(report)


@pytest.mark.parametrize("question", UNANSWERABLE, ids=lambda text: repr(text[:12]))
async def test_what_the_folder_does_not_know_is_not_answered_r2_4(
    desk: Desk, question: str
) -> None:
    report = await desk.engine.run(RunSpec.of(question))
    assert report.status is AnswerStatus.NO_EVIDENCE
    assert report.citations == report.sentences == ()
    # In the language of the question, where Quaere answers in it.
    plain = ("No evidence found", *(each.frame.nothing for each in languages().values()))
    assert any(words in report.answer for words in plain)
    assert not MARKER.search(report.answer)
    assert report.stop_reason is not StopReason.ERROR


@pytest.mark.parametrize("question", ["", "   ", "?", "x" * 1_000_000])
async def test_what_is_no_question_is_refused(desk: Desk, question: str) -> None:
    with pytest.raises(QuestionError):
        await desk.engine.run(RunSpec.of(question))


async def test_broken_files_are_warnings_with_their_reason(desk: Desk) -> None:
    report = await desk.engine.run(RunSpec.of(MULTIHOP))
    reasons = {Path(w.subject).name: w.message for w in report.warnings}
    assert set(reasons) == set(BROKEN)
    assert "empty" in reasons["empty.md"]
    assert all(w.kind == "index" for w in report.warnings)


async def test_the_folder_is_indexed_on_the_way_and_only_once(folder: Path, tmp_path: Path) -> None:
    engine = over(Settings(cache_dir=tmp_path), folder)
    first, again = await told(engine, MULTIHOP), await told(engine, MULTIHOP)
    assert max(event.total for event in first.of(IndexProgress)) >= len(FILES) - len(BROKEN)
    assert first.report.answer == again.report.answer
    assert again.seconds < 3


async def test_a_changed_file_is_noticed_by_the_next_question(tmp_path: Path) -> None:
    folder = write(tmp_path / "docs")
    engine = over(Settings(cache_dir=tmp_path / "cache"), folder)
    desk = Desk(engine)
    before = await engine.run(RunSpec.of("Who designed the lighthouse at Skarra Point?"))
    assert "Pell Hadrian" in before.answer
    lighthouse = folder / "places" / "skarra-point.html"
    text = str(FILES["places/skarra-point.html"])
    lighthouse.write_text(text.replace("Pell Hadrian", "Edda Quine"))
    (folder / "places" / "tolvane.md").unlink()
    after = await engine.run(RunSpec.of("Who designed the lighthouse at Skarra Point?"))
    assert "Edda Quine" in after.answer
    assert "Tolvane" not in titles(after)
    desk.check(after)
    assert desk.provider.page(before.citations[0].url, before.citations[0].content_hash) is None


def reports(folder: Path, cache: Path, questions: Sequence[str], *, seed: str) -> bytes:
    """Return the reports of a fresh process with another order of hashes, as it wrote them."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.asked", folder, cache, *questions],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
    )
    return done.stdout


def test_the_same_folder_gives_the_same_report_to_the_byte(folder: Path, tmp_path: Path) -> None:
    asked = [*ANSWERABLE, *(q for q in UNANSWERABLE if "\x00" not in q and len(q) < 1000)]
    first = reports(folder, tmp_path / "one", asked, seed="1")
    again = reports(folder, tmp_path / "two", asked, seed="4242")
    assert first == again
    assert len(first.splitlines()) == len(asked)
    answer = Report.model_validate_json(first.splitlines()[0]).answer
    assert "Pell Hadrian" in answer
