"""What a long report of a company says: as "we", of what it does not mean to do, in statements."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere import research
from quaere.domain.report import SURE
from quaere.reason.extractive.contrary import fails_with
from quaere.reason.extractive.denials import denies_of
from quaere.reason.extractive.leaning import lean
from quaere.reason.extractive.leave import supposes
from quaere.text.layout import is_statement

PLOVER: Text = (
    "Plover Shipping annual report",
    (
        "Results of operations. Revenues of the fiscal year increased 12% to $31 million, and the "
        "risk of losses was reduced. Shareholders received the report in December. The analysis of "
        "net income showed an effect of 4% of revenues, evaluated by our auditors.\n\n"
        "The Company does not anticipate paying any cash dividends, and therefore uses an expected "
        "dividend yield of zero."
    ),
)


def test_a_report_of_a_company_leans_neither_way() -> None:
    assert lean("Does Plover Shipping pay dividends?", pool(PLOVER)) is None


def test_what_somebody_does_not_expect_to_do_is_denied() -> None:
    (told, *_) = answer("Does Plover Shipping pay dividends?", PLOVER)
    assert told.direct is not None
    assert told.direct.text == "No"
    assert told.direct.confidence >= SURE


@pytest.mark.parametrize(
    ("said", "asked", "denied"),
    [
        ("It does not intend to sell tickets at the door.", "Does it sell tickets?", True),
        ("It is not able to swim.", "Does it swim?", True),
        ("It does not currently run on Windows.", "Does it run on Windows?", True),
        ("It expects to sell tickets.", "Does it sell tickets?", False),
    ],
)
def test_a_denial_passes_on_to_what_is_meant(said: str, asked: str, *, denied: bool) -> None:
    assert denies_of(said, asked) is denied


@pytest.mark.parametrize(
    ("said", "asked", "fails"),
    [
        (
            "It cannot work with statically linked programs or suidroot ones.",
            "Can it be used with statically linked programs?",
            True,
        ),
        ("It is not compatible with macOS.", "Does it run on macOS?", True),
        ("It works with statically linked programs.", "Can it be used with them?", False),
        ("It cannot work with tar.", "Can it be used with statically linked programs?", False),
        ("It cannot work with tar.", "Is it fast?", False),
    ],
)
def test_what_fails_with_a_thing_cannot_be_used_with_it(
    said: str, asked: str, *, fails: bool
) -> None:
    assert fails_with(said, asked) is fails


@pytest.mark.parametrize(
    ("said", "asked", "is_supposed"),
    [
        ("It is of use when throwing a custom error is needed.", "Can it throw errors?", True),
        ("If it rains, the pool is closed.", "Is the pool closed?", True),
        ("It throws errors when the file is missing.", "Can it throw errors?", False),
        ("Errors are thrown.", "Can it throw errors?", False),
    ],
)
def test_what_is_only_supposed_is_not_said(said: str, asked: str, *, is_supposed: bool) -> None:
    assert supposes(said, asked) is is_supposed


@pytest.mark.parametrize(
    ("line", "is_code"),
    [
        ('return fail(env, "Error");', True),
        ("Env::Set(env, value);", True),
        ("if (fails) {", True),
        ("#include <uv.h> {", True),
        ("return the books on time;", False),
        ("dogs on a lead;", False),
        ("If it rains, stay at home;", False),
    ],
)
def test_a_statement_of_a_program_asserts_nothing(line: str, *, is_code: bool) -> None:
    assert is_statement(line) is is_code


INCOME = """\
# Plover Shipping annual report

CONSOLIDATED STATEMENTS OF COMPREHENSIVE INCOME

| (Dollars in millions) | Year ended May 31, 2031 | Year ended May 31, 2030 |
| --- | --- | --- |
| Net income | $40 | $31 |
| Foreign currency | 4 | 2 |

The breakdown of earnings before interest is as follows:

| (Dollars in millions) | Fiscal 2031 | Fiscal 2030 |
| --- | --- | --- |
| Revenues | 310 | 290 |
| Interest expense (income), net | 49 | 54 |
"""


def test_a_line_of_a_statement_is_not_one_that_has_its_words(tmp_path: Path) -> None:
    (tmp_path / "plover_2031.md").write_text(INCOME)
    report = research("What was Plover's net income in fiscal 2031?", docs=[tmp_path])
    assert report.direct is not None
    assert report.direct.text.startswith("$40 million (Net income")


def test_a_line_without_two_words_that_stand_together_is_not_certain() -> None:
    text: Text = (
        "faketime",
        (
            "To use several sandboxes the faketime library can be put into /etc/ld.preload.\n\n"
            "The desk is open on Mondays."
        ),
    )
    (told, *_) = answer("Where does quick setup put the faketime library?", text)
    assert told.direct is not None
    assert told.direct.confidence < SURE
