"""``quaere eval``: Measure the engine on real questions with known answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from json import dumps
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from quaere.errors import UsageError
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.options import add_commands
from quaere.faces.cli.terminal import emit, say

if TYPE_CHECKING:
    from quaere_evals.page_folds import Validation

MARGIN = 0.01
"""How far a raised floor stays below the figure that raised it."""

ROWS = (
    "n",
    "all_gold_at_10",
    "baseline_all_gold_at_10",
    "recall_at_5",
    "baseline_recall_at_5",
    "recall_at_10",
    "baseline_recall_at_10",
    "answer_in_evidence",
    "queries_mean",
    "loops_mean",
    "passages_mean",
    "model_calls_mean",
    "depth_mean",
    "stopped_early",
    "stopped_late",
    "stopped_in_time",
    "seconds",
)
"""Figures shown as a table; the JSON file has them all."""

COUNTS = frozenset({"n", "duplicates", "false_merges"})
"""Figures that are shown as whole numbers."""

NO_DATA = "name its folder with --data, or set QUAERE_EVAL_DATA."

Figures = Mapping[str, Mapping[str, float]]

Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="FOLDER", help="Folder of the evaluation data. Default: QUAERE_EVAL_DATA."
    ),
]
Json = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write all figures to this file.")
]
Floors = Annotated[Path, typer.Option("--floors", metavar="FILE", help="The file of floors.")]
Check = Annotated[
    bool, typer.Option("--check-floors", help="Exit with 1 when a figure is below its floor.")
]
Raise = Annotated[bool, typer.Option("--raise-floors", help="Lift the floors to what was reached.")]
Reasoner = Annotated[
    Literal["extractive", "scripted"],
    typer.Option("--reasoner", help="Who plans: no model, or the sub-questions of people."),
]
Strategy = Annotated[
    Literal["loop", "supervisor", "auto"],
    typer.Option("--strategy", help="One line of inquiry, or a supervisor with researchers."),
]
Statistics = Annotated[
    bool, typer.Option(help="Tell the engine how common words are, which web services don't.")
]
Folds = Annotated[
    int | None,
    typer.Option(
        "--folds",
        metavar="N",
        min=2,
        help="Cross-validate by site and by producer; ablate each rule.",
    ),
]
Limit = Annotated[
    int | None, typer.Option("--questions", metavar="N", min=1, help="Questions per dataset.")
]
AnswerLimit = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="Questions per dataset.")
]
HalfName = Annotated[
    Literal["first", "second"] | None,
    typer.Option("--half", help="Ask only one half of the questions."),
]

SetNames = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME", help="Ask only this set; may be repeated."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    group.callback()(_eval)
    add_commands(
        group,
        multihop=multihop,
        answers=answers,
        pages=pages,
        statements=statements,
        attribution=attribution,
        duplicates=duplicates,
        writing=writing,
    )
    app.add_typer(group, name="eval")


def _eval() -> None:
    """Measure the engine on real questions with known answers."""


def multihop(
    *,
    data: Data = None,
    json: Json = None,
    floors: Floors = Path("evals/floors.json"),
    check_floors: Check = False,
    raise_floors: Raise = False,
    questions: Limit = None,
    profile: options.Profile = None,
    reasoner: Reasoner = "extractive",
    strategy: Strategy = "loop",
    statistics: Statistics = True,
) -> None:
    """Find the evidence of multi-hop questions, next to one plain BM25 query.

    With --reasoner scripted the steps into which people broke the questions are replayed in a
    model's place, as a perfect planner asks them. Floors are kept for each such way to ask, as
    multihop-scripted, multihop-supervisor and multihop-no-statistics.

    The data is the folder a1_multihop of the evaluation data: questions.jsonl and corpus.jsonl.
    Without it, --check-floors says so and passes.
    """
    from quaere.domain.team import Strategy as StrategyName
    from quaere.faces.cli.running import settle
    from quaere_evals.datasets import find_data, load_multihop

    settings = settle()
    folder = find_data(data or settings.eval_data, "a1_multihop")
    if folder is None:
        raise _no_data(check=check_floors)
    # The engine takes a while to import, for which there is a reason now.
    from quaere_evals.multihop import Conditions, ReasonerName, evaluate_multihop

    conditions = Conditions(
        reasoner=ReasonerName(reasoner),
        strategy=StrategyName(strategy),
        profile=profile,
        statistics=statistics,
    )
    sets = [chosen.first(questions) for chosen in load_multihop(folder)]
    with TemporaryDirectory() as work:
        result = asyncio.run(
            evaluate_multihop(
                sets,
                settings.model_copy(update={"cache_dir": Path(work)}),
                work=Path(work) / "corpora",
                conditions=conditions,
                progress=_tell,
            )
        )
    _write(json, result.model_dump_json(indent=2))
    figures = {name: scores.figures for name, scores in result.datasets.items()}
    emit(_table(figures))
    if not _hold(floors, conditions.evaluation, figures, check=check_floors, lift=raise_floors):
        raise typer.Exit(ExitCode.ERROR)


def answers(
    *,
    data: Data = None,
    json: Json = None,
    floors: Floors = Path("evals/floors.json"),
    check_floors: Check = False,
    raise_floors: Raise = False,
    limit: AnswerLimit = None,
    half: HalfName = None,
    sets: SetNames = None,
) -> None:
    """Tell whether answers say what is known to be right, without a model.

    A baseline of equal length is measured as well. The data is the folders a1_multihop,
    b1_pubmedqa, b2_bioasq and a5_financebench of the evaluation data, or those that are there, and
    our own: "own", "tables" for cells, "rows" for what is told over rows, and "own_de" and its like
    in other languages; "steps" are those that MuSiQue's questions were made of. Constants are
    chosen on the first half of the questions and shown on the second. Without the data,
    --check-floors says so and passes, unless sets of our own are asked for.
    """
    from quaere.faces.cli.running import settle
    from quaere_evals.answer_sets import load_answer_sets, own_sets

    settings = settle()
    root = data or settings.eval_data
    chosen = list(load_answer_sets(root, sets or ()))
    if not sets and own_sets().keys() >= {each.name for each in chosen}:  # they are always there
        raise _no_data(check=check_floors)
    # The engine takes a while to import, for which there is a reason now.
    from quaere_evals.answers import Half, evaluate_answers, halved

    wanted = Half(half) if half else None
    asked = [halved(each, wanted).first(limit) for each in chosen]
    with TemporaryDirectory() as work:
        result = asyncio.run(
            evaluate_answers(
                asked,
                settings.model_copy(update={"cache_dir": Path(work)}),
                work=Path(work) / "corpora",
                progress=_tell,
            )
        )
    _write(json, result.model_dump_json(indent=2))
    figures = {name: scores.figures for name, scores in result.sets.items()}
    columns = next((tuple(each) for each in figures.values()), ())
    emit(_table(figures, columns))
    measured = f"answers-{half}" if half else "answers"
    if not _hold(floors, measured, figures, check=check_floors, lift=raise_floors):
        raise typer.Exit(ExitCode.ERROR)


def pages(
    *,
    data: Data = None,
    json: Json = None,
    floors: Floors = Path("evals/floors.json"),
    check_floors: Check = False,
    raise_floors: Raise = False,
    folds: Folds = None,
) -> None:
    """Read web pages and PDF files, next to plain trafilatura and PDFium.

    The data is four folders of the evaluation data, or those that are there:
    d1_article_extraction, d2_trafilatura_eval, e1_pdf_text and a5_financebench. Without any of
    them, --check-floors says so and passes.

    With --folds, no site of a web page and no producer of a PDF file is in two folds, and for
    every rule of our own the table shows what it gains in each fold over leaving it out.
    """
    from quaere.faces.cli.running import settle
    from quaere_evals.page_data import find_page_sets

    settings = settle()
    folders = find_page_sets(data or settings.eval_data)
    if not folders:
        raise _no_data(check=check_floors)
    if folds:
        if check_floors or raise_floors:
            raise UsageError("--folds cross-validates; check and raise floors without it.")
        from quaere_evals.page_folds import cross_validate

        validation = cross_validate(folders, folds, lambda name: say(f"{name}: reading"))
        _write(json, validation.model_dump_json(indent=2))
        emit(_gains(validation))
        return
    # The parsers take a while to import, for which there is a reason now.
    from quaere_evals.pages import BASELINE, evaluate_pages

    result = evaluate_pages(folders, progress=lambda name: say(f"{name}: reading"))
    _write(json, result.model_dump_json(indent=2))
    emit(_comparison(result.datasets, BASELINE))
    if not _hold(floors, "pages", result.datasets, check=check_floors, lift=raise_floors):
        raise typer.Exit(ExitCode.ERROR)


def statements(
    *,
    data: Data = None,
    json: Json = None,
    floors: Floors = Path("evals/floors.json"),
    check_floors: Check = False,
    raise_floors: Raise = False,
    half: HalfName = None,
) -> None:
    """Read the statements of filings, and look up cells in them by label and year.

    The data is the folder a5_financebench of the evaluation data, of which the PDF files are read.
    What is right is told by the order of each page's own text; the statements are found by their
    titles. Every second company is in the second half. Without the data, --check-floors says so
    and passes.

    cells_right is by label and year, named_right with the statement named as well,
    absent_declined the share of years that a filing does not tell of and nothing is said of.
    """
    from quaere.faces.cli.running import settle
    from quaere_evals.page_data import find_page_sets

    settings = settle()
    folder = find_page_sets(data or settings.eval_data).get("a5")
    if folder is None:
        raise _no_data(check=check_floors)
    # The parsers take a while to import, for which there is a reason now.
    from quaere_evals.answers import Half
    from quaere_evals.statements import evaluate_statements

    wanted = Half(half) if half else None
    result = evaluate_statements(folder, wanted, lambda name: say(f"{name}: reading"))
    _write(json, result.model_dump_json(indent=2))
    figures = {name: scores.figures for name, scores in result.halves.items()}
    columns = next((tuple(each) for each in figures.values()), ())
    emit(_table(figures, columns))
    if not _hold(floors, "statements", figures, check=check_floors, lift=raise_floors):
        raise typer.Exit(ExitCode.ERROR)


def attribution(
    *,
    data: Data = None,
    json: Json = None,
    floors: Floors = Path("evals/floors.json"),
    check_floors: Check = False,
    raise_floors: Raise = False,
) -> None:
    """Tell whether sources support claims, next to plain word overlap.

    The data is the folders f1_attributionbench, f2_wice and f3_... of the evaluation data, or those
    that are there. Of a set that the weights were fitted on, only the half kept back is measured.
    Without any of them, --check-floors says so and passes.

    Where QUAERE_EMBEDDER names an embedder it is asked of what words leave in doubt; the figures of
    words alone begin with words_.
    """
    from quaere.faces.cli.running import settle
    from quaere.runtime.wiring_models import build_embedder
    from quaere_evals.attribution_data import find_claim_sets

    settings = settle()
    files = find_claim_sets(data or settings.eval_data)
    if not files:
        raise _no_data(check=check_floors)
    from quaere_evals.attribution import BASELINE, evaluate_attribution

    embedder = build_embedder(settings)
    result = asyncio.run(
        evaluate_attribution(files, lambda name: say(f"{name}: checking"), embedder)
    )
    _write(json, dumps(result.as_json(), indent=2))
    emit(_comparison(result.datasets, BASELINE))
    if not _hold(floors, "attribution", result.datasets, check=check_floors, lift=raise_floors):
        raise typer.Exit(ExitCode.ERROR)


def writing(
    *,
    pairs: Annotated[
        Path, typer.Option("--pairs", metavar="FOLDER", help="Folder of the pairs.")
    ] = Path("evals/writing"),
    json: Json = None,
    floors: Floors = Path("evals/floors.json"),
    check_floors: Check = False,
    raise_floors: Raise = False,
) -> None:
    """Tell true sentences from their false twins, by words alone and with a model's check.

    The pairs are of our own writing, of eight kinds, in two halves of different documents:
    constants are chosen on the first, and the second has the floors. The model is an oracle that
    knows the labels and errs in 5 of 100 verdicts: it measures how its verdicts are used.
    """
    from quaere_evals.writing import PARTS, measured, read_twins

    figures = {
        f"{half}/{name}": values
        for half in PARTS
        for name, values in measured(read_twins(pairs / f"pairs_{half}.txt")).items()
    }
    _write(json, dumps(figures, indent=2))
    emit(_comparison(figures, "plain_"))
    if not _hold(floors, "writing", figures, check=check_floors, lift=raise_floors):
        raise typer.Exit(ExitCode.ERROR)


def duplicates(
    *,
    data: Data = None,
    json: Json = None,
    floors: Floors = Path("evals/floors.json"),
    check_floors: Check = False,
    raise_floors: Raise = False,
) -> None:
    """Tell whether two topics are the same, next to signals other than their words.

    The data is the folder h1_near_duplicates of the evaluation data: pairs.jsonl. The first table
    is the topic check on all pairs. Those below it show it and other signals on one half of them,
    each with the cut that was chosen on the other half to be as precise. Without the data,
    --check-floors says so and passes.

    Where QUAERE_EMBEDDER names an embedder, it makes two more signals.
    """
    from quaere.faces.cli.running import settle
    from quaere.runtime.wiring_models import build_embedder
    from quaere_evals.duplicates import evaluate_duplicates, find_pairs

    settings = settle()
    path = find_pairs(data or settings.eval_data)
    if path is None:
        raise _no_data(check=check_floors)
    result = asyncio.run(evaluate_duplicates(path, build_embedder(settings)))
    _write(json, result.model_dump_json(indent=2))
    emit(_merges(result.datasets, "set"))
    for name, scores in result.signals.items():
        cut = "-" if scores.cut is None else f"{scores.cut:.2f}"
        emit("\n" + _merges(scores.sets, f"{name}, {cut}"))
    if not _hold(floors, "duplicates", result.datasets, check=check_floors, lift=raise_floors):
        raise typer.Exit(ExitCode.ERROR)


def _no_data(*, check: bool) -> typer.Exit:
    """Say that there is nothing to measure with; return what ends the command."""
    say(f"The evaluation data is not here: {NO_DATA}")
    return typer.Exit(ExitCode.ANSWERED if check else ExitCode.USAGE)


def _write(path: Path | None, text: str) -> None:
    if path:
        path.write_text(f"{text}\n", "utf-8")


def _hold(path: Path, evaluation: str, figures: Figures, *, check: bool, lift: bool) -> bool:
    """Check or lift the floors of ``evaluation``; return whether all that was checked holds."""
    from quaere_evals.gate import misses, raised, read_floors, write_floors

    if not (check or lift):
        return True
    floors = read_floors(path, evaluation)
    faults = list(misses(figures, floors)) if check else []
    for fault in faults:
        say(fault)
    if lift:
        write_floors(path, evaluation, raised(figures, floors, margin=MARGIN))
    return not faults


def _tell(dataset: str, done: int, total: int) -> None:
    if done == total or done % 25 == 0:
        say(f"{dataset}: {done} of {total}")


def _table(figures: Figures, rows: Sequence[str] = ROWS) -> str:
    names = list(figures)
    width = max(map(len, rows), default=0)
    lines = ["".ljust(width) + "".join(f"{name:>12}" for name in names)]
    for row in rows:
        cells = (f"{figures[name][row]:>12.3f}" for name in names)
        lines.append(row.ljust(width) + "".join(cells))
    return "\n".join(lines) + "\n"


def _comparison(figures: Figures, baseline: str) -> str:
    """Return every figure in a line of its own, followed by the baseline's."""
    rows: list[tuple[str, float, float | None]] = []
    for dataset, found in figures.items():
        for name, figure in found.items():
            if not name.startswith(baseline):
                rows.append((f"{dataset} {name}", figure, found.get(f"{baseline}{name}")))
    width = max((len(label) for label, _, _ in rows), default=0)
    lines = [f"{'':<{width}}{'quaere':>10}{'plain':>10}"]
    for label, figure, plain in rows:
        beside = "" if plain is None else f"{plain:>10.3f}"
        lines.append(f"{label:<{width}}{figure:>10.3f}{beside}")
    return "\n".join(lines) + "\n"


