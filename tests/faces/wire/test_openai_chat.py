"""Chat completions, field by field: what clients read of them without a schema that objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import pytest
from openai.types.chat import ChatCompletion
from tests.faces.wire.streams import (
    NAMES,
    Object,
    Received,
    bodies,
    deltas,
    log,
    read,
    report_of,
)

from quaere.domain.events import RunFailed, RunFinished, RunStarted
from quaere.domain.model import Usage
from quaere.domain.report import Report
from quaere.faces.wire.openai import (
    ChatCompletionStream,
    ChatOptions,
    Sources,
    error_body,
    plain_completion,
    usage_body,
)
from quaere.faces.wire.parts import closing_list, progress_line, source_links, total_usage

each_log = pytest.mark.parametrize("name", NAMES)
each_report = pytest.mark.parametrize("name", [name for name in NAMES if report_of(log(name))])
PLAIN = ChatOptions()
each_place = pytest.mark.parametrize("sources", Sources)


def got_of(name: str, options: ChatOptions = PLAIN) -> list[Received]:
    return read(ChatCompletionStream(options), log(name))


def whole_of(name: str, options: ChatOptions = PLAIN) -> tuple[Object, Report]:
    """Return the completion of that run as a whole, and its report."""
    stream, report = ChatCompletionStream(options), report_of(log(name))
    for event in log(name):
        list(stream.frames(event))
    assert report
    return stream.completion(report), report


def choices(told: Sequence[Object]) -> list[Object]:
    return [
        cast("Object", one) for each in told for one in cast("Sequence[object]", each["choices"])
    ]


# Chunks


@each_log
def test_every_chunk_says_whose_it_is_and_when_the_run_began(name: str) -> None:
    begun = next(event for event in log(name) if isinstance(event, RunStarted))
    chunks = [each for each in bodies(got_of(name, ChatOptions(model="m"))) if "error" not in each]
    for each in chunks:
        assert each["id"] == f"chatcmpl-{begun.run_id}"
        assert each["object"] == "chat.completion.chunk"
        assert each["created"] == int(begun.moment.timestamp())
        assert each["model"] == "m"
    assert {choice["index"] for choice in choices(chunks)} == {0}


@each_log
def test_progress_is_told_line_by_line_as_reasoning(name: str) -> None:
    told = [each for each in bodies(got_of(name)) if "error" not in each]
    lines = [line for event in log(name) if (line := progress_line(event))]
    reasoning = [
        str(each["reasoning_content"])
        for each in deltas(told)
        if len(each) == 1 and "reasoning_content" in each
    ]
    assert reasoning == [f"{line}\n" for line in lines]


@each_report
def test_the_last_chunk_with_a_choice_is_the_only_one_that_ends_it(name: str) -> None:
    told = bodies(got_of(name))
    reasons = [each["finish_reason"] for each in choices(told)]
    assert reasons == [None] * (len(reasons) - 1) + ["stop"]
    assert choices(told)[-1]["delta"] == {}


@each_log
def test_a_stream_begins_with_its_role_and_no_word(name: str) -> None:
    first, *_ = deltas(bodies(got_of(name)))
    assert first == {"role": "assistant", "content": ""}


@each_report
@each_place
def test_text_is_the_answer_with_its_list_of_sources_or_alone(name: str, sources: Sources) -> None:
    told = bodies(got_of(name, ChatOptions(sources=sources)))
    report = report_of(log(name))
    assert report
    text = "".join(str(each.get("content", "")) for each in deltas(told))
    listed = closing_list(report) if sources is Sources.APPEND else ""
    assert text == report.answer + listed
    assert all(each.get("content") != "" for each in list(deltas(told))[1:]), "no empty word"


@each_report
def test_annotations_come_once_where_something_is_cited_and_not_otherwise(name: str) -> None:
    report = report_of(log(name))
    assert report
    annotated = [each for each in deltas(bodies(got_of(name))) if "annotations" in each]
    assert len(annotated) == (1 if report.citations else 0)


@each_report
def test_usage_apart_comes_after_the_end_of_the_choice_and_before_the_end_of_all(
    name: str,
) -> None:
    report = report_of(log(name))
    assert report
    usage = usage_body(total_usage(report.calls))
    *_, ended, told, done = got_of(name, ChatOptions(include_usage=True))
    assert choices([ended.body])[0]["finish_reason"] == "stop"
    assert "usage" not in ended.body
    assert told.body["usage"] == usage
    assert (told.body["choices"], told.body["object"]) == ([], "chat.completion.chunk")
    assert done.data == "[DONE]"
    *_, ended, done = got_of(name)
    assert ended.body["usage"] == usage
    assert done.data == "[DONE]"


def test_a_run_that_failed_ends_with_what_went_wrong() -> None:
    failed = log("failed")[-1]
    assert isinstance(failed, RunFailed)
    told = got_of("failed")[-1].body["error"]
    assert told == {
        "message": failed.message,
        "type": failed.error_type,
        "param": None,
        "code": None,
    }
    assert told == error_body(failed)


# What comes beside


@each_report
def test_what_other_clients_look_for_is_beside_the_last_choice_and_nowhere_before(
    name: str,
) -> None:
    *before, last = bodies(got_of(name))
    assert not any({"citations", "search_results", "quaere"} & set(each) for each in before)
    report = report_of(log(name))
    assert report
    links = source_links(report.citations)
    assert last["citations"] == list(links)
    assert last["search_results"] == [
        {"title": each.title, "url": link, "snippet": each.quote.text, "date": None}
        for each, link in zip(report.citations, links, strict=True)
    ]
    own = cast("Object", last["quaere"])
    assert own["run_id"] == report.run_id
    assert own["status"] == str(report.status)
    assert own["stop_reason"] == str(report.stop_reason)
    assert own["confidence"] == report.confidence
    assert own["gaps"] == list(report.gaps)


@each_report
def test_open_webui_is_told_the_name_and_address_of_each_source(name: str) -> None:
    report = report_of(log(name))
    assert report
    shown = [
        cast("Mapping[str, Object]", each["event"])["data"]
        for each in bodies(got_of(name))
        if "event" in each
    ]
    assert shown == [
        {
            "source": {"name": each.title, "url": link},
            "document": [each.quote.text],
            "metadata": [{"source": link, "name": each.title}],
        }
        for each, link in zip(report.citations, source_links(report.citations), strict=True)
    ]


# The whole


@each_report
@each_place
def test_a_completion_as_a_whole_says_what_its_chunks_say_together(
    name: str, sources: Sources
) -> None:
    options = ChatOptions(model="m", sources=sources)
    whole, _ = whole_of(name, options)
    ChatCompletion.model_validate(whole)
    told = bodies(got_of(name, options))
    last = told[-1]
    (choice,) = choices([whole])
    message = cast("Object", choice["message"])
    assert message["content"] == "".join(str(each.get("content", "")) for each in deltas(told))
    annotations = [
        one for each in deltas(told) for one in cast("list[object]", each.get("annotations", []))
    ]
    assert message["annotations"] == annotations
    assert (message["role"], message["refusal"]) == ("assistant", None)
    assert (choice["index"], choice["finish_reason"], choice["logprobs"]) == (0, "stop", None)
    alike = ("id", "created", "model", "usage", "citations", "search_results", "quaere")
    assert {key: whole[key] for key in alike} == {key: last[key] for key in alike}
    assert whole["object"] == "chat.completion"


def test_a_completion_that_no_run_made_is_a_whole_one_that_cost_nothing() -> None:
    body = plain_completion("m", "Which ferry do you mean?")
    made = ChatCompletion.model_validate(body)
    (choice,) = made.choices
    assert (made.id, made.object, made.created, made.model) == (
        "chatcmpl-0",
        "chat.completion",
        0,
        "m",
    )
    assert (choice.index, choice.finish_reason, choice.logprobs) == (0, "stop", None)
    assert (choice.message.role, choice.message.content) == (
        "assistant",
        "Which ferry do you mean?",
    )
    assert choice.message.refusal is None
    assert body["usage"] == usage_body(Usage())


def test_each_count_of_tokens_has_its_own_field() -> None:
    usage = Usage(prompt_tokens=70, completion_tokens=9, cached_tokens=40, reasoning_tokens=5)
    assert usage_body(usage) == {
        "prompt_tokens": 70,
        "completion_tokens": 9,
        "total_tokens": 79,
        "prompt_tokens_details": {"cached_tokens": 40},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }


def test_the_counts_of_all_calls_are_added_up() -> None:
    *before, last = log("web")
    assert isinstance(last, RunFinished)
    (call, *_) = last.report.calls
    usage = Usage(prompt_tokens=70, completion_tokens=9, cached_tokens=40, reasoning_tokens=5)
    twice = (call.model_copy(update={"usage": usage}),) * 2
    report = last.report.model_copy(update={"calls": twice})
    told = read(ChatCompletionStream(), [*before, last.model_copy(update={"report": report})])
    assert told[-2].body["usage"] == {
        "prompt_tokens": 140,
        "completion_tokens": 18,
        "total_tokens": 158,
        "prompt_tokens_details": {"cached_tokens": 80},
        "completion_tokens_details": {"reasoning_tokens": 10},
    }
