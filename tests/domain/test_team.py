"""Inquiries that a run raises, and the names by which they are replied to."""

from __future__ import annotations

from quaere.domain.team import Inquiry, InquiryKind

TOPICS = Inquiry(kind=InquiryKind.TOPICS, text="Compare them.", topics=("a", "b"))


def test_the_same_inquiry_has_the_same_id_and_another_has_another() -> None:
    again = Inquiry.model_validate_json(TOPICS.model_dump_json())
    others = [
        TOPICS.model_copy(update={"topics": ("a",)}),
        TOPICS.model_copy(update={"text": "Contrast them."}),
        TOPICS.model_copy(update={"kind": InquiryKind.CLARIFICATION}),
    ]
    assert again.id == TOPICS.id
    assert len({TOPICS.id, *(other.id for other in others)}) == 4
