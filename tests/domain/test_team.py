"""Inquiries that a run raises, and the names by which they are replied to."""

from __future__ import annotations

import pytest

from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.errors import UsageError

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


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("", ()),
        ("yes", ()),
        (" OK! ", ()),
        ("all", ()),
        ("2, 1", ("b", "a")),
        ("2;2", ("b",)),
        ("the yes campaign; the mill", ("the yes campaign", "the mill")),
        ("7" * 5_000, ("7" * 5_000,)),  # too long for the number of a topic
    ],
)
def test_topics_are_approved_kept_by_number_or_replaced(typed: str, kept: tuple[str, ...]) -> None:
    assert TOPICS.reply_of(typed) == Reply(topics=kept)


@pytest.mark.parametrize("typed", ["", " ; ", "yes", "2", "a; c"])
def test_a_reply_that_was_read_already_means_the_same(typed: str) -> None:
    assert TOPICS.meant(TOPICS.reply_of(typed)) == TOPICS.reply_of(typed)


@pytest.mark.parametrize("typed", ["no", "N", "None.", "0", "3", "1, 3", "2;9"])
def test_a_number_of_no_topic_approves_nothing(typed: str) -> None:
    with pytest.raises(UsageError):
        TOPICS.reply_of(typed)


def test_what_is_typed_to_a_clarification_is_its_answer() -> None:
    asked = Inquiry(kind=InquiryKind.CLARIFICATION, text="Which of them?")
    assert asked.reply_of("1, the northern one; soon") == Reply(text="1, the northern one; soon")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [({}, ()), ({"text": "2"}, ("b",)), ({"topics": ["", "c"]}, ("", "c")), ({"text": ""}, ())],
)
def test_text_that_replies_to_topics_means_what_it_means_at_a_terminal(
    sent: dict[str, object], kept: tuple[str, ...]
) -> None:
    assert TOPICS.meant(Reply.model_validate(sent)) == Reply(topics=kept)


@pytest.mark.parametrize("sent", [{"topics": []}, {"topics": [" "]}, {"text": "no"}])
def test_a_reply_that_wants_no_topic_approves_none(sent: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="cancel the run"):
        TOPICS.meant(Reply.model_validate(sent))


def test_a_clarification_is_taken_as_it_is_sent() -> None:
    asked = Inquiry(kind=InquiryKind.CLARIFICATION, text="Which of them?")
    assert asked.meant(Reply(text="no")) == Reply(text="no")


@pytest.mark.parametrize("said", ["2", {"text": "2"}, {"topics": ["b"]}])
def test_text_and_the_fields_of_a_reply_are_replies(said: object) -> None:
    assert TOPICS.meant(said) == Reply(topics=("b",))


@pytest.mark.parametrize("said", [None, 2, ["b"], {"topic": "b"}])
def test_what_is_no_reply_approves_nothing(said: object) -> None:
    with pytest.raises(UsageError, match="is not a reply"):
        TOPICS.meant(said)
