"""``quaere bench``: forms of public benchmarks, figures, and runs that are stopped half way."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import pty
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from tests.evals.public_sets import (
    BORN,
    HERRING,
    OIL,
    ORRIN,
    SKARROW,
    WRAY,
    write_browsecomp_plus,
    write_deepresearch_bench,
    write_frames,
    write_hotpot,
    write_musique,
    write_simpleqa,
)
from tests.faces.cli.conftest import Run
from tests.testing.server import DoubleServer

from quaere.domain.model import Completion, ModelRequest
from quaere.domain.report import AnswerStatus
from quaere.errors import UsageError
from quaere.testing import ScriptedModel
from quaere_evals.benchmarks import corpus as corpora
from quaere_evals.benchmarks.figures import figures_of
from quaere_evals.benchmarks.grading import grade_by_words
from quaere_evals.benchmarks.intervals import Method, bootstrap, wilson
from quaere_evals.benchmarks.results import Answered, Cited, Conditions, Results
from quaere_evals.benchmarks.tasks import FORMS, Benchmark, Task, read_tasks
from quaere_evals.datasets import DataError

CONDITIONS = Conditions(
    benchmark=Benchmark.SIMPLEQA, questions="0", asked={}, models={}, version="1"
)


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the isles as a folder of the user's."""
    folder = tmp_path_factory.mktemp("isles")
    paragraphs = f"{ORRIN}\n\n{WRAY}\n\n{SKARROW}\n\n{HERRING}"
    (folder / "isles.md").write_text(f"# Lighthouses of the isles\n\n{paragraphs}\n", "utf-8")
    return folder


def test_hotpotqa_is_read_as_published(tmp_path: Path) -> None:
    path = write_hotpot(tmp_path / "hotpot.json")
    born = {task.question: task for task in read_tasks(Benchmark.HOTPOTQA, path)}[BORN]
    documents = FORMS[Benchmark.HOTPOTQA].documents
    assert documents
    kept = {document.id: document for document in documents(path)}
    assert born.answers == ("Pellham",)
    assert sorted(kept[name].title for name in born.gold) == ["Orrin lighthouse", "Tamsin Wray"]
    assert WRAY.split(". ")[0].removesuffix(".") in kept[max(born.gold)].text
    assert len(kept) == 4  # a paragraph of two contexts counts once


def test_unanswerable_twins_of_musique_are_left_out(tmp_path: Path) -> None:
    """Their paragraphs were taken away, and are there where all questions share a corpus."""
    path = write_musique(tmp_path / "musique_full.jsonl")
    (task,) = read_tasks(Benchmark.MUSIQUE, path)
    assert task.answers == ("Pellham", "Pellham Bay")
    assert len(task.gold) == 2


def test_tables_with_quoted_cells_are_read(tmp_path: Path) -> None:
    tasks = read_tasks(Benchmark.SIMPLEQA, write_simpleqa(tmp_path / "simple_qa.csv"))
    asked = {task.question: task.answers for task in tasks}
    assert asked == {OIL: ("whale oil",), 'Who wrote the hymn "Ash, and rain"?': ("Odo Brandt",)}
    (task,) = read_tasks(Benchmark.FRAMES, write_frames(tmp_path / "test.tsv"))
    assert (task.question, task.answers) == (BORN, ("Pellham",))


@pytest.mark.parametrize(
    ("benchmark", "content", "told"),
    [
        (Benchmark.SIMPLEQA, "question,answer\na,b\n", "no column problem"),
        (Benchmark.SIMPLEQA, "problem,answer\na\n", "line 2, has too few columns"),
        (Benchmark.FRAMES, "Prompt,Answer\na,b\n", "no column Prompt, Answer"),
        (Benchmark.HOTPOTQA, '[{"_id": "1"}]', "is not a JSON list of questions"),
        (Benchmark.MUSIQUE, '{"id": "1"}\n', "line 1, is not a _Composed"),
        (Benchmark.DEEPRESEARCH_BENCH, "\n", "There is no question"),
        (Benchmark.DEEPRESEARCH_BENCH, '{"id": 1, "prompt": "a"}\n' * 2, "have the same id"),
        (Benchmark.SIMPLEQA, "problem,answer\nÄ,b\n".encode("latin-1"), "Cannot read"),
    ],
)
def test_a_file_in_another_form_says_where(
    tmp_path: Path, benchmark: Benchmark, content: str | bytes, told: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError, match=told):
        read_tasks(benchmark, path)


