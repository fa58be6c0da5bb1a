"""What is kept of a run and what is not (issue 7, retention and privacy)."""

from __future__ import annotations

import pytest
from tests.store.runs import EVIDENCE, ODD, TEXT, failed_run, whole_run

from quaere.domain.events import (
    Event,
    InquiryAnswered,
    InquiryRaised,
    PlanMade,
    RunFinished,
    RunStarted,
    SourceRead,
    WarningRaised,
)
from quaere.domain.report import RunWarning
from quaere.domain.request import RunSpec
from quaere.domain.source import Passage, ReadStatus
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.domain.trace import Source
from quaere.store.traces.privacy import KEY_LEFT_OUT, WITHHELD, Privacy, TraceRedactor

KEY = "sk4f8Kq2Zr7Lm9Tx3Wb6Vn1"
HASH = "0f3c9a7be1d2c4b8a6f5e0d9c7b3a1f2"


@pytest.mark.parametrize("event", [*whole_run(ODD), *failed_run()], ids=lambda e: type(e).__name__)
def test_nothing_is_changed_that_gives_nothing_away(event: Event) -> None:
    assert Privacy().kept(event) == event


@pytest.mark.parametrize("event", whole_run(), ids=lambda e: type(e).__name__)
def test_nothing_that_was_asked_is_kept_where_questions_are_not(event: Event) -> None:
    kept = Privacy(questions=False).kept(event)
    assert type(kept) is type(event)
    assert (kept.seq, kept.at, kept.run_id) == (event.seq, event.at, event.run_id)
    written = kept.model_dump_json()
    for asked in ("Who built the mill", "who built", "what it milled", "mill Orrin"):
        assert asked not in written


def test_what_was_asked_is_said_to_be_left_out() -> None:
    privacy = Privacy(questions=False)
    started, plan, finished = (
        next(privacy.kept(event) for event in whole_run() if isinstance(event, kind))
        for kind in (RunStarted, PlanMade, RunFinished)
    )
    assert isinstance(started, RunStarted)
    assert started.question == WITHHELD
    assert isinstance(plan, PlanMade)
    assert {query.text for query in plan.queries} == {WITHHELD}
    assert {item.description for item in plan.checklist.items} == {WITHHELD}
    assert isinstance(finished, RunFinished)
    assert finished.report.answer == "The mill at Orrin was built by Tamsin Wray. [1]"
    assert finished.report.citations[0].title


def test_of_a_request_all_that_was_asked_or_said_before_is_left_out() -> None:
    """Which fields that is stands on the fields, so that a new one need not be named here."""
    spec = RunSpec.of(
        "Who built the mill?",
        context="A book on Orrin.",
        conversation=[{"question": "Where is Orrin?", "answer": "On the Leth."}],
        scope={"sites": {"only": ["a.example"]}},
        supervision={"max_concurrent_research_units": 2},
        metadata={"project": "mills"},
    )
    assert Privacy().params(spec) == spec.asking
    assert Privacy(questions=False).params(spec) == {
        "question": WITHHELD,
        "context": WITHHELD,
        "conversation": [{"question": WITHHELD, "answer": WITHHELD}],
        "scope": {"sites": {"only": ["a.example"]}},
        "supervision": {"max_concurrent_research_units": 2},
        "metadata": {"project": WITHHELD},
    }


def test_the_query_that_a_warning_is_about_is_left_out_and_the_page_is_not() -> None:
    privacy = Privacy(questions=False)
    for kind, kept in (("search", False), ("read", True)):
        warning = RunWarning(kind=kind, message="no answer", subject="the mill")
        seen = privacy.kept(WarningRaised(warning=warning))
        assert isinstance(seen, WarningRaised)
        assert (seen.warning.subject == "the mill") is kept


def test_a_file_that_could_not_be_read_is_named_though_its_name_looks_like_a_key() -> None:
    name = "scans/3f9c1b27a4d04e5e8a6b7c9d0e1f2a3b.pdf"
    warning = RunWarning(kind="index", message="it is encrypted", subject=name)
    event = WarningRaised(warning=warning)
    assert Privacy().kept(event) == event


