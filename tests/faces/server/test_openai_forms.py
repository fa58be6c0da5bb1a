"""What OpenAI's clients may send: refused by name where it would change what an answer means."""

from __future__ import annotations

import pytest
from pydantic import JsonValue, ValidationError

from quaere.domain.budget import ProfileName
from quaere.faces.server.asking import Chat, Message
from quaere.faces.server.openai_forms import (
    MAX_METADATA,
    MODELS,
    SOURCES,
    BadParameter,
    ChatForm,
    ResponseForm,
    check_chat,
    check_model,
    check_response,
    passed_over,
    run_form_of,
    texts_of,
)

USER: JsonValue = [{"role": "user", "content": "Who?"}]


def chat(**fields: JsonValue) -> ChatForm:
    return ChatForm.model_validate({"messages": USER} | fields)


def response(**fields: JsonValue) -> ResponseForm:
    return ResponseForm.model_validate({"input": "Who?"} | fields)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n", None),
        ("n", 1),
        ("response_format", {"type": "text"}),
        ("logprobs", False),
        ("modalities", ["text"]),
        ("modalities", []),
        ("stop", []),
        ("function_call", None),
        ("function_call", "auto"),
        ("function_call", "none"),
        ("tool_choice", None),
        ("tool_choice", "auto"),
        ("tool_choice", "none"),
        ("tools", [{"type": "function"}]),
        ("temperature", 0.1),
    ],
)
def test_what_changes_nothing_of_an_answer_is_taken(field: str, value: JsonValue) -> None:
    check_chat(chat(**{field: value}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n", 0),
        ("n", 2),
        ("response_format", {"type": "json_object"}),
        ("logprobs", True),
        ("modalities", ["audio"]),
        ("modalities", ["text", "audio"]),
        ("stop", "END"),
        ("function_call", {"name": "f"}),
        ("tool_choice", "required"),
    ],
)
def test_what_would_change_an_answer_is_refused_by_its_name(field: str, value: JsonValue) -> None:
    with pytest.raises(BadParameter) as raised:
        check_chat(chat(**{field: value}))
    assert (raised.value.param, raised.value.status_code) == (field, 400)


def test_a_response_is_held_to_the_same() -> None:
    check_response(response(text={"format": {"type": "text"}}, tool_choice="auto"))
    check_response(response(text={}))
    for fields, param in (
        ({"conversation": "c"}, "conversation"),
        ({"text": {"format": {"type": "json_schema"}}}, "text.format"),
        ({"tool_choice": "required"}, "tool_choice"),
    ):
        with pytest.raises(BadParameter) as raised:
            check_response(ResponseForm.model_validate({"input": "Who?"} | fields))
        assert raised.value.param == param


@pytest.mark.parametrize("profile", ProfileName)
def test_a_profile_is_a_model(profile: ProfileName) -> None:
    check_model(f"quaere-{profile}")
    form = run_form_of(chat(model=f"quaere-{profile}"), Chat("Who?", "", ()), "messages", None)
    assert form.profile is profile


def test_a_model_that_there_is_not_is_not_found_and_those_there_are_are_named() -> None:
    with pytest.raises(BadParameter) as raised:
        check_model("gpt-4")
    assert (raised.value.status_code, raised.value.code) == (404, "model_not_found")
    assert all(name in str(raised.value.detail) for name in MODELS)


def parts(role: str, *kinds: str) -> ChatForm:
    content: JsonValue = [{"type": kind, "text": f"the {kind}"} for kind in kinds]
    return chat(messages=[{"role": role, "content": content}])


@pytest.mark.parametrize("kind", ["text", "input_text", "output_text", "refusal"])
def test_parts_that_are_text_are_put_together(kind: str) -> None:
    made = texts_of(parts("user", "text", kind).messages, "messages")
    assert made == [Message("user", f"the text\nthe {kind}")]


def test_what_a_user_sent_is_not_answered_without_its_picture() -> None:
    with pytest.raises(BadParameter) as raised:
        texts_of(parts("user", "text", "image_url").messages, "messages")
    assert raised.value.param == "messages"
    others = texts_of(parts("assistant", "text", "image_url").messages, "messages")
    assert others == [Message("assistant", "the text\nthe image_url")]


