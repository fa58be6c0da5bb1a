"""``quaere trace`` and ``quaere db``, over runs that commands have written."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr
from tests.faces.cli.conftest import Command, Run
from tests.services.postgres import Server
from tests.store.runs import BEGUN, PASSAGES, TEXT, failed_run, whole_run

from quaere.domain.events import Event
from quaere.domain.report import Report
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import database_name
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.jobs import Jobs
from quaere.store.own_data import ExportedRun
from quaere.store.recording.run_file import RunFile
from quaere.store.submission import Entry
from quaere.store.traces.privacy import WITHHELD, Privacy, TraceRedactor
from quaere.store.traces.spool import Head, Spool

FIRST, SECOND, TORN = "aaaa1111-run", "bbbb2222-run", "cccc3333-run"


def write(
    folder: Path,
    run: str,
    events: list[Event],
    question: str,
    begun: datetime = BEGUN,
    database: str = "",
) -> None:
    """Leave a run as a command leaves it."""
    head = Head(trace_id=run, created_at=begun, params={"question": question}, database=database)
    redactor = TraceRedactor(Privacy(), PASSAGES.__getitem__)
    with Spool(folder / "events", head) as spool:
        for event in events:
            spool.append(redactor.take(event))


@pytest.fixture
def runs(tmp_path: Path) -> None:
    """Two runs that are over, and one that was killed."""
    write(tmp_path, FIRST, whole_run(run_id=FIRST), "Who built the mill?")
    write(tmp_path, SECOND, failed_run(SECOND), "Who built\nthe weir?")
    write(tmp_path, TORN, whole_run(run_id=TORN)[:6], "Who was killed?")


def test_a_run_without_a_report_is_not_to_be_resumed_before_it_has_begun(
    command: Command, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'queue.db'}"

    async def submit() -> None:
        async with Database(url) as database:
            await database.upgrade()
            spec = RunSpec.of("What is a moth?", run_id="waiting")
            await Jobs(database).submit(Entry.of(Owner(), spec, params={}))

    asyncio.run(submit())
    told = command("export", "waiting", QUAERE_DATABASE_URL=url).stderr
    assert "its status is pending. It waits for a worker; to start one, try: quaere worker" in told


@pytest.mark.usefixtures("runs")
def test_the_list_has_every_run_and_how_it_ended(command: Command) -> None:
    listed = command("trace", "list")
    assert listed.exit_code == 0
    rows = listed.stdout.splitlines()
    assert [row.split()[0] for row in rows] == ["cccc3333", "bbbb2222", "aaaa1111"]
    assert [row.split()[3] for row in rows] == ["interrupted", "failed", "completed"]
    assert rows[1].endswith("Who built the weir?")
    ended = {run: len(whole_run()) - 1 for run in ("aaaa1111",)}  # the first event is the start
    assert f" {ended['aaaa1111']:.1f} s " in rows[2]
    page = json.loads(command("trace", "list", "--limit", "2", "--format", "json").stdout)
    rest = command("trace", "list", "--after", page["following"])
    assert rest.stdout.split()[0] == "aaaa1111"
    failed = command("trace", "list", "--status", "failed").stdout.splitlines()
    assert [row.split()[0] for row in failed] == ["bbbb2222"]


@pytest.mark.usefixtures("runs")
def test_show_tells_the_whole_story(command: Command) -> None:
    """Issue 7: plan, queries, hits, pages, findings, checklist, decisions with reasons, costs."""
    shown = command("trace", "show", "aaaa")
    assert shown.exit_code == 0
    story = shown.stdout
    parts = [
        "Who built the mill?",
        "aaaa1111-run, completed, 2031-05-04 12:00:00 UTC",
        "standard profile, 5 loops at most",
        "indexing: 3 of 3 files, 40 passages",
        "searching, loop 1 of 5",
        "query (raw): mill Orrin: 6 found, 6 new",
        "page, ok: Orrin (u)",
        "page, blocked_by_site: file:///Orrin: Orrin",
        "findings: 5 new, 5 in the pool, 1 selected",
        "#1 0.50 The mill <file:///notes/mill.md>",
        "“The mill at Orrin was built by Tamsin Wray in 1788.",
        "plan: Orrin",
        "will ask: Orrin",
        "✓ who built the mill",
        "coverage 50%, confidence 40%",
        "missing: Orrin",
        "decision: go on",
        "iterating, loop 2 of 5",
        "query (gap): Orrin: Orrin",
        "decision: stop, no_new_information",
        "sentence (not judged): Orrin",
        "2 written, 1 supported, 0 repaired, 1 marked, 0 dropped",
        "answer, insufficient: The mill at Orrin was built by Tamsin Wray. [1]",
        "[1] The mill at Orrin was built by Tamsin Wray.",
        "cost: 2.5 s, 2 loops, 3 queries, 4 pages opened, 1,234 tokens, $0.25",
    ]
    place = 0
    for part in parts:
        assert part in story[place:], part
        place = story.index(part, place)


@pytest.mark.usefixtures("runs")
def test_the_next_page_is_one_of_the_same_list(command: Command, tmp_path: Path) -> None:
    write(tmp_path, "dddd4444-run", whole_run(run_id="dddd4444-run"), "Who built the weir?")
    first = command("trace", "list", "--status", "completed", "-n", "1", "--all-users").stdout
    hint = first.partition("For more, run: quaere ")[2].split()
    assert hint[:-2] == ["trace", "list", "--status", "completed", "--limit", "1", "--all-users"]
    shown = [each.split()[0] for each in (first, command(*hint).stdout)]
    assert sorted(shown) == [FIRST[:8], "dddd4444"]


@pytest.mark.usefixtures("runs")
def test_a_status_that_no_trace_has_is_not_told_as_if_there_were_none(command: Command) -> None:
    told = command("trace", "list", "--status", "cancelled").stdout
    assert told == "No trace has the status cancelled.\n"


@pytest.mark.usefixtures("runs")
def test_without_an_id_the_last_run_is_meant(command: Command) -> None:
    assert "cccc3333-run, interrupted" in command("trace", "show").stdout
    assert "failed: nobody answers (search_error)" in command("trace", "show", SECOND).stdout


@pytest.mark.usefixtures("runs")
def test_export_has_all_of_it(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    assert command("trace", "export", FIRST, "-o", str(file)).exit_code == 0
    exported = ExportedRun.model_validate_json(file.read_text("utf-8"))
    assert exported.trace.status is TraceStatus.COMPLETED
    assert list(exported.events) == whole_run(run_id=FIRST)
    assert exported.sources[0].text == TEXT
    assert exported.report is not None
    assert exported.report.answer in command("trace", "export", FIRST).stdout
    assert json.loads(command("trace", "export", TORN).stdout)["report"] is None


@pytest.mark.usefixtures("runs")
def test_a_report_can_be_had_again_in_another_form(command: Command, tmp_path: Path) -> None:
    brief = json.loads(command("export", FIRST, "--format", "brief").stdout)
    assert brief["answer"].startswith("The mill at Orrin was built by Tamsin Wray")
    assert command("export", FIRST, "-o", str(tmp_path / "report.md")).exit_code == 0
    assert (tmp_path / "report.md").read_text("utf-8").startswith("# Who built the mill at Orrin")
    refused = command("export", TORN)
    assert refused.exit_code == 2
    assert f"quaere resume {TORN}" in refused.stderr


@pytest.mark.usefixtures("runs")
def test_diff_tells_what_differs(command: Command) -> None:
    told = command("trace", "diff", FIRST, SECOND)
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert lines[:2] == [f"- {FIRST}, completed", f"+ {SECOND}, failed"]
    for line in (
        "- Who built the mill?",
        "+ Who built",
        "- Orrin",
        "  mill Orrin",
        "- file:///notes/mill.pdf",
        "- The mill at Orrin was built by Tamsin Wray. [1]",
    ):
        assert line in lines
    assert re.search(r"^tokens +1,234 +–$", told.stdout, re.MULTILINE)
    same = json.loads(command("trace", "diff", FIRST, FIRST, "--format", "json").stdout)
    assert same["queries"] == {"first": [], "second": [], "both": ["mill Orrin", "Orrin"]}


@pytest.mark.usefixtures("runs")
def test_what_is_deleted_or_pruned_is_gone(command: Command) -> None:
    assert command("trace", "delete", FIRST).stdout == f"Deleted {FIRST}.\n"
    assert command("trace", "prune", "--older-than", "1000w").stdout == "Deleted 0 traces.\n"
    assert command("trace", "prune", "--max-size", "1000").stdout == "Deleted 0 traces.\n"
    assert command("trace", "prune", "--max-size", "-1").exit_code == 2
    # The runs are of the future of the machine that runs this, or of its past.
    assert command("trace", "show", FIRST).exit_code == 2
    assert len(command("trace", "list").stdout.splitlines()) == 2


def test_a_run_that_a_worker_makes_is_cancelled_before_it_is_deleted(
    command: Command, tmp_path: Path
) -> None:
    async def taken() -> None:
        async with Database.file(tmp_path / "quaere.db") as database:
            await database.upgrade()
            spec = RunSpec.of("Who built the mill?", run_id=FIRST)
            await Jobs(database).submit(Entry.of(Owner(), spec, params={}))
            assert await DatabaseCarrier(database).take("w", lease_s=0.0)

    asyncio.run(taken())
    refused = command("trace", "delete", FIRST)
    assert refused.exit_code != 0
    assert f"cancel it first: quaere cancel {FIRST}" in refused.stderr
    assert command("cancel", FIRST).exit_code == 0
    assert command("trace", "delete", FIRST).exit_code == 0


def test_a_run_in_progress_is_not_deleted_as_it_would_come_back(
    command: Command, tmp_path: Path
) -> None:
    redactor = TraceRedactor(Privacy(), PASSAGES.__getitem__)
    head = Head(trace_id=FIRST, created_at=BEGUN, params={"question": "Who built the mill?"})
    with Spool(tmp_path / "events", head) as spool:
        for event in whole_run(run_id=FIRST)[:6]:
            spool.append(redactor.take(event))
        refused = command("trace", "delete", FIRST)
        assert refused.exit_code != 0
        assert "is in progress; stop it where it was started first" in refused.stderr
    assert command("trace", "delete", FIRST).stdout == f"Deleted {FIRST}.\n"
    assert command("trace", "list").stdout == "There are no traces.\n"


HOUR, DAY, WEEK = 1.0, 24.0, 168.0
AGES_H = (0.5, 1.5, 23, 25, 6 * DAY, 8 * DAY, 13 * DAY, 15 * DAY, 29 * DAY, 31 * DAY, 400 * DAY)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_prune_deletes_what_is_older_than_the_age_and_nothing_else(
    command: Command, tmp_path: Path, request: pytest.FixtureRequest, kind: str
) -> None:
    """Issue 12: ages in hours, days and weeks, on both databases."""
    settings, database = {}, ""
    if kind == "postgres":
        server: Server = request.getfixturevalue("postgres")
        url = settings["QUAERE_DATABASE_URL"] = server.create()
        database = database_name(Settings(database_url=SecretStr(url)))
        assert command("db", "upgrade", **settings).exit_code == 0
    now = datetime.now(UTC)
    for hours in AGES_H:
        run = f"run-{hours}"
        begun = now - timedelta(hours=hours)
        write(tmp_path, run, whole_run(run_id=run), "Who?", begun, database)
    left = set(AGES_H)
    for age, limit_h in (
        ("57w", 57 * WEEK),
        ("30d", 30 * DAY),
        (" 2 W ", 2 * WEEK),
        ("168h", 168 * HOUR),
        ("1d", DAY),
        ("1h", HOUR),
    ):
        gone = {hours for hours in left if hours > limit_h}
        left -= gone
        pruned = command("trace", "prune", "--older-than", age, **settings)
        assert pruned.stdout == f"Deleted {len(gone)} trace{'s' * (len(gone) != 1)}.\n", age
        page = json.loads(command("trace", "list", "--format", "json", **settings).stdout)
        assert {trace["id"] for trace in page["traces"]} == {f"run-{hours}" for hours in left}, age
    assert left == {0.5}


@pytest.mark.parametrize("age", ["30", "d", "-3d", "3 years", "1e3d"])
def test_an_age_that_is_none_is_refused(command: Command, age: str) -> None:
    refused = command("trace", "prune", f"--older-than={age}")
    assert refused.exit_code == 2
    assert "Invalid age" in refused.stderr


def test_a_trace_that_is_not_there_is_a_usage_error(command: Command) -> None:
    for arguments in (("show",), ("show", "nobody"), ("export", "x"), ("diff", "x", "y")):
        refused = command("trace", *arguments)
        assert refused.exit_code == 2
        assert refused.stderr.startswith(("quaere: There are no", "quaere: No run has the id"))
    assert command("trace", "list").stdout == "There are no traces.\n"


ODD_IDS = ["", "nonsense", "\0", "aaaa\udcff", "x" * 10_000, "2026-01-01T00:00:00+23:59~x"]


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    "before",
    [
        ("trace", "list", "--after"),
        ("trace", "show"),
        ("trace", "export"),
        ("trace", "delete"),
        ("trace", "diff", FIRST),
        ("export",),
        ("cancel",),
        ("resume",),
        ("ask", "Who?", "-q", "--docs", ".", "--continue"),
    ],
)
@pytest.mark.parametrize("odd", ODD_IDS)
def test_an_odd_id_is_a_usage_error_told_in_a_line(
    command: Command, before: tuple[str, ...], odd: str
) -> None:
    refused = command(*before, odd)
    assert refused.exit_code == 2
    assert refused.stderr.startswith("quaere: ")
    assert len(refused.stderr.splitlines()) == 1
    assert len(refused.stderr) < 300
    assert refused.stdout == ""
    assert len(command("trace", "list").stdout.splitlines()) == 3


def test_the_database_is_checked_and_upgraded(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "quaere.db"
    before = command("db", "check")
    assert before.exit_code == 1
    assert f"{file}: no tables; " in before.stdout
    assert "quaere db upgrade" in before.stdout
    assert not file.exists()
    assert command("db", "upgrade").exit_code == 0
    assert command("db", "check").stdout.endswith("up to date\n")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
    connection.close()
    assert "version 0000; " in command("db", "check").stdout
    refused = command("trace", "list")
    assert refused.exit_code == 1
    assert "version 0000, which this Quaere does not know" in refused.stderr
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    later = command("db", "check")
    assert later.exit_code == 1
    assert later.stdout.endswith("is required. Install a later version of Quaere.\n")


def test_a_database_that_is_not_to_be_had_is_told_in_a_line(command: Command) -> None:
    refused = command("trace", "list", QUAERE_DATABASE_URL="postgresql//u:hush@h")
    assert refused.exit_code == 2
    assert "hush" not in refused.stderr
    assert "sqlite:///PATH" in refused.stderr


def test_ask_leaves_a_trace(quaere: Run, docs: Path, tmp_path: Path, command: Command) -> None:
    """R4.3: what the command does is there afterwards, its page text included (R0.7)."""
    data = {"QUAERE_DATA_DIR": str(tmp_path)}
    done = quaere("ask", "Who built the mill?", "-d", docs, "-q", "-f", "json", env=data)
    report = Report.model_validate_json(done.stdout)
    exported = ExportedRun.model_validate_json(command("trace", "export").stdout)
    assert exported.report == report
    assert exported.trace.id == report.run_id
    assert exported.trace.status is TraceStatus.COMPLETED
    assert [event.seq for event in exported.events] == list(range(1, len(exported.events) + 1))
    kept = {source.evidence.passage: source.text for source in exported.sources}
    for citation in report.citations:
        assert citation.quote.text in kept[citation.quote.passage]


@pytest.mark.parametrize(
    ("option", "settings"), [(["--no-trace"], {}), ([], {"QUAERE_TRACE": "off"})]
)
def test_no_trace_is_kept_where_none_is_wanted(
    quaere: Run, docs: Path, tmp_path: Path, option: list[str], settings: dict[str, str]
) -> None:
    env = {"QUAERE_DATA_DIR": str(tmp_path), **settings}
    assert quaere("ask", "Who built the mill?", "-d", docs, "-q", *option, env=env).returncode == 0
    assert not (tmp_path / "events").exists()


def test_what_is_private_stays_out_of_the_trace(
    quaere: Run, docs: Path, tmp_path: Path, command: Command
) -> None:
    """Issue 7: page text and questions excluded by setting, secrets always."""
    key = "k3yQ7zR2mX9vT4bW8nL5"
    env = {
        "QUAERE_DATA_DIR": str(tmp_path),
        "QUAERE_STORE_PAGES": "false",
        "QUAERE_STORE_QUESTIONS": "false",
        "BRAVE_API_KEY": "plainsecret",
    }
    question = "Who built the mill at Orrin?"
    context = f"mine is {key}, or plainsecret"
    done = quaere("ask", question, "-d", docs, "-q", "--context", context, env=env)
    assert done.returncode == 0
    (file,) = (tmp_path / "events").iterdir()
    written = file.read_text("utf-8")
    exported = command("trace", "export").stdout
    for text in (written, exported):
        assert key not in text
        assert "plainsecret" not in text
        assert question not in text
        assert WITHHELD in text
        assert "It ground barley for the whole valley.\\n\\nTamsin" not in text
    assert "Tamsin Wray" in json.loads(exported)["report"]["answer"]


def test_a_database_of_ones_own_has_the_run_at_once(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'own.db'}"
    env = {"QUAERE_DATA_DIR": str(tmp_path), "QUAERE_DATABASE_URL": url}
    assert quaere("ask", "Who built the mill?", "-d", docs, "-q", env=env).returncode == 0
    with closing(sqlite3.connect(tmp_path / "own.db")) as connection, connection:
        assert connection.execute("SELECT status FROM tool_traces").fetchall() == [("completed",)]
    connection.close()
    gone = {**env, "QUAERE_DATABASE_URL": f"sqlite:///{docs}/mill.md/own.db"}
    done = quaere("ask", "Who built the mill?", "-d", docs, "-q", env=gone)
    assert done.returncode == 0
    assert "the trace is still on this machine only" in done.stderr


def test_a_trace_that_cannot_be_written_costs_no_answer(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    (tmp_path / "events").write_text("no folder")
    env = {"QUAERE_DATA_DIR": str(tmp_path)}
    done = quaere("ask", "Who built the mill?", "-d", docs, "-q", env=env)
    assert done.returncode == 0
    assert "Tamsin Wray" in done.stdout
    assert "no trace of this run is recorded" in done.stderr


@pytest.mark.usefixtures("runs")
def test_deleting_needs_a_name(command: Command) -> None:
    """An unset variable in a script must not cost the last run."""
    refused = command("trace", "delete", "")
    assert refused.exit_code == 2
    assert len(command("trace", "list").stdout.splitlines()) == 3


async def _cancelled_runs(url: str) -> None:
    """Leave a run of the user ann and one of this machine's in the database."""
    async with Database(url) as database:
        await database.upgrade()
        for user in ("ann", "local"):
            spec = RunSpec.of("What is a moth?", run_id=user)
            await Jobs(database).submit(Entry.of(Owner(user=user), spec, params={}))
            await Jobs(database).cancel(Owner(user=user), user)


