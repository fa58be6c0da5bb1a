"""``quaere eval``: figures, floors and what is said without data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.evals.claim_sets import write_claim_sets
from tests.evals.page_sets import write_page_sets
from tests.evals.questions import write_questions
from tests.evals.topic_pairs import write_pairs
from tests.faces.cli.conftest import Run


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All sets of the evaluation data, in small."""
    root = write_claim_sets(write_page_sets(tmp_path_factory.mktemp("data")))
    write_pairs(root)
    write_questions(root / "a1_multihop")
    return root


def floors(path: Path, evaluation: str, dataset: str, **wanted: float) -> Path:
    path.write_text(json.dumps({evaluation: {dataset: wanted}}))
    return path


@pytest.mark.parametrize(
    "evaluation", ["multihop", "answers", "pages", "statements", "attribution", "duplicates"]
)
def test_without_data_only_checking_floors_passes(
    quaere: Run, tmp_path: Path, evaluation: str
) -> None:
    done = quaere("eval", evaluation)
    assert (done.returncode, done.stdout) == (2, "")
    assert "name its folder with --data, or set QUAERE_EVAL_DATA" in done.stderr
    checked = quaere("eval", evaluation, "--data", tmp_path, "--check-floors")
    assert (checked.returncode, checked.stderr) == (0, done.stderr)


@pytest.mark.slow
def test_multihop_shows_and_writes_figures_and_lifts_floors(
    quaere: Run, data: Path, tmp_path: Path
) -> None:
    path = floors(tmp_path / "floors.json", "multihop", "isles", recall_at_10=0.5, loops_mean=99)
    out = tmp_path / "figures.json"
    done = quaere(
        *("eval", "multihop", "--questions", "1", "--json", out),
        *("--floors", path, "--check-floors", "--raise-floors"),
        env={"QUAERE_EVAL_DATA": str(data)},
    )
    assert done.returncode == 1
    assert "isles: 1 of 1" in done.stderr
    assert "below its floor of 99.000" in done.stderr
    assert "recall_at_10 is" not in done.stderr
    rows = dict(line.split() for line in done.stdout.splitlines()[1:])
    assert rows["n"] == "1.000"
    scores = json.loads(out.read_text())["datasets"]["isles"]
    assert f"{scores['recall_at_10']:.3f}" == rows["recall_at_10"] == "1.000"
    lifted = json.loads(path.read_text())["multihop"]["isles"]
    assert lifted == {"recall_at_10": 0.99, "loops_mean": 99}


@pytest.mark.slow
def test_multihop_keeps_floors_for_every_way_to_ask(
    quaere: Run, data: Path, tmp_path: Path
) -> None:
    path = floors(tmp_path / "floors.json", "multihop-scripted", "isles", depth_mean=99)
    out = tmp_path / "figures.json"
    done = quaere(
        *("eval", "multihop", "--reasoner", "scripted", "--data", data, "--json", out),
        *("--floors", path, "--check-floors"),
    )
    assert done.returncode == 1
    assert "isles: depth_mean is" in done.stderr
    told = json.loads(out.read_text())
    assert told["conditions"]["reasoner"] == "scripted"
    assert told["conditions"]["strategy"] == "loop"
    assert set(told["datasets"]["isles"]["by_hops"]) == {"2"}


def test_pages_shows_and_writes_figures_beside_plain_ones(
    quaere: Run, data: Path, tmp_path: Path
) -> None:
    path = floors(tmp_path / "floors.json", "pages", "a5", page_f1=0.6)
    out = tmp_path / "figures.json"
    done = quaere(
        "eval", "pages", "--data", data, "--json", out, "--floors", path, "--check-floors"
    )
    assert done.returncode == 0
    assert done.stderr.splitlines() == [f"{name}: reading" for name in ("d1", "d2", "e1", "a5")]
    datasets = json.loads(out.read_text())["datasets"]
    assert list(datasets) == ["d1", "d2", "e1", "a5"]
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    for name in ("recall", "pages_per_s"):
        figures = [f"{datasets['d1'][key]:.3f}" for key in (name, f"baseline_{name}")]
        assert ["d1", name, *figures] in rows
    assert ["d1", "n", "1.000"] in rows


