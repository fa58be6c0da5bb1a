"""An answer as its sentences come, and the claims in it."""

from __future__ import annotations

from tests.faces.cli import samples

from quaere.domain.events import Phase, PhaseStarted, RunFinished, SentenceWritten
from quaere.domain.report import CheckedBy, Sentence, Support
from quaere.faces.wire.answer import Answer


def written(text: str, said: Sentence, before: str = "") -> SentenceWritten:
    return SentenceWritten(text=text, appended=f"{before}{text}", sentence=said)


SAID = Sentence(
    text="It stood.", support=Support.PARTLY, by=CheckedBy.MODEL, probability=0.5, reason="why"
)


def test_sentences_add_up_and_each_claim_is_where_it_stands() -> None:
    answer = Answer()
    lead = Sentence(text="So:", support=Support.NOT_A_CLAIM)
    assert answer.take(written("So:", lead)) == "So:"
    assert (
        answer.take(written("It stood [2][1][2].", SAID, "\n\n- ")) == "\n\n- It stood [2][1][2]."
    )
    (claim,) = answer.claims
    assert answer.text[claim.start : claim.end] == "- It stood [2][1][2]."
    assert claim.body == {
        "start": 5, "end": 26, "text": "It stood.", "citations": [2, 1],
        "verdict": "partly_supported", "checked_by": "model", "probability": 0.5, "reason": "why",
    }  # fmt: skip
    assert answer.marker(1) == (19, 22)
    assert answer.marker(7) == (26, 26), "the end, where there is none"


def test_what_is_not_shown_or_does_nothing_adds_nothing() -> None:
    answer = Answer()
    answer.take(SentenceWritten(text="It stood [1].", sentence=SAID))
    answer.take(PhaseStarted(phase=Phase.VERIFYING, remaining=samples.remaining()))
    assert (answer.text, answer.claims) == ("", [])
    unjudged = Sentence(text="It stood.")
    answer.take(written("It stood.", unjudged))
    assert answer.claims[0].body["checked_by"] is None


def test_brackets_in_code_cite_nothing() -> None:
    answer = Answer()
    answer.take(written("Call `a[1]`. [2]", SAID))
    answer.take(written("```\na[3]\n```\n[3]", SAID, "\n\n"))
    assert [claim.citations for claim in answer.claims] == [(2,), (3,)]
    assert answer.marker(1) == (len(answer.text),) * 2
    place, end = answer.marker(3)
    assert end == len(answer.text)
    assert answer.text[place:end] == "[3]"


def test_the_end_adds_what_is_missing_of_the_answer() -> None:
    for told, rest in (("", "It stood. [1]"), ("It stood.", " [1]"), ("It stood. [1]", "")):
        answer = Answer()
        answer.take(written(told, SAID))
        end = RunFinished(report=samples.report("It stood."))
        assert answer.take(end) == rest
        assert answer.text == "It stood. [1]"
    other = Answer()
    other.take(written("It fell.", SAID))
    assert other.take(RunFinished(report=samples.report("It stood."))) == "\n\nIt stood. [1]"
