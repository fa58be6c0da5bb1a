"""Logs of version 2, which name verdicts and reasons otherwise, are read as those of today."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from quaere.domain.events import RUN_EVENT, SentenceWritten
from quaere.domain.report import Report, Sentence, Support

FORMER: dict[str, JsonValue] = {
    "text": "It spans 313 metres.",
    "evidence": [1],
    "support": "unverifiable",
    "note": "not in what it cites: 313",
    "probability": 0.4,
}


def test_a_sentence_of_version_2_has_a_verdict_and_a_reason_of_today() -> None:
    event = RUN_EVENT.validate_python(
        {
            "type": "sentence_written",
            "run_id": "0198",
            "seq": 9,
            "at": "2026-11-20T10:00:00+00:00",
            "phase": "verifying",
            "text": "It spans 313 metres (not verified) [1].",
            "sentence": FORMER,
        }
    )
    assert isinstance(event, SentenceWritten)
    said = event.sentence
    assert (said.support, said.by) == (Support.NOT_JUDGED, None)
    assert said.reason == "not in what it cites: 313"
    assert RUN_EVENT.validate_json(event.model_dump_json()) == event


@pytest.mark.parametrize("name", ["supported", "partly_supported", "contradicted", "not_a_claim"])
def test_other_verdicts_keep_their_names(name: str) -> None:
    assert Sentence.model_validate({**FORMER, "support": name}).support.value == name


def test_a_report_of_version_2_lists_nothing_as_left_out() -> None:
    assert Report.model_fields["dropped"].get_default() == ()
