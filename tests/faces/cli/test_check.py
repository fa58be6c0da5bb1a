"""``quaere check``, as a process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.audit.source_pages import LAMP, ROUTES, report
from tests.faces.cli.conftest import Run
from tests.faces.cli.loopback import in_background
from tests.misbehaving.server import Site, serving
from tests.read.documents import pdf, word

from quaere.domain.audit import Audit
from quaere.domain.report import Support
from quaere.domain.source import ReadStatus
from quaere.faces.cli.check import MAX_CHARS, MAX_SENTENCES


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with in_background(serving(ROUTES)) as running:
        yield running


SAID = "The mill at Orrin was built by Tamsin Wray in 1788 [1]."


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
    without = quaere("check", "-", "-f", "md", stdin=said, cwd=docs)
    assert "| 1 | not judged |" in without.stdout


def test_what_cites_nothing_is_looked_up_where_that_is_asked_for(quaere: Run, docs: Path) -> None:
    said = "The mill at Orrin was built by Tamsin Wray in 1788. Its roof was laid with slates.\n"
    done = quaere("check", "-", "--docs", docs, "--look-up", stdin=said)
    assert done.returncode == 0
    first, *_, found = [line.split() for line in done.stdout.splitlines() if "1 " in line[:8]]
    assert (first[1], found) == ("quoted", ["1", "found", str(docs / "mill.md")])
    assert "it cites nothing, and nothing that was found says it" in " ".join(done.stdout.split())
    plain = quaere("check", "-", "--docs", docs, stdin=said)
    assert "It cites nothing, so nothing could be checked." in plain.stdout
    nowhere = quaere("check", "-", "--look-up", stdin=said)
    assert (nowhere.returncode, "There is no folder to search" in nowhere.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("report.docx", word([SAID, "[1] mill.md"])),
        ("report.pdf", pdf([[SAID, "", "[1] mill.md"]])),
        ("report.html", f"<!doctype html><p>{SAID}</p><p>[1] mill.md</p>".encode()),
    ],
)
def test_a_text_in_any_format_that_is_read_is_checked(
    quaere: Run, docs: Path, tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    for done in (
        quaere("check", tmp_path / name, "-d", docs, "-f", "markdown"),
        quaere("check", "-", "-d", docs, "-f", "markdown", stdin=data),
    ):
        assert done.returncode == 0, done.stderr
        assert "| quoted | 100% | The mill at Orrin was built by Tamsin Wray" in done.stdout


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
        (b"", "holds no text"),
        (b" \n\t\n", "holds no text"),
        (b"%PDF-1.7 and no more", "is not a complete PDF"),
        (bytes(range(256)) * 40, "is a binary file"),
        (b"a" * 10_000_000, "more than 1,000,000 characters"),
        (b"So.\n" * (MAX_SENTENCES + 1), "more than 20,000 sentences"),
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


def test_the_text_is_never_replaced_by_its_verdicts(quaere: Run, tmp_path: Path) -> None:
    draft, link = tmp_path / "draft.md", tmp_path / "link.md"
    draft.write_text(said := "The mill was built in 1788 [1].\n\n[1]: mill.md\n")
    link.symlink_to(draft)
    for output in (draft, link, tmp_path / "." / "draft.md"):
        done = quaere("check", draft, "-o", output)
        assert (done.returncode, "is the text itself" in done.stderr) == (2, True)
    assert draft.read_text() == said


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


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.JSON", "{"), ("a.Markdown", "# Check"), ("plain", "line"), ("a.TXT", "line")],
)
def test_an_extension_tells_the_format_however_it_is_written(
    quaere: Run, tmp_path: Path, name: str, start: str
) -> None:
    done = quaere("check", "-", "-o", tmp_path / name, stdin="So it is in the valley.")
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / name).read_text("utf-8").startswith(start)


def test_a_file_that_cannot_be_written_after_all_fails_with_the_reason(
    quaere: Run, tmp_path: Path
) -> None:
    full = tmp_path / "full"
    full.symlink_to("/dev/full")  # the device itself stays whatever the code does
    done = quaere("check", "-", "-q", "-o", full, stdin="So it is in the valley.")
    assert done.returncode == 1
    assert done.stderr == f"quaere: Cannot write to '{full}': No space left on device.\n"


def test_a_text_of_the_largest_size_is_checked(quaere: Run) -> None:
    largest = b"So it is." + b" " * (MAX_CHARS - 9)
    assert quaere("check", "-", stdin=largest).returncode == 0
    too_large = quaere("check", "-", stdin=largest + b" ")
    assert too_large.returncode == 2
    told = "'standard input' has more than 1,000,000 characters; split it into parts."
    assert told in too_large.stderr


def test_a_table_for_no_terminal_is_of_one_width(quaere: Run, docs: Path) -> None:
    said = f"{'The mill at Orrin was built by Tamsin Wray in 1788 ' * 5}[1].\n\n[1]: mill.md\n"
    told = [
        quaere("check", "-", "-d", docs, stdin=said, env={"COLUMNS": columns}).stdout
        for columns in ("60", "200")
    ]
    assert told[0] == told[1]
    assert 90 < max(map(len, told[0].splitlines())) <= 100


def test_a_text_may_cite_what_is_in_its_own_folder_and_under_docs(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    (tmp_path / "lamp.md").write_text("The lamp burned rape oil until 1911.\n")
    said = (
        "The lamp burned rape oil until 1911 [1]. The mill was built by Tamsin Wray in 1788 [2].\n"
        "\n[1]: lamp.md\n[2]: mill.md\n"
    )
    path = written(tmp_path, said)
    statuses = {
        name: [source.status for source in Audit.model_validate_json(done.stdout).sources]
        for name, done in {
            "option": quaere("check", path, "-f", "json", "-d", docs),
            "setting": quaere("check", path, "-f", "json", env={"QUAERE_DOCS": str(docs)}),
            "instead": quaere(
                "check", path, "-f", "json", "-d", tmp_path, env={"QUAERE_DOCS": str(docs)}
            ),
        }.items()
    }
    assert statuses["option"] == statuses["setting"] == [ReadStatus.OK, ReadStatus.OK]
    assert statuses["instead"][0] is ReadStatus.OK
    assert statuses["instead"][1] is not ReadStatus.OK


def test_no_more_sources_are_read_than_asked_for_and_50_by_default(
    quaere: Run, tmp_path: Path
) -> None:
    numbers = range(1, 53)
    for number in numbers:
        (tmp_path / f"{number}.md").write_text(f"Barge {number} was launched at Pell.\n")
    said = "".join(f"Barge {number} was launched at Pell [{number}].\n" for number in numbers)
    path = written(tmp_path, said + "".join(f"\n[{number}]: {number}.md" for number in numbers))
    for options, count in (((), 50), (("--max-reads", "1"), 1)):
        done = quaere("check", path, "-f", "json", *options)
        sources = Audit.model_validate_json(done.stdout).sources
        assert len(sources) == 52
        assert sum(source.status is ReadStatus.OK for source in sources) == count


def test_no_time_reads_nothing(quaere: Run, docs: Path) -> None:
    said = "The mill at Orrin was built by Tamsin Wray in 1788 [1].\n\n[1]: mill.md\n"
    done = quaere("check", "-", "-d", docs, "-f", "json", "--max-time", "0", stdin=said)
    assert Audit.model_validate_json(done.stdout).summary.sources_unread == 1


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--fail-under", "1.01"),
        ("--fail-under", "-0.01"),
        ("--max-reads", "-1"),
        ("--max-time", "-1"),
    ],
)
def test_figures_out_of_range_are_a_usage_error(quaere: Run, option: str, value: str) -> None:
    done = quaere("check", "-", option, value, stdin="So it is.")
    assert done.returncode == 2
    assert option in done.stderr


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no-such.md", "There is no file 'no-such.md'."),
        ("torn.pdf", "Cannot check 'torn.pdf': torn.pdf is "),
        (".", "Cannot check '.': "),
    ],
)
def test_why_a_file_cannot_be_checked_is_told(
    quaere: Run, docs: Path, name: str, reason: str
) -> None:
    assert quaere("check", name, cwd=docs).stderr.startswith(f"quaere: {reason}")


def test_the_report_names_the_file_that_was_checked(quaere: Run, tmp_path: Path) -> None:
    path = written(tmp_path, "So it is in the valley.")
    assert "# Check of report.md\n" in quaere("check", path, "-f", "markdown").stdout


def test_a_model_that_cannot_be_used_is_told(quaere: Run) -> None:
    done = quaere("check", "-", "--model", "nobody:x", stdin="So it is in the valley [1].")
    assert done.returncode == 2
    assert "nobody" in done.stderr
