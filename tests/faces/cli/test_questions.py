"""Questions without a command, and conversations."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run

from quaere.faces.cli.main import with_command

WHO = "Who built the mill at Orrin?"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ([WHO], ["ask", WHO]),
        (["who", "built", "it", "--docs", "x"], ["ask", "who", "built", "it", "--docs", "x"]),
        (["--docs", "x", "who", "built", "it"], ["ask", "--docs", "x", "who", "built", "it"]),
        (["--debug", WHO], ["--debug", "ask", WHO]),
        (["--log-format", "json", WHO], ["--log-format", "json", "ask", WHO]),
        (["is", "it", "old"], ["ask", "is", "it", "old"]),
        (["Orrin?", "--docs", "x"], ["ask", "Orrin?", "--docs", "x"]),
        (["check this out"], ["ask", "check this out"]),
    ],
)
def test_a_question_needs_no_command(typed: list[str], meant: list[str]) -> None:
    assert with_command(typed) == meant


@pytest.mark.parametrize(
    "typed",
    [
        [],
        ["--help"],
        ["--log-format"],
        ["orrin"],
        ["orrin", "--docs", "x"],
        ["ask", "who", "built", "it"],
        ["db", "check"],
        ["serach", "mill", "orrin"],
        ["chekc", "essay.md"],
        ["Index", "folder"],
        ["trcae", "list"],
    ],
)
def test_a_command_stays_one_even_mistyped(typed: list[str]) -> None:
    assert with_command(typed) == typed


def test_a_question_is_answered_without_command_and_quotes(quaere: Run, docs: Path) -> None:
    done = quaere(*WHO.split(), "--docs", docs, "--format", "brief", "-q")
    assert done.returncode == 0
    assert "Tamsin Wray" in done.stdout


def test_a_mistyped_command_is_answered_with_the_command(quaere: Run) -> None:
    done = quaere("serach", "mill", "orrin")
    assert done.returncode == 2
    assert "Did you mean 'search'?" in done.stderr


def test_a_word_that_is_no_command_is_told_how_to_ask_it(quaere: Run) -> None:
    done = quaere("Vienna")
    assert done.returncode == 2
    assert done.stderr.endswith("No such command 'Vienna'. To ask it: quaere ask Vienna\n")


def test_a_follow_up_leans_on_the_answer_before_it(quaere: Run, docs: Path) -> None:
    """R3.7: a conversation; "she" is who was named in the answer before."""
    typed = f"{WHO}\nWhere was she born?\n\n"
    done = quaere("chat", "--docs", docs, "-q", stdin=typed)
    assert done.returncode == 0
    first, _, second = done.stdout.partition("Sources")
    assert "Tamsin Wray" in first
    assert "(Where was Tamsin Wray born?)" in second
    assert "Lower Sket" in second
    assert "mill.md" in second


def test_a_conversation_goes_on_over_one_table(quaere: Run, tmp_path: Path) -> None:
    """R3.7: what the first answer has read of the table does not hide the table from the next."""
    rows = ("Part,Price (EUR),Supplier,Stock", "Hinge,2.40,Barlo,300", "Latch,3.10,Kemmer,0")
    (tmp_path / "parts.csv").write_text("\n".join([*rows, "Knob,1.20,Orsted,9"]))
    typed = "How much is a knob?\nAnd the latch?\nWho supplies it?\nWhich part is out of stock?\n"
    done = quaere("chat", "--docs", tmp_path, "-q", stdin=typed)
    told = " ".join(done.stdout.split())
    assert "1.20 EUR [1]." in told
    assert "(How much is the latch?) 3.10 EUR [1]." in told
    assert "(Who supplies the latch?) Kemmer [1]." in told
    assert "Latch (1 of 3 rows of parts.csv)" in told


@pytest.mark.parametrize("leaving", ["/quit", "Bye"])
def test_a_conversation_is_left_by_the_words_that_people_type(
    quaere: Run, docs: Path, leaving: str
) -> None:
    done = quaere("chat", "--docs", docs, "-q", stdin=f"{leaving}\n{WHO}\n")
    assert (done.returncode, done.stdout) == (0, "")


def test_thanks_are_not_searched_for_and_the_conversation_goes_on(quaere: Run, docs: Path) -> None:
    typed = f"{WHO}\nOk, thank you!\nWhere was she born?\n"
    done = quaere("chat", "--docs", docs, "-q", stdin=typed)
    assert done.stdout.count("Sources") == 2
    assert "No evidence" not in done.stdout
    assert "(Where was Tamsin Wray born?)" in done.stdout
    assert "nothing was searched for" in done.stdout


def test_an_answered_question_leaves_nothing_to_resume(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    own = {"QUAERE_DATA_DIR": str(tmp_path)}
    quaere("chat", "--docs", docs, "-q", stdin=f"{WHO}\n", env=own)
    stopped = quaere("resume", env=own)
    assert not any((tmp_path / "runs").glob("*")), stopped.stdout


def test_a_question_that_fails_does_not_end_the_conversation(quaere: Run, docs: Path) -> None:
    done = quaere("chat", "--docs", docs, "-q", stdin=f"{'x' * 200_000}\n{WHO}\n")
    assert done.returncode == 0
    assert "quaere: " in done.stderr
    assert "Tamsin Wray" in done.stdout


@pytest.mark.parametrize("typed", ["", f"{WHO}\n"])
@pytest.mark.parametrize(
    ("options", "code", "why"),
    [
        (("--docs", "nowhere"), 2, "There is no file or folder"),
        (("--provider", "nobody"), 2, "nobody"),
        (("--model", "openai:gpt-4.1-mini", "--docs", "."), 2, "OPENAI_API_KEY"),
    ],
)
def test_a_conversation_that_cannot_begin_says_why(
    quaere: Run, typed: str, options: tuple[str, ...], code: int, why: str
) -> None:
    done = quaere("chat", *options, stdin=typed)
    assert (done.returncode, done.stdout) == (code, "")
    assert why in done.stderr


def test_a_format_may_be_called_by_the_extension_of_its_files(quaere: Run, docs: Path) -> None:
    for name in ("bib", "bibtex"):
        done = quaere("ask", WHO, "--docs", docs, "--format", name, "-q")
        assert (done.returncode, done.stdout[:1]) == (0, "@")


def test_a_value_that_is_none_of_the_choices_is_told_plainly(quaere: Run) -> None:
    done = quaere("ask", WHO, "--format", "scroll")
    assert done.returncode == 2
    assert "'scroll' is not one of 'text'" in done.stderr
    assert "Value error" not in done.stderr


def test_a_question_written_without_spaces_needs_no_command_and_no_mark() -> None:
    for question in ("図書館はいつ開きますか。", "博物馆几点开门"):
        assert with_command([question, "--docs", "notes"]) == ["ask", question, "--docs", "notes"]
    assert with_command(["straße"]) == ["straße"]
    assert with_command([""]) == [""]