def _gains(validation: Validation) -> str:
    """Return, by dataset, the figures of each fold and what each rule gains in it."""
    from quaere_evals.page_folds import OWN, PLAIN, WITHOUT

    lines: list[str] = []
    for dataset, folds in validation.datasets.items():
        rows = {name: [fold.figures[name] for fold in folds] for name in (PLAIN, OWN)}
        rows[f"gain over {PLAIN}"] = [fold.gain(OWN, PLAIN) for fold in folds]
        for name in folds[0].figures:
            if name.startswith(WITHOUT):
                rule = name.removeprefix(WITHOUT)
                rows[f"gain of {rule}"] = [fold.gain(OWN, name) for fold in folds]
        width = max(map(len, rows))
        head = [*(f"n {fold.n}" for fold in folds), "mean"]
        lines.append(f"{dataset:<{width}}" + "".join(f"{name:>8}" for name in head))
        for label, figures in rows.items():
            cells = "".join(f"{figure:>8.3f}" for figure in (*figures, fmean(figures)))
            lines.append(f"{label:<{width}}{cells}")
    return "\n".join(lines) + "\n"


def _merges(figures: Figures, title: str) -> str:
    """Return a line of figures for every set, under a line that names them and ``title``."""
    width = max(map(len, (*figures, title)))
    names = list(dict.fromkeys(name for found in figures.values() for name in found))
    lines = [title.ljust(width) + "".join(f"{name:>14}" for name in names)]
    for dataset, found in figures.items():
        cells = (f"{found[name]:>14.{0 if name in COUNTS else 3}f}" for name in names)
        lines.append(dataset.ljust(width) + "".join(cells))
    return "\n".join(lines) + "\n"