def test_the_runs_of_users_are_pruned_where_that_is_asked_for(
    command: Command, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    asyncio.run(_cancelled_runs(url))
    prune, settings = ("trace", "prune", "--older-than", "0h"), {"QUAERE_DATABASE_URL": url}
    assert "ann" not in command("trace", "list", **settings).stdout
    listed = command("trace", "list", "--all-users", **settings).stdout.splitlines()
    assert [line.split()[4] for line in sorted(listed)] == ["ann", "local"]
    assert command("trace", "show", "ann", **settings).exit_code == 2
    assert "ann, cancelled" in command("trace", "show", "ann", "--all-users", **settings).stdout
    page = command("trace", "list", "--all-users", "--limit", "1", **settings).stdout
    following = page.split("quaere ")[1].split()
    assert len(command(*following, **settings).stdout.splitlines()) == 1
    exported = command("trace", "export", "ann", "--all-users", **settings).stdout
    assert json.loads(exported)["trace"]["user_id"] == "ann"
    assert command(*prune, **settings).stdout == "Deleted 1 trace.\n"
    assert command(*prune, "--all-users", **settings).stdout == "Deleted 1 trace.\n"
    assert command(*prune, "--all-users", **settings).stdout == "Deleted 0 traces.\n"


def test_every_command_for_one_trace_reaches_those_of_users_where_that_is_asked_for(
    command: Command, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    asyncio.run(_cancelled_runs(url))
    for line in ("trace diff local ann", "trace delete ann", "export ann"):
        assert command(*line.split(), QUAERE_DATABASE_URL=url).exit_code == 2
    compared = command("trace", "diff", "local", "ann", "--all-users", QUAERE_DATABASE_URL=url)
    assert compared.stdout.startswith("- local, cancelled\n+ ann, cancelled\n")
    exported = command("export", "ann", "--all-users", QUAERE_DATABASE_URL=url)
    assert "The run ann has no report; its status is cancelled.\n" in exported.stderr
    gone = command("trace", "delete", "ann", "--all-users", QUAERE_DATABASE_URL=url)
    assert gone.stdout == "Deleted ann.\n"
    assert "ann" not in command("trace", "list", "--all-users", QUAERE_DATABASE_URL=url).stdout


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("deleting", [("delete", TORN), ("prune", "--older-than", "0h")])
def test_what_a_run_could_be_resumed_from_goes_with_its_trace(
    command: Command, tmp_path: Path, deleting: tuple[str, ...]
) -> None:
    """Issue 7: retention; what is not the asker's own, or at work, stays."""
    folder = tmp_path / "runs"
    for name in (TORN, "no-trace"):
        request = RunSpec.of("Who was killed?", run_id=name)
        RunFile.create(folder / f"{name}.run", request).close()
    at_work = RunFile.create(folder / f"{FIRST}.run", RunSpec.of("Who?", run_id=FIRST))
    command("trace", "list")
    with closing(sqlite3.connect(tmp_path / "quaere.db")) as connection, connection:
        theirs = "INSERT INTO tool_traces SELECT 'no-trace', 'ann'"
        columns = [row[1] for row in connection.execute("PRAGMA table_info(tool_traces)")][2:]
        connection.execute(f"{theirs}, {', '.join(columns)} FROM tool_traces LIMIT 1")
        connection.execute("UPDATE tool_traces SET created_at = '2021-05-04 12:00:00.000000'")
    connection.close()
    assert command("trace", "delete", "no-trace").exit_code == 2
    assert command("trace", *deleting).exit_code == 0
    at_work.close()
    assert {path.stem for path in folder.glob("*.run")} == {"no-trace", FIRST}


def test_a_trace_with_a_name_that_is_a_path_takes_no_file_along(
    command: Command, tmp_path: Path
) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "mine.run").touch()
    command("trace", "list")
    write(tmp_path, "x", whole_run(run_id="x"), "Who?")
    command("trace", "list")
    with closing(sqlite3.connect(tmp_path / "quaere.db")) as connection, connection:
        connection.execute("UPDATE tool_traces SET id = '../mine'")
    connection.close()
    assert command("trace", "delete", "../mine").exit_code == 0
    assert (tmp_path / "mine.run").exists()
