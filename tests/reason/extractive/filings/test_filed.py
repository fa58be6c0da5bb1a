"""What the reports of companies tell alike: the cover, signatures, the auditors and the staff."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.question import Intent
from quaere.domain.report import DirectKind
from quaere.reason.extractive.decision import NEARLY
from quaere.reason.extractive.filings.asked import Fact, asked_fact, filing_queries
from quaere.reason.extractive.filings.filed import find_filed

COVER = """\
FORM 10-K
x ANNUAL REPORT PURSUANT TO SECTION 13 OF THE SECURITIES EXCHANGE ACT
For the fiscal year ended March 31, 2031
Commission file number 001-1234. __________ TERN LINES, INC.
(Exact name of registrant as specified in its charter) __________ Oregon 12-3456789
(State or other jurisdiction of
incorporation or organization)
(IRS Employer Identification No.)
12 Quay Street
Skarrow, OR 97001
(Address of principal executive offices) (Zip Code)
Registrant's telephone number, including area code: (503) 555-0100
Title of each class Trading Symbol(s) Name of each exchange on which registered
Common Stock, par value $0.10 per share TRNL NYSE
1.900% Notes Due 2032 TRNL32 NYSE"""
SIGNED = """\
The registrant has duly caused this report to be signed on its behalf by the undersigned.
By /s/ Odile M. Varga
Odile M. Varga
President and Chief Executive Officer
By /s/ Bo Lind
Bo Lind
Executive Vice President and Chief Financial Officer"""
OTHERS = """\
Our Code of Ethics binds our Chief Executive Officer and our Chief Financial Officer.
Ines Roth 51 President and Chief Executive Officer, Tern Cargo, effective May 2030.
Hal Moor served as Chief Executive Officer of Plover Ferries. Una Berg, former CEO, retired."""
AUDIT = """\
We have audited the statements of Tern Lines, Inc. Our opinion is the auditor's own.
/s/ Marsh & Pell LLP
We have served as the Company's auditor since 2019.
Skarrow, Oregon"""
STAFF = """\
We had 340 employees in Norway. As of March 31, 2031, Tern Lines, Inc. and our subsidiaries \
employed more than 7,600 full-time employees worldwide. Of these, 900 employees were added."""
TRADE = """\
We are a smaller reporting company. We are a party to lawsuits. Hask Ferries is a maker of oars.
We are a leading operator of ferries in nine ports."""
PARTS = """\
The segment's costs rose. Our operations comprise three reportable segments: Ferries, Cargo and \
Yards, and run 40 ships in 9 ports."""


def whole(*parts: str) -> Text:
    return ("TERN LINES, INC.", "\n\n".join(parts))


TERN = whole(COVER, OTHERS, SIGNED, AUDIT, STAFF, TRADE, PARTS)
PLOVER: Text = (
    "Plover Ferries",
    COVER.replace("TERN LINES, INC.", "PLOVER FERRIES").replace("Skarrow, OR", "Brell, OR"),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Where is Tern Lines headquartered?", "12 Quay Street, Skarrow, OR 97001"),
        ("Where is the head office?", "12 Quay Street, Skarrow, OR 97001"),
        ("In which state is Tern Lines incorporated?", "Oregon"),
        ("What is the phone number of Tern Lines?", "(503) 555-0100"),
        ("When does Tern Lines' fiscal year end?", "March 31, 2031"),
        ("On which stock exchange is Tern Lines listed?", "NYSE"),
        ("What is Tern's ticker?", "TRNL"),
        ("Who audits Tern Lines?", "Marsh & Pell LLP"),
        ("Who is the CEO of Tern Lines?", "Odile M. Varga"),
        ("Who is the chief financial officer?", "Bo Lind"),
        ("How many people does Tern Lines employ?", "more than 7,600"),
        ("What are Tern's segments?", "Ferries, Cargo and Yards"),
        ("What does Tern Lines do?", "We are a leading operator of ferries in nine ports."),
        ("What kind of company is Tern?", "We are a leading operator of ferries in nine ports."),
        ("What does Hask do?", None),
        ("Who is the CEO of Tern Cargo?", None),
        ("Who was the CEO of Tern Lines in 2012?", None),
        ("How many employees does Tern Lines have in Norway?", None),
        ("Where is Plover headquartered?", None),
        ("Who audits the pension plan of Tern Lines?", None),
    ],
)
def test_a_report_tells_what_all_reports_tell(question: str, told: str | None) -> None:
    found = find_filed(question, pool(TERN))
    assert (found and found.text) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Skarrow, OR 97001\n(503) 555-0100", "Skarrow, OR 97001"),
        ("Call the pier in Skarrow\n(503) 555-0100", None),
        ("Tours of Skarrow, OR 97001\nTold by our captains", None),
    ],
)
def test_an_address_needs_no_note_above_a_telephone_number(said: str, told: str | None) -> None:
    found = find_filed("Where is the head office?", pool(whole(said)))
    assert (found and found.text) == told


