"""A report in the form that was asked for, at the place that was asked for."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faces.cli import samples

from quaere.domain.report import Report
from quaere.errors import QuaereError, UsageError
from quaere.faces.cli.output import (
    PLAIN_WIDTH,
    Format,
    check_writable,
    choose_format,
    deliver,
    formatted,
)


@pytest.mark.parametrize(
    ("asked", "output", "chosen"),
    [
        (None, None, Format.TEXT),
        (None, "report.md", Format.MARKDOWN),
        (None, "report.MARKDOWN", Format.MARKDOWN),
        (None, "report.json", Format.JSON),
        (None, "report.txt", Format.TEXT),
        (None, "report.html", Format.HTML),
        (None, "report.PDF", Format.PDF),
        (None, "report.bib", Format.BIBTEX),
        (None, "report", Format.TEXT),
        (Format.BRIEF, "report.md", Format.BRIEF),
        (Format.FULL, None, Format.FULL),
    ],
)
def test_the_format_is_the_one_asked_for_else_that_of_the_file(
    asked: Format | None, output: str | None, chosen: Format
) -> None:
    assert choose_format(asked, Path(output) if output else None) is chosen


def test_a_suffix_that_says_nothing_and_a_pdf_without_a_file_are_refused_at_once() -> None:
    with pytest.raises(UsageError, match=r"Unknown extension \.xyz"):
        choose_format(None, Path("report.xyz"))
    with pytest.raises(UsageError, match="needs a file"):
        choose_format(Format.PDF, None)


def test_a_place_to_write_to_is_looked_at_first(tmp_path: Path) -> None:
    check_writable(tmp_path / "report.md")
    for place, reason in (
        (tmp_path, "it is a folder"),
        (Path(), "it is a folder"),
        (Path("/"), "it is a folder"),
        (tmp_path / "no" / "report.md", "does not exist"),
        (Path("-"), "is not supported"),
    ):
        with pytest.raises(UsageError, match=reason) as refused:
            check_writable(place)
        assert refused.value.message.count("Cannot write to") <= 1


def test_a_folder_that_takes_no_files_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    # Root heeds no permissions.
    closed = Path("/proc/self") if os.name == "posix" and os.geteuid() == 0 else folder
    with pytest.raises(UsageError, match="may not be written"):
        check_writable(closed / "report.md")
    check_writable(Path(os.devnull))


@pytest.mark.parametrize("form", Format)
def test_every_form_can_be_written_to_a_file(form: Format, tmp_path: Path) -> None:
    deliver(samples.report("Mühle: ‘水車’."), form, tmp_path / "report")
    assert [path.name for path in tmp_path.iterdir()] == ["report"], "no half of a file is left"
    if form.binary:
        assert (tmp_path / "report").read_bytes()[:2] in {b"%P", b"PK"}
        return
    written = (tmp_path / "report").read_text("utf-8")
    assert "水車" in written or form in {Format.BIBTEX, Format.RIS}
    assert written.endswith("\n")
    assert "\x1b" not in written


def test_a_file_that_cannot_be_written_is_an_error_and_costs_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(QuaereError, match=r"Cannot write to '.*no/report': No such file"):
        deliver(samples.report(), Format.JSON, tmp_path / "no" / "report")
    assert Report.model_validate_json(capsys.readouterr().out) == samples.report()


@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_loses_nothing_and_leaves_a_terminal_alone(text: str) -> None:
    report = samples.report(f"\x9b31m\u202e{text}")
    written = formatted(report, Format.JSON, io.StringIO())
    assert Report.model_validate_json(written) == report
    assert not set("\x1b\x7f\x9b\u202e") & set(written)


def test_brief_has_the_form_of_r2_1() -> None:
    brief = json.loads(formatted(samples.report(), Format.BRIEF, io.StringIO()))
    assert set(brief) == {"answer", "citations"}
    assert brief["citations"] == [
        {
            "id": 1,
            "title": "The mill at Orrin was built by Tamsin Wray.",
            "url": "file:///notes/mill.pdf",
        }
    ]


def test_full_says_more_than_text_and_both_keep_to_the_width() -> None:
    text, full = (
        formatted(samples.report("Word " * 100), form, io.StringIO())
        for form in (Format.TEXT, Format.FULL)
    )
    assert "Evidence" in full
    assert "Evidence" not in text
    assert max(map(len, full.split("\n"))) <= PLAIN_WIDTH


WITH_ONE_MORE = """
import sys, types
from importlib.util import find_spec
from pathlib import Path

name = "quaere.view.export.export"
source = Path(find_spec(name).origin).read_text("utf-8")
row = '    RIS = "ris", (".ris",), _ris, False, _RIS_TYPE\\n'
assert row in source
module = types.ModuleType(name)
sys.modules[name] = module
added = '    TITLE = "title", (".title",), lambda report: report.question.encode()\\n'
exec(source.replace(row, row + added), module.__dict__)

from tests.faces.cli.samples import report
from typer.testing import CliRunner
from quaere.faces.cli.output import deliver
from quaere.faces.cli.main import application
from quaere.faces.cli.output import choose_format

file = Path(sys.argv[1])
deliver(report(), choose_format(None, file), file)
print(CliRunner().invoke(application(["ask"]), ["ask", "--help"]).stdout)
"""


def test_an_export_form_is_added_with_one_edit(tmp_path: Path) -> None:
    """Issue 12: one row where the forms are declared."""
    file = tmp_path / "report.title"
    done = subprocess.run(
        [sys.executable, "-c", WITH_ONE_MORE, file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert file.read_text("utf-8") == samples.report().question
    assert "|title" in done.stdout.replace("\n", "").replace(" ", "")


def test_no_two_formats_claim_one_extension() -> None:
    suffixes = [suffix for form in Format for suffix in form.suffixes]
    assert len(suffixes) == len(set(suffixes))
