"""``quaere check``, as a process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.audit.source_pages import LAMP, ROUTES, report
from tests.faces.cli.conftest import Run
from tests.faces.cli.loopback import in_background
from tests.misbehaving.server import Site, serving

from quaere.domain.audit import Audit
from quaere.domain.report import Support


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with in_background(serving(ROUTES)) as running:
        yield running


@pytest.fixture
def allowed(site: Site) -> Mapping[str, str]:
    """The settings of an operator who lists the server."""
    return {"QUAERE_READ_HOSTS": site.host, "QUAERE_READ_PORTS": str(site.port)}


def written(folder: Path, text: str) -> Path:
    path = folder / "report.md"
    path.write_text(text)
    return path


def test_a_report_is_checked_sentence_by_sentence(
    quaere: Run, site: Site, allowed: Mapping[str, str], tmp_path: Path
) -> None:
    path = written(tmp_path, report("numbered", site))
    done = quaere("check", path, env=allowed)
    assert done.returncode == 0
    assert done.stderr == "13 sentences, 4 sources cited\n"
    rows = [line for line in done.stdout.splitlines() if line.startswith(("   7 ", "  10 "))]
    assert [row.split()[1:3] for row in rows] == [["supported", "97%"], ["contradicted", "16%"]]
    assert "“Its lamp burned rape oil until 1911, when it was changed to paraffin.”" in done.stdout
    assert "not_found" in done.stdout
    assert [line.split()[-1] for line in done.stdout.splitlines()[-2:]] == ["75%", "55%"]


def test_json_has_everything(
    quaere: Run, site: Site, allowed: Mapping[str, str], tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "lamp.md").write_text(LAMP)
    text = report("inline", site)
    done = quaere("check", "-f", "json", "-q", written(tmp_path, text), env=allowed)
    assert (done.returncode, done.stderr) == (0, "")
    audit = Audit.model_validate_json(done.stdout)
    burned = audit.sentences[2]
    assert burned.verdict is Support.SUPPORTED
    assert burned.place
    assert LAMP[burned.place.start : burned.place.end] == burned.place.text
    assert text[burned.start : burned.end].startswith("Rape oil\nwas burned")
    assert audit.summary.verdicts[Support.SUPPORTED] == 3


def test_standard_input_and_a_folder_of_documents(quaere: Run, docs: Path) -> None:
    said = "The mill at Orrin was built by Tamsin Wray in 1788 [1].\n\n[1]: mill.md\n"
    done = quaere("check", "-", "--docs", docs, "-f", "markdown", stdin=said)
    assert done.returncode == 0
    assert "# Check of standard input" in done.stdout
    assert "| 1 | quoted |" in done.stdout
    without = quaere("check", "-", "-f", "markdown", stdin=said, cwd=docs)
    assert "| 1 | not judged |" in without.stdout


def test_what_is_checked_is_told_unless_quiet(quaere: Run, docs: Path) -> None:
    said = "The mill at Orrin was built by Tamsin Wray in 1788 [1].\n\n[1]: mill.md\n"
    told = quaere("check", "-", "--docs", docs, stdin=said)
    quiet = quaere("check", "-", "--docs", docs, "--quiet", stdin=said)
    assert "1 sentence, 1 source cited" in told.stderr
    assert quiet.stderr == ""
    assert quiet.stdout == told.stdout != ""


@pytest.mark.parametrize(("share", "code"), [("0.5", 0), ("0.51", 3), ("1", 3), ("0", 0)])
def test_a_share_that_is_too_small_fails(quaere: Run, docs: Path, share: str, code: int) -> None:
    said = (
        "The mill at Orrin was built by Tamsin Wray in 1788 [1]. Whales sing in the deep sea [1]."
        "\n\n[1]: mill.md\n"
    )
    done = quaere("check", "-", "-d", docs, "--fail-under", share, stdin=said)
    assert done.returncode == code
    assert "50%" in done.stdout


def test_a_text_without_citations_is_answered(quaere: Run) -> None:
    said = "The mill at Orrin was built in 1788.\n"
    done = quaere("check", "-", stdin=said)
    assert done.returncode == 0
    assert "It cites nothing" in done.stdout
    assert quaere("check", "-", "--fail-under", "0.5", stdin=said).returncode == 3


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "contains no text"),
        (b" \n\t\n", "contains no text"),
        (b"%PDF-1.7 and no more", "is not text"),
        (bytes(range(256)) * 40, "is not text"),
        (b"a" * 10_000_000, "larger than 1,000,000 bytes"),
        (b"So.\n" * 240_000, "more than 20,000 sentences"),
    ],
)
def test_what_cannot_be_checked_is_a_usage_error(quaere: Run, data: bytes, reason: str) -> None:
    done = quaere("check", "-", stdin=data)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr


@pytest.mark.parametrize("name", ["no-such.md", ".", "x" * 5_000, "torn.pdf"])
def test_a_file_that_cannot_be_checked_is_a_usage_error(quaere: Run, docs: Path, name: str) -> None:
    done = quaere("check", name, cwd=docs)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("quaere: ")
    assert "Traceback" not in done.stderr


def test_text_in_another_encoding_is_read(quaere: Run, docs: Path) -> None:
    said = "The mill at Orrin was built by Tamsin Wray in 1788 [1].\n\n[1]: mill.md\n"
    for encoding in ("utf-16", "utf-8-sig"):
        done = quaere("check", "-", "-d", docs, stdin=said.encode(encoding))
        assert " supported " in done.stdout


def test_a_text_cannot_command_the_terminal(quaere: Run, docs: Path) -> None:
    said = "The \x1b]0;owned\x07mill \u202eat Orrin stands \x9b31m there [1].\n\n[1]: mill\x1b.md\n"
    done = quaere("check", "-", "-d", docs, stdin=said)
    assert done.returncode == 0
    assert not set("\x1b\x07\x9b\u202e") & set(done.stdout + done.stderr)


def test_verdicts_are_written_to_a_file(quaere: Run, docs: Path, tmp_path: Path) -> None:
    said = "The mill at Orrin was built by Tamsin Wray in 1788 [1].\n\n[1]: mill.md\n"
    for name in ("a.json", "a.md", "a.txt"):
        done = quaere("check", "-", "-d", docs, "-o", tmp_path / name, stdin=said)
        assert (done.returncode, done.stdout) == (0, "")
    Audit.model_validate_json((tmp_path / "a.json").read_text())
    assert (tmp_path / "a.md").read_text().startswith("# Check of")
    assert "supported" in (tmp_path / "a.txt").read_text()


def test_a_file_in_whose_format_no_verdicts_are_written_is_refused_before_any_is_read(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    said = "The mill at Orrin was built by Tamsin Wray in 1788 [1].\n\n[1]: mill.md\n"
    done = quaere("check", "-", "-d", docs, "-o", tmp_path / "verdicts.pdf", stdin=said)
    assert done.returncode == 2
    assert "Unknown extension .pdf: use .txt, .md, .markdown, .json, or add" in done.stderr
    assert not (tmp_path / "verdicts.pdf").exists()
    log = tmp_path / "verdicts.log"
    done = quaere("check", "-", "-d", docs, "-f", "json", "-o", log, stdin=said)
    assert done.returncode == 0
    Audit.model_validate_json(log.read_text("utf-8"))


def test_a_model_that_cannot_be_used_is_told(quaere: Run) -> None:
    done = quaere("check", "-", "--model", "nobody:x", stdin="So it is in the valley [1].")
    assert done.returncode == 2
    assert "nobody" in done.stderr
