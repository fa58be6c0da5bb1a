"""``quaere index``: what a refresh comes to."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run

from quaere.domain.report import RunWarning
from quaere.faces.cli.follow import Nobody
from quaere.faces.cli.search import Broken, Summary, index_told, refresh


def test_a_folder_is_indexed_and_its_broken_files_are_named(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(docs, tmp_path / "docs")
    done = quaere("index", folder)
    assert done.returncode == 0
    assert done.stdout.startswith("3 files, 3 passages, 1 broken, ")
    assert f"  broken: {folder}/torn.pdf: " in done.stdout
    assert done.stderr.startswith(f"[  0.0 s] indexing {folder}\n")
    assert "3 of 3 files, 3 passages" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_the_summary_as_json_is_the_only_thing_on_standard_output(quaere: Run, docs: Path) -> None:
    done = quaere("index", docs, "--format", "json", "--quiet")
    summary = Summary.model_validate_json(done.stdout)
    assert (summary.files, summary.passages, done.stderr) == (3, 3, "")
    assert [broken.path for broken in summary.broken] == [f"{docs}/torn.pdf"]
    assert set(json.loads(done.stdout)) == set(Summary.model_fields)


def test_nothing_to_index_is_exit_code_1(quaere: Run, tmp_path: Path) -> None:
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.7")
    done = quaere("index", tmp_path, "-q")
    assert done.returncode == 1
    assert "1 file, 0 passages, 1 broken" in done.stdout


def test_a_folder_that_is_not_there_is_exit_code_2(quaere: Run) -> None:
    done = quaere("index", "/no/such/folder", "-q")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "quaere: There is no file or folder '/no/such/folder'.\n"


class Ready:
    """Gets ready in three steps, with two things to complain of."""

    async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        for done in range(4):
            progress(done, 3, done * 10)
        return [
            RunWarning(kind="index", message="no text", subject="/a.pdf"),
            RunWarning(kind="index", message="2 pictures were left out"),
        ]


@pytest.mark.anyio
async def test_a_refresh_is_summed_up_from_what_its_provider_tells() -> None:
    summary = await refresh(Ready(), Nobody())
    assert (summary.files, summary.passages) == (3, 30)
    assert summary.broken == (Broken(path="/a.pdf", reason="no text"),)
    assert summary.notes == ("2 pictures were left out",)


@pytest.mark.anyio
async def test_a_folder_of_which_nothing_is_told_has_nothing_in_it() -> None:
    class Silent:
        async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
            del progress
            return []

    summary = await refresh(Silent(), Nobody())
    assert summary.model_copy(update={"seconds": 0}) == Summary(
        files=0, passages=0, broken=(), notes=(), seconds=0
    )


def test_names_of_files_cannot_command_the_terminal() -> None:
    broken = Broken(path="/a\x1b[2J\n.pdf", reason="b\x07")
    summary = Summary(files=1, passages=0, broken=(broken,), notes=("\x9b31mc",), seconds=0)
    assert index_told(summary) == (
        "1 file, 0 passages, 1 broken, 0.0 s\n  broken: /a .pdf: b\n  note: c\n"
    )