def test_a_larger_sample_contains_the_smaller_one(tmp_path: Path) -> None:
    rows = "".join(f"question {number},answer {number}\n" for number in range(200))
    (tmp_path / "few.csv").write_text("problem,answer\n" + rows)
    tasks = read_tasks(Benchmark.SIMPLEQA, tmp_path / "few.csv")
    first = [int(task.id) for task in tasks[:50]]
    assert (
        first
        == [int(task.id) for task in read_tasks(Benchmark.SIMPLEQA, tmp_path / "few.csv")][:50]
    )
    assert 60 < sum(first) / 50 < 140  # of 1 to 200, not the first fifty


def test_a_large_corpus_is_cut_into_files_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpora, "SHARD_BYTES", 100)
    _, path = write_browsecomp_plus(tmp_path)
    packed = tmp_path / "packed"
    packed.mkdir()
    (packed / "corpus.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    documents = FORMS[Benchmark.BROWSECOMP_PLUS].documents
    assert documents
    made = corpora.write_corpus(documents(packed), tmp_path / "kept")
    assert len(list(made.folder.iterdir())) == 4
    assert sorted(made.ids.values()) == ["100", "101", "102", "103"]
    for url, name in made.ids.items():
        file, _, line = url.removeprefix("file://").partition("#line=")
        row = json.loads(Path(file).read_text("utf-8").splitlines()[int(line) - 1])
        assert row["title"] == json.loads(path.read_text().splitlines()[int(name) - 100])[
            "text"
        ].splitlines()[1].removeprefix("title: ")
    again = corpora.write_corpus(iter(()), tmp_path / "kept")
    assert again == made


def test_a_folder_without_a_corpus_says_so(tmp_path: Path) -> None:
    documents = FORMS[Benchmark.BROWSECOMP_PLUS].documents
    assert documents
    with pytest.raises(DataError, match=r"no \.jsonl"):
        list(documents(tmp_path))


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662), (0, 0, 0, 1)],
)
def test_wilson_gives_the_published_intervals(hits: int, n: int, low: float, high: float) -> None:
    """81 of 263: Newcombe (1998), Statistics in Medicine 17, table I, method 3."""
    found = wilson(hits, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_a_bootstrap_is_near_the_interval_of_the_normal_distribution() -> None:
    rows = [number % 10 for number in range(400)]

    def mean(drawn: Sequence[int]) -> float:
        return sum(drawn) / len(drawn)

    found = bootstrap(rows, mean)
    half = 1.96 * (8.25 / 400) ** 0.5
    assert found == bootstrap(rows, mean)
    assert found.value == 4.5
    assert found.low == pytest.approx(4.5 - half, abs=0.05)
    assert found.high == pytest.approx(4.5 + half, abs=0.05)


def row(name: str, **changes: object) -> Answered:
    facts = {"id": name, "run_id": "r", "status": AnswerStatus.ANSWERED, "graded_by": "words"}
    return Answered.model_validate(facts | changes)


def test_grading_by_words_tells_a_wrong_answer_from_none() -> None:
    task = Task(id="1", question=OIL, answers=("whale oil",))
    said = "The lamp burned Whale-oil."
    assert grade_by_words(task, row("1", direct="Whale oil", lead=said)) == "correct"
    assert grade_by_words(task, row("1", direct="It burned peat", lead="Peat.")) == "incorrect"
    unsure = row("1", direct="Peat", lead="Peat", status=AnswerStatus.INSUFFICIENT)
    assert grade_by_words(task, unsure) == "not_attempted"
    silent = row("1", direct="whale oil", status=AnswerStatus.NO_EVIDENCE)
    assert grade_by_words(task, silent) == "not_attempted"


def test_figures_count_failed_questions_and_say_how_sure_they_are() -> None:
    tasks = [Task(id=str(n), question="?", answers=("a",)) for n in range(5)]
    rows = {
        "0": row("0", verdict="correct", direct="a"),
        "1": row("1", verdict="incorrect", direct="b"),
        "2": row("2", status=AnswerStatus.NO_EVIDENCE),
        "3": row("3", status=None, error="lost"),
    }
    found = figures_of(tasks, rows)
    assert (found["correct"].value, found["correct"].n) == (0.25, 4)
    assert found["correct_of_attempted"].value == 0.5
    assert found["f_score"].value == pytest.approx(1 / 3)  # of 1/4 and 1/2
    assert found["correct"].method is Method.WILSON
    assert found["f_score"].method is Method.BOOTSTRAP


def test_citations_are_counted_as_fact_does_over_all_reports() -> None:
    """What could not be read is neither right nor wrong."""
    checked = [Cited(cited=4, supported=3, unread=2), Cited(cited=0, supported=0, unread=0)]
    rows = {str(n): row(str(n), checked=each) for n, each in enumerate(checked)}
    found = figures_of([Task(id=name, question="?") for name in rows], rows)
    assert found["citation_accuracy"].value == 0.75
    assert found["effective_citations"].value == 1.5
    assert found["unread_citations"].value == 1.0
    assert "correct" not in found


def test_a_torn_line_is_taken_away_and_conditions_do_not_mix(tmp_path: Path) -> None:
    kept = Results(tmp_path / "run", CONDITIONS)
    kept.add(row("1", direct="whale oil"))
    with (tmp_path / "run" / "answers.jsonl").open("a") as file:
        file.write('{"id": "2", "run')
    again = Results(tmp_path / "run", CONDITIONS)
    again.add(row("2", error="lost", status=None))
    again.add(row("2", direct="peat"))
    last = Results(tmp_path / "run", CONDITIONS)
    assert {name: each.direct for name, each in last.rows.items()} == {
        "1": "whale oil",
        "2": "peat",
    }
    assert last.is_done("2")
    with pytest.raises(UsageError, match="other conditions \\(version\\)"):
        Results(tmp_path / "run", CONDITIONS.model_copy(update={"version": "2"}))


@pytest.mark.slow
def test_a_benchmark_is_asked_and_compared_with_an_earlier_run(quaere: Run, tmp_path: Path) -> None:
    data = write_hotpot(tmp_path / "hotpot.json")
    command = ("bench", "hotpotqa", "--data", data, "--results", tmp_path / "results", "--yes")
    first = quaere(*command, "--name", "one", "--limit", "1")
    assert first.returncode == 0, first.stderr
    done = quaere(*command, "--name", "two", "--profile", "simple")
    assert done.returncode == 0, done.stderr
    assert "HotpotQA: 2 questions to ask, 0 already answered; simple profile" in done.stderr
    assert "hotpotqa, two: 2 of 2 questions asked, 0 failed" in done.stdout
    lines = done.stdout.splitlines()
    assert any(line.startswith("one ") and "n 1" in line for line in lines)
    told = json.loads(quaere(*command, "--name", "two", "--profile", "simple", "--json").stdout)
    assert told["figures"]["correct"]["n"] == 2
    assert told["figures"]["gold_found"]["value"] == 1.0
    assert told["figures"]["correct"]["value"] >= 0.5  # one takes a single step


@pytest.mark.slow
def test_browsecomp_plus_is_answered_in_the_form_of_its_scripts(
    quaere: Run, tmp_path: Path
) -> None:
    data, corpus = write_browsecomp_plus(tmp_path)
    command = ("bench", "browsecomp-plus", "--data", data, "--results", tmp_path / "r", "--yes")
    refused = quaere(*command)
    assert (refused.returncode, "--corpus" in refused.stderr) == (2, True)
    done = quaere(*command, "--corpus", corpus, "--name", "mine")
    assert done.returncode == 0, done.stderr
    (path,) = (tmp_path / "r" / "browsecomp-plus" / "mine" / "runs").iterdir()
    run = json.loads(path.read_text("utf-8"))
    assert run["query_id"] == "769"
    assert run["status"] == "completed"
    assert {"100", "101"} <= set(run["retrieved_docids"])
    assert run["tool_call_counts"]["search"] > 0
    assert run["result"][0]["type"] == "output_text"
    assert "Exact Answer:" in run["result"][0]["output"]


@pytest.mark.slow
def test_reports_are_submitted_and_their_citations_checked(
    quaere: Run, tmp_path: Path, docs: Path
) -> None:
    data = write_deepresearch_bench(tmp_path / "query.jsonl")
    done = quaere(
        *("bench", "deepresearch-bench", "--data", data, "--results", tmp_path, "--yes"),
        *("--docs", docs, "--profile", "simple", "--name", "mine", "--json"),
    )
    assert done.returncode == 0, done.stderr
    path = tmp_path / "deepresearch-bench" / "mine" / "mine.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [(r["id"], r["prompt"]) for r in rows] == [(1, BORN), (2, OIL)]
    assert set(rows[1]) == {"id", "prompt", "article"}
    assert "[1]" in rows[1]["article"]
    assert "## References" in rows[1]["article"]
    figures = json.loads(done.stdout)["figures"]
    assert figures["citation_accuracy"]["value"] == 1.0
    assert figures["effective_citations"]["value"] >= 0.5


def test_nothing_is_asked_without_consent(
    quaere: Run, environment: Mapping[str, str], tmp_path: Path, docs: Path
) -> None:
    data = write_frames(tmp_path / "frames.tsv")
    command = ("bench", "frames", "--data", data, "--docs", docs, "--results", tmp_path / "r")
    alone = quaere(*command)
    assert (alone.returncode, "say --yes" in alone.stderr) == (2, True)
    terminal, end = pty.openpty()
    os.write(terminal, b"n\n")
    asked = subprocess.run(
        [sys.executable, "-m", "quaere", *map(str, command)],
        stdin=end,
        stderr=end,
        stdout=subprocess.PIPE,
        env=dict(environment),
        timeout=120,
        check=False,
    )
    os.close(end)
    shown = os.read(terminal, 10_000).decode()
    os.close(terminal)
    assert (asked.returncode, asked.stdout) == (0, b"")
    assert "Begin? [y/N]" in shown
    assert "Nothing was asked" in shown
    assert not list(tmp_path.rglob("answers.jsonl"))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("hotpotqa", "--docs", "."), "within its own corpus, without --docs"),
        (("simpleqa", "--corpus", "."), "--corpus is for BrowseComp-Plus"),
        (("simpleqa", "--data", "nowhere.csv"), "Cannot read nowhere.csv"),
    ],
)
def test_what_cannot_be_asked_like_this_says_why(
    quaere: Run, tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    data = write_simpleqa(tmp_path / "simple_qa.csv")
    given = () if "--data" in options else ("--data", data)
    done = quaere("bench", *options, *given, "--results", tmp_path / "r", "--yes", cwd=tmp_path)
    assert done.returncode in {1, 2}
    assert told in done.stderr


class Halting(ScriptedModel):
    """Answers everything in the smallest way and grades all as correct, but stops at one call."""

    def __init__(self, halt_at: int) -> None:
        super().__init__({"grade": {"stated": "whale oil", "grade": "correct"}})
        self.halted = asyncio.Event()
        self.answered: list[str] = []
        self._left = halt_at

    async def complete(self, request: ModelRequest) -> Completion:
        self._left -= 1
        if self._left == 0:
            self.halted.set()
            await asyncio.sleep(3_600)
        completion = await super().complete(request)
        self.answered.append(request.model_dump_json())
        return completion


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("halt_at", [2, 4])
async def test_a_killed_benchmark_asks_nothing_twice(
    environment: Mapping[str, str], tmp_path: Path, docs: Path, halt_at: int
) -> None:
    """Killed in the middle of a question, or between two, every answer that came is used."""
    model = Halting(halt_at)
    async with DoubleServer(model) as server:
        command = (
            *(sys.executable, "-m", "quaere", "bench", "simpleqa", "--yes", "--json"),
            *("--data", str(write_simpleqa(tmp_path / "simple_qa.csv")), "--docs", str(docs)),
            *("--results", str(tmp_path / "r"), "--concurrency", "1"),
            *("--model", "compatible:double", "--judge", "compatible:double"),
        )
        env = {**environment, "QUAERE_MODEL_BASE_URL": server.base_url}
        env["QUAERE_DATA_DIR"] = str(tmp_path / "data")
        killed = await asyncio.create_subprocess_exec(*command, env=env)
        await asyncio.wait_for(model.halted.wait(), 90)
        killed.kill()
        await killed.wait()
        before = len(model.answered)
        again = await asyncio.create_subprocess_exec(
            *command, env=env, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await asyncio.wait_for(again.communicate(), 120)
    assert again.returncode == 0
    assert before == halt_at - 1
    assert len(model.answered) > before
    assert max(Counter(model.answered).values()) == 1
    summary = json.loads(out)
    assert summary["asked"] == 2
    assert summary["conditions"]["judge"] == "compatible:double"