def test_of_two_companies_the_one_that_is_named_is_meant() -> None:
    both = pool(TERN, PLOVER)
    found = find_filed("Where is Plover Ferries headquartered?", both)
    assert found is not None
    assert found.text == "12 Quay Street, Brell, OR 97001"
    assert find_filed("Where is the head office?", both) is None


def test_the_answer_is_read_off_and_quoted_by_itself() -> None:
    (sentence,) = answer("Where is Tern Lines headquartered?", TERN)
    assert sentence.direct is not None
    assert sentence.direct.is_sure
    assert sentence.direct.kind is DirectKind.NAME
    assert sentence.text.startswith("12 Quay Street Skarrow, OR 97001 (Address of principal")


def test_two_firms_that_audit_leave_it_in_doubt() -> None:
    told = whole(AUDIT, AUDIT.replace("Marsh & Pell", "Gant & Sole"))
    found = find_filed("Who audits Tern Lines?", pool(told))
    assert found is not None
    assert found.confidence == NEARLY


@pytest.mark.parametrize(
    "said",
    [
        "The Jef rey L. Harm Chief Executive Officer spoke.",
        "Certification of Chief Executive Officer Pursuant to Section 302",
        "CERTIFICATION OF CHIEF EXECUTIVE OFFICER",
        "Tern Lines Chief Executive Officer",
        "Odile Varga Bo Lind Chief Executive Officer Chief Financial Officer",
        "Una Berg Retired Chairman and Chief Executive Officer, Plover Ferries",
    ],
)
def test_no_fragment_and_no_other_holds_an_office(said: str) -> None:
    assert find_filed("Who is the CEO of Tern Lines?", pool(whole(said))) is None


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("“A good year,” said Odile Varga, Chairman of the Board and Chief Executive Officer.",
         "Odile Varga"),
        ("Tern Lines Names CEO Odile Varga as Chairman of the Board", "Odile Varga"),
        ("Odile Varga, age 55, is Chief Executive Officer. She joined in 2020.", "Odile Varga"),
    ],
)  # fmt: skip
def test_a_release_names_the_holder_of_an_office(said: str, name: str) -> None:
    found = find_filed("Who is the CEO of Tern Lines?", pool(whole(said)))
    assert found is not None
    assert found.text == name


class _Words:
    def __init__(self, *held: str) -> None:
        self._held = held

    def document_share(self, word: str) -> float:
        return float(word in self._held)


def test_it_is_looked_for_where_the_sources_have_such_reports() -> None:
    question = "Where is Tern Lines headquartered?"
    (query,) = filing_queries(question, _Words("registrant"))
    assert query.intent is Intent.PART
    assert query.places
    assert "tern lines" in query.text
    assert not filing_queries(question, _Words("herring"))
    assert not filing_queries("Where does the heron nest?", _Words("registrant"))


def test_a_question_says_whose_fact_it_asks_for() -> None:
    asked = asked_fact("Who is the current CEO of the company Tern Lines?")
    assert asked is not None
    assert asked.fact is Fact.OFFICER
    assert asked.of == ("tern", "lines")


def test_who_reports_to_an_officer_is_not_the_officer() -> None:
    assert asked_fact("Who does the CEO of Tern Lines report to?") is None
    assert asked_fact("Who reports to the CEO of Tern Lines?") is None


@pytest.mark.parametrize("question", [
    "Where is the head office?", "Where is it incorporated?", "Who is the auditor?",
    "Who is the CEO?", "How many employees are there?", "What are the segments?",
    "What is the ticker?", "On which exchange is it listed?", "When does the fiscal year end?",
    "What does it do?",
])  # fmt: skip
@pytest.mark.parametrize("repeated", [
    "Chief Executive Officer ", "A. B ", "LLP ", "& and LLP, ", "had 1,000 ", "segments: a, ",
    "Common Stock A ", "(Address of principal", "state of incorporation ", "A a ",
    "trades our stock ",
    "12-3456789 Aa Aa ", "total workforce of ", "/s/ ", "\n", "_", "our common stock listed ",
    "We are a ", "7", "The Nasdaq LL",
])  # fmt: skip
def test_hostile_reports_take_no_time(question: str, repeated: str) -> None:
    text = f"Our title of each class {repeated * (50_000 // len(repeated))}"
    read = pool(("Tern Lines", text))
    began = time.process_time()
    find_filed(question, read)
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize("repeated", [
    "who ", "what ", "where ", "when ", "what fiscal year ", "how many employees ", "headcount ",
    "who is the CEO, who reports to ",
])  # fmt: skip
def test_hostile_questions_take_no_time(repeated: str) -> None:
    question = repeated * (20_000 // len(repeated))
    began = time.process_time()
    asked_fact(question)
    assert time.process_time() - began < 0.5