def test_a_picture_of_an_earlier_message_is_passed_over_and_told() -> None:
    shown: JsonValue = [{"type": "text", "text": "What is it?"}, {"type": "image_url"}]
    items: JsonValue = [
        {"role": "user", "content": shown},
        {"role": "user", "content": [{"type": "input_audio"}]},
        {"role": "assistant", "content": "A mill."},
        {"role": "user", "content": "Who built it?"},
    ]
    form = chat(messages=items)
    made = [each.text for each in texts_of(form.messages, "messages")]
    assert made == ["What is it?", "", "A mill.", "Who built it?"]
    assert passed_over(form.messages) == ("image_url", "input_audio")
    with pytest.raises(BadParameter, match="not image_url"):
        texts_of(form.messages[:1], "messages")


def test_items_of_other_kinds_and_empty_messages_are_no_hindrance() -> None:
    items: JsonValue = [
        {"type": "reasoning"},
        {"role": "assistant", "content": None},
        {"role": "user", "content": "Who?"},
    ]
    made = texts_of(chat(messages=items).messages, "messages")
    assert made == [Message("assistant", ""), Message("user", "Who?")]


@pytest.mark.parametrize(
    "metadata",
    [
        {str(number): "x" for number in range(MAX_METADATA + 1)},
        {"k" * 65: "x"},
        {"k": "x" * 513},
    ],
)
def test_metadata_are_kept_to_the_size_that_openai_takes(metadata: dict[str, JsonValue]) -> None:
    with pytest.raises(ValidationError):
        chat(metadata=metadata)


@pytest.mark.parametrize("asks", [False, True])
def test_a_run_asks_back_only_where_the_protocol_can(asks: bool) -> None:
    form = run_form_of(chat(), Chat("Who?", "", ()), "messages", None, asks=asks)
    assert not form.approve_plan
    assert ("approve_plan" in form.model_fields_set) is not asks, "left out, the operator decides"


def test_metadata_are_kept_with_how_the_answer_is_shown() -> None:
    sent: dict[str, JsonValue] = {str(number): "x" * 512 for number in range(MAX_METADATA)}
    asked, kept = Chat("Who?", "", ()), {"extra": "1"}
    form = run_form_of(chat(metadata=sent), asked, "messages", "run-0", kept=kept)
    assert form.metadata == {**sent, SOURCES: "append", "extra": "1"}
    assert (form.continues, form.profile) == ("run-0", None)


def test_a_chat_without_a_question_and_options_that_do_not_fit_are_told() -> None:
    with pytest.raises(BadParameter, match="last message") as raised:
        run_form_of(chat(), Chat("", "", ()), "messages", None)
    assert raised.value.param == "messages"
    with pytest.raises(BadParameter, match="question: "):
        run_form_of(chat(), Chat("Who? " * 10_000, "", ()), "input", None)


def test_own_options_reach_the_run() -> None:
    own: JsonValue = {"language": "de", "providers": ["web"], "sources": "annotations"}
    form = run_form_of(chat(quaere=own), Chat("Who?", "before", ()), "messages", None)
    assert (form.question, form.context, form.language) == ("Who?", "before", "de")
    assert form.providers == ("web",)
    assert form.metadata == {SOURCES: "annotations"}


def test_a_fault_is_told_with_its_place() -> None:
    with pytest.raises(BadParameter) as raised:
        run_form_of(chat(), Chat("Who? " * 10_000, "", ()), "input", None)
    assert raised.value.param == "input"
    assert raised.value.status_code == 400
    assert str(raised.value.detail).startswith("question: ")


def test_a_user_s_message_without_text_is_empty() -> None:
    items: JsonValue = [
        {"role": "user", "content": [{"type": "text"}, {"type": "text", "text": "a"}]}
    ]
    assert texts_of(chat(messages=items).messages, "messages") == [Message("user", "a")]


def test_as_many_metadata_and_messages_as_openai_takes_are_taken() -> None:
    assert chat(metadata={"k" * 64: "x" * 512}).metadata
    said: list[JsonValue] = [{"role": "user", "content": "a"}]
    assert len(chat(messages=said * 1_000).messages) == 1_000
    for count in (0, 1_001):
        with pytest.raises(ValidationError):
            chat(messages=said * count)
    with pytest.raises(ValidationError):
        response(input="")