@pytest.mark.parametrize("name", ["sk-proj-4Hq8Zt2LmW9xR1vB.txt", "AKIA3XQ7PLM2ZT8KW4RN.csv"])
def test_a_key_in_the_name_of_a_file_is_left_out_where_its_vendor_has_marked_it(name: str) -> None:
    warning = RunWarning(kind="index", message="it is empty", subject=f"/home/ann/notes/{name}")
    kept = Privacy().kept(warning).subject
    assert kept.startswith(f"/home/ann/notes/{KEY_LEFT_OUT}")
    assert name[:12] not in kept


def test_the_text_of_pages_can_be_left_out() -> None:
    source = Source(evidence=EVIDENCE, text=TEXT, end=len(TEXT))
    assert Privacy().kept(source) == source
    assert Privacy(pages=False).kept(source) == source.model_copy(update={"text": ""})
    finished = Privacy(pages=False).kept(whole_run()[-1])
    assert isinstance(finished, RunFinished)
    (citation,), (sentence,) = finished.report.citations, finished.report.sentences
    assert (citation.quote.text, sentence.quotes[0].text) == ("", "")
    assert citation.quote.end > 0
    assert finished.report.answer
    assert sentence.text


def test_evidence_whose_passage_is_gone_is_kept_without_a_place_in_any_text() -> None:
    redactor = TraceRedactor(Privacy(), dict[str, Passage]().__getitem__)
    sources = [source for event in whole_run() for source in redactor.take(event).sources]
    assert sources[0].evidence == EVIDENCE
    assert all(source.start == source.end == len(source.text) == 0 for source in sources)


def test_keys_are_never_kept() -> None:
    """Secrets are never stored: neither what looks like one, nor one that is configured."""
    privacy = Privacy(redact=lambda text: text.replace('pass"word', "***"))
    docs = ['/data/pass"word', "/data/notes"]
    spec = RunSpec.of(f"Is {KEY} mine?", limits={"max_iters": 1}, docs=docs)
    assert privacy.params(spec) == {
        "question": f"Is {KEY_LEFT_OUT} mine?",
        "limits": {"max_iters": 1},
        "docs": ["/data/***", "/data/notes"],
    }
    assert KEY not in privacy.message(f"bad key {KEY}")
    warning = RunWarning(kind="search", message=f'401 for {KEY} pass"word', subject="mill")
    seen = privacy.kept(WarningRaised(warning=warning))
    assert isinstance(seen, WarningRaised)
    assert seen.warning.message == f"401 for {KEY_LEFT_OUT} ***"
    read = SourceRead(url='https://a.example/?k=pass"word', title="", status=ReadStatus.OK)
    seen = privacy.kept(read)
    assert isinstance(seen, SourceRead)
    assert seen.url == "https://a.example/?k=***"


def test_hashes_in_addresses_and_handles_stay() -> None:
    read = SourceRead(url=f"https://a.example/{HASH}", title=HASH, status=ReadStatus.OK)
    assert Privacy().kept(read) == read


def test_what_a_person_was_asked_and_replied_is_left_out_with_the_questions() -> None:
    inquiry = Inquiry(kind=InquiryKind.TOPICS, text="the mill", topics=("its builder",))
    raised = Privacy(questions=False).kept(InquiryRaised(inquiry=inquiry))
    reply = Reply(text="the one at Orrin", topics=("its owner",))
    answered = Privacy(questions=False).kept(InquiryAnswered(kind=inquiry.kind, reply=reply))
    assert isinstance(raised, InquiryRaised)
    assert (raised.inquiry.text, raised.inquiry.topics) == (WITHHELD, (WITHHELD,))
    assert isinstance(answered, InquiryAnswered)
    assert (answered.reply.text, answered.reply.topics) == (WITHHELD, (WITHHELD,))