def test_a_figure_of_pages_below_its_floor_is_exit_code_1(
    quaere: Run, data: Path, tmp_path: Path
) -> None:
    path = floors(tmp_path / "floors.json", "pages", "a5", page_f1=0.99, words=0.1)
    folder = data / "a5_financebench"
    done = quaere("eval", "pages", "--data", folder, "--floors", path, "--check-floors")
    assert done.returncode == 1
    assert "a5: page_f1 is 0." in done.stderr
    assert "a5: words was not measured" in done.stderr


def test_statements_show_and_write_figures_and_hold_floors(
    quaere: Run, data: Path, tmp_path: Path
) -> None:
    path = floors(tmp_path / "floors.json", "statements", "first", pages=2, cells_right=0.5)
    out = tmp_path / "figures.json"
    done = quaere(
        *("eval", "statements", "--data", data, "--half", "first", "--json", out),
        *("--floors", path, "--check-floors"),
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "LEDGER_1788.pdf: reading"
    assert "first: cells_right is 0.000, below its floor of 0.500" in done.stderr
    assert "first: pages is" not in done.stderr
    assert json.loads(out.read_text())["halves"]["first"]["figures"]["pages"] == 2


def test_data_in_another_form_is_exit_code_1(quaere: Run, tmp_path: Path) -> None:
    folder = tmp_path / "d1_article_extraction"
    folder.mkdir()
    (folder / "index.jsonl").write_text("{}\n")
    done = quaere("eval", "pages", "--data", folder)
    assert done.returncode == 1
    assert "index.jsonl, line 1, is not a Article" in done.stderr


@pytest.mark.slow
def test_attribution_shows_and_writes_figures_and_holds_floors(
    quaere: Run, data: Path, tmp_path: Path
) -> None:
    path = floors(tmp_path / "floors.json", "attribution", "f1/Gazette", n=2, auroc=0.9)
    out = tmp_path / "figures.json"
    done = quaere(
        *("eval", "attribution", "--data", data, "--json", out),
        *("--floors", path, "--check-floors"),
    )
    assert done.returncode == 1
    # Of one collection all claims are supported, which leaves nothing to tell apart.
    assert "f1/Gazette: auroc is 0.500, below its floor of 0.900" in done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["f1", "balanced_accuracy", "1.000", "1.000"] in rows
    assert len({len(line) for line in done.stdout.splitlines() if line.count(".") == 2}) == 1
    sets = json.loads(out.read_text())["sets"]
    assert sets["f1"]["balanced_accuracy"] == 1.0
    assert sets["f1"]["by_source"]["Gazette"]["n"] == 2


def test_duplicates_shows_and_writes_figures_and_holds_floors(
    quaere: Run, data: Path, tmp_path: Path
) -> None:
    path = floors(tmp_path / "floors.json", "duplicates", "letters", precision=1.0, n=25)
    out = tmp_path / "figures.json"
    done = quaere(
        *("eval", "duplicates", "--data", data, "--json", out),
        *("--floors", path, "--check-floors"),
    )
    assert done.returncode == 1
    assert done.stderr == "letters: n is 24.000, below its floor of 25.000\n"
    tables = [table.splitlines() for table in done.stdout.split("\n\n")]
    assert tables[0][1].split() == ["letters", "24", "12", "1.000", "1.000", "0", "1.000"]
    assert [line.split()[:2] for line, *_ in tables[1:4]] == [
        ["words,", "0.75"],
        ["all", "words,"],
        ["stems,", "0.51"],
    ]
    assert json.loads(out.read_text())["signals"]["stems"]["cut"] == 0.51
